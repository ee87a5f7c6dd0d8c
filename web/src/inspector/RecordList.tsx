/** A list of small records: sort keys, measures, formulas, key pairs. Each field of a record has its own control. */
import { useId } from "react";
import type { Config, Json } from "@/flow/document.ts";
import { blankRecord, type Field } from "@/flow/forms.ts";
import { Button, IconButton } from "@/ui/Button.tsx";
import { Control, type ControlProps } from "./Control.tsx";

const NOUNS: Record<string, string> = {
  sort_keys: "sort key",
  measures: "measure",
  formulas: "column",
  key_pairs: "pair",
  header: "column",
};
const SLOT_BY_KEY: Record<string, string> = {
  column: "column",
  left: "column",
  right: "column",
  expression: "expression",
  name: "new_column",
};

export function RecordList({ id, nodeId, field, value, config, invalid, onChange }: ControlProps) {
  const records = (Array.isArray(value) ? value : []).filter(isRecord);
  const put = (next: Config[]) => onChange(next.length === 0 && !field.required ? undefined : next);
  const noun = NOUNS[field.slot] ?? "entry";
  return (
    <div id={id} className="flex flex-col gap-2">
      {records.map((record, index) => (
        <OneRecord
          // biome-ignore lint/suspicious/noArrayIndexKey: a record is known by its place; its values change while typing.
          key={index}
          nodeId={nodeId}
          field={field}
          record={record}
          config={config}
          label={`${noun} ${index + 1}`}
          onChange={(next) => put(records.map((other, at) => (at === index ? next : other)))}
          onRemove={() => put(records.filter((_, at) => at !== index))}
          onUp={index > 0 ? () => put(swapped(records, index)) : undefined}
        />
      ))}
      <Button
        small
        icon="plus"
        className={`self-start ${invalid && records.length === 0 ? "border-bad-line" : ""}`}
        onClick={() => put([...records, blankRecord(field.items)])}
      >
        Add {noun}
      </Button>
    </div>
  );
}

interface OneProps {
  nodeId: string;
  field: Field;
  record: Config;
  config: Config;
  label: string;
  onChange: (record: Config) => void;
  onRemove: () => void;
  onUp: (() => void) | undefined;
}

function OneRecord({ nodeId, field, record, config, label, onChange, onRemove, onUp }: OneProps) {
  const id = useId();
  const set = (key: string, value: Json | undefined) => {
    const next = { ...record };
    if (value === undefined) delete next[key];
    else next[key] = value;
    onChange(field.slot === "measures" ? named(record, next) : next);
  };
  return (
    <fieldset className="relative rounded-lg border border-line p-2 pr-8">
      <legend className="sr-only">{label}</legend>
      <div className="grid grid-cols-2 gap-1.5">
        {itemsShown(field, record).map((item) => {
          const slot = item.slot === "text" ? (SLOT_BY_KEY[item.key] ?? "text") : item.slot;
          const shown = { ...item, slot, port: item.port !== "in" ? item.port : portOf(item.key, field.port) };
          return (
            <div key={item.key} className={isWide(field, item.key) ? "col-span-2" : ""}>
              <label
                htmlFor={`${id}-${item.key}`}
                className={slot === "flag" ? "sr-only" : "flex pb-0.5 text-2xs text-faint"}
              >
                {item.title}
              </label>
              <Control
                id={`${id}-${item.key}`}
                nodeId={nodeId}
                field={{ ...shown, description: "" }}
                value={record[item.key]}
                config={config}
                invalid={false}
                onChange={(value) => set(item.key, value)}
              />
            </div>
          );
        })}
      </div>
      {field.slot === "measures" && (
        <button
          type="button"
          onClick={() => onChange(otherWay(record))}
          className="mt-1.5 rounded-sm text-2xs text-muted hover:text-ink"
        >
          {isExpression(record) ? "Use a function instead" : "Use an expression instead"}
        </button>
      )}
      <div className="absolute top-1.5 right-1 flex flex-col">
        <IconButton icon="close" label={`Remove ${label}`} small onClick={onRemove} />
        {onUp && <IconButton icon="chevron-up" label={`Move ${label} up`} small onClick={onUp} />}
      </div>
    </fieldset>
  );
}

const isWide = (field: Field, key: string) =>
  key === "expression" || field.items.length === 1 || (field.slot === "measures" && key === "name");

const isExpression = (record: Config) => typeof record.expression === "string";

/** A measure is a function of a column, or an expression: the form shows the one that it is. */
function itemsShown(field: Field, record: Config): Field[] {
  if (field.slot !== "measures") return field.items;
  const keys = isExpression(record) ? ["expression", "name"] : ["function", "column", "name"];
  return keys.flatMap((key) => field.items.find((item) => item.key === key) ?? []);
}

function otherWay(record: Config): Config {
  const name = record.name ?? "";
  return isExpression(record) ? { name, function: "sum" } : { name, expression: "" };
}

const portOf = (key: string, port: string) => (key === "left" || key === "right" ? key : port);

/** Name a measure after what it measures, as long as nobody has named it. */
function named(before: Config, after: Config): Config {
  const auto = (record: Config) => {
    const { function: what, column } = record;
    return typeof what === "string" && what ? [what, column].filter(Boolean).join("_") : "";
  };
  const name = after.name ?? "";
  return name === "" || name === auto(before) ? { ...after, name: auto(after) } : after;
}

function swapped(records: Config[], index: number): Config[] {
  const next = [...records];
  const [moved] = next.splice(index, 1);
  if (moved) next.splice(index - 1, 0, moved);
  return next;
}

const isRecord = (value: Json): value is Config => value !== null && typeof value === "object" && !Array.isArray(value);
