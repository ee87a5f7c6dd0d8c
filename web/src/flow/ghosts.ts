/** What a staged patch does to the picture: which nodes and edges appear, go, or change, and how. Pure. */
import { applyPatch } from "./applyPatch.ts";
import type { FlowDocument, FlowNode, Patch } from "./document.ts";

export type Ghost = "added" | "removed" | "changed";

export interface Ghosts {
  /** The document to draw: the staged one, with what it takes away still in it. */
  document: FlowDocument;
  nodes: Record<string, Ghost>;
  edges: Record<string, Ghost>;
  /** Node id → the config and title before, for nodes that change. */
  before: Record<string, FlowNode>;
}

/** Return the picture of a staged patch over a document; null: the patch no longer matches it. */
export function ghostsOf(document: FlowDocument, patch: Patch): Ghosts | null {
  const staged = applyPatch(document, patch) as FlowDocument | null;
  if (!staged) return null;
  const ghosts: Ghosts = {
    document: {
      ...staged,
      nodes: { ...document.nodes, ...staged.nodes },
      edges: { ...document.edges, ...staged.edges },
      layout: { ...document.layout, ...staged.layout },
    },
    nodes: {},
    edges: {},
    before: {},
  };
  for (const change of patch.changes) mark(ghosts, document, change.path, change.kind);
  return ghosts;
}

function mark(ghosts: Ghosts, document: FlowDocument, path: string[], kind: Ghost): void {
  const [record, id] = path;
  if (id === undefined) return;
  if (record === "nodes") {
    if (path.length === 2) ghosts.nodes[id] = kind;
    else {
      ghosts.nodes[id] = "changed";
      const before = document.nodes[id];
      if (before) ghosts.before[id] = before;
    }
  } else if (record === "edges") ghosts.edges[id] = kind;
}
