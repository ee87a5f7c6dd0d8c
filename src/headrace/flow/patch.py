"""Patches are facts: what changed, from what, to what. Made by diff, inverted by swapping, checked by pre-image.

Owns comparing and patching. The grain of change (SPEC P4): a whole edge, parameter or place; a field of a node or a note; a
key of a node's config. Refuses to apply a part: every path whose pre-image is gone is named, and nothing is changed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from pydantic import ValidationError

from headrace.base.canonical import same

from .changes import (
    Added,
    Change,
    Changed,
    Conflict,
    Patch,
    PatchConflict,
    Path,
    Removed,
    inverse,
    seal,
)
from .faults import sentences
from .model import RECORD_TYPES, Draft, Flow
from .patch_words import describe_patch
from .records import KINDS, Edge, Kind, Point, parameters_in

__all__ = [
    "Added",
    "Change",
    "Changed",
    "Conflict",
    "Patch",
    "PatchConflict",
    "Path",
    "Removed",
    "apply",
    "changes_at",
    "describe_patch",
    "diff",
    "inverse",
    "rediff",
    "seal",
    "touched",
]

_ABSENT: Any = object()
_FIELDS: dict[str, frozenset[str]] = {
    "nodes": frozenset({"type", "version", "title"}),
    "notes": frozenset({"text", "at", "width", "height", "color"}),
}


def diff(a: Flow, b: Flow, *, within: Iterable[tuple[Kind, str]] | None = None) -> Patch:
    """Return what turns a into b (SPEC P1).

    Costs the records that were touched where one flow was made from the other in one go, else a look at every record that
    the two do not share. `within`: the records that may differ, for a caller who knows them.
    """
    changes = list(_renamed(a, b))
    for kind, key in _candidates(a, b) if within is None else dict.fromkeys(within):
        changes += _of_record(a, b, kind=kind, key=key)
    changes.sort(key=_path)
    return Patch(changes=tuple(changes))


def rediff(a: Flow, b: Flow, *, known: Patch, within: Iterable[tuple[Kind, str]]) -> Patch:
    """Return what turns a into b, where `known` turned a into a flow from which b differs in the records `within` and in name.

    Costs those records, whatever the patch's size.
    """
    changes = list(known.changes)
    changes[_span(changes, ("name",))] = _renamed(a, b)
    for kind, key in within:
        changes[_span(changes, (kind, key))] = sorted(_of_record(a, b, kind=kind, key=key), key=_path)
    # all of them were read before: there is nothing to validate again
    return Patch.model_construct(changes=tuple(changes))


def changes_at(patch: Patch, place: Path) -> tuple[Change, ...]:
    """Return the changes of a patch at a path and below it."""
    return patch.changes[_span(patch.changes, place)]


def apply(flow: Flow, patch: Patch) -> Flow:
    """Return the patched flow; costs the patch, whatever the flow's size.

    Errors: PatchConflict, with every path whose pre-image is gone, or every place that would not be sound.
    """
    desk = _Desk(flow)
    conflicts = [conflict for change in patch.changes if (conflict := desk.write(change))]
    if not conflicts:
        conflicts = desk.settle()
    if conflicts:
        raise PatchConflict(conflicts)
    return desk.draft.finish()


def records_of(patch: Patch) -> frozenset[tuple[Kind, str]]:
    """Return the records that a patch changes, adds or removes."""
    return frozenset((cast("Kind", change.path[0]), change.path[1]) for change in patch.changes if len(change.path) > 1)


def touched(patch: Patch, *, flow: Flow | None = None) -> frozenset[str]:
    """Return the ids of the nodes whose meaning a patch may change: theirs, or an edge of theirs.

    With `flow`, the patched one, also the nodes that refer to a parameter that changed.
    """
    found: set[str] = set()
    parameters: set[str] = set()
    for change in patch.changes:
        match change.path:
            case ("nodes", node_id, *_):
                found.add(node_id)
            case ("edges", *_):
                found.update(_ends(change))
            case ("parameters", name, *_):
                parameters.add(name)
    if parameters and flow is not None:
        found.update(node_id for node_id, node in flow.nodes.items() if parameters & parameters_in(node.config))
    return frozenset(found)


class _Desk:
    """A flow while a patch is written into it: opens the records that the patch names, and no others."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.draft = Draft(flow)
        self.opened: dict[tuple[Kind, str], Any] = {}

    def write(self, change: Change) -> Conflict | None:
        """Write one change, or return why it does not fit."""
        path = change.path
        if path == ("name",):
            return self._write_name(change)
        if not _known_path(change):
            return _unsound(path, "there is no such place in a flow")
        kind, key = cast("Kind", path[0]), path[1]
        if (kind, key) not in self.opened:
            record = self.flow.records(kind).get(key)
            self.opened[kind, key] = _ABSENT if record is None else _loose(record.document)
        holder: Any = self.opened if len(path) == 2 else self.opened[kind, key]
        leaf: Any = (kind, key) if len(path) == 2 else path[-1]
        if len(path) == 4 and holder is not _ABSENT:
            holder = holder["config"]
        if holder is _ABSENT:
            return Conflict(path=path, expected=getattr(change, "before", None), found=None, reason="missing")
        return _write(holder, leaf, change)

    def settle(self) -> list[Conflict]:
        """Turn what was written into records, and return where that cannot be, or leaves the flow unsound."""
        conflicts: list[Conflict] = []
        for (kind, key), document in self.opened.items():
            if document is _ABSENT:
                self.draft.drop(kind, key)
                continue
            try:
                self._put(kind, key, document)
            except ValidationError as error:
                conflicts += [_unsound((kind, key), sentence) for sentence in sentences(error, f"{kind}.{key}")]
            except ValueError as error:
                conflicts.append(_unsound((kind, key), str(error)))
        for kind, key, missing in () if conflicts else self.draft.dangling():
            conflicts.append(_unsound((kind, key), f"the node {missing!r} is not in the flow"))
        return conflicts

    def _write_name(self, change: Change) -> Conflict | None:
        if not isinstance(change, Changed) or not isinstance(change.after, str):
            return _unsound(change.path, "a flow's name can only be changed, to another text")
        if change.before != self.draft.name:
            return Conflict(path=change.path, expected=change.before, found=self.draft.name, reason="changed")
        self.draft.name = change.after
        return None

    def _put(self, kind: Kind, key: str, document: Any) -> None:
        if kind == "layout":
            self.draft.place(key, Point.model_validate(document))
            return
        record = RECORD_TYPES[kind].model_validate(document)
        if record.key != key:
            raise ValueError(f"it calls itself {record.key!r}")
        self.draft.put(record)


def _write(holder: dict[Any, Any], leaf: Any, change: Change) -> Conflict | None:
    found = holder.get(leaf, _ABSENT)
    if isinstance(change, Added):
        if found is not _ABSENT:
            return Conflict(path=change.path, expected=None, found=found, reason="exists")
        holder[leaf] = _loose(change.after) if isinstance(leaf, tuple) else change.after
        return None
    if found is _ABSENT:
        return Conflict(path=change.path, expected=change.before, found=None, reason="missing")
    if not same(found, change.before):
        return Conflict(path=change.path, expected=change.before, found=found, reason="changed")
    if isinstance(change, Changed):
        holder[leaf] = _loose(change.after) if isinstance(leaf, tuple) else change.after
    elif isinstance(leaf, tuple):
        holder[leaf] = _ABSENT
    else:
        del holder[leaf]
    return None


def _path(change: Change) -> Path:
    return change.path


def _span(changes: Sequence[Change], place: Path) -> slice:
    """Where in changes that are sorted by path those at a path, and below it, stand."""
    start = end = bisect_left(changes, place, key=_path)
    while end < len(changes) and changes[end].path[: len(place)] == place:
        end += 1
    return slice(start, end)


def _renamed(a: Flow, b: Flow) -> Iterator[Change]:
    if a.name != b.name:
        yield Changed(path=("name",), before=a.name, after=b.name)


def _of_record(a: Flow, b: Flow, *, kind: Kind, key: str) -> Iterator[Change]:
    before, after = a.records(kind).get(key), b.records(kind).get(key)
    if before is not after:
        old = _ABSENT if before is None else before.document
        new = _ABSENT if after is None else after.document
        yield from _compare((kind, key), old, new)


def _candidates(a: Flow, b: Flow) -> Iterable[tuple[Kind, str]]:
    """The records in which two flows may differ."""
    if a is b:
        return ()
    for made, other in ((b, a), (a, b)):
        if made.lineage is not None and made.lineage[0] is other.token:
            return made.lineage[1]
    return _scanned(a, b)


def _scanned(a: Flow, b: Flow) -> Iterator[tuple[Kind, str]]:
    for kind in KINDS:
        mine, theirs = a.records(kind), b.records(kind)
        if mine is theirs:
            continue
        yield from ((kind, key) for key, record in mine.items() if theirs.get(key) is not record)
        yield from ((kind, key) for key in theirs if key not in mine)


def _compare(path: Path, old: Any, new: Any) -> Iterator[Change]:
    if old is _ABSENT or new is _ABSENT:
        if new is not _ABSENT:
            yield Added(path=path, after=new)
        elif old is not _ABSENT:
            yield Removed(path=path, before=old)
    elif _has_parts(path):
        for key in old.keys() | new.keys():
            yield from _compare((*path, key), old.get(key, _ABSENT), new.get(key, _ABSENT))
    elif not same(old, new):
        yield Changed(path=path, before=old, after=new)


def _has_parts(path: Path) -> bool:
    return (len(path) == 2 and path[0] in _FIELDS) or (len(path) == 3 and path[0] == "nodes" and path[2] == "config")


def _known_path(change: Change) -> bool:
    """Whether a change is of the grain that `diff` makes."""
    match change.path:
        case (kind, _):
            return kind in KINDS and (not isinstance(change, Changed) or kind not in _FIELDS)
        case (kind, _, field):
            return isinstance(change, Changed) and field in _FIELDS.get(kind, ())
        case ("nodes", _, "config", _):
            return True
        case _:
            return False


def _loose(document: Any) -> Any:
    """A copy into which one may write at the grain of change; the values stay shared."""
    if not isinstance(document, dict):
        return document
    copy = dict(document)
    if isinstance(copy.get("config"), dict):
        copy["config"] = dict(copy["config"])
    return copy


def _unsound(path: Path, found: str) -> Conflict:
    return Conflict(path=path, expected=None, found=found, reason="unsound")


def _ends(change: Change) -> Iterator[str]:
    edge = Edge.model_validate(change.before if isinstance(change, Removed) else change.after)
    yield from (edge.source.node, edge.target.node)
