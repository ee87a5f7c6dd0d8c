import { describe, expect, it } from "vitest";
import { applyPatch } from "./applyPatch.ts";
import type { FlowDocument, Operation, Patch } from "./document.ts";
import { ghostsOf } from "./ghosts.ts";
import { linesOf } from "./lines.ts";
import { CATALOG, flowOf } from "./testing.ts";

const FLOW = flowOf({ orders: "read_file", few: "limit" }, ["orders>few"], {
  orders: { path: "orders.csv" },
  few: { count: 3 },
});

function told(operations: Operation[], patch: Patch | null) {
  const words = operations.map((operation) => `does ${operation.op}`);
  const ghosts = patch ? ghostsOf(FLOW, patch) : null;
  if (patch) expect(applyPatch(FLOW, patch) as FlowDocument | null).not.toBeNull();
  return linesOf({ operations, words }, FLOW, ghosts, CATALOG);
}

describe("a staged change, line by line", () => {
  it("tells a new node as it will be, with what was edited since in the same line", () => {
    const node = { id: "paid", type: "filter", title: "Only paid", config: { condition: "paid" } };
    const { lines, edges } = told(
      [
        { op: "add_node", node: { ...node, config: { condition: "x" } } },
        { op: "connect", source: { node: "orders", port: "out" }, target: { node: "paid", port: "in" } },
        { op: "set_config", node_id: "paid", values: { condition: "paid" } },
      ],
      {
        changes: [
          {
            kind: "added",
            path: ["nodes", "paid"],
            after: { type: "filter", title: "Only paid", config: node.config },
          },
        ],
      },
    );
    expect(lines).toMatchObject([
      { sign: "add", indexes: [0, 2], title: "Only paid", kind: "Filter", before: "", after: "paid" },
    ]);
    expect(edges.map((edge) => edge.indexes)).toEqual([[1]]);
  });

  it("tells before and after of a node that changes", () => {
    const { lines } = told([{ op: "set_config", node_id: "few", values: { count: 5 } }], {
      changes: [{ kind: "changed", path: ["nodes", "few", "config", "count"], before: 3, after: 5 }],
    });
    expect(lines).toMatchObject([{ sign: "change", title: "Limit", before: "first 3", after: "first 5" }]);
  });

  it("leaves the words to the server where nothing better is known", () => {
    const removal: Operation = { op: "remove_node", node_id: "few" };
    expect(told([removal], { changes: [] }).lines).toMatchObject([
      { sign: "remove", nodeId: null, words: "does remove_node" },
    ]);
    expect(told([{ op: "set_config", node_id: "few", values: { count: 5 } }], null).lines).toMatchObject([
      { nodeId: null, title: "", words: "does set_config" },
    ]);
  });
});
