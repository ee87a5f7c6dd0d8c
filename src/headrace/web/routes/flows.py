"""Flows: make, list, look, rename, delete, edit by hand, take back, bring back, and the log."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from headrace.web.parts import Here
from headrace.web.shapes import Edit, NewFlow, Nothing, Number, Rename, Sql
from headrace.workspace.views import FlowSummary, FlowView, RevisionView

router = APIRouter(prefix="/flows", tags=["flows"])


@router.get("")
def flows(parts: Here) -> list[FlowSummary]:
    """Return the flows, the one changed last first."""
    return parts.workspace.flows(parts.actor)


@router.post("", status_code=201)
def create_flow(parts: Here, body: NewFlow) -> FlowView:
    """Make a flow: empty, the sample with its data, or what a document says. Nothing is run."""
    document = dict(parts.place_sample()) if body.sample else body.document
    return parts.workspace.create_flow(parts.actor, body.name, document)


@router.get("/{flow_id}")
def flow(parts: Here, flow_id: str, changeset_id: str | None = None) -> FlowView:
    """Return a flow as it stands, or as it would stand with a changeset."""
    return parts.workspace.flow(parts.actor, flow_id, changeset_id=changeset_id)


@router.patch("/{flow_id}")
def rename_flow(parts: Here, flow_id: str, body: Rename) -> FlowView:
    """Give a flow another name."""
    return parts.workspace.rename_flow(parts.actor, flow_id, body.name)


@router.delete("/{flow_id}", status_code=204)
def delete_flow(parts: Here, flow_id: str, body: Nothing | None = None) -> Response:
    """Remove a flow and all that belongs to it."""
    del body
    parts.workspace.delete_flow(parts.actor, flow_id)
    return Response(status_code=204)


@router.post("/{flow_id}/operations", status_code=202)
def edit_flow(parts: Here, flow_id: str, body: Edit) -> Number:
    """Apply operations by a person's hand, all or none, as one revision."""
    revision = parts.workspace.edit(parts.actor, flow_id, body.operations, message=body.message)
    return Number(number=revision.number)


@router.post("/{flow_id}/undo", status_code=202)
def undo(parts: Here, flow_id: str, body: Nothing | None = None) -> Number:
    """Take back your own latest revision that still stands."""
    del body
    return Number(number=parts.workspace.undo(parts.actor, flow_id).number)


@router.post("/{flow_id}/redo", status_code=202)
def redo(parts: Here, flow_id: str, body: Nothing | None = None) -> Number:
    """Bring back what you took back last."""
    del body
    return Number(number=parts.workspace.redo(parts.actor, flow_id).number)


@router.get("/{flow_id}/revisions")
def revisions(
    parts: Here,
    flow_id: str,
    *,
    before: Annotated[int | None, Query(ge=0)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> list[RevisionView]:
    """Return a flow's log, latest first, from below a number on."""
    return parts.workspace.revisions(parts.actor, flow_id, before=before, limit=limit)


@router.get("/{flow_id}/nodes/{node_id}/sql")
def node_sql(parts: Here, flow_id: str, node_id: str, *, changeset_id: str | None = None) -> Sql:
    """Return the SQL that a table node and all before it amount to, as the flow stands or would stand with a changeset."""
    return Sql(sql=parts.workspace.sql(parts.actor, flow_id, node_id, changeset_id=changeset_id))
