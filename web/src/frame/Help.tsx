/** What the keyboard does, and how the pieces are called. */
import { useHouse } from "@/state/house.ts";
import { useView } from "@/state/view.ts";
import { Dialog } from "@/ui/Dialog.tsx";
import { command } from "./keys.ts";

const GROUPS: [string, [string, string][]][] = [
  [
    "Everywhere",
    [
      [`${command}K`, "All commands"],
      [`${command}Enter`, "Run the flow"],
      [`⇧${command}Enter`, "Run to the selected node"],
      [`${command}Z · ⇧${command}Z`, "Undo · redo"],
      ["J", "Show or hide the data"],
      ["?", "This page"],
    ],
  ],
  [
    "Canvas",
    [
      ["/ or A", "Add a node, after the selected one"],
      ["← → ↑ ↓", "Go from node to node"],
      ["Alt + arrows", "Move the selected nodes"],
      ["Enter", "Configure the node"],
      ["Delete", "Remove"],
      [`${command}C · ${command}V · ${command}D`, "Copy · paste · duplicate"],
      ["Shift + drag", "Select an area"],
    ],
  ],
];

export function Help() {
  const open = useView((view) => view.help);
  const set = useView((view) => view.set);
  const version = useHouse((house) => house.about?.version);
  return (
    <Dialog open={open} onClose={() => set({ help: false })} label="Help and keyboard" className="max-w-2xl">
      <div className="grid grid-cols-2 gap-6 p-4">
        {GROUPS.map(([title, keys]) => (
          <section key={title}>
            <h3 className="pb-1 text-xs font-medium text-faint">{title}</h3>
            <dl>
              {keys.map(([key, words]) => (
                <div key={key} className="flex items-center justify-between gap-3 py-1">
                  <dd className="text-sm">{words}</dd>
                  <dt className="text-right text-xs whitespace-nowrap text-muted">{key}</dt>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="border-t border-line px-4 py-3 text-sm text-muted">
        Nothing that the assistant does lands unseen: its changes wait on the canvas until you apply them, and every
        change can be taken back. {version && <span className="text-faint">Headrace {version}</span>}
      </p>
    </Dialog>
  );
}
