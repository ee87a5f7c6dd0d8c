/** A staged change that grew, put together from what it was and what the server says is new. Pure. */
import type { Change, ColumnsByPort, Diagnostic, Operation, Patch } from "./document.ts";

/** What a staged change holds that may grow. */
export interface Growing {
  amended: number;
  digest: string;
  summary: string;
  updated_at: string;
  operations: Operation[];
  words: string[];
  patch: Patch;
  columns: ColumnsByPort;
  diagnostics: Diagnostic[];
  introduced: Diagnostic[];
  titles: Record<string, string>;
}

/** What one amendment adds to the changeset that was amended once less. */
export interface Amended {
  changeset_id: string;
  amended: number;
  digest: string;
  summary: string;
  updated_at: string;
  added: {
    operations: Operation[];
    words: string[];
    patch: Change[];
    unchanged: string[][];
    columns: ColumnsByPort;
    without_columns: string[];
    /** Null: as they were. */
    diagnostics: Diagnostic[] | null;
    introduced: Diagnostic[] | null;
    titles: Record<string, string>;
  };
}

/** Return a changeset with an amendment; the very one where it holds it already; null where one between them is missing. */
export function amendedWith<View extends Growing>(view: View, event: Amended): View | null {
  if (event.amended <= view.amended) return view;
  if (event.amended > view.amended + 1) return null;
  const { amended, digest, summary, updated_at, added } = event;
  const changes = new Map(view.patch.changes.map((change) => [placeOf(change.path), change]));
  for (const path of added.unchanged) changes.delete(placeOf(path));
  for (const change of added.patch) changes.set(placeOf(change.path), change);
  const columns = { ...view.columns };
  for (const nodeId of added.without_columns) delete columns[nodeId];
  return {
    ...view,
    amended,
    digest,
    summary,
    updated_at,
    operations: [...view.operations, ...added.operations],
    words: [...view.words, ...added.words],
    patch: { changes: [...changes.values()].sort(byPath) },
    columns: Object.assign(columns, added.columns),
    diagnostics: added.diagnostics ?? view.diagnostics,
    introduced: added.introduced ?? view.introduced,
    titles: { ...view.titles, ...added.titles },
  };
}

const placeOf = (path: string[]) => JSON.stringify(path);

function byPath(a: Change, b: Change): number {
  const at = a.path.findIndex((key, index) => key !== b.path[index]);
  if (at < 0) return a.path.length - b.path.length;
  const [mine = "", theirs = ""] = [a.path[at], b.path[at]];
  return mine < theirs ? -1 : 1;
}
