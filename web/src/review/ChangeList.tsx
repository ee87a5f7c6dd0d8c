/** A change in lines: each with a box to leave it out, and a way to edit what it would make. */
import type { ReviewLine } from "@/flow/lines.ts";
import { useReview } from "@/state/review.ts";
import { useView } from "@/state/view.ts";
import { IconButton } from "@/ui/Button.tsx";
import { Icon, type IconName } from "@/ui/Icon.tsx";
import { useLines } from "./useLines.ts";

const SIGNS: Record<ReviewLine["sign"], [IconName, string]> = {
  add: ["plus", "text-ok"],
  remove: ["minus", "text-bad"],
  change: ["dots", "text-warn"],
};
/** From how many on the mere edges are folded away, where nodes change too. */
const MANY = 2;

export function ChangeList({ changesetId }: { changesetId: string }) {
  const { lines, edges } = useLines(changesetId);
  const fold = edges.length >= MANY && lines.length > 0;
  const only = lines.length + edges.length === 1;
  const row = (line: ReviewLine) => <Line key={line.indexes[0]} changesetId={changesetId} line={line} only={only} />;
  return (
    <div className="max-h-80 overflow-y-auto py-1">
      <ul>{(fold ? lines : [...lines, ...edges]).map(row)}</ul>
      {fold && (
        <details className="group">
          <summary className="flex cursor-pointer list-none items-center gap-1.5 px-3 py-1 text-xs text-muted hover:text-ink">
            <Icon name="chevron-right" size={12} className="transition-transform group-open:rotate-90" />
            {edges.length} edges
          </summary>
          <ul>{edges.map(row)}</ul>
        </details>
      )}
    </div>
  );
}

function Line({ changesetId, line, only }: { changesetId: string; line: ReviewLine; only: boolean }) {
  const out = useReview((review) => line.indexes.every((index) => review.leftOut[changesetId]?.has(index) ?? false));
  const toggle = useReview((review) => review.toggle);
  const [sign, tone] = SIGNS[line.sign];
  const id = `${changesetId}-${line.indexes[0]}`;
  return (
    <li className="flex items-start pr-1.5 hover:bg-hover">
      <label htmlFor={id} title={line.words} className="flex min-w-0 flex-1 items-start gap-2 py-1.5 pl-3 text-xs">
        <input
          id={id}
          type="checkbox"
          checked={!out}
          disabled={only}
          onChange={() => toggle(changesetId, line.indexes)}
          className={`mt-[3px] size-3 shrink-0 accent-(--accent-fill) ${only ? "sr-only" : ""}`}
        />
        <Icon name={sign} size={12} className={`mt-[3px] ${tone}`} />
        <span className={`min-w-0 flex-1 [overflow-wrap:anywhere] ${out ? "text-faint line-through" : ""}`}>
          {line.title ? <Node line={line} /> : line.words}
        </span>
      </label>
      {line.nodeId && (
        <IconButton
          icon="sliders"
          label={`Edit ${line.title} in this change`}
          small
          className="mt-0.5"
          onClick={() => editStaged(changesetId, line.nodeId ?? "")}
        />
      )}
    </li>
  );
}

function Node({ line }: { line: ReviewLine }) {
  return (
    <>
      <span className="font-medium">{line.title}</span>
      {line.kind && <span className="text-faint"> · {line.kind}</span>}
      {line.before && <span className="block font-mono text-2xs text-bad line-through">{line.before}</span>}
      {line.after && <span className="block font-mono text-2xs text-muted">{line.after}</span>}
    </>
  );
}

/** Open the form of a staged node; what is typed there goes into the change. */
function editStaged(changesetId: string, nodeId: string): void {
  useReview.getState().show(changesetId);
  useView.getState().show(nodeId);
  useView.getState().set({ side: "configure" });
}
