/**
 * A patch on a flow document, in the browser: the same flow, or the same conflicting paths, as on the server (SPEC P7).
 * Checks every pre-image and never half-applies. Whether the outcome is sound is the server's to judge.
 */
import type { Change, FlowDocument, Json, Patch } from "./document.ts";

export interface PatchConflict {
  path: string[];
  reason: "changed" | "missing" | "exists";
}

type Holder = { [key: string]: Json };

/** Return the patched document, sharing what the patch does not touch; null where the patch no longer fits. */
export function applyPatch(document: FlowDocument, patch: Patch): FlowDocument | null {
  const { after, conflicts } = tryPatch(document, patch);
  return conflicts.length > 0 ? null : after;
}

/** Return every path of a patch that no longer fits a document, in the order of the patch. */
export function conflictsOf(document: FlowDocument, patch: Patch): PatchConflict[] {
  return tryPatch(document, patch).conflicts;
}

/** Return the patch that takes another back. */
export function inverse(patch: Patch): Patch {
  return { changes: patch.changes.map(flipped) };
}

/** Return whether two JSON values are the same, whatever the order of their keys. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, n) => sameJson(item, b[n]));
  }
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}

function tryPatch(document: FlowDocument, patch: Patch): { after: FlowDocument; conflicts: PatchConflict[] } {
  const after = { ...document } as unknown as Holder;
  const mine = new Set<object>([after]);
  const conflicts: PatchConflict[] = [];
  for (const change of patch.changes) {
    const reason = write(after, change, mine);
    if (reason) conflicts.push({ path: change.path, reason });
  }
  return { after: after as unknown as FlowDocument, conflicts };
}

/** Write one change, or return why it does not fit. `mine` holds the objects that are copies already. */
function write(root: Holder, change: Change, mine: Set<object>): PatchConflict["reason"] | null {
  let holder = root;
  for (const key of change.path.slice(0, -1)) {
    const inner = own(holder, key);
    if (inner === null || typeof inner !== "object" || Array.isArray(inner)) return "missing";
    if (mine.has(inner)) {
      holder = inner;
      continue;
    }
    const copy = { ...inner };
    mine.add(copy);
    put(holder, key, copy);
    holder = copy;
  }
  const leaf = change.path.at(-1) ?? "";
  const found = own(holder, leaf);
  if (change.kind === "added") {
    if (found !== undefined) return "exists";
  } else {
    if (found === undefined) return "missing";
    if (!sameJson(found, change.before)) return "changed";
  }
  if (change.kind === "removed") delete holder[leaf];
  else put(holder, leaf, change.after);
  return null;
}

function own(holder: Holder, key: string): Json | undefined {
  return Object.hasOwn(holder, key) ? holder[key] : undefined;
}

/** Set a key, whatever it is called: to assign `__proto__` would set the object's prototype. */
function put(holder: Holder, key: string, value: Json): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}

function flipped(change: Change): Change {
  switch (change.kind) {
    case "added":
      return { kind: "removed", path: change.path, before: change.after };
    case "removed":
      return { kind: "added", path: change.path, after: change.before };
    case "changed":
      return { kind: "changed", path: change.path, before: change.after, after: change.before };
  }
}
