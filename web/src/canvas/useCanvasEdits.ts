/** What a person's gestures on the canvas ask the server for. */
import type { Connection, Edge, OnConnectStart } from "@xyflow/react";
import { useMemo } from "react";
import type { Operation, Point } from "@/flow/document.ts";
import { pin } from "@/flow/operations.ts";
import { placesOf } from "@/flow/placement.ts";
import { useFlow } from "@/state/flow.ts";
import { useHouse } from "@/state/house.ts";
import { useView } from "@/state/view.ts";
import { useDrawing } from "./drawing.ts";

const name = (id: string) => {
  const node = useFlow.getState().document.nodes[id];
  return node?.title || useHouse.getState().catalog.get(node?.type ?? "")?.title || id;
};

/** Ask for the removal of nodes and edges, as one edit, and offer to take it back. */
export async function removeAll(
  nodeIds: string[],
  edges: Pick<Edge, "source" | "target" | "sourceHandle" | "targetHandle">[],
): Promise<void> {
  const gone = new Set(nodeIds);
  const operations: Operation[] = edges
    .filter((edge) => !gone.has(edge.source) && !gone.has(edge.target))
    .map((edge) => ({
      op: "disconnect",
      source: { node: edge.source, port: edge.sourceHandle ?? "out" },
      target: { node: edge.target, port: edge.targetHandle ?? "in" },
    }));
  for (const node_id of nodeIds) operations.push({ op: "remove_node", node_id });
  const [first] = nodeIds;
  const message =
    nodeIds.length === 1 && first
      ? `Removed ${name(first)}`
      : nodeIds.length > 1
        ? `Removed ${nodeIds.length} nodes`
        : "Removed an edge";
  if (!(await useFlow.getState().edit(operations, message))) return;
  useView.getState().select([]);
  useView.getState().set({ side: "assistant" });
  if (nodeIds.length > 0)
    useView.getState().say({
      text: message,
      tone: "plain",
      action: { label: "Undo", run: () => void useFlow.getState().undo() },
    });
}

/** Ask for nodes to stand where they were put. */
export function moveAll(positions: Record<string, Point>): Promise<boolean> {
  const { document, edit } = useFlow.getState();
  const pinned = pin(document, placesOf(document))[0];
  const all = pinned?.op === "move_nodes" ? { ...pinned.positions, ...positions } : positions;
  const ids = Object.keys(positions);
  return edit(
    [{ op: "move_nodes", positions: all }],
    ids.length === 1 && ids[0] ? `Moved ${name(ids[0])}` : `Moved ${ids.length} nodes`,
  );
}

export function useCanvasEdits() {
  return useMemo(() => {
    const onConnect = (connection: Connection) => {
      const source = { node: connection.source, port: connection.sourceHandle ?? "out" };
      const target = { node: connection.target, port: connection.targetHandle ?? "in" };
      void useFlow
        .getState()
        .edit([{ op: "connect", source, target }], `Connected ${name(source.node)} to ${name(target.node)}`);
    };
    const isValidConnection = (connection: Connection | Edge) =>
      useDrawing.getState().verdicts?.[`in/${connection.target}/${connection.targetHandle ?? "in"}`] !== undefined
        ? useDrawing.getState().verdicts?.[`in/${connection.target}/${connection.targetHandle ?? "in"}`] === ""
        : useDrawing.getState().verdicts?.[`out/${connection.source}/${connection.sourceHandle ?? "out"}`] === "";
    const onConnectStart: OnConnectStart = (_, from) => {
      if (!from.nodeId || !from.handleId) return;
      useDrawing.getState().begin(useFlow.getState().document, useHouse.getState().catalog, {
        node: from.nodeId,
        port: from.handleId,
        end: from.handleType === "source" ? "out" : "in",
      });
    };
    return { onConnect, isValidConnection, onConnectStart };
  }, []);
}
