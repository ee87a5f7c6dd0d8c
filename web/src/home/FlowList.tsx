/** The list of flows, the one touched last on top. */
import { useState } from "react";
import type { FlowSummary } from "@/api/types.ts";
import { ago } from "@/flow/look.ts";
import { useHouse } from "@/state/house.ts";
import { useView } from "@/state/view.ts";
import { Button, IconButton } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { Icon } from "@/ui/Icon.tsx";
import { Menu } from "@/ui/Menu.tsx";

export function FlowList({ flows }: { flows: FlowSummary[] }) {
  const [doomed, setDoomed] = useState<FlowSummary | null>(null);
  const remove = useHouse((house) => house.remove);
  return (
    <>
      <ul className="overflow-hidden rounded-lg border border-line bg-surface">
        {flows.map((flow) => (
          <li
            key={flow.flow_id}
            className="group flex items-center border-b border-line last:border-b-0 hover:bg-hover"
          >
            <button
              type="button"
              onClick={() => useView.getState().go(flow.flow_id)}
              className="flex h-12 min-w-0 flex-1 items-center gap-3 px-4 text-left -outline-offset-2"
            >
              <Icon name="arrange" className="text-faint" />
              <span className="min-w-0 flex-1 truncate text-sm font-medium">{flow.name || "Untitled flow"}</span>
              <span className="num text-xs text-faint">{flow.number === 0 ? "" : `revision ${flow.number}`}</span>
              <span className="num w-28 text-right text-xs text-muted">{ago(flow.updated_at)}</span>
            </button>
            <Menu
              trigger={<IconButton icon="dots" label={`More about ${flow.name}`} className="mr-2" />}
              items={[{ label: "Delete…", icon: "trash", danger: true, onSelect: () => setDoomed(flow) }]}
            />
          </li>
        ))}
      </ul>
      <Dialog open={doomed !== null} onClose={() => setDoomed(null)} label="Delete this flow?" className="max-w-sm">
        <p className="px-4 py-3 text-sm">
          “{doomed?.name || "Untitled flow"}” goes with its revisions, runs and chats. This cannot be taken back. Your
          files stay.
        </p>
        <footer className="flex justify-end gap-2 px-4 pb-4">
          <Button onClick={() => setDoomed(null)}>Keep it</Button>
          <Button
            weight="danger"
            onClick={() => {
              if (doomed) void remove(doomed);
              setDoomed(null);
            }}
          >
            Delete
          </Button>
        </footer>
      </Dialog>
    </>
  );
}
