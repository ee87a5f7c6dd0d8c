/** The ⌘K palette: every command by name, every node of the flow, every flow. */
import { Command } from "cmdk";
import { useEffect } from "react";
import { useFlow } from "@/state/flow.ts";
import { UNTITLED, useHouse } from "@/state/house.ts";
import { useRuns } from "@/state/runs.ts";
import { useView } from "@/state/view.ts";
import { Dialog } from "@/ui/Dialog.tsx";
import { Icon, type IconName } from "@/ui/Icon.tsx";
import { Keys } from "@/ui/Menu.tsx";
import { command } from "./keys.ts";
import { addHere } from "./useShortcuts.ts";

interface Entry {
  label: string;
  icon: IconName;
  keys?: string;
  run: () => void;
}

export function Commands() {
  const open = useView((view) => view.commands);
  const set = useView((view) => view.set);
  return (
    <Dialog
      open={open}
      onClose={() => set({ commands: false })}
      label="Commands"
      bare
      className="mt-[14vh] mb-auto max-w-lg"
    >
      <List />
    </Dialog>
  );
}

const ITEM = "flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2 text-sm aria-selected:bg-hover";

function List() {
  const flowId = useView((view) => view.flowId);
  const nodes = useFlow((flow) => flow.document.nodes);
  const catalog = useHouse((house) => house.catalog);
  const flows = useHouse((house) => house.flows) ?? [];
  useEffect(() => void useHouse.getState().loadFlows(), []);
  const pick = (run: () => void) => () => {
    useView.getState().set({ commands: false });
    // The dialog gives the focus back first; what the command opens may take it after.
    setTimeout(run, 0);
  };
  const row = (entry: Entry) => (
    <Command.Item key={entry.label} value={entry.label} onSelect={pick(entry.run)} className={ITEM}>
      <Icon name={entry.icon} className="text-muted" />
      <span className="flex-1 truncate">{entry.label}</span>
      {entry.keys && <Keys keys={entry.keys} />}
    </Command.Item>
  );
  return (
    <Command label="Commands" loop>
      <div className="flex items-center gap-2 border-b border-line px-3">
        <Icon name="search" className="text-faint" />
        <Command.Input
          autoFocus
          placeholder="Type a command, a node or a flow…"
          className="h-11 flex-1 bg-transparent text-sm outline-none"
        />
      </div>
      <Command.List className="max-h-[46vh] overflow-y-auto p-1.5">
        <Command.Empty className="px-3 py-8 text-center text-sm text-muted">Nothing by that name.</Command.Empty>
        {flowId && flowEntries(flowId).map(row)}
        {houseEntries().map(row)}
        {flowId &&
          Object.entries(nodes).map(([id, node]) =>
            row({
              label: `Go to ${node.title || catalog.get(node.type)?.title || id}${node.title ? "" : ` (${id})`}`,
              icon: "node",
              run: () => useView.getState().show(id),
            }),
          )}
        {flows
          .filter((flow) => flow.flow_id !== flowId)
          .slice(0, 12)
          .map((flow) =>
            row({ label: `Open flow ${flow.name}`, icon: "folder", run: () => useView.getState().go(flow.flow_id) }),
          )}
      </Command.List>
    </Command>
  );
}

function flowEntries(flowId: string): Entry[] {
  const view = useView.getState();
  const ask = () => {
    view.set({ side: "assistant" });
    document.getElementById("request")?.focus();
  };
  return [
    { label: "Run the flow", icon: "play", keys: `${command}Enter`, run: () => void useRuns.getState().start(flowId) },
    { label: "Add a node", icon: "plus", keys: "/", run: addHere },
    { label: "Ask the assistant", icon: "chat", run: ask },
    { label: "Undo", icon: "undo", keys: `${command}Z`, run: () => void useFlow.getState().undo() },
    { label: "Redo", icon: "redo", keys: `⇧${command}Z`, run: () => void useFlow.getState().redo() },
    {
      label: "Show problems",
      icon: "alert",
      run: () => view.set({ drawerOpen: true, drawerTab: "problems" }),
    },
    {
      label: "Show or hide the data drawer",
      icon: "table",
      keys: "J",
      run: () => view.set({ drawerOpen: !view.drawerOpen }),
    },
    { label: "Show node types and files", icon: "panel", run: () => view.set({ railOpen: true }) },
  ];
}

function houseEntries(): Entry[] {
  const view = useView.getState();
  return [
    { label: "All flows", icon: "home", run: () => view.go(null) },
    { label: "New flow", icon: "plus", run: () => void useHouse.getState().create(UNTITLED) },
    { label: "Light theme", icon: "sun", run: () => view.setTheme("light") },
    { label: "Dark theme", icon: "moon", run: () => view.setTheme("dark") },
    { label: "Theme like the system", icon: "screen", run: () => view.setTheme("auto") },
    { label: "Help and keyboard", icon: "help", keys: "?", run: () => view.set({ help: true }) },
  ];
}
