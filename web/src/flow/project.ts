/** The picture of a flow: what each card and each edge shows, from the document, checks, run and staged change. Pure. */
import type { ColumnsByPort, Diagnostic, FlowDocument, Json, Point } from "./document.ts";
import { type Field, fieldsOf } from "./forms.ts";
import type { Ghost, Ghosts } from "./ghosts.ts";
import type { Catalog, PortSpec } from "./nodeType.ts";
import { isUnderWay, type NodeRun, type RunState } from "./runState.ts";
import { summarize } from "./summary.ts";

export interface Card {
  nodeId: string;
  type: string;
  area: string;
  /** The node's own title, or its type's. */
  title: string;
  kind: string;
  summary: string;
  /** Whether a field that must be set is not. */
  bare: boolean;
  /** For a staged change: the line as it was. */
  summaryBefore: string | null;
  ghost: Ghost | null;
  run: NodeRun | null;
  /** How many rows there were before the staged change, where that is another number. */
  rowsBefore: number | null;
  stale: boolean;
  columns: number | null;
  diagnostics: Diagnostic[];
  /** Whether something about it is wrong, and not merely unfinished. */
  wrong: boolean;
  inputs: PortSpec[];
  outputs: PortSpec[];
  /** `in:left`, `out:out`: the ports that have an edge. */
  connected: string;
  at: Point;
}
export interface Curve {
  id: string;
  source: string;
  sourcePort: string;
  target: string;
  targetPort: string;
  ghost: Ghost | null;
  flowing: boolean;
}
export interface Picture {
  cards: Card[];
  curves: Curve[];
}
export interface Sources {
  document: FlowDocument;
  catalog: Catalog;
  places: Record<string, Point>;
  diagnostics: Diagnostic[];
  columns: ColumnsByPort;
  run: RunState | null;
  /** The run over the flow as it stands, while the one over a staged change is shown. */
  baseline: RunState | null;
  stale: ReadonlySet<string>;
  ghosts: Ghosts | null;
}

const NO_DIAGNOSTICS: Diagnostic[] = [];
const fieldsOfType = new WeakMap<object, Field[]>();

/** Return the form fields of a node type's schema, made once. */
export function fieldsFor(schema: Record<string, unknown>): Field[] {
  let fields = fieldsOfType.get(schema);
  if (!fields) {
    fields = fieldsOf(schema);
    fieldsOfType.set(schema, fields);
  }
  return fields;
}

/** Return what to draw. */
export function project(sources: Sources): Picture {
  const document = sources.ghosts?.document ?? sources.document;
  const found = byNode(sources.diagnostics);
  const connected = connectedPorts(document);
  const cards = Object.keys(document.nodes).map((id) => {
    const node = document.nodes[id];
    const type = sources.catalog.get(node?.type ?? "");
    const fields = type ? fieldsFor(type.config_schema) : [];
    const before = sources.ghosts?.before[id];
    const kind = type?.title ?? node?.type ?? "";
    const columns = Object.values(sources.columns[id] ?? {})[0];
    return {
      nodeId: id,
      type: node?.type ?? "",
      area: type?.area ?? "",
      title: node?.title || kind,
      kind,
      summary: summarize(fields, node?.config ?? {}),
      bare: fields.some((field) => field.required && isUnset(node?.config[field.key])),
      summaryBefore: before ? summarize(fields, before.config) : null,
      ghost: sources.ghosts?.nodes[id] ?? null,
      run: sources.run?.nodes[id] ?? null,
      rowsBefore: rowsBefore(sources, id),
      stale: sources.stale.has(id),
      columns: columns ? columns.length : null,
      diagnostics: found.get(id) ?? NO_DIAGNOSTICS,
      wrong: isWrong(found.get(id) ?? NO_DIAGNOSTICS, document),
      inputs: type?.inputs ?? guessedPorts(document, id, "target"),
      outputs: type?.outputs ?? guessedPorts(document, id, "source"),
      connected: [...(connected.get(id) ?? [])].sort().join(" "),
      at: sources.places[id] ?? { x: 0, y: 0 },
    };
  });
  return { cards, curves: curvesOf(document, sources) };
}

function rowsBefore(sources: Sources, id: string): number | null {
  const before = sources.baseline?.nodes[id]?.rows;
  return typeof before === "number" && before !== sources.run?.nodes[id]?.rows ? before : null;
}

function isUnset(value: Json | undefined): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

function curvesOf(document: FlowDocument, sources: Sources): Curve[] {
  const running = sources.run && isUnderWay(sources.run) ? sources.run.nodes : {};
  return Object.entries(document.edges).map(([id, edge]) => ({
    id,
    source: edge.source.node,
    sourcePort: edge.source.port,
    target: edge.target.node,
    targetPort: edge.target.port,
    ghost: sources.ghosts?.edges[id] ?? null,
    flowing: running[edge.target.node]?.state === "running",
  }));
}

/** Return the ports that a node's edges name, for a node whose type is unknown here. */
function guessedPorts(document: FlowDocument, id: string, end: "source" | "target"): PortSpec[] {
  const names = new Set(
    Object.values(document.edges)
      .filter((edge) => edge[end].node === id)
      .map((edge) => edge[end].port),
  );
  return [...names].sort().map((name) => ({ name, type: "any", title: "", required: false, many: true }));
}

function byNode(diagnostics: Diagnostic[]): Map<string, Diagnostic[]> {
  const found = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    const list = found.get(diagnostic.where.node);
    if (list) list.push(diagnostic);
    else found.set(diagnostic.where.node, [diagnostic]);
  }
  return found;
}

function connectedPorts(document: FlowDocument): Map<string, Set<string>> {
  const ports = new Map<string, Set<string>>();
  const add = (node: string, port: string) => {
    const set = ports.get(node);
    if (set) set.add(port);
    else ports.set(node, new Set([port]));
  };
  for (const edge of Object.values(document.edges)) {
    add(edge.source.node, `out:${edge.source.port}`);
    add(edge.target.node, `in:${edge.target.port}`);
  }
  return ports;
}

/** Return the nodes that a person is told about, most pressing first, without mere notes. */
export function problemsIn(diagnostics: Diagnostic[]): Diagnostic[] {
  const rank = { error: 0, warning: 1, note: 2 } as const;
  return diagnostics
    .filter((diagnostic) => diagnostic.severity !== "note")
    .sort((a, b) => rank[a.severity] - rank[b.severity]);
}

/** What is missing rather than wrong: an input without an edge, a config that must be set. */
const TO_DO: ReadonlySet<string> = new Set(["F104", "F301"]);

/** Return whether a diagnostic only says that a node is not set up yet. Whoever has just added it has not done anything wrong. */
export function isUnfinished(diagnostic: Diagnostic, document: FlowDocument): boolean {
  const config = document.nodes[diagnostic.where.node]?.config;
  return TO_DO.has(diagnostic.code) || (config !== undefined && Object.keys(config).length === 0);
}

/** Return whether something is wrong, and not merely unfinished. */
export function isWrong(diagnostics: Diagnostic[], document: FlowDocument): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error" && !isUnfinished(diagnostic, document));
}
