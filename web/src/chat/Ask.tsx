/** The box in which one asks: grows with the text, Enter sends, and stops what runs. */
import { useEffect, useRef } from "react";
import { useChat } from "@/state/chat.ts";
import { useHouse } from "@/state/house.ts";
import { Icon } from "@/ui/Icon.tsx";
import { Menu } from "@/ui/Menu.tsx";

const TALLEST = 180;

export function Ask({ running }: { running: boolean }) {
  const { draft, write, send, stop, sending } = useChat();
  const box = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows from the text.
  useEffect(() => {
    const area = box.current;
    if (!area) return;
    area.style.height = "0";
    area.style.height = `${Math.min(TALLEST, area.scrollHeight)}px`;
  }, [draft]);
  const submit = () => {
    if (!running && !sending && draft.trim()) void send(draft.trim());
  };
  return (
    <form
      className="shrink-0 border-t border-line p-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="rounded-lg border border-line-strong bg-surface focus-within:border-accent focus-within:shadow-[0_0_0_1px_var(--accent)]">
        <textarea
          ref={box}
          id="request"
          aria-label="What should the flow do?"
          value={draft}
          rows={1}
          placeholder="Describe a change, or ask about the data…"
          onChange={(event) => write(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            submit();
          }}
          className="max-h-[180px] min-h-[44px] w-full resize-none bg-transparent px-3 pt-2.5 pb-1 text-sm outline-none"
        />
        <div className="flex items-center justify-between gap-2 px-2 pb-2">
          <Models />
          <span className="flex-1" />
          {running ? (
            <button
              type="button"
              aria-label="Stop the assistant"
              title="Stop"
              onClick={() => void stop()}
              className="flex size-7 items-center justify-center rounded-md border border-line-strong text-ink hover:bg-hover"
            >
              <Icon name="stop" size={14} />
            </button>
          ) : (
            <button
              type="submit"
              aria-label="Send"
              title="Send (Enter)"
              disabled={sending || draft.trim() === ""}
              className="flex size-7 items-center justify-center rounded-md bg-accent-fill text-on-accent hover:bg-accent-fill-hover disabled:bg-hover disabled:text-faint"
            >
              <Icon name="send" size={14} />
            </button>
          )}
        </div>
      </div>
    </form>
  );
}

function Models() {
  const models = useHouse((house) => house.about?.models) ?? [];
  const chosen = useChat((chat) => chat.model);
  const choose = useChat((chat) => chat.choose);
  const now = models.find((model) => model.name === chosen) ?? models[0];
  if (!now) return <span />;
  if (models.length === 1) return <span className="px-1 text-xs text-faint">{now.title}</span>;
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="flex h-7 items-center gap-1 rounded-md px-1.5 text-xs text-muted hover:bg-hover hover:text-ink"
        >
          {now.title}
          <Icon name="chevron-down" size={12} />
        </button>
      }
      items={models.map((model) => ({
        label: model.title,
        hint: model.hint,
        checked: model.name === now.name,
        onSelect: () => choose(model.name),
      }))}
    />
  );
}
