"""The heads of flows: what is kept in memory of them, and the one way to move them on.

The database is the truth: what is in memory is used only while its number is the database's. Owns snapshots: one is
written when the patches since the last outweigh it, so that a commit costs its patch and opening costs two documents.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from headrace.base.actor import Actor
from headrace.flow.changeset import Revision
from headrace.flow.model import Flow, content_hash, document_of, flow_from_document
from headrace.flow.patch import Patch, apply, touched
from headrace.store.protocol import Reading, Writing, to_text
from headrace.store.records import FlowRecord, RevisionRecord, SnapshotRecord

from . import events
from .happenings import RevisionCommitted
from .judging import Judge, Judged, changed_columns, shown

_STRIPES = 64
_PAGE = 64


@dataclass(frozen=True, slots=True)
class Head:
    """A flow as it stands, with its record."""

    record: FlowRecord
    judged: Judged

    @property
    def flow(self) -> Flow:
        """The flow itself."""
        return self.judged.flow

    @property
    def number(self) -> int:
        """The revision that it is at."""
        return self.record.number


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """What moves a head on by one revision."""

    patch: Patch
    after: Judged
    author: str
    approved_by: str | None = None
    message: str = ""
    reverts: int | None = None
    changeset_id: str | None = None


class Heads:
    """Finds heads and moves them. Thread-safe: moving a flow needs its lock."""

    def __init__(self, judge: Judge, *, kept: int) -> None:
        self.judge = judge
        self._kept = kept
        self._heads: OrderedDict[tuple[str, str], Head] = OrderedDict()
        self._guard = threading.Lock()
        self._locks = [threading.RLock() for _ in range(_STRIPES)]

    @contextmanager
    def lock(self, actor: Actor, flow_id: str) -> Generator[None]:
        """Hold the flow still: whoever moves it, or builds on where it stands, does it inside."""
        with self._locks[hash((actor.owner, flow_id)) % _STRIPES]:
            yield

    def head(self, view: Reading, actor: Actor, flow_id: str) -> Head:
        """Return a flow's head as the database has it.

        Errors: NotFound.
        """
        record = view.get(FlowRecord, actor.owner, flow_id)
        known = self._known(record)
        if known is None or known.number > record.number:
            head = Head(record, self.judge.first(flow_at(view, actor, flow_id, number=record.number)))
        elif known.number < record.number:
            head = Head(record, self._caught_up(view, known, record))
        else:
            # files may have changed since it was judged
            head = Head(record, self.judge.again(known.judged, known.flow, touched=frozenset()))
        self.put(head)
        return head

    def put(self, head: Head) -> None:
        """Remember a head, unless a later one is known; call it after the transaction that made it so."""
        key = (head.record.owner, head.record.flow_id)
        with self._guard:
            known = self._heads.get(key)
            if known is None or known.number <= head.number:
                self._heads[key] = head
            self._heads.move_to_end(key)
            while len(self._heads) > self._kept:
                self._heads.popitem(last=False)

    def forget(self, actor: Actor, flow_id: str) -> None:
        """Forget a flow that is gone."""
        with self._guard:
            self._heads.pop((actor.owner, flow_id), None)

    def move(self, tx: Writing, actor: Actor, head: Head, *, move: Move, now: datetime) -> tuple[Head, RevisionRecord]:
        """Commit a move inside a transaction and return the new head; `put` it once the transaction is through.

        Errors: WrongState `head_moved` where another program was quicker.
        """
        flow = move.after.flow
        patch = move.patch.model_dump(mode="json")
        weight = head.record.patch_bytes + len(to_text(patch))
        record = replace(
            head.record,
            name=flow.name,
            number=head.number + 1,
            hash=content_hash(flow),
            patch_bytes=weight,
            updated_at=now,
        )
        if weight > head.record.snapshot_bytes:
            document = document_of(flow)
            record = replace(record, patch_bytes=0, snapshot_bytes=len(to_text(document)))
            tx.add(_snapshot(record, document))
        tx.advance(record, expected=head.number)
        revision = RevisionRecord(
            owner=actor.owner,
            flow_id=record.flow_id,
            number=record.number,
            hash=record.hash,
            patch=patch,
            author=move.author,
            approved_by=move.approved_by,
            message=move.message,
            reverts=move.reverts,
            changeset_id=move.changeset_id,
            created_at=now,
        )
        tx.add(revision)
        told = RevisionCommitted(
            number=record.number,
            hash=record.hash,
            patch=move.patch,
            author=move.author,
            approved_by=move.approved_by,
            message=move.message,
            reverts=move.reverts,
            changeset_id=move.changeset_id,
            diagnostics=None if move.after.diagnostics == head.judged.diagnostics else shown(move.after.diagnostics),
            columns=changed_columns(move.after, head.judged),
        )
        events.append(tx, actor, told, flow_id=record.flow_id, now=now)
        return Head(record, move.after), revision

    def _known(self, record: FlowRecord) -> Head | None:
        with self._guard:
            known = self._heads.get((record.owner, record.flow_id))
        # a flow that was deleted and made again elsewhere has other numbers or another hash
        if known is not None and known.number == record.number and known.record.hash != record.hash:
            return None
        return known

    def _caught_up(self, view: Reading, known: Head, record: FlowRecord) -> Judged:
        """What another program committed, applied to what is known."""
        flow = known.flow
        changed: frozenset[str] = frozenset()
        where = {"flow_id": record.flow_id}
        for revision in view.find(RevisionRecord, record.owner, where=where, after=known.number):
            patch = Patch.model_validate(revision.patch)
            flow = apply(flow, patch)
            changed |= touched(patch, flow=flow)
        return self.judge.again(known.judged, flow, touched=changed)


def first_record(actor: Actor, flow_id: str, flow: Flow, *, now: datetime) -> tuple[FlowRecord, SnapshotRecord]:
    """Return the records of a flow that begins with this document, at revision 0."""
    document = document_of(flow)
    record = FlowRecord(
        owner=actor.owner,
        flow_id=flow_id,
        name=flow.name,
        number=0,
        hash=content_hash(flow),
        snapshot_bytes=len(to_text(document)),
        patch_bytes=0,
        created_at=now,
        updated_at=now,
    )
    return record, _snapshot(record, document)


def flow_at(view: Reading, actor: Actor, flow_id: str, *, number: int) -> Flow:
    """Return a flow as it was at a revision: the latest snapshot up to it, and the patches after that.

    Errors: NotFound where there is no such revision.
    """
    if number != 0:
        view.get(RevisionRecord, actor.owner, (flow_id, number))
    where: dict[str, str | int] = {"flow_id": flow_id}
    base = _snapshot_up_to(view, actor, where, number=number)
    flow = flow_from_document(base.document)
    if base.number == number:
        return flow
    for revision in view.find(RevisionRecord, actor.owner, where=where, after=base.number, limit=number - base.number):
        flow = apply(flow, Patch.model_validate(revision.patch))
    return flow


def revisions_newest_first(view: Reading, actor: Actor, flow_id: str, *, number: int) -> Iterator[Revision]:
    """Yield a flow's revisions from the latest on back, read a page at a time, as far as anyone wants to know."""
    while number > 0:
        low = max(0, number - _PAGE)
        page = view.find(RevisionRecord, actor.owner, where={"flow_id": flow_id}, after=low, limit=number - low)
        yield from (as_revision(record) for record in reversed(page))
        number = low


def as_revision(record: RevisionRecord) -> Revision:
    """Return a kept revision as the flow's rules see it."""
    return Revision(
        number=record.number,
        hash=record.hash,
        patch=Patch.model_validate(record.patch),
        author=record.author,
        approved_by=record.approved_by,
        message=record.message,
        reverts=record.reverts,
        created_at=record.created_at,
    )


def _snapshot_up_to(view: Reading, actor: Actor, where: dict[str, str | int], *, number: int) -> SnapshotRecord:
    newest_first = view.find(SnapshotRecord, actor.owner, where=where, newest_first=True, limit=1)
    if newest_first and newest_first[0].number <= number:
        return newest_first[0]
    earlier = view.find(SnapshotRecord, actor.owner, where=where)
    return [snapshot for snapshot in earlier if snapshot.number <= number][-1]


def _snapshot(record: FlowRecord, document: dict[str, Any]) -> SnapshotRecord:
    return SnapshotRecord(
        owner=record.owner,
        flow_id=record.flow_id,
        number=record.number,
        document=document,
        created_at=record.updated_at,
    )
