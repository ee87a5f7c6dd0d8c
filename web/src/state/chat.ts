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
  /** Begin a new chat; the earlier ones are kept. */
  anew: () => Promise<void>;
}

const BLANK = { flowId: null, chatId: null, turns: [], draft: "", sending: false, loaded: false, retold: null };

export const useChat = create<Chat>((set, get) => ({
  ...BLANK,
  model: load<string | null>("model", null),
  begin: async (flowId) => {
    set({ ...BLANK, flowId });
    try {
      const chats = await api.chats(flowId);
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
  anew: async () => {
    const { flowId } = get();
    const chat = flowId ? await tried(api.createChat(flowId)) : null;
    if (chat) set({ chatId: chat.chat_id, turns: [], retold: null });
  },
}));

function take(view: ChatView): void {
  useChat.setState({ chatId: view.chat_id, turns: turnsFrom(view.turns, useChat.getState().turns) });
}

/** Return the turn that is going on, if any. */
export function runningTurn(turns: Turn[]): Turn | null {
  return turns.find((turn) => turn.status === "running") ?? null;
}
