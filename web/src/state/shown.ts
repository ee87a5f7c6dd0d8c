/** What is on the canvas: the flow as it stands, or as a staged change would make it. */

import type { ChangesetView } from "@/api/types.ts";
import type { ColumnsByPort, Diagnostic, FlowDocument } from "@/flow/document.ts";
import { type Ghosts, ghostsOf } from "@/flow/ghosts.ts";
import { useFlow } from "@/state/flow.ts";
import { useReview } from "@/state/review.ts";

export interface Shown {
  document: FlowDocument;
  ghosts: Ghosts | null;
  diagnostics: Diagnostic[];
  columns: ColumnsByPort;
}

interface Sources {
  document: FlowDocument;
  diagnostics: Diagnostic[];
  columns: ColumnsByPort;
  changeset: ChangesetView | undefined;
}

// Several panels ask for the same; the last answer serves them all.
let asked: Sources | null = null;
let answer: Shown | null = null;

export function useShown(): Shown {
  const document = useFlow((flow) => flow.document);
  const diagnostics = useFlow((flow) => flow.diagnostics);
  const columns = useFlow((flow) => flow.columns);
  const changeset = useReview((review) => (review.openId ? review.changesets[review.openId] : undefined));
  return shownOf({ document, diagnostics, columns, changeset });
}

/** Return whether a node on the canvas is one that the staged change adds or changes, so that its edits belong to that change. */
export function stagedAt(shown: Shown, nodeId: string): boolean {
  const ghost = shown.ghosts?.nodes[nodeId];
  return ghost === "added" || ghost === "changed";
}

function shownOf(sources: Sources): Shown {
  const { document, diagnostics, columns, changeset } = sources;
  const same =
    asked?.document === document &&
    asked.diagnostics === diagnostics &&
    asked.columns === columns &&
    asked.changeset === changeset;
  if (same && answer) return answer;
  const ghosts = changeset ? ghostsOf(document, changeset.patch) : null;
  asked = sources;
  answer =
    ghosts && changeset
      ? {
          document: ghosts.document,
          ghosts,
          diagnostics: changeset.diagnostics,
          columns: { ...columns, ...changeset.columns },
        }
      : { document, ghosts: null, diagnostics, columns };
  return answer;
}
