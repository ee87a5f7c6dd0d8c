/** One line that says what a node does, from its config alone, by what each field holds. Pure. */
import type { Config, Json } from "./document.ts";
import { type Field, referenceOf } from "./forms.ts";

type Rec = { [key: string]: Json };

/** Return the line under a node's title: `amount > 10`, `by city · sum(amount) → total`. Empty: nothing is set yet. */
export function summarize(fields: Field[], config: Config): string {
  const parts = fields.map((field) => partOf(field, config[field.key])).filter((part) => part !== "");
  return parts.join(" · ");
}

function partOf(field: Field, value: Json | undefined): string {
  if (value === undefined || value === null || value === "") return "";
  const reference = referenceOf(value);
  if (reference) return `${field.title.toLowerCase()} ${reference.kind} ${reference.name}`;
  const key = field.key.replaceAll("_", " ");
  switch (field.slot) {
    case "condition":
    case "expression":
      return String(value);
    case "read_path":
    case "write_path":
      return String(value).split("/").at(-1) ?? "";
    case "column":
    case "new_column":
      return `${key} ${String(value)}`;
    case "columns":
    case "texts":
      return listed(field.key === "columns" ? "" : key, list(value).map(String));
    case "count":
      return countPart(field, value);
    case "choice":
      return field.required || same(value, field.fallback) ? (field.required ? String(value) : "") : String(value);
    case "flag":
      return value === true && field.fallback !== true ? key : "";
    default:
      return listPart(field, value);
  }
}

function countPart(field: Field, value: Json): string {
  if (same(value, field.fallback)) return "";
  const key = field.key.replaceAll("_", " ");
  return field.key === "count" ? `first ${Number(value).toLocaleString("en")}` : `${key} ${String(value)}`;
}

function listPart(field: Field, value: Json): string {
  switch (field.slot) {
    case "sort_keys":
      return listed(
        field.key === "by" ? "" : field.key.replaceAll("_", " "),
        records(value).map((key) => `${text(key.column)} ${key.descending === true ? "↓" : "↑"}`),
      );
    case "measures":
      return listed("", records(value).map(measure));
    case "formulas":
      return listed(
        "",
        records(value).map((one) => `${text(one.name)} = ${text(one.expression)}`),
      );
    case "key_pairs":
      return listed(
        "on",
        records(value).map((pair) =>
          pair.left === pair.right ? text(pair.left) : `${text(pair.left)} = ${text(pair.right)}`,
        ),
      );
    case "renames":
      return listed(
        "",
        entries(value).map(([old, name]) => `${old} → ${text(name)}`),
      );
    case "casts":
      return listed(
        "",
        entries(value).map(([column, type]) => `${column} as ${text(type).toLowerCase()}`),
      );
    case "rows":
      return `${list(value).length} rows`;
    case "header":
      return listed(
        "",
        records(value).map((column) => text(column.name)),
      );
    default:
      return "";
  }
}

function measure(one: Rec): string {
  const made = text(one.expression) || `${text(one.function)}(${text(one.column)})`;
  const plain = made.replace("()", "(rows)");
  return one.name ? `${text(one.name)} = ${plain}` : plain;
}

function listed(lead: string, items: string[]): string {
  const shown = items.filter((item) => item.trim() !== "");
  if (shown.length === 0) return "";
  const more = shown.length > 3 ? `, +${shown.length - 3}` : "";
  return `${lead ? `${lead} ` : ""}${shown.slice(0, 3).join(", ")}${more}`;
}

const list = (value: Json): Json[] => (Array.isArray(value) ? value : []);
const isRecord = (value: Json): value is Rec => value !== null && typeof value === "object" && !Array.isArray(value);
const records = (value: Json): Rec[] => list(value).filter(isRecord);
const entries = (value: Json): [string, Json][] => (isRecord(value) ? Object.entries(value) : []);
const text = (value: Json | undefined): string => (value === undefined || value === null ? "" : String(value));
const same = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b);
