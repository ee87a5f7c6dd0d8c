/** Going from node to node with the arrow keys. Pure. */
import type { Point } from "@/flow/document.ts";

type Direction = "left" | "right" | "up" | "down";

/** Return the nearest node in a direction: straight ahead counts more than aside. */
export function neighbour(places: Record<string, Point>, from: string, direction: Direction): string | null {
  const here = places[from];
  if (!here) return null;
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const [id, place] of Object.entries(places)) {
    if (id === from) continue;
    const dx = place.x - here.x;
    const dy = place.y - here.y;
    const ahead = { left: -dx, right: dx, up: -dy, down: dy }[direction];
    const aside = direction === "left" || direction === "right" ? Math.abs(dy) : Math.abs(dx);
    if (ahead <= 4) continue;
    const cost = ahead + aside * 2;
    if (cost < least) {
      least = cost;
      best = id;
    }
  }
  return best;
}

/** Return the direction that an arrow key means. */
export function directionOf(key: string): Direction | null {
  return ({ ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" } as const)[key] ?? null;
}
