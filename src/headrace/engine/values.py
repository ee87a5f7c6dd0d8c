"""Cells made safe to show: bounded, plain JSON, cut where long. The cutting happens in DuckDB, before Python sees a cell.

Refuses to guess: what JSON cannot hold exactly (a decimal, a date, a huge integer, not-a-number) becomes its text.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from headrace.nodes.columns import quoted
from headrace.nodes.spec import Table
from headrace.nodes.wordlist import word_set

LONGEST = 200
"""Characters of a text cell in a preview; what is longer is cut and ends in the mark."""

MARK = "…"

_AS_THEY_ARE = word_set(
    "BOOLEAN TINYINT SMALLINT INTEGER BIGINT HUGEINT UTINYINT USMALLINT UINTEGER UBIGINT UHUGEINT FLOAT DOUBLE"
)
"""Types whose values are small and which Python holds exactly."""
_EXACT = 2**53


def preview_columns(table: Table) -> str:
    """Return the SELECT list that brings each column in a form that is safe to fetch and bounded in size."""
    return ", ".join(_bounded(column.name, column.type) for column in table.columns) or "1"


def preview_rows(rows: Iterable[tuple[Any, ...]]) -> tuple[tuple[Any, ...], ...]:
    """Return rows that were fetched through `preview_columns` as JSON values."""
    return tuple(tuple(json_value(cell) for cell in row) for row in rows)


def json_value(cell: Any) -> Any:
    """Return a cell as a JSON value that means the same: text where JSON has no exact word for it."""
    match cell:
        case None | bool():
            return cell
        case int():
            return cell if -_EXACT <= cell <= _EXACT else str(cell)
        case float():
            return cell if math.isfinite(cell) else _not_finite(cell)
        case str():
            return cell if len(cell) <= LONGEST else cell[: LONGEST - 1] + MARK
        case bytes() | bytearray() | memoryview():
            return f"<{len(cell):,} bytes>"
        case list() | tuple() | set():
            return [json_value(item) for item in list(cell)[:LONGEST]]
        case dict():
            return {str(key): json_value(item) for key, item in list(cell.items())[:LONGEST]}
        case _:
            return json_value(str(cell))


def _bounded(name: str, kind: str) -> str:
    column = quoted(name)
    if kind in _AS_THEY_ARE:
        return column
    if kind == "BLOB":
        return f"'<' || format('{{:,}}', octet_length({column})) || ' bytes>'"
    if kind == "VARCHAR":
        return f"left({column}, {LONGEST + 1})"
    return f"left(CAST({column} AS VARCHAR), {LONGEST + 1})"


def _not_finite(number: float) -> str:
    if math.isnan(number):
        return "NaN"
    return "Infinity" if number > 0 else "-Infinity"
