/** The small tools at the canvas's corner: zoom, fit, arrange, add. */
import { Panel, useReactFlow, useStore } from "@xyflow/react";
import { arranged } from "@/flow/placement.ts";
import { afterSelection } from "@/state/adding.ts";
import { useFlow } from "@/state/flow.ts";
import { useView } from "@/state/view.ts";
import { Button, IconButton } from "@/ui/Button.tsx";
import { WHOLE } from "./useSight.ts";

export async function arrange(): Promise<void> {
  const { document, edit } = useFlow.getState();
  await edit([{ op: "move_nodes", positions: arranged(document) }], "Arranged the flow");
}

export function Tools() {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  const zoom = useStore((store) => Math.round(store.transform[2] * 100));
  const empty = useFlow((flow) => Object.keys(flow.document.nodes).length === 0);
  if (empty) return null;
  return (
    <>
      <Panel position="top-left" className="m-3!">
        <Button
          icon="plus"
          small
          onClick={() => useView.getState().set({ adding: afterSelection() })}
          title="Add a node (/)"
        >
          Add node
        </Button>
      </Panel>
      <Panel
        position="bottom-right"
        className="m-3! flex items-center rounded-lg border border-line bg-raised p-0.5 shadow-card"
      >
        <IconButton icon="minus" label="Zoom out" small onClick={() => void zoomOut({ duration: 120 })} />
        <span className="num w-10 text-center text-2xs text-muted">{zoom} %</span>
        <IconButton icon="plus" label="Zoom in" small onClick={() => void zoomIn({ duration: 120 })} />
        <span className="mx-1 h-4 w-px bg-line" />
        <IconButton icon="fit" label="Show the whole flow" keys="1" small onClick={() => void fitView(WHOLE)} />
        <IconButton
          icon="arrange"
          label="Arrange automatically"
          small
          onClick={() => void arrange().then(() => setTimeout(() => void fitView(WHOLE), 120))}
        />
      </Panel>
    </>
  );
}
