"""Types that a person gives to columns, in DuckDB's own spelling."""

from __future__ import annotations

from .casts import read_type


def known_type(written: str, path: tuple[str, ...]) -> str:
    """Return a type, given by DuckDB's name or in plain words, as DuckDB writes it.

    Errors: NodeFault F303 at `path` where there is no such type.
    """
    import duckdb

    return str(duckdb.type(read_type(written, path=path).sql(dialect="duckdb")))
