/** What the server says about node types, and the few questions the canvas asks of it. Pure. */
import type { FlowDocument, PortRef } from "./document.ts";

export interface PortSpec {
  name: string;
  type: string;
  title: string;
  required: boolean;
  many: boolean;
}
export interface NodeTypeView {
  name: string;
  title: string;
  summary: string;
  area: string;
  synonyms: string[];
  inputs: PortSpec[];
  outputs: PortSpec[];
  effects: string[];
  config_schema: Record<string, unknown>;
}
export type Catalog = ReadonlyMap<string, NodeTypeView>;

/** Return whether an edge may run from one port type into another. */
export function fits(source: string, target: string): boolean {
  return source === target || source === "any" || target === "any";
}

/** Return why an edge between two ports would be refused, in words; null: it fits. A hint only: the server decides. */
export function whyNot(document: FlowDocument, catalog: Catalog, source: PortRef, target: PortRef): string | null {
  if (source.node === target.node) return "A node cannot feed itself";
  const from = catalog.get(document.nodes[source.node]?.type ?? "")?.outputs.find((port) => port.name === source.port);
  const into = catalog.get(document.nodes[target.node]?.type ?? "")?.inputs.find((port) => port.name === target.port);
  if (!from || !into) return null;
  if (!fits(from.type, into.type)) return `This port takes a ${into.type}, not a ${from.type}`;
  const arriving = Object.values(document.edges).filter(
    (edge) => edge.target.node === target.node && edge.target.port === target.port,
  );
  if (arriving.some((edge) => edge.source.node === source.node && edge.source.port === source.port))
    return "These ports are connected already";
  if (!into.many && arriving.length > 0) return "This port is taken: remove its edge first";
  if (reaches(document, target.node, source.node)) return "This would close a circle";
  return null;
}

/** Return whether data from one node arrives at another. */
export function reaches(document: FlowDocument, from: string, to: string): boolean {
  const next = new Map<string, string[]>();
  for (const edge of Object.values(document.edges)) {
    const list = next.get(edge.source.node);
    if (list) list.push(edge.target.node);
    else next.set(edge.source.node, [edge.target.node]);
  }
  const seen = new Set([from]);
  const queue = [from];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    if (at === to) return true;
    for (const node of next.get(at) ?? []) {
      if (!seen.has(node)) {
        seen.add(node);
        queue.push(node);
      }
    }
  }
  return false;
}

/** In which order people mostly meet the areas. */
const ORDER = ["input", "rows", "summarize", "columns", "combine", "output"];

/** Which of them people mostly reach for, whatever they come from. */
const USUAL = ["read_file", "filter", "aggregate", "sort", "formula", "select", "join", "chart", "limit"];

/** Return the node types for some typed words, best first; `from` prefers the types that can take that port type. */
export function rankTypes(types: NodeTypeView[], words: string, from?: string): NodeTypeView[] {
  const wanted = words.trim().toLowerCase();
  const scored = types.map((type, index) => ({ type, index, score: scoreOf(type, wanted, from) }));
  const usual = (type: NodeTypeView) => (USUAL.indexOf(type.name) + USUAL.length + 1) % (USUAL.length + 1);
  // What comes next is what is usual; what there is goes by area.
  const place = ({ type }: { type: NodeTypeView }) =>
    (from === undefined ? ORDER.indexOf(type.area) * 100 : 0) + usual(type);
  return scored
    .filter((entry) => entry.score > 0)
    .sort((a, b) => b.score - a.score || place(a) - place(b) || a.index - b.index)
    .map((entry) => entry.type);
}

function scoreOf(type: NodeTypeView, wanted: string, from?: string): number {
  const takes = from === undefined || type.inputs.some((port) => fits(from, port.type));
  if (from !== undefined && !takes) return 0;
  if (!wanted) return 1;
  const title = type.title.toLowerCase();
  if (title.startsWith(wanted)) return 100;
  if (title.includes(wanted) || type.name.includes(wanted.replaceAll(" ", "_"))) return 80;
  if (type.synonyms.some((word) => word.toLowerCase().startsWith(wanted))) return 60;
  if (type.synonyms.some((word) => word.toLowerCase().includes(wanted))) return 50;
  const words = wanted.split(/\s+/);
  const all = `${title} ${type.synonyms.join(" ").toLowerCase()} ${type.summary.toLowerCase()}`;
  return words.every((word) => all.includes(word)) ? 20 : 0;
}

/** Return a free, readable node id for a new node of a type. */
export function newNodeId(type: string, taken: Record<string, unknown>): string {
  if (!(type in taken)) return type;
  for (let n = 2; ; n += 1) {
    const candidate = `${type}_${n}`;
    if (!(candidate in taken)) return candidate;
  }
}
