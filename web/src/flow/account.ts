/** The account of a reply: clause by clause, what of the request became what. Pure; takes what a model gave, however loose. */

export interface Clause {
  words: string;
  became: string;
  /** The request leaves it open, and this is what was taken. */
  assumed: boolean;
  /** Not placed: it waits for an answer. */
  open: boolean;
}

/** Return the clauses of an account; empty when there is none. */
export function clausesIn(account: unknown): Clause[] {
  const list = Array.isArray(account) ? account : isRecord(account) ? listIn(account) : [];
  return list.filter(isRecord).flatMap((entry) => {
    const became = text(entry.became ?? entry.meaning ?? entry.did ?? entry.result);
    const words = text(entry.words ?? entry.clause ?? entry.text ?? entry.request);
    if (!became && !words) return [];
    const [assumed, open] = [entry.assumed === true, entry.open === true || !became || UNDONE.test(became)];
    return [{ words, became: said(became) || "not understood", assumed, open }];
  });
}

const UNDONE = /\s*\((?:not done|nothing is done)[^)]*\)\s*$/;
/** The clause's meaning without the remark that nothing came of it: that is said once, for all of them. */
const said = (became: string): string => became.replace(UNDONE, "");

function listIn(record: Record<string, unknown>): unknown[] {
  const found = record.clauses ?? record.lines ?? record.items;
  return Array.isArray(found) ? found : [];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === "string" ? value.trim() : "");

const HEAD = /^How I read it:\s*$/m;
const LINE = /^- “(.*)” → (.*?)( \(assumed\))?$/;

/** Return a reply apart from the account that its text ends with, where it ends with one. */
export function splitReply(reply: string): { text: string; clauses: Clause[] } {
  const head = HEAD.exec(reply);
  if (!head) return { text: reply, clauses: [] };
  const lines = reply
    .slice(head.index + head[0].length)
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const clauses = lines.map((line) => LINE.exec(line));
  if (clauses.some((found) => found === null)) return { text: reply, clauses: [] };
  return {
    text: reply.slice(0, head.index).trim(),
    clauses: clauses.map((found) => ({
      words: found?.[1] ?? "",
      became: said(found?.[2] ?? ""),
      assumed: found?.[3] !== undefined,
      open: UNDONE.test(found?.[2] ?? ""),
    })),
  };
}
