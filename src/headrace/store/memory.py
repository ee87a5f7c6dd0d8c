"""The store in memory: the fake for tests and what a command keeps its records in while it runs.

Owns nothing on disk. Every state is one persistent map, so a reader's view stands still and a failed transaction
leaves no trace.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import cache
from threading import Lock, get_ident
from typing import Any

import immutables

from .protocol import (
    Key,
    R,
    absent,
    from_text,
    head_moved,
    key_parts,
    refuse_append_only,
    require_storable,
    taken,
    to_text,
)
from .records import KINDS, EventRecord, FlowRecord, Record, key_of

_Place = tuple[str, tuple[str | int, ...]]  # owner, key
_Kept = tuple[type[Record], tuple[Any, ...]]
_State = immutables.Map[str, immutables.Map[_Place, _Kept]]  # by table
_EMPTY: _State = immutables.Map({kind.table: immutables.Map() for kind in KINDS})


class MemoryStore:
    """A store that forgets everything when it is closed."""

    def __init__(self) -> None:
        self._state = _EMPTY
        self._seq = 0
        self._writing = Lock()
        self._writer: int | None = None

    @contextmanager
    def reading(self) -> Generator[_View]:
        """Return a view that stays as it is."""
        yield _View(self._state, self._seq)

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Generator[_View]:
        """Return a transaction; `durable` means nothing here."""
        del durable
        if self._writer == get_ident():
            raise RuntimeError("A transaction is open in this thread already")
        with self._writing:
            self._writer = get_ident()
            try:
                view = _View(self._state, self._seq)
                yield view
                self._state, self._seq = view.state, view.seq
            finally:
                self._writer = None

    def close(self) -> None:
        """Forget everything."""
        self._state = _EMPTY


class _View:
    def __init__(self, state: _State, seq: int) -> None:
        self.state = state
        self.seq = seq

    def get(self, kind: type[R], owner: str, key: Key) -> R:
        kept = self.state[kind.table].get((owner, key_parts(key)))
        if kept is None:
            raise absent(kind, key)
        return _thawed(kept)

    def find(
        self,
        kind: type[R],
        owner: str,
        *,
        where: Mapping[str, str | int] | None = None,
        after: str | int | None = None,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[R]:
        found = self._sorted(kind, {**(where or {}), "owner": owner})
        if after is not None:
            place = _places(kind)[kind.order]
            found = [kept for kept in found if kept[1][place] > after]
        if newest_first:
            found.reverse()
        return [_thawed(kept) for kept in found[:limit]]

    def find_for_all(self, kind: type[R], *, where: Mapping[str, str | int]) -> list[R]:
        return [_thawed(kept) for kept in self._sorted(kind, where)]

    def last_seq(self) -> int:
        return self.seq

    def add(self, record: Record) -> None:
        self._require_parent(record)
        if _place(record) in self.state[record.table]:
            raise taken(record)
        self._put(record)

    def append(self, event: EventRecord) -> EventRecord:
        self.seq += 1
        numbered = replace(event, seq=self.seq)
        self._put(numbered)
        return numbered

    def replace(self, record: Record) -> None:
        refuse_append_only(type(record))
        if _place(record) not in self.state[record.table]:
            raise absent(type(record), key_of(record))
        self._put(record)

    def advance(self, record: FlowRecord, *, expected: int) -> None:
        found = self.get(FlowRecord, record.owner, record.flow_id).number
        if found != expected:
            raise head_moved(record.flow_id, expected, found)
        self.replace(record)

    def remove(self, kind: type[Record], owner: str, key: Key) -> None:
        refuse_append_only(kind)
        if (owner, key_parts(key)) not in self.state[kind.table]:
            raise absent(kind, key)
        self._remove_with_children(kind, owner, key_parts(key))

    def sweep_events(self, kinds: tuple[str, ...], *, before: int) -> int:
        every = self.find_for_all(EventRecord, where={})
        gone = [event for event in every if event.kind in kinds and event.seq < before]
        for event in gone:
            self._drop(EventRecord, _place(event))
        return len(gone)

    def _put(self, record: Record) -> None:
        self.state = self.state.set(record.table, self.state[record.table].set(_place(record), _frozen(record)))

    def _drop(self, kind: type[Record], place: _Place) -> None:
        self.state = self.state.set(kind.table, self.state[kind.table].delete(place))

    def _sorted(self, kind: type[Record], where: Mapping[str, str | int]) -> list[_Kept]:
        """What is kept of a kind, in its order, without opening it."""
        places = _places(kind)
        wanted = [(places[name], value) for name, value in where.items()]
        order = [places[name] for name in (kind.order, *kind.key)]
        found = (kept for kept in self.state[kind.table].values() if all(kept[1][at] == value for at, value in wanted))
        return sorted(found, key=lambda kept: tuple(kept[1][at] for at in order))

    def _require_parent(self, record: Record) -> None:
        if record.parent is None:
            return
        key = tuple(getattr(record, name) for name in record.parent.key)
        if (record.owner, key) not in self.state[record.parent.table]:
            raise absent(record.parent, key)

    def _remove_with_children(self, kind: type[Record], owner: str, key: tuple[str | int, ...]) -> None:
        self._drop(kind, (owner, key))
        for child in KINDS:
            if child.parent is kind:
                for record in self.find(child, owner, where=dict(zip(kind.key, key, strict=True))):
                    self._remove_with_children(child, owner, key_of(record))


def _place(record: Record) -> _Place:
    return record.owner, key_of(record)


@cache
def _places(kind: type[Record]) -> Mapping[str, int]:
    return {field.name: number for number, field in enumerate(fields(kind))}


def _frozen(record: Record) -> _Kept:
    """Return a record as it is kept: its JSON as text, so that no later hand in it reaches what was kept."""
    require_storable(record)
    values = (getattr(record, field.name) for field in fields(record))
    return type(record), tuple(_Text(to_text(value)) if isinstance(value, dict) else value for value in values)


def _thawed(kept: _Kept) -> Any:
    kind, values = kept
    names = (field.name for field in fields(kind))
    return kind(
        **{
            name: from_text(value) if isinstance(value, _Text) else value
            for name, value in zip(names, values, strict=True)
        }
    )


class _Text(str):
    """A JSON text, told apart from other text."""

    __slots__ = ()
