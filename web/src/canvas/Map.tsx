/** The whole flow in small, while it is larger than what is in sight. */
import { MiniMap, useStore } from "@xyflow/react";
import { useMemo } from "react";
import { tintOf } from "@/flow/look.ts";
import { CARD_HEIGHT, CARD_WIDTH } from "@/flow/placement.ts";
import type { Card } from "@/flow/project.ts";
import type { CardNode } from "./Card.tsx";

const GHOSTS = { added: "var(--ok-line)", removed: "var(--bad-line)", changed: "var(--warn-line)" } as const;

/** Return the colour of a node in the small picture. */
function colourOf({ data: { card } }: CardNode): string {
  if (card.ghost) return GHOSTS[card.ghost];
  if (card.run?.state === "failed") return "var(--bad-line)";
  return `color-mix(in srgb, ${tintOf(card.area)} 55%, var(--surface))`;
}

export function FlowMap({ cards }: { cards: Card[] }) {
  const box = useMemo(() => boxOf(cards), [cards]);
  const larger = useStore(({ transform: [x, y, zoom], width, height }) => {
    if (!box || width === 0) return false;
    const [left, top] = [box.left * zoom + x, box.top * zoom + y];
    const [right, bottom] = [box.right * zoom + x, box.bottom * zoom + y];
    return left < -4 || top < -4 || right > width + 4 || bottom > height + 4;
  });
  if (!larger) return null;
  return (
    <MiniMap<CardNode>
      position="bottom-right"
      pannable
      zoomable
      ariaLabel="The whole flow in small"
      nodeColor={colourOf}
      nodeBorderRadius={12}
      className="mr-3! mb-12! overflow-hidden rounded-lg border border-line shadow-card"
      style={{ width: 160, height: 96 }}
    />
  );
}

function boxOf(cards: Card[]): { left: number; top: number; right: number; bottom: number } | null {
  if (cards.length === 0) return null;
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { at } of cards) {
    box.left = Math.min(box.left, at.x);
    box.top = Math.min(box.top, at.y);
    box.right = Math.max(box.right, at.x + CARD_WIDTH);
    box.bottom = Math.max(box.bottom, at.y + CARD_HEIGHT);
  }
  return box;
}
