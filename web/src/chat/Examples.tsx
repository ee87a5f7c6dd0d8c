/** The empty chat: what one can ask, with the names of the columns that are really there. */
import { useEffect, useMemo } from "react";
import { exampleRequests } from "@/flow/examples.ts";
import { useChat } from "@/state/chat.ts";
import { useFlow } from "@/state/flow.ts";
import { isFault, useHouse } from "@/state/house.ts";

export function Examples() {
  const files = useHouse((house) => house.files);
  const described = useHouse((house) => house.described);
  const columns = useFlow((flow) => flow.columns);
  const nodes = useFlow((flow) => flow.document.nodes);
  const write = useChat((chat) => chat.write);
  const first = files?.[0];
  const inFlow = useMemo(() => {
    const reader = Object.entries(nodes).find(([id, node]) => node.type === "read_file" && columns[id]);
    return reader
      ? {
          name: String(reader[1].config.path ?? "the table"),
          columns: Object.values(columns[reader[0]] ?? {})[0] ?? [],
        }
      : null;
  }, [nodes, columns]);
  useEffect(() => {
    if (!inFlow && first) void useHouse.getState().describe(first.path);
  }, [inFlow, first]);
  const about = first ? described[first.path] : undefined;
  const table = inFlow ?? (about && !isFault(about) && first ? { name: first.name, columns: about.columns } : null);
  const requests = table ? exampleRequests(table.name, table.columns) : [];
  return (
    <div className="appear">
      <h2 className="text-sm font-semibold">What would you like to know?</h2>
      <p className="mt-1 text-sm text-muted">
        Say it in plain words. You see what would change, here and on the canvas, before anything is applied.
      </p>
      {requests.length > 0 && (
        <ul className="mt-4 flex flex-col gap-1.5" aria-label="Examples">
          {requests.map((request) => (
            <li key={request}>
              <button
                type="button"
                onClick={() => {
                  write(request);
                  document.getElementById("request")?.focus();
                }}
                className="w-full rounded-lg border border-line px-3 py-2 text-left text-sm hover:border-line-strong hover:bg-hover"
              >
                {request}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
