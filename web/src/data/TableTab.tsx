/** The selected node's table: its rows after a run, its columns before one. */
import { useEffect } from "react";
import { count, counted } from "@/flow/look.ts";
import { isUnfinished } from "@/flow/project.ts";
import { useEdit, useRunTo, useStagedAt } from "@/state/acting.ts";
import { useFlow } from "@/state/flow.ts";
import { useRuns } from "@/state/runs.ts";
import { useShown } from "@/state/shown.ts";
import { useView } from "@/state/view.ts";
import { Button } from "@/ui/Button.tsx";
import { Empty, Skeleton } from "@/ui/Empty.tsx";
import { DataTable } from "./DataTable.tsx";
import { type Subject, useSubject } from "./useSubject.ts";

export function TableTab() {
  const subject = useSubject();
  const { document } = useShown();
  const empty = useFlow((flow) => flow.status === "ready") && Object.keys(document.nodes).length === 0;
  if (empty)
    return <Empty icon="table" title="Data appears here" text="Add a node and run the flow to see its rows." />;
  if (!subject) return <Empty icon="table" title="Select a node to see its table" />;
  return <NodeTable key={subject.nodeId} subject={subject} />;
}

function NodeTable({ subject }: { subject: Subject }) {
  const { nodeId, run } = subject;
  const runId = useRuns((runs) => runs.run?.runId ?? null);
  const stale = useRuns((runs) => runs.stale.has(nodeId));
  const state = useRuns((runs) => (runId ? runs.previews[`${runId}/${nodeId}`] : undefined));
  const read = useRuns((runs) => runs.read);
  const done = run?.state === "succeeded";
  useEffect(() => {
    if (done && runId) void read(runId, nodeId);
  }, [done, runId, nodeId, read]);

  if (run?.state === "failed") return <Failed subject={subject} />;
  if (run?.state === "running" || run?.state === "waiting") return <Skeleton rows={5} className="p-4" />;
  if (!done || !runId) return <BeforeRun subject={subject} />;
  if (state?.fault) return <Empty icon="alert" tone="bad" title={state.fault.message} text={state.fault.hint} />;
  if (!state?.preview) return <Skeleton rows={5} className="p-4" />;
  const { preview } = state;
  const known = preview.rows.length;
  const total = preview.total ?? run.rows ?? null;
  const more = known < preview.kept;
  return (
    <div className="flex h-full flex-col">
      <DataTable
        columns={preview.columns}
        rows={preview.rows}
        onEnd={() => more && !state.loading && void read(runId, nodeId, known)}
      />
      <footer className="num flex h-7 shrink-0 items-center gap-3 border-t border-line px-3 text-2xs text-muted">
        <span>
          {total === null
            ? `First ${counted(known, "row")}`
            : total > known
              ? `First ${count(known)} of ${counted(total, "row")}`
              : counted(total, "row")}{" "}
          × {counted(preview.columns.length, "column")}
        </span>
        {stale && <span className="text-warn">From before the last edit: run again to bring it up to date</span>}
      </footer>
    </div>
  );
}

function Failed({ subject }: { subject: Subject }) {
  const diagnostic = subject.run?.diagnostic;
  const edit = useEdit(subject.nodeId);
  return (
    <Empty
      icon="alert"
      tone="bad"
      title={`${subject.title} failed`}
      text={diagnostic?.message ?? "The server gave no reason."}
    >
      {diagnostic?.fixes.map((fix) => (
        <Button key={fix.label} small onClick={() => void edit(fix.operations, fix.label)}>
          {fix.label}
        </Button>
      ))}
      <Configure nodeId={subject.nodeId} />
    </Empty>
  );
}

function Configure({ nodeId }: { nodeId: string }) {
  const open = () => {
    useView.getState().show(nodeId);
    useView.getState().set({ side: "configure" });
  };
  return (
    <Button small icon="sliders" onClick={open}>
      Configure
    </Button>
  );
}

function BeforeRun({ subject }: { subject: Subject }) {
  const shown = useShown();
  const columns = Object.values(shown.columns[subject.nodeId] ?? {})[0];
  const broken = shown.diagnostics.find((one) => one.where.node === subject.nodeId && one.severity === "error");
  const unfinished = broken && isUnfinished(broken, shown.document);
  const runTo = useRunTo(subject.nodeId);
  const run = (
    <Button small icon="play" onClick={runTo}>
      {useStagedAt(subject.nodeId) ? "Try it up to here" : "Run to here"}
    </Button>
  );
  if (broken)
    return (
      <Empty
        icon={unfinished ? "sliders" : "alert"}
        tone={unfinished ? "plain" : "bad"}
        title={unfinished ? `${subject.title} is not set up yet` : `${subject.title} is not ready`}
        text={broken.message}
      >
        <Configure nodeId={subject.nodeId} />
      </Empty>
    );
  if (subject.run?.state === "skipped")
    return (
      <Empty icon="table" title="Not run" text="A node before it failed, or the run was stopped.">
        {run}
      </Empty>
    );
  if (!columns)
    return (
      <Empty icon="table" title="No rows yet" text="Run the flow up to this node to see its table.">
        {run}
      </Empty>
    );
  return (
    <div className="flex h-full flex-col">
      <DataTable columns={columns} rows={[]}>
        <div className="sticky left-0 flex h-24 items-center justify-center gap-3 text-sm text-muted">
          {counted(columns.length, "column")}. Run to see the rows.
          {run}
        </div>
      </DataTable>
    </div>
  );
}
