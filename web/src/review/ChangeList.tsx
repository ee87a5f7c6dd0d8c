/** The operations of a change, each in a sentence, each with a box to leave it out. */
import type { ChangesetView } from "@/api/types.ts";
import type { Operation } from "@/flow/document.ts";
import { useReview } from "@/state/review.ts";
import { Icon, type IconName } from "@/ui/Icon.tsx";

const SIGNS: Partial<Record<Operation["op"], [IconName, string]>> = {
  add_node: ["plus", "text-ok"],
  insert_between: ["plus", "text-ok"],
  connect: ["plus", "text-ok"],
  remove_node: ["minus", "text-bad"],
  disconnect: ["minus", "text-bad"],
};

/** From how many on the mere edges are folded away, where nodes change too. */
const MANY = 2;

export function ChangeList({ changeset }: { changeset: ChangesetView }) {
  const indexes = changeset.operations.map((_, index) => index);
  const edges = indexes.filter((index) => isEdge(changeset.operations[index]));
  const fold = edges.length >= MANY && edges.length < indexes.length;
  const shown = fold ? indexes.filter((index) => !edges.includes(index)) : indexes;
  return (
    <div className="max-h-72 overflow-y-auto py-1">
      <ul>
        {shown.map((index) => (
          <Line key={index} changeset={changeset} index={index} />
        ))}
      </ul>
      {fold && (
        <details className="group">
          <summary className="flex cursor-pointer list-none items-center gap-1.5 px-3 py-1 text-xs text-muted hover:text-ink">
            <Icon name="chevron-right" size={12} className="transition-transform group-open:rotate-90" />
            {edges.length} edges
          </summary>
          <ul>
            {edges.map((index) => (
              <Line key={index} changeset={changeset} index={index} />
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

const isEdge = (operation: Operation | undefined) => operation?.op === "connect" || operation?.op === "disconnect";

function Line({ changeset, index }: { changeset: ChangesetView; index: number }) {
  const id = changeset.changeset_id;
  const out = useReview((review) => review.leftOut[id]?.has(index) ?? false);
  const toggle = useReview((review) => review.toggle);
  const operation = changeset.operations[index];
  const [sign, tone] = (operation && SIGNS[operation.op]) ?? ["dots", "text-warn"];
  return (
    <li className="hover:bg-hover">
      <label htmlFor={`${id}-${index}`} className="flex items-start gap-2 px-3 py-1 text-xs">
        <input
          id={`${id}-${index}`}
          type="checkbox"
          checked={!out}
          disabled={changeset.operations.length === 1}
          onChange={() => toggle(id, index)}
          className={`mt-[3px] size-3 shrink-0 accent-(--accent-fill) ${changeset.operations.length === 1 ? "sr-only" : ""}`}
        />
        <Icon name={sign} size={12} className={`mt-[3px] ${tone}`} />
        <span className={`min-w-0 [overflow-wrap:anywhere] ${out ? "text-faint line-through" : ""}`}>
          {changeset.words[index] ?? operation?.op.replaceAll("_", " ")}
        </span>
      </label>
    </li>
  );
}
