/** The node's title, typed in place. */
import { useEffect, useState } from "react";
import { useEdit } from "@/state/acting.ts";
import { useShown } from "@/state/shown.ts";

export function Title({ nodeId, fallback }: { nodeId: string; fallback: string }) {
  const title = useShown().document.nodes[nodeId]?.title ?? "";
  const edit = useEdit(nodeId);
  const [text, setText] = useState(title);
  useEffect(() => setText(title), [title]);
  const keep = () => {
    const wanted = text.trim();
    if (wanted !== title)
      void edit([{ op: "set_title", node_id: nodeId, title: wanted }], `Named a node ${wanted || fallback}`);
  };
  return (
    <input
      aria-label="Title of the node"
      value={text}
      placeholder={fallback}
      maxLength={120}
      onChange={(event) => setText(event.target.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
        if (event.key === "Escape") setText(title);
      }}
      className="w-full rounded-sm bg-transparent px-1 text-sm font-semibold placeholder:text-ink hover:bg-hover focus:bg-surface"
    />
  );
}
