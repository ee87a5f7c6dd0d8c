/** Rows typed by hand: a small grid under the columns that the node declares. */
import type { Config, Json } from "@/flow/document.ts";
import { isNumeric, typeWords } from "@/flow/look.ts";
import { Button, IconButton } from "@/ui/Button.tsx";
import type { ControlProps } from "./Control.tsx";

export function RowsField({ id, value, config, onChange }: ControlProps) {
  const columns = (Array.isArray(config.columns) ? config.columns : []) as Config[];
  const rows = (Array.isArray(value) ? value : []).map((row) => (Array.isArray(row) ? row : []));
  if (columns.length === 0) return <p className="text-xs text-muted">Add columns first.</p>;
  const set = (at: number, column: number, text: string) =>
    onChange(
      rows.map((row, index) =>
        index === at
          ? columns.map((one, place) => (place === column ? typed(text, String(one.type ?? "")) : (row[place] ?? null)))
          : row,
      ),
    );
  return (
    <div id={id} className="flex flex-col gap-2">
      <div className="overflow-x-auto rounded-lg border border-line">
        <table className="w-full text-xs">
          <thead>
            <tr className="bg-sunken">
              {columns.map((column) => (
                <th key={String(column.name)} className="px-2 py-1 text-left font-medium">
                  {String(column.name)}
                </th>
              ))}
              <th className="w-7">
                <span className="sr-only">Remove</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a typed row is known by its place.
              <tr key={at} className="border-t border-line">
                {columns.map((column, place) => (
                  <td key={String(column.name)} className="p-0">
                    <input
                      aria-label={`${String(column.name)}, row ${at + 1}`}
                      value={shown(row[place])}
                      placeholder="null"
                      onChange={(event) => set(at, place, event.target.value)}
                      className={`num w-full min-w-16 bg-transparent px-2 py-1 -outline-offset-2 ${isNumeric(String(column.type ?? "")) ? "text-right" : ""}`}
                    />
                  </td>
                ))}
                <td>
                  <IconButton
                    icon="close"
                    label={`Remove row ${at + 1}`}
                    small
                    onClick={() => onChange(rows.filter((_, index) => index !== at))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Button small icon="plus" className="self-start" onClick={() => onChange([...rows, columns.map(() => null)])}>
        Add row
      </Button>
    </div>
  );
}

const shown = (value: Json | undefined): string => (value === null || value === undefined ? "" : String(value));

/** Return what was typed as the column's type takes it; what does not fit stays text, and the check says so. */
function typed(text: string, type: string): Json {
  if (text === "") return null;
  const kind = typeWords(type);
  if ((kind === "integer" || kind === "number") && text.trim() !== "" && !/[.eE-]$/.test(text)) {
    const number = Number(text);
    return Number.isFinite(number) && String(number) === text.trim() ? number : text;
  }
  if (kind === "true/false" && (text === "true" || text === "false")) return text === "true";
  return text;
}
