/** A row of tabs; the panel below them is the caller's, by `panelId`. */
import clsx from "clsx";
import { type KeyboardEvent, useRef } from "react";

export interface Tab<Name extends string> {
  name: Name;
  label: string;
  count?: number;
  tone?: "bad" | "plain";
}

interface Props<Name extends string> {
  label: string;
  tabs: Tab<Name>[];
  chosen: Name;
  onChoose: (name: Name) => void;
  panelId: string;
}

export function Tabs<Name extends string>({ label, tabs, chosen, onChoose, panelId }: Props<Name>) {
  const row = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const shift = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (shift === 0) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.name === chosen);
    const next = tabs[(at + shift + tabs.length) % tabs.length];
    if (!next) return;
    onChoose(next.name);
    row.current?.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus();
  };
  return (
    <div ref={row} role="tablist" aria-label={label} className="flex h-full items-stretch gap-1">
      {tabs.map((tab) => (
        <button
          key={tab.name}
          type="button"
          role="tab"
          data-tab={tab.name}
          aria-selected={tab.name === chosen}
          aria-controls={panelId}
          tabIndex={tab.name === chosen ? 0 : -1}
          onClick={() => onChoose(tab.name)}
          onKeyDown={onKeyDown}
          className={clsx(
            "relative flex items-center gap-1.5 rounded-sm px-2 text-sm transition-colors -outline-offset-2",
            tab.name === chosen
              ? "font-medium text-ink after:absolute after:inset-x-2 after:bottom-0 after:h-0.5 after:rounded-full after:bg-accent"
              : "text-muted hover:text-ink",
          )}
        >
          {tab.label}
          {tab.count !== undefined && tab.count > 0 && (
            <span
              className={clsx(
                "num rounded-full px-1.5 text-2xs font-medium",
                tab.tone === "bad" ? "bg-bad-soft text-bad" : "bg-hover text-muted",
              )}
            >
              {tab.count}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
