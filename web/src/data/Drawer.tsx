/** The drawer under the canvas: the selected node's table, chart and SQL, the flow's problems and runs. */
import { isWrong, problemsIn } from "@/flow/project.ts";
import { useFlow } from "@/state/flow.ts";
import { useRuns } from "@/state/runs.ts";
import { type DrawerTab, useView } from "@/state/view.ts";
import { IconButton } from "@/ui/Button.tsx";
import { Tabs } from "@/ui/Tabs.tsx";
import { ChartTab } from "./ChartTab.tsx";
import { ProblemsTab } from "./ProblemsTab.tsx";
import { RunsTab } from "./RunsTab.tsx";
import { SqlTab } from "./SqlTab.tsx";
import { TableTab } from "./TableTab.tsx";
import { useSubject } from "./useSubject.ts";

export function Drawer() {
  const { drawerOpen, drawerTab, set } = useView();
  const problems = useFlow((flow) => problemsIn(flow.diagnostics).length);
  const wrong = useFlow((flow) => isWrong(flow.diagnostics, flow.document));
  const runs = useRuns((state) => state.list.length);
  const subject = useSubject(drawerTab === "chart" ? "chart" : "table");
  return (
    <div className="flex h-full flex-col">
      <div className="flex h-9 shrink-0 items-center border-b border-line pr-1 pl-2">
        <Tabs<DrawerTab>
          label="Data"
          panelId="data-panel"
          chosen={drawerTab}
          onChoose={(name) => set({ drawerTab: name, drawerOpen: true })}
          tabs={[
            { name: "table", label: "Table" },
            { name: "chart", label: "Chart" },
            { name: "sql", label: "SQL" },
            { name: "problems", label: "Problems", count: problems, tone: wrong ? "bad" : "plain" },
            { name: "runs", label: "Runs", count: runs },
          ]}
        />
        {subject && drawerTab !== "runs" && drawerTab !== "problems" ? (
          <span className="ml-2 min-w-0 flex-1 truncate border-l border-line pl-3 text-xs text-muted">
            {subject.title}
          </span>
        ) : (
          <span className="flex-1" />
        )}
        <IconButton
          icon={drawerOpen ? "chevron-down" : "chevron-up"}
          label={drawerOpen ? "Hide the data" : "Show the data"}
          keys="J"
          small
          onClick={() => set({ drawerOpen: !drawerOpen })}
        />
      </div>
      {drawerOpen && (
        <div id="data-panel" role="tabpanel" aria-label={drawerTab} className="min-h-0 flex-1">
          <Body tab={drawerTab} />
        </div>
      )}
    </div>
  );
}

function Body({ tab }: { tab: DrawerTab }) {
  switch (tab) {
    case "table":
      return <TableTab />;
    case "chart":
      return <ChartTab />;
    case "sql":
      return <SqlTab />;
    case "problems":
      return <ProblemsTab />;
    case "runs":
      return <RunsTab />;
  }
}
