/** A value that has no control of its own: typed as JSON. */
import { useState } from "react";
import type { Json } from "@/flow/document.ts";
import type { ControlProps } from "./Control.tsx";

export function JsonField({ id, field, value, invalid, onChange }: ControlProps) {
  const [text, setText] = useState(value === undefined ? "" : JSON.stringify(value));
  const [broken, setBroken] = useState(false);
  const change = (next: string) => {
    setText(next);
    if (next.trim() === "") {
      setBroken(false);
      onChange(undefined);
      return;
    }
    try {
      onChange(JSON.parse(next) as Json);
      setBroken(false);
    } catch {
      setBroken(true);
    }
  };
  return (
    <>
      <textarea
        id={id}
        rows={2}
        value={text}
        spellCheck={false}
        aria-invalid={invalid || broken}
        placeholder={field.examples[0] ?? "JSON"}
        onChange={(event) => change(event.target.value)}
        className="field font-mono text-xs"
      />
      {broken && <p className="text-xs text-bad">This is not JSON yet.</p>}
    </>
  );
}
