"""A table's columns in figures: one query for all of them, one small one more for each column's most frequent values.

Bounded: the widest tables are cut, and what is counted exactly for few different values is approximate for many.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from headrace.nodes.columns import quoted
from headrace.nodes.spec import Column, Table
from headrace.nodes.types import family, is_number, is_whole

from .results import ColumnProfile
from .values import LONGEST, json_value

MOST_COLUMNS = 200
MOST_TOP = 10
_EXACT_BELOW = 1_000

Ask = Callable[[str], list[tuple[Any, ...]]]


def profile(
    relation: str, table: Table, ask: Ask, *, columns: Sequence[str] | None = None
) -> tuple[ColumnProfile, ...]:
    """Return the profiles of a relation's columns, in their order; of the named ones only, where some are named.

    At most 200 columns. `ask` runs a query and returns its rows.
    """
    wanted = [column for column in table.columns if columns is None or column.name in columns][:MOST_COLUMNS]
    if not wanted:
        return ()
    figures = ", ".join(figure for column in wanted for figure in _figures(column))
    row = ask(f"SELECT {figures} FROM {quoted(relation)}")[0]
    return tuple(
        _profile(relation, column, row[place * 5 : place * 5 + 5], ask=ask) for place, column in enumerate(wanted)
    )


def _figures(column: Column) -> tuple[str, ...]:
    name = quoted(column.name)
    nulls = f"count(*) - count({name})"
    if _is_nested(column):
        return (nulls, f"approx_count_distinct(CAST({name} AS VARCHAR))", "NULL", "NULL", "NULL")
    if column.type == "BLOB":
        return (nulls, f"approx_count_distinct({name})", "NULL", "NULL", "NULL")
    mean = f"avg(CAST({name} AS DOUBLE))" if is_number(column.type) else "NULL"
    return (nulls, f"approx_count_distinct({name})", _shown(f"min({name})"), _shown(f"max({name})"), mean)


def _profile(relation: str, column: Column, figures: Sequence[Any], *, ask: Ask) -> ColumnProfile:
    nulls, roughly, smallest, largest, mean = figures
    name, source = quoted(column.name), quoted(relation)
    distinct = int(roughly)
    top: list[tuple[Any, ...]] = []
    if column.type != "BLOB" and not _is_nested(column):
        if distinct < _EXACT_BELOW:
            distinct = int(ask(f"SELECT count(DISTINCT {name}) FROM {source}")[0][0])
        top = ask(
            f"SELECT {_shown('value')}, times FROM (SELECT {name} AS value, count(*) AS times FROM {source}"
            f" WHERE {name} IS NOT NULL GROUP BY 1 ORDER BY times DESC, value LIMIT {MOST_TOP})"
        )
    return ColumnProfile(
        name=column.name,
        type=column.type,
        nulls=int(nulls),
        distinct=distinct,
        min=_value(smallest, column),
        max=_value(largest, column),
        mean=json_value(mean) if isinstance(mean, float) and json_value(mean) == mean else None,
        top=tuple((_value(value, column), int(times)) for value, times in top),
    )


def _is_nested(column: Column) -> bool:
    return family(column.type) in ("list", "record") or column.type == "JSON"


def _shown(value: str) -> str:
    return f"left(CAST({value} AS VARCHAR), {LONGEST + 1})"


def _value(text: str | None, column: Column) -> Any:
    """A value that travelled as text: a number again where JSON can hold it exactly."""
    if text is None:
        return None
    if column.type == "BOOLEAN":
        return text == "true"
    if is_whole(column.type):
        return json_value(int(text))
    if column.type in ("DOUBLE", "FLOAT"):
        return json_value(float(text))
    return json_value(text)
