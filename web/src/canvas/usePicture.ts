/** Derives the picture from the stores, doing again only what a change asks for. */
import { useMemo } from "react";
import type { Point } from "@/flow/document.ts";
import { placesOf } from "@/flow/placement.ts";
import { type Picture, project } from "@/flow/project.ts";
import { useFlow } from "@/state/flow.ts";
import { useHouse } from "@/state/house.ts";
import { useRuns } from "@/state/runs.ts";
import { useShown } from "@/state/shown.ts";

export function usePicture(): Picture & { places: Record<string, Point> } {
  const document = useFlow((flow) => flow.document);
  const shown = useShown();
  const catalog = useHouse((house) => house.catalog);
  const run = useRuns((runs) => runs.run);
  const baseline = useRuns((runs) => runs.baseline);
  const stale = useRuns((runs) => runs.stale);
  const places = useMemo(() => placesOf(shown.document), [shown.document]);
  return useMemo(() => {
    const { ghosts, diagnostics, columns } = shown;
    const picture = project({ document, catalog, places, ghosts, run, baseline, stale, diagnostics, columns });
    return { ...picture, places };
  }, [document, shown, catalog, places, run, baseline, stale]);
}
