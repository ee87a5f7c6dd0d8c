/** The selected node as SQL. */
import { useEffect, useState } from "react";
import { api } from "@/api/client.ts";
import type { Fault } from "@/api/types.ts";
import { useFlow } from "@/state/flow.ts";
import { faultIn } from "@/state/report.ts";
import { useReview } from "@/state/review.ts";
import { Button } from "@/ui/Button.tsx";
import { Empty, Skeleton } from "@/ui/Empty.tsx";
import { useSubject } from "./useSubject.ts";

export function SqlTab() {
  const subject = useSubject();
  const flowId = useFlow((flow) => flow.flowId);
  const hash = useFlow((flow) => flow.hash);
  const [sql, setSql] = useState<string | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const [copied, setCopied] = useState(false);
  const nodeId = subject?.nodeId;
  const staged = useReview((review) => review.openId);
  const digest = useReview((review) => (review.openId ? review.changesets[review.openId]?.digest : undefined));
  // biome-ignore lint/correctness/useExhaustiveDependencies: hash and digest stand for what the flow means; the SQL follows it.
  useEffect(() => {
    if (!flowId || !nodeId) return;
    let wanted = true;
    setCopied(false);
    api.sql(flowId, nodeId, staged).then(
      (answer) => {
        if (!wanted) return;
        setSql(answer.sql);
        setFault(null);
      },
      (error) => wanted && setFault(faultIn(error)),
    );
    return () => {
      wanted = false;
    };
  }, [flowId, nodeId, hash, staged, digest]);
  if (!subject) return <Empty icon="code" title="Select a node to see its SQL" />;
  if (fault) return <Empty icon="code" title={fault.message} text={fault.hint} />;
  if (sql === null) return <Skeleton rows={5} className="p-4" />;
  return (
    <div className="relative h-full">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by keyboard. */}
      <pre tabIndex={0} className="h-full overflow-auto p-3 font-mono text-xs leading-5 -outline-offset-2">
        {sql}
      </pre>
      <Button
        small
        icon={copied ? "check" : "copy"}
        className="absolute top-2 right-3"
        onClick={() => void navigator.clipboard.writeText(sql).then(() => setCopied(true))}
      >
        {copied ? "Copied" : "Copy"}
      </Button>
    </div>
  );
}
