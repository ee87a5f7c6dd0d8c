/** The selected node's form: its title, its fields as its type declares them, and the columns that come out. */
import { iconOf, tintOf } from "@/flow/look.ts";
import type { NodeTypeView } from "@/flow/nodeType.ts";
import { fieldsFor } from "@/flow/project.ts";
import { useFlow } from "@/state/flow.ts";
import { useHouse } from "@/state/house.ts";
import { useRuns } from "@/state/runs.ts";
import { useView } from "@/state/view.ts";
import { IconButton } from "@/ui/Button.tsx";
import { Empty } from "@/ui/Empty.tsx";
import { Icon, type IconName } from "@/ui/Icon.tsx";
import { Form } from "./Form.tsx";
import { OutColumns } from "./OutColumns.tsx";
import { Title } from "./Title.tsx";

export function Inspector() {
  const selected = useView((view) => view.selected);
  const nodeId = selected.length === 1 ? selected[0] : undefined;
  const node = useFlow((flow) => (nodeId ? flow.document.nodes[nodeId] : undefined));
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

function NodeForm({ nodeId, type }: { nodeId: string; type: NodeTypeView }) {
  const flowId = useFlow((flow) => flow.flowId);
  const edit = useFlow((flow) => flow.edit);
  const start = useRuns((runs) => runs.start);
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
        <IconButton
          icon="play"
          label="Run to this node"
          small
          onClick={() => flowId && void start(flowId, { to: nodeId })}
        />
        <IconButton
          icon="trash"
          label="Remove this node"
          small
          onClick={() => void edit([{ op: "remove_node", node_id: nodeId }], `Removed ${type.title}`)}
        />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto p-4">
        <Form nodeId={nodeId} fields={fieldsFor(type.config_schema)} title={type.title} />
        <OutColumns nodeId={nodeId} />
      </div>
    </div>
  );
}
