"""Changesets as they are known in memory, and the flows that they would make of heads.

A changeset is kept as its amendments, a row each, so that a draft that grows costs what is new in it
(docs/decisions/0011-a-draft-is-its-amendments.md). What is in memory is used only as far as the record says the same.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, replace

from headrace.base.actor import Actor
from headrace.flow.patch import apply, touched
from headrace.store.protocol import Reading, absent
from headrace.store.records import AmendmentRecord, ChangesetRecord

from .amendments import Grown, as_record, put_together
from .heads import Head
from .judging import Judge, Judged
from .views import ChangesetView

_KEPT = 64


@dataclass(frozen=True, slots=True)
class _Known:
    record: ChangesetRecord
    view: ChangesetView
    """What the record and its amendments say."""
    told: Judged | None = None
    """The flow that it would make, as the view tells of it."""
    base: Judged | None = None
    """The head that it would be made of."""
    now: Judged | None = None
    """The same flow, judged lately: files may have changed."""


class StagedFlows:
    """Changesets and the flows that they would make of heads, judged; those asked for last are kept. Thread-safe."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._guard = threading.Lock()
        self._known: OrderedDict[tuple[str, str], _Known] = OrderedDict()

    def read(self, view: Reading, actor: Actor, changeset_id: str) -> ChangesetView:
        """Return a changeset as it is kept.

        Errors: NotFound.
        """
        return self.seen(view, view.get(ChangesetRecord, actor.owner, changeset_id))

    def seen(self, view: Reading, record: ChangesetRecord) -> ChangesetView:
        """Return the changeset of a record."""
        known = self._of(record.owner, record.changeset_id)
        if known is not None and known.record == record:
            return known.view
        number = record.body["amended"]
        if known is None or known.view.amended > number:
            known = _Known(record, put_together(record, _rows(view, record, after=-1)))
        elif known.view.amended < number:
            later = _rows(view, record, after=known.view.amended)
            known = _Known(record, put_together(record, later, known=known.view))
        else:
            known = replace(known, record=record, view=put_together(record, (), known=known.view))
        self._put(known)
        return known.view

    def judged(self, view: Reading, actor: Actor, head: Head, *, changeset_id: str | None) -> Judged:
        """Return the head, or the flow that a changeset of it would make of it.

        Errors: NotFound where the changeset is absent or another flow's; PatchConflict where it no longer fits.
        """
        if changeset_id is None:
            return head.judged
        found = self.read(view, actor, changeset_id)
        if found.flow_id != head.record.flow_id:
            raise absent(ChangesetRecord, changeset_id)
        if found.status in ("approved", "rejected"):
            return head.judged
        return self.on(actor, head, found)

    def on(self, actor: Actor, head: Head, found: ChangesetView) -> Judged:
        """Return the flow that an open changeset would make of the head.

        Errors: PatchConflict where it no longer fits.
        """
        known = self._of(actor.owner, found.changeset_id)
        known = None if known is None or known.view.amended != found.amended else known
        if known is not None and known.now is not None and known.base is not None and known.base.flow is head.flow:
            now = self._judge.again(known.now, known.now.flow, touched=frozenset())
        else:
            flow = apply(head.flow, found.patch)
            now = self._judge.again(head.judged, flow, touched=touched(found.patch, flow=flow))
            known = known and replace(known, told=None, base=head.judged)
        if known is not None and known.now is not now:
            self._put(replace(known, now=now))
        return now

    def told(self, actor: Actor, head: Head, found: ChangesetView) -> Judged | None:
        """Return the flow as a view tells of it; None where that is not known, or was said of another head."""
        known = self._of(actor.owner, found.changeset_id)
        if known is None or known.view.amended != found.amended or known.base is not head.judged:
            return None
        return known.told

    def put(self, actor: Actor, head: Head, grown: Grown) -> None:
        """Remember a changeset and what it would make of a head. Call it after the transaction that kept it."""
        record = as_record(actor, grown.view)
        self._put(_Known(record, grown.view, told=grown.after, base=head.judged, now=grown.after))

    def _of(self, owner: str, changeset_id: str) -> _Known | None:
        with self._guard:
            return self._known.get((owner, changeset_id))

    def _put(self, known: _Known) -> None:
        key = (known.record.owner, known.record.changeset_id)
        with self._guard:
            self._known[key] = known
            self._known.move_to_end(key)
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)


def _rows(view: Reading, record: ChangesetRecord, *, after: int) -> list[AmendmentRecord]:
    return view.find(AmendmentRecord, record.owner, where={"changeset_id": record.changeset_id}, after=after)
