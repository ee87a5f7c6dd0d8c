/** Builders of operations for what a person does on the canvas. Pure; the server decides whether they hold. */
import type { Config, FlowDocument, Json, Operation, Point, PortRef } from "./document.ts";
import { type NodeTypeView, fits, newNodeId } from "./nodeType.ts";
import { CARD_WIDTH, free } from "./placement.ts";

export interface Addition {
  nodeId: string;
  operations: Operation[];
}
export interface AdditionPlan {
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
    const ahead = places[between.target.node];
    operations.push({ op: "insert_between", ...between, node, in_port: input.name, out_port: output.name });
    operations.push(...makeRoom(document, places, { nodeId, between, ahead }));
    return { nodeId, operations };
  }
  const source = from ? places[from.ref.node] : undefined;
  const wanted = source ? { x: source.x + CARD_WIDTH + 56, y: source.y } : plan.at;
  const at = free({ x: Math.round(wanted.x), y: Math.round(wanted.y) }, Object.values(places));
  operations.push({ op: "add_node", node, at });
  if (from && input)
    operations.push({ op: "connect", source: from.ref, target: { node: nodeId, port: input.name } });
  return { nodeId, operations };
}

interface Room {
  nodeId: string;
  between: { source: PortRef; target: PortRef };
  ahead: Point | undefined;
}

/** Return the move that shifts what lies downstream to the right, and puts the new node in the gap. */
function makeRoom(document: FlowDocument, places: Record<string, Point>, room: Room): Operation[] {
  const { ahead, between, nodeId } = room;
  if (!ahead) return [];
  const positions: Record<string, Point> = { [nodeId]: { x: ahead.x, y: ahead.y } };
  const behind = places[between.source.node];
  const shift = CARD_WIDTH + 56;
  if (!behind || ahead.x - behind.x < 2 * shift) {
    for (const id of downstream(document, between.target.node)) {
      const place = places[id];
      if (place) positions[id] = { x: place.x + shift, y: place.y };
    }
  } else positions[nodeId] = { x: Math.round((ahead.x + behind.x) / 2), y: ahead.y };
  return [{ op: "move_nodes", positions }];
}

function downstream(document: FlowDocument, from: string): Set<string> {
  const found = new Set([from]);
  for (const id of found)
    for (const edge of Object.values(document.edges)) if (edge.source.node === id) found.add(edge.target.node);
  return found;
}

/** Return the operation that keeps every node where it is shown, for those that have no stored place yet. */
export function pin(document: FlowDocument, places: Record<string, Point>): Operation[] {
  const positions: Record<string, Point> = {};
  for (const id of Object.keys(document.nodes)) {
    const place = places[id];
    if (!document.layout[id] && place) positions[id] = place;
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
export function paste(document: FlowDocument, places: Record<string, Point>, clip: Clip): { ids: string[]; operations: Operation[] } {
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
  if (Object.keys(edits.values).length > 0) operations.push({ op: "set_config", node_id: nodeId, values: edits.values });
  if (edits.keys.length > 0) operations.push({ op: "unset_config", node_id: nodeId, keys: edits.keys });
  return operations;
}

export type { Json };
