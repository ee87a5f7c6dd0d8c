"""Staged work and what became of it: the changeset, the revision, and the pure rules between them.

    draft ──▶ proposed ──▶ approved ──▶ (revision n + 1)
      │          ├──▶ rejected
      │          └──▶ conflicted ──▶ (refreshed as a new draft)
      └──▶ rejected

Owns what a person approves and what lands (SPEC C, D). Refuses to keep anything: numbers, ids and times are arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from headrace.base.errors import StaleApproval, WrongState
from headrace.base.value import Value

from .diagnostic import Diagnostic
from .model import Flow, content_hash
from .operations import Operation, apply_all
from .parts import Part, part_of
from .patch import Patch, apply, diff, inverse, records_of, rediff, seal

Status = Literal["draft", "proposed", "approved", "rejected", "conflicted"]

_NEXT: dict[Status, frozenset[Status]] = {
    "draft": frozenset({"draft", "proposed", "approved", "rejected", "conflicted"}),
    "proposed": frozenset({"draft", "proposed", "approved", "rejected", "conflicted"}),
    "conflicted": frozenset({"rejected"}),
    "approved": frozenset(),
    "rejected": frozenset(),
}


class Changeset(Value):
    """Operations that somebody wants to land, and the patch that they make on the flow they were written for."""

    id: str
    flow_id: str
    base_revision: int
    base_hash: str
    operations: tuple[Operation, ...]
    patch: Patch
    diagnostics: tuple[Diagnostic, ...] = ()
    """What the checks found in the flow as it would be."""
    author: str
    summary: str = ""
    status: Status = "draft"
    turn_id: str | None = None
    created_at: datetime
    """UTC."""

    @property
    def digest(self) -> str:
        """The digest that an approval names."""
        return seal(self.patch)

    @property
    def open(self) -> bool:
        """Whether it can still be amended, approved or rejected."""
        return self.status in ("draft", "proposed")

    def with_status(self, status: Status) -> Changeset:
        """Return it in another state.

        Errors: WrongState, where the way there is not in the picture above.
        """
        if status not in _NEXT[self.status]:
            ways = ", ".join(sorted(_NEXT[self.status])) or "nothing else"
            raise WrongState(
                "wrong_state",
                f"Changeset {self.id!r} is {self.status} and cannot become {status}; from there it can become {ways}.",
                "Propose the work again." if self.status == "conflicted" else "Look at the flow as it is now.",
            )
        return self.model_copy(update={"status": status})

    def with_diagnostics(self, diagnostics: Iterable[Diagnostic]) -> Changeset:
        """Return it with what the checks found."""
        return self.model_copy(update={"diagnostics": tuple(diagnostics)})


class Revision(Value):
    """One state of a flow, by what turned the one before into it. Never changed, never removed."""

    number: int
    hash: str
    """The content hash of the flow at this revision."""
    patch: Patch
    author: str
    approved_by: str | None = None
    """Empty where the author needed nobody's approval."""
    message: str = ""
    reverts: int | None = None
    """The number of the revision that this one takes back."""
    created_at: datetime
    """UTC."""


@dataclass(frozen=True, slots=True)
class Staged:
    """A changeset and the flow that it would make of the one it was written for."""

    changeset: Changeset
    after: Flow


@dataclass(frozen=True, slots=True)
class Landing:
    """What an approval makes of the head."""

    head: Flow
    patch: Patch
    part: Part | None = None
    """Which operations landed, where not all did."""


def propose(
    base: Flow,
    operations: Sequence[Operation],
    *,
    changeset_id: str,
    flow_id: str,
    base_revision: int,
    author: str,
    created_at: datetime,
    summary: str = "",
    turn_id: str | None = None,
) -> Staged:
    """Return the operations staged on a flow, as a draft.

    Errors: OperationError.
    """
    after = apply_all(base, operations)
    changeset = Changeset(
        id=changeset_id,
        flow_id=flow_id,
        base_revision=base_revision,
        base_hash=content_hash(base),
        operations=tuple(operations),
        patch=diff(base, after),
        author=author,
        summary=summary,
        turn_id=turn_id,
        created_at=created_at,
    )
    return Staged(changeset, after)


def amend(changeset: Changeset, base: Flow, operations: Sequence[Operation], *, drafted: Flow | None = None) -> Staged:
    """Return the changeset with operations put behind those it has; it is a draft again, with another digest.

    Costs what the operations touch, given `drafted`. `base` is the flow at its base revision; `drafted`, where it is at hand, what the changeset makes of it so far.
    Errors: WrongState where it is closed; OperationError, numbered within the new operations.
    """
    draft = changeset.with_status("draft")
    drafted = apply_all(base, changeset.operations) if drafted is None else drafted
    after = apply_all(drafted, operations)
    changed = {
        "operations": (*changeset.operations, *operations),
        "patch": rediff(base, after, known=changeset.patch, within=records_of(diff(drafted, after))),
        "diagnostics": (),
    }
    return Staged(draft.model_copy(update=changed), after)


def refresh(changeset: Changeset, head: Flow, *, changeset_id: str, base_revision: int, created_at: datetime) -> Staged:
    """Return the operations replayed on today's head: a new patch, hence a new draft to approve (SPEC D4).

    Errors: WrongState where it has landed or was rejected; OperationError where the operations make no sense any more.
    """
    if changeset.status in ("approved", "rejected"):
        raise WrongState(
            "wrong_state",
            f"Changeset {changeset.id!r} is {changeset.status}; there is nothing left to refresh.",
            "Propose the work again.",
        )
    return propose(
        head,
        changeset.operations,
        changeset_id=changeset_id,
        flow_id=changeset.flow_id,
        base_revision=base_revision,
        author=changeset.author,
        created_at=created_at,
        summary=changeset.summary,
        turn_id=changeset.turn_id,
    )


def land(
    changeset: Changeset, head: Flow, *, seen: str, only: Sequence[int] | None = None, base: Flow | None = None
) -> Landing:
    """Return what the approval of a changeset, or of a part of it, makes of the head (SPEC C2, D1–D3, S1).

    `seen` is the digest that was on the person's screen; `only` are indexes of operations, and then `base`, the flow at the
    changeset's base revision, must be given.
    Errors: WrongState, StaleApproval, PatchConflict; Invalid where `only` names no operation.
    """
    changeset.with_status("approved")
    if seen != changeset.digest:
        raise StaleApproval(
            "stale_approval",
            f"Changeset {changeset.id!r} was amended after you opened it.",
            "Look at it again, then approve.",
        )
    if only is None:
        return Landing(apply(head, changeset.patch), changeset.patch)
    if base is None:
        raise TypeError("a part can only be taken of a changeset whose base is given")
    part = part_of(base, changeset.operations, only)
    return Landing(apply(head, part.patch), part.patch, part)


def part(changeset: Changeset, base: Flow, chosen: Iterable[int]) -> Part:
    """Return the chosen operations of a changeset, what they need, and the patch that they make (SPEC S1–S6)."""
    return part_of(base, changeset.operations, chosen)


def drifted(changeset: Changeset, head: Flow) -> bool:
    """Return whether the head means something else than the flow that the changeset was written for (SPEC D1)."""
    return changeset.base_hash != content_hash(head)


def next_revision(
    number: int,
    after: Flow,
    patch: Patch,
    *,
    author: str,
    created_at: datetime,
    approved_by: str | None = None,
    message: str = "",
    reverts: int | None = None,
) -> Revision:
    """Return the revision that follows revision `number` and leads to `after`."""
    return Revision(
        number=number + 1,
        hash=content_hash(after),
        patch=patch,
        author=author,
        approved_by=approved_by,
        message=message,
        reverts=reverts,
        created_at=created_at,
    )


def revert(head: Flow, revision: Revision) -> Landing:
    """Return the head without what a revision did.

    Errors: PatchConflict, with every path that was changed since.
    """
    back = inverse(revision.patch)
    return Landing(apply(head, back), back)


def undo_target(newest_first: Iterable[Revision], who: str) -> Revision | None:
    """Return what an undo by `who` takes back: the latest live revision that they made or approved (SPEC C5).

    Reads no further than it must. None: there is nothing left of theirs.
    """
    for revision in _live(newest_first):
        if _theirs(revision, who) and revision.reverts is None:
            return revision
    return None


def redo_target(newest_first: Iterable[Revision], who: str) -> Revision | None:
    """Return what a redo by `who` takes back: their latest live undo, unless they did something new since (SPEC C6)."""
    log = _Log(newest_first)
    for revision in _live(log):
        if not _theirs(revision, who):
            continue
        if revision.reverts is None:
            return None
        if log.depth(revision) % 2:
            return revision
    return None


class _Log:
    """Revisions, newest first, read no further than somebody asks."""

    def __init__(self, newest_first: Iterable[Revision]) -> None:
        self._unread = iter(newest_first)
        self._read: list[Revision] = []
        self._by_number: dict[int, Revision] = {}

    def __iter__(self) -> Iterator[Revision]:
        position = 0
        while position < len(self._read) or self._read_on():
            yield self._read[position]
            position += 1

    def depth(self, revision: Revision) -> int:
        """Return 0 for a change, 1 for what takes it back, 2 for what takes that back, and so on."""
        depth = 0
        while revision.reverts is not None:
            depth += 1
            while revision.reverts not in self._by_number:
                if not self._read_on():
                    return depth
            revision = self._by_number[revision.reverts]
        return depth

    def _read_on(self) -> bool:
        revision = next(self._unread, None)
        if revision is None:
            return False
        self._read.append(revision)
        self._by_number[revision.number] = revision
        return True


def _live(newest_first: Iterable[Revision]) -> Iterator[Revision]:
    """The revisions that no live revision takes back."""
    reverted: set[int] = set()
    for revision in newest_first:
        if revision.number in reverted:
            continue
        if revision.reverts is not None:
            reverted.add(revision.reverts)
        yield revision


def _theirs(revision: Revision, who: str) -> bool:
    return who in (revision.author, revision.approved_by)
