/** The flow document as the server writes it. Owns the shapes; decides nothing about validity. */

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type Config = { [key: string]: Json };

export interface FlowNode {
  type: string;
  version?: number;
  title?: string;
  config: Config;
}
export interface PortRef {
  node: string;
  port: string;
}
interface FlowEdge {
  source: PortRef;
  target: PortRef;
}
export interface Point {
  x: number;
  y: number;
}
interface FlowNote {
  text: string;
  at?: Point | null;
  width?: number | null;
  height?: number | null;
  color?: string | null;
}
export interface FlowDocument {
  headrace: number;
  name: string;
  parameters: Record<string, { name: string; type: string; default: Json; description: string }>;
  nodes: Record<string, FlowNode>;
  edges: Record<string, FlowEdge>;
  notes: Record<string, FlowNote>;
  layout: Record<string, Point>;
}
export interface Column {
  name: string;
  type: string;
}
/** Columns of every table port: node id, then port name. */
export type ColumnsByPort = Record<string, Record<string, Column[]>>;

export interface Where {
  node: string;
  port: string;
  path: string[];
}
interface Fix {
  label: string;
  operations: Operation[];
}
export interface Diagnostic {
  code: string;
  severity: "error" | "warning" | "note";
  where: Where;
  message: string;
  fixes: Fix[];
}
export type Change =
  | { kind: "added"; path: string[]; after: Json }
  | { kind: "removed"; path: string[]; before: Json }
  | { kind: "changed"; path: string[]; before: Json; after: Json };
export interface Patch {
  changes: Change[];
}

export type Operation =
  | { op: "add_node"; node: FlowNode & { id: string }; at?: Point | null }
  | { op: "remove_node"; node_id: string }
  | { op: "replace_node"; node_id: string; type: string; config: Config; version?: number }
  | { op: "set_title"; node_id: string; title: string }
  | { op: "set_config"; node_id: string; values: Config }
  | { op: "unset_config"; node_id: string; keys: string[] }
  | { op: "connect"; source: PortRef; target: PortRef }
  | { op: "disconnect"; source: PortRef; target: PortRef }
  | {
      op: "insert_between";
      source: PortRef;
      target: PortRef;
      node: FlowNode & { id: string };
      in_port?: string;
      out_port?: string;
    }
  | { op: "move_nodes"; positions: Record<string, Point> }
  | { op: "set_note"; note_id: string; note: (FlowNote & { id: string }) | null }
  | { op: "set_parameter"; name: string; parameter: Json }
  | { op: "set_name"; name: string };

export const EMPTY_DOCUMENT: FlowDocument = {
  headrace: 1,
  name: "",
  parameters: {},
  nodes: {},
  edges: {},
  notes: {},
  layout: {},
};

/** Return the id that an edge has by its ends. */
export function edgeId(source: PortRef, target: PortRef): string {
  return `${source.node}.${source.port}>${target.node}.${target.port}`;
}
