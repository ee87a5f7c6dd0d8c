/** The columns that arrive at a node's port. */
import { useMemo } from "react";
import type { Column, ColumnsByPort, FlowDocument } from "@/flow/document.ts";
import { typeWords } from "@/flow/look.ts";
import { useShown } from "@/state/shown.ts";
import type { Option } from "@/ui/Combo.tsx";

export function useColumns(nodeId: string, port: string): Column[] {
  const { document, columns } = useShown();
  return useMemo(() => columnsAt(document, columns, { node: nodeId, port }), [document, columns, nodeId, port]);
}

/** Return the columns arriving at a port, each name once; of every input where the port is not one of the node's. */
function columnsAt(document: FlowDocument, columns: ColumnsByPort, at: { node: string; port: string }): Column[] {
  const into = Object.values(document.edges).filter((edge) => edge.target.node === at.node);
  const here = into.filter((edge) => edge.target.port === at.port);
  const found = new Map<string, Column>();
  for (const edge of here.length > 0 ? here : into)
    for (const column of columns[edge.source.node]?.[edge.source.port] ?? [])
      if (!found.has(column.name)) found.set(column.name, column);
  return [...found.values()];
}

export function columnOptions(columns: Column[]): Option[] {
  return columns.map((column) => ({ value: column.name, hint: typeWords(column.type) }));
}
