/** The assistant: the turns of the chat, and the box in which one asks. The review of a change is handed in. */
import { type ReactNode, useEffect, useRef } from "react";
import { runningTurn, useChat } from "@/state/chat.ts";
import type { Turn } from "@/state/chatState.ts";
import { useReview } from "@/state/review.ts";
import { Skeleton } from "@/ui/Empty.tsx";
import { Ask } from "./Ask.tsx";
import { Examples } from "./Examples.tsx";
import { TurnView } from "./TurnView.tsx";

export function ChatPanel({ review }: { review: (changesetId: string) => ReactNode }) {
  const turns = useChat((chat) => chat.turns);
  const loaded = useChat((chat) => chat.loaded);
  const running = runningTurn(turns);
  const foot = useStickToFoot(turns);
  const openId = useReview((review) => review.openId);
  const loose = openId !== null && !turns.some((turn) => turn.changeset_id === openId);
  return (
    <div className="flex h-full flex-col">
      <div
        ref={foot}
        className="min-h-0 flex-1 overflow-y-auto px-4 py-4"
        role="log"
        aria-label="Chat with the assistant"
      >
        {!loaded && <Skeleton rows={4} />}
        {loaded && turns.length === 0 && <Examples />}
        <ol className="flex flex-col gap-6">
          {turns.map((turn, index) => (
            <TurnView key={turn.turn_id} turn={turn} review={isLast(turns, index) ? review : null} />
          ))}
        </ol>
        {loaded && loose && (
          <div className="mt-6 flex flex-col gap-2">
            <p className="text-xs text-muted">From an earlier chat, and still waiting for you:</p>
            {review(openId)}
          </div>
        )}
      </div>
      <Ask running={running !== null} />
    </div>
  );
}

/** A change that several turns worked on is reviewed where it was worked on last. */
function isLast(turns: Turn[], index: number): boolean {
  const id = turns[index]?.changeset_id;
  return !turns.some((turn, other) => other > index && turn.changeset_id === id);
}

/** Keep the newest in sight, unless the reader has scrolled up to read something older. */
function useStickToFoot(watched: unknown) {
  const ref = useRef<HTMLDivElement>(null);
  const atFoot = useRef(true);
  useEffect(() => {
    const area = ref.current;
    if (!area) return;
    const onScroll = () => {
      atFoot.current = area.scrollHeight - area.scrollTop - area.clientHeight < 60;
    };
    const grown = new ResizeObserver(() => {
      if (atFoot.current) area.scrollTop = area.scrollHeight;
    });
    area.addEventListener("scroll", onScroll, { passive: true });
    for (const child of area.children) grown.observe(child);
    return () => {
      area.removeEventListener("scroll", onScroll);
      grown.disconnect();
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is watched is what makes the content grow.
  useEffect(() => {
    const area = ref.current;
    if (area && atFoot.current) area.scrollTop = area.scrollHeight;
  }, [watched]);
  return ref;
}
