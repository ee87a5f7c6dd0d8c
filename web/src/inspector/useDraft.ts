/** A node's config while it is being typed: kept here at once, asked for half a second after the last key. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Config, Json } from "@/flow/document.ts";
import { configEdits, type Field, withoutBlanks } from "@/flow/forms.ts";
import { reconfigure } from "@/flow/operations.ts";
import { useEdit } from "@/state/acting.ts";
import { useShown } from "@/state/shown.ts";

const PAUSE = 500;
const NOTHING: Config = {};

export function useDraft(nodeId: string, fields: Field[], title: string) {
  const kept = useShown().document.nodes[nodeId]?.config ?? NOTHING;
  const edit = useEdit(nodeId);
  const now = useRef(kept);
  now.current = kept;
  const [draft, setDraft] = useState<Config>(kept);
  const latest = useRef(draft);
  const asked = useRef(JSON.stringify(kept));
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);

  const save = useCallback(async () => {
    if (timer.current) clearTimeout(timer.current);
    timer.current = null;
    const wanted = withoutBlanks(fields, latest.current);
    const operations = reconfigure(nodeId, configEdits(now.current, wanted));
    asked.current = JSON.stringify(wanted);
    if (operations.length > 0) await edit(operations, `Changed ${title}`);
  }, [nodeId, fields, title, edit]);

  // What comes back of one's own typing changes nothing here; what anybody else did is taken over.
  useEffect(() => {
    const text = JSON.stringify(kept);
    if (timer.current || sameKeys(text, asked.current)) return;
    asked.current = text;
    latest.current = kept;
    setDraft(kept);
  }, [kept]);
  const saveLast = useRef(save);
  saveLast.current = save;
  useEffect(
    () => () => {
      if (timer.current) void saveLast.current();
    },
    [],
  );

  const set = useCallback((key: string, value: Json | undefined) => {
    const next = { ...latest.current };
    if (value === undefined) delete next[key];
    else next[key] = value;
    latest.current = next;
    setDraft(next);
    if (timer.current) clearTimeout(timer.current);
    timer.current = setTimeout(() => void saveLast.current(), PAUSE);
  }, []);
  return { draft, set };
}

function sameKeys(a: string, b: string): boolean {
  if (a === b) return true;
  const order = (text: string) =>
    JSON.stringify(Object.entries(JSON.parse(text) as Config).sort(([x], [y]) => x.localeCompare(y)));
  return order(a) === order(b);
}
