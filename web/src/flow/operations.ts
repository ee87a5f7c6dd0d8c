/** Builders of operations for what a person does on the canvas. Pure; the server decides whether they hold. */
import type { Config, FlowDocument, Operation, Point, PortRef } from "./document.ts";
import { fits, type NodeTypeView, newNodeId } from "./nodeType.ts";
import { free, PITCH } from "./placement.ts";

interface Addition {
  nodeId: string;
  operations: Operation[];
}
interface AdditionPlan {
  document: FlowDocument;
  places: Record<string, Point>;
  type: NodeTypeView;
  config?: Config;
  /** The port that feeds the new node, with its type. */
  from?: { ref: PortRef; type: string } | undefined;
  between?: { source: PortRef; target: PortRef } | undefined;
  at: Point;
}

/** Return how to add a node: alone, after a port, or into an edge. */
export function addition(plan: AdditionPlan): Addition {
  const { document, places, type, from, between } = plan;
  const nodeId = newNodeId(type.name, document.nodes);
  const node = { id: nodeId, type: type.name, config: plan.config ?? {} };
  const operations: Operation[] = pin(document, places);
  const input = type.inputs.find((port) => !from || fits(from.type, port.type));
  const output = type.outputs[0];
  if (between && input && output) {
    operations.push({ op: "insert_between", ...between, node, in_port: input.name, out_port: output.name });
    return { nodeId, operations };
  }
  const source = from ? places[from.ref.node] : undefined;
  const wanted = source ? { x: source.x + PITCH, y: source.y } : plan.at;
  const at = free({ x: Math.round(wanted.x), y: Math.round(wanted.y) }, Object.values(places));
  operations.push({ op: "add_node", node, at });
  if (from && input) operations.push({ op: "connect", source: from.ref, target: { node: nodeId, port: input.name } });
  return { nodeId, operations };
}

/** Return the operation that keeps every node where it is shown, for those that are stored elsewhere or nowhere. */
export function pin(document: FlowDocument, places: Record<string, Point>): Operation[] {
  const positions: Record<string, Point> = {};
  for (const id of Object.keys(document.nodes)) {
    const place = places[id];
    const stored = document.layout[id];
    if (place && (stored?.x !== place.x || stored?.y !== place.y)) positions[id] = place;
  }
  return Object.keys(positions).length > 0 ? [{ op: "move_nodes", positions }] : [];
}

/** What a copy holds: nodes with their places, and the edges among them. */
export interface Clip {
  nodes: Record<string, { type: string; version?: number; title?: string; config: Config; at: Point }>;
  edges: { source: PortRef; target: PortRef }[];
}

/** Return a copy of some nodes. */
export function clipOf(document: FlowDocument, places: Record<string, Point>, ids: string[]): Clip {
  const chosen = new Set(ids);
  const clip: Clip = { nodes: {}, edges: [] };
  for (const id of ids) {
    const node = document.nodes[id];
    if (node) clip.nodes[id] = { ...node, at: places[id] ?? { x: 0, y: 0 } };
  }
  for (const edge of Object.values(document.edges))
    if (chosen.has(edge.source.node) && chosen.has(edge.target.node))
      clip.edges.push({ source: edge.source, target: edge.target });
  return clip;
}

/** Return the operations that put a copy into a flow, a little beside where it was taken, under new ids. */
export function paste(
  document: FlowDocument,
  places: Record<string, Point>,
  clip: Clip,
): { ids: string[]; operations: Operation[] } {
  const operations: Operation[] = pin(document, places);
  const taken: Record<string, unknown> = { ...document.nodes };
  const renamed: Record<string, string> = {};
  const spots = Object.values(places);
  for (const [id, { at, ...node }] of Object.entries(clip.nodes)) {
    const fresh = newNodeId(id in taken ? id.replace(/_\d+$/, "") : id, taken);
    taken[fresh] = true;
    renamed[id] = fresh;
    const spot = free({ x: at.x + 32, y: at.y + 32 }, spots);
    spots.push(spot);
    operations.push({ op: "add_node", node: { ...node, id: fresh }, at: spot });
  }
  for (const { source, target } of clip.edges)
    operations.push({
      op: "connect",
      source: { node: renamed[source.node] ?? source.node, port: source.port },
      target: { node: renamed[target.node] ?? target.node, port: target.port },
    });
  return { ids: Object.values(renamed), operations };
}

/** Return the operations that change a node's config from one state to another. */
export function reconfigure(nodeId: string, edits: { values: Config; keys: string[] }): Operation[] {
  const operations: Operation[] = [];
  if (Object.keys(edits.values).length > 0)
    operations.push({ op: "set_config", node_id: nodeId, values: edits.values });
  if (edits.keys.length > 0) operations.push({ op: "unset_config", node_id: nodeId, keys: edits.keys });
  return operations;
}
