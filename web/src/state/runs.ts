/** Runs of the open flow: the one shown, those before it, which results are out of date, and previews read so far. */
import { create } from "zustand";
import { api } from "@/api/client.ts";
import type { Fault, Preview, RunView } from "@/api/types.ts";
import type { FlowDocument, Patch } from "@/flow/document.ts";
import { isUnderWay, type RunEvent, type RunState, runAfter, staleAfter, touchedBy } from "@/flow/runState.ts";
import { useFlow } from "./flow.ts";
import { faultIn, report, tried } from "./report.ts";
import { useView } from "./view.ts";

interface PreviewState {
  preview: Preview | null;
  fault: Fault | null;
  loading: boolean;
}

interface Runs {
  run: RunState | null;
  /** The run over the flow as it stands, while one over a staged change is shown. */
  baseline: RunState | null;
  list: RunView[];
  stale: ReadonlySet<string>;
  previews: Record<string, PreviewState>;
  /** Between asking for a run and its first event. */
  asking: boolean;
  begin: (flowId: string) => Promise<void>;
  relist: (flowId: string) => Promise<void>;
  open: (runId: string) => Promise<void>;
  close: () => void;
  start: (flowId: string, how?: { to?: string; changeset_id?: string }) => Promise<void>;
  /** A staged change was decided: its run is the flow's own, or of no more use. */
  decided: (changesetId: string, landed: boolean) => void;
  cancel: () => Promise<void>;
  shown: (view: RunView) => void;
  heard: (event: RunEvent) => void;
  edited: (document: FlowDocument, patch: Patch) => void;
  read: (runId: string, nodeId: string, offset?: number) => Promise<void>;
}

const PAGE = 100;
const BLANK = { run: null, baseline: null, list: [], stale: new Set<string>(), previews: {}, asking: false };

export const useRuns = create<Runs>((set, get) => ({
  ...BLANK,
  begin: async (flowId) => {
    set(BLANK);
    const list = await api.runs(flowId).catch(() => [] as RunView[]);
    set({ list });
    const latest = list[0];
    if (!latest || get().run) return;
    get().shown(await api.runView(latest.run_id).catch(() => latest));
    if (await outOfDate(flowId, latest.number)) set({ stale: new Set(Object.keys(get().run?.nodes ?? {})) });
  },
  relist: async (flowId) => set({ list: await api.runs(flowId).catch(() => get().list) }),
  open: async (runId) => {
    const view = await tried(api.runView(runId));
    if (!view) return;
    get().shown(view);
    if (await outOfDate(view.flow_id, view.number)) set({ stale: new Set(Object.keys(view.nodes)) });
  },
  close: () => set(BLANK),
  start: async (flowId, how = {}) => {
    if (get().asking || isUnderWay(get().run)) return;
    set({ asking: true });
    try {
      await api.run(flowId, how);
    } catch (error) {
      report(error);
    } finally {
      set({ asking: false });
    }
  },
  cancel: async () => {
    const { run } = get();
    if (run && isUnderWay(run)) await api.cancelRun(run.runId).catch(report);
  },
  shown: (view) => set({ run: stateOf(view), baseline: null, previews: {}, stale: new Set() }),
  heard: (event) => {
    const before = get().run;
    const run = runAfter(before, event, Date.now());
    if (run === before) return;
    if (event.event === "run.started") {
      const own = before?.changesetId ? get().baseline : before;
      set({ run, baseline: run?.changesetId ? own : null, asking: false, stale: new Set(), previews: {} });
    }
    if (event.event !== "run.started") set({ run });
    const { flowId } = useFlow.getState();
    if (event.event !== "run.finished") return;
    if (flowId) void get().relist(flowId);
    if (event.note) useView.getState().say({ text: event.note, tone: event.status === "succeeded" ? "plain" : "bad" });
  },
  decided: (changesetId, landed) => {
    const { run, baseline } = get();
    if (run?.changesetId !== changesetId) return;
    set(
      landed ? { run: { ...run, changesetId: null }, baseline: null } : { run: baseline, baseline: null, previews: {} },
    );
  },
  edited: (document, patch) => {
    const touched = touchedBy(patch.changes);
    if (touched.length > 0 && get().run) set({ stale: new Set([...get().stale, ...staleAfter(document, touched)]) });
  },
  read: async (runId, nodeId, offset = 0) => {
    const key = `${runId}/${nodeId}`;
    const known = get().previews[key];
    if (known?.loading || (known && offset === 0 && known.preview)) return;
    const put = (state: PreviewState) => set({ previews: { ...get().previews, [key]: state } });
    put({ preview: known?.preview ?? null, fault: null, loading: true });
    try {
      const page = await api.preview({ runId, nodeId, offset, limit: PAGE });
      const rows = [...(known?.preview?.rows.slice(0, offset) ?? []), ...page.rows];
      put({ preview: { ...page, rows }, fault: null, loading: false });
    } catch (error) {
      put({ preview: known?.preview ?? null, fault: faultIn(error), loading: false });
    }
  },
}));

/** Return whether the flow means something else now than at a revision. Moving and naming things changes no meaning. */
async function outOfDate(flowId: string, number: number): Promise<boolean> {
  const { number: now, hash } = useFlow.getState();
  if (number === now) return false;
  const revisions = await api.revisions(flowId).catch(() => []);
  return revisions.find((revision) => revision.number === number)?.hash !== hash;
}

function stateOf(view: RunView): RunState {
  const since = Date.parse(view.created_at);
  return {
    runId: view.run_id,
    status: view.status,
    ms: view.ms,
    note: view.note,
    answer: view.answer,
    changesetId: view.changeset_id,
    since: Number.isNaN(since) ? Date.now() : since,
    nodes: Object.fromEntries(
      Object.entries(view.nodes).map(([id, { status, ...node }]) => [id, { ...node, state: status }]),
    ),
  };
}
