/** The open flow as the server last told it. Owns no edit: it asks, and follows the patches that come back. */
import { create } from "zustand";
import { api } from "@/api/client.ts";
import type { Fault, FlowView } from "@/api/types.ts";
import { applyPatch } from "@/flow/applyPatch.ts";
import {
  type ColumnsByPort,
  type Diagnostic,
  EMPTY_DOCUMENT,
  type FlowDocument,
  type Operation,
  type Patch,
} from "@/flow/document.ts";
import { faultIn, report } from "./report.ts";

export interface Committed {
  number: number;
  hash: string;
  patch: Patch;
  author: string;
  message: string;
  reverts: number | null;
  changeset_id: string | null;
  /** Null: as they were. */
  diagnostics: Diagnostic[] | null;
  /** Of the nodes whose columns became others. */
  columns: ColumnsByPort;
}

interface FlowState {
  flowId: string | null;
  number: number;
  hash: string;
  document: FlowDocument;
  diagnostics: Diagnostic[];
  columns: ColumnsByPort;
  status: "loading" | "ready" | "missing";
  fault: Fault | null;
  canUndo: boolean;
  canRedo: boolean;
  open: (flowId: string) => Promise<boolean>;
  close: () => void;
  take: (view: FlowView) => void;
  committed: (event: Committed) => void;
  edit: (operations: Operation[], message: string) => Promise<boolean>;
  undo: () => Promise<void>;
  redo: () => Promise<void>;
}

const BLANK = {
  flowId: null,
  number: 0,
  hash: "",
  document: EMPTY_DOCUMENT,
  diagnostics: [],
  columns: {},
  status: "loading" as const,
  fault: null,
  canUndo: false,
  canRedo: false,
};

export const useFlow = create<FlowState>((set, get) => ({
  ...BLANK,
  open: async (flowId) => {
    set({ ...BLANK, flowId });
    try {
      get().take(await api.flow(flowId));
      return true;
    } catch (error) {
      if (get().flowId === flowId) set({ status: "missing", fault: faultIn(error) });
      return false;
    }
  },
  close: () => set(BLANK),
  take: (view) => {
    const now = get();
    if (now.flowId !== view.flow_id || (now.status === "ready" && view.number < now.number)) return;
    const { number, hash, document, diagnostics, columns } = view;
    const { can_undo: canUndo, can_redo: canRedo } = view;
    set({ number, hash, document, diagnostics, columns, canUndo, canRedo, status: "ready", fault: null });
  },
  committed: (event) => {
    const now = get();
    if (now.status !== "ready" || event.number <= now.number) return;
    const next =
      event.number === now.number + 1 ? (applyPatch(now.document, event.patch) as FlowDocument | null) : null;
    if (!next) {
      // A gap, or a patch that does not fit: ask for the whole instead of guessing.
      if (now.flowId) void api.flow(now.flowId).then(get().take, report);
      return;
    }
    set({
      number: event.number,
      hash: event.hash,
      document: next,
      diagnostics: event.diagnostics ?? now.diagnostics,
      columns: columnsAfter(now.columns, event.columns, next),
      canUndo: true,
      canRedo: event.reverts !== null,
    });
    if (event.reverts !== null) void lookAtReach(event.number);
  },
  edit: async (operations, message) => {
    const { flowId } = get();
    if (!flowId || operations.length === 0) return false;
    try {
      await api.edit(flowId, operations, message);
      return true;
    } catch (error) {
      report(error);
      return false;
    }
  },
  undo: async () => {
    const { flowId } = get();
    if (flowId) await api.undo(flowId).catch(report);
  },
  redo: async () => {
    const { flowId } = get();
    if (flowId) await api.redo(flowId).catch(report);
  },
}));

/** Return the columns with those that became others, without those of nodes that are gone. */
function columnsAfter(before: ColumnsByPort, news: ColumnsByPort, document: FlowDocument): ColumnsByPort {
  const all = { ...before, ...news };
  return Object.fromEntries(Object.entries(all).filter(([id]) => id in document.nodes));
}

/** After something was taken back, ask what can still be taken back or brought back. */
async function lookAtReach(number: number): Promise<void> {
  const { flowId } = useFlow.getState();
  const view = flowId ? await api.flow(flowId).catch(() => null) : null;
  if (view && view.number === number && useFlow.getState().number === number)
    useFlow.setState({ canUndo: view.can_undo, canRedo: view.can_redo });
}
