"""The SQL tables of the records, derived from the records' own fields. Refuses to create them: migrations do."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime
from typing import Any, get_type_hints

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    DateTime,
    Dialect,
    ForeignKeyConstraint,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    TypeDecorator,
)
from sqlalchemy.dialects.postgresql import JSONB

from .records import KINDS, EventRecord, Json, Record


class Moment(TypeDecorator[datetime]):
    """A UTC moment to the microsecond: a zoned timestamp where there is one, sortable text in SQLite."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> Any:
        """Return the column type of a dialect."""
        return dialect.type_descriptor(Text() if dialect.name == "sqlite" else DateTime(timezone=True))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        """Return the moment as the database keeps it."""
        if value is None or dialect.name != "sqlite":
            return value
        return value.astimezone(UTC).isoformat(timespec="microseconds")

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Return the moment with its zone."""
        del dialect
        return datetime.fromisoformat(value) if isinstance(value, str) else value


WHOLE = BigInteger().with_variant(Integer, "sqlite")
DOCUMENT = JSON().with_variant(JSONB, "postgresql")
_TYPES: dict[Any, Any] = {str: Text(), int: WHOLE, Json: DOCUMENT, datetime: Moment()}


def _table(kind: type[Record], metadata: MetaData) -> Table:
    hints = get_type_hints(kind)
    columns = []
    for field in fields(kind):
        hint = hints[field.name]
        may_miss = type(None) in getattr(hint, "__args__", ())
        plain = next(part for part in hint.__args__ if part is not type(None)) if may_miss else hint
        columns.append(Column(field.name, _TYPES[plain], nullable=may_miss))
    key = ("seq",) if kind is EventRecord else ("owner", *kind.key)
    rules: list[Any] = [PrimaryKeyConstraint(*key)]
    if kind.parent is not None:
        theirs = ("owner", *kind.parent.key)
        rules.append(
            ForeignKeyConstraint(theirs, [f"{kind.parent.table}.{name}" for name in theirs], ondelete="CASCADE")
        )
    return Table(kind.table, metadata, *columns, *rules, sqlite_autoincrement=kind is EventRecord)


METADATA = MetaData()
TABLES: dict[type[Record], Table] = {kind: _table(kind, METADATA) for kind in KINDS}
"""The table of each kind."""
