/** What is wrong with a field, where it is wrong, with the ways out as buttons. */
import type { Diagnostic } from "@/flow/document.ts";
import { isWrong } from "@/flow/project.ts";
import { useEdit } from "@/state/acting.ts";
import { useShown } from "@/state/shown.ts";
import { Button } from "@/ui/Button.tsx";
import { Icon } from "@/ui/Icon.tsx";
import { Ticks } from "@/ui/Ticks.tsx";

export function Faults({ faults, nodeId }: { faults: Diagnostic[]; nodeId: string }) {
  const edit = useEdit(nodeId);
  const { document } = useShown();
  return (
    <ul className="flex flex-col gap-1.5">
      {faults.map((fault) => (
        <li
          key={`${fault.code}${fault.message}`}
          className={`text-xs ${isWrong([fault], document) ? "text-bad" : "text-warn"}`}
        >
          <p className="flex items-start gap-1.5">
            <Icon name="alert" size={12} className="mt-[3px]" />
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <Ticks text={fault.message} />
            </span>
          </p>
          {fault.fixes.length > 0 && (
            <div className="mt-1 flex flex-wrap gap-1 pl-[18px]">
              {fault.fixes.slice(0, 4).map((fix) => (
                <Button key={fix.label} small onClick={() => void edit(fix.operations, fix.label)}>
                  {fix.label}
                </Button>
              ))}
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
