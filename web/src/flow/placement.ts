/** Where nodes stand: stored positions first, the rest beside what feeds them; and the automatic arrangement. Pure. */
import { Graph, layout } from "@dagrejs/dagre";
import type { FlowDocument, Point } from "./document.ts";

export const CARD_WIDTH = 216;
export const CARD_HEIGHT = 92;
const GAP_X = 56;
const GAP_Y = 28;

/** Return a place for every node. Nodes without a stored one are placed beside what feeds them, never on another. */
export function placesOf(document: FlowDocument): Record<string, Point> {
  const ids = Object.keys(document.nodes);
  const stored = ids.filter((id) => document.layout[id]);
  if (stored.length === 0) return arranged(document);
  const places: Record<string, Point> = {};
  for (const id of stored) places[id] = document.layout[id] as Point;
  const missing = ids.filter((id) => !document.layout[id]);
  const rough = missing.length > 0 ? arranged(document) : {};
  missing.sort((a, b) => (rough[a]?.x ?? 0) - (rough[b]?.x ?? 0) || a.localeCompare(b));
  for (const id of missing) places[id] = free(wanted(document, places, id), Object.values(places));
  return places;
}

function wanted(document: FlowDocument, places: Record<string, Point>, id: string): Point {
  const edges = Object.values(document.edges);
  const before = edges.filter((edge) => edge.target.node === id).flatMap((edge) => places[edge.source.node] ?? []);
  const after = edges.filter((edge) => edge.source.node === id).flatMap((edge) => places[edge.target.node] ?? []);
  if (before.length > 0) {
    const mean = before.reduce((sum, point) => sum + point.y, 0) / before.length;
    return { x: Math.max(...before.map((point) => point.x)) + CARD_WIDTH + GAP_X, y: Math.round(mean) };
  }
  const next = after[0];
  if (next) return { x: next.x - CARD_WIDTH - GAP_X, y: next.y };
  const all = Object.values(places);
  if (all.length === 0) return { x: 0, y: 0 };
  return { x: Math.min(...all.map((p) => p.x)), y: Math.max(...all.map((p) => p.y)) + CARD_HEIGHT + GAP_Y };
}

/** Return the place nearest below a wanted one that overlaps no other. */
export function free(point: Point, others: Point[]): Point {
  let y = point.y;
  const clashes = (other: Point) =>
    Math.abs(other.x - point.x) < CARD_WIDTH + 12 && Math.abs(other.y - y) < CARD_HEIGHT + 12;
  for (let turn = 0; turn < 500 && others.some(clashes); turn += 1) y += CARD_HEIGHT + GAP_Y;
  return { x: point.x, y };
}

/** Return a fresh arrangement of the whole flow, left to right. */
export function arranged(document: FlowDocument): Record<string, Point> {
  const drawing = new Graph();
  drawing.setGraph({ rankdir: "LR", ranksep: GAP_X, nodesep: GAP_Y, marginx: 0, marginy: 0 });
  drawing.setDefaultEdgeLabel(() => ({}));
  for (const id of Object.keys(document.nodes)) drawing.setNode(id, { width: CARD_WIDTH, height: CARD_HEIGHT });
  for (const edge of Object.values(document.edges)) drawing.setEdge(edge.source.node, edge.target.node);
  layout(drawing);
  const places: Record<string, Point> = {};
  for (const id of Object.keys(document.nodes)) {
    const at = drawing.node(id);
    places[id] = { x: Math.round((at?.x ?? 0) - CARD_WIDTH / 2), y: Math.round((at?.y ?? 0) - CARD_HEIGHT / 2) };
  }
  return places;
}
