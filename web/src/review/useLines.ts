/** The lines of a staged change, made again when it or the flow becomes another. */
import { useMemo } from "react";
import { ghostsOf } from "@/flow/ghosts.ts";
import { linesOf, type ReviewLines } from "@/flow/lines.ts";
import { useFlow } from "@/state/flow.ts";
import { useHouse } from "@/state/house.ts";
import { useReview } from "@/state/review.ts";

const NONE: ReviewLines = { lines: [], edges: [] };

export function useLines(changesetId: string): ReviewLines {
  const changeset = useReview((review) => review.changesets[changesetId]);
  const document = useFlow((flow) => flow.document);
  const catalog = useHouse((house) => house.catalog);
  return useMemo(
    () => (changeset ? linesOf(changeset, document, ghostsOf(document, changeset.patch), catalog) : NONE),
    [changeset, document, catalog],
  );
}
