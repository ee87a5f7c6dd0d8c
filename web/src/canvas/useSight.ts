/** What the window looks at: the whole flow when it opens, a node when someone asks for it. */
import { useReactFlow, useStore } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { CARD_HEIGHT, CARD_WIDTH } from "@/flow/placement.ts";
import { useFlow } from "@/state/flow.ts";
import { useReview } from "@/state/review.ts";
import { useView } from "@/state/view.ts";

/** How the whole flow is shown. */
export const WHOLE = { padding: 0.06, maxZoom: 1, duration: 220 };
/** A flow that opens is shown no smaller than this: its beginning can be read, the rest is a scroll away. */
const READABLE = 0.66;

export function useSight(cards: number): void {
  const { fitView, setCenter, getNode, getNodes, getNodesBounds, getZoom, getViewport, setViewport } = useReactFlow();
  const flowId = useFlow((flow) => flow.flowId);
  const reviewing = useReview((review) => review.openId);
  const focus = useView((view) => view.focus);
  const width = useStore((store) => store.width);
  const height = useStore((store) => store.height);
  const fitted = useRef<string | null>(null);

  useEffect(() => {
    if (!flowId || cards === 0 || width === 0 || fitted.current === flowId) return;
    fitted.current = flowId;
    requestAnimationFrame(async () => {
      await fitView({ ...WHOLE, duration: 0 });
      if (getZoom() >= READABLE) return;
      const box = getNodesBounds(getNodes());
      const y = height / 2 - (box.y + box.height / 2) * READABLE;
      await setViewport({ x: 28 - box.x * READABLE, y, zoom: READABLE });
    });
  }, [flowId, cards, width, height, fitView, getZoom, getNodesBounds, getNodes, setViewport]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a staged change that adds cards is brought into sight as it grows.
  useEffect(() => {
    if (reviewing) requestAnimationFrame(() => void fitView(WHOLE));
  }, [reviewing, cards, fitView]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new request moves the view, never a new size.
  useEffect(() => {
    const node = focus ? getNode(focus.nodeId) : undefined;
    if (!node) return;
    const { x, y, zoom } = getViewport();
    const left = node.position.x * zoom + x;
    const top = node.position.y * zoom + y;
    const inside = left > 0 && top > 0 && left + CARD_WIDTH * zoom < width && top + CARD_HEIGHT * zoom < height;
    if (!inside)
      void setCenter(node.position.x + CARD_WIDTH / 2, node.position.y + CARD_HEIGHT / 2, {
        zoom: getZoom(),
        duration: 220,
      });
  }, [focus]);
}
