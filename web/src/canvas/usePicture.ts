/** Derives the picture from the stores, doing again only what a change asks for. */
import { useMemo } from "react";
import { ghostsOf } from "@/flow/ghosts.ts";
import { placesOf } from "@/flow/placement.ts";
import { type Picture, project } from "@/flow/project.ts";
import { useFlow } from "@/state/flow.ts";
import { useHouse } from "@/state/house.ts";
import { useReview } from "@/state/review.ts";
import { useRuns } from "@/state/runs.ts";

export function usePicture(): Picture & { places: Record<string, { x: number; y: number }> } {
  const document = useFlow((flow) => flow.document);
  const flowDiagnostics = useFlow((flow) => flow.diagnostics);
  const flowColumns = useFlow((flow) => flow.columns);
  const catalog = useHouse((house) => house.catalog);
  const run = useRuns((runs) => runs.run);
  const stale = useRuns((runs) => runs.stale);
  const changeset = useReview((review) => (review.openId ? review.changesets[review.openId] : undefined));

  const ghosts = useMemo(() => (changeset ? ghostsOf(document, changeset.patch) : null), [document, changeset]);
  const drawn = ghosts?.document ?? document;
  const places = useMemo(() => placesOf(drawn), [drawn]);
  const picture = useMemo(
    () =>
      project({
        document,
        catalog,
        places,
        ghosts,
        run,
        stale,
        diagnostics: ghosts && changeset ? changeset.diagnostics : flowDiagnostics,
        columns: ghosts && changeset ? { ...flowColumns, ...changeset.columns } : flowColumns,
      }),
    [document, catalog, places, ghosts, run, stale, changeset, flowDiagnostics, flowColumns],
  );
  return useMemo(() => ({ ...picture, places }), [picture, places]);
}
