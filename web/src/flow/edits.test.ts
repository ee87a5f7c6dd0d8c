import { describe, expect, it } from "vitest";
import type { Operation } from "./document.ts";
import { fits, newNodeId, rankTypes, whyNot } from "./nodeType.ts";
import { addition, clipOf, paste, reconfigure } from "./operations.ts";
import { switched } from "./parts.ts";
import { PITCH, placesOf } from "./placement.ts";
import { isUnderWay, type RunEvent, type RunState, runAfter, staleAfter, touchedBy } from "./runState.ts";
import { CATALOG, flowOf } from "./testing.ts";

const DOCUMENT = flowOf({ orders: "read_file", paid: "filter", both: "join", all: "union", c: "chart" }, [
  "orders>paid",
  "paid>both.left",
]);
const at = (node: string, port = "in") => ({ node, port });
const filter = CATALOG.get("filter");
if (!filter) throw new Error("the catalogue of the tests has a filter");

describe("what may be connected", () => {
  it("goes by type, free ports and direction", () => {
    const why = (source: ReturnType<typeof at>, target: ReturnType<typeof at>) =>
      whyNot(DOCUMENT, CATALOG, source, target);
    expect(why(at("orders", "out"), at("both", "right"))).toBeNull();
    expect(why(at("orders", "out"), at("both", "left"))).toContain("taken");
    expect(why(at("orders", "out"), at("all"))).toBeNull();
    expect(why(at("c", "chart"), at("all"))).toContain("takes a table");
    expect(why(at("both", "out"), at("paid"))).toContain("taken");
    expect(why(at("paid", "out"), at("paid"))).toContain("itself");
    expect(fits("any", "table")).toBe(true);
  });

  it("never closes a circle", () => {
    const open = flowOf({ a: "union", b: "filter" }, ["a>b"]);
    expect(whyNot(open, CATALOG, at("b", "out"), at("a"))).toContain("circle");
  });
});

describe("the palette", () => {
  const types = [...CATALOG.values()];
  it("finds by title, then by synonym", () => {
    expect(rankTypes(types, "filt")[0]?.name).toBe("filter");
    expect(rankTypes(types, "only")[0]?.name).toBe("filter");
    expect(rankTypes(types, "zzz")).toEqual([]);
  });

  it("leaves out what cannot take the port's data", () => {
    expect(rankTypes(types, "", "table").map((type) => type.name)).not.toContain("read_file");
    expect(rankTypes(types, "", "chart")).toEqual([]);
  });
});

describe("adding a node", () => {
  const places = placesOf(DOCUMENT);

  it("after a port connects it and puts it behind", () => {
    const { nodeId, operations } = addition({
      document: DOCUMENT,
      places,
      type: filter,
      at: at0,
      from: { ref: at("both", "out"), type: "table" },
    });
    expect(nodeId).toBe("filter");
    expect(operations.map((one) => one.op)).toEqual(["move_nodes", "add_node", "connect"]);
    const added = operations.find((one) => one.op === "add_node");
    expect(added?.op === "add_node" && added.at?.x).toBe((places.both?.x ?? 0) + PITCH);
  });

  it("into an edge names its ports", () => {
    const between = { source: at("orders", "out"), target: at("paid") };
    const { operations } = addition({ document: DOCUMENT, places, type: filter, at: at0, between });
    expect(operations.at(-1)).toMatchObject({ op: "insert_between", ...between, in_port: "in", out_port: "out" });
  });

  it("takes an id that is free", () => {
    expect(newNodeId("filter", { filter: 1, filter_2: 1 })).toBe("filter_3");
  });
});
const at0 = { x: 0, y: 0 };

describe("copying", () => {
  it("brings nodes and the edges among them, under new ids", () => {
    const places = placesOf(DOCUMENT);
    const { ids, operations } = paste(DOCUMENT, places, clipOf(DOCUMENT, places, ["orders", "paid"]));
    expect(ids).toEqual(["orders_2", "paid_2"]);
    expect(operations.at(-1)).toEqual({ op: "connect", source: at("orders_2", "out"), target: at("paid_2") });
  });

  it("asks for nothing where a config did not change", () => {
    expect(reconfigure("a", { values: {}, keys: [] })).toEqual([]);
  });
});

describe("a part of a change", () => {
  const operations: Operation[] = [
    { op: "disconnect", source: at("orders", "out"), target: at("paid") },
    { op: "add_node", node: { id: "since", type: "filter", config: {} } },
    { op: "connect", source: at("orders", "out"), target: at("since") },
    { op: "connect", source: at("since", "out"), target: at("paid") },
    { op: "set_title", node_id: "paid", title: "Paid" },
  ];

  it("leaves out with a node all that needs it, and the edge that would have made room", () => {
    expect([...switched(operations, new Set(), 1)].sort()).toEqual([0, 1, 2, 3]);
    expect([...switched(operations, new Set(), 4)]).toEqual([4]);
  });

  it("takes back in with an edge all that it needs", () => {
    expect([...switched(operations, new Set([0, 1, 2, 3]), 3)]).toEqual([2]);
  });
});

describe("a run, event by event", () => {
  const story: RunEvent[] = [
    { event: "run.started", run_id: "r", nodes: ["a", "b", "c"] },
    { event: "node.started", run_id: "r", node_id: "a" },
    { event: "node.progress", run_id: "r", node_id: "a", fraction: 0.5 },
    { event: "node.finished", run_id: "r", node_id: "a", rows: 6, columns: 2, ms: 3, summary: "6 rows" },
    { event: "node.started", run_id: "r", node_id: "b" },
    { event: "node.failed", run_id: "r", node_id: "b", diagnostic: null },
    { event: "node.skipped", run_id: "r", node_id: "c", because: "b" },
    { event: "run.finished", run_id: "r", status: "failed", ms: 9 },
  ];
  const play = (events: RunEvent[], run: RunState | null = null) =>
    events.reduce((now, event) => runAfter(now, event, 1), run);

  it("ends with every node's state", () => {
    const run = play(story);
    expect(run).toMatchObject({
      status: "failed",
      ms: 9,
      nodes: { a: { state: "succeeded", rows: 6 }, b: { state: "failed" }, c: { state: "skipped" } },
    });
    expect(isUnderWay(run)).toBe(false);
  });

  it("is the same when events come twice or the stream is resumed earlier", () => {
    for (let cut = 1; cut <= story.length; cut += 1)
      for (let back = 0; back <= cut; back += 1)
        expect(play(story.slice(back), play(story.slice(0, cut)))).toEqual(play(story));
  });

  it("ignores another run's events", () => {
    expect(play([{ event: "node.started", run_id: "other", node_id: "a" }], play(story))).toEqual(play(story));
  });

  it("leaves nothing running when it is stopped", () => {
    const run = play([...story.slice(0, 2), { event: "run.finished", run_id: "r", status: "cancelled", ms: 1 }]);
    expect(Object.values(run?.nodes ?? {}).map((node) => node.state)).toEqual(["skipped", "skipped", "skipped"]);
  });

  it("is out of date from an edit downwards", () => {
    expect([...staleAfter(DOCUMENT, ["paid"])]).toEqual(["paid", "both"]);
    const edge = { source: at("a", "out"), target: at("b") };
    expect(
      touchedBy([{ path: ["layout", "a"] }, { path: ["nodes", "a", "title"] }, { path: ["edges", "x"], after: edge }]),
    ).toEqual(["b"]);
  });
});
