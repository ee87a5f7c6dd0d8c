/** The form model: what a node type's JSON schema says, as a flat list of fields with a slot each. Pure. */
import type { Config, Json } from "./document.ts";

type Schema = Record<string, unknown>;

export interface Field {
  key: string;
  title: string;
  description: string;
  /** What the field holds; the form picks its control by it. */
  slot: string;
  /** The input port whose columns are meant. */
  port: string;
  required: boolean;
  nullable: boolean;
  fallback: Json;
  choices: string[];
  examples: string[];
  /** For a list of records: the fields of one record. */
  items: Field[];
}

/** Return the fields of a config schema, in the order of the schema. */
export function fieldsOf(schema: Schema): Field[] {
  const definitions = (schema.$defs ?? {}) as Record<string, Schema>;
  return fieldsIn(schema, definitions, 0);
}

function fieldsIn(schema: Schema, definitions: Record<string, Schema>, depth: number): Field[] {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const required = new Set((schema.required ?? []) as string[]);
  return Object.entries(properties).map(([key, property]) =>
    fieldOf(key, property, { definitions, required: required.has(key), depth }),
  );
}

interface Surroundings {
  definitions: Record<string, Schema>;
  required: boolean;
  depth: number;
}

function fieldOf(key: string, property: Schema, around: Surroundings): Field {
  const { definitions, depth } = around;
  const branches = branchesOf(property, definitions);
  const kinds = branches.filter((branch) => branch.type !== "null");
  const marked = [property, ...kinds].find((branch) => typeof branch["x-slot"] === "string");
  const list = kinds.find((branch) => branch.type === "array");
  const record = list
    ? branchesOf((list.items ?? {}) as Schema, definitions).find((item) => item.properties)
    : undefined;
  const choices = kinds.flatMap((branch) => choicesOf(branch));
  const slot = typeof marked?.["x-slot"] === "string" ? marked["x-slot"] : guessSlot(kinds, choices);
  return {
    key,
    title: wordsOf(key),
    description: String(property.description ?? kinds[0]?.description ?? ""),
    slot,
    port: String(marked?.["x-port"] ?? "in"),
    required: around.required,
    nullable: branches.some((branch) => branch.type === "null"),
    fallback: (property.default ?? null) as Json,
    choices,
    examples: ((property.examples ?? []) as unknown[]).map(String),
    items: record && depth < 2 ? fieldsIn(record, definitions, depth + 1) : [],
  };
}

function branchesOf(schema: Schema, definitions: Record<string, Schema>): Schema[] {
  if (typeof schema.$ref === "string") {
    const target = definitions[schema.$ref.split("/").at(-1) ?? ""];
    return target ? branchesOf(target, definitions) : [];
  }
  const several = (schema.anyOf ?? schema.oneOf ?? schema.allOf) as Schema[] | undefined;
  return several ? several.flatMap((branch) => branchesOf(branch, definitions)) : [schema];
}

function choicesOf(schema: Schema): string[] {
  if (Array.isArray(schema.enum)) return schema.enum.map(String);
  return typeof schema.const === "string" ? [schema.const] : [];
}

function guessSlot(kinds: Schema[], choices: string[]): string {
  if (choices.length > 0) return "choice";
  switch (kinds[0]?.type) {
    case "boolean":
      return "flag";
    case "integer":
      return "count";
    case "number":
      return "number";
    case "string":
      return "text";
    case "array":
      return (kinds[0].items as Schema | undefined)?.type === "string" ? "texts" : "json";
    default:
      return "json";
  }
}

/** Return a description without the examples that only a program writes. */
export function helpWords(description: string): string {
  const plain = description.replace(/\s+/g, " ").trim();
  return plain
    .replace(/:? ?`[[{][^`]*`/g, "")
    .replace(/\s*\.$/, ".")
    .trim();
}

/** Return a key as words: `group_by` → `Group by`. */
export function wordsOf(key: string): string {
  const words = key.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Return whether a value is a reference to a parameter or a secret, and its words. */
export function referenceOf(value: Json | undefined): { kind: "parameter" | "secret"; name: string } | null {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return null;
  if (typeof value.$parameter === "string") return { kind: "parameter", name: value.$parameter };
  if (typeof value.$secret === "string") return { kind: "secret", name: value.$secret };
  return null;
}

/** Return the two edits that turn one config into another: what to set and what to unset. */
export function configEdits(before: Config, after: Config): { values: Config; keys: string[] } {
  const values: Config = {};
  const keys: string[] = [];
  for (const [key, value] of Object.entries(after)) {
    if (value === undefined) continue;
    if (JSON.stringify(before[key]) !== JSON.stringify(value)) values[key] = value;
  }
  for (const key of Object.keys(before)) if (!(key in after)) keys.push(key);
  return { values, keys };
}

/** Return a fresh record for a list field: every required key present, so that the form can show it. */
export function blankRecord(items: Field[]): Config {
  const record: Config = {};
  for (const item of items) if (item.required) record[item.key] = item.slot === "flag" ? false : "";
  return record;
}

/** Return a config without the records and pairs that nobody has filled in yet. */
export function withoutBlanks(fields: Field[], config: Config): Config {
  const kept: Config = {};
  for (const [key, value] of Object.entries(config)) {
    const field = fields.find((one) => one.key === key);
    const clean = field ? withoutBlank(field, value) : value;
    if (clean !== undefined) kept[key] = clean;
  }
  return kept;
}

function withoutBlank(field: Field, value: Json): Json | undefined {
  if (value === "" && !field.required && field.slot !== "text" && field.slot !== "value") return undefined;
  if (Array.isArray(value) && field.items.length > 0) {
    const records = value.filter((record) => !isBlank(field.items, record));
    return records.length > 0 || field.required || value.length === 0 ? records : undefined;
  }
  if ((field.slot === "renames" || field.slot === "casts") && isRecord(value)) {
    const pairs = Object.entries(value).filter(([left, right]) => left !== "" && right !== "");
    return pairs.length > 0 || field.required ? Object.fromEntries(pairs) : undefined;
  }
  return value;
}

function isBlank(items: Field[], record: Json): boolean {
  if (!isRecord(record)) return false;
  const empty = (value: Json | undefined) => value === undefined || value === null || value === "" || value === false;
  if (items.some((item) => item.required && record[item.key] === "" && item.slot !== "text")) return true;
  return Object.values(record).every(empty);
}

const isRecord = (value: Json): value is Config => value !== null && typeof value === "object" && !Array.isArray(value);

const MAIN: ReadonlySet<string> = new Set([
  "column",
  "columns",
  "condition",
  "expression",
  "sort_keys",
  "measures",
  "formulas",
  "renames",
  "key_pairs",
  "read_path",
  "rows",
  "header",
]);
/** Shown at once unless leaving them out is the usual thing. */
const IF_NEEDED: ReadonlySet<string> = new Set(["casts", "choice", "write_path"]);

/** Return whether a field is shown at once; the others wait under “More settings”. */
export function isMain(field: Field, config: Config): boolean {
  if (field.required || MAIN.has(field.slot)) return true;
  if (IF_NEEDED.has(field.slot) && !field.nullable) return true;
  const value = config[field.key];
  return value !== undefined && value !== null && JSON.stringify(value) !== JSON.stringify(field.fallback);
}
