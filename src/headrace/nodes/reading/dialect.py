"""How the text of a delimited file is cut into rows: delimiter, quotes, lines above the table, the header.

Owns the rows of the head. Refuses lines without an end and rows of unequal length, naming the line.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headrace.nodes.spec import Fault, NodeFault

from .found import Dialect, Options
from .head import HEAD_BYTES, HEAD_LINES, Head, file_fault
from .names import ColumnNames, named

DELIMITERS = (",", ";", "\t", "|")
_TITLES = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar"}
_TRIED_LINES = 200
_MOST_LINES_ABOVE = 30
_MOST_LINES_OF_A_VALUE = 1_000
_SAID = re.compile(r"\s*sep=([^\r\n\"])[\r\n]", re.IGNORECASE)
"""The line by which spreadsheets are told the delimiter."""
_YEAR = re.compile(r"(1[89]|20)\d\d")
_LIKE_DATA = re.compile(r"[-+]?[\d.,' ]*\d%?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}.*|true|false", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of the head of one delimited file."""

    dialect: Dialect
    names: tuple[str, ...]
    rows: Sequence[Sequence[str]]
    notes: tuple[str, ...]
    cut: bool
    """The file goes on after these rows."""


def rows_of(text: str, head: Head, options: Options) -> Rows:
    """Return the rows of the head of a delimited file, without its header.

    Errors: NodeFault F504 (a line without end, rows of unequal length), F505 (nothing but blank lines), F303 (delimiter).
    """
    if not head.complete and "\n" not in text and "\r" not in text:
        message = (
            f"The first line of {head.path.name!r} is longer than {HEAD_BYTES:,} characters: this is no table of rows."
        )
        raise NodeFault(file_fault("F504", message))
    if "\x00" in text:
        raise NodeFault(file_fault("F504", f"{head.path.name!r} holds zero bytes: it is binary, not rows of text."))
    if options.delimiter is not None and (len(options.delimiter) != 1 or options.delimiter in '"\n\r'):
        message = f"The delimiter {options.delimiter!r} is not one character. Use , ; | or a tab."
        raise NodeFault(Fault("F303", message, ("delimiter",)))
    said = _SAID.match(text) if options.delimiter is None and options.skip_rows is None else None
    delimiter = options.delimiter or (said[1] if said else _delimiter(text, head.complete))
    quote, escape = _quoting(text, delimiter)
    if quote in text:
        _refuse_bad_quotes(text, Dialect(delimiter, quote, escape), head)
    records, cut = _records(text, Dialect(delimiter, quote, escape), head.complete)
    dialect = Dialect(delimiter, quote, escape, mixed_ends=_mixed_ends(text))
    if said:
        # It is no row of the table, whatever number of fields it would have.
        records[text[: said.start(1)].count("\n")] = []
    return _table(records, dialect, options, path=head.path, cut=cut)


def reader(lines: Iterable[str], dialect: Dialect, *, strict: bool = False) -> Any:
    """Return the records of some lines of a delimited file, blank lines as empty ones.

    `strict`: csv.Error, where a quote ends elsewhere than its value.
    """
    csv.field_size_limit(4 * HEAD_BYTES)
    doubled = dialect.escape == dialect.quote
    return csv.reader(
        lines,
        delimiter=dialect.delimiter,
        quotechar=dialect.quote,
        doublequote=doubled,
        escapechar=None if doubled else dialect.escape,
        strict=strict,
    )


def _mixed_ends(text: str) -> bool:
    carriage = text.count("\r\n")
    return 0 < carriage < text.count("\n")


def _delimiter(text: str, complete: bool) -> str:
    """The one under which most lines have the same number of fields; more fields win between equals."""
    best, best_score = DELIMITERS[0], 0.0
    first = "".join(text.splitlines(keepends=True)[:_TRIED_LINES])
    for delimiter in DELIMITERS:
        if delimiter not in first:
            continue
        records, _ = _records(first, Dialect(delimiter), complete and len(first) == len(text))
        counts = Counter(len(record) for record in records if record)
        wide = {width: count for width, count in counts.items() if width > 1}
        if not wide:
            continue
        width, count = max(wide.items(), key=lambda item: (item[1], item[0]))
        score = count / sum(counts.values()) + min(width, 50) / 1000
        if score > best_score:
            best, best_score = delimiter, score
    return best


def _quoting(text: str, delimiter: str) -> tuple[str, str]:
    """The quote and what escapes it inside a value."""
    if '"' in text:
        return '"', _escape(text, delimiter) if '\\"' in text else '"'
    edge = re.escape(delimiter)
    single = re.findall(rf"(?:^|{edge})'[^'\n]*'(?={edge}|\r?$)", text[:50_000], re.MULTILINE)
    return ("'", "'") if len(single) > 2 and len(single) >= text[:50_000].count("\n") / 2 else ('"', '"')


def _escape(text: str, delimiter: str) -> str:
    """A backslash, where rows come out more even with it, or as even and no quote is doubled otherwise."""
    uneven = {}
    for escape in ('"', "\\"):
        records, _ = _records(text, Dialect(delimiter, '"', escape), complete=False)
        widths = Counter(len(record) for record in records if record)
        uneven[escape] = sum(widths.values()) - max(widths.values(), default=0)
    if uneven['"'] != uneven["\\"]:
        return min(uneven, key=lambda escape: uneven[escape])
    edge = re.escape(delimiter)
    doubled = re.search(rf'[^{edge}\r\n]""|""[^{edge}\r\n]', text.replace('\\"', ""))
    return '"' if doubled else "\\"


def _records(text: str, dialect: Dialect, complete: bool) -> tuple[list[list[str]], bool]:
    """The records as they stand, blank lines as empty ones, and whether something follows them.

    The last record of a cut head may be half and is left out.
    """
    records: list[list[str]] = []
    for record in reader(io.StringIO(text, newline=""), dialect):
        records.append(record)
        if len(records) > HEAD_LINES:
            return records[:-1], True
    if not complete and records:
        records.pop()
    return records, not complete


def _refuse_bad_quotes(text: str, dialect: Dialect, head: Head) -> None:
    records = reader(io.StringIO(text, newline=""), dialect, strict=True)
    number, began = 0, 1
    try:
        for number, _ in enumerate(records, start=1):
            began = records.line_num + 1
            if number > HEAD_LINES:
                return
    except csv.Error:
        at_end = records.line_num - began
        if not head.complete and number and at_end < _MOST_LINES_OF_A_VALUE:
            return  # the head was cut inside a value
        message = (
            f"Line {began:,} of {head.path.name!r} has a quote that does not end where the value does. "
            "Mend that line, or set another `delimiter`."
        )
        raise NodeFault(file_fault("F504", message)) from None


def _table(records: list[list[str]], dialect: Dialect, options: Options, *, path: Path, cut: bool) -> Rows:
    start = options.skip_rows if options.skip_rows is not None else 0
    filled = [place for place in range(min(start, len(records)), len(records)) if records[place]]
    if not filled:
        if cut:
            message = (
                f"The first row of {path.name!r} is longer than {HEAD_BYTES:,} characters: a quote may be left open."
            )
            raise NodeFault(file_fault("F504", message))
        raise NodeFault(
            file_fault("F505", f"{path.name!r} holds nothing but blank lines. Choose a file that holds a table.")
        )
    counts = Counter(len(records[place]) for place in filled)
    width = max(counts, key=lambda fields: (counts[fields], fields))
    notes: list[str] = []
    first = filled[0]
    if options.skip_rows is None:
        first, trailing = _first_row(records, filled, width)
        if above := sum(1 for place in filled if place < first):
            notes.append(f"{_lines(above)} above the table {'is' if above == 1 else 'are'} left out.")
        width = max(width, len(records[first]) + trailing)
    header = options.header if options.header is not None else _is_header(records, filled, first)
    body_from = first + 1 if header else first
    body = [records[place] for place in range(body_from, len(records)) if records[place]]
    width = Counter(map(len, body)).most_common(1)[0][0] if body else len(records[first])
    if header and len(records[first]) > width and "".join(records[first][width:]).strip():
        width = len(records[first])
    _refuse_ragged(records, body_from, width, path=path)
    columns: ColumnNames = named(records[first] if header else [], width)
    notes.extend(columns.notes)
    if not header:
        notes.append("The first line holds data and not names, so the columns are named column_1, column_2 and so on.")
    if options.delimiter is None and dialect.delimiter != "," and width > 1:
        notes.append(f"Values are separated by {_TITLES.get(dialect.delimiter, repr(dialect.delimiter))}.")
    settled = Dialect(dialect.delimiter, dialect.quote, dialect.escape, body_from, dialect.mixed_ends)
    return Rows(settled, columns.names, body, tuple(notes), cut)


def _lines(count: int) -> str:
    return "One line" if count == 1 else f"{count} lines"


def _first_row(records: list[list[str]], filled: list[int], width: int) -> tuple[int, int]:
    """The place of the table's first row: lines above it have fewer fields. And 1 where rows end in a spare delimiter."""
    for nth, place in enumerate(filled[:_MOST_LINES_ABOVE]):
        count = len(records[place])
        if count >= width:
            return place, 0
        body = filled[nth + 1 :]
        if width > 2 and count == width - 1 and body and all(records[each][-1] == "" for each in body):
            return place, 1
    return filled[0], 0


def _is_header(records: list[list[str]], filled: list[int], first: int) -> bool:
    row = [cell.strip() for cell in records[first]]
    if not any(row):
        return False
    numbers = [cell for cell in row if _LIKE_DATA.fullmatch(cell)]
    if not numbers:
        below = [records[place] for place in filled if place > first][:_TRIED_LINES]
        return not (len(row) > 1 and row in [[cell.strip() for cell in each] for each in below])
    years = [cell for cell in numbers if _YEAR.fullmatch(cell)]
    return len(years) == len(numbers) == len(set(years)) and len(years) < len(row)


def _refuse_ragged(records: list[list[str]], body_from: int, width: int, *, path: Path) -> None:
    wrong = [
        (place + 1, len(record))
        for place, record in enumerate(records)
        if place >= body_from and record and len(record) != width and not _spare_end(record, width)
    ]
    if not wrong:
        return
    line, count = wrong[0]
    others = f" ({len(wrong) - 1:,} more rows like it)" if len(wrong) > 1 else ""
    fields = "1 field" if count == 1 else f"{count} fields"
    message = (
        f"Row {line} of {path.name!r} has {fields}, but the table has {width} columns{others}. "
        "Mend that row, put quotes around values that hold the delimiter, or set another `delimiter`."
    )
    raise NodeFault(file_fault("F504", message))


def _spare_end(record: list[str], width: int) -> bool:
    return len(record) == width + 1 and record[-1] == ""
