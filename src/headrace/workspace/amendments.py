"""A changeset as its records hold it: where it stands in one, what it holds in a row for each time that it grew.

Owns how a view is put together from them, and what an amendment adds to one. Reads and writes nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from headrace.base.actor import Actor
from headrace.flow.changes import Change, Path
from headrace.flow.changeset import Changeset, Staged
from headrace.flow.diagnostic import Diagnostic
from headrace.flow.model import Flow
from headrace.flow.operations import Operation, apply_all
from headrace.flow.patch import Patch, changes_at, records_of, seal, touched
from headrace.flow.patch_words import titles_for
from headrace.flow.words import describe
from headrace.store.records import AmendmentRecord, ChangesetRecord

from .heads import Head
from .judging import Judged, introduced, shown, staged_columns
from .views import ChangesetView, Columns, Growth

_STANDING = frozenset(
    {"base_revision", "base_hash", "author", "summary", "conflicts", "revision", "landed", "replaced_by", "amended"}
)
"""The fields of a view that are kept in the record's body. The rest are its columns, or follow from the amendments."""


@dataclass(frozen=True, slots=True)
class More:
    """What is put behind the operations of a changeset."""

    made: Staged
    """The changeset with it, as the flow's rules have it."""
    last: Patch
    """What it makes of the flow as it was staged before."""
    words: tuple[str, ...]
    """A sentence for each of its operations."""


@dataclass(frozen=True, slots=True)
class Grown:
    """A changeset that was staged, or grew, with what is new in it."""

    view: ChangesetView
    added: Growth
    after: Judged
    """The flow that it would make."""


def as_record(actor: Actor, view: ChangesetView) -> ChangesetRecord:
    """Return where a changeset stands, as it is to be kept."""
    return ChangesetRecord(
        owner=actor.owner,
        changeset_id=view.changeset_id,
        flow_id=view.flow_id,
        turn_id=view.turn_id,
        status=view.status,
        body=view.model_dump(mode="json", include=set(_STANDING)),
        created_at=view.created_at,
        updated_at=view.updated_at,
    )


def as_row(actor: Actor, grown: Grown) -> AmendmentRecord:
    """Return what is new in a changeset, as it is to be kept."""
    return AmendmentRecord(
        owner=actor.owner,
        changeset_id=grown.view.changeset_id,
        number=grown.view.amended,
        body=grown.added.model_dump(mode="json"),
    )


def as_changeset(view: ChangesetView) -> Changeset:
    """Return a changeset as the flow's rules see it."""
    # its parts were read before: there is nothing to validate again
    return Changeset.model_construct(
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


def put_together(
    record: ChangesetRecord, rows: Iterable[AmendmentRecord], *, known: ChangesetView | None = None
) -> ChangesetView:
    """Return the changeset of a record, from all of its amendments, or from those after a view that is known."""
    held = _Held() if known is None else _Held.of(known)
    for row in rows:
        held.take(Growth.model_validate(row.body))
    patch = Patch(changes=tuple(sorted(held.patch.values(), key=lambda change: change.path)))
    return ChangesetView(
        changeset_id=record.changeset_id,
        flow_id=record.flow_id,
        status=record.status,  # ty: ignore[invalid-argument-type]
        operations=tuple(held.operations),
        words=tuple(held.words),
        patch=patch,
        digest=seal(patch),
        titles=held.titles,
        diagnostics=held.diagnostics,
        introduced=held.introduced,
        columns=held.columns,
        turn_id=record.turn_id,
        created_at=record.created_at,
        updated_at=record.updated_at,
        **{name: value for name, value in record.body.items() if name in _STANDING},
    )


def staged_whole(
    staged: Staged, head: Head, after: Judged, *, now: datetime, words: tuple[str, ...], amended: int = 0
) -> Grown:
    """Return what was staged on a head, all of it new; `words` is a sentence for each operation."""
    changeset = staged.changeset
    columns = _all_columns(changeset.patch, head, after)
    view = ChangesetView(
        changeset_id=changeset.id,
        flow_id=changeset.flow_id,
        base_revision=changeset.base_revision,
        base_hash=changeset.base_hash,
        status=changeset.status,
        author=changeset.author,
        summary=changeset.summary,
        operations=changeset.operations,
        words=words,
        patch=changeset.patch,
        digest=changeset.digest,
        titles=titles_for(changeset.patch, head.flow),
        diagnostics=shown(after.diagnostics),
        introduced=shown(introduced(after.diagnostics, head.judged.diagnostics)),
        columns=columns,
        amended=amended,
        turn_id=changeset.turn_id,
        created_at=changeset.created_at,
        updated_at=now,
    )
    added = Growth(
        whole=True,
        operations=view.operations,
        words=words,
        patch=view.patch.changes,
        columns=columns,
        diagnostics=view.diagnostics,
        introduced=view.introduced,
        titles=view.titles,
    )
    return Grown(view, added, after)


def staged_more(
    found: ChangesetView, more: More, head: Head, *, after: Judged, told: Judged | None, now: datetime
) -> Grown:
    """Return a changeset that grew on the head that it was staged on; costs what is new in it.

    `told` is the flow as the changeset has told of it so far; without it the columns of all that it touches are looked up.
    """
    changeset = more.made.changeset
    patch, unchanged = _new_in(found.patch, changeset.patch, at=more.last)
    columns, gone = _columns_told_by(found, head, after, told=told, patch=changeset.patch)
    diagnostics = shown(after.diagnostics)
    fresh = shown(introduced(after.diagnostics, head.judged.diagnostics))
    titles = titles_for(more.last, head.flow)
    added = Growth(
        operations=changeset.operations[len(found.operations) :],
        words=more.words,
        patch=patch,
        unchanged=unchanged,
        columns=columns,
        without_columns=gone,
        diagnostics=None if diagnostics == found.diagnostics else diagnostics,
        introduced=None if fresh == found.introduced else fresh,
        titles={node_id: title for node_id, title in titles.items() if node_id not in found.titles},
    )
    kept = (
        {node_id: ports for node_id, ports in found.columns.items() if node_id not in gone} if gone else found.columns
    )
    changed = {
        "status": changeset.status,
        "summary": changeset.summary,
        "operations": changeset.operations,
        "words": (*found.words, *more.words),
        "patch": changeset.patch,
        "digest": changeset.digest,
        "titles": found.titles | added.titles,
        "diagnostics": diagnostics,
        "introduced": fresh,
        "columns": kept | columns,
        "amended": found.amended + 1,
        "updated_at": now,
    }
    return Grown(found.model_copy(update=changed), added, after)


def words_of(flow: Flow, operations: Iterable[Operation]) -> tuple[str, ...]:
    """Return one sentence for each operation, said of the flow as the ones before it leave it."""
    words = []
    for operation in operations:
        words.append(describe(operation, flow))
        flow = apply_all(flow, [operation])
    return tuple(words)


def _new_in(before: Patch, after: Patch, *, at: Patch) -> tuple[tuple[Change, ...], tuple[Path, ...]]:
    """The changes that are new or others in a patch, and the paths that are in it no more, at what another patch names."""
    places: list[Path] = [("name",), *sorted(records_of(at))]
    old = {change.path: change for place in places for change in changes_at(before, place)}
    new = {change.path: change for place in places for change in changes_at(after, place)}
    fresh = (change for path, change in new.items() if path not in old or old[path].mark != change.mark)
    return tuple(fresh), tuple(path for path in old if path not in new)


def _columns_told_by(
    found: ChangesetView, head: Head, after: Judged, *, told: Judged | None, patch: Patch
) -> tuple[Columns, tuple[str, ...]]:
    """The columns that a changeset has to tell anew, and the nodes of which it has none to tell any more."""
    if told is None:
        wanted = _all_columns(patch, head, after)
        gone = tuple(sorted(found.columns.keys() - wanted.keys()))
    else:
        nodes = after.unlike(told)
        wanted = staged_columns(after, head.judged, nodes)
        gone = tuple(sorted(node_id for node_id in nodes if node_id in found.columns and node_id not in wanted))
    return {node_id: ports for node_id, ports in wanted.items() if found.columns.get(node_id) != ports}, gone


def _all_columns(patch: Patch, head: Head, after: Judged) -> Columns:
    nodes = touched(patch, flow=after.flow).union(after.inference.unlike(head.judged.inference))
    return staged_columns(after, head.judged, nodes)


@dataclass(slots=True)
class _Held:
    """What a changeset holds, while it is put together."""

    operations: list[Operation] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    patch: dict[Path, Change] = field(default_factory=dict)
    columns: Columns = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()
    introduced: tuple[Diagnostic, ...] = ()
    titles: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, view: ChangesetView) -> _Held:
        return cls(
            [*view.operations],
            [*view.words],
            {change.path: change for change in view.patch.changes},
            dict(view.columns),
            view.diagnostics,
            view.introduced,
            dict(view.titles),
        )

    def take(self, added: Growth) -> None:
        if added.whole:
            for held in (self.operations, self.words, self.patch, self.columns, self.titles):
                held.clear()
        self.operations += added.operations
        self.words += added.words
        for path in added.unchanged:
            self.patch.pop(path, None)
        self.patch |= {change.path: change for change in added.patch}
        for node_id in added.without_columns:
            self.columns.pop(node_id, None)
        self.columns |= added.columns
        self.diagnostics = self.diagnostics if added.diagnostics is None else added.diagnostics
        self.introduced = self.introduced if added.introduced is None else added.introduced
        self.titles |= added.titles
