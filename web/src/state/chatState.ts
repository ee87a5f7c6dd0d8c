/** What a chat shows, and how one event changes it. Pure; the same event twice, or events cut and resumed, end the same. */
import type { Sent, ToolLine, TurnStatus, TurnView, Usage } from "@/api/types.ts";
import { counted, fileSize } from "@/flow/look.ts";

export interface Turn extends TurnView {
  /** Number of the last event that this turn holds. */
  seq: number;
}
export type ChatEvent =
  | { kind: "turn.started"; seq: number; turn_id: string; chat_id: string; model: string; request: string; at: number }
  | { kind: "turn.text"; seq: number; turn_id: string; delta: string }
  | { kind: "turn.tool"; seq: number; turn_id: string; tool: ToolLine }
  | { kind: "turn.sent"; seq: number; turn_id: string; provider: string; kinds: string[]; bytes: number }
  | {
      kind: "turn.finished";
      seq: number;
      turn_id: string;
      status: TurnStatus;
      reply: string;
      account: unknown;
      changeset_id: string | null;
      usage: Usage;
      claims: string[];
      at: number;
    };

/** Return the turns after an event. */
export function turnsAfter(turns: Turn[], event: ChatEvent): Turn[] {
  const at = turns.findIndex((turn) => turn.turn_id === event.turn_id);
  const before = turns[at] ?? blankTurn(event.turn_id);
  if (event.seq <= before.seq) return turns;
  const after = { ...turnAfter(before, event), seq: event.seq };
  return at < 0 ? [...turns, after] : turns.map((turn, index) => (index === at ? after : turn));
}

function turnAfter(turn: Turn, event: ChatEvent): Turn {
  switch (event.kind) {
    case "turn.started":
      return {
        ...turn,
        request: event.request || turn.request,
        model: event.model || turn.model,
        created_at: time(event.at),
      };
    case "turn.text":
      return turn.status === "running" ? { ...turn, reply: turn.reply + event.delta } : turn;
    case "turn.tool":
      return { ...turn, tools: toolsAfter(turn.tools, event.tool) };
    case "turn.sent":
      return { ...turn, sent: sentAfter(turn.sent, event) };
    case "turn.finished":
      return {
        ...turn,
        status: event.status,
        reply: event.reply || turn.reply,
        account: event.account,
        changeset_id: event.changeset_id ?? turn.changeset_id,
        usage: event.usage,
        claims: event.claims,
        updated_at: time(event.at),
        tools: turn.tools.map((tool) => (tool.state === "started" ? { ...tool, state: "failed" } : tool)),
      };
  }
}

function sentAfter(before: Sent | null, event: Omit<Sent, "requests">): Sent {
  return {
    provider: event.provider,
    kinds: [...new Set([...(before?.kinds ?? []), ...event.kinds])],
    bytes: (before?.bytes ?? 0) + event.bytes,
    requests: (before?.requests ?? 0) + 1,
  };
}

/** Return what left this machine in a turn, in words; empty: nothing did. */
export function sentWords({ sent }: Turn): string {
  if (!sent) return "";
  const held = sent.kinds.length > 0 ? ` with ${sent.kinds.join(" and ")} of the data` : "";
  return `${counted(sent.requests, "request")} of ${fileSize(sent.bytes)} in all went to ${sent.provider}${held}`;
}

function toolsAfter(tools: ToolLine[], tool: ToolLine): ToolLine[] {
  const at = tools.findIndex((other) => other.call_id === tool.call_id);
  if (at < 0) return [...tools, tool];
  const before = tools[at];
  if (before && before.state !== "started" && tool.state === "started") return tools;
  return tools.map((other, index) =>
    index === at ? { ...other, ...tool, summary: tool.summary || other.summary } : other,
  );
}

const time = (at: number): string => (at > 0 ? new Date(at).toISOString() : "");

/** Return what a turn took: `3 rounds · 1,204 tokens · 0.9 s`; empty while it goes on. */
export function costOf(turn: Turn): string {
  if (turn.status === "running") return "";
  const { rounds = 0, input_tokens = 0, output_tokens = 0 } = turn.usage;
  const ms = Date.parse(turn.updated_at) - Date.parse(turn.created_at);
  // The offline planner reads no tokens; what is counted for it is only the length of what was handed over.
  const tokens = turn.model === "offline" ? 0 : input_tokens + output_tokens;
  const parts = [
    rounds > 0 ? counted(rounds, "round") : "",
    tokens > 0 ? counted(tokens, "token") : "",
    ms > 0 ? `${(ms / 1000).toFixed(1)} s` : "",
  ];
  return parts.filter(Boolean).join(" · ");
}

export function blankTurn(turnId: string): Turn {
  return {
    turn_id: turnId,
    request: "",
    model: "",
    status: "running",
    reply: "",
    tools: [],
    account: null,
    changeset_id: null,
    usage: {},
    claims: [],
    sent: null,
    created_at: "",
    updated_at: "",
    seq: 0,
  };
}

/** Return the turns of a snapshot, keeping what events have told since it was taken. */
export function turnsFrom(snapshot: (TurnView & { seq?: number })[], known: Turn[]): Turn[] {
  const turns = snapshot.map((turn) => {
    const live = known.find((other) => other.turn_id === turn.turn_id);
    const fresh: Turn = { ...turn, seq: turn.seq ?? live?.seq ?? 0 };
    if (!live) return fresh;
    if (turn.status !== "running") return fresh;
    return live.seq > fresh.seq || live.reply.length > fresh.reply.length ? { ...live, request: turn.request } : fresh;
  });
  const listed = new Set(turns.map((turn) => turn.turn_id));
  return [...turns, ...known.filter((turn) => !listed.has(turn.turn_id))];
}
