/** The foot of a card: how its part of the run went, and how large the table is that came out. */
import { count, counted } from "@/flow/look.ts";
import type { Card } from "@/flow/project.ts";
import { Icon } from "@/ui/Icon.tsx";

export function Outcome({ card }: { card: Card }) {
  return (
    <footer className="num mt-1 flex h-6 items-center gap-1.5 border-t border-line px-2.5 text-xs text-muted">
      <Dot card={card} />
      <span className="truncate">{wordsOf(card)}</span>
    </footer>
  );
}

function Dot({ card }: { card: Card }) {
  switch (card.run?.state) {
    case "running":
      return <span className="turning size-2.5 rounded-full border-[1.5px] border-accent border-t-transparent" />;
    case "waiting":
      return <span className="shimmer size-2 rounded-full bg-line-strong" />;
    case "failed":
      return <Icon name="close" size={12} className="text-bad" />;
    case "succeeded":
      return card.stale ? (
        <span className="size-2 rounded-full border-[1.5px] border-warn-line" />
      ) : (
        <Icon name="check" size={12} className="text-ok" />
      );
    default:
      return null;
  }
}

function wordsOf(card: Card): string {
  const { run } = card;
  const known = card.columns === null ? "" : counted(card.columns, "column");
  switch (run?.state) {
    case "running":
      return run.fraction ? `running, ${Math.round(run.fraction * 100)} %` : "running…";
    case "waiting":
      return "waiting…";
    case "failed":
      return "failed";
    case "skipped":
      return "not run";
    case "succeeded": {
      const size = sizeOf(card);
      return card.stale ? `${size || "ran"} · outdated` : size || run.summary || "done";
    }
    default:
      return known || "not run yet";
  }
}

function sizeOf(card: Card): string {
  const { run } = card;
  const columns = run?.columns ?? card.columns;
  if (card.outputs[0]?.type !== "table") return run?.summary ?? "";
  if (typeof run?.rows !== "number") return columns === null || columns === undefined ? "" : counted(columns, "column");
  const was = card.rowsBefore === null ? "" : ` (was ${count(card.rowsBefore)})`;
  return `${counted(run.rows, "row")}${columns ? ` × ${columns}` : ""}${was}`;
}
