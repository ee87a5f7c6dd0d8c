"""Changesets as they are kept, and the flows that they would make. Owns the way between record, view and flow value."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from datetime import datetime

from headrace.base.actor import Actor
from headrace.flow.changeset import Changeset, Staged
from headrace.flow.model import Flow
from headrace.flow.operations import Operation, apply_all
from headrace.flow.patch import apply, touched
from headrace.flow.patch_words import describe_patch
from headrace.flow.words import describe
from headrace.store.protocol import Reading, absent
from headrace.store.records import ChangesetRecord

from .heads import Head
from .judging import Judge, Judged, changed_columns, columns_of, introduced, shown
from .views import ChangesetView

_KEPT = 64


class StagedFlows:
    """The flows that changesets would make of heads, judged; a few are kept. Thread-safe."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._guard = threading.Lock()
        self._known: OrderedDict[tuple[str, str, str, int], Judged] = OrderedDict()

    def judged(self, view: Reading, actor: Actor, head: Head, *, changeset_id: str | None) -> Judged:
        """Return the head, or the flow that a changeset of it would make of it.

        Errors: NotFound where the changeset is absent or another flow's; PatchConflict where it no longer fits.
        """
        if changeset_id is None:
            return head.judged
        found = read(view, actor, changeset_id)
        if found.flow_id != head.record.flow_id:
            raise absent(ChangesetRecord, changeset_id)
        if found.status in ("approved", "rejected"):
            return head.judged
        return self.on(actor, head, found)

    def on(self, actor: Actor, head: Head, found: ChangesetView) -> Judged:
        """Return the flow that an open changeset would make of the head.

        Errors: PatchConflict where it no longer fits.
        """
        key = (actor.owner, found.changeset_id, found.digest, head.number)
        with self._guard:
            known = self._known.get(key)
        if known is None:
            flow = apply(head.flow, found.patch)
            known = self._judge.again(head.judged, flow, touched=touched(found.patch, flow=flow))
        else:
            known = self._judge.again(known, known.flow, touched=frozenset())
        self.put(actor, head, found, judged=known)
        return known

    def put(self, actor: Actor, head: Head, found: ChangesetView, *, judged: Judged) -> None:
        """Remember what a changeset would make of a head."""
        with self._guard:
            self._known[actor.owner, found.changeset_id, found.digest, head.number] = judged
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)


def read(view: Reading, actor: Actor, changeset_id: str) -> ChangesetView:
    """Return a changeset as it is kept.

    Errors: NotFound.
    """
    return ChangesetView.model_validate(view.get(ChangesetRecord, actor.owner, changeset_id).body)


def as_record(actor: Actor, view: ChangesetView) -> ChangesetRecord:
    """Return a changeset as it is to be kept."""
    return ChangesetRecord(
        owner=actor.owner,
        changeset_id=view.changeset_id,
        flow_id=view.flow_id,
        turn_id=view.turn_id,
        status=view.status,
        body=view.model_dump(mode="json"),
        created_at=view.created_at,
        updated_at=view.updated_at,
    )


def as_changeset(view: ChangesetView) -> Changeset:
    """Return a changeset as the flow's rules see it."""
    return Changeset(
        id=view.changeset_id,
        flow_id=view.flow_id,
        base_revision=view.base_revision,
        base_hash=view.base_hash,
        operations=view.operations,
        patch=view.patch,
        diagnostics=view.diagnostics,
        author=view.author,
        summary=view.summary,
        status=view.status,
        turn_id=view.turn_id,
        created_at=view.created_at,
    )


def as_view(
    staged: Staged, head: Head, after: Judged, *, now: datetime, words: tuple[str, ...] | None = None
) -> ChangesetView:
    """Return what was staged on a head as its reviewer sees it; `words`: a sentence an operation, where they are at hand."""
    changeset = staged.changeset
    nodes = sorted(node_id for node_id in touched(changeset.patch) if node_id in after.flow.nodes)
    return ChangesetView(
        changeset_id=changeset.id,
        flow_id=changeset.flow_id,
        base_revision=changeset.base_revision,
        base_hash=changeset.base_hash,
        status=changeset.status,
        author=changeset.author,
        summary=changeset.summary,
        operations=changeset.operations,
        words=words_of(head.flow, changeset.operations) if words is None else words,
        patch=changeset.patch,
        digest=changeset.digest,
        changes=tuple(describe_patch(changeset.patch, head.flow)),
        diagnostics=shown(after.diagnostics),
        introduced=shown(introduced(after.diagnostics, head.judged.diagnostics)),
        columns={**changed_columns(after, head.judged), **columns_of(after, nodes)},
        turn_id=changeset.turn_id,
        created_at=changeset.created_at,
        updated_at=now,
    )


def words_of(flow: Flow, operations: Iterable[Operation]) -> tuple[str, ...]:
    """Return one sentence for each operation, said of the flow as the ones before it leave it."""
    words = []
    for operation in operations:
        words.append(describe(operation, flow))
        flow = apply_all(flow, [operation])
    return tuple(words)
