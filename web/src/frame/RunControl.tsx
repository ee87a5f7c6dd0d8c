/** Run, run to the selected node, stop; while it runs, the time that it takes. */
import { useEffect, useState } from "react";
import { duration } from "@/flow/look.ts";
import { isUnderWay } from "@/flow/runState.ts";
import { useFlow } from "@/state/flow.ts";
import { useRuns } from "@/state/runs.ts";
import { useView } from "@/state/view.ts";
import { Button } from "@/ui/Button.tsx";
import { Icon } from "@/ui/Icon.tsx";
import { Menu } from "@/ui/Menu.tsx";
import { command } from "./keys.ts";

export function RunControl() {
  const run = useRuns((runs) => runs.run);
  const asking = useRuns((runs) => runs.asking);
  const start = useRuns((runs) => runs.start);
  const cancel = useRuns((runs) => runs.cancel);
  const flowId = useFlow((flow) => flow.flowId);
  const empty = useFlow((flow) => Object.keys(flow.document.nodes).length === 0);
  const selected = useView((view) => (view.selected.length === 1 ? view.selected[0] : undefined));
  const known = useFlow((flow) => selected !== undefined && selected in flow.document.nodes);
  if (!flowId) return null;
  if (run && isUnderWay(run))
    return (
      <div className="flex items-center gap-2">
        <Elapsed since={run.since} />
        <Button icon="stop" onClick={() => void cancel()}>
          Stop
        </Button>
      </div>
    );
  return (
    <div className="flex items-center gap-2">
      <LastRun />
      <div className="flex">
        <Button
          weight="primary"
          icon="play"
          className="rounded-r-none"
          disabled={empty || asking}
          title={`Run the flow (${command}Enter)`}
          onClick={() => void start(flowId)}
        >
          Run
        </Button>
        <Menu
          trigger={
            <button
              type="button"
              aria-label="More ways to run"
              disabled={empty || asking}
              className="flex h-8 w-7 items-center justify-center rounded-r-md border-l border-on-accent/30 bg-accent-fill text-on-accent hover:bg-accent-fill-hover disabled:bg-line-strong disabled:text-surface"
            >
              <Icon name="chevron-down" size={14} />
            </button>
          }
          items={[
            { label: "Run the whole flow", icon: "play", keys: `${command}Enter`, onSelect: () => void start(flowId) },
            {
              label: "Run to the selected node",
              icon: "play",
              keys: `⇧${command}Enter`,
              disabled: !known,
              onSelect: () => void start(flowId, selected ? { to: selected } : {}),
            },
          ]}
        />
      </div>
    </div>
  );
}

function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 200);
    return () => clearInterval(timer);
  }, []);
  const ms = Math.max(0, now - since);
  return (
    <span className="num flex w-24 items-center justify-end gap-2 text-sm text-muted">
      <span className="turning size-3 rounded-full border-2 border-accent border-t-transparent" />
      {ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : duration(ms)}
    </span>
  );
}

function LastRun() {
  const run = useRuns((runs) => runs.run);
  if (!run || isUnderWay(run)) return null;
  const [words, tone] = {
    succeeded: [`Ran in ${duration(run.ms ?? 0)}`, "text-muted"],
    failed: ["Run failed", "text-bad"],
    cancelled: ["Run stopped", "text-muted"],
    lost: ["Run lost", "text-bad"],
    running: ["", ""],
    queued: ["", ""],
  }[run.status] as [string, string];
  return (
    <button
      type="button"
      onClick={() => {
        const failed = Object.entries(run.nodes).find(([, node]) => node.state === "failed")?.[0];
        if (failed) useView.getState().show(failed);
        useView.getState().set({ drawerOpen: true, drawerTab: failed ? "table" : "runs" });
      }}
      className={`num flex h-7 items-center gap-1.5 rounded-md px-2 text-sm hover:bg-hover ${tone}`}
    >
      {run.status === "failed" && <Icon name="alert" size={14} />}
      {words}
    </button>
  );
}
