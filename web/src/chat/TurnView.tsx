/** One request and all that came of it: what was done, the reply, its account, the change to review. */
import { Component, lazy, type ReactNode, Suspense } from "react";
import type { ToolLine } from "@/api/types.ts";
import { type Clause, clausesIn, splitReply } from "@/flow/account.ts";
import { costOf, sentWords, type Turn } from "@/state/chatState.ts";
import { Icon } from "@/ui/Icon.tsx";
import { Ticks } from "@/ui/Ticks.tsx";
import { allInAll, toolWords } from "./toolWords.ts";

// Reading Markdown is a fifth of the app's weight; the text shows plain until it is there.
const Markdown = lazy(() => import("./Markdown.tsx"));

interface Props {
  turn: Turn;
  /** Null: what this turn staged is reviewed further down. */
  review: ((changesetId: string) => ReactNode) | null;
}

export function TurnView({ turn, review }: Props) {
  const running = turn.status === "running";
  const told = splitReply(turn.reply);
  const kept = clausesIn(turn.account);
  const clauses = kept.length > 0 ? kept : told.clauses;
  return (
    <li className="flex flex-col gap-3">
      {turn.request && (
        <p className="ml-8 self-end rounded-xl rounded-br-sm bg-accent-soft px-3 py-2 text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">
          {turn.request}
        </p>
      )}
      {(turn.tools.length > 0 || (running && !turn.reply)) && (
        <Doings tools={turn.tools} running={running} cost={costOf(turn)} />
      )}
      {told.text && (
        <AsPlainText text={told.text}>
          <Suspense fallback={<p className="text-sm whitespace-pre-wrap">{told.text}</p>}>
            <Markdown text={told.text} />
          </Suspense>
        </AsPlainText>
      )}
      {clauses.length > 0 && <Account clauses={clauses} />}
      {turn.sent && <p className="text-xs text-faint">{sentWords(turn)}</p>}
      {turn.claims.length > 0 && <Unverified claims={turn.claims} />}
      {turn.changeset_id && review?.(turn.changeset_id)}
      <Ending turn={turn} />
    </li>
  );
}

function Doings({ tools, running, cost }: { tools: ToolLine[]; running: boolean; cost: string }) {
  const busy = tools.some((tool) => tool.state === "started");
  const list = (
    <ul className="flex flex-col gap-1">
      {tools.map((tool) => (
        <li key={tool.call_id} className="flex items-start gap-2 text-xs text-muted">
          <State state={tool.state} />
          <span className="min-w-0 [overflow-wrap:anywhere]">{toolWords(tool)}</span>
        </li>
      ))}
      {running && !busy && (
        <li className="flex items-center gap-2 text-xs text-muted">
          <State state="started" />
          Thinking…
        </li>
      )}
    </ul>
  );
  if (running) return list;
  return (
    <details className="group text-xs text-muted">
      <summary className="flex cursor-pointer list-none items-start gap-1.5 rounded-sm hover:text-ink">
        <Icon name="chevron-right" size={12} className="mt-[3px] transition-transform group-open:rotate-90" />
        <span className="num flex flex-wrap gap-x-1.5">
          {allInAll(tools)}
          {cost && <span className="text-faint">{cost}</span>}
        </span>
      </summary>
      <div className="pt-1.5 pl-[18px]">{list}</div>
    </details>
  );
}

function State({ state }: { state: ToolLine["state"] }) {
  if (state === "started")
    return (
      <span
        role="img"
        aria-label="under way"
        className="turning mt-[3px] size-3 shrink-0 rounded-full border-[1.5px] border-accent border-t-transparent"
      />
    );
  return state === "finished" ? (
    <Icon name="check" size={12} className="mt-[3px] text-ok" />
  ) : (
    <Icon name="close" size={12} className="mt-[3px] text-bad" />
  );
}

function Account({ clauses }: { clauses: Clause[] }) {
  return (
    <details
      className="group rounded-lg border border-line bg-sunken text-xs"
      open={clauses.some((clause) => clause.open)}
    >
      <summary className="flex cursor-pointer list-none items-center gap-1.5 px-3 py-1.5 text-muted hover:text-ink">
        <Icon name="chevron-right" size={12} className="transition-transform group-open:rotate-90" />
        How I read your request
        {clauses.some((clause) => clause.open) && <span className="ml-auto text-warn">nothing is done yet</span>}
      </summary>
      <dl className="flex flex-col gap-1.5 border-t border-line px-3 py-2">
        {clauses.map((clause) => (
          <div key={`${clause.words}${clause.became}`} className="grid grid-cols-[2fr_3fr] gap-2">
            <dt className="text-muted">{clause.words ? `“${clause.words}”` : "not said"}</dt>
            <dd className={clause.open ? "text-warn" : ""}>
              <Ticks text={clause.became} />
              {clause.assumed && <span className="text-warn"> (assumed)</span>}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** What the reply says and nothing that was done bears out. */
function Unverified({ claims }: { claims: string[] }) {
  return (
    <p className="flex items-start gap-1.5 rounded-md bg-warn-soft px-2.5 py-1.5 text-xs text-warn">
      <Icon name="alert" size={14} className="mt-0.5" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        Not verified: {claims.map((claim) => `“${claim}”`).join(", ")}. Nothing that was done in this turn shows it.
      </span>
    </p>
  );
}

function Ending({ turn }: { turn: Turn }) {
  const words: Partial<Record<Turn["status"], string>> = {
    failed: "This turn failed. What was staged until then is kept.",
    stopped: "Stopped. What was staged until then is kept.",
    lost: "Headrace was restarted during this turn. What was staged until then is kept.",
  };
  const text = words[turn.status];
  if (!text) return null;
  return (
    <p className={`flex items-start gap-1.5 text-xs ${turn.status === "stopped" ? "text-muted" : "text-bad"}`}>
      <Icon name={turn.status === "stopped" ? "stop" : "alert"} size={14} className="mt-0.5" />
      {text}
    </p>
  );
}

/** Shows the bare text where its Markdown cannot be drawn. */
class AsPlainText extends Component<{ text: string; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? <p className="text-sm whitespace-pre-wrap">{this.props.text}</p> : this.props.children;
  }
}
