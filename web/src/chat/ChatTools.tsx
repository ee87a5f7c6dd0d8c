/** Beside the assistant's tab: a new chat, and the earlier ones about this flow. */
import { ago } from "@/flow/look.ts";
import { runningTurn, useChat } from "@/state/chat.ts";
import { useView } from "@/state/view.ts";
import { IconButton } from "@/ui/Button.tsx";
import { Menu } from "@/ui/Menu.tsx";

const MOST = 20;

export function ChatTools() {
  const { chats, chatId, turns, anew, open, relist } = useChat();
  const show = useView((view) => view.set);
  const begun = turns.length > 0;
  const earlier = chats.filter((chat) => chat.title || chat.chat_id === chatId).slice(0, MOST);
  const look = (action: () => void) => () => {
    show({ side: "assistant" });
    action();
  };
  return (
    <div className="ml-auto flex items-center">
      {earlier.some((chat) => chat.chat_id !== chatId) && (
        <Menu
          trigger={<IconButton icon="clock" label="Earlier chats" small onPointerDown={() => void relist()} />}
          items={earlier.map((chat) => ({
            key: chat.chat_id,
            label: chat.title || "This chat",
            hint: ago(chat.updated_at),
            checked: chat.chat_id === chatId,
            onSelect: look(() => void open(chat.chat_id)),
          }))}
        />
      )}
      {begun && (
        <IconButton
          icon="plus"
          label="New chat"
          small
          disabled={runningTurn(turns) !== null}
          onClick={look(() => {
            anew();
            void relist();
            document.getElementById("request")?.focus();
          })}
        />
      )}
    </div>
  );
}
