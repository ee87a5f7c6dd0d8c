/** The node that the drawer is about: the selected one, or else the one whose result one most likely wants to see. */
import type { FlowDocument, FlowNode } from "@/flow/document.ts";
import type { Catalog } from "@/flow/nodeType.ts";
import type { NodeRun } from "@/flow/runState.ts";
import { useHouse } from "@/state/house.ts";
import { useRuns } from "@/state/runs.ts";
import { useShown } from "@/state/shown.ts";
import { useView } from "@/state/view.ts";

export interface Subject {
  nodeId: string;
  node: FlowNode;
  title: string;
  run: NodeRun | null;
}

export function useSubject(kind: "table" | "chart" = "table"): Subject | null {
  const selected = useView((view) => view.selected);
  const { document } = useShown();
  const catalog = useHouse((house) => house.catalog);
  const run = useRuns((runs) => runs.run);
  const chosen = selected.length === 1 ? selected[0] : undefined;
  const nodeId = subjectOf({ document, catalog, chosen, kind, answer: run?.answer ?? null });
  const node = nodeId ? document.nodes[nodeId] : undefined;
  if (!nodeId || !node) return null;
  const title = node.title || catalog.get(node.type)?.title || nodeId;
  return { nodeId, node, title, run: run?.nodes[nodeId] ?? null };
}

interface Question {
  document: FlowDocument;
  catalog: Catalog;
  chosen: string | undefined;
  kind: "table" | "chart";
  answer: string | null;
}

/** Return the nearest node behind another for which something holds. */
function fedBy(document: FlowDocument, from: string, holds: (id: string) => boolean): string | null {
  const seen = new Set([from]);
  for (const id of seen) {
    if (id !== from && holds(id)) return id;
    for (const edge of Object.values(document.edges)) if (edge.source.node === id) seen.add(edge.target.node);
  }
  return null;
}

/** Return the node to show: the chosen one where it has such an output, else its only consumer or source that has. */
function subjectOf({ document, catalog, chosen, kind, answer }: Question): string | null {
  const makes = (id: string, type: string) =>
    catalog.get(document.nodes[id]?.type ?? "")?.outputs.some((port) => port.type === type) ?? false;
  if (chosen && document.nodes[chosen]) {
    if (makes(chosen, kind)) return chosen;
    const feeding = Object.values(document.edges).find((edge) => edge.target.node === chosen)?.source.node;
    if (kind === "table" && feeding && makes(feeding, "table") && !makes(chosen, "table")) return feeding;
    return fedBy(document, chosen, (id) => makes(id, kind)) ?? (kind === "table" ? chosen : null);
  }
  const ids = Object.keys(document.nodes).filter((id) => makes(id, kind));
  if (kind === "chart") return ids.length === 1 ? (ids[0] ?? null) : null;
  if (answer && document.nodes[answer]) return answer;
  const ends = ids.filter(
    (id) => !Object.values(document.edges).some((e) => e.source.node === id && makes(e.target.node, "table")),
  );
  return ends.at(-1) ?? null;
}
