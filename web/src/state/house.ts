/** What does not depend on the open flow: the server, its node types, its files, the list of flows. */
import { create } from "zustand";
import { api } from "@/api/client.ts";
import type { About, Fault, FileDescription, FileInfo, FlowSummary } from "@/api/types.ts";
import type { FlowDocument } from "@/flow/document.ts";
import type { Catalog, NodeTypeView } from "@/flow/nodeType.ts";
import { faultIn, tried } from "./report.ts";
import { useView } from "./view.ts";

interface NewFlow {
  name: string;
  /** The sample, with its data. */
  sample?: boolean;
  document?: FlowDocument;
}

export const UNTITLED: NewFlow = { name: "Untitled flow" };
export const SAMPLE: NewFlow = { name: "Corner shop", sample: true };

interface House {
  about: About | null;
  types: NodeTypeView[];
  catalog: Catalog;
  flows: FlowSummary[] | null;
  files: FileInfo[] | null;
  described: Record<string, FileDescription | Fault>;
  fault: Fault | null;
  load: () => Promise<void>;
  loadFlows: () => Promise<void>;
  loadFiles: () => Promise<void>;
  describe: (path: string) => Promise<void>;
  /** Forget what is known of files that are others now. */
  forget: (paths: string[]) => void;
  create: (flow: NewFlow) => Promise<void>;
  remove: (flow: FlowSummary) => Promise<void>;
}

export const useHouse = create<House>((set, get) => ({
  about: null,
  types: [],
  catalog: new Map(),
  flows: null,
  files: null,
  described: {},
  fault: null,
  load: async () => {
    try {
      const [about, types] = await Promise.all([api.about(), api.nodeTypes()]);
      set({ about, types, catalog: new Map(types.map((type) => [type.name, type])), fault: null });
    } catch (error) {
      set({ fault: faultIn(error) });
    }
  },
  loadFlows: async () => {
    try {
      set({ flows: await api.flows(), fault: null });
    } catch (error) {
      set({ fault: faultIn(error) });
    }
  },
  loadFiles: async () => {
    try {
      set({ files: await api.files() });
    } catch {
      set({ files: get().files ?? [] });
    }
  },
  describe: async (path) => {
    if (!path || get().described[path]) return;
    const answer = await api.describeFile(path).catch(faultIn);
    set({ described: { ...get().described, [path]: answer } });
  },
  forget: (paths) => {
    const described = Object.fromEntries(Object.entries(get().described).filter(([path]) => !paths.includes(path)));
    set({ described });
  },
  create: async (wanted) => {
    const flow = await tried(api.createFlow(wanted));
    if (flow) useView.getState().go(flow.flow_id);
  },
  remove: async (flow) => {
    const gone = await tried(api.deleteFlow(flow.flow_id).then(() => true));
    if (gone) set({ flows: (get().flows ?? []).filter((other) => other.flow_id !== flow.flow_id) });
  },
}));

/** Return whether a described file is a fault rather than a description. */
export function isFault(value: FileDescription | Fault): value is Fault {
  return "code" in value && "message" in value;
}
