/** The chart that the flow drew, as the server made it, and its files to take away. */
import { useEffect, useState } from "react";
import { chartAddress } from "@/api/client.ts";
import { useRunTo } from "@/state/acting.ts";
import { useRuns } from "@/state/runs.ts";
import { isDark, useView } from "@/state/view.ts";
import { Button } from "@/ui/Button.tsx";
import { Empty, Skeleton } from "@/ui/Empty.tsx";
import { Icon } from "@/ui/Icon.tsx";
import { useSubject } from "./useSubject.ts";

export function ChartTab() {
  const subject = useSubject("chart");
  const runId = useRuns((runs) => runs.run?.runId);
  const stale = useRuns((runs) => subject !== null && runs.stale.has(subject.nodeId));
  const runTo = useRunTo(subject?.nodeId ?? "");
  if (!subject)
    return (
      <Empty icon="chart" title="No chart here" text="Select a chart node, add one, or ask the assistant for one." />
    );
  if (subject.run?.state === "failed")
    return <Empty icon="alert" tone="bad" title={`${subject.title} failed`} text={subject.run.diagnostic?.message} />;
  if (subject.run?.state === "running" || subject.run?.state === "waiting")
    return <Skeleton rows={5} className="p-4" />;
  if (subject.run?.state !== "succeeded" || !runId)
    return (
      <Empty icon="chart" title="Not drawn yet" text="Run the flow to draw this chart.">
        <Button small icon="play" onClick={runTo}>
          Run to here
        </Button>
      </Empty>
    );
  return (
    <Picture
      key={`${runId}/${subject.nodeId}`}
      runId={runId}
      nodeId={subject.nodeId}
      title={subject.title}
      stale={stale}
    />
  );
}

interface PictureProps {
  runId: string;
  nodeId: string;
  title: string;
  stale: boolean;
}

function Picture({ runId, nodeId, title, stale }: PictureProps) {
  const theme = useView((view) => view.theme);
  const [dark, setDark] = useState(() => isDark(theme));
  const [state, setState] = useState<"loading" | "shown" | "failed">("loading");
  useEffect(() => {
    const system = window.matchMedia("(prefers-color-scheme: dark)");
    const look = () => setDark(isDark(theme));
    look();
    system.addEventListener("change", look);
    return () => system.removeEventListener("change", look);
  }, [theme]);
  if (state === "failed")
    return (
      <Empty icon="alert" tone="bad" title="The chart could not be drawn" text="Run the flow again to draw it anew." />
    );
  const download =
    "inline-flex h-7 items-center gap-1.5 rounded-md px-2 text-xs text-muted hover:bg-hover hover:text-ink";
  return (
    <div className="flex h-full min-h-0">
      <div className="flex min-w-0 flex-1 items-center justify-center p-3">
        <img
          src={chartAddress(runId, nodeId, { format: "svg", dark })}
          alt={`Chart: ${title}`}
          onLoad={() => setState("shown")}
          onError={() => setState("failed")}
          className={`max-h-full max-w-full ${state === "loading" ? "opacity-0" : ""} ${stale ? "opacity-60" : ""}`}
        />
      </div>
      <div className="flex w-28 shrink-0 flex-col gap-1 border-l border-line p-2">
        {(["png", "svg"] as const).map((format) => (
          <a
            key={format}
            href={chartAddress(runId, nodeId, { format, dark: false })}
            download={`${nodeId}.${format}`}
            className={download}
          >
            <Icon name="download" size={14} />
            {format.toUpperCase()}
          </a>
        ))}
        {stale && <p className="mt-auto text-2xs text-warn">From before the last edit</p>}
      </div>
    </div>
  );
}
