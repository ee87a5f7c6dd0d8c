/** A file to read: typed or picked from the data folder, with a look at its columns. */
import { useEffect } from "react";
import type { FileDescription } from "@/api/types.ts";
import { ACCEPTED } from "@/flow/brought.ts";
import { counted, fileSize, typeWords } from "@/flow/look.ts";
import { isFault, useHouse } from "@/state/house.ts";
import { useUploads } from "@/state/uploads.ts";
import { Combo } from "@/ui/Combo.tsx";
import { FileButton } from "@/ui/FileDrop.tsx";
import { Icon } from "@/ui/Icon.tsx";
import type { ControlProps } from "./Control.tsx";

export function FileField({ id, field, value, invalid, onChange }: ControlProps) {
  const files = useHouse((house) => house.files) ?? [];
  const folder = useHouse((house) => house.about?.data_folder_name);
  const described = useHouse((house) => house.described);
  const path = typeof value === "string" ? value : "";
  const listed = files.some((file) => file.path === path);
  useEffect(() => {
    void useHouse.getState().loadFiles();
  }, []);
  useEffect(() => {
    if (listed) void useHouse.getState().describe(path);
  }, [path, listed]);
  const about = described[path];
  return (
    <div className="flex flex-col gap-2">
      <Combo
        id={id}
        label={field.title}
        value={path}
        options={files.map((file) => ({ value: file.path, hint: fileSize(file.size) }))}
        placeholder={
          files.length > 0
            ? "Choose a file, or type a pattern like sales-*.csv"
            : `Put a file into ${folder ?? "the data folder"}`
        }
        invalid={invalid}
        onChange={onChange}
      />
      <FileButton
        accept={ACCEPTED}
        small
        className="self-start"
        onFiles={async (chosen) => {
          const [first] = await useUploads.getState().bring(chosen);
          if (first) onChange(first.path);
        }}
      >
        Bring a file…
      </FileButton>
      {about && !isFault(about) && <Look about={about} />}
    </div>
  );
}

function Look({ about }: { about: FileDescription }) {
  return (
    <details className="group rounded-lg border border-line bg-sunken text-xs">
      <summary className="flex cursor-pointer list-none items-center gap-1.5 px-2.5 py-1.5 text-muted hover:text-ink">
        <Icon name="chevron-right" size={12} className="transition-transform group-open:rotate-90" />
        {counted(about.columns.length, "column")}
        {about.notes.length > 0 && `, ${counted(about.notes.length, "note")}`}
      </summary>
      <div className="border-t border-line px-2.5 py-2">
        <ul className="flex flex-col gap-0.5">
          {about.columns.slice(0, 40).map((column) => (
            <li key={column.name} className="flex justify-between gap-2">
              <span className="truncate">{column.name}</span>
              <span className="text-faint">{typeWords(column.type)}</span>
            </li>
          ))}
        </ul>
        {about.notes.length > 0 && (
          <ul className="mt-2 flex list-disc flex-col gap-1 border-t border-line pt-2 pl-4 text-muted">
            {about.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
      </div>
    </details>
  );
}
