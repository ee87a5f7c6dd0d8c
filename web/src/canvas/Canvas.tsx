/** The canvas: draws the picture, keeps what is only of this window (viewport, drag, selection), asks for the rest. */
import {
  applyEdgeChanges,
  applyNodeChanges,
  Background,
  BackgroundVariant,
  type EdgeChange,
  type NodeChange,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from "@xyflow/react";
import { type FocusEvent, type MouseEvent, useCallback, useEffect, useRef, useState } from "react";
import { addFiles } from "@/state/adding.ts";
import { runningTurn, useChat } from "@/state/chat.ts";
import { useFlow } from "@/state/flow.ts";
import { useReview } from "@/state/review.ts";
import { useView } from "@/state/view.ts";
import { DropVeil, useFileDrop } from "@/ui/FileDrop.tsx";
import { Card, type CardNode } from "./Card.tsx";
import { CurveEdge, type CurveEdgeType } from "./CurveEdge.tsx";
import { useDrawing } from "./drawing.ts";
import { drawnEdges, drawnNodes } from "./drawn.ts";
import { EmptyCanvas } from "./EmptyCanvas.tsx";
import { FlowMap } from "./Map.tsx";
import { Tools } from "./Tools.tsx";
import { moveAll, removeAll, useCanvasEdits } from "./useCanvasEdits.ts";
import { useCanvasKeys } from "./useCanvasKeys.ts";
import { usePicture } from "./usePicture.ts";
import { useSight } from "./useSight.ts";

const NODE_TYPES = { card: Card };
const EDGE_TYPES = { curve: CurveEdge };

export function Canvas() {
  return (
    <ReactFlowProvider>
      <Drawing />
    </ReactFlowProvider>
  );
}

/** A click on a node opens its form, unless that would take the reader away from work under way in the chat. */
function lookAt() {
  if (!useReview.getState().openId && !runningTurn(useChat.getState().turns))
    useView.getState().set({ side: "configure" });
}

/** A node that the keyboard comes to is the one that is selected. */
function followFocus(event: FocusEvent) {
  const id = event.target instanceof HTMLElement ? event.target.dataset.id : undefined;
  if (!id || !event.target.matches(".react-flow__node:focus-visible")) return;
  if (!useView.getState().selected.includes(id)) useView.getState().select([id]);
}

function Drawing() {
  const picture = usePicture();
  const selected = useView((view) => view.selected);
  const ready = useFlow((flow) => flow.status === "ready");
  const [nodes, setNodes] = useState<CardNode[]>([]);
  const [edges, setEdges] = useState<CurveEdgeType[]>([]);
  const moved = useRef(new Map<string, { x: number; y: number }>());
  const edits = useCanvasEdits();
  const onKeyDown = useCanvasKeys(picture.places);
  const { screenToFlowPosition } = useReactFlow();
  useSight(picture.cards);

  useEffect(() => {
    setNodes((before) => drawnNodes(before, picture.cards, { selected: new Set(selected), moved: moved.current }));
  }, [picture.cards, selected]);
  useEffect(() => {
    setEdges((before) => drawnEdges(before, picture.curves));
  }, [picture.curves]);

  const onNodesChange = useCallback((changes: NodeChange<CardNode>[]) => {
    const chosen = changes.filter((change) => change.type === "select");
    if (chosen.length > 0) {
      const now = new Set(useView.getState().selected);
      for (const change of chosen) {
        if (change.selected) now.add(change.id);
        else now.delete(change.id);
      }
      useView.getState().select([...now]);
    }
    const local = changes.filter((change) => change.type === "position" || change.type === "dimensions");
    if (local.length > 0) setNodes((before) => applyNodeChanges(local, before));
  }, []);
  const onEdgesChange = useCallback((changes: EdgeChange<CurveEdgeType>[]) => {
    setEdges((before) =>
      applyEdgeChanges(
        changes.filter((change) => change.type === "select"),
        before,
      ),
    );
  }, []);
  const onNodeDragStop = useCallback(async (_: unknown, __: unknown, dragged: CardNode[]) => {
    const positions: Record<string, { x: number; y: number }> = {};
    for (const node of dragged) positions[node.id] = { x: Math.round(node.position.x), y: Math.round(node.position.y) };
    const { layout } = useFlow.getState().document;
    if (Object.entries(positions).every(([id, at]) => layout[id]?.x === at.x && layout[id]?.y === at.y)) return;
    for (const [id, at] of Object.entries(positions)) moved.current.set(id, at);
    if (await moveAll(positions)) return;
    moved.current.clear();
  }, []);
  const drop = useFileDrop((files, at) => void addFiles(files, screenToFlowPosition(at)));
  const onDoubleClick = (event: MouseEvent) => {
    if (!(event.target instanceof Element) || !event.target.classList.contains("react-flow__pane")) return;
    useView.getState().set({ adding: { at: screenToFlowPosition({ x: event.clientX, y: event.clientY }) } });
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are for the nodes inside, which have the focus.
    <div
      className="relative h-full min-h-0 w-full"
      {...drop.handlers}
      onDoubleClick={onDoubleClick}
      onKeyDownCapture={onKeyDown}
      onFocus={followFocus}
    >
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        onNodesChange={onNodesChange}
        onEdgesChange={onEdgesChange}
        onNodeDragStop={onNodeDragStop}
        onNodeClick={(event) => !(event.shiftKey || event.metaKey || event.ctrlKey) && lookAt()}
        onPaneClick={() => useView.getState().set({ side: "assistant" })}
        onNodeDoubleClick={() => useView.getState().set({ side: "configure" })}
        onBeforeDelete={async (gone) => {
          await removeAll(
            gone.nodes.map((node) => node.id),
            gone.edges,
          );
          return false;
        }}
        onConnect={edits.onConnect}
        onConnectStart={edits.onConnectStart}
        onConnectEnd={(event, state) => {
          useDrawing.getState().finish();
          const port = state.fromHandle?.id;
          if (state.toNode || !state.fromNode || state.fromHandle?.type !== "source" || !port) return;
          if (!("clientX" in event)) return;
          const at = screenToFlowPosition({ x: event.clientX, y: event.clientY });
          useView.getState().set({ adding: { from: { node: state.fromNode.id, port }, at } });
        }}
        isValidConnection={edits.isValidConnection}
        connectionRadius={28}
        nodeDragThreshold={3}
        deleteKeyCode={["Delete", "Backspace"]}
        multiSelectionKeyCode={["Meta", "Control", "Shift"]}
        panOnScroll
        zoomOnDoubleClick={false}
        disableKeyboardA11y
        minZoom={0.15}
        maxZoom={1.75}
        onlyRenderVisibleElements={picture.cards.length > 150}
        attributionPosition="bottom-left"
        aria-label="Canvas"
      >
        <Background variant={BackgroundVariant.Dots} gap={20} size={1} />
        <Tools />
        <FlowMap cards={picture.cards} />
      </ReactFlow>
      {drop.over && <DropVeil>Drop it to read it here</DropVeil>}
      {ready && picture.cards.length === 0 && <EmptyCanvas />}
    </div>
  );
}
