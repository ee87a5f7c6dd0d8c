/** Keys that work everywhere on the page. */
import { useEffect } from "react";
import { afterSelection } from "@/state/adding.ts";
import { useFlow } from "@/state/flow.ts";
import { useRuns } from "@/state/runs.ts";
import { useView } from "@/state/view.ts";

export function useShortcuts(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const view = useView.getState();
      const command = event.metaKey || event.ctrlKey;
      const key = event.key.toLowerCase();
      if (command && key === "k") {
        view.set({ commands: !view.commands });
      } else if (document.querySelector("dialog[open]")) return;
      else if (view.flowId === null) return;
      else if (command && key === "enter") {
        const to = view.selected.length === 1 ? view.selected[0] : undefined;
        void useRuns.getState().start(view.flowId, event.shiftKey && to ? { to } : {});
      } else if (isTyping(event.target)) return;
      else if (command && key === "z") void (event.shiftKey ? useFlow.getState().redo() : useFlow.getState().undo());
      else if (command && key === "a" && document.activeElement === document.body)
        view.select(Object.keys(useFlow.getState().document.nodes));
      else if (command && key === "y") void useFlow.getState().redo();
      else if (command || event.altKey) return;
      else if (key === "/" || key === "a") addHere();
      else if (event.key === "?") view.set({ help: true });
      else if (key === "j") view.set({ drawerOpen: !view.drawerOpen });
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

/** Open the palette; with one node selected, for what comes after it. */
export function addHere(): void {
  useView.getState().set({ adding: afterSelection() });
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
