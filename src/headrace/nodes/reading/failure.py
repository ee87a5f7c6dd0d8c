"""What DuckDB says when a file does not hold what its head promised, in words for the person who has the file.

Owns the marks by which a failed conversion is found again. Refuses to answer for failures that are not of reading.
"""

from __future__ import annotations

import re

from headrace.nodes.spec import Fault
from headrace.nodes.types import is_whole

from .found import Found, FoundColumn
from .head import LONGEST_LINE
from .marks import kind_of, marker
from .numbers import numbers
from .query import written_values

_MOST_SEARCHED = 2 << 30
"""Bytes of a file in which a value is looked for."""
_CONVERT = re.compile(
    r'Error when converting column "(?P<column>.*?)"\. Could not convert string "(?P<value>.*?)" to', re.DOTALL
)
_TOO_LONG = "The Parallel CSV Reader currently does not support"
"""What DuckDB says of a line that does not fit into all that it reads at once."""
_LINE = re.compile(r"CSV Error on Line: (?P<line>\d+)")
_WIDTH = re.compile(r"Expected Number of Columns: (?P<expected>\d+) Found: (?P<found>\d+)")
_JSON_LINE = re.compile(r"(?:at byte \d+ )?in line (?P<line>\d+)")


def explain(error: str, found: Found) -> tuple[Fault, ...]:
    """Return what a failed query says about this file; () where it is not about it."""
    if f"[{found.key}] Column " in error:
        for column in found.columns:
            _, marked, value = error.partition(marker(found, column))
            if marked:
                return _unfit(found, column.name, value.strip(), where=_place(found, column, value.strip()))
    if not _is_ours(error, found):
        return ()
    name = _file_name(error, found)
    line = _line(error)
    where = f"Line {line} of {name!r}" if line else f"{name!r}"
    if converted := _CONVERT.search(error):
        return _unfit(found, converted["column"], converted["value"], where=f" in line {line}" if line else "")
    if width := _WIDTH.search(error):
        message = f"{where} has {width['found']} fields, but the table has {width['expected']} columns. Mend that line."
    elif "unterminated quote" in error or "invalid state" in error:
        message = f"{where} has a quote that does not end where the value does. Mend that line."
    elif "not utf-8" in error or "latin-1 encoded" in error or "nicode" in error:
        message = f"{where} holds letters in another encoding than the start of the file. Set `encoding`, for example to windows-1252."
    elif "Maximum line size" in error or "max_line_size" in error or _TOO_LONG in error:
        line = where if _TOO_LONG not in error else f"A line of {name!r}"
        message = f"{line} is longer than {LONGEST_LINE:,} characters. Check that every quote in the file is closed."
    elif found.format == "json_lines":
        reason = _json_reason(error)
        message = f"{where} cannot be read: {reason}. Mend that line, or set the column's type to text in `types`."
    else:
        message = f"{where} cannot be read to its end: {_first_sentence(error)} Get a fresh copy of it."
    return (Fault("F504", message, ("path",)),)


def _unfit(found: Found, column: str, value: str, *, where: str = "") -> tuple[Fault, ...]:
    column_type = next((each.type for each in found.columns if each.name == column), "")
    shown = value if len(value) <= 60 else value[:59] + "…"
    wider = "number" if is_whole(column_type) and numbers((value,)).point else "text"
    missing = (
        "" if found.format == "json_lines" else f", or add {shown!r} to `null_values` if it stands for a missing value"
    )
    message = (
        f"Column {column!r} was read as {kind_of(column_type)} from the start of the file, but holds {shown!r}{where}. "
        f"Set its type to {wider} in `types`{missing}."
    )
    return (Fault("F504", message, ("types", column)),)


def _place(found: Found, column: FoundColumn, value: str) -> str:
    """Where a value stands first, in words; an empty text where it is not found, or cannot be looked for."""
    import duckdb

    if found.staged:
        return ""
    with duckdb.connect(":memory:") as connection:
        for source in found.sources:
            try:
                if source.path.stat().st_size <= _MOST_SEARCHED:
                    query = written_values(found, source, column).sql(dialect="duckdb")
                    sql = f"SELECT place FROM ({query}) WHERE written = ? LIMIT 1"
                    if row := connection.execute(sql, [value]).fetchone():
                        return f" in row {row[0]:,} of {source.path.name!r}"
            except (duckdb.Error, OSError):
                continue
    return ""


def _is_ours(error: str, found: Found) -> bool:
    return any(str(source.path) in error or f'"{source.path.name}"' in error for source in found.sources) or (
        found.format == "csv" and (("File is not" in error and "encoded" in error) or _TOO_LONG in error)
    )


def _file_name(error: str, found: Found) -> str:
    named = [source.path.name for source in found.sources if str(source.path) in error]
    return named[0] if named else found.sources[0].path.name


def _line(error: str) -> str:
    match = _LINE.search(error) or _JSON_LINE.search(error)
    return f"{int(match['line']):,}" if match else ""


def _json_reason(error: str) -> str:
    text = re.sub(r".*?in line \d+[:,]?\s*", "", error.split("\n", 1)[0], count=1, flags=re.DOTALL)
    return text.strip().rstrip(".") or "it is no JSON record"


def _first_sentence(error: str) -> str:
    text = error.split("\n", 1)[0]
    return re.sub(r"^[A-Z][A-Za-z ]+ Error: ", "", text).strip().rstrip(".") + "."
