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

const NONE: ReadonlySet<number> = new Set();

export function ChangeList({ changeset }: { changeset: ChangesetView }) {
  const id = changeset.changeset_id;
  const left = useReview((review) => review.leftOut[id] ?? NONE);
  const toggle = useReview((review) => review.toggle);
  const single = changeset.operations.length === 1;
  return (
    <ul className="max-h-64 overflow-y-auto py-1">
      {changeset.operations.map((operation, index) => {
        const [sign, tone] = SIGNS[operation.op] ?? ["dots", "text-warn"];
        const words = changeset.words[index] ?? operation.op.replaceAll("_", " ");
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an operation is known by its place in the batch.
          <li key={index} className="hover:bg-hover">
            <label htmlFor={`${id}-${index}`} className="flex items-start gap-2 px-3 py-1 text-xs">
              {!single && (
                <input
                  id={`${id}-${index}`}
                  type="checkbox"
                  checked={!left.has(index)}
                  onChange={() => toggle(id, index)}
                  className="mt-[3px] size-3 shrink-0 accent-(--accent-fill)"
                />
              )}
              <Icon name={sign} size={12} className={`mt-[3px] ${tone}`} />
              <span className={`min-w-0 [overflow-wrap:anywhere] ${left.has(index) ? "text-faint line-through" : ""}`}>
                {words}
              </span>
            </label>
          </li>
        );
      })}
    </ul>
  );
}
