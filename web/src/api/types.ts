/** The shapes that the server sends and takes. Owns names for the web app; the server's OpenAPI document is the source. */
import type { Column, ColumnsByPort, Diagnostic, FlowDocument, Json, Operation, Patch } from "@/flow/document.ts";

export interface About {
  version: string;
  models: { name: string; title: string; hint: string }[];
  actor: string;
  data_folder_name: string;
}
export interface FlowSummary {
  flow_id: string;
  name: string;
  number: number;
  created_at: string;
  updated_at: string;
}
export interface FlowView extends FlowSummary {
  hash: string;
  document: FlowDocument;
  diagnostics: Diagnostic[];
  columns: ColumnsByPort;
  can_undo: boolean;
  can_redo: boolean;
}
export interface RevisionView {
  number: number;
  hash: string;
  author: string;
  approved_by: string | null;
  message: string;
  reverts: number | null;
  changeset_id: string | null;
  created_at: string;
  words: string[];
}
export type ChangesetStatus = "draft" | "proposed" | "approved" | "rejected" | "conflicted";
export interface ChangesetView {
  changeset_id: string;
  flow_id: string;
  base_revision: number;
  status: ChangesetStatus;
  author: string;
  summary: string;
  operations: Operation[];
  /** One sentence for each operation. */
  words: string[];
  patch: Patch;
  digest: string;
  /** What the patch changes, a sentence each. */
  changes: string[];
  diagnostics: Diagnostic[];
  /** Those that the flow does not have today. */
  introduced: Diagnostic[];
  columns: ColumnsByPort;
  conflicts: { path: string[]; reason: string }[];
  revision: number | null;
  /** Indexes of the operations that landed, where not all did. */
  landed: number[] | null;
  replaced_by: string | null;
  turn_id: string | null;
}
export type RunStatus = "queued" | "running" | "succeeded" | "failed" | "cancelled" | "lost";
export interface RunView {
  run_id: string;
  flow_id: string;
  number: number;
  changeset_id: string | null;
  to: string | null;
  dry_run: boolean;
  note: string;
  status: RunStatus;
  ms: number | null;
  answer: string | null;
  nodes: Record<string, NodeRunView>;
  created_at: string;
}
export interface NodeRunView {
  status: "waiting" | "running" | "succeeded" | "failed" | "skipped";
  rows: number | null;
  columns: number | null;
  ms: number | null;
  summary: string;
  fraction: number | null;
  diagnostic: Diagnostic | null;
  because: string | null;
}
export interface Preview {
  columns: Column[];
  rows: Json[][];
  offset: number;
  /** How many rows of it can be looked at. */
  kept: number;
  total: number | null;
}
export interface FileInfo {
  name: string;
  path: string;
  size: number;
  modified: string;
}
export interface FileDescription {
  path: string;
  format: string;
  columns: Column[];
  rows: Json[][];
  notes: string[];
}
export interface Clause {
  words: string;
  became: string;
}
export interface ToolLine {
  call_id: string;
  name: string;
  state: "started" | "finished" | "failed";
  summary: string;
}
export type TurnStatus = "running" | "answered" | "failed" | "stopped" | "lost";
export interface TurnView {
  turn_id: string;
  request: string;
  model: string;
  status: TurnStatus;
  reply: string;
  tools: ToolLine[];
  /** What each clause of the request became; models that give none leave it null. */
  account: unknown;
  changeset_id: string | null;
}
export interface ChatView {
  chat_id: string;
  flow_id: string;
  title: string;
  turns: TurnView[];
}
/** What went wrong, in three parts a person can use. */
export interface Fault {
  code: string;
  message: string;
  hint: string;
  request_id?: string;
}
