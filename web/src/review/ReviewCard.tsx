/** A staged change in words: what it would do, what to leave out, and Apply. Afterwards: what it became. */
import { useEffect } from "react";
import type { ChangesetView } from "@/api/types.ts";
import { isUnderWay } from "@/flow/runState.ts";
import { useFlow } from "@/state/flow.ts";
import { useReview } from "@/state/review.ts";
import { useRuns } from "@/state/runs.ts";
import { Button } from "@/ui/Button.tsx";
import { Icon } from "@/ui/Icon.tsx";
import { ChangeList } from "./ChangeList.tsx";

export function ReviewCard({ changesetId }: { changesetId: string }) {
  const changeset = useReview((review) => review.changesets[changesetId]);
  const know = useReview((review) => review.know);
  useEffect(() => void know(changesetId), [know, changesetId]);
  if (!changeset || changeset.operations.length === 0) return null;
  if (changeset.status === "approved") return <Applied changeset={changeset} />;
  if (changeset.status === "rejected") return <Past text="Dismissed" changeset={changeset} />;
  return <Open changeset={changeset} />;
}

function Open({ changeset }: { changeset: ChangesetView }) {
  const id = changeset.changeset_id;
  const { openId, show, approve, reject, refresh, busy, leftOut } = useReview();
  const left = leftOut[id]?.size ?? 0;
  const total = changeset.operations.length;
  const conflicted = changeset.status === "conflicted";
  const errors = changeset.introduced.filter((diagnostic) => diagnostic.severity === "error");
  return (
    <section
      aria-label="Change to review"
      className="overflow-hidden rounded-lg border border-line-strong bg-raised shadow-card"
    >
      <header className="flex items-center gap-2 border-b border-line px-3 py-2">
        <h3 className="flex-1 text-sm font-semibold">
          {conflicted ? "No longer fits" : changeset.status === "draft" ? "Drafting…" : "Review this change"}
        </h3>
        <button
          type="button"
          aria-pressed={openId === id}
          onClick={() => show(openId === id ? null : id)}
          className="rounded-sm text-xs text-muted hover:text-ink"
        >
          {openId === id ? "Hide on canvas" : "Show on canvas"}
        </button>
      </header>
      <ChangeList changesetId={id} />
      {errors.length > 0 && <Concerns messages={errors.map((diagnostic) => diagnostic.message)} />}
      {conflicted && (
        <p className="border-t border-line bg-warn-soft px-3 py-2 text-xs text-warn">
          The flow was edited where this change goes. Make it anew for the flow as it is now, then look again.
        </p>
      )}
      <footer className="flex items-center gap-2 border-t border-line px-3 py-2">
        {conflicted ? (
          <Button weight="primary" small disabled={busy} onClick={() => void refresh(id)}>
            Make it anew
          </Button>
        ) : (
          <Button
            weight="primary"
            small
            icon="check"
            disabled={busy || left === total}
            onClick={() => void approve(id)}
          >
            {left > 0 ? `Apply ${total - left} of ${total}` : "Apply"}
          </Button>
        )}
        <Button weight="quiet" small disabled={busy} onClick={() => void reject(id)}>
          Dismiss
        </Button>
        {!conflicted && errors.length === 0 && <Try changeset={changeset} />}
      </footer>
    </section>
  );
}

/** Run the flow as it would be, with nothing written: the numbers come onto the canvas before anything is applied. */
function Try({ changeset }: { changeset: ChangesetView }) {
  const start = useRuns((runs) => runs.start);
  const run = useRuns((runs) => runs.run);
  const mine = run?.changesetId === changeset.changeset_id ? run : null;
  const words = isUnderWay(mine) ? "Trying…" : mine?.status === "succeeded" ? "Tried" : "Try it";
  return (
    <Button
      weight="quiet"
      small
      icon={words === "Tried" ? "check" : "play"}
      className="ml-auto"
      title="Run it as it would be; nothing is applied or written"
      disabled={isUnderWay(run)}
      onClick={() => void start(changeset.flow_id, { changeset_id: changeset.changeset_id })}
    >
      {words}
    </Button>
  );
}

function Concerns({ messages }: { messages: string[] }) {
  return (
    <ul
      className="border-t border-line bg-bad-soft px-3 py-2 text-xs text-bad"
      aria-label="Problems that it would bring"
    >
      {messages.slice(0, 4).map((message) => (
        <li key={message} className="flex gap-1.5 py-0.5">
          <Icon name="alert" size={14} className="mt-0.5" />
          {message}
        </li>
      ))}
    </ul>
  );
}

function Applied({ changeset }: { changeset: ChangesetView }) {
  const number = useFlow((flow) => flow.number);
  const undo = useFlow((flow) => flow.undo);
  const latest = changeset.revision === number;
  const part = changeset.landed && changeset.landed.length < changeset.operations.length;
  const text = `Applied${part ? ` ${changeset.landed?.length} of ${changeset.operations.length}` : ""}${changeset.revision === null ? "" : ` as revision ${changeset.revision}`}`;
  const start = useRuns((runs) => runs.start);
  const wanting = useRuns((runs) => !isUnderWay(runs.run) && (runs.run === null || runs.stale.size > 0));
  const action = "rounded-sm text-xs font-medium text-accent hover:underline";
  return (
    <Past text={text} changeset={changeset} done>
      {latest && (
        <button type="button" onClick={() => void undo()} className={action}>
          Undo
        </button>
      )}
      {latest && wanting && (
        <button type="button" onClick={() => void start(changeset.flow_id)} className={action}>
          Run it
        </button>
      )}
    </Past>
  );
}

interface PastProps {
  text: string;
  changeset: ChangesetView;
  done?: boolean;
  children?: React.ReactNode;
}

function Past({ text, changeset, done, children }: PastProps) {
  return (
    <details className="group rounded-lg border border-line">
      <summary className="flex cursor-pointer list-none items-center gap-2 px-3 py-2 text-xs">
        <Icon name={done ? "check" : "close"} size={14} className={done ? "text-ok" : "text-faint"} />
        <span className="flex-1 text-muted">{text}</span>
        {children}
        <Icon name="chevron-down" size={12} className="text-faint transition-transform group-open:rotate-180" />
      </summary>
      <ul className="border-t border-line px-3 py-2 text-xs text-muted">
        {changeset.words.map((words, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: the sentences are those of the operations, in their order.
            key={index}
            className={`py-0.5 ${changeset.landed && !changeset.landed.includes(index) ? "text-faint line-through" : ""}`}
          >
            {words}
          </li>
        ))}
      </ul>
    </details>
  );
}
