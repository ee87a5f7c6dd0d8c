/** What is known of a run, node by node, and how one event changes it. Pure; applying an event twice changes nothing. */
import type { Diagnostic, FlowDocument } from "./document.ts";

type NodeState = "waiting" | "running" | "succeeded" | "failed" | "skipped";

export interface NodeRun {
  state: NodeState;
  rows?: number | null;
  columns?: number | null;
  ms?: number | null;
  fraction?: number | null;
  summary?: string;
  diagnostic?: Diagnostic | null;
  because?: string | null;
}
export interface RunState {
  runId: string;
  status: "queued" | "running" | "succeeded" | "failed" | "cancelled" | "lost";
  ms: number | null;
  /** What the one who asked should know: why effects were held back, why it ended early. */
  note: string;
  /** The staged change that it ran over, if it did. */
  changesetId: string | null;
  /** The node whose table answers, once that is known. */
  answer: string | null;
  /** When this page saw it start, ms since the epoch: for the ticking clock. */
  since: number;
  nodes: Record<string, NodeRun>;
}
export type RunEvent =
  | { event: "run.started"; run_id: string; nodes: string[]; note?: string; changeset_id?: string | null }
  | { event: "node.started"; run_id: string; node_id: string }
  | { event: "node.progress"; run_id: string; node_id: string; fraction: number | null }
  | {
      event: "node.finished";
      run_id: string;
      node_id: string;
      rows: number | null;
      columns: number | null;
      ms: number | null;
      summary: string;
    }
  | { event: "node.failed"; run_id: string; node_id: string; diagnostic: Diagnostic | null }
  | { event: "node.skipped"; run_id: string; node_id: string; because: string }
  | {
      event: "run.finished";
      run_id: string;
      status: RunState["status"];
      ms: number | null;
      note?: string;
      answer?: string | null;
    };

const DONE: ReadonlySet<NodeState> = new Set(["succeeded", "failed", "skipped"]);

/** Return a run after an event. Events of another run than the one shown are ignored unless they start it. */
export function runAfter(run: RunState | null, event: RunEvent, now: number): RunState | null {
  if (event.event === "run.started") {
    if (run?.runId === event.run_id) return run;
    const nodes = Object.fromEntries(event.nodes.map((id) => [id, { state: "waiting" as const }]));
    return {
      runId: event.run_id,
      status: "running",
      ms: null,
      note: event.note ?? "",
      changesetId: event.changeset_id ?? null,
      answer: null,
      since: now,
      nodes,
    };
  }
  if (!run || run.runId !== event.run_id) return run;
  if (event.event === "run.finished")
    return {
      ...run,
      status: event.status,
      ms: event.ms,
      note: event.note || run.note,
      answer: event.answer ?? null,
      nodes: settled(run.nodes),
    };
  const before = run.nodes[event.node_id] ?? { state: "waiting" };
  const after = nodeAfter(before, event);
  return after === before ? run : { ...run, nodes: { ...run.nodes, [event.node_id]: after } };
}

function settled(nodes: Record<string, NodeRun>): Record<string, NodeRun> {
  return Object.fromEntries(
    Object.entries(nodes).map(([id, node]) => [
      id,
      DONE.has(node.state) ? node : { ...node, state: "skipped" as const },
    ]),
  );
}

type NodeEvent = Exclude<RunEvent, { event: "run.started" | "run.finished" }>;

function nodeAfter(node: NodeRun, event: NodeEvent): NodeRun {
  switch (event.event) {
    case "node.started":
      return node.state === "waiting" ? { ...node, state: "running" } : node;
    case "node.progress":
      return DONE.has(node.state) ? node : { ...node, state: "running", fraction: event.fraction };
    case "node.finished":
      return {
        state: "succeeded",
        rows: event.rows,
        columns: event.columns,
        ms: event.ms,
        summary: event.summary,
      };
    case "node.failed":
      return { state: "failed", diagnostic: event.diagnostic };
    case "node.skipped":
      return { state: "skipped", because: event.because };
  }
}

/** Return whether a run is still under way. */
export function isUnderWay(run: RunState | null): boolean {
  return run?.status === "running" || run?.status === "queued";
}

/** Return the nodes whose results no longer hold after some were touched: those and all that they feed. */
export function staleAfter(document: FlowDocument, touched: Iterable<string>): Set<string> {
  const stale = new Set(touched);
  const queue = [...stale];
  const edges = Object.values(document.edges);
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const edge of edges) {
      if (edge.source.node === at && !stale.has(edge.target.node)) {
        stale.add(edge.target.node);
        queue.push(edge.target.node);
      }
    }
  }
  return stale;
}

/** Return the nodes that a patch's changes touch in what they compute; places, notes and titles do not count. */
export function touchedBy(
  changes: readonly { path: readonly string[]; before?: unknown; after?: unknown }[],
): string[] {
  const touched = new Set<string>();
  for (const change of changes) {
    const [record, id, field] = change.path;
    if (record === "nodes" && id !== undefined && field !== "title") touched.add(id);
    if (record === "edges") {
      const edge = (change.after ?? change.before) as { target?: { node?: string } } | undefined;
      if (edge?.target?.node) touched.add(edge.target.node);
    }
  }
  return [...touched];
}
