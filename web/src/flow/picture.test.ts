import { describe, expect, it } from "vitest";
import type { Diagnostic, Patch } from "./document.ts";
import { ghostsOf } from "./ghosts.ts";
import { CARD_HEIGHT, CARD_WIDTH, free, PITCH, placesOf } from "./placement.ts";
import { isWrong, problemsIn, project, type Sources } from "./project.ts";
import { CATALOG, flowOf } from "./testing.ts";

const DOCUMENT = flowOf({ orders: "read_file", paid: "filter", top: "limit" }, ["orders>paid", "paid>top"], {
  orders: { path: "shop/orders.csv" },
  paid: { condition: "amount > 10" },
  top: { count: 1000, offset: 0 },
});

function sources(change: Partial<Sources> = {}): Sources {
  const document = change.document ?? DOCUMENT;
  return {
    document,
    catalog: CATALOG,
    places: placesOf(change.ghosts?.document ?? document),
    diagnostics: [],
    columns: { orders: { out: [{ name: "amount", type: "DOUBLE" }] } },
    run: null,
    baseline: null,
    stale: new Set(),
    ghosts: null,
    ...change,
  };
}
const cardOf = (picture: ReturnType<typeof project>, id: string) => picture.cards.find((card) => card.nodeId === id);

describe("the picture of a flow", () => {
  it("says on each card what its node does", () => {
    const picture = project(sources());
    expect(picture.cards.map((card) => [card.title, card.summary])).toEqual([
      ["Read file", "orders.csv"],
      ["Filter", "amount > 10"],
      ["Limit", "first 1,000"],
    ]);
    expect(cardOf(picture, "orders")?.columns).toBe(1);
    expect(cardOf(picture, "paid")?.connected).toBe("in:in out:out");
  });

  it("puts a diagnostic on its node", () => {
    const diagnostic = {
      code: "F401",
      severity: "error" as const,
      where: { node: "paid", port: "", path: [] },
      message: "no",
      fixes: [],
    };
    const picture = project(sources({ diagnostics: [diagnostic] }));
    expect(cardOf(picture, "paid")?.diagnostics).toEqual([diagnostic]);
    expect(cardOf(picture, "top")?.diagnostics).toEqual([]);
  });

  it("lets an edge flow while the node it leads to runs", () => {
    const run = {
      runId: "r",
      status: "running" as const,
      ms: null,
      note: "",
      changesetId: null,
      answer: null,
      since: 0,
      nodes: { paid: { state: "running" as const } },
    };
    expect(project(sources({ run })).curves.map((curve) => curve.flowing)).toEqual([true, false]);
  });

  it("draws a node of an unknown type with the ports that its edges name", () => {
    const picture = project(sources({ document: flowOf({ a: "read_file", b: "from_the_future" }, ["a>b.left"]) }));
    expect(cardOf(picture, "b")?.inputs.map((port) => port.name)).toEqual(["left"]);
  });

  it("lists problems with the errors first and without notes", () => {
    const one = (severity: "error" | "warning" | "note") => ({
      code: severity,
      severity,
      where: { node: "", port: "", path: [] },
      message: "",
      fixes: [],
    });
    expect(problemsIn([one("note"), one("warning"), one("error")]).map((problem) => problem.code)).toEqual([
      "error",
      "warning",
    ]);
  });
});

describe("ghosts", () => {
  const edge = { source: { node: "paid", port: "out" }, target: { node: "top", port: "in" } };
  const patch: Patch = {
    changes: [
      {
        kind: "added",
        path: ["nodes", "since"],
        after: { type: "filter", title: "", config: { condition: "day > 1" } },
      },
      { kind: "changed", path: ["nodes", "paid", "config", "condition"], before: "amount > 10", after: "amount > 20" },
      { kind: "removed", path: ["nodes", "top"], before: DOCUMENT.nodes.top as never },
      { kind: "removed", path: ["edges", "paid.out>top.in"], before: edge as never },
    ],
  };

  it("mark what appears, goes and changes, and keep in sight what goes", () => {
    const ghosts = ghostsOf(DOCUMENT, patch);
    expect(ghosts?.nodes).toEqual({ since: "added", paid: "changed", top: "removed" });
    expect(ghosts?.edges).toEqual({ "paid.out>top.in": "removed" });
    const picture = project(sources({ ghosts }));
    expect(cardOf(picture, "paid")).toMatchObject({ summaryBefore: "amount > 10", summary: "amount > 20" });
    expect(cardOf(picture, "top")?.ghost).toBe("removed");
    expect(cardOf(picture, "orders")?.ghost).toBeNull();
  });

  it("are none where the patch no longer fits", () => {
    const moved = {
      ...DOCUMENT,
      nodes: { ...DOCUMENT.nodes, paid: { type: "filter", config: { condition: "else" } } },
    };
    expect(ghostsOf(moved, patch)).toBeNull();
  });

  it("leave the flow itself alone", () => {
    const before = structuredClone(DOCUMENT);
    ghostsOf(DOCUMENT, patch);
    expect(DOCUMENT).toEqual(before);
  });
});

describe("places", () => {
  it("run from left to right where none is stored", () => {
    const places = placesOf(DOCUMENT);
    expect([places.orders?.x, places.paid?.x, places.top?.x].map(Number)).toEqual([0, PITCH, 2 * PITCH]);
  });

  it("are those that are stored", () => {
    const document = {
      ...DOCUMENT,
      layout: { orders: { x: 5, y: 6 }, paid: { x: 500, y: 6 }, top: { x: 900, y: 40 } },
    };
    expect(placesOf(document)).toEqual(document.layout);
  });

  it("make room for a node between two others", () => {
    const layout = { orders: { x: 0, y: 0 }, top: { x: PITCH, y: 0 } };
    const places = placesOf({ ...DOCUMENT, layout });
    expect(places).toEqual({ orders: { x: 0, y: 0 }, paid: { x: PITCH, y: 0 }, top: { x: 2 * PITCH, y: 0 } });
  });

  it("never overlap for what was not placed by hand", () => {
    const nodes = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`n${n}`, n === 0 ? "read_file" : "filter"]));
    const document = flowOf(
      nodes,
      Array.from({ length: 11 }, (_, n) => `n0>n${n + 1}`),
    );
    const places = Object.values(placesOf({ ...document, layout: { n0: { x: 0, y: 0 } } }));
    for (const [index, a] of places.entries())
      for (const b of places.slice(index + 1))
        expect(Math.abs(a.x - b.x) >= CARD_WIDTH || Math.abs(a.y - b.y) >= CARD_HEIGHT).toBe(true);
  });

  it("move a new node down until it is free", () => {
    expect(free({ x: 0, y: 0 }, [{ x: 10, y: 10 }]).y).toBeGreaterThan(CARD_HEIGHT);
  });
});

describe("a fault", () => {
  const fault = (code: string, node: string): Diagnostic => ({
    code,
    severity: "error",
    where: { node, port: "", path: [] },
    message: "",
    fixes: [],
  });

  it("is none of a node that is only not set up yet", () => {
    const document = flowOf({ few: "limit", paid: "filter" }, [], { paid: { condition: "a >" } });
    expect(isWrong([fault("F303", "few"), fault("F301", "paid"), fault("F104", "paid")], document)).toBe(false);
    expect(isWrong([fault("F403", "paid")], document)).toBe(true);
    expect(isWrong([fault("F101", "")], document)).toBe(true);
  });
});
