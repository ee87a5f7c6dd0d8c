"""Changesets: what is staged, and a person's decision about it."""

from __future__ import annotations

from fastapi import APIRouter

from headrace.web.parts import Here
from headrace.web.shapes import Amendment, Approval, Nothing, Number
from headrace.workspace.views import ChangesetStatus, ChangesetView

router = APIRouter(tags=["changesets"])


@router.get("/flows/{flow_id}/changesets")
def changesets(parts: Here, flow_id: str, status: ChangesetStatus | None = None) -> list[ChangesetView]:
    """Return a flow's changesets, latest first, all or those in one state."""
    return parts.workspace.changesets(parts.actor, flow_id, status=status)


@router.get("/changesets/{changeset_id}")
def changeset(parts: Here, changeset_id: str) -> ChangesetView:
    """Return a changeset."""
    return parts.workspace.changeset(parts.actor, changeset_id)


@router.post("/changesets/{changeset_id}/amend")
def amend(parts: Here, changeset_id: str, body: Amendment) -> ChangesetView:
    """Put a person's own operations behind the staged ones, before anything is approved; its digest is another then."""
    return parts.workspace.amend(parts.actor, changeset_id, body.operations)


@router.post("/changesets/{changeset_id}/approve", status_code=202)
def approve(parts: Here, changeset_id: str, body: Approval) -> Number:
    """Let the patch that the digest names land, whole or in part, as one revision."""
    landed = parts.workspace.approve(parts.actor, changeset_id, digest=body.digest, only=body.only)
    return Number(number=landed.number)


@router.post("/changesets/{changeset_id}/reject")
def reject(parts: Here, changeset_id: str, body: Nothing | None = None) -> ChangesetView:
    """Dismiss a changeset; the flow stays as it is."""
    del body
    return parts.workspace.reject(parts.actor, changeset_id)


@router.post("/changesets/{changeset_id}/refresh")
def refresh(parts: Here, changeset_id: str, body: Nothing | None = None) -> ChangesetView:
    """Make the same operations again on the flow as it is now, as a new changeset."""
    del body
    return parts.workspace.refresh(parts.actor, changeset_id)
