/** The runs of the flow, the latest first; choosing one shows its results on the canvas. */
import { useEffect } from "react";
import type { RunView } from "@/api/types.ts";
import { duration } from "@/flow/look.ts";
import { isUnderWay } from "@/flow/runState.ts";
import { useFlow } from "@/state/flow.ts";
import { useRuns } from "@/state/runs.ts";
import { Empty } from "@/ui/Empty.tsx";
import { Icon, type IconName } from "@/ui/Icon.tsx";

const STATES: Record<RunView["status"], [string, IconName, string]> = {
  queued: ["Waiting", "clock", "text-muted"],
  running: ["Running", "clock", "text-accent"],
  succeeded: ["Succeeded", "check", "text-ok"],
  failed: ["Failed", "close", "text-bad"],
  cancelled: ["Stopped", "stop", "text-muted"],
  lost: ["Lost", "alert", "text-bad"],
};

export function RunsTab() {
  const list = useRuns((runs) => runs.list);
  const shownId = useRuns((runs) => runs.run?.runId);
  const over = useRuns((runs) => !isUnderWay(runs.run));
  const flowId = useFlow((flow) => flow.flowId);
  const relist = useRuns((runs) => runs.relist);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a run that begins or ends changes the list.
  useEffect(() => {
    if (flowId) void relist(flowId);
  }, [flowId, shownId, over, relist]);
  if (list.length === 0) return <Empty icon="clock" title="Not run yet" text="Every run of this flow is kept here." />;
  return (
    <ul className="h-full overflow-y-auto py-1">
      {list.map((run) => (
        <RunRow key={run.run_id} run={run} shown={run.run_id === shownId} />
      ))}
    </ul>
  );
}

function RunRow({ run, shown }: { run: RunView; shown: boolean }) {
  const open = useRuns((runs) => runs.open);
  const [words, icon, tone] = STATES[run.status];
  const known = useRuns((runs) => (shown ? runs.run?.nodes : undefined));
  const failed =
    Object.values(run.nodes).find((node) => node.status === "failed") ??
    Object.values(known ?? {}).find((node) => node.state === "failed");
  return (
    <li>
      <button
        type="button"
        aria-current={shown}
        onClick={() => void open(run.run_id)}
        className={`num flex w-full items-center gap-3 px-3 py-1.5 text-left text-sm -outline-offset-2 hover:bg-hover ${shown ? "bg-hover" : ""}`}
      >
        <Icon name={icon} size={14} className={tone} />
        <span className="w-20">{words}</span>
        <span className="w-44 text-muted">{when(run.created_at)}</span>
        <span className="w-20 text-muted">{run.ms === null ? "" : duration(run.ms)}</span>
        <span className="w-24 text-muted">revision {run.number}</span>
        <span className="min-w-0 flex-1 truncate text-muted">
          {failed?.diagnostic?.message ?? run.note ?? ""}
          {!failed && !run.note && run.to && `to ${run.to}`}
        </span>
      </button>
    </li>
  );
}

function when(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : date.toLocaleString("en", { dateStyle: "medium", timeStyle: "medium" });
}
