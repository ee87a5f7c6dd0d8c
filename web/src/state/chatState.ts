/** What a chat shows, and how one event changes it. Pure; the same event twice, or events cut and resumed, end the same. */
import type { ToolLine, TurnStatus, TurnView } from "@/api/types.ts";

export interface Turn extends TurnView {
  /** Number of the last event that this turn holds. */
  seq: number;
}
export type ChatEvent =
  | { kind: "turn.started"; seq: number; turn_id: string; request: string }
  | { kind: "turn.text"; seq: number; turn_id: string; delta: string }
  | { kind: "turn.tool"; seq: number; turn_id: string; tool: ToolLine }
  | {
      kind: "turn.finished";
      seq: number;
      turn_id: string;
      status: TurnStatus;
      reply: string;
      account: unknown;
      changeset_id: string | null;
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
      return { ...turn, request: event.request || turn.request };
    case "turn.text":
      return turn.status === "running" ? { ...turn, reply: turn.reply + event.delta } : turn;
    case "turn.tool":
      return { ...turn, tools: toolsAfter(turn.tools, event.tool) };
    case "turn.finished":
      return {
        ...turn,
        status: event.status,
        reply: event.reply || turn.reply,
        account: event.account,
        changeset_id: event.changeset_id ?? turn.changeset_id,
        tools: turn.tools.map((tool) => (tool.state === "started" ? { ...tool, state: "failed" } : tool)),
      };
  }
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
