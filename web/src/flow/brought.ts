/** Names of files that a person brings. Pure. */

/** The endings that the server reads as tables; it has the last word. */
const TABLE = /\.(csv|tsv|tab|txt|psv|json|jsonl|ndjson|parquet|pq|xlsx|xls|xlsm|xlsb|ods)(\.(gz|zst))?$/i;

/** What a file chooser offers. */
export const ACCEPTED =
  ".csv,.tsv,.tab,.txt,.psv,.json,.jsonl,.ndjson,.parquet,.pq,.xlsx,.xls,.xlsm,.xlsb,.ods,.gz,.zst";

/** Return whether a file looks like a table. */
export const isTable = (name: string): boolean => TABLE.test(name);

/** Return a file's name as every system takes it. */
export function plainName(name: string): string {
  const plain = name
    .replace(/[<>:"|?*[\]\\/]/g, "-")
    .replace(/\p{Cc}/gu, "")
    .replace(/^[.\s~]+|[.\s]+$/g, "");
  return plain || "table.csv";
}

/** Return a name that is not taken: `orders.csv` → `orders-2.csv`. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  const [, stem = name, ending = ""] = /^(.*?)((?:\.[A-Za-z0-9]+){0,2})$/.exec(name) ?? [];
  for (let n = 2; ; n += 1) if (!taken.has(`${stem}-${n}${ending}`)) return `${stem}-${n}${ending}`;
}
