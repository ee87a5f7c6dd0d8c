/** Staged changes: those known by id, the one under review, and which parts of it are chosen. */
import { create } from "zustand";
import { api } from "@/api/client.ts";
import type { ChangesetView } from "@/api/types.ts";
import { switched } from "@/flow/parts.ts";
import { report } from "./report.ts";

interface Review {
  changesets: Record<string, ChangesetView>;
  /** The changeset whose ghosts are on the canvas. */
  openId: string | null;
  /** Changeset id → indexes of the operations that are left out. */
  leftOut: Record<string, ReadonlySet<number>>;
  busy: boolean;
  begin: (flowId: string) => Promise<void>;
  close: () => void;
  heard: (changeset: ChangesetView) => void;
  know: (changesetId: string) => Promise<void>;
  toggle: (changesetId: string, index: number) => void;
  show: (changesetId: string | null) => void;
  approve: (changesetId: string) => Promise<void>;
  reject: (changesetId: string) => Promise<void>;
  refresh: (changesetId: string) => Promise<void>;
}

const BLANK = { changesets: {}, openId: null, leftOut: {}, busy: false };
const OPEN = new Set(["draft", "proposed", "conflicted"]);
const NONE: ReadonlySet<number> = new Set();

export const useReview = create<Review>((set, get) => ({
  ...BLANK,
  begin: async (flowId) => {
    set(BLANK);
    const staged = await api.changesets(flowId).catch(() => [] as ChangesetView[]);
    for (const changeset of staged) get().heard(changeset);
  },
  close: () => set(BLANK),
  heard: (changeset) => {
    const id = changeset.changeset_id;
    const before = get().changesets[id];
    const open = OPEN.has(changeset.status);
    const fresh = before === undefined || !OPEN.has(before.status);
    set({
      changesets: { ...get().changesets, [id]: changeset },
      openId: open ? (fresh || get().openId === null ? id : get().openId) : get().openId === id ? null : get().openId,
      leftOut: before && before.digest !== changeset.digest ? { ...get().leftOut, [id]: NONE } : get().leftOut,
    });
  },
  know: async (changesetId) => {
    if (get().changesets[changesetId]) return;
    const changeset = await api.changeset(changesetId).catch(() => null);
    if (changeset) set({ changesets: { ...get().changesets, [changesetId]: changeset } });
  },
  toggle: (changesetId, index) => {
    const changeset = get().changesets[changesetId];
    if (!changeset) return;
    const left = switched(changeset.operations, get().leftOut[changesetId] ?? NONE, index);
    set({ leftOut: { ...get().leftOut, [changesetId]: left } });
  },
  show: (openId) => set({ openId }),
  approve: async (changesetId) => {
    const changeset = get().changesets[changesetId];
    if (!changeset || get().busy) return;
    const left = get().leftOut[changesetId] ?? NONE;
    const only = changeset.operations.map((_, index) => index).filter((index) => !left.has(index));
    const body = left.size > 0 ? { digest: changeset.digest, only } : { digest: changeset.digest };
    await act(async () => void (await api.approve(changesetId, body)));
  },
  reject: (changesetId) => act(async () => void (await api.reject(changesetId))),
  refresh: (changesetId) => act(async () => get().heard(await api.refresh(changesetId))),
}));

async function act(work: () => Promise<void>): Promise<void> {
  useReview.setState({ busy: true });
  try {
    await work();
  } catch (error) {
    report(error);
  } finally {
    useReview.setState({ busy: false });
  }
}
