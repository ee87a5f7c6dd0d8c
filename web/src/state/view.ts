/** What this window shows: the page, the panels, the selection, the one quiet notice. Owns nothing that the server keeps. */
import { create } from "zustand";
import type { Connection } from "@/api/events.ts";
import type { PortRef } from "@/flow/document.ts";
import { load, save } from "./memory.ts";

export type Theme = "auto" | "light" | "dark";
type SideTab = "assistant" | "configure";
export type DrawerTab = "table" | "chart" | "sql" | "problems" | "runs";

/** Where the type-to-add palette was called from. */
export interface AddRequest {
  /** The port that the new node is to take its data from. */
  from?: PortRef;
  /** The edge that the new node is to be put into. */
  between?: { source: PortRef; target: PortRef };
  /** The place on the canvas, in the flow's own units. */
  at?: { x: number; y: number };
}
export interface Notice {
  text: string;
  hint?: string;
  tone: "plain" | "bad";
  action?: { label: string; run: () => void };
}

interface View {
  flowId: string | null;
  theme: Theme;
  side: SideTab;
  sideWidth: number;
  railOpen: boolean;
  drawerOpen: boolean;
  drawerTab: DrawerTab;
  drawerHeight: number;
  selected: string[];
  adding: AddRequest | null;
  commands: boolean;
  help: boolean;
  notice: Notice | null;
  connection: Connection;
  /** Node to bring into sight; the number makes asking twice two requests. */
  focus: { nodeId: string; turn: number } | null;
  set: (change: Partial<View>) => void;
  go: (flowId: string | null) => void;
  select: (nodeIds: string[]) => void;
  show: (nodeId: string) => void;
  setTheme: (theme: Theme) => void;
  say: (notice: Notice) => void;
}

const KEPT = ["side", "sideWidth", "railOpen", "drawerOpen", "drawerTab", "drawerHeight"] as const;

/** Return the flow id in the page's address; null: the list of flows. */
export function flowIdIn(path: string): string | null {
  const match = /^\/flows\/([^/]+)\/?$/.exec(path);
  return match?.[1] ? decodeURIComponent(match[1]) : null;
}

export const useView = create<View>((set, get) => ({
  flowId: flowIdIn(window.location.pathname),
  theme: load<Theme>("theme", "auto"),
  side: "assistant",
  sideWidth: 348,
  railOpen: false,
  drawerOpen: true,
  drawerTab: "table",
  drawerHeight: 248,
  ...load<Partial<View>>("view", {}),
  selected: [],
  adding: null,
  commands: false,
  help: false,
  notice: null,
  connection: "connecting",
  focus: null,
  set: (change) => {
    set(change);
    if (KEPT.some((key) => key in change)) {
      const now = get();
      save("view", Object.fromEntries(KEPT.map((key) => [key, now[key]])));
    }
  },
  go: (flowId) => {
    if (flowId === get().flowId) return;
    window.history.pushState(null, "", flowId === null ? "/" : `/flows/${encodeURIComponent(flowId)}`);
    set({ flowId, selected: [], adding: null, notice: null });
  },
  select: (selected) => {
    const before = get().selected;
    if (before.length === selected.length && before.every((id, index) => id === selected[index])) return;
    set({ selected });
  },
  show: (nodeId) => set({ selected: [nodeId], focus: { nodeId, turn: (get().focus?.turn ?? 0) + 1 } }),
  setTheme: (theme) => {
    save("theme", theme);
    applyTheme(theme);
    set({ theme });
  },
  say: (notice) => set({ notice }),
}));

/** Make the page follow a theme. */
export function applyTheme(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Return whether the page is dark now. */
export function isDark(theme: Theme): boolean {
  return theme === "dark" || (theme === "auto" && window.matchMedia("(prefers-color-scheme: dark)").matches);
}
