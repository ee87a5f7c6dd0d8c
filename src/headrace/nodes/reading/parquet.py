"""Parquet files: their columns are declared in their last bytes, so nothing is guessed.

Refuses damaged files, and several files whose columns differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from headrace.nodes.spec import NodeFault

from .found import Found, FoundColumn, Options, Reading, Source
from .head import file_fault

_SAMPLE = 20


def find(paths: Sequence[Path], options: Options, key: str) -> Found:
    """Return what parquet files declare.

    Errors: NodeFault F504.
    """
    import duckdb

    with duckdb.connect(":memory:", config={"threads": 1}) as connection:
        schemas = [_schema(connection, path) for path in paths]
        _refuse_other_columns(paths, schemas)
        sample, rows = _sample(connection, paths)
    declared = dict(options.types)
    columns = tuple(
        FoundColumn(name, name, Reading(declared.get(name, column_type))) for name, column_type in schemas[0].items()
    )
    sources = tuple(Source(path, tuple(schema)) for path, schema in zip(paths, schemas, strict=True))
    return Found(
        format="parquet",
        sources=sources,
        columns=columns,
        key=key,
        sample=sample,
        rows=rows,
        declared=tuple(schemas[0].values()),
    )


def _schema(connection: Any, path: Path) -> dict[str, str]:
    import duckdb

    try:
        described = connection.execute("DESCRIBE SELECT * FROM read_parquet([?])", [_literal(path)]).fetchall()
    except duckdb.Error:
        message = f"{path.name!r} is a damaged or cut off parquet file. Get a fresh copy of it."
        raise NodeFault(file_fault("F504", message)) from None
    return {row[0]: row[1] for row in described}


def _literal(path: Path) -> str:
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in str(path))


def _refuse_other_columns(paths: Sequence[Path], schemas: Sequence[dict[str, str]]) -> None:
    for path, schema in zip(paths[1:], schemas[1:], strict=True):
        differing = sorted(
            name for name in schema.keys() | schemas[0].keys() if schema.get(name) != schemas[0].get(name)
        )
        if differing:
            message = (
                f"The files do not have the same columns: {path.name!r} differs from {paths[0].name!r} in "
                f"{', '.join(differing)}. Read them apart and join them with a union."
            )
            raise NodeFault(file_fault("F504", message))


def _sample(connection: Any, paths: Sequence[Path]) -> tuple[tuple[tuple[str | None, ...], ...], int]:
    import duckdb

    files = [_literal(path) for path in paths]
    try:
        count = connection.execute("SELECT sum(num_rows) FROM parquet_file_metadata(?)", [files]).fetchone()
        query = "SELECT CAST(COLUMNS(*) AS VARCHAR) FROM read_parquet(?) LIMIT ?"
        rows = connection.execute(query, [files[0], _SAMPLE]).fetchall()
    except duckdb.Error:
        message = f"{paths[0].name!r} is a damaged or cut off parquet file. Get a fresh copy of it."
        raise NodeFault(file_fault("F504", message)) from None
    return tuple(tuple(row) for row in rows), int(count[0]) if count and count[0] is not None else 0
