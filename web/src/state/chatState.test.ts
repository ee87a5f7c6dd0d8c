import { describe, expect, it } from "vitest";
import { type ChatEvent, costOf, sentWords, type Turn, turnsAfter, turnsFrom } from "./chatState.ts";

const TOOL = { call_id: "c1", name: "edit_flow", state: "started", summary: "" } as const;
const STORY: ChatEvent[] = [
  { kind: "turn.started", seq: 1, turn_id: "t1", chat_id: "c", model: "big", request: "sort it", at: 1_000 },
  { kind: "turn.tool", seq: 2, turn_id: "t1", tool: TOOL },
  { kind: "turn.tool", seq: 3, turn_id: "t1", tool: { ...TOOL, state: "finished", summary: "1 operation" } },
  { kind: "turn.text", seq: 4, turn_id: "t1", delta: "Sorted " },
  { kind: "turn.text", seq: 5, turn_id: "t1", delta: "by " },
  { kind: "turn.text", seq: 6, turn_id: "t1", delta: "amount." },
  {
    kind: "turn.finished",
    seq: 7,
    turn_id: "t1",
    status: "answered",
    reply: "Sorted by amount.",
    account: [],
    changeset_id: "cs",
    usage: { rounds: 2, input_tokens: 1_000, output_tokens: 204 },
    claims: [],
    at: 1_900,
  },
];
const play = (events: ChatEvent[], turns: Turn[] = []) => events.reduce(turnsAfter, turns);

describe("a chat, event by event", () => {
  it("ends as the server says", () => {
    const [turn] = play(STORY);
    expect(turn).toMatchObject({
      request: "sort it",
      status: "answered",
      reply: "Sorted by amount.",
      changeset_id: "cs",
      tools: [{ state: "finished", summary: "1 operation" }],
    });
  });

  it("is the same when every event comes twice", () => {
    expect(play(STORY.flatMap((event) => [event, event]))).toEqual(play(STORY));
  });

  it("is the same when a stream is resumed from anywhere before where it was cut", () => {
    for (let cut = 0; cut <= STORY.length; cut += 1)
      for (let back = 0; back <= cut; back += 1)
        expect(play(STORY.slice(back), play(STORY.slice(0, cut)))).toEqual(play(STORY));
  });

  it("ignores a late piece of text", () => {
    const late = { kind: "turn.text", seq: 5, turn_id: "t1", delta: "by " } as const;
    expect(play([...STORY, late])).toEqual(play(STORY));
  });

  it("shows the text as it grows", () => {
    expect(play(STORY.slice(0, 5))[0]?.reply).toBe("Sorted by ");
  });

  it("marks what was under way as failed when the turn stops", () => {
    const stopped = { ...STORY[6], seq: 3, status: "stopped" } as ChatEvent;
    expect(play([...STORY.slice(0, 2), stopped])[0]?.tools[0]?.state).toBe("failed");
  });

  it("tells what it took, once it is over", () => {
    expect(play(STORY).map(costOf)).toEqual(["2 rounds · 1,204 tokens · 0.9 s"]);
    expect(play(STORY.slice(0, 5)).map(costOf)).toEqual([""]);
  });

  it("tells what left the machine, each request once", () => {
    const sent = { kind: "turn.sent", turn_id: "t1", provider: "host", kinds: ["columns"], bytes: 600 } as const;
    const events: ChatEvent[] = [
      { ...sent, kinds: [...sent.kinds], seq: 2 },
      { ...sent, kinds: ["rows"], seq: 3 },
    ];
    expect(play([...events, ...events]).map(sentWords)).toEqual([
      "2 requests of 1 KB in all went to host with columns and rows of the data",
    ]);
    expect(play(STORY).map(sentWords)).toEqual([""]);
  });

  it("keeps turns apart", () => {
    const other = STORY.map((event) => ({ ...event, turn_id: "t2", seq: event.seq + 10 }));
    expect(play([...STORY, ...other]).map((turn) => turn.turn_id)).toEqual(["t1", "t2"]);
  });
});

describe("a snapshot of the chat", () => {
  const kept = {
    turn_id: "t1",
    request: "sort it",
    model: "",
    tools: [],
    account: null,
    changeset_id: null,
    usage: {},
    claims: [],
    sent: null,
    created_at: "",
    updated_at: "",
  };

  it("wins where the turn is over", () => {
    const [turn] = turnsFrom([{ ...kept, status: "answered", reply: "Done." }], play(STORY.slice(0, 5)));
    expect(turn).toMatchObject({ status: "answered", reply: "Done." });
  });

  it("does not take away what events have told of a turn that goes on", () => {
    const [turn] = turnsFrom([{ ...kept, status: "running", reply: "" }], play(STORY.slice(0, 5)));
    expect(turn).toMatchObject({ status: "running", reply: "Sorted by " });
  });

  it("keeps a turn that began after it was taken", () => {
    expect(turnsFrom([], play(STORY.slice(0, 1)))).toHaveLength(1);
  });
});
