/** Opens a flow: follows its events and hands each to the store it concerns. The only place where events are told apart. */
import { follow, type StreamEvent } from "@/api/events.ts";
import type { ChangesetView, EventKind, ToolLine, TurnStatus, Usage } from "@/api/types.ts";
import type { Amended } from "@/flow/amending.ts";
import type { RunEvent } from "@/flow/runState.ts";
import { runningTurn, useChat } from "./chat.ts";
import type { ChatEvent } from "./chatState.ts";
import { type Committed, useFlow } from "./flow.ts";
import { useReview } from "./review.ts";
import { useRuns } from "./runs.ts";
import { useView } from "./view.ts";

const PATIENCE = 1_200;

/** Open a flow in the page; returns how to close it. */
export function openFlow(flowId: string): () => void {
  let begun = false;
  let stopped = false;
  let stopAgain = () => {};
  const begin = async () => {
    if (begun || stopped) return;
    begun = true;
    if (!(await useFlow.getState().open(flowId)) || stopped) return;
    await Promise.all([
      useReview.getState().begin(flowId),
      useRuns.getState().begin(flowId),
      useChat.getState().begin(flowId),
    ]);
    const running = runningTurn(useChat.getState().turns);
    if (running && !stopped) stopAgain = catchUp(flowId, running.turn_id);
  };
  // Listening comes before asking, so that nothing falls between the two. A mute stream does not keep the flow from showing.
  const patience = setTimeout(begin, PATIENCE);
  let held: StreamEvent[] | null = [];
  const release = () => {
    const events = held ?? [];
    held = null;
    for (const event of events) hear(event);
  };
  const stream = follow({
    flowId,
    after: null,
    onEvent: (event) => (held ? held.push(event) : hear(event)),
    onRestart: () => window.location.reload(),
    onConnection: (connection) => {
      useView.setState({ connection });
      if (connection === "open") void begin().then(release);
    },
  });
  return () => {
    stopped = true;
    clearTimeout(patience);
    stream.stop();
    stopAgain();
    for (const store of [useFlow, useReview, useRuns, useChat]) store.getState().close();
  };
}

/** Hear again all that a turn has done, for a page that opened in the middle of it; returns how to stop. */
function catchUp(flowId: string, turnId: string): () => void {
  useChat.getState().again(turnId);
  const stream = follow({
    flowId,
    after: 0,
    onConnection: () => undefined,
    onEvent: ({ kind, seq, at, data }) => {
      if (data.turn_id !== turnId) return;
      const told = chatEvent(kind, { seq, at, data });
      if (told) useChat.getState().heard(told, "again");
      if (kind === "turn.finished") stream.stop();
    },
  });
  return stream.stop;
}

/** Hand one event to the store it concerns. Unknown kinds are left alone: a newer server may tell more. */
export function hear(event: StreamEvent): void {
  const { data } = event;
  const kind = event.kind as EventKind;
  if (kind === "revision.committed") {
    const committed = data as unknown as Committed;
    const news = committed.number > useFlow.getState().number;
    useFlow.getState().committed(committed);
    if (news && !landedAsRun(committed)) useRuns.getState().edited(useFlow.getState().document, committed.patch);
  } else if (kind === "changeset.changed") {
    const changeset = data.changeset as ChangesetView;
    useReview.getState().heard(changeset);
    if (changeset.status === "approved" || changeset.status === "rejected")
      useRuns.getState().decided(changeset.changeset_id, changeset.status === "approved" && changeset.landed === null);
  } else if (kind === "changeset.amended") {
    useReview.getState().amended(data as unknown as Amended);
  } else if (kind.startsWith("run.") || kind.startsWith("node.")) {
    useRuns.getState().heard({ ...data, event: kind } as unknown as RunEvent);
  } else if (kind.startsWith("turn.")) {
    const told = chatEvent(kind, event);
    if (told) useChat.getState().heard(told);
  } else if (kind === "chat.message") {
    void useChat.getState().reload();
  }
}

/** Return whether a revision is just the staged change that the shown run ran over: its results hold. */
function landedAsRun(committed: Committed): boolean {
  const { run } = useRuns.getState();
  return run !== null && run.changesetId !== null && run.changesetId === committed.changeset_id;
}

function chatEvent(kind: EventKind | string, { seq, at, data }: Omit<StreamEvent, "kind">): ChatEvent | null {
  const turn_id = String(data.turn_id ?? "");
  if (!turn_id) return null;
  switch (kind) {
    case "turn.started":
      return {
        kind,
        seq,
        at,
        turn_id,
        chat_id: String(data.chat_id ?? ""),
        model: String(data.model ?? ""),
        request: String(data.request ?? ""),
      };
    case "turn.text":
      return { kind, seq, turn_id, delta: String(data.delta ?? "") };
    case "turn.tool":
      return { kind, seq, turn_id, tool: toolLine(data) };
    case "turn.sent":
      return {
        kind,
        seq,
        turn_id,
        provider: String(data.provider ?? ""),
        kinds: Array.isArray(data.kinds) ? data.kinds.map(String) : [],
        bytes: Number(data.bytes) || 0,
      };
    case "turn.finished":
      return {
        kind,
        seq,
        turn_id,
        status: (data.status ?? "answered") as TurnStatus,
        reply: String(data.reply ?? ""),
        account: data.account ?? null,
        changeset_id: (data.changeset_id ?? null) as string | null,
        usage: (data.usage ?? {}) as Usage,
        claims: Array.isArray(data.claims) ? data.claims.map(String) : [],
        at,
      };
    default:
      return null;
  }
}

function toolLine(data: Record<string, unknown>): ToolLine {
  return {
    call_id: String(data.call_id ?? ""),
    name: String(data.name ?? ""),
    state: (data.state ?? "started") as ToolLine["state"],
    summary: String(data.summary ?? ""),
  };
}
