/** The only network code besides events.ts: one typed function a route. Refuses to keep state. */
import type { FlowDocument, Operation } from "@/flow/document.ts";
import type { NodeTypeView } from "@/flow/nodeType.ts";
import type {
  About,
  ChangesetView,
  ChatView,
  Fault,
  FileDescription,
  FileInfo,
  FlowSummary,
  FlowView,
  Preview,
  Received,
  RevisionView,
  RunView,
} from "./types.ts";

/** A refusal by the server, or its absence, in words for a person. */
export class ApiError extends Error {
  readonly fault: Fault;
  readonly status: number;

  constructor(status: number, fault: Fault) {
    super(fault.message);
    this.status = status;
    this.fault = fault;
  }
}

const UNREACHABLE: Fault = {
  code: "unreachable",
  message: "Headrace does not answer.",
  hint: "Look whether it still runs in its terminal; this page reconnects by itself.",
};

type Method = "GET" | "POST" | "PATCH" | "DELETE";

async function ask<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const init: RequestInit = { method, headers: { Accept: "application/json" } };
  if (method !== "GET") {
    init.headers = { ...init.headers, "Content-Type": "application/json", "X-Headrace": "1" };
    init.body = JSON.stringify(body ?? {});
  }
  const response = await fetch(`/api${path}`, init).catch(() => null);
  if (!response) throw new ApiError(0, UNREACHABLE);
  const answer: unknown = response.status === 204 ? null : await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(response.status, faultOf(answer, response.status));
  return answer as T;
}

function faultOf(answer: unknown, status: number): Fault {
  const fault = answer as Partial<Fault> | null;
  if (fault && typeof fault.message === "string")
    return { code: fault.code ?? "error", message: fault.message, hint: fault.hint ?? "" };
  if (status === 502 || status === 504) return UNREACHABLE;
  return {
    code: "error",
    message: `The server answered ${status}.`,
    hint: "Try again; reload the page if it stays so.",
  };
}

const flowPath = (flowId: string) => `/flows/${encodeURIComponent(flowId)}`;
const runPath = (runId: string, nodeId?: string) =>
  `/runs/${encodeURIComponent(runId)}${nodeId === undefined ? "" : `/nodes/${encodeURIComponent(nodeId)}`}`;

export const api = {
  about: () => ask<About>("GET", "/about"),
  nodeTypes: () => ask<NodeTypeView[]>("GET", "/node-types"),
  flows: () => ask<FlowSummary[]>("GET", "/flows"),
  createFlow: (body: { name: string; sample?: boolean; document?: FlowDocument }) =>
    ask<FlowView>("POST", "/flows", body),
  flow: (flowId: string) => ask<FlowView>("GET", flowPath(flowId)),
  deleteFlow: (flowId: string) => ask<unknown>("DELETE", flowPath(flowId)),
  edit: (flowId: string, operations: Operation[], message: string) =>
    ask<{ number: number }>("POST", `${flowPath(flowId)}/operations`, { operations, message }),
  undo: (flowId: string) => ask<{ number: number }>("POST", `${flowPath(flowId)}/undo`),
  redo: (flowId: string) => ask<{ number: number }>("POST", `${flowPath(flowId)}/redo`),
  revisions: (flowId: string) => ask<RevisionView[]>("GET", `${flowPath(flowId)}/revisions`),
  changesets: (flowId: string) => ask<ChangesetView[]>("GET", `${flowPath(flowId)}/changesets?status=proposed`),
  changeset: (id: string) => ask<ChangesetView>("GET", `/changesets/${encodeURIComponent(id)}`),
  approve: (id: string, body: { digest: string; only?: number[] }) =>
    ask<{ number: number }>("POST", `/changesets/${encodeURIComponent(id)}/approve`, body),
  reject: (id: string) => ask<ChangesetView>("POST", `/changesets/${encodeURIComponent(id)}/reject`),
  refresh: (id: string) => ask<ChangesetView>("POST", `/changesets/${encodeURIComponent(id)}/refresh`),
  run: (flowId: string, body: { to?: string; changeset_id?: string }) =>
    ask<RunView>("POST", `${flowPath(flowId)}/runs`, body),
  runs: (flowId: string) => ask<RunView[]>("GET", `${flowPath(flowId)}/runs`),
  runView: (runId: string) => ask<RunView>("GET", runPath(runId)),
  cancelRun: (runId: string) => ask<unknown>("POST", `${runPath(runId)}/cancel`),
  preview: (at: { runId: string; nodeId: string; offset: number; limit: number }) =>
    ask<Preview>("GET", `${runPath(at.runId, at.nodeId)}/preview?offset=${at.offset}&limit=${at.limit}`),
  sql: (flowId: string, nodeId: string, changesetId: string | null) =>
    ask<{ sql: string }>(
      "GET",
      `${flowPath(flowId)}/nodes/${encodeURIComponent(nodeId)}/sql${changesetId ? `?changeset_id=${encodeURIComponent(changesetId)}` : ""}`,
    ),
  amend: (id: string, operations: Operation[]) =>
    ask<ChangesetView>("POST", `/changesets/${encodeURIComponent(id)}/amend`, { operations }),
  files: () => ask<FileInfo[]>("GET", "/files"),
  describeFile: (path: string) => ask<FileDescription>("GET", `/files/describe?path=${encodeURIComponent(path)}`),
  bring: (body: { path: string; overwrite: boolean }) => ask<Received>("POST", "/files/uploads", body),
  bringPart: (uploadId: string, body: { at: number; content: string }) =>
    ask<Received>("POST", `/files/uploads/${encodeURIComponent(uploadId)}/parts`, body),
  keepBrought: (uploadId: string) => ask<FileInfo>("POST", `/files/uploads/${encodeURIComponent(uploadId)}/keep`),
  chats: (flowId: string) => ask<ChatView[]>("GET", `${flowPath(flowId)}/chats`),
  createChat: (flowId: string) => ask<ChatView>("POST", `${flowPath(flowId)}/chats`),
  chat: (chatId: string) => ask<ChatView>("GET", `/chats/${encodeURIComponent(chatId)}`),
  send: (chatId: string, body: { text: string; model?: string }) =>
    ask<{ turn_id: string }>("POST", `/chats/${encodeURIComponent(chatId)}/messages`, body),
  cancelTurn: (turnId: string) => ask<unknown>("POST", `/turns/${encodeURIComponent(turnId)}/cancel`),
};

/** Return the address of a node's chart as an image. */
export function chartAddress(runId: string, nodeId: string, options: { format: "svg" | "png"; dark: boolean }): string {
  return `/api${runPath(runId, nodeId)}/chart.${options.format}${options.dark ? "?dark=true" : ""}`;
}
