/** A staged change as lines to read and choose from: what happens to a node is one line, however many operations it takes. Pure. */
import type { FlowDocument, FlowNode, Operation } from "./document.ts";
import type { Ghosts } from "./ghosts.ts";
import type { Catalog } from "./nodeType.ts";
import { fieldsFor } from "./project.ts";
import { summarize } from "./summary.ts";

export interface ReviewLine {
  sign: "add" | "remove" | "change";
  /** The operations that it stands for. */
  indexes: number[];
  /** What the server says of them, a sentence each. */
  words: string;
  /** The node, where it is about one. */
  nodeId: string | null;
  title: string;
  /** The node's kind, where its title does not say it. */
  kind: string;
  /** What the node does now, and what it will do; empty where the words say it better. */
  before: string;
  after: string;
}
export interface ReviewLines {
  lines: ReviewLine[];
  edges: ReviewLine[];
}

interface Change {
  operations: Operation[];
  /** A sentence for each operation. */
  words: string[];
}

/** Return the lines of a change; `ghosts` is its picture, null where it no longer fits: then every operation speaks for itself. */
export function linesOf(change: Change, document: FlowDocument, ghosts: Ghosts | null, catalog: Catalog): ReviewLines {
  const lines: ReviewLine[] = [];
  const edges: ReviewLine[] = [];
  const byNode = new Map<string, ReviewLine>();
  change.operations.forEach((operation, index) => {
    const words = change.words[index] ?? operation.op.replaceAll("_", " ");
    const nodeId = ghosts ? nodeOf(operation) : null;
    const known = nodeId === null ? undefined : byNode.get(nodeId);
    if (known) {
      known.indexes.push(index);
      known.words = `${known.words}\n${words}`;
      return;
    }
    const line = {
      sign: signOf(operation),
      indexes: [index],
      words,
      nodeId,
      title: "",
      kind: "",
      before: "",
      after: "",
    };
    if (nodeId !== null) byNode.set(nodeId, line);
    (operation.op === "connect" || operation.op === "disconnect" ? edges : lines).push(line);
  });
  if (ghosts) for (const line of byNode.values()) describe(line, document, ghosts, catalog);
  return { lines, edges };
}

function nodeOf(operation: Operation): string | null {
  if (operation.op === "add_node" || operation.op === "insert_between") return operation.node.id;
  return "node_id" in operation && operation.op !== "remove_node" ? operation.node_id : null;
}

function signOf(operation: Operation): ReviewLine["sign"] {
  if (operation.op === "add_node" || operation.op === "insert_between" || operation.op === "connect") return "add";
  return operation.op === "remove_node" || operation.op === "disconnect" ? "remove" : "change";
}

function describe(line: ReviewLine, document: FlowDocument, ghosts: Ghosts, catalog: Catalog): void {
  const id = line.nodeId ?? "";
  const after = ghosts.document.nodes[id];
  const before = document.nodes[id];
  if (!after || ghosts.nodes[id] === "removed") {
    line.nodeId = null;
    return;
  }
  const kind = catalog.get(after.type)?.title ?? after.type;
  line.title = after.title || kind;
  line.kind = after.title && after.title !== kind ? kind : "";
  line.after = saidOf(after, catalog);
  if (!before) return;
  line.before = saidOf(before, catalog);
  const renamed = (before.title || kind) !== line.title;
  if (line.before !== line.after) return;
  // The line under the title does not show it: a new title does, or else the server's own words.
  line.before = renamed ? before.title || kind : "";
  line.after = renamed ? line.title : line.words;
}

function saidOf(node: FlowNode, catalog: Catalog): string {
  const type = catalog.get(node.type);
  return type ? summarize(fieldsFor(type.config_schema), node.config) : "";
}
