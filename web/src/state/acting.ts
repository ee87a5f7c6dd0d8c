/** What a person does to nodes on the canvas, be they there already or only staged: one place decides which of the two is edited. */
import type { Operation } from "@/flow/document.ts";
import { useFlow } from "./flow.ts";
import { useReview } from "./review.ts";
import { useRuns } from "./runs.ts";
import { stagedAt, useShown } from "./shown.ts";

/** Return the id of the staged change on the canvas that adds or changes a node; null: the node is as it stands. */
export function useStagedAt(nodeId: string | undefined): string | null {
  const shown = useShown();
  const openId = useReview((review) => review.openId);
  return nodeId && stagedAt(shown, nodeId) ? openId : null;
}

/** Return how to edit a node: a staged one within its change, before anything is approved. */
export function useEdit(nodeId: string): (operations: Operation[], message: string) => Promise<boolean> {
  const staged = useStagedAt(nodeId);
  const edit = useFlow((flow) => flow.edit);
  const amend = useReview((review) => review.amend);
  return staged ? (operations) => amend(staged, operations) : edit;
}

/** Return how to run up to a node, over the staged change where the node is part of one; nothing is written then. */
export function useRunTo(nodeId: string): () => void {
  const staged = useStagedAt(nodeId);
  const flowId = useFlow((flow) => flow.flowId);
  const start = useRuns((runs) => runs.start);
  return () => {
    if (flowId) void start(flowId, staged ? { to: nodeId, changeset_id: staged } : { to: nodeId });
  };
}
