"""Use cases over whole flows: make, list, look, rename, delete, and read their log."""

from __future__ import annotations

from typing import Any

from headrace.base.actor import Actor
from headrace.base.errors import Invalid
from headrace.base.ids import new_id
from headrace.flow.changeset import redo_target, undo_target
from headrace.flow.model import EMPTY, Flow, document_of, flow_from_document
from headrace.flow.operations import SetName, apply_all
from headrace.flow.patch import Patch, diff
from headrace.flow.patch_words import describe_patch
from headrace.store.protocol import Reading
from headrace.store.records import FlowRecord, RevisionRecord

from . import events
from .foundation import UseCases, require_person
from .happenings import FlowCreated, FlowDeleted
from .heads import Head, Move, first_record, flow_at, revisions_newest_first
from .judging import Judged, columns_of, shown
from .views import FlowSummary, FlowView, RevisionView


class Flows(UseCases):
    """Whole flows."""

    def create_flow(self, actor: Actor, name: str, document: dict[str, Any] | None = None) -> FlowView:
        """Return a new flow, empty or as a document says; a name that is given wins over the document's.

        Errors: Invalid, with every fault of the document.
        """
        require_person(actor, "make a flow")
        flow = EMPTY if document is None else flow_from_document(document)
        flow = _named(flow, name or flow.name or "Untitled")
        house, now = self._house, self._house.now()
        record, snapshot = first_record(actor, new_id("flow"), flow, now=now)
        with house.store.transaction() as tx:
            tx.add(record)
            tx.add(snapshot)
            events.append(tx, actor, FlowCreated(name=flow.name), flow_id=record.flow_id, now=now)
        head = Head(record, house.heads.judge.first(flow))
        house.heads.put(head)
        house.bell.ring(actor.owner)
        return _shown(head, head.judged)

    def flows(self, actor: Actor) -> list[FlowSummary]:
        """Return the owner's flows, the one changed last first."""
        with self._house.store.reading() as view:
            records = view.find(FlowRecord, actor.owner)
        return [_summary(record) for record in sorted(records, key=lambda each: each.updated_at, reverse=True)]

    def flow(self, actor: Actor, flow_id: str, *, changeset_id: str | None = None) -> FlowView:
        """Return a flow as it stands, or as it would stand with a changeset.

        Errors: NotFound; PatchConflict where the changeset no longer fits.
        """
        with self._house.store.reading() as view:
            head = self._house.heads.head(view, actor, flow_id)
            judged = self._house.staged.judged(view, actor, head, changeset_id=changeset_id)
            ways = _ways(view, actor, head)
        return _shown(head, judged, changeset_id=changeset_id, ways=ways)

    def known(self, actor: Actor, flow_id: str, *, changeset_id: str | None = None) -> Judged:
        """Return the flow itself with all that is known of it, for callers that go on working with it.

        Errors: NotFound; PatchConflict.
        """
        with self._house.store.reading() as view:
            head = self._house.heads.head(view, actor, flow_id)
            return self._house.staged.judged(view, actor, head, changeset_id=changeset_id)

    def flow_at(self, actor: Actor, flow_id: str, number: int) -> dict[str, Any]:
        """Return the document of a flow as it was at a revision.

        Errors: NotFound.
        """
        with self._house.store.reading() as view:
            view.get(FlowRecord, actor.owner, flow_id)
            return document_of(flow_at(view, actor, flow_id, number=number))

    def rename_flow(self, actor: Actor, flow_id: str, name: str) -> FlowView:
        """Return the flow under another name; that is a revision like any other.

        Errors: NotFound; Refused unless a person asks.
        """
        require_person(actor, "rename a flow")
        house = self._house
        with house.heads.lock(actor, flow_id):
            with house.store.reading() as view:
                head = house.heads.head(view, actor, flow_id)
            flow = _named(head.flow, name)
            patch = diff(head.flow, flow)
            if patch.changes:
                judged = house.heads.judge.again(head.judged, flow, touched=frozenset())
                move = Move(patch=patch, after=judged, author=actor.author, message=f"Call the flow “{flow.name}”")
                with house.store.transaction() as tx:
                    head, _ = house.heads.move(tx, actor, head, move=move, now=house.now())
                house.heads.put(head)
                house.bell.ring(actor.owner)
        return self.flow(actor, flow_id)

    def delete_flow(self, actor: Actor, flow_id: str) -> None:
        """Remove a flow and all that belongs to it; what runs of it is stopped first.

        Errors: NotFound; Refused unless a person asks.
        """
        require_person(actor, "delete a flow")
        house = self._house
        with house.store.reading() as view:
            view.get(FlowRecord, actor.owner, flow_id)
        house.runner.cancel_flow(actor, flow_id)
        with house.heads.lock(actor, flow_id):
            with house.store.transaction() as tx:
                tx.remove(FlowRecord, actor.owner, flow_id)
                events.append(tx, actor, FlowDeleted(), flow_id=flow_id, now=house.now())
            house.heads.forget(actor, flow_id)
        house.bell.ring(actor.owner)

    def revisions(
        self, actor: Actor, flow_id: str, *, before: int | None = None, limit: int = 50
    ) -> list[RevisionView]:
        """Return a flow's log, latest first, from below a number on.

        Errors: NotFound.
        """
        with self._house.store.reading() as view:
            record = view.get(FlowRecord, actor.owner, flow_id)
            number = record.number if before is None else min(before - 1, record.number)
            low = max(0, number - limit)
            where = {"flow_id": flow_id}
            found = view.find(RevisionRecord, actor.owner, where=where, after=low, limit=max(0, number - low))
        return [revision_view(each) for each in reversed(found)]


def revision_view(record: RevisionRecord) -> RevisionView:
    """Return a revision as its reader sees it."""
    return RevisionView(
        flow_id=record.flow_id,
        number=record.number,
        hash=record.hash,
        author=record.author,
        approved_by=record.approved_by,
        message=record.message,
        reverts=record.reverts,
        changeset_id=record.changeset_id,
        created_at=record.created_at,
        words=tuple(describe_patch(Patch.model_validate(record.patch))),
    )


def _named(flow: Flow, name: str) -> Flow:
    """A flow under a name, by the same rules as any other way to name it."""
    text = " ".join(name.split())
    if not text:
        raise Invalid("no_name", "A flow needs a name.", "Type a few words.")
    try:
        operation = SetName(name=text)
    except ValueError as error:
        raise Invalid("bad_name", f"A flow cannot be called {text[:40]!r}.", "Type at most 300 characters.") from error
    return apply_all(flow, [operation])


def _ways(view: Reading, actor: Actor, head: Head) -> tuple[bool, bool]:
    """Whether the actor has something to undo and to redo."""
    flow_id, number = head.record.flow_id, head.number
    undo = undo_target(revisions_newest_first(view, actor, flow_id, number=number), actor.author)
    redo = redo_target(revisions_newest_first(view, actor, flow_id, number=number), actor.author)
    return undo is not None, redo is not None


def _summary(record: FlowRecord) -> FlowSummary:
    return FlowSummary(
        flow_id=record.flow_id,
        name=record.name,
        number=record.number,
        created_at=record.created_at,
        updated_at=record.updated_at,
    )


def _shown(
    head: Head, judged: Judged, *, changeset_id: str | None = None, ways: tuple[bool, bool] = (False, False)
) -> FlowView:
    return FlowView(
        **_summary(head.record).model_dump(),
        hash=head.record.hash,
        document=document_of(judged.flow),
        diagnostics=shown(judged.diagnostics),
        columns=columns_of(judged),
        changeset_id=changeset_id,
        can_undo=ways[0],
        can_redo=ways[1],
    )
