/** Tells a screen reader how a run goes: its beginning and its end, not every tick. */
import { duration } from "@/flow/look.ts";
import { useFlow } from "@/state/flow.ts";
import { useRuns } from "@/state/runs.ts";

export function RunNews() {
  const run = useRuns((runs) => runs.run);
  const nodes = useFlow((flow) => flow.document.nodes);
  const failed = run ? Object.entries(run.nodes).find(([, node]) => node.state === "failed") : undefined;
  const where = failed ? `: ${nodes[failed[0]]?.title || failed[0]}. ${failed[1].diagnostic?.message ?? ""}` : "";
  const words = {
    queued: "The run waits for another.",
    running: "The run has started.",
    succeeded: `The run succeeded in ${duration(run?.ms ?? 0)}.`,
    failed: `The run failed${where}`,
    cancelled: "The run was stopped.",
    lost: "The run was lost.",
  };
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {run ? words[run.status] : ""}
    </p>
  );
}
