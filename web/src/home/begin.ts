/** Beginning a flow with files: one node that reads each. */
import type { FileInfo } from "@/api/types.ts";
import { EMPTY_DOCUMENT, type FlowDocument } from "@/flow/document.ts";
import { newNodeId } from "@/flow/nodeType.ts";
import { CARD_HEIGHT } from "@/flow/placement.ts";
import { useHouse } from "@/state/house.ts";
import { useUploads } from "@/state/uploads.ts";

const GAP = 28;

/** Bring files into the data folder and open a new flow that reads them. */
export async function beginWith(files: File[]): Promise<void> {
  const kept = await useUploads.getState().bring(files);
  if (kept.length > 0) await beginFrom(kept);
}

/** Open a new flow that reads files of the data folder. */
export async function beginFrom(files: Pick<FileInfo, "name" | "path">[]): Promise<void> {
  const name = files[0]?.name.replace(/(\.[A-Za-z0-9]+){1,2}$/, "") || "Untitled flow";
  const document: FlowDocument = { ...EMPTY_DOCUMENT, name, nodes: {}, layout: {} };
  for (const [index, { path }] of files.entries()) {
    const nodeId = newNodeId("read_file", document.nodes);
    document.nodes[nodeId] = { type: "read_file", config: { path } };
    document.layout[nodeId] = { x: 0, y: index * (CARD_HEIGHT + GAP) };
  }
  await useHouse.getState().create({ name, document });
}
