/** A node on the canvas: what it is, what it does, what came out of it, and what is wrong with it. */
import type { Node, NodeProps } from "@xyflow/react";
import { memo } from "react";
import { iconOf, tintOf } from "@/flow/look.ts";
import type { Card as CardData } from "@/flow/project.ts";
import { Icon, type IconName } from "@/ui/Icon.tsx";
import { Badge } from "./Badge.tsx";
import { Outcome } from "./Outcome.tsx";
import { Ports } from "./Ports.tsx";

export type CardNode = Node<{ card: CardData }, "card">;

const GHOST_WORDS = { added: "New", removed: "Goes", changed: "Changes" } as const;
const GHOST_TONES = {
  added: "bg-ok-soft text-ok border-ok-line",
  removed: "bg-bad-soft text-bad border-bad-line",
  changed: "bg-warn-soft text-warn border-warn-line",
} as const;

export const Card = memo(function Card({ data, selected }: NodeProps<CardNode>) {
  const { card } = data;
  const tint = tintOf(card.area);
  const still = card.ghost === "added" || card.ghost === "removed";
  return (
    <article
      data-ghost={card.ghost ?? undefined}
      data-selected={selected || undefined}
      className={`node-card group/card w-[196px] rounded-lg border bg-raised text-left shadow-card transition-shadow ${
        selected ? "border-accent shadow-[0_0_0_1px_var(--accent)]" : "border-line hover:border-line-strong"
      }`}
    >
      {card.ghost && (
        <span
          className={`absolute -top-2.5 left-2.5 rounded-full border px-1.5 text-2xs leading-4 font-medium ${GHOST_TONES[card.ghost]}`}
        >
          {GHOST_WORDS[card.ghost]}
        </span>
      )}
      <header className="flex h-11 items-center gap-2 pr-2 pl-2.5">
        <span
          className="flex size-7 shrink-0 items-center justify-center rounded-md"
          style={{ color: tint, background: `color-mix(in srgb, ${tint} 12%, transparent)` }}
        >
          <Icon name={iconOf(card.type, card.area) as IconName} />
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="node-title truncate text-sm leading-[18px] font-semibold" title={card.title}>
            {card.title}
          </h2>
          {card.title !== card.kind && <p className="truncate text-2xs leading-[14px] text-faint">{card.kind}</p>}
        </div>
        <Badge diagnostics={card.diagnostics} wrong={card.wrong} />
      </header>
      <Summary card={card} />
      <Outcome card={card} />
      <Ports nodeId={card.nodeId} ports={card.inputs} end="in" connected={card.connected} still={still} />
      <Ports nodeId={card.nodeId} ports={card.outputs} end="out" connected={card.connected} still={still} />
    </article>
  );
});

function Summary({ card }: { card: CardData }) {
  const line = "h-[18px] truncate px-2.5 font-mono text-xs leading-[18px]";
  if (card.summaryBefore !== null && card.summaryBefore !== card.summary)
    return (
      <>
        <p className={`${line} text-bad line-through`} title={card.summaryBefore}>
          {card.summaryBefore || "nothing set"}
        </p>
        <p className={`${line} text-ok`} title={card.summary}>
          {card.summary || "nothing set"}
        </p>
      </>
    );
  return (
    <p className={`${line} ${card.summary ? "text-muted" : "text-faint italic"}`} title={card.summary}>
      {card.summary || (card.bare ? "not set up yet" : "\u00a0")}
    </p>
  );
}
