/** Where nodes stand: stored positions first, the rest beside what feeds them; and the automatic arrangement. Pure. */
import { Graph, layout } from "@dagrejs/dagre";
import type { FlowDocument, Point } from "./document.ts";

export const CARD_WIDTH = 196;
export const CARD_HEIGHT = 92;
const GAP_X = 36;
const GAP_Y = 28;
/** From one card to the next. */
export const PITCH = CARD_WIDTH + GAP_X;

/**
 * Return a place for every node. Nodes without a stored one stand behind what feeds them; what they feed makes room to the
 * right, so that a node put between two others lies between them.
 */
export function placesOf(document: FlowDocument): Record<string, Point> {
  const ids = Object.keys(document.nodes);
  const stored = ids.filter((id) => document.layout[id]);
  if (stored.length === 0) return arranged(document);
  const places: Record<string, Point> = {};
  for (const id of stored) places[id] = document.layout[id] as Point;
  const missing = ids.filter((id) => !document.layout[id]);
  if (missing.length === 0) return places;
  const rough = arranged(document);
  const near = neighbours(document);
  missing.sort((a, b) => (rough[a]?.x ?? 0) - (rough[b]?.x ?? 0) || (rough[a]?.y ?? 0) - (rough[b]?.y ?? 0));
  for (const id of missing) {
    const point = wanted(places, near, id);
    makeRoom(places, near, { id, x: point.x });
    places[id] = free(point, Object.values(places));
  }
  return places;
}

interface Neighbours {
  before: Map<string, string[]>;
  after: Map<string, string[]>;
}

function neighbours(document: FlowDocument): Neighbours {
  const near: Neighbours = { before: new Map(), after: new Map() };
  const add = (map: Map<string, string[]>, key: string, id: string) => map.set(key, [...(map.get(key) ?? []), id]);
  for (const { source, target } of Object.values(document.edges)) {
    add(near.before, target.node, source.node);
    add(near.after, source.node, target.node);
  }
  return near;
}

function wanted(places: Record<string, Point>, near: Neighbours, id: string): Point {
  const before = (near.before.get(id) ?? []).flatMap((other) => places[other] ?? []);
  const next = (near.after.get(id) ?? []).flatMap((other) => places[other] ?? [])[0];
  if (before.length > 0) {
    const mean = before.reduce((sum, point) => sum + point.y, 0) / before.length;
    return { x: Math.max(...before.map((point) => point.x)) + PITCH, y: Math.round(mean) };
  }
  if (next) return { x: next.x - PITCH, y: next.y };
  const all = Object.values(places);
  if (all.length === 0) return { x: 0, y: 0 };
  return { x: Math.min(...all.map((p) => p.x)), y: Math.max(...all.map((p) => p.y)) + CARD_HEIGHT + GAP_Y };
}

/** Move what a new node feeds, and all behind it, to the right until the node fits before it. */
function makeRoom(places: Record<string, Point>, near: Neighbours, at: { id: string; x: number }): void {
  if (!near.before.get(at.id)?.some((other) => places[other])) return;
  const downstream = new Set(near.after.get(at.id) ?? []);
  for (const id of downstream) for (const next of near.after.get(id) ?? []) downstream.add(next);
  const nearest = Math.min(...(near.after.get(at.id) ?? []).map((id) => places[id]?.x ?? Number.POSITIVE_INFINITY));
  const shift = at.x + PITCH - nearest;
  if (shift <= 0 || !Number.isFinite(shift)) return;
  for (const id of downstream) {
    const place = places[id];
    if (place) places[id] = { x: place.x + shift, y: place.y };
  }
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
