/** What an area shows when it has nothing to show, is waiting, or has failed. */
import type { ReactNode } from "react";
import { Icon, type IconName } from "./Icon.tsx";
import { Ticks } from "./Ticks.tsx";

interface Props {
  icon: IconName;
  title: string;
  text?: ReactNode;
  tone?: "plain" | "bad";
  children?: ReactNode;
}

export function Empty({ icon, title, text, tone = "plain", children }: Props) {
  return (
    <div className="flex h-full flex-col items-center justify-center gap-1 p-6 text-center">
      <Icon name={icon} size={20} className={tone === "bad" ? "text-bad" : "text-faint"} />
      <p className="mt-1 text-sm font-medium">{title}</p>
      {text && <p className="max-w-md text-sm text-muted">{typeof text === "string" ? <Ticks text={text} /> : text}</p>}
      {children && <div className="mt-3 flex flex-wrap items-center justify-center gap-2">{children}</div>}
    </div>
  );
}

/** Return grey bars where text will be, of the size that it will have. */
export function Skeleton({ rows = 3, className }: { rows?: number; className?: string }) {
  const widths = ["w-3/4", "w-full", "w-1/2", "w-5/6", "w-2/3"];
  return (
    <div className={`shimmer flex flex-col gap-3 ${className ?? ""}`} aria-hidden="true">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are alike and never move.
        <div key={index} className={`h-3.5 rounded bg-hover ${widths[index % widths.length]}`} />
      ))}
    </div>
  );
}
