/** A text field with suggestions below it: typed freely or picked from the list. */
import * as Popover from "@radix-ui/react-popover";
import { type KeyboardEvent, useId, useRef, useState } from "react";

export interface Option {
  value: string;
  hint?: string;
}
interface Props {
  id?: string;
  label: string;
  value: string;
  options: Option[];
  placeholder?: string;
  invalid?: boolean;
  mono?: boolean;
  /** After picking, empty the field: for adding to a list. */
  clears?: boolean;
  onChange: (value: string) => void;
}

const MOST = 60;

export function Combo({ id, label, value, options, placeholder, invalid, mono, clears, onChange }: Props) {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState<string | null>(null);
  const [at, setAt] = useState(-1);
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const wanted = (typed ?? "").trim().toLowerCase();
  const shown = options.filter((option) => !wanted || option.value.toLowerCase().includes(wanted)).slice(0, MOST);
  const pick = (option: Option) => {
    setTyped(null);
    setOpen(clears === true);
    setAt(-1);
    onChange(option.value);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!open) return setOpen(true);
      const shift = event.key === "ArrowDown" ? 1 : -1;
      setAt((now) => (shown.length === 0 ? -1 : (now + shift + shown.length) % shown.length));
    } else if (event.key === "Enter") {
      const option = open ? (shown[at] ?? (clears ? shown[0] : undefined)) : undefined;
      if (!option) return;
      event.preventDefault();
      pick(option);
    } else if (event.key === "Escape" && open) {
      event.stopPropagation();
      setOpen(false);
    }
  };
  return (
    <Popover.Root open={open && shown.length > 0} onOpenChange={setOpen}>
      <Popover.Anchor asChild>
        <input
          ref={input}
          id={id}
          role="combobox"
          aria-label={label}
          aria-expanded={open && shown.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={at >= 0 ? `${listId}-${at}` : undefined}
          aria-invalid={invalid}
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder}
          value={typed ?? (clears ? "" : value)}
          onFocus={() => setOpen(true)}
          onClick={() => setOpen(true)}
          onBlur={() => {
            setOpen(false);
            setTyped(null);
          }}
          onChange={(event) => {
            setTyped(event.target.value);
            setOpen(true);
            setAt(-1);
            if (!clears) onChange(event.target.value);
          }}
          onKeyDown={onKeyDown}
          className={`field ${mono ? "font-mono text-xs" : ""}`}
        />
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onInteractOutside={(event) => event.target === input.current && event.preventDefault()}
          className="z-50 max-h-64 w-(--radix-popover-trigger-width) min-w-48 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-pop"
        >
          <div id={listId} role="listbox" aria-label={label}>
            {shown.map((option, index) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active option.
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys.
              <div
                key={option.value}
                id={`${listId}-${index}`}
                role="option"
                aria-selected={index === at}
                onPointerDown={(event) => event.preventDefault()}
                onPointerMove={() => setAt(index)}
                onClick={() => pick(option)}
                className={`flex h-7 cursor-pointer items-center gap-2 rounded-md px-2 text-sm ${index === at ? "bg-hover" : ""} ${option.value === value ? "font-medium" : ""}`}
              >
                <span className="flex-1 truncate">{option.value}</span>
                {option.hint && <span className="text-2xs text-faint">{option.hint}</span>}
              </div>
            ))}
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
