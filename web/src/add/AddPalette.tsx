/** The type-to-add palette: node types ranked by what was typed and what fits the port, and the files at hand. */
import { Command } from "cmdk";
import { useEffect, useMemo, useState } from "react";
import { iconOf, tintOf } from "@/flow/look.ts";
import { type NodeTypeView, rankTypes } from "@/flow/nodeType.ts";
import { addNode, portTypeOf } from "@/state/adding.ts";
import { useChat } from "@/state/chat.ts";
import { useFlow } from "@/state/flow.ts";
import { useHouse } from "@/state/house.ts";
import { useView } from "@/state/view.ts";
import { Dialog } from "@/ui/Dialog.tsx";
import { Icon, type IconName } from "@/ui/Icon.tsx";

export function AddPalette() {
  const adding = useView((view) => view.adding);
  const set = useView((view) => view.set);
  return (
    <Dialog
      open={adding !== null}
      onClose={() => set({ adding: null })}
      label="Add a node"
      bare
      className="mt-[14vh] mb-auto max-w-lg"
    >
      <Choices />
    </Dialog>
  );
}

function Choices() {
  const adding = useView((view) => view.adding);
  const types = useHouse((house) => house.types);
  const files = useHouse((house) => house.files) ?? [];
  const document = useFlow((flow) => flow.document);
  const [words, setWords] = useState("");
  const [picked, setPicked] = useState("");
  const from = adding?.from ?? adding?.between?.source;
  const portType = from ? portTypeOf(from) : undefined;
  const ranked = useMemo(() => {
    const fitting = rankTypes(types, words, portType);
    return adding?.between ? fitting.filter((type) => type.outputs.some((port) => port.type === portType)) : fitting;
  }, [types, words, portType, adding?.between]);
  const wanted = words.trim().toLowerCase();
  const shownFiles = from
    ? []
    : files.filter((file) => !wanted || `read ${file.name}`.toLowerCase().includes(wanted)).slice(0, 6);
  const source = from ? document.nodes[from.node] : undefined;
  const first = shownFiles[0] && wanted ? `file ${shownFiles[0].path}` : ranked[0] ? `type ${ranked[0].name}` : ASK;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed decides; the best fit is then the one that Enter takes.
  useEffect(() => setPicked(first), [words, first]);
  const place = adding?.between
    ? "Between two nodes"
    : source
      ? `After ${source.title || types.find((type) => type.name === source.type)?.title || from?.node}`
      : null;

  return (
    <Command label="Add a node" shouldFilter={false} loop value={picked} onValueChange={setPicked}>
      <div className="flex items-center gap-2 border-b border-line px-3">
        <Icon name="search" className="text-faint" />
        <Command.Input
          autoFocus
          value={words}
          onValueChange={setWords}
          placeholder={place ? "What comes next?" : "Add a node: filter, join, sum up…"}
          className="h-11 flex-1 bg-transparent text-sm outline-none"
        />
        {place && <span className="rounded-md bg-sunken px-2 py-0.5 text-xs text-muted">{place}</span>}
      </div>
      <Command.List className="max-h-[46vh] overflow-y-auto p-1.5">
        {shownFiles.length > 0 && wanted && <Files files={shownFiles} />}
        <Command.Group>
          {ranked.map((type) => (
            <TypeItem key={type.name} type={type} />
          ))}
        </Command.Group>
        {shownFiles.length > 0 && !wanted && <Files files={shownFiles} />}
        {wanted && <AskItem words={words.trim()} />}
      </Command.List>
    </Command>
  );
}

const ASK = "ask";
const ITEM = "flex cursor-pointer items-center gap-2.5 rounded-md px-2 py-1.5 aria-selected:bg-hover";

function TypeItem({ type }: { type: NodeTypeView }) {
  const tint = tintOf(type.area);
  return (
    <Command.Item value={`type ${type.name}`} onSelect={() => void addNode(type)} className={ITEM}>
      <span
        className="flex size-7 shrink-0 items-center justify-center rounded-md"
        style={{ color: tint, background: `color-mix(in srgb, ${tint} 12%, transparent)` }}
      >
        <Icon name={iconOf(type.name, type.area) as IconName} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex text-sm font-medium">{type.title}</span>
        <span className="flex truncate text-xs text-muted">{type.summary}</span>
      </span>
    </Command.Item>
  );
}

/** What no node type says, the assistant may understand. */
function AskItem({ words }: { words: string }) {
  const ask = () => {
    useView.getState().set({ adding: null, side: "assistant" });
    useChat.getState().write(words);
    // The dialog gives the focus back first.
    setTimeout(() => document.getElementById("request")?.focus(), 0);
  };
  return (
    <Command.Item value={ASK} onSelect={ask} className={ITEM}>
      <Icon name="chat" className="mx-1.5 text-muted" />
      <span className="truncate text-sm">Ask the assistant: “{words}”</span>
    </Command.Item>
  );
}

function Files({ files }: { files: { name: string; path: string }[] }) {
  const reader = useHouse((house) => house.catalog.get("read_file"));
  if (!reader) return null;
  return (
    <Command.Group heading={<span className="px-2 text-2xs font-medium text-faint">Files</span>}>
      {files.map((file) => (
        <Command.Item
          key={file.path}
          value={`file ${file.path}`}
          onSelect={() => void addNode(reader, { path: file.path })}
          className={ITEM}
        >
          <Icon name="file" className="mx-1.5 text-muted" />
          <span className="truncate text-sm">Read {file.name}</span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}
