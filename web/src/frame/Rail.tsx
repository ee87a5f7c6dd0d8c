/** The rail at the left: slim with the few things one reaches for, wide with every node type and file. */
import { ACCEPTED } from "@/flow/brought.ts";
import { AREAS, fileSize, iconOf, tintOf } from "@/flow/look.ts";
import { rankTypes } from "@/flow/nodeType.ts";
import { addFiles, addNode, afterSelection } from "@/state/adding.ts";
import { useHouse } from "@/state/house.ts";
import { useView } from "@/state/view.ts";
import { IconButton } from "@/ui/Button.tsx";
import { FileButton } from "@/ui/FileDrop.tsx";
import { Icon, type IconName } from "@/ui/Icon.tsx";

const AREA_WORDS: Record<string, string> = {
  input: "Bring in",
  rows: "Rows",
  columns: "Columns",
  combine: "Combine",
  summarize: "Summarize",
  output: "Put out",
};

export function Rail() {
  const open = useView((view) => view.railOpen);
  const set = useView((view) => view.set);
  if (!open)
    return (
      <nav
        aria-label="Tools"
        className="flex w-11 shrink-0 flex-col items-center gap-1 border-r border-line bg-surface py-2"
      >
        <IconButton icon="panel" label="Show node types and files" onClick={() => set({ railOpen: true })} />
        <IconButton icon="plus" label="Add a node" keys="/" onClick={() => set({ adding: afterSelection() })} />
      </nav>
    );
  return (
    <nav aria-label="Node types and files" className="flex w-56 shrink-0 flex-col border-r border-line bg-surface">
      <div className="flex h-9 items-center justify-between border-b border-line pr-1.5 pl-3">
        <h2 className="text-sm font-medium">Add</h2>
        <IconButton icon="chevron-left" label="Hide" small onClick={() => set({ railOpen: false })} />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-1.5 pb-3">
        <FileList />
        <TypeList />
      </div>
    </nav>
  );
}

const ROW = "flex h-8 w-full items-center gap-2 rounded-md px-1.5 text-left text-sm hover:bg-hover";
const HEAD = "px-1.5 pt-3 pb-1 text-2xs font-medium text-faint";

function FileList() {
  const files = useHouse((house) => house.files);
  const reader = useHouse((house) => house.catalog.get("read_file"));
  const folder = useHouse((house) => house.about?.data_folder_name);
  return (
    <section aria-label="Files">
      <h3 className={HEAD}>Files</h3>
      {files?.length === 0 && (
        <p className="px-1.5 pb-1 text-xs text-muted">
          None yet. Drop some on the canvas, or put them into {folder ? `“${folder}”` : "the data folder"}.
        </p>
      )}
      {files?.map((file) => (
        <button
          key={file.path}
          type="button"
          disabled={!reader}
          title={`Add a node that reads ${file.name}, ${fileSize(file.size)}`}
          onClick={() => reader && void addNode(reader, { path: file.path })}
          className={ROW}
        >
          <Icon name="file" className="text-muted" />
          <span className="truncate">{file.name}</span>
        </button>
      ))}
      <FileButton
        accept={ACCEPTED}
        small
        weight="quiet"
        className="mt-0.5 w-full justify-start! px-1.5!"
        onFiles={(chosen) => void addFiles(chosen)}
      >
        Bring a file…
      </FileButton>
    </section>
  );
}

function TypeList() {
  const types = useHouse((house) => house.types);
  return AREAS.map((area) => {
    const members = rankTypes(types, "").filter((type) => type.area === area);
    if (members.length === 0) return null;
    return (
      <section key={area} aria-label={AREA_WORDS[area]}>
        <h3 className={HEAD}>{AREA_WORDS[area]}</h3>
        {members.map((type) => (
          <button
            key={type.name}
            type="button"
            title={type.summary}
            onClick={() => void addNode(type, undefined, afterSelection())}
            className={ROW}
          >
            <Icon name={iconOf(type.name, type.area) as IconName} style={{ color: tintOf(area) }} />
            <span className="truncate">{type.title}</span>
          </button>
        ))}
      </section>
    );
  });
}
