"""Property: whatever table is written as csv, in whatever dialect, reads back as the same values."""

from __future__ import annotations

import csv
import io
import tempfile
from datetime import date, datetime
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.nodes.reading.files import read

_LETTERS = "abcdefghij äöüé€ ,;|\t'\"\n."
texts = st.none() | st.text(_LETTERS, min_size=1, max_size=12).map(lambda text: f"w{text}w")
wholes = st.none() | st.integers(-(10**15), 10**15)
broken = st.none() | st.floats(-1e12, 1e12, allow_nan=False).map(lambda number: float(f"{number:.6f}"))
days = st.none() | st.dates(date(1900, 1, 1), date(2100, 1, 1))
moments = st.none() | st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1)).map(
    lambda each: each.replace(microsecond=0)
)
KINDS = {"text": texts, "whole": wholes, "broken": broken, "day": days, "moment": moments}


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], list[list[Any]]]:
    kinds = draw(st.lists(st.sampled_from(sorted(KINDS)), min_size=2, max_size=5))
    count = draw(st.integers(1, 12))
    columns = [[draw(KINDS[kind]) for _ in range(count)] for kind in kinds]
    return [f"{kind} {place}" for place, kind in enumerate(kinds)], [list(row) for row in zip(*columns, strict=True)]


@given(
    table=tables(),
    delimiter=st.sampled_from(",;\t|"),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
    end=st.sampled_from(["\n", "\r\n"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"]),
)
def test_a_written_table_reads_back(
    table: tuple[list[str], list[list[Any]]], delimiter: str, quoting: Any, end: str, encoding: str
) -> None:
    names, rows = table
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator=end)
    writer.writerow(names)
    writer.writerows(["" if value is None else value for value in row] for row in rows)
    with tempfile.TemporaryDirectory() as folder:
        got = read(Path(folder), out.getvalue().encode(encoding))
    assert got.names == names
    assert [[_alike(value) for value in row] for row in got.rows] == [[_alike(value) for value in row] for row in rows]


def _alike(value: Any) -> Any:
    """A value as far as its kind may follow from the others: whole floats are whole numbers, midnights are dates."""
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day)
    return float(value) if isinstance(value, int) else value
