"""Where words stand as values in the text columns of a file. Owns what counts as the same word, and the one query.

Refuses to guess: a value is found as it is stored or not at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
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

Counts = Iterable[tuple[str, str, int]]
"""Column, value as it is stored, rows."""


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


def search(house: Foundation, path: str, wanted: Mapping[str, str], *, token: CancelToken) -> list[FoundValue]:
    """Return where the wanted values stand in one file; nothing for a file that cannot be read.

    Of a file beyond the budget only the beginning is looked at.
    """
    try:
        paths = house.context.read_paths(path)
        found = reading.sniff(paths)
        big = sum(each.stat().st_size for each in paths) > house.budgets.search_bytes
        rows = house.budgets.search_rows if big else None
        counts = list((_by_hand if found.staged else _by_query)(house, found, wanted, token=token, rows=rows))
    except (NodeFault, duckdb.Error, OSError, Cancelled):
        return []
    place = {column.name: number for number, column in enumerate(found.columns)}
    said = [
        FoundValue(words=wanted[_plain(value)], path=path, column=column, value=value, count=count)
        for column, value, count in counts
        if _plain(value) in wanted
    ]
    return sorted(said, key=lambda each: (place[each.column], each.value))


def _plain(value: str) -> str:
    return " ".join(value.casefold().split())


def _text_columns(found: Found) -> list[str]:
    return [column.name for column in found.columns if column.type == _TEXT]


def _by_query(
    house: Foundation, found: Found, wanted: Mapping[str, str], *, token: CancelToken, rows: int | None
) -> Iterator[tuple[str, str, int]]:
    """One pass of DuckDB over the file, all text columns at once."""
    columns = _text_columns(found)
    if not columns:
        return
    listed = ", ".join(f"{quoted(column)} AS c{number}" for number, column in enumerate(columns))
    first = f" LIMIT {rows}" if rows is not None else ""
    source = f"SELECT {listed} FROM ({reading.select(found).sql(dialect='duckdb')}){first}"
    values = ", ".join(literal(way) for way in wanted)
    query = (
        f"SELECT place, value, count(*) FROM (UNPIVOT ({source}) ON COLUMNS(*) INTO NAME place VALUE value) "
        f"WHERE lower(trim(value)) IN ({values}) GROUP BY ALL"
    )
    settings = run_settings(house, new_id("search"), dry_run=True)
    with opened(settings, token, reads=[source.path for source in found.sources], folders=()) as database:
        for place, value, count in database.stream(query):
            yield columns[int(place[1:])], value, count


def _by_hand(
    house: Foundation, found: Found, wanted: Mapping[str, str], *, token: CancelToken, rows: int | None
) -> Counts:
    """What DuckDB cannot read is read row by row."""
    text = set(_text_columns(found))
    names: Sequence[str] = [column.name for column in found.columns]
    counted: Counter[tuple[str, str]] = Counter()
    for row in islice(reading.staged_rows(found), rows or house.budgets.search_rows):
        token.check()
        for name, value in zip(names, row, strict=True):
            if name in text and isinstance(value, str) and _plain(value) in wanted:
                counted[name, value] += 1
    return [(column, value, count) for (column, value), count in counted.items()]
