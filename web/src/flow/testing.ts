/** A small flow and a small catalogue, for tests alone. */
import { type Config, EMPTY_DOCUMENT, edgeId, type FlowDocument } from "./document.ts";
import type { Catalog, NodeTypeView, PortSpec } from "./nodeType.ts";

const port = (name: string, type = "table", many = false): PortSpec => ({
  name,
  type,
  title: "",
  required: true,
  many,
});

function type(name: string, parts: Partial<NodeTypeView> & { properties?: Config }): NodeTypeView {
  const { properties, ...rest } = parts;
  return {
    name,
    title: name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " "),
    summary: `Does ${name}.`,
    area: "rows",
    synonyms: [],
    inputs: [port("in")],
    outputs: [port("out")],
    effects: ["pure"],
    config_schema: {
      type: "object",
      properties: properties ?? {},
      required: Object.keys(properties ?? {}).slice(0, 1),
    },
    ...rest,
  };
}

const slot = (name: string, rest: Config = {}): Config => ({ "x-slot": name, "x-port": "in", ...rest });

export const CATALOG: Catalog = new Map(
  [
    type("read_file", {
      area: "input",
      inputs: [],
      synonyms: ["load", "open"],
      properties: { path: slot("read_path", { type: "string" }) },
    }),
    type("filter", { synonyms: ["where", "only"], properties: { condition: slot("condition", { type: "string" }) } }),
    type("limit", {
      properties: { count: slot("count", { type: "integer" }), offset: slot("count", { type: "integer", default: 0 }) },
    }),
    type("join", { area: "combine", inputs: [port("left"), port("right")] }),
    type("union", { area: "combine", inputs: [port("in", "table", true)] }),
    type("chart", { area: "output", outputs: [port("chart", "chart")] }),
  ].map((each) => [each.name, each]),
);

/** Return a flow of nodes `id: type` and edges `a>b` or `a>b.port`. */
export function flowOf(
  nodes: Record<string, string>,
  edges: string[],
  configs: Record<string, Config> = {},
): FlowDocument {
  const document: FlowDocument = { ...structuredClone(EMPTY_DOCUMENT), name: "Test" };
  for (const [id, name] of Object.entries(nodes))
    document.nodes[id] = { type: name, title: "", config: configs[id] ?? {} };
  for (const text of edges) {
    const [from = "", to = ""] = text.split(">");
    const [node = "", into = "in"] = to.split(".");
    const source = { node: from, port: "out" };
    const target = { node, port: into };
    document.edges[edgeId(source, target)] = { source, target };
  }
  return document;
}
