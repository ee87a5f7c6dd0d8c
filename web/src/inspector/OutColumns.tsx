/** The columns that come out of a node, known without running it. */
import { counted, typeWords } from "@/flow/look.ts";
import { useShown } from "@/state/shown.ts";
import { Icon } from "@/ui/Icon.tsx";

export function OutColumns({ nodeId }: { nodeId: string }) {
  const columns = Object.values(useShown().columns[nodeId] ?? {})[0];
  if (!columns || columns.length === 0) return null;
  return (
    <details className="group mt-6 border-t border-line pt-3">
      <summary className="flex cursor-pointer list-none items-center gap-1.5 rounded-sm text-xs font-medium text-muted hover:text-ink">
        <Icon name="chevron-right" size={12} className="transition-transform group-open:rotate-90" />
        {counted(columns.length, "column")} out
      </summary>
      <ul className="mt-2 flex flex-col gap-0.5 text-xs">
        {columns.map((column) => (
          <li key={column.name} className="flex justify-between gap-2">
            <span className="truncate">{column.name}</span>
            <span className="text-faint">{typeWords(column.type)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
