/** Files on their way in: how far, and what to do about a name that is taken. Drops beside the areas for them do nothing. */
import { useEffect } from "react";
import { useUploads } from "@/state/uploads.ts";
import { Button } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";

export function Uploads() {
  const { sending, question } = useUploads();
  useEffect(() => {
    const refuse = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    };
    for (const kind of ["dragover", "drop"] as const) window.addEventListener(kind, refuse);
    return () => {
      for (const kind of ["dragover", "drop"] as const) window.removeEventListener(kind, refuse);
    };
  }, []);
  return (
    <>
      <Dialog
        open={question !== null}
        onClose={() => question?.decide("leave")}
        label="A file of that name is there"
        className="max-w-md"
      >
        <p className="px-4 py-3 text-sm">“{question?.name}” lies in the data folder already, and flows may read it.</p>
        <footer className="flex justify-end gap-2 px-4 pb-4">
          <Button onClick={() => question?.decide("leave")}>Leave it</Button>
          <Button onClick={() => question?.decide("replace")}>Replace it</Button>
          <Button weight="primary" onClick={() => question?.decide("both")}>
            Keep both
          </Button>
        </footer>
      </Dialog>
      {sending && !question && (
        <div
          role="status"
          className="appear fixed bottom-14 left-1/2 z-50 flex w-80 -translate-x-1/2 items-center gap-3 rounded-lg border border-line bg-raised py-2 pr-2 pl-3 text-sm shadow-pop"
        >
          <div className="min-w-0 flex-1">
            <p className="truncate">Bringing {sending.name}</p>
            <progress
              aria-label={`Bringing ${sending.name}`}
              max={1}
              value={sending.share}
              className="block h-1 w-full accent-(--accent-fill)"
            />
          </div>
          <Button small weight="quiet" onClick={sending.stop}>
            Stop
          </Button>
        </div>
      )}
    </>
  );
}
