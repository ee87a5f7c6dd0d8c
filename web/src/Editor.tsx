/** The page of one flow: bar, rail, canvas, drawer, side. */
import { useEffect } from "react";
import { Canvas } from "@/canvas/Canvas.tsx";
import { ChatPanel } from "@/chat/ChatPanel.tsx";
import { ChatTools } from "@/chat/ChatTools.tsx";
import { Drawer } from "@/data/Drawer.tsx";
import { ConnectionBar } from "@/frame/ConnectionBar.tsx";
import { Rail } from "@/frame/Rail.tsx";
import { RunNews } from "@/frame/RunNews.tsx";
import { TopBar } from "@/frame/TopBar.tsx";
import { Inspector } from "@/inspector/Inspector.tsx";
import { ReviewCard } from "@/review/ReviewCard.tsx";
import { useFlow } from "@/state/flow.ts";
import { useHouse } from "@/state/house.ts";
import { openFlow } from "@/state/stream.ts";
import { useView } from "@/state/view.ts";
import { Button } from "@/ui/Button.tsx";
import { Empty } from "@/ui/Empty.tsx";
import { Splitter } from "@/ui/Splitter.tsx";
import { Tabs } from "@/ui/Tabs.tsx";

export function Editor({ flowId }: { flowId: string }) {
  const missing = useFlow((flow) => (flow.flowId === flowId && flow.status === "missing" ? flow.fault : null));
  const name = useFlow((flow) => flow.document.name);
  useEffect(() => {
    document.title = name ? `${name} · Headrace` : "Headrace";
  }, [name]);
  useEffect(() => {
    void useHouse.getState().loadFiles();
    return openFlow(flowId);
  }, [flowId]);
  if (missing)
    return (
      <main className="h-full">
        <Empty icon="alert" tone="bad" title={missing.message} text={missing.hint}>
          <Button weight="primary" onClick={() => useView.getState().go(null)}>
            Back to your flows
          </Button>
        </Empty>
      </main>
    );
  return (
    <div className="grid h-full grid-cols-1 grid-rows-[48px_auto_minmax(0,1fr)] overflow-hidden">
      <TopBar />
      <ConnectionBar />
      <div className="row-start-3 flex min-h-0">
        <Rail />
        <main className="flex min-w-0 flex-1 flex-col overflow-hidden">
          <div className="min-h-0 flex-1">
            <Canvas />
          </div>
          <BottomArea />
        </main>
        <SideArea />
      </div>
      <RunNews />
    </div>
  );
}

function BottomArea() {
  const { drawerOpen, drawerHeight, set } = useView();
  return (
    <>
      {drawerOpen && (
        <Splitter
          label="Height of the data drawer"
          axis="y"
          size={drawerHeight}
          min={140}
          max={560}
          onSize={(size) => set({ drawerHeight: size })}
        />
      )}
      <section
        aria-label="Data"
        className="shrink-0 overflow-hidden border-t border-line bg-surface"
        style={{ height: drawerOpen ? drawerHeight : 37 }}
      >
        <Drawer />
      </section>
    </>
  );
}

function SideArea() {
  const side = useView((view) => view.side);
  const sideWidth = useView((view) => view.sideWidth);
  const set = useView((view) => view.set);
  const selected = useView((view) => view.selected);
  return (
    <aside aria-label="Assistant and configuration" className="flex shrink-0" style={{ width: sideWidth }}>
      <Splitter
        label="Width of the side panel"
        axis="x"
        size={sideWidth}
        min={300}
        max={560}
        onSize={(size) => set({ sideWidth: size })}
      />
      <div className="flex min-w-0 flex-1 flex-col border-l border-line bg-surface">
        <div className="flex h-9 shrink-0 items-center border-b border-line pr-1.5 pl-2">
          <Tabs
            label="Side panel"
            panelId="side-panel"
            chosen={side}
            onChoose={(name) => set({ side: name })}
            tabs={[
              { name: "assistant", label: "Assistant" },
              { name: "configure", label: "Configure" },
            ]}
          />
          <ChatTools />
        </div>
        <div id="side-panel" role="tabpanel" aria-label={side} className="min-h-0 flex-1">
          {/* The chat stays mounted, so that a half-written request and the reading place survive a look at a form. */}
          <div className={side === "assistant" ? "h-full" : "hidden"}>
            <ChatPanel review={(changesetId) => <ReviewCard changesetId={changesetId} />} />
          </div>
          {side === "configure" && <Inspector key={selected.length === 1 ? selected[0] : "none"} />}
        </div>
      </div>
    </aside>
  );
}
