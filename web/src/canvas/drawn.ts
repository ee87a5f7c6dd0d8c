/** Merges a fresh picture into what the canvas library holds, keeping what it measured and what is being dragged. Pure. */
import type { Edge } from "@xyflow/react";
import { CARD_HEIGHT, CARD_WIDTH } from "@/flow/placement.ts";
import type { Card, Curve } from "@/flow/project.ts";
import type { CardNode } from "./Card.tsx";
import type { CurveEdgeType } from "./CurveEdge.tsx";

/** A node that is replaced before its size is known would lose its ports for good: a new one comes with the usual size. */
const NEW_SIZE = { width: CARD_WIDTH, height: CARD_HEIGHT };

interface Local {
  selected: ReadonlySet<string>;
  /** Places that were let go of and have not come back from the server yet. */
  moved: Map<string, { x: number; y: number }>;
}

/** Return the nodes to draw. */
export function drawnNodes(before: CardNode[], cards: Card[], local: Local): CardNode[] {
  const known = new Map(before.map((node) => [node.id, node]));
  return cards.map((card) => {
    const old = known.get(card.nodeId);
    const pending = local.moved.get(card.nodeId);
    if (pending && pending.x === card.at.x && pending.y === card.at.y) local.moved.delete(card.nodeId);
    const position = old?.dragging ? old.position : (local.moved.get(card.nodeId) ?? card.at);
    const selected = local.selected.has(card.nodeId);
    const still = card.ghost === "added" || card.ghost === "removed";
    if (
      old &&
      old.selected === selected &&
      old.position.x === position.x &&
      old.position.y === position.y &&
      old.deletable === !still &&
      alike(old.data.card, card)
    )
      return old;
    return {
      ...old,
      measured: old?.measured ?? NEW_SIZE,
      id: card.nodeId,
      type: "card",
      position,
      selected,
      draggable: !still,
      deletable: !still,
      data: old && alike(old.data.card, card) ? old.data : { card },
      ariaLabel: labelOf(card),
      ariaRole: "group",
    } as CardNode;
  });
}

/** Return the edges to draw. */
export function drawnEdges(before: Edge[], curves: Curve[]): CurveEdgeType[] {
  const known = new Map(before.map((edge) => [edge.id, edge as CurveEdgeType]));
  return curves.map((curve) => {
    const old = known.get(curve.id);
    if (old?.data && alike(old.data.curve, curve)) return old;
    const className = [curve.ghost ? `ghost-${curve.ghost}` : "", curve.flowing ? "flowing" : ""].join(" ").trim();
    return {
      id: curve.id,
      type: "curve",
      source: curve.source,
      sourceHandle: curve.sourcePort,
      target: curve.target,
      targetHandle: curve.targetPort,
      className,
      selected: old?.selected ?? false,
      deletable: curve.ghost === null,
      selectable: curve.ghost === null,
      ariaLabel: `Edge from ${curve.source} to ${curve.target}`,
      data: { curve },
    };
  });
}

function labelOf(card: Card): string {
  const parts = [card.title, card.kind !== card.title ? card.kind : "", card.summary];
  if (card.ghost)
    parts.push({ added: "would be added", removed: "would be removed", changed: "would change" }[card.ghost]);
  const problems = card.diagnostics.filter((diagnostic) => diagnostic.severity === "error").length;
  if (problems > 0) parts.push(`${problems} ${problems === 1 ? "problem" : "problems"}`);
  if (card.run) parts.push(card.run.state);
  return parts.filter(Boolean).join(", ");
}

/** Return whether two flat records hold the same values; lists count by what they hold. */
function alike<T extends object>(a: T, b: T): boolean {
  for (const key of Object.keys(b) as (keyof T)[]) {
    const x: unknown = a[key];
    const y: unknown = b[key];
    if (x === y) continue;
    if (key === "at" || key === "run") {
      if (JSON.stringify(x) !== JSON.stringify(y)) return false;
    } else if (Array.isArray(x) && Array.isArray(y)) {
      if (x.length !== y.length || x.some((item, index) => item !== y[index])) return false;
    } else return false;
  }
  return true;
}
