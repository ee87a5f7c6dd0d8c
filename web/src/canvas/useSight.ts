/** What the window looks at: the whole flow when it opens, a node when someone asks for it. */
import { useReactFlow, useStore, useStoreApi } from "@xyflow/react";
import { useCallback, useEffect, useRef } from "react";
import { CARD_HEIGHT, CARD_WIDTH } from "@/flow/placement.ts";
import type { Card } from "@/flow/project.ts";
import { useFlow } from "@/state/flow.ts";
import { useReview } from "@/state/review.ts";
import { useView } from "@/state/view.ts";

/** How the whole flow is shown. */
export const WHOLE = { padding: 0.06, maxZoom: 1, duration: 220 };
/** A flow that opens is shown no smaller than this: its beginning can be read, the rest is a scroll away. */
const READABLE = 0.66;

export function useSight(cards: Card[]): void {
  const { setCenter, getNode, getZoom, getViewport } = useReactFlow();
  const showAll = useShowAll();
  const flowId = useFlow((flow) => flow.flowId);
  const reviewing = useReview((review) => review.openId);
  const focus = useView((view) => view.focus);
  const width = useStore((store) => store.width);
  const height = useStore((store) => store.height);
  const fitted = useRef<string | null>(null);
  const done = useRef(0);
  const drawn = useStore((store) => store.nodes.length);
  const count = cards.length;

  useEffect(() => {
    if (!flowId || count === 0 || width === 0 || fitted.current === flowId) return;
    fitted.current = flowId;
    requestAnimationFrame(() => void showAll([], 0));
  }, [flowId, count, width, showAll]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a staged change that adds cards is brought into sight as it grows.
  useEffect(() => {
    const touched = cards.filter((card) => card.ghost !== null).map((card) => card.nodeId);
    if (reviewing && drawn >= count) requestAnimationFrame(() => void showAll(touched, 220));
  }, [reviewing, count, drawn >= count, showAll]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new request moves the view, once its node is there.
  useEffect(() => {
    const node = focus && focus.turn !== done.current ? getNode(focus.nodeId) : undefined;
    if (!focus || !node) return;
    done.current = focus.turn;
    takeFocus(focus.nodeId);
    const { x, y, zoom } = getViewport();
    const left = node.position.x * zoom + x;
    const top = node.position.y * zoom + y;
    const inside = left > 0 && top > 0 && left + CARD_WIDTH * zoom < width && top + CARD_HEIGHT * zoom < height;
    const [middle, centre] = [node.position.x + CARD_WIDTH / 2, node.position.y + CARD_HEIGHT / 2];
    if (!inside) void setCenter(middle, centre, { zoom: getZoom(), duration: 220 });
  }, [focus, drawn]);
}

/** Let the keyboard follow to a node, unless it is at work elsewhere. */
function takeFocus(nodeId: string): void {
  const at = document.activeElement;
  if (at && at !== document.body && !at.classList.contains("react-flow__node")) return;
  const element = document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(nodeId)}"]`);
  element?.focus({ preventScroll: true });
}

/** Return how to show the whole flow; where that would be too small to read, its beginning, or the nodes that matter now. */
function useShowAll() {
  const { fitView, getNodes, getNodesBounds, setViewport } = useReactFlow();
  const store = useStoreApi();
  return useCallback(
    async (matter: string[], duration: number) => {
      const { width, height } = store.getState();
      const fits = (box: { width: number; height: number }) =>
        box.width === 0 || Math.min(width / box.width, height / box.height) * (1 - WHOLE.padding) >= READABLE;
      const nodes = matter.map((id) => ({ id }));
      const some = getNodes().filter((node) => matter.includes(node.id));
      if (fits(getNodesBounds(getNodes()))) await fitView({ ...WHOLE, duration });
      else if (nodes.length > 0 && fits(getNodesBounds(some)))
        await fitView({ ...WHOLE, minZoom: READABLE, duration, nodes });
      else {
        const box = getNodesBounds(some.length > 0 ? some : getNodes());
        const high = box.height * READABLE > height;
        const y = high ? 28 - box.y * READABLE : height / 2 - (box.y + box.height / 2) * READABLE;
        await setViewport({ x: 28 - box.x * READABLE, y, zoom: READABLE }, { duration });
      }
    },
    [fitView, getNodes, getNodesBounds, setViewport, store],
  );
}
