/** The keyboard on the canvas: walking, moving, opening, copying, pasting, selecting. */
import { type KeyboardEvent, useCallback } from "react";
import type { Point } from "@/flow/document.ts";
import { clipOf, paste } from "@/flow/operations.ts";
import { useFlow } from "@/state/flow.ts";
import { useView } from "@/state/view.ts";
import { clipboard } from "./clipboard.ts";
import { moveAll } from "./useCanvasEdits.ts";
import { directionOf, neighbour } from "./walk.ts";

const STRIDE = 16;

export function useCanvasKeys(places: Record<string, Point>) {
  return useCallback(
    (event: KeyboardEvent<HTMLElement>) => {
      if (isTyping(event.target)) return;
      const direction = directionOf(event.key);
      const command = event.metaKey || event.ctrlKey;
      if (direction) {
        if (event.altKey) shift(places, direction);
        else if (!command) walk(places, direction, event.currentTarget);
        else return;
      } else if (command && event.key === "a") {
        useView.getState().select(Object.keys(useFlow.getState().document.nodes));
      } else if (command && event.key === "c") copy(places);
      else if (command && event.key === "v") void pasteClip(places);
      else if (command && event.key === "d") {
        copy(places);
        void pasteClip(places);
      } else if (event.key === "Enter" && onNode(event.target)) open(event.target);
      else if (event.key === "Escape") useView.getState().select([]);
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
    [places],
  );
}

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

const onNode = (target: EventTarget): target is HTMLElement =>
  target instanceof HTMLElement && target.classList.contains("react-flow__node");

function open(target: HTMLElement): void {
  const id = target.dataset.id;
  if (!id) return;
  useView.getState().select([id]);
  useView.getState().set({ side: "configure" });
}

function walk(
  places: Record<string, Point>,
  direction: NonNullable<ReturnType<typeof directionOf>>,
  canvas: HTMLElement,
): void {
  const at = useView.getState().selected[0];
  const first = Object.entries(places).sort(([, a], [, b]) => a.x - b.x || a.y - b.y)[0]?.[0];
  const next = at && places[at] ? neighbour(places, at, direction) : (first ?? null);
  if (!next) return;
  useView.getState().show(next);
  canvas.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(next)}"]`)?.focus({ preventScroll: true });
}

function shift(places: Record<string, Point>, direction: NonNullable<ReturnType<typeof directionOf>>): void {
  const [dx, dy] = { left: [-STRIDE, 0], right: [STRIDE, 0], up: [0, -STRIDE], down: [0, STRIDE] }[direction] as [
    number,
    number,
  ];
  const positions: Record<string, Point> = {};
  for (const id of useView.getState().selected) {
    const place = places[id];
    if (place) positions[id] = { x: place.x + dx, y: place.y + dy };
  }
  if (Object.keys(positions).length > 0) void moveAll(positions);
}

function copy(places: Record<string, Point>): void {
  const { selected } = useView.getState();
  if (selected.length > 0) clipboard.clip = clipOf(useFlow.getState().document, places, selected);
}

async function pasteClip(places: Record<string, Point>): Promise<void> {
  if (!clipboard.clip) return;
  const { document, edit } = useFlow.getState();
  const pasted = paste(document, places, clipboard.clip);
  if (await edit(pasted.operations, pasted.ids.length === 1 ? "Pasted a node" : `Pasted ${pasted.ids.length} nodes`))
    useView.getState().select(pasted.ids);
}
