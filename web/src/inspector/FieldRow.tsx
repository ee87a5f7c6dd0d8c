/** One field: label, control, help, faults. */
import { useId } from "react";
import type { Config, Diagnostic, Json } from "@/flow/document.ts";
import { type Field, helpWords, referenceOf } from "@/flow/forms.ts";
import { IconButton } from "@/ui/Button.tsx";
import { Ticks } from "@/ui/Ticks.tsx";
import { Control } from "./Control.tsx";
import { Faults } from "./Faults.tsx";

interface Props {
  nodeId: string;
  field: Field;
  value: Json | undefined;
  config: Config;
  faults: Diagnostic[];
  onChange: (value: Json | undefined) => void;
}

export function FieldRow({ nodeId, field, value, config, faults, onChange }: Props) {
  const id = useId();
  const reference = referenceOf(value);
  const flag = field.slot === "flag";
  return (
    <div className="flex flex-col gap-1">
      {!flag && (
        <label htmlFor={id} className="text-xs font-medium">
          {field.title}
        </label>
      )}
      {reference ? (
        <p className="flex h-8 items-center gap-2 rounded-md bg-sunken px-2.5 text-sm">
          <span className="flex-1">
            {reference.kind === "parameter" ? "From parameter" : "Secret"} <b>{reference.name}</b>
          </span>
          <IconButton icon="close" label="Write a value instead" small onClick={() => onChange(undefined)} />
        </p>
      ) : (
        <Control
          id={id}
          nodeId={nodeId}
          field={field}
          value={value}
          config={config}
          invalid={faults.some((fault) => fault.severity === "error")}
          onChange={onChange}
        />
      )}
      {faults.length > 0 ? (
        <Faults faults={faults} nodeId={nodeId} />
      ) : (
        field.description &&
        !flag && (
          <p className="text-xs text-faint">
            <Ticks text={helpWords(field.description)} />
          </p>
        )
      )}
    </div>
  );
}
