import { describe, expect, it } from "vitest";
import type { Card } from "@/flow/project.ts";
import { drawnEdges, drawnNodes } from "./drawn.ts";
import { neighbour } from "./walk.ts";

const card = (nodeId: string, change: Partial<Card> = {}): Card => ({
  nodeId,
  type: "filter",
  area: "rows",
  title: nodeId,
  kind: "Filter",
  summary: "",
  bare: false,
  summaryBefore: null,
  ghost: null,
  run: null,
  rowsBefore: null,
  stale: false,
  columns: null,
  diagnostics: [],
  wrong: false,
  inputs: [],
  outputs: [],
  connected: "",
  at: { x: 0, y: 0 },
  ...change,
});
const local = (selected: string[] = [], moved = new Map<string, { x: number; y: number }>()) => ({
  selected: new Set(selected),
  moved,
});

describe("the nodes that are drawn", () => {
  it("come with a size, so that a replacement before measuring does not lose the ports", () => {
    expect(drawnNodes([], [card("a")], local())[0]?.measured?.width).toBeGreaterThan(0);
  });

  it("stay the same objects where nothing about them changed", () => {
    const before = drawnNodes([], [card("a"), card("b")], local());
    const after = drawnNodes(before, [card("a"), card("b", { title: "B" })], local());
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  it("stay where they are dragged, and where they were let go until the server says the same", () => {
    const moved = new Map([["b", { x: 9, y: 9 }]]);
    const before = drawnNodes([], [card("a"), card("b")], local());
    const dragged = before.map((node) =>
      node.id === "a" ? { ...node, dragging: true, position: { x: 5, y: 5 } } : node,
    );
    const after = drawnNodes(dragged, [card("a", { at: { x: 1, y: 1 } }), card("b")], local([], moved));
    expect(after.map((node) => node.position)).toEqual([
      { x: 5, y: 5 },
      { x: 9, y: 9 },
    ]);
    drawnNodes(after, [card("b", { at: { x: 9, y: 9 } })], local([], moved));
    expect(moved.size).toBe(0);
  });

  it("cannot be moved or removed while they are only staged", () => {
    const [ghost] = drawnNodes([], [card("a", { ghost: "added" })], local());
    expect(ghost).toMatchObject({ draggable: false, deletable: false });
  });
});

describe("the edges that are drawn", () => {
  it("tell a staged one from one that is there", () => {
    const curve = {
      id: "a>b",
      source: "a",
      sourcePort: "out",
      target: "b",
      targetPort: "in",
      ghost: null,
      flowing: false,
    };
    const [there, staged] = drawnEdges([], [curve, { ...curve, id: "c", ghost: "added" as const }]);
    expect(there?.className).toBe("");
    expect(staged).toMatchObject({ className: "ghost-added", deletable: false });
  });
});

describe("walking with the arrow keys", () => {
  const places = { a: { x: 0, y: 0 }, b: { x: 200, y: 0 }, c: { x: 150, y: 300 } };
  it("goes straight ahead before it goes aside, and nowhere where there is nothing", () => {
    expect(neighbour(places, "a", "right")).toBe("b");
    expect(neighbour(places, "a", "down")).toBe("c");
    expect(neighbour(places, "a", "left")).toBeNull();
  });
});
