/** What an empty canvas teaches: three ways to begin. */
import { ACCEPTED } from "@/flow/brought.ts";
import { addFiles } from "@/state/adding.ts";
import { useHouse } from "@/state/house.ts";
import { useView } from "@/state/view.ts";
import { Button } from "@/ui/Button.tsx";
import { FileButton } from "@/ui/FileDrop.tsx";

export function EmptyCanvas() {
  const files = useHouse((house) => house.files) ?? [];
  const set = useView((view) => view.set);
  return (
    <div className="pointer-events-none absolute inset-0 flex items-center justify-center p-6">
      <div className="appear pointer-events-auto flex max-w-sm flex-col items-center gap-1 text-center">
        <h2 className="text-base font-semibold">Where does the data come from?</h2>
        <p className="text-muted">
          {files.length > 0
            ? "Begin with one of your files, or tell the assistant what you want to know."
            : "Drop a file here: CSV, Excel, Parquet or JSON lines. Or type a small table by hand."}
        </p>
        <div className="mt-4 flex flex-wrap justify-center gap-2">
          <Button weight="primary" icon="plus" onClick={() => set({ adding: {} })}>
            Add a node
          </Button>
          <FileButton accept={ACCEPTED} onFiles={(chosen) => void addFiles(chosen)}>
            Bring a file
          </FileButton>
          <Button
            icon="chat"
            onClick={() => {
              set({ side: "assistant" });
              document.getElementById("request")?.focus();
            }}
          >
            Ask the assistant
          </Button>
        </div>
        <p className="mt-3 text-xs text-faint">
          Drop files anywhere, press <kbd className="rounded border border-line bg-surface px-1 font-sans">/</kbd>, or
          double-click the canvas.
        </p>
      </div>
    </div>
  );
}
