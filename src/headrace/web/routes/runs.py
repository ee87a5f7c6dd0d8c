"""Runs: start, look, stop, and what came out of a node: rows, a chart."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response

from headrace.base.errors import NotFound
from headrace.nodes.charts import render
from headrace.web.parts import Here, Parts
from headrace.web.shapes import Nothing, RunRequest
from headrace.workspace.views import PreviewView, RunView

router = APIRouter(tags=["runs"])

_CHART_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""A chart that is opened by itself may look as it looks and do nothing."""
_TYPES = {"svg": "image/svg+xml", "png": "image/png"}


@router.post("/flows/{flow_id}/runs", status_code=202)
def start_run(parts: Here, flow_id: str, body: RunRequest) -> RunView:
    """Start a run; what it does comes by the event stream."""
    return parts.workspace.run(parts.actor, flow_id, to=body.to, changeset_id=body.changeset_id, dry_run=body.dry_run)


@router.get("/flows/{flow_id}/runs")
def runs(parts: Here, flow_id: str) -> list[RunView]:
    """Return a flow's runs, latest first."""
    return parts.workspace.runs(parts.actor, flow_id)


@router.get("/runs/{run_id}")
def run(parts: Here, run_id: str) -> RunView:
    """Return a run as it stands."""
    return parts.workspace.run_view(parts.actor, run_id)


@router.post("/runs/{run_id}/cancel", status_code=202)
def cancel_run(parts: Here, run_id: str, body: Nothing | None = None) -> RunView:
    """Stop a run; one that is over stays as it is."""
    del body
    parts.workspace.cancel(parts.actor, run_id)
    return parts.workspace.run_view(parts.actor, run_id)


@router.get("/runs/{run_id}/nodes/{node_id}/preview")
def preview(
    parts: Here,
    run_id: str,
    node_id: str,
    *,
    offset: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> PreviewView:
    """Return some of the rows that were kept of a node's table."""
    return parts.workspace.preview(parts.actor, run_id, node_id, offset=offset, limit=limit)


@router.get(
    "/runs/{run_id}/nodes/{node_id}/chart.{form}",
    response_class=Response,
    responses={200: {"content": {kind: {} for kind in _TYPES.values()}, "description": "The image"}},
)
def chart_image(parts: Here, run_id: str, node_id: str, *, form: Literal["svg", "png"], dark: bool = False) -> Response:
    """Return a node's chart as an image, for a light or a dark page."""
    drawn = render(_chart(parts, run_id, node_id)["spec"], form, dark=dark)
    headers = {"Content-Security-Policy": _CHART_POLICY, "Cache-Control": "private, max-age=3600, immutable"}
    return Response(drawn, media_type=_TYPES[form], headers=headers)


@router.get("/runs/{run_id}/nodes/{node_id}/spec")
def chart_spec(parts: Here, run_id: str, node_id: str) -> dict[str, Any]:
    """Return a node's chart as a Vega-Lite spec, its data inside."""
    return _chart(parts, run_id, node_id)["spec"]


def _chart(parts: Parts, run_id: str, node_id: str) -> dict[str, Any]:
    node = parts.workspace.run_view(parts.actor, run_id).nodes.get(node_id)
    for output in node.outputs.values() if node else ():
        if isinstance(output, dict) and "spec" in output:
            return output
    raise NotFound(
        "no_chart",
        f"Run {run_id!r} has no chart of node {node_id!r}.",
        "Name a chart node that finished in this run.",
    )
