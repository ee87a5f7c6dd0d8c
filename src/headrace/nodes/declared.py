"""Types that a person gives to columns, in DuckDB's own spelling."""

from __future__ import annotations

from .casts import read_type

_WHOLE = frozenset(
    f"{sign}{size}" for sign in ("", "U") for size in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
)


def known_type(written: str, path: tuple[str, ...]) -> str:
    """Return a type, given by DuckDB's name or in plain words, as DuckDB writes it.

    Errors: NodeFault F303 at `path` where there is no such type.
    """
    import duckdb

    return str(duckdb.type(read_type(written, path=path).sql(dialect="duckdb")))


def is_whole(column_type: str) -> bool:
    """Return whether this type, as DuckDB writes it, holds whole numbers."""
    return column_type in _WHOLE
