/** The flow's name: a heading that can be typed into. */
import { useEffect, useState } from "react";
import { useFlow } from "@/state/flow.ts";

export function FlowName() {
  const name = useFlow((flow) => flow.document.name);
  const edit = useFlow((flow) => flow.edit);
  const ready = useFlow((flow) => flow.status === "ready");
  const [text, setText] = useState(name);
  useEffect(() => setText(name), [name]);
  const keep = () => {
    const wanted = text.trim();
    if (!wanted) setText(name);
    else if (wanted !== name) void edit([{ op: "set_name", name: wanted }], `Renamed the flow to ${wanted}`);
  };
  return (
    <h1 className="min-w-0">
      <input
        aria-label="Name of the flow"
        value={text}
        disabled={!ready}
        placeholder={ready ? "Name this flow" : ""}
        maxLength={120}
        size={Math.min(40, Math.max(8, text.length + 1))}
        onChange={(event) => setText(event.target.value)}
        onBlur={keep}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.currentTarget.blur();
          if (event.key === "Escape") {
            setText(name);
            event.currentTarget.blur();
          }
        }}
        className="h-8 max-w-full min-w-16 truncate [field-sizing:content] rounded-md bg-transparent px-2 text-sm font-semibold hover:bg-hover focus:bg-surface"
      />
    </h1>
  );
}
