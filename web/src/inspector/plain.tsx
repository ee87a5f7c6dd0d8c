/** The plain controls: text, number, choice, flag, list of texts. */
import { wordsOf } from "@/flow/forms.ts";
import type { ControlProps } from "./Control.tsx";

export function TextField({ id, field, value, invalid, onChange }: ControlProps) {
  return (
    <input
      id={id}
      value={value === undefined || value === null ? "" : String(value)}
      placeholder={field.examples[0] ?? (typeof field.fallback === "string" ? field.fallback : "")}
      aria-invalid={invalid}
      onChange={(event) => onChange(event.target.value === "" && !field.required ? undefined : event.target.value)}
      className="field"
    />
  );
}

export function NumberField({ id, field, value, invalid, onChange }: ControlProps) {
  return (
    <input
      id={id}
      type="number"
      inputMode="decimal"
      value={typeof value === "number" ? value : ""}
      placeholder={field.fallback === null ? "" : String(field.fallback)}
      aria-invalid={invalid}
      onChange={(event) => {
        const number = event.target.valueAsNumber;
        onChange(Number.isNaN(number) ? undefined : number);
      }}
      className="field num"
    />
  );
}

export function Choice({ id, field, value, invalid, onChange }: ControlProps) {
  const chosen = typeof value === "string" ? value : typeof field.fallback === "string" ? field.fallback : "";
  const listed = field.choices.includes(chosen) || chosen === "";
  if (field.choices.length <= 4 && listed && field.choices.every((choice) => choice.length <= 12) && !field.nullable)
    return (
      <div
        id={id}
        role="radiogroup"
        aria-label={field.title}
        className="flex rounded-md border border-line-strong p-0.5"
      >
        {field.choices.map((choice) => (
          // biome-ignore lint/a11y/useSemanticElements: drawn as one control; arrow keys are not needed for so few.
          <button
            key={choice}
            type="button"
            role="radio"
            aria-checked={choice === chosen}
            onClick={() => onChange(choice)}
            className={`h-[26px] flex-1 rounded-sm px-2 text-xs ${choice === chosen ? "bg-accent-soft font-medium text-accent" : "text-muted hover:text-ink"}`}
          >
            {wordsOf(choice)}
          </button>
        ))}
      </div>
    );
  return (
    <select
      id={id}
      value={chosen}
      aria-invalid={invalid}
      onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
      className="field"
    >
      {(field.nullable || chosen === "") && <option value="">{field.required ? "Choose…" : "Not set"}</option>}
      {!listed && <option value={chosen}>{chosen} (unknown)</option>}
      {field.choices.map((choice) => (
        <option key={choice} value={choice}>
          {wordsOf(choice)}
        </option>
      ))}
    </select>
  );
}

export function Flag({ id, field, value, onChange }: ControlProps) {
  const on = typeof value === "boolean" ? value : field.fallback === true;
  return (
    <label htmlFor={id} className="flex items-start gap-2 text-sm">
      <input
        id={id}
        type="checkbox"
        checked={on}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-[3px] size-3.5 accent-(--accent-fill)"
      />
      <span>
        {field.title}
        {field.description && <span className="flex text-xs text-faint">{field.description.replaceAll("`", "")}</span>}
      </span>
    </label>
  );
}

/** A list of short texts, comma-separated. */
export function TextsField({ id, value, invalid, onChange }: ControlProps) {
  const list = Array.isArray(value) ? value.map(String) : [];
  return (
    <input
      id={id}
      defaultValue={list.join(", ")}
      key={list.join("\u0000")}
      placeholder="Separate by commas"
      aria-invalid={invalid}
      onBlur={(event) => {
        const texts = event.target.value.split(",").map((text) => text.trim());
        const wanted = event.target.value.trim() === "" ? [] : texts;
        if (wanted.join("\u0000") !== list.join("\u0000")) onChange(wanted.length > 0 ? wanted : undefined);
      }}
      className="field"
    />
  );
}
