/** The files in the data folder, or where to put some. */
import { fileSize } from "@/flow/look.ts";
import { useHouse } from "@/state/house.ts";
import { Icon } from "@/ui/Icon.tsx";

export function FileShelf() {
  const files = useHouse((house) => house.files);
  const folder = useHouse((house) => house.about?.data_folder_name);
  if (files === null) return null;
  return (
    <section className="mt-10" aria-label="Files">
      <h2 className="text-sm font-semibold">
        Files {folder && <span className="font-normal text-muted">in “{folder}”</span>}
      </h2>
      {files.length === 0 ? (
        <p className="mt-1 text-sm text-muted">
          None yet. Put CSV, Excel, Parquet or JSON lines files into the folder; they appear here and in every flow.
        </p>
      ) : (
        <ul className="mt-2 grid grid-cols-3 gap-x-4">
          {files.map((file) => (
            <li key={file.path} className="flex h-8 items-center gap-2 text-sm">
              <Icon name="file" size={14} className="text-faint" />
              <span className="min-w-0 flex-1 truncate" title={file.path}>
                {file.name}
              </span>
              <span className="num text-xs text-faint">{fileSize(file.size)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
