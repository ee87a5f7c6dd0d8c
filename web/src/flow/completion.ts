/** What could be meant at the caret of a SQL expression: columns first, then functions. Pure. */
import type { Column } from "./document.ts";

interface Completion {
  label: string;
  insert: string;
  /** The column's type; empty for a function. */
  type: string;
}
interface Completions {
  from: number;
  to: number;
  options: Completion[];
}

const FUNCTIONS = [
  "abs",
  "avg",
  "ceil",
  "coalesce",
  "concat",
  "contains",
  "count",
  "date_diff",
  "date_part",
  "date_trunc",
  "day",
  "floor",
  "greatest",
  "hour",
  "ifnull",
  "lag",
  "lead",
  "least",
  "left",
  "length",
  "lower",
  "max",
  "median",
  "min",
  "month",
  "nullif",
  "quarter",
  "rank",
  "regexp_matches",
  "regexp_replace",
  "replace",
  "right",
  "round",
  "row_number",
  "split_part",
  "starts_with",
  "strftime",
  "strptime",
  "substring",
  "sum",
  "trim",
  "try_cast",
  "upper",
  "week",
  "weekday",
  "year",
];
const PLAIN = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Words that stand for themselves: whoever has typed one is done with it. */
const KEYWORDS: ReadonlySet<string> = new Set(
  "and or not null is in like ilike between case when then else end true false as cast distinct asc desc".split(" "),
);
const MOST = 7;

/** Return a column's name as an expression writes it. */
export function quoted(name: string): string {
  return PLAIN.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** Return the completions for the word that ends at the caret; null where none is being typed. */
export function completionsAt(text: string, caret: number, columns: Column[]): Completions | null {
  const before = text.slice(0, caret);
  if (insideText(before)) return null;
  const word = /"?[A-Za-z_][\w ]*$/.exec(before.replace(/.*[^\w "]/s, ""))?.[0];
  const last = /"?[A-Za-z_]\w*$/.exec(before)?.[0];
  if (!last || KEYWORDS.has(last.toLowerCase())) return null;
  for (const typed of word && word !== last ? [word, last] : [last]) {
    const options = matching(typed.replace(/^"/, "").toLowerCase(), columns, typed === last);
    if (options.length === 1 && options[0]?.label.toLowerCase() === typed.toLowerCase()) return null;
    if (options.length > 0) return { from: caret - typed.length, to: caret, options };
  }
  return null;
}

function matching(wanted: string, columns: Column[], functions: boolean): Completion[] {
  const starts = columns.filter((column) => column.name.toLowerCase().startsWith(wanted));
  const inside = columns.filter((column) => !starts.includes(column) && column.name.toLowerCase().includes(wanted));
  const named = [...starts, ...(wanted.length > 1 ? inside : [])].map((column) => ({
    label: column.name,
    insert: quoted(column.name),
    type: column.type,
  }));
  const known = functions && wanted.length > 1 ? FUNCTIONS.filter((name) => name.startsWith(wanted)) : [];
  return [...named, ...known.map((name) => ({ label: `${name}()`, insert: `${name}(`, type: "" }))].slice(0, MOST);
}

/** Return whether a place lies inside a text literal. */
function insideText(before: string): boolean {
  return (before.match(/'/g)?.length ?? 0) % 2 === 1;
}
