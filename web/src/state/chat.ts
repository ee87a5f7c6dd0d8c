/** The chat about the open flow: its turns, and the request that is being written. */
import { create } from "zustand";
import { api } from "@/api/client.ts";
import type { ChatView } from "@/api/types.ts";
import { blankTurn, type ChatEvent, type Turn, turnsAfter, turnsFrom } from "./chatState.ts";
import { load, save } from "./memory.ts";
import { report, tried } from "./report.ts";

interface Chat {
  flowId: string | null;
  chatId: string | null;
  /** The chats about this flow, the latest first, without their turns. */
  chats: ChatView[];
  turns: Turn[];
  draft: string;
  model: string | null;
  sending: boolean;
  loaded: boolean;
  begin: (flowId: string) => Promise<void>;
  close: () => void;
  reload: () => Promise<void>;
  /** A turn whose beginning this page has not heard: it is told from another stream, from its first event on. */
  retold: string | null;
  again: (turnId: string) => void;
  heard: (event: ChatEvent, from?: "again") => void;
  write: (draft: string) => void;
  choose: (model: string) => void;
  send: (text: string) => Promise<void>;
  stop: () => Promise<void>;
  /** Begin a new chat; the earlier ones are kept, and the new one once something is said in it. */
  anew: () => void;
  /** Go on with an earlier chat. */
  open: (chatId: string) => Promise<void>;
  relist: () => Promise<void>;
}

const BLANK = {
  flowId: null,
  chatId: null,
  chats: [],
  turns: [],
  draft: "",
  sending: false,
  loaded: false,
  retold: null,
};

export const useChat = create<Chat>((set, get) => ({
  ...BLANK,
  model: load<string | null>("model", null),
  begin: async (flowId) => {
    set({ ...BLANK, flowId });
    try {
      const chats = await api.chats(flowId);
      if (get().flowId === flowId) set({ chats });
      const latest = chats[0];
      if (latest && get().flowId === flowId) take(await api.chat(latest.chat_id));
    } catch (error) {
      report(error);
    } finally {
      set({ loaded: true });
    }
  },
  close: () => set(BLANK),
  reload: async () => {
    const { chatId } = get();
    if (chatId) take(await api.chat(chatId));
  },
  again: (turnId) => {
    const turns = get().turns.map((turn) =>
      turn.turn_id === turnId ? { ...blankTurn(turnId), request: turn.request, model: turn.model } : turn,
    );
    set({ retold: turnId, turns });
  },
  heard: (event, from) => {
    if (event.turn_id === get().retold && from !== "again") return;
    if (!isHere(event)) return;
    set({ turns: turnsAfter(get().turns, event) });
  },
  write: (draft) => set({ draft }),
  choose: (model) => {
    save("model", model);
    set({ model });
  },
  send: async (text) => {
    const { flowId, model } = get();
    if (!flowId || get().sending || text.trim() === "") return;
    set({ sending: true });
    try {
      const chatId = get().chatId ?? (await api.createChat(flowId)).chat_id;
      set({ chatId });
      const { turn_id } = await api.send(chatId, model ? { text, model } : { text });
      if (!get().chats.some((chat) => chat.chat_id === chatId)) void get().relist();
      const turns = get().turns;
      const known = turns.some((turn) => turn.turn_id === turn_id);
      set({
        draft: "",
        turns: known
          ? turns.map((turn) => (turn.turn_id === turn_id && !turn.request ? { ...turn, request: text } : turn))
          : [...turns, { ...blankTurn(turn_id), request: text }],
      });
    } catch (error) {
      report(error);
    } finally {
      set({ sending: false });
    }
  },
  stop: async () => {
    const running = get().turns.find((turn) => turn.status === "running");
    if (running) await api.cancelTurn(running.turn_id).catch(report);
  },
  anew: () => set({ chatId: null, turns: [], retold: null }),
  open: async (chatId) => {
    if (chatId === get().chatId) return;
    const view = await tried(api.chat(chatId));
    if (!view || view.flow_id !== get().flowId) return;
    set({ chatId, turns: turnsFrom(view.turns, []), retold: null });
  },
  relist: async () => {
    const { flowId } = get();
    const chats = flowId ? await api.chats(flowId).catch(() => null) : null;
    if (chats && get().flowId === flowId) set({ chats });
  },
}));

function take(view: ChatView): void {
  useChat.setState({ chatId: view.chat_id, turns: turnsFrom(view.turns, useChat.getState().turns) });
}

/** Return whether an event tells of the chat on the page: several may go on about one flow, in several windows. */
function isHere(event: ChatEvent): boolean {
  const { chatId, turns } = useChat.getState();
  if (turns.some((turn) => turn.turn_id === event.turn_id)) return true;
  if (event.kind !== "turn.started") return false;
  if (chatId === null && event.chat_id) useChat.setState({ chatId: event.chat_id });
  return chatId === null || !event.chat_id || event.chat_id === chatId;
}

/** Return the turn that is going on, if any. */
export function runningTurn(turns: Turn[]): Turn | null {
  return turns.find((turn) => turn.status === "running") ?? null;
}
