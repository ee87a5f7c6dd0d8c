/** The selected node's form: its title, its fields as its type declares them, and the columns that come out. */
import { iconOf, tintOf } from "@/flow/look.ts";
import type { NodeTypeView } from "@/flow/nodeType.ts";
import { fieldsFor } from "@/flow/project.ts";
import { useEdit, useRunTo, useStagedAt } from "@/state/acting.ts";
import { useHouse } from "@/state/house.ts";
import { useShown } from "@/state/shown.ts";
import { useView } from "@/state/view.ts";
import { Button, IconButton } from "@/ui/Button.tsx";
import { Empty } from "@/ui/Empty.tsx";
import { Icon, type IconName } from "@/ui/Icon.tsx";
import { Form } from "./Form.tsx";
import { OutColumns } from "./OutColumns.tsx";
import { Title } from "./Title.tsx";

export function Inspector() {
  const selected = useView((view) => view.selected);
  const nodeId = selected.length === 1 ? selected[0] : undefined;
  const { document, ghosts } = useShown();
  const node = nodeId ? document.nodes[nodeId] : undefined;
  const type = useHouse((house) => house.catalog.get(node?.type ?? ""));
  if (selected.length > 1)
    return <Empty icon="sliders" title={`${selected.length} nodes are selected`} text="Select one to configure it." />;
  if (!nodeId || !node)
    return (
      <Empty
        icon="sliders"
        title="Nothing is selected"
        text="Select a node on the canvas to see and change what it does."
      />
    );
  if (ghosts?.nodes[nodeId] === "removed")
    return (
      <Empty
        icon="minus"
        title="This node goes"
        text="The change under review removes it. Dismiss the change to keep it."
      />
    );
  if (!type)
    return (
      <Empty
        icon="alert"
        tone="bad"
        title={`This Headrace has no node type “${node.type}”`}
        text="The flow comes from another version, or the type was misspelt. The node is kept as it is."
      />
    );
  return <NodeForm key={nodeId} nodeId={nodeId} type={type} />;
}

const nothingLeft = (gone: boolean) => gone && useView.getState().set({ side: "assistant", selected: [] });

function NodeForm({ nodeId, type }: { nodeId: string; type: NodeTypeView }) {
  const edit = useEdit(nodeId);
  const runTo = useRunTo(nodeId);
  const staged = useStagedAt(nodeId);
  const tint = tintOf(type.area);
  return (
    <div className="flex h-full flex-col">
      <header className="flex items-start gap-2.5 border-b border-line p-4 pb-3">
        <span
          className="mt-0.5 flex size-8 shrink-0 items-center justify-center rounded-md"
          style={{ color: tint, background: `color-mix(in srgb, ${tint} 12%, transparent)` }}
        >
          <Icon name={iconOf(type.name, type.area) as IconName} size={18} />
        </span>
        <div className="min-w-0 flex-1">
          <Title nodeId={nodeId} fallback={type.title} />
          <p className="px-1 text-xs text-muted">{type.summary}</p>
        </div>
        <IconButton icon="play" label={staged ? "Try it up to this node" : "Run to this node"} small onClick={runTo} />
        {!staged && (
          <IconButton
            icon="trash"
            label="Remove this node"
            small
            onClick={() =>
              void edit([{ op: "remove_node", node_id: nodeId }], `Removed ${type.title}`).then(nothingLeft)
            }
          />
        )}
      </header>
      {staged && (
        <div className="flex items-center gap-2 border-b border-line bg-ok-soft py-1.5 pr-2 pl-4 text-xs text-ok">
          <p className="flex-1">Part of the change under review: it lands when you apply that.</p>
          <Button small onClick={() => useView.getState().set({ side: "assistant" })}>
            Review
          </Button>
        </div>
      )}
      <div className="min-h-0 flex-1 overflow-y-auto p-4">
        <Form nodeId={nodeId} fields={fieldsFor(type.config_schema)} title={type.title} />
        <OutColumns nodeId={nodeId} />
      </div>
    </div>
  );
}
