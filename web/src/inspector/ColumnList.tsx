/** Several columns, in an order: chips that can be taken away, and a field that adds. */
import { Combo } from "@/ui/Combo.tsx";
import { Icon } from "@/ui/Icon.tsx";
import type { ControlProps } from "./Control.tsx";
import { columnOptions, useColumns } from "./useColumns.ts";

export function ColumnList({ id, nodeId, field, value, invalid, onChange }: ControlProps) {
  const columns = useColumns(nodeId, field.port);
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const known = new Set(columns.map((column) => column.name));
  const put = (names: string[]) => onChange(names.length === 0 && !field.required ? undefined : names);
  return (
    <div className="flex flex-col gap-1.5">
      {chosen.length > 0 && (
        <ul className="flex flex-wrap gap-1" aria-label={field.title}>
          {chosen.map((name) => (
            <li
              key={name}
              className={`flex h-6 max-w-full items-center rounded-md pr-0.5 pl-2 text-xs ${known.has(name) ? "bg-sunken" : "bg-bad-soft text-bad"}`}
            >
              <span className="truncate">{name}</span>
              <button
                type="button"
                aria-label={`Take away ${name}`}
                onClick={() => put(chosen.filter((other) => other !== name))}
                className="ml-0.5 flex size-5 items-center justify-center rounded-sm text-faint hover:text-ink"
              >
                <Icon name="close" size={10} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Combo
        id={id}
        label={`Add to ${field.title}`}
        value=""
        clears
        options={columnOptions(columns.filter((column) => !chosen.includes(column.name)))}
        placeholder={columns.length > 0 ? "Add a column…" : "Connect an input first"}
        invalid={invalid}
        onChange={(name) => name && put([...chosen, name])}
      />
    </div>
  );
}
