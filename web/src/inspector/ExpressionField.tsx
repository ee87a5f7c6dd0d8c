/** A SQL expression: a growing field that completes the names of columns and functions while one types. */
import * as Popover from "@radix-ui/react-popover";
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { completionsAt } from "@/flow/completion.ts";
import { typeWords } from "@/flow/look.ts";
import type { ControlProps } from "./Control.tsx";
import { useColumns } from "./useColumns.ts";

export function ExpressionField({ id, nodeId, field, value, invalid, onChange }: ControlProps) {
  const columns = useColumns(nodeId, field.port);
  const text = typeof value === "string" ? value : "";
  const area = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState<number | null>(null);
  const [at, setAt] = useState(0);
  const found = useMemo(() => (caret === null ? null : completionsAt(text, caret, columns)), [text, caret, columns]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows from the text.
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    element.style.height = "0";
    element.style.height = `${Math.min(220, Math.max(34, element.scrollHeight + 2))}px`;
  }, [text]);
  const options = found?.options ?? [];
  const take = (index: number) => {
    const option = options[index];
    if (!found || !option) return;
    const next = text.slice(0, found.from) + option.insert + text.slice(found.to);
    onChange(next);
    setCaret(null);
    const place = found.from + option.insert.length;
    requestAnimationFrame(() => area.current?.setSelectionRange(place, place));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (options.length === 0) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      setAt((now) => (now + (event.key === "ArrowDown" ? 1 : -1) + options.length) % options.length);
    } else if (event.key === "Enter" || event.key === "Tab") take(at);
    else if (event.key === "Escape") setCaret(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Popover.Root open={options.length > 0} onOpenChange={(open) => !open && setCaret(null)}>
      <Popover.Anchor asChild>
        <textarea
          ref={area}
          id={id}
          rows={1}
          value={text}
          spellCheck={false}
          aria-invalid={invalid}
          aria-label={field.title}
          placeholder={field.slot === "condition" ? "amount > 100 AND status = 'paid'" : "price * quantity"}
          onChange={(event) => {
            setAt(0);
            setCaret(event.target.selectionStart);
            onChange(event.target.value === "" && !field.required ? undefined : event.target.value);
          }}
          onBlur={() => setCaret(null)}
          onKeyDown={onKeyDown}
          className="field resize-none overflow-y-auto font-mono text-xs"
        />
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          onOpenAutoFocus={(event) => event.preventDefault()}
          className="z-50 w-(--radix-popover-trigger-width) rounded-lg border border-line bg-raised p-1 shadow-pop"
        >
          {options.map((option, index) => (
            <button
              key={option.label}
              type="button"
              tabIndex={-1}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => take(index)}
              className={`flex h-7 w-full items-center gap-2 rounded-md px-2 text-left text-xs ${index === at ? "bg-hover" : ""}`}
            >
              <span className="flex-1 truncate font-mono">{option.label}</span>
              <span className="text-2xs text-faint">{option.type ? typeWords(option.type) : "function"}</span>
            </button>
          ))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
