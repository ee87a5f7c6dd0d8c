/** The files in the data folder, each a way to begin; or how to bring some. */
import { fileSize } from "@/flow/look.ts";
import { useHouse } from "@/state/house.ts";
import { Icon } from "@/ui/Icon.tsx";
import { beginFrom } from "./begin.ts";

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
          None yet. CSV, Excel, Parquet and JSON lines files that you drop here, or put into the folder, appear here and
          in every flow.
        </p>
      ) : (
        <ul className="-mx-2 mt-2 grid grid-cols-3 gap-x-2">
          {files.map((file) => (
            <li key={file.path}>
              <button
                type="button"
                title={`Begin a flow with ${file.path}`}
                onClick={() => void beginFrom([file])}
                className="flex h-8 w-full items-center gap-2 rounded-md px-2 text-left text-sm hover:bg-hover"
              >
                <Icon name="file" size={14} className="text-faint" />
                <span className="min-w-0 flex-1 truncate">{file.name}</span>
                <span className="num text-xs text-faint">{fileSize(file.size)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
