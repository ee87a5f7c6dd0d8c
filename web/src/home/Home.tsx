/** The first page: one's flows, two ways to begin, and the files at hand. */
import { useEffect } from "react";
import { useHouse } from "@/state/house.ts";
import { useView } from "@/state/view.ts";
import { Button, IconButton } from "@/ui/Button.tsx";
import { Empty, Skeleton } from "@/ui/Empty.tsx";
import { Icon } from "@/ui/Icon.tsx";
import { FileShelf } from "./FileShelf.tsx";
import { FlowList } from "./FlowList.tsx";
import { Mark } from "./Mark.tsx";

export function Home() {
  const { flows, fault, load, loadFlows, loadFiles, create } = useHouse();
  useEffect(() => {
    document.title = "Headrace";
    void loadFlows();
    void loadFiles();
  }, [loadFlows, loadFiles]);
  return (
    <div className="h-full overflow-y-auto">
      <header className="mx-auto flex h-14 w-full max-w-4xl items-center gap-2 px-6">
        <Mark />
        <span className="flex-1 text-sm font-semibold">Headrace</span>
        <IconButton icon="search" label="Commands" onClick={() => useView.getState().set({ commands: true })} />
        <IconButton icon="help" label="Help and keyboard" onClick={() => useView.getState().set({ help: true })} />
      </header>
      <main className="mx-auto w-full max-w-4xl px-6 pt-6 pb-16">
        {fault ? (
          <div className="h-80">
            <Empty icon="alert" tone="bad" title={fault.message} text={fault.hint}>
              <Button onClick={() => void Promise.all([load(), loadFlows(), loadFiles()])}>Try again</Button>
            </Empty>
          </div>
        ) : flows === null ? (
          <Skeleton rows={6} className="pt-8" />
        ) : flows.length === 0 ? (
          <Welcome onNew={() => void create("Untitled flow")} onSample={() => void create("Corner shop", true)} />
        ) : (
          <>
            <div className="flex items-center gap-2 pb-4">
              <h1 className="flex-1 text-xl font-semibold">Your flows</h1>
              <Button icon="table" onClick={() => void create("Corner shop", true)}>
                Open the sample
              </Button>
              <Button weight="primary" icon="plus" onClick={() => void create("Untitled flow")}>
                New flow
              </Button>
            </div>
            <FlowList flows={flows} />
          </>
        )}
        {!fault && <FileShelf />}
      </main>
    </div>
  );
}

function Welcome({ onNew, onSample }: { onNew: () => void; onSample: () => void }) {
  const points: ["chat" | "check" | "undo", string, string][] = [
    ["chat", "Say what you want", "“Total amount per region, highest first.” The assistant drafts it on the canvas."],
    [
      "check",
      "See it before it lands",
      "Every change is shown in words and on the canvas. Apply all of it, a part, or nothing.",
    ],
    ["undo", "Take anything back", "Each change is one revision, and one undo away."],
  ];
  return (
    <section className="appear pt-6">
      <h1 className="max-w-xl text-2xl leading-8 font-semibold">
        Tables in, answers out, and you see what happens in between.
      </h1>
      <p className="mt-2 max-w-xl text-muted">
        Build a flow from your files by hand or in plain words. It runs on this machine, and nothing leaves it.
      </p>
      <div className="mt-6 flex gap-2">
        <Button weight="primary" icon="table" onClick={onSample}>
          Open the sample
        </Button>
        <Button icon="plus" onClick={onNew}>
          New flow
        </Button>
      </div>
      <ul className="mt-10 grid grid-cols-3 gap-4">
        {points.map(([icon, title, text]) => (
          <li key={title} className="rounded-lg border border-line bg-surface p-4">
            <Icon name={icon} className="text-accent" />
            <h2 className="mt-2 text-sm font-semibold">{title}</h2>
            <p className="mt-1 text-sm text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
