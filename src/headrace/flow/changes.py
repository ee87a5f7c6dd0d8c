"""What a patch is made of, and what may keep it from being applied.

Owns the wire shape that the web app's `applyPatch` reads. Refuses to know flows: a change is a path and one or two values.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from headrace.base.canonical import canonical
from headrace.base.errors import HeadraceError
from headrace.base.value import Value

from .faults import printable
from .records import RecordJson

Path = tuple[str, ...]


class _Change(Value):
    """Base of what a patch is made of."""

    @cached_property
    def mark(self) -> bytes:
        """The sha256 of its canonical JSON, worked out once."""
        return hashlib.sha256(canonical(self.model_dump(mode="json"))).digest()


class Added(_Change):
    """Something is there now that was not."""

    kind: Literal["added"] = "added"
    path: Path
    after: RecordJson


class Removed(_Change):
    """Something is gone."""

    kind: Literal["removed"] = "removed"
    path: Path
    before: RecordJson


class Changed(_Change):
    """Something is another value."""

    kind: Literal["changed"] = "changed"
    path: Path
    before: RecordJson
    after: RecordJson


Change = Annotated[Added | Removed | Changed, Field(discriminator="kind")]


class Patch(Value):
    """What turns one flow into another, by path, sorted."""

    changes: tuple[Change, ...] = ()


class Conflict(Value):
    """One path of a patch that does not fit the flow."""

    path: Path
    """Empty for the flow as a whole."""
    expected: Any
    found: Any
    reason: Literal["changed", "missing", "exists", "unsound"]


class PatchConflict(HeadraceError):
    """Part of a patch no longer matches the flow; `conflicts` lists every such part. Nothing was changed."""

    status: ClassVar[int] = 409

    def __init__(self, conflicts: Iterable[Conflict]) -> None:
        self.conflicts = tuple(conflicts)
        count = len(self.conflicts)
        parts = "1 part of this change no longer fits" if count == 1 else f"{count} parts of this change no longer fit"
        named = "; ".join(_conflict_words(conflict) for conflict in self.conflicts[:5])
        rest = f"; and {count - 5} more" if count > 5 else ""
        super().__init__(
            "conflict",
            f"{parts} the flow: {named}{rest}.",
            "Refresh it, to see what it would do to the flow as it is now, or discard it.",
        )


def inverse(patch: Patch) -> Patch:
    """Return the patch that takes another back (SPEC P2)."""
    return Patch(changes=tuple(_flip(change) for change in patch.changes))


def seal(patch: Patch) -> str:
    """Return the digest of a patch, 64 hex digits. An approval names it, so that what was shown is what lands.

    It is made of the changes' own digests, each of which is worked out once: a patch that grows costs what is new in it.
    """
    return hashlib.sha256(b"".join(change.mark for change in patch.changes)).hexdigest()


def _flip(change: Change) -> Change:
    match change:
        case Added():
            return Removed(path=change.path, before=change.after)
        case Removed():
            return Added(path=change.path, after=change.before)
        case Changed():
            return Changed(path=change.path, before=change.after, after=change.before)


def _conflict_words(conflict: Conflict) -> str:
    place = printable(".".join(conflict.path)) or "the flow"
    match conflict.reason:
        case "changed":
            return f"{place} was changed meanwhile"
        case "missing":
            return f"{place} is gone"
        case "exists":
            return f"{place} is there already"
        case "unsound":
            return f"{place}: {str(conflict.found).rstrip('.')}"
