/** The shapes that the server sends, by the names that the app uses. They come from its OpenAPI document; only what JSON holds
 * freely (documents, patches, operations, cells) is said more closely here. */
import type { ColumnsByPort, Diagnostic, FlowDocument, Json, Operation, Patch } from "@/flow/document.ts";
import type { components } from "./schema.gen.ts";

type Shapes = components["schemas"];
/** A shape with some fields said more closely, and with those present that the server always sends. */
type With<Shape, Closer> = Omit<Shape, keyof Closer> & Closer;

export type About = Shapes["About"];
export type FlowSummary = Shapes["FlowSummary"];
export type FlowView = With<
  Shapes["FlowView"],
  { document: FlowDocument; diagnostics: Diagnostic[]; columns: ColumnsByPort }
>;
export type RevisionView = Shapes["RevisionView"];
/** Without the words of the patch: the app tells of the operations, and a change that grows keeps no words that are stale. */
export type ChangesetView = With<
  Omit<Shapes["ChangesetView"], "changes">,
  {
    operations: Operation[];
    patch: Patch;
    diagnostics: Diagnostic[];
    introduced: Diagnostic[];
    columns: ColumnsByPort;
    amended: number;
    titles: Record<string, string>;
    revision: number | null;
    landed: number[] | null;
  }
>;
type NodeRunView = With<Shapes["NodeRunView"], { diagnostic: Diagnostic | null }>;
export type RunView = With<
  Shapes["RunView"],
  {
    changeset_id: string | null;
    ms: number | null;
    answer: string | null;
    nodes: Record<string, NodeRunView>;
  }
>;
export type Preview = With<Shapes["PreviewView"], { rows: Json[][] }>;
export type FileInfo = Shapes["FileInfo"];
export type Received = Shapes["ReceivedView"];
export type FileDescription = Shapes["FileDescription"];
export type TurnStatus = Shapes["TurnView"]["status"];
/** A call of a tool, as a line of what the assistant did. */
export interface ToolLine {
  call_id: string;
  name: string;
  state: Shapes["TurnToolData"]["state"];
  summary: string;
}
/** What a turn cost, as far as the model tells it. */
export interface Usage {
  rounds?: number;
  input_tokens?: number;
  output_tokens?: number;
}
/** What of a turn left for a model's provider. */
export interface Sent {
  provider: string;
  kinds: string[];
  bytes: number;
  requests: number;
}
export type TurnView = Pick<
  With<
    Shapes["TurnView"],
    {
      account: unknown;
      changeset_id: string | null;
      tools: ToolLine[];
      usage: Usage;
      claims: string[];
      sent: Sent | null;
    }
  >,
  | "turn_id"
  | "request"
  | "model"
  | "status"
  | "reply"
  | "tools"
  | "account"
  | "changeset_id"
  | "usage"
  | "claims"
  | "sent"
  | "created_at"
  | "updated_at"
>;
export type ChatView = With<Shapes["ChatView"], { turns: TurnView[] }>;
/** What went wrong, in three parts a person can use. */
export type Fault = Pick<Shapes["ErrorBody"], "code" | "message" | "hint">;

/** Every kind of event that the stream carries. */
export type EventKind = Shapes[Extract<keyof Shapes, `${string}Event`>]["kind"];
