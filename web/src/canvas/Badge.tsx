/** The mark on a card that has something wrong with it; its message comes on hover and on focus. */
import * as Tooltip from "@radix-ui/react-tooltip";
import type { Diagnostic } from "@/flow/document.ts";
import { useView } from "@/state/view.ts";
import { Icon } from "@/ui/Icon.tsx";
import { Ticks } from "@/ui/Ticks.tsx";

export function Badge({ diagnostics, wrong }: { diagnostics: Diagnostic[]; wrong: boolean }) {
  const shown = diagnostics.filter((diagnostic) => diagnostic.severity !== "note");
  if (shown.length === 0) return null;
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>
        <button
          type="button"
          aria-label={`${shown.length} ${shown.length === 1 ? "problem" : "problems"}: ${shown[0]?.message ?? ""}`}
          onClick={() => useView.getState().set({ drawerOpen: true, drawerTab: "problems" })}
          className={`nodrag nopan flex size-6 items-center justify-center rounded-md ${wrong ? "bg-bad-soft text-bad" : "bg-warn-soft text-warn"}`}
        >
          <Icon name="alert" size={14} />
        </button>
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content
          side="top"
          sideOffset={6}
          className="appear z-50 max-w-80 rounded-lg border border-line bg-raised px-3 py-2 text-xs shadow-pop"
        >
          {shown.slice(0, 3).map((diagnostic) => (
            <p key={`${diagnostic.code}${diagnostic.message}`} className="py-0.5">
              <Ticks text={diagnostic.message} />
            </p>
          ))}
          {shown.length > 3 && <p className="text-faint">and {shown.length - 3} more</p>}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
