"""Reads and writes records on one open connection. Owns the SQL; refuses to begin or end a transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any

from sqlalchemy import Connection, Delete, Select, Update, and_, bindparam, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.sql import ColumnElement

from .failures import is_foreign_key
from .protocol import Key, R, absent, head_moved, key_parts, refuse_append_only, require_storable, taken
from .records import EventRecord, FlowRecord, Record, key_of
from .tables import TABLES

_LARGEST = 2**63 - 1
_EXPECTED = "expected_number"


class SqlView:
    """The protocol's `Reading` and `Writing` over a connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, kind: type[R], owner: str, key: Key) -> R:
        """Return the record with that key."""
        row = self._connection.execute(_selecting(kind), _place(kind, owner, key)).one_or_none()
        if row is None:
            raise absent(kind, key)
        return kind(**row._mapping)

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
        """Return an owner's records in the kind's order."""
        table = TABLES[kind]
        query = select(table).where(table.c.owner == owner, *_equal(kind, where or {}))
        if after is not None:
            query = query.where(table.c[kind.order] > after)
        order: list[Any] = [table.c[name] for name in (kind.order, *kind.key)]
        query = query.order_by(*(column.desc() for column in order) if newest_first else order).limit(limit)
        return [kind(**row._mapping) for row in self._connection.execute(query)]

    def find_for_all(self, kind: type[R], *, where: Mapping[str, str | int]) -> list[R]:
        """Return matching records of every owner."""
        table = TABLES[kind]
        query = select(table).where(*_equal(kind, where)).order_by(*(table.c[name] for name in (kind.order, *kind.key)))
        return [kind(**row._mapping) for row in self._connection.execute(query)]

    def last_seq(self) -> int:
        """Return the number of the latest event."""
        return self._connection.execute(select(func.max(TABLES[EventRecord].c.seq))).scalar_one() or 0

    def add(self, record: Record) -> None:
        """Keep a new record."""
        require_storable(record)
        try:
            self._connection.execute(insert(TABLES[type(record)]), _values(record))
        except IntegrityError as error:
            if is_foreign_key(error) and record.parent is not None:
                raise absent(record.parent, tuple(getattr(record, name) for name in record.parent.key)) from None
            raise taken(record) from None

    def append(self, event: EventRecord) -> EventRecord:
        """Keep an event and number it."""
        require_storable(event)
        values = _values(event)
        del values["seq"]
        done = self._connection.execute(insert(TABLES[EventRecord]), values)
        assert done.inserted_primary_key is not None
        return replace(event, seq=done.inserted_primary_key[0])

    def replace(self, record: Record) -> None:
        """Put a record in the place of the one with its key."""
        refuse_append_only(type(record))
        self._overwrite(record, None)

    def advance(self, record: FlowRecord, *, expected: int) -> None:
        """Compare and swap a flow's head."""
        try:
            self._overwrite(record, expected)
        except LookupError:
            found = self.get(FlowRecord, record.owner, record.flow_id).number
            raise head_moved(record.flow_id, expected, found) from None

    def remove(self, kind: type[Record], owner: str, key: Key) -> None:
        """Remove a record; the database removes its children."""
        refuse_append_only(kind)
        if not self._connection.execute(_deleting(kind), _place(kind, owner, key)).rowcount:
            raise absent(kind, key)

    def sweep_events(self, kinds: tuple[str, ...], *, before: int) -> int:
        """Drop passing events."""
        table = TABLES[EventRecord]
        return self._connection.execute(delete(table).where(table.c.kind.in_(kinds), table.c.seq < before)).rowcount

    def _overwrite(self, record: Record, number: int | None) -> None:
        """Put a record in place, where `number` is given only over one of that number."""
        require_storable(record)
        kind = type(record)
        values = _values(record) | _place(kind, record.owner, key_of(record))
        if number is not None:
            values[_EXPECTED] = number
        if self._connection.execute(_updating(kind, number is not None), values).rowcount:
            return
        if number is not None:
            raise LookupError
        raise absent(kind, key_of(record))


def _values(record: Record) -> dict[str, Any]:
    return {field.name: getattr(record, field.name) for field in fields(record)}


# Statements on one record are made once for each kind: building them costs more than SQLite takes to answer.
@cache
def _selecting(kind: type[Record]) -> Select[Any]:
    return select(TABLES[kind]).where(_at(kind))


@cache
def _deleting(kind: type[Record]) -> Delete:
    return delete(TABLES[kind]).where(_at(kind))


@cache
def _updating(kind: type[Record], expecting: bool) -> Update:
    table = TABLES[kind]
    query = update(table).where(_at(kind)).values({field.name: bindparam(field.name) for field in fields(kind)})
    return query.where(table.c.number == bindparam(_EXPECTED)) if expecting else query


def _at(kind: type[Record]) -> ColumnElement[bool]:
    table = TABLES[kind]
    return and_(*(table.c[name] == bindparam(f"at_{name}") for name in ("owner", *kind.key)))


def _place(kind: type[Record], owner: str, key: Key) -> dict[str, Any]:
    """The values that `_at` asks for."""
    parts = key_parts(key)
    if any(isinstance(part, int) and abs(part) > _LARGEST for part in parts):
        raise absent(kind, key)
    return {"at_owner": owner, **{f"at_{name}": part for name, part in zip(kind.key, parts, strict=True)}}


def _equal(kind: type[Record], where: Mapping[str, str | int]) -> list[ColumnElement[bool]]:
    return [TABLES[kind].c[name] == value for name, value in where.items()]
