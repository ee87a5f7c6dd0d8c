/** The first page: one's flows, the ways to begin, and the files at hand. Files may be dropped anywhere on it. */
import { useEffect } from "react";
import { ACCEPTED } from "@/flow/brought.ts";
import { SAMPLE, UNTITLED, useHouse } from "@/state/house.ts";
import { useView } from "@/state/view.ts";
import { Button, IconButton } from "@/ui/Button.tsx";
import { Empty, Skeleton } from "@/ui/Empty.tsx";
import { DropVeil, FileButton, useFileDrop } from "@/ui/FileDrop.tsx";
import { beginWith } from "./begin.ts";
import { FileShelf } from "./FileShelf.tsx";
import { FlowList } from "./FlowList.tsx";
import { Mark } from "./Mark.tsx";
import { Welcome } from "./Welcome.tsx";

export function Home() {
  const { flows, fault, load, loadFlows, loadFiles, create } = useHouse();
  const dark = useView((view) => view.theme === "dark");
  const setTheme = useView((view) => view.setTheme);
  const drop = useFileDrop((files) => void beginWith(files));
  useEffect(() => {
    document.title = "Headrace";
    void loadFlows();
    void loadFiles();
  }, [loadFlows, loadFiles]);
  return (
    <div className="relative h-full" {...drop.handlers}>
      <div className="h-full overflow-y-auto">
        <header className="mx-auto flex h-14 w-full max-w-4xl items-center gap-2 px-6">
          <Mark />
          <span className="flex-1 text-sm font-semibold">Headrace</span>
          <IconButton icon="search" label="Commands" onClick={() => useView.getState().set({ commands: true })} />
          <IconButton
            icon={dark ? "sun" : "moon"}
            label={dark ? "Light theme" : "Dark theme"}
            onClick={() => setTheme(dark ? "light" : "dark")}
          />
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
            <Welcome />
          ) : (
            <>
              <div className="flex items-center gap-2 pb-4">
                <h1 className="flex-1 text-xl font-semibold">Your flows</h1>
                <Button icon="table" onClick={() => void create(SAMPLE)}>
                  Open the sample
                </Button>
                <FileButton accept={ACCEPTED} onFiles={(files) => void beginWith(files)}>
                  Bring a file
                </FileButton>
                <Button weight="primary" icon="plus" onClick={() => void create(UNTITLED)}>
                  New flow
                </Button>
              </div>
              <FlowList flows={flows} />
            </>
          )}
          {!fault && <FileShelf />}
        </main>
      </div>
      {drop.over && <DropVeil>Drop it to begin a flow with it</DropVeil>}
    </div>
  );
}
