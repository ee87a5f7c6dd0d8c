/** The shapes that the server sends, by the names that the app uses. They come from its OpenAPI document; only what JSON holds
 * freely (documents, patches, operations, cells) is said more closely here. */
import type { ColumnsByPort, Diagnostic, FlowDocument, Json, Operation, Patch } from "@/flow/document.ts";
import type { components } from "./schema.gen.ts";

type Sent = components["schemas"];
/** A shape with some fields said more closely, and with those present that the server always sends. */
type With<Shape, Closer> = Omit<Shape, keyof Closer> & Closer;

export type About = Sent["About"];
export type FlowSummary = Sent["FlowSummary"];
export type FlowView = With<
  Sent["FlowView"],
  { document: FlowDocument; diagnostics: Diagnostic[]; columns: ColumnsByPort }
>;
export type RevisionView = Sent["RevisionView"];
export type ChangesetStatus = Sent["ChangesetView"]["status"];
export type ChangesetView = With<
  Sent["ChangesetView"],
  {
    operations: Operation[];
    patch: Patch;
    diagnostics: Diagnostic[];
    introduced: Diagnostic[];
    columns: ColumnsByPort;
    revision: number | null;
    landed: number[] | null;
  }
>;
export type RunStatus = Sent["RunView"]["status"];
export type NodeRunView = With<Sent["NodeRunView"], { diagnostic: Diagnostic | null }>;
export type RunView = With<
  Sent["RunView"],
  {
    changeset_id: string | null;
    ms: number | null;
    answer: string | null;
    nodes: Record<string, NodeRunView>;
  }
>;
export type Preview = With<Sent["PreviewView"], { rows: Json[][] }>;
export type FileInfo = Sent["FileInfo"];
export type FileDescription = Sent["FileDescription"];
export type TurnStatus = Sent["TurnView"]["status"];
/** A call of a tool, as a line of what the assistant did. */
export interface ToolLine {
  call_id: string;
  name: string;
  state: Sent["TurnToolData"]["state"];
  summary: string;
}
export type TurnView = Pick<
  With<Sent["TurnView"], { account: unknown; changeset_id: string | null; tools: ToolLine[] }>,
  "turn_id" | "request" | "model" | "status" | "reply" | "tools" | "account" | "changeset_id"
>;
export type ChatView = With<Sent["ChatView"], { turns: TurnView[] }>;
/** What went wrong, in three parts a person can use. */
export type Fault = Pick<Sent["ErrorBody"], "code" | "message" | "hint">;

/** Every kind of event that the stream carries. */
export type EventKind = Sent[Extract<keyof Sent, `${string}Event`>]["kind"];
