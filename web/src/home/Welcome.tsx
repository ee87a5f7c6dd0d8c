/** What somebody sees who has no flow yet: what this is, three ways to begin, and what to expect. */
import { ACCEPTED } from "@/flow/brought.ts";
import { iconOf, tintOf } from "@/flow/look.ts";
import { SAMPLE, UNTITLED, useHouse } from "@/state/house.ts";
import { Button } from "@/ui/Button.tsx";
import { FileButton } from "@/ui/FileDrop.tsx";
import { Icon, type IconName } from "@/ui/Icon.tsx";
import { beginWith } from "./begin.ts";

const POINTS: [IconName, string, string][] = [
  ["chat", "Say what you want", "“Total amount per region, highest first.” The assistant drafts it on the canvas."],
  [
    "check",
    "See it before it lands",
    "Every change is shown in words and on the canvas. Apply all of it, a part, or nothing.",
  ],
  ["undo", "Take anything back", "Each change is one revision, and one undo away."],
];

export function Welcome() {
  const create = useHouse((house) => house.create);
  return (
    <section className="appear pt-6">
      <h1 className="max-w-xl text-2xl leading-8 font-semibold">
        Tables in, answers out, and you see what happens in between.
      </h1>
      <p className="mt-2 max-w-xl text-muted">
        Build a flow from your files by hand or in plain words. It runs on this machine; no account and no key are
        needed.
      </p>
      <div className="mt-6 flex flex-wrap items-center gap-2">
        <Button weight="primary" icon="table" onClick={() => void create(SAMPLE)}>
          Open the sample
        </Button>
        <FileButton accept={ACCEPTED} onFiles={(files) => void beginWith(files)}>
          Bring a file
        </FileButton>
        <Button icon="plus" onClick={() => void create(UNTITLED)}>
          New flow
        </Button>
        <span className="ml-1 text-sm text-faint">or drop files anywhere on this page</span>
      </div>
      <Sketch />
      <ul className="mt-4 grid grid-cols-3 gap-4">
        {POINTS.map(([icon, title, text]) => (
          <li key={title} className="rounded-lg border border-line bg-surface p-4">
            <Icon name={icon} className="text-accent" />
            <h2 className="mt-2 text-sm font-semibold">{title}</h2>
            <p className="mt-1 text-sm text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const NODES: [type: string, area: string, title: string, does: string][] = [
  ["read_file", "input", "Orders", "orders.csv"],
  ["filter", "rows", "Only paid", "status = 'paid'"],
  ["aggregate", "summarize", "Per category", "sum(amount)"],
  ["chart", "output", "Bar chart", "category · amount"],
];

/** What a flow looks like, in small; only to look at. */
function Sketch() {
  return (
    <div
      aria-hidden="true"
      className="mt-8 flex items-center overflow-hidden rounded-lg border border-line bg-surface bg-[radial-gradient(var(--line)_1px,transparent_1px)] bg-size-[16px_16px] px-6 py-7"
    >
      {NODES.map(([type, area, title, does], index) => (
        <div key={type} className="flex min-w-0 flex-1 items-center last:flex-none">
          <div className="flex w-40 shrink-0 items-center gap-2 rounded-lg border border-line-strong bg-raised px-2.5 py-2 shadow-card">
            <span
              className="flex size-7 shrink-0 items-center justify-center rounded-md"
              style={{
                color: tintOf(area),
                background: `color-mix(in srgb, ${tintOf(area)} 12%, transparent)`,
              }}
            >
              <Icon name={iconOf(type, area) as IconName} />
            </span>
            <span className="min-w-0">
              <span className="block truncate text-sm leading-[18px] font-semibold">{title}</span>
              <span className="block truncate font-mono text-2xs text-muted">{does}</span>
            </span>
          </div>
          {index < NODES.length - 1 && (
            <span className="relative h-0.5 min-w-4 flex-1 bg-line-strong">
              <span className="absolute -top-[3px] -left-1 size-2 rounded-full bg-accent" />
              <span className="absolute -top-[3px] -right-1 size-2 rounded-full bg-accent" />
            </span>
          )}
        </div>
      ))}
    </div>
  );
}
