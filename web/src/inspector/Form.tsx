/** The fields of a config, each with its control, its help and its faults; the rarer ones folded away. */
import type { Diagnostic, Json } from "@/flow/document.ts";
import { type Field, isMain } from "@/flow/forms.ts";
import { useShown } from "@/state/shown.ts";
import { Icon } from "@/ui/Icon.tsx";
import { Faults } from "./Faults.tsx";
import { FieldRow } from "./FieldRow.tsx";
import { useDraft } from "./useDraft.ts";

interface Props {
  nodeId: string;
  fields: Field[];
  title: string;
}

const NO_DIAGNOSTICS: Diagnostic[] = [];

export function Form({ nodeId, fields, title }: Props) {
  const { draft, set } = useDraft(nodeId, fields, title);
  const { document, diagnostics } = useShown();
  const kept = document.nodes[nodeId]?.config;
  const mine = diagnostics.filter((one) => one.where.node === nodeId && one.severity !== "note");
  const keys = new Set(fields.map((field) => field.key));
  const loose = mine.filter((one) => !keys.has(one.where.path[0] ?? ""));
  const main = fields.filter((field) => isMain(field, kept ?? draft));
  const rare = fields.filter((field) => !main.includes(field));
  const row = (field: Field) => (
    <FieldRow
      key={field.key}
      nodeId={nodeId}
      field={field}
      value={draft[field.key]}
      config={draft}
      faults={
        mine.some((one) => one.where.path[0] === field.key)
          ? mine.filter((one) => one.where.path[0] === field.key)
          : NO_DIAGNOSTICS
      }
      onChange={(value: Json | undefined) => set(field.key, value)}
    />
  );
  return (
    <form onSubmit={(event) => event.preventDefault()} className="flex flex-col gap-4">
      {loose.length > 0 && <Faults faults={loose} nodeId={nodeId} />}
      {main.map(row)}
      {rare.length > 0 && (
        <details className="group">
          <summary className="flex cursor-pointer list-none items-center gap-1.5 rounded-sm text-xs font-medium text-muted hover:text-ink">
            <Icon name="chevron-right" size={12} className="transition-transform group-open:rotate-90" />
            More settings
          </summary>
          <div className="mt-3 flex flex-col gap-4">{rare.map(row)}</div>
        </details>
      )}
    </form>
  );
}
