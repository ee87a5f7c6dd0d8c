/** Choosing a part of a change: what must come or stay along with what. A convenience; the server has the last word. Pure. */
import type { Operation, PortRef } from "./document.ts";

/** Return what is left out after one operation was switched, with all that cannot stand without it or that it needs. */
export function switched(operations: Operation[], leftOut: ReadonlySet<number>, index: number): Set<number> {
  const needs = needsOf(operations);
  const next = new Set(leftOut);
  const turnOn = leftOut.has(index);
  const queue = [index];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    if (turnOn) next.delete(at);
    else next.add(at);
    const along = turnOn
      ? (needs[at] ?? [])
      : needs.flatMap((list, other) => (list.includes(at as number) ? [other] : []));
    for (const other of along) if (next.has(other) === turnOn) queue.push(other);
  }
  return next;
}

/** Return for each operation those without which it makes no sense. */
function needsOf(operations: Operation[]): number[][] {
  const makers = new Map<string, number>();
  operations.forEach((operation, index) => {
    const made = madeBy(operation);
    if (made !== null) makers.set(made, index);
  });
  return operations.map((operation, index) => {
    const needed = mentionedBy(operation).flatMap((id) => makers.get(id) ?? []);
    const swap = operations.findIndex((other) => swaps(operation, other));
    if (swap >= 0) needed.push(swap);
    return needed.filter((other) => other !== index);
  });
}

const madeBy = (operation: Operation): string | null =>
  operation.op === "add_node" || operation.op === "insert_between" ? operation.node.id : null;

function mentionedBy(operation: Operation): string[] {
  if ("node_id" in operation) return [operation.node_id];
  if ("source" in operation) return [operation.source.node, operation.target.node];
  if (operation.op === "move_nodes") return Object.keys(operation.positions);
  return [];
}

/** Return whether one edge gives way to the other: both end at the same port, one goes, one comes. */
function swaps(a: Operation, b: Operation): boolean {
  if (!("source" in a) || !("source" in b) || a.op === "insert_between" || b.op === "insert_between") return false;
  return a.op !== b.op && same(a.target, b.target);
}

const same = (a: PortRef, b: PortRef) => a.node === b.node && a.port === b.port;
