/** A small menu on a button. */
import * as Dropdown from "@radix-ui/react-dropdown-menu";
import type { ReactNode } from "react";
import { Icon, type IconName } from "./Icon.tsx";

interface MenuItem {
  /** Where two items may have the same label. */
  key?: string;
  label: string;
  onSelect: () => void;
  icon?: IconName;
  keys?: string;
  /** A line below the label. */
  hint?: string;
  disabled?: boolean;
  danger?: boolean;
  checked?: boolean;
}

export function Menu({
  trigger,
  items,
  align = "end",
}: {
  trigger: ReactNode;
  items: MenuItem[];
  align?: "start" | "end";
}) {
  return (
    <Dropdown.Root modal={false}>
      <Dropdown.Trigger asChild>{trigger}</Dropdown.Trigger>
      <Dropdown.Portal>
        <Dropdown.Content
          align={align}
          sideOffset={4}
          className="appear z-50 max-h-[60vh] min-w-48 max-w-80 overflow-y-auto rounded-lg border border-line bg-raised p-1 text-sm shadow-pop"
        >
          {items.map((item) => (
            <Dropdown.Item
              key={item.key ?? item.label}
              disabled={item.disabled ?? false}
              onSelect={item.onSelect}
              className={`flex min-h-8 cursor-pointer py-1 items-center gap-2 rounded-md px-2 outline-none select-none data-disabled:text-faint data-highlighted:bg-hover ${item.danger ? "text-bad" : ""}`}
            >
              {item.icon && <Icon name={item.icon} size={14} className={item.danger ? "" : "text-muted"} />}
              <span className="flex-1">
                {item.label}
                {item.hint && <span className="flex max-w-64 text-2xs leading-4 text-faint">{item.hint}</span>}
              </span>
              {item.checked && <Icon name="check" size={14} className="text-accent" />}
              {item.keys && <Keys keys={item.keys} />}
            </Dropdown.Item>
          ))}
        </Dropdown.Content>
      </Dropdown.Portal>
    </Dropdown.Root>
  );
}

export function Keys({ keys }: { keys: string }) {
  return <kbd className="font-sans text-2xs text-faint">{keys}</kbd>;
}
