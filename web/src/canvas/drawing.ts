/** While an edge is being drawn: which ports could take it. */
import { create } from "zustand";
import type { FlowDocument, PortRef } from "@/flow/document.ts";
import { type Catalog, whyNot } from "@/flow/nodeType.ts";

interface Drawing {
  /** `in/node/port` → why not; an empty text means that it fits. Null: nothing is being drawn. */
  verdicts: Record<string, string> | null;
  begin: (document: FlowDocument, catalog: Catalog, from: PortRef & { end: "in" | "out" }) => void;
  finish: () => void;
}

export const useDrawing = create<Drawing>((set) => ({
  verdicts: null,
  begin: (document, catalog, from) => {
    const verdicts: Record<string, string> = {};
    const end = from.end === "out" ? "in" : "out";
    for (const [id, node] of Object.entries(document.nodes)) {
      const type = catalog.get(node.type);
      for (const port of (end === "in" ? type?.inputs : type?.outputs) ?? []) {
        const here = { node: id, port: port.name };
        const reason = end === "in" ? whyNot(document, catalog, from, here) : whyNot(document, catalog, here, from);
        verdicts[`${end}/${id}/${port.name}`] = reason ?? "";
      }
    }
    set({ verdicts });
  },
  finish: () => set({ verdicts: null }),
}));
