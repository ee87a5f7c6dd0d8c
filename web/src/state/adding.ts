/** Adding a node from wherever it was asked for: palette, rail, file list. */
import type { Config, PortRef } from "@/flow/document.ts";
import { fits, type NodeTypeView } from "@/flow/nodeType.ts";
import { addition } from "@/flow/operations.ts";
import { CARD_HEIGHT, CARD_WIDTH, placesOf } from "@/flow/placement.ts";
import { useFlow } from "./flow.ts";
import { useHouse } from "./house.ts";
import { useUploads } from "./uploads.ts";
import { type AddRequest, useView } from "./view.ts";

/** Return the type of an output port. */
export function portTypeOf(ref: PortRef): string | undefined {
  const type = useHouse.getState().catalog.get(useFlow.getState().document.nodes[ref.node]?.type ?? "");
  return type?.outputs.find((port) => port.name === ref.port)?.type;
}

/** Return the request to add what comes after the selected node, or just something where none is. */
export function afterSelection(): AddRequest {
  const [nodeId, ...more] = useView.getState().selected;
  if (!nodeId || more.length > 0) return {};
  const [port] = Object.keys(useFlow.getState().columns[nodeId] ?? {});
  return port ? { from: { node: nodeId, port } } : {};
}

/** Add a node where the view's request says, select it and open its form. */
export async function addNode(type: NodeTypeView, config?: Config, asked?: AddRequest): Promise<void> {
  const view = useView.getState();
  const { document, edit } = useFlow.getState();
  const places = placesOf(document);
  const request = asked ?? view.adding ?? {};
  view.set({ adding: null });
  const portType = request.from ? portTypeOf(request.from) : undefined;
  const fromType = portType && type.inputs.some((port) => fits(portType, port.type)) ? portType : undefined;
  const added = addition({
    document,
    places,
    type,
    ...(config ? { config } : {}),
    from: request.from && fromType ? { ref: request.from, type: fromType } : undefined,
    between: request.between,
    at: request.at ? { x: request.at.x - 20, y: request.at.y - 20 } : spot(places),
  });
  if (!(await edit(added.operations, `Added ${type.title}`))) return;
  view.show(added.nodeId);
  if (!config) view.set({ side: "configure" });
}

/** Bring files into the data folder and add a node that reads each, from a place on downwards. */
export async function addFiles(files: File[], at?: { x: number; y: number }): Promise<void> {
  const reader = useHouse.getState().catalog.get("read_file");
  const kept = await useUploads.getState().bring(files);
  if (!reader) return;
  for (const [index, { path }] of kept.entries()) {
    const place = at ? { at: { x: at.x, y: at.y + index * (CARD_HEIGHT + 28) } } : {};
    await addNode(reader, { path }, place);
  }
}

/** Return the place for a node that nobody placed: under the first column of nodes. */
function spot(places: Record<string, { x: number; y: number }>): { x: number; y: number } {
  const all = Object.values(places);
  if (all.length === 0) return { x: 0, y: 0 };
  const x = Math.min(...all.map((place) => place.x));
  const column = all.filter((place) => Math.abs(place.x - x) < CARD_WIDTH);
  return { x, y: Math.max(...column.map((place) => place.y)) + CARD_HEIGHT + 28 };
}
