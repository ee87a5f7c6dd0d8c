"""Where words stand as values in the text columns of a file. Owns what counts as the same word, and the one query.

Refuses to guess: a value is found as it is stored or not at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import duckdb

from headrace.base.ids import new_id
from headrace.engine.cancel import Cancelled, CancelToken
from headrace.engine.database import literal, opened
from headrace.engine.values import quoted
from headrace.nodes import reading
from headrace.nodes.reading import Found
from headrace.nodes.spec import NodeFault

from .foundation import Foundation
from .runs import run_settings
from .views import FoundValue

_TEXT = "VARCHAR"

Met = Iterator[tuple[str, str]]
"""Column and value as it is stored, once for each row that holds it."""


def variants(words: Iterable[str]) -> dict[str, str]:
    """Return every way in which a value may be written that the words mean, and the words it stands for.

    Case, blanks and a plural make no difference.
    """
    wanted: dict[str, str] = {}
    for said in words:
        word = " ".join(said.casefold().split())
        if not word:
            continue
        ways = [word, f"{word}s", f"{word}es"]
        ways += [f"{word[:-1]}ies"] if word.endswith("y") else []
        ways += [word[:-1]] if len(word) > 3 and word.endswith("s") else []
        ways += [f"{word[:-3]}y"] if len(word) > 4 and word.endswith("ies") else []
        ways += [word[:-2]] if len(word) > 4 and word.endswith("es") else []
        for way in ways:
            wanted.setdefault(way, said)
    return wanted


@dataclass(frozen=True, slots=True)
class Search:
    """What was found in one file."""

    values: tuple[FoundValue, ...] = ()
    """In the order of the columns, then of the values."""
    whole: bool = True
    """Whether all of the file was looked at."""


def search(house: Foundation, path: str, wanted: Mapping[str, str], *, token: CancelToken) -> Search:
    """Return where the wanted values stand in one file; nothing for a file that cannot be read.

    Of a file beyond the budget only the beginning is looked at; when the token is pulled, what was found until then stays.
    """
    counted: Counter[tuple[str, str]] = Counter()
    try:
        paths = house.context.read_paths(path)
        found = reading.sniff(paths)
        big = sum(each.stat().st_size for each in paths) > house.budgets.search_bytes
        rows = house.budgets.search_rows if big else None
        met = (_by_hand if found.staged else _by_query)(house, found, wanted, token=token, rows=rows)
        whole = _count(met, counted, token) and not big
    except (NodeFault, duckdb.Error, OSError):
        return Search()
    place = {column.name: number for number, column in enumerate(found.columns)}
    said = (
        FoundValue(words=wanted[_plain(value)], path=path, column=column, value=value, count=count)
        for (column, value), count in counted.items()
        if _plain(value) in wanted
    )
    return Search(tuple(sorted(said, key=lambda each: (place[each.column], each.value))), whole)


def _count(met: Met, counted: Counter[tuple[str, str]], token: CancelToken) -> bool:
    """Count what is met, and return whether it was met to the end."""
    try:
        for column, value in met:
            counted[column, value] += 1
    except (Cancelled, duckdb.Error):
        if not token.cancelled:
            raise
        return False
    return True


def _plain(value: str) -> str:
    return " ".join(value.casefold().split())


def _text_columns(found: Found) -> list[str]:
    return [column.name for column in found.columns if column.type == _TEXT]


def _by_query(
    house: Foundation, found: Found, wanted: Mapping[str, str], *, token: CancelToken, rows: int | None
) -> Met:
    """One pass of DuckDB over the file, all text columns at once; what it meets is handed on as it comes."""
    columns = _text_columns(found)
    if not columns:
        return
    listed = ", ".join(f"{quoted(column)} AS c{number}" for number, column in enumerate(columns))
    first = f" LIMIT {rows}" if rows is not None else ""
    source = f"SELECT {listed} FROM ({reading.select(found).sql(dialect='duckdb')}){first}"
    values = ", ".join(literal(way) for way in wanted)
    query = (
        f"SELECT place, value FROM (UNPIVOT ({source}) ON COLUMNS(*) INTO NAME place VALUE value) "
        f"WHERE lower(trim(value)) IN ({values})"
    )
    settings = run_settings(house, new_id("search"), dry_run=True)
    with opened(settings, token, reads=[source.path for source in found.sources], folders=()) as database:
        for place, value in database.stream(query):
            yield columns[int(place[1:])], value


def _by_hand(
    house: Foundation, found: Found, wanted: Mapping[str, str], *, token: CancelToken, rows: int | None
) -> Met:
    """What DuckDB cannot read is read row by row."""
    text = set(_text_columns(found))
    names: Sequence[str] = [column.name for column in found.columns]
    for row in islice(reading.staged_rows(found), rows or house.budgets.search_rows):
        token.check()
        for name, value in zip(names, row, strict=True):
            if name in text and isinstance(value, str) and _plain(value) in wanted:
                yield name, value
