/** An edge: a calm curve, with a plus in its middle that puts a node into it. */
import { BaseEdge, type Edge, type EdgeProps, getBezierPath } from "@xyflow/react";
import { memo } from "react";
import type { Curve } from "@/flow/project.ts";
import { useView } from "@/state/view.ts";

export type CurveEdgeType = Edge<{ curve: Curve }, "curve">;

export const CurveEdge = memo(function CurveEdge(props: EdgeProps<CurveEdgeType>) {
  const [path, x, y] = getBezierPath(props);
  const curve = props.data?.curve;
  const add = () => {
    if (!curve) return;
    useView.getState().set({
      adding: {
        between: {
          source: { node: curve.source, port: curve.sourcePort },
          target: { node: curve.target, port: curve.targetPort },
        },
      },
    });
  };
  return (
    <>
      <BaseEdge id={props.id} path={path} interactionWidth={18} />
      {curve && !curve.ghost && (
        // biome-ignore lint/a11y/useSemanticElements: inside a drawing there are no buttons; the palette has the same by keyboard.
        <g
          role="button"
          tabIndex={-1}
          aria-label="Put a node into this edge"
          transform={`translate(${x} ${y})`}
          onClick={add}
          onKeyDown={(event) => event.key === "Enter" && add()}
          className="edge-plus cursor-pointer opacity-0 transition-opacity"
        >
          <circle r="9" fill="var(--raised)" stroke="var(--line-strong)" />
          <path d="M-3.5 0h7M0 -3.5v7" stroke="var(--muted)" strokeWidth="1.4" strokeLinecap="round" />
        </g>
      )}
    </>
  );
});
