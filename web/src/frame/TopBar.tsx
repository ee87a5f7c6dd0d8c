/** The bar over the editor: the flow's name, undo and redo, checks, run, theme, help. */
import { isWrong, problemsIn } from "@/flow/project.ts";
import { useFlow } from "@/state/flow.ts";
import { type Theme, useView } from "@/state/view.ts";
import { IconButton } from "@/ui/Button.tsx";
import { Icon } from "@/ui/Icon.tsx";
import { Menu } from "@/ui/Menu.tsx";
import { FlowName } from "./FlowName.tsx";
import { command } from "./keys.ts";
import { RunControl } from "./RunControl.tsx";

export function TopBar() {
  const { undo, redo, canUndo, canRedo } = useFlow();
  const { go, set, theme, setTheme } = useView();
  const themes: [Theme, string, "screen" | "sun" | "moon"][] = [
    ["auto", "Like the system", "screen"],
    ["light", "Light", "sun"],
    ["dark", "Dark", "moon"],
  ];
  return (
    <header className="row-start-1 flex items-center gap-1 border-b border-line bg-surface pr-2 pl-2">
      <IconButton icon="home" label="All flows" onClick={() => go(null)} />
      <Icon name="chevron-right" size={12} className="text-faint" />
      <FlowName />
      <span className="mx-2 h-5 w-px bg-line" />
      <IconButton icon="undo" label="Undo" keys={`${command}Z`} disabled={!canUndo} onClick={() => void undo()} />
      <IconButton icon="redo" label="Redo" keys={`⇧${command}Z`} disabled={!canRedo} onClick={() => void redo()} />
      <div className="flex-1" />
      <CheckState />
      <RunControl />
      <span className="mx-1 h-5 w-px bg-line" />
      <IconButton icon="search" label="Commands" keys={`${command}K`} onClick={() => set({ commands: true })} />
      <Menu
        trigger={<IconButton icon={themes.find(([name]) => name === theme)?.[2] ?? "screen"} label="Theme" />}
        items={themes.map(([name, label, icon]) => ({
          label,
          icon,
          checked: name === theme,
          onSelect: () => setTheme(name),
        }))}
      />
      <IconButton icon="help" label="Help and keyboard" keys="?" onClick={() => set({ help: true })} />
    </header>
  );
}

function CheckState() {
  const diagnostics = useFlow((flow) => flow.diagnostics);
  const document = useFlow((flow) => flow.document);
  const empty = useFlow((flow) => Object.keys(flow.document.nodes).length === 0);
  const ready = useFlow((flow) => flow.status === "ready");
  const problems = problemsIn(diagnostics);
  if (!ready || empty) return null;
  const clean = problems.length === 0;
  const tone = clean ? "text-muted" : isWrong(problems, document) ? "text-bad" : "text-warn";
  return (
    <button
      type="button"
      onClick={() => useView.getState().set({ drawerOpen: true, drawerTab: "problems" })}
      className={`mr-2 flex h-7 items-center gap-1.5 rounded-md px-2 text-sm hover:bg-hover ${tone}`}
    >
      <Icon name={clean ? "check" : "alert"} size={14} className={clean ? "text-ok" : ""} />
      {clean ? "No problems" : `${problems.length} ${problems.length === 1 ? "problem" : "problems"}`}
    </button>
  );
}
