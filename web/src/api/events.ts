/** The one event stream: reads it, resumes it where it was cut, and hands every event on once. Knows no event's meaning. */
import { createParser } from "eventsource-parser";

export interface StreamEvent {
  seq: number;
  kind: string;
  /** When it happened, ms since the epoch; 0 where the server does not say. */
  at: number;
  data: Record<string, unknown>;
}
export type Connection = "connecting" | "open" | "lost";

interface StreamOptions {
  flowId: string;
  /** Where to begin: the number of the last event already known; null: with what happens from now on. */
  after: number | null;
  onEvent: (event: StreamEvent) => void;
  onConnection: (state: Connection) => void;
  /** The server no longer has the events that were seen here: all that is known must be asked for anew. */
  onRestart?: () => void;
  fetcher?: typeof fetch;
  wait?: (ms: number) => Promise<void>;
}

const FIRST_WAIT = 300;
const LONGEST_WAIT = 4_000;
/** The server says something at least every 15 s; a line that is mute for longer is dead, even if nobody has said so. */
const LONGEST_SILENCE = 45_000;

/** Follow the stream until `stop` is called. Cut anywhere, it goes on after the last event that it handed over. */
export function follow(options: StreamOptions): { stop: () => void } {
  const abort = new AbortController();
  const fetcher = options.fetcher ?? fetch;
  const wait = options.wait ?? ((ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)));
  let last = options.after;
  let pause = FIRST_WAIT;

  const deliver = (id: string | undefined, text: string) => {
    const event = decode(id, text);
    if (!event || (last !== null && event.seq <= last)) return;
    last = event.seq;
    options.onEvent(event);
  };

  const once = async () => {
    const query = new URLSearchParams({ flow_id: options.flowId });
    if (last !== null) query.set("after", String(last));
    const headers: Record<string, string> = { Accept: "text/event-stream" };
    if (last !== null) headers["Last-Event-ID"] = String(last);
    const line = new AbortController();
    const end = () => line.abort();
    abort.signal.addEventListener("abort", end, { once: true });
    let silence = setTimeout(end, LONGEST_SILENCE);
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(end, LONGEST_SILENCE);
    };
    try {
      await read(await fetcher(`/api/events?${query}`, { headers, signal: line.signal }), heard);
    } finally {
      clearTimeout(silence);
      abort.signal.removeEventListener("abort", end);
    }
  };

  const read = async (response: Response, heard: () => void) => {
    if (response.status === 409) {
      last = null;
      options.onRestart?.();
    }
    if (!response.ok || !response.body) throw new Error(`events answered ${response.status}`);
    options.onConnection("open");
    pause = FIRST_WAIT;
    const parser = createParser({ onEvent: (message) => deliver(message.id, message.data) });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      heard();
      parser.feed(chunk.value);
    }
  };

  const forever = async () => {
    while (!abort.signal.aborted) {
      await once().catch(() => undefined);
      if (abort.signal.aborted) return;
      options.onConnection("lost");
      await wait(pause);
      pause = Math.min(pause * 2, LONGEST_WAIT);
    }
  };
  options.onConnection("connecting");
  void forever();
  return { stop: () => abort.abort() };
}

/** Return a message as an event, whether its fields lie flat or under `data`; null: not an event of ours. */
function decode(id: string | undefined, text: string): StreamEvent | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  if (parsed === null || typeof parsed !== "object") return null;
  const record = parsed as Record<string, unknown>;
  const seq = Number(record.seq ?? id);
  if (!Number.isFinite(seq) || typeof record.kind !== "string") return null;
  const data =
    record.data !== null && typeof record.data === "object" ? (record.data as Record<string, unknown>) : record;
  return { seq, kind: record.kind, at: Date.parse(String(record.at)) || 0, data };
}
