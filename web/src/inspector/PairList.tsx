/** A map from columns to something: new names, or types. */
import { useState } from "react";
import type { Config, Json } from "@/flow/document.ts";
import { typeWords } from "@/flow/look.ts";
import { Button, IconButton } from "@/ui/Button.tsx";
import { Combo } from "@/ui/Combo.tsx";
import type { ControlProps } from "./Control.tsx";
import { columnOptions, useColumns } from "./useColumns.ts";

const TYPES = ["VARCHAR", "BIGINT", "DOUBLE", "DECIMAL(18,2)", "BOOLEAN", "DATE", "TIMESTAMP", "TIME"];

type Pair = [string, string];

export function PairList({ id, nodeId, field, value, onChange }: ControlProps) {
  const columns = useColumns(nodeId, field.port);
  const casts = field.slot === "casts";
  const kept = pairsOf(value);
  // A pair without a column has no place in a map yet: it lives here until it has one.
  const [fresh, setFresh] = useState<Pair | null>(null);
  const put = (pairs: Pair[]) =>
    onChange(pairs.length === 0 && !field.required ? undefined : Object.fromEntries(pairs));
  const rows: Pair[] = fresh ? [...kept, fresh] : kept;
  const change = (index: number, pair: Pair) => {
    if (index < kept.length) put(kept.map((other, at) => (at === index ? pair : other)));
    else if (pair[0] && columns.some((column) => column.name === pair[0])) {
      setFresh(null);
      put([...kept, pair]);
    } else setFresh(pair);
  };
  return (
    <div id={id} className="flex flex-col gap-1.5">
      {rows.map(([left, right], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the column itself may change while it is typed.
        <div key={index} className="grid grid-cols-[1fr_auto_1fr_auto] items-center gap-1">
          <Combo
            label="Column"
            value={left}
            options={columnOptions(columns)}
            placeholder="Column"
            onChange={(name) => change(index, [name, right])}
          />
          <span className="px-0.5 text-xs text-faint">{casts ? "as" : "→"}</span>
          {casts ? (
            <Combo
              label={`Type of ${left}`}
              value={right}
              options={TYPES.map((type) => ({ value: type, hint: typeWords(type) }))}
              placeholder="Type"
              onChange={(type) => change(index, [left, type])}
            />
          ) : (
            <input
              aria-label={`New name of ${left}`}
              value={right}
              placeholder="New name"
              onChange={(event) => change(index, [left, event.target.value])}
              className="field"
            />
          )}
          <IconButton
            icon="close"
            label={`Remove ${left || "this pair"}`}
            small
            onClick={() => (index < kept.length ? put(kept.filter((_, at) => at !== index)) : setFresh(null))}
          />
        </div>
      ))}
      <Button small icon="plus" className="self-start" disabled={fresh !== null} onClick={() => setFresh(["", ""])}>
        {casts ? "Change a type" : "Rename a column"}
      </Button>
    </div>
  );
}

function pairsOf(value: Json | undefined): Pair[] {
  if (value === undefined || value === null || typeof value !== "object" || Array.isArray(value)) return [];
  return Object.entries(value as Config).map(([key, item]) => [key, String(item ?? "")]);
}
