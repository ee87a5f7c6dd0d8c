/** Staged changes: those known by id, the one under review, and which parts of it are chosen. */
import { create } from "zustand";
import { api } from "@/api/client.ts";
import type { ChangesetView } from "@/api/types.ts";
import { type Amended, amendedWith } from "@/flow/amending.ts";
import type { Operation } from "@/flow/document.ts";
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
  /** A changeset goes on by so much. One of which something was missed is asked for. */
  amended: (event: Amended) => void;
  know: (changesetId: string) => Promise<void>;
  /** Take some operations in, or leave them out if none of them is. */
  toggle: (changesetId: string, indexes: number[]) => void;
  show: (changesetId: string | null) => void;
  approve: (changesetId: string) => Promise<void>;
  reject: (changesetId: string) => Promise<void>;
  refresh: (changesetId: string) => Promise<void>;
  /** Put a person's own operations behind the staged ones. */
  amend: (changesetId: string, operations: Operation[]) => Promise<boolean>;
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
    if (before && before.updated_at > changeset.updated_at) return;
    const open = OPEN.has(changeset.status);
    const fresh = before === undefined || !OPEN.has(before.status);
    set({
      changesets: { ...get().changesets, [id]: changeset },
      openId: open ? (fresh || get().openId === null ? id : get().openId) : get().openId === id ? null : get().openId,
      leftOut: before && !goesOn(before, changeset) ? { ...get().leftOut, [id]: NONE } : get().leftOut,
    });
  },
  amended: (event) => {
    const id = event.changeset_id;
    const before = get().changesets[id];
    const after = before ? amendedWith(before, event) : null;
    if (after === null) void askAgain(id);
    else if (after !== before)
      set({
        changesets: { ...get().changesets, [id]: after },
        openId: get().openId ?? (OPEN.has(after.status) ? id : null),
      });
  },
  know: async (changesetId) => {
    if (get().changesets[changesetId]) return;
    const changeset = await api.changeset(changesetId).catch(() => null);
    if (changeset) set({ changesets: { ...get().changesets, [changesetId]: changeset } });
  },
  toggle: (changesetId, indexes) => {
    const changeset = get().changesets[changesetId];
    if (!changeset) return;
    let left = get().leftOut[changesetId] ?? NONE;
    const out = indexes.every((index) => left.has(index));
    for (const index of indexes) if (left.has(index) === out) left = switched(changeset.operations, left, index);
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
  amend: async (changesetId, operations) => {
    try {
      const known = get().changesets[changesetId]?.operations.length ?? 0;
      const amended = await api.amend(changesetId, operations);
      get().heard(amended);
      // What is edited is wanted: it comes back in, with all that it needs, where it was left out.
      let left = get().leftOut[changesetId] ?? NONE;
      for (let index = known; index < amended.operations.length && left.size > 0; index += 1)
        left = switched(amended.operations, new Set(left).add(index), index);
      set({ leftOut: { ...get().leftOut, [changesetId]: left } });
      return true;
    } catch (error) {
      report(error);
      return false;
    }
  },
}));

const asking = new Map<string, boolean>();

/** Ask for a changeset; once more where it went on while it was asked for. */
async function askAgain(changesetId: string): Promise<void> {
  if (asking.has(changesetId)) {
    asking.set(changesetId, true);
    return;
  }
  try {
    do {
      asking.set(changesetId, false);
      const changeset = await api.changeset(changesetId).catch(() => null);
      if (changeset) useReview.getState().heard(changeset);
    } while (asking.get(changesetId));
  } finally {
    asking.delete(changesetId);
  }
}

/** Return whether a changeset holds the operations that it held, perhaps with more behind them: what was left out stays so. */
function goesOn(before: ChangesetView, after: ChangesetView): boolean {
  if (before.digest === after.digest) return true;
  const kept = after.operations.slice(0, before.operations.length);
  return JSON.stringify(kept) === JSON.stringify(before.operations);
}

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
