/** How kinds of things look: the icon and tint of a node type, the shape and tint of a port type. Pure data. */

const ICONS: Record<string, string> = {
  read_file: "file-in",
  manual_table: "table-edit",
  filter: "filter",
  select: "columns",
  formula: "formula",
  sort: "sort",
  limit: "limit",
  distinct: "distinct",
  aggregate: "sum",
  join: "join",
  union: "union",
  fill_missing: "droplet",
  write_file: "file-out",
  chart: "chart",
};
const BY_AREA: Record<string, string> = {
  input: "file-in",
  rows: "filter",
  columns: "columns",
  combine: "join",
  summarize: "sum",
  output: "file-out",
};
/** The areas in the order in which a table usually meets them. */
export const AREAS = ["input", "rows", "columns", "combine", "summarize", "output"] as const;

/** Return the name of a node type's icon. */
export function iconOf(type: string, area: string): string {
  return ICONS[type] ?? BY_AREA[area] ?? "node";
}

/** Return the CSS colour of an area. */
export function tintOf(area: string): string {
  return (AREAS as readonly string[]).includes(area) ? `var(--area-${area})` : "var(--muted)";
}

/** Return how a port of a type is drawn. */
export function portLook(type: string): { shape: "circle" | "square" | "diamond"; tint: string } {
  switch (type) {
    case "table":
      return { shape: "circle", tint: "var(--accent)" };
    case "file":
      return { shape: "square", tint: "var(--area-output)" };
    case "chart":
      return { shape: "diamond", tint: "var(--area-summarize)" };
    case "any":
      return { shape: "circle", tint: "var(--muted)" };
    default:
      return { shape: "square", tint: "var(--area-columns)" };
  }
}

/** Return a DuckDB type in a word or two for people: `BIGINT` → `integer`. */
export function typeWords(type: string): string {
  const plain = type.toUpperCase();
  if (/\[\]$|LIST/.test(plain)) return "list";
  if (/^(STRUCT|MAP|UNION|JSON)/.test(plain)) return "record";
  if (/^(VARCHAR|TEXT|CHAR|STRING|ENUM|UUID)/.test(plain)) return "text";
  if (/^(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT|UTINYINT|USMALLINT|UINTEGER|UBIGINT|UHUGEINT)/.test(plain))
    return "integer";
  if (/^(DOUBLE|FLOAT|REAL|DECIMAL|NUMERIC)/.test(plain)) return "number";
  if (plain.startsWith("BOOL")) return "true/false";
  if (plain.startsWith("TIMESTAMP")) return "date & time";
  if (plain.startsWith("DATE")) return "date";
  if (plain.startsWith("TIME")) return "time";
  if (plain.startsWith("INTERVAL")) return "duration";
  if (plain.startsWith("BLOB")) return "bytes";
  return type.toLowerCase();
}

/** Return whether values of a type are set flush right. */
export function isNumeric(type: string): boolean {
  return ["integer", "number"].includes(typeWords(type));
}

/** Return a count as people write it: `1,204`. */
export function count(value: number): string {
  return value.toLocaleString("en");
}

/** Return a count with its noun: `1 row`, `1,204 rows`. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** Return a length of time: `0.4 s`, `12 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(1, Math.round(ms))} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 60_000) return `${Math.round(ms / 1000)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** Return a file's size: `12 KB`. */
export function fileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} KB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

/** Return how long ago something was, in words. */
export function ago(time: string | undefined): string {
  const then = Date.parse(time ?? "");
  if (Number.isNaN(then)) return "";
  const seconds = Math.max(0, (Date.now() - then) / 1000);
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  if (seconds < 60) return "just now";
  if (seconds < 3600) return words.format(-Math.round(seconds / 60), "minute");
  if (seconds < 86_400) return words.format(-Math.round(seconds / 3600), "hour");
  if (seconds < 30 * 86_400) return words.format(-Math.round(seconds / 86_400), "day");
  return new Date(then).toLocaleDateString("en", { dateStyle: "medium" });
}
