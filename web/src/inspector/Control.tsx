/** The control for a field, by what the field holds. */
import type { Config, Json } from "@/flow/document.ts";
import type { Field } from "@/flow/forms.ts";
import { Combo } from "@/ui/Combo.tsx";
import { ColumnList } from "./ColumnList.tsx";
import { ExpressionField } from "./ExpressionField.tsx";
import { FileField } from "./FileField.tsx";
import { JsonField } from "./JsonField.tsx";
import { PairList } from "./PairList.tsx";
import { Choice, Flag, NumberField, TextField, TextsField } from "./plain.tsx";
import { RecordList } from "./RecordList.tsx";
import { RowsField } from "./RowsField.tsx";
import { columnOptions, useColumns } from "./useColumns.ts";

export interface ControlProps {
  id: string;
  nodeId: string;
  field: Field;
  value: Json | undefined;
  config: Config;
  invalid: boolean;
  onChange: (value: Json | undefined) => void;
}

export function Control(props: ControlProps) {
  switch (props.field.slot) {
    case "condition":
    case "expression":
      return <ExpressionField {...props} />;
    case "column":
      return <ColumnField {...props} />;
    case "columns":
      return <ColumnList {...props} />;
    case "sort_keys":
    case "measures":
    case "formulas":
    case "key_pairs":
    case "header":
      return props.field.items.length > 0 ? <RecordList {...props} /> : <JsonField {...props} />;
    case "renames":
    case "casts":
      return <PairList {...props} />;
    case "read_path":
      return <FileField {...props} />;
    case "choice":
      return <Choice {...props} />;
    case "flag":
      return <Flag {...props} />;
    case "count":
    case "number":
      return <NumberField {...props} />;
    case "texts":
      return <TextsField {...props} />;
    case "rows":
      return <RowsField {...props} />;
    case "json":
      return <JsonField {...props} />;
    default:
      return <TextField {...props} />;
  }
}

function ColumnField({ id, nodeId, field, value, invalid, onChange }: ControlProps) {
  const columns = useColumns(nodeId, field.port);
  return (
    <Combo
      id={id}
      label={field.title}
      value={typeof value === "string" ? value : ""}
      options={columnOptions(columns)}
      placeholder={columns.length > 0 ? "Choose a column" : "Connect an input first"}
      invalid={invalid}
      onChange={(name) => onChange(name === "" && !field.required ? undefined : name)}
    />
  );
}
