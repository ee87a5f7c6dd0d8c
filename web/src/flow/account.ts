/** The account of a reply: clause by clause, what of the request became what. Pure; takes what a model gave, however loose. */

export interface Clause {
  words: string;
  became: string;
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
    return [
      { words, became: became || "not understood", open: entry.placed === false || entry.open === true || !became },
    ];
  });
}

function listIn(record: Record<string, unknown>): unknown[] {
  const found = record.clauses ?? record.lines ?? record.items;
  return Array.isArray(found) ? found : [];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === "string" ? value.trim() : "");
