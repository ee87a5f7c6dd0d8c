"""The store in memory: the fake for tests and what a command keeps its records in while it runs.

Owns nothing on disk. Every state is one persistent map, so a reader's view stands still and a failed transaction
leaves no trace.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace
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

_Place = tuple[str, str, tuple[str | int, ...]]  # table, owner, key
_Kept = tuple[type[Record], tuple[Any, ...]]
_State = immutables.Map[_Place, _Kept]


class MemoryStore:
    """A store that forgets everything when it is closed."""

    def __init__(self) -> None:
        self._state: _State = immutables.Map()
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
        self._state = immutables.Map()


class _View:
    def __init__(self, state: _State, seq: int) -> None:
        self.state = state
        self.seq = seq

    def get(self, kind: type[R], owner: str, key: Key) -> R:
        kept = self.state.get((kind.table, owner, key_parts(key)))
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
        found = [record for record in self._all(kind, where or {}) if record.owner == owner]
        if after is not None:
            found = [record for record in found if getattr(record, kind.order) > after]
        found.sort(key=lambda record: (getattr(record, kind.order), key_of(record)), reverse=newest_first)
        return found[:limit]

    def find_for_all(self, kind: type[R], *, where: Mapping[str, str | int]) -> list[R]:
        found = self._all(kind, where)
        return sorted(found, key=lambda record: (getattr(record, kind.order), key_of(record)))

    def last_seq(self) -> int:
        return self.seq

    def add(self, record: Record) -> None:
        place = (record.table, record.owner, key_of(record))
        self._require_parent(record)
        if place in self.state:
            raise taken(record)
        self.state = self.state.set(place, _frozen(record))

    def append(self, event: EventRecord) -> EventRecord:
        self.seq += 1
        numbered = replace(event, seq=self.seq)
        self.state = self.state.set((event.table, event.owner, (self.seq,)), _frozen(numbered))
        return numbered

    def replace(self, record: Record) -> None:
        refuse_append_only(type(record))
        place = (record.table, record.owner, key_of(record))
        if place not in self.state:
            raise absent(type(record), key_of(record))
        self.state = self.state.set(place, _frozen(record))

    def advance(self, record: FlowRecord, *, expected: int) -> None:
        found = self.get(FlowRecord, record.owner, record.flow_id).number
        if found != expected:
            raise head_moved(record.flow_id, expected, found)
        self.replace(record)

    def remove(self, kind: type[Record], owner: str, key: Key) -> None:
        refuse_append_only(kind)
        if (kind.table, owner, key_parts(key)) not in self.state:
            raise absent(kind, key)
        self._remove_with_children(kind, owner, key_parts(key))

    def sweep_events(self, kinds: tuple[str, ...], *, before: int) -> int:
        gone = [event for event in self._all(EventRecord, {}) if event.kind in kinds and event.seq < before]
        for event in gone:
            self.state = self.state.delete((event.table, event.owner, (event.seq,)))
        return len(gone)

    def _all(self, kind: type[R], where: Mapping[str, str | int]) -> list[R]:
        names = [field.name for field in fields(kind)]
        wanted = [(names.index(name), value) for name, value in where.items()]
        return [
            _thawed(kept)
            for (table, _, _), kept in self.state.items()
            if table == kind.table and all(kept[1][place] == value for place, value in wanted)
        ]

    def _require_parent(self, record: Record) -> None:
        if record.parent is None:
            return
        key = tuple(getattr(record, name) for name in record.parent.key)
        if (record.parent.table, record.owner, key) not in self.state:
            raise absent(record.parent, key)

    def _remove_with_children(self, kind: type[Record], owner: str, key: tuple[str | int, ...]) -> None:
        self.state = self.state.delete((kind.table, owner, key))
        for child in KINDS:
            if child.parent is not kind:
                continue
            for record in self._all(child, dict(zip(kind.key, key, strict=True))):
                if record.owner == owner:
                    self._remove_with_children(child, owner, key_of(record))


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
