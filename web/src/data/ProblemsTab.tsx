/** What the checks found: each with its place, its words, and its ways out. */
import type { Diagnostic } from "@/flow/document.ts";
import { isWrong, problemsIn } from "@/flow/project.ts";
import { useFlow } from "@/state/flow.ts";
import { useHouse } from "@/state/house.ts";
import { useView } from "@/state/view.ts";
import { Button } from "@/ui/Button.tsx";
import { Empty } from "@/ui/Empty.tsx";
import { Icon } from "@/ui/Icon.tsx";
import { Ticks } from "@/ui/Ticks.tsx";

export function ProblemsTab() {
  const diagnostics = useFlow((flow) => flow.diagnostics);
  const problems = problemsIn(diagnostics);
  if (problems.length === 0)
    return <Empty icon="check" title="No problems" text="Every edge fits and every column that is named exists." />;
  return (
    <ul className="h-full overflow-y-auto py-1">
      {problems.map((problem) => (
        <Problem
          key={`${problem.code}/${problem.where.node}/${problem.where.path.join(".")}/${problem.message}`}
          problem={problem}
        />
      ))}
    </ul>
  );
}

function Problem({ problem }: { problem: Diagnostic }) {
  const node = useFlow((flow) => flow.document.nodes[problem.where.node]);
  const title = useHouse((house) => node?.title || house.catalog.get(node?.type ?? "")?.title || problem.where.node);
  const edit = useFlow((flow) => flow.edit);
  const wrong = useFlow((flow) => isWrong([problem], flow.document));
  const go = () => {
    useView.getState().show(problem.where.node);
    useView.getState().set({ side: "configure" });
  };
  return (
    <li className="flex items-start gap-2.5 px-3 py-1.5 text-sm hover:bg-hover">
      <Icon
        name="alert"
        size={14}
        className={`mt-[3px] ${wrong ? "text-bad" : "text-warn"}`}
        aria-label={problem.severity}
      />
      <div className="min-w-0 flex-1">
        {problem.where.node ? (
          <button type="button" onClick={go} className="text-left hover:underline">
            <span className="font-medium">{title}</span>: <Ticks text={problem.message} />
            <Code code={problem.code} />
          </button>
        ) : (
          <p>
            <Ticks text={problem.message} />
            <Code code={problem.code} />
          </p>
        )}
      </div>
      {problem.fixes.slice(0, 3).map((fix) => (
        <Button key={fix.label} small onClick={() => void edit(fix.operations, fix.label)}>
          {fix.label}
        </Button>
      ))}
    </li>
  );
}

function Code({ code }: { code: string }) {
  return <span className="ml-1.5 text-2xs text-faint">{code}</span>;
}
