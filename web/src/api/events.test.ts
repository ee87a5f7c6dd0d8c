import { describe, expect, it } from "vitest";
import { follow, type StreamEvent } from "./events.ts";

const EVENTS = Array.from({ length: 12 }, (_, n) => ({
  seq: n + 3,
  kind: n % 3 === 0 ? "revision.committed" : "turn.text",
  flow_id: "f",
  data: { n, text: "größer → ✓" },
}));
const bytesOf = (after: number) =>
  new TextEncoder().encode(
    `id: ${after}\ndata: {"seq":${after},"kind":"stream.opened","flow_id":"f","data":{}}\n\n: keep-alive\n\n${EVENTS.filter(
      (event) => event.seq > after,
    )
      .map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`)
      .join("")}`,
  );

/** A server whose first stream begins after event 2 and is cut after so many bytes; the next ones are cut as told, then whole. */
function server(cuts: number[]) {
  const asked: (string | null)[] = [];
  const fetcher = (async (input: string, init: RequestInit) => {
    const after = new URL(input, "http://here").searchParams.get("after");
    asked.push(after);
    expect((init.headers as Record<string, string>)["Last-Event-ID"] ?? null).toBe(after);
    const all = bytesOf(after === null ? 2 : Number(after));
    const cut = cuts[asked.length - 1] ?? all.length;
    const parts = [all.slice(0, cut >> 1), all.slice(cut >> 1, cut)];
    return new Response(
      new ReadableStream({
        pull(controller) {
          const part = parts.shift();
          if (part) controller.enqueue(part);
          else controller.close();
        },
      }),
    );
  }) as typeof fetch;
  return { fetcher, asked };
}

function collect(cuts: number[]): Promise<{ heard: StreamEvent[]; asked: (string | null)[] }> {
  const { fetcher, asked } = server(cuts);
  const heard: StreamEvent[] = [];
  return new Promise((resolve) => {
    const stream = follow({
      flowId: "f",
      after: null,
      fetcher,
      wait: async () => undefined,
      onConnection: () => undefined,
      onEvent: (event) => {
        if (event.kind === "stream.opened") return;
        heard.push(event);
        if (event.seq !== EVENTS.at(-1)?.seq) return;
        stream.stop();
        resolve({ heard, asked });
      },
    });
  });
}

describe("the event stream", () => {
  it("loses nothing and doubles nothing, wherever it is cut", async () => {
    const whole = bytesOf(2).length;
    for (let cut = 0; cut <= whole; cut += 7) {
      const { heard } = await collect([cut, (cut * 13) % whole, cut % 50]);
      expect(heard.map((event) => event.seq)).toEqual(EVENTS.map((event) => event.seq));
      expect(heard.map((event) => event.data)).toEqual(EVENTS.map((event) => event.data));
    }
  });

  it("resumes after the last event that it handed over", async () => {
    const { asked } = await collect([bytesOf(2).length - 20]);
    expect(asked).toEqual([null, "13"]);
  });

  it("knows where to go on even if it is cut before anything happened", async () => {
    const { asked } = await collect([90]);
    expect(asked).toEqual([null, "2"]);
  });

  it("starts anew, and says so, when the server has lost the events that it knows", async () => {
    let calls = 0;
    const fetcher = (async () => {
      calls += 1;
      return calls === 1
        ? new Response(bytesOf(2))
        : calls === 2
          ? new Response('{"code":"events_restarted"}', { status: 409 })
          : new Response(bytesOf(2));
    }) as typeof fetch;
    const restarted = new Promise<void>((resolve) => {
      const stream = follow({
        flowId: "f",
        after: null,
        fetcher,
        wait: async () => undefined,
        onConnection: () => undefined,
        onEvent: () => undefined,
        onRestart: () => {
          stream.stop();
          resolve();
        },
      });
    });
    await restarted;
    expect(calls).toBe(2);
  });

  it("passes over what is not an event", async () => {
    const text = "data: not json\n\ndata: 7\n\nid: 9\ndata: {}\n\n";
    let calls = 0;
    const fetcher = (async () => {
      calls += 1;
      return new Response(calls === 1 ? text : bytesOf(2));
    }) as typeof fetch;
    const first = await new Promise<StreamEvent>((resolve) => {
      const stream = follow({
        flowId: "f",
        after: null,
        fetcher,
        wait: async () => undefined,
        onConnection: () => undefined,
        onEvent: (event) => {
          stream.stop();
          resolve(event);
        },
      });
    });
    expect(first.kind).toBe("stream.opened");
  });
});
