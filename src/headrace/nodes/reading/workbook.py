"""Workbooks (xlsx and its kin): which sheet, where its table begins, and what its cells are.

Owns the cells as Python values. Refuses protected and damaged workbooks, and those that would unpack to more than memory holds.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

from headrace.nodes.near import near
from headrace.nodes.spec import Fault, NodeFault

from .columns import MISSING_AMONG_VALUES
from .found import DATE, DECIMAL, MOMENT, TEXT, TIME, TRUTH, WHOLE, Found, FoundColumn, Options, Reading, Source
from .head import HEAD_LINES, file_fault
from .names import named

_SAMPLE = 20
_MOST_UNPACKED = 1_500_000_000
_LOOKED_AT = 20
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_INSIDE = (b"[Content_Types].xml", b"xl/", b"_rels/.rels", b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet")


@dataclass(frozen=True, slots=True)
class Grid:
    """The cells of one sheet from its first row on, as calamine gives them."""

    rows: Sequence[Sequence[Any]]
    sheet: str
    sheets: tuple[str, ...]


def is_workbook(data: bytes) -> bool:
    """Return whether a file that begins so is a workbook."""
    return data.startswith(_OLE) or (data.startswith(b"PK\x03\x04") and any(name in data[:4000] for name in _INSIDE))


def find(paths: Sequence[Path], options: Options, key: str) -> Found:
    """Return what one workbook holds.

    Errors: NodeFault F303 (no such sheet), F504 (protected, damaged, several files), F505 (empty sheet).
    """
    if len(paths) > 1:
        message = f"{len(paths)} workbooks match, but one can be read at a time. Name one, and join them with a union."
        raise NodeFault(file_fault("F504", message))
    path = paths[0]
    grid = _grid(path, path.stat().st_mtime_ns, options.sheet)
    first_row, first_column, end_column = _table_place(grid, path, options)
    header = options.header if options.header is not None else _is_header(grid.rows[first_row][first_column:end_column])
    written = [_text(cell) or "" for cell in grid.rows[first_row][first_column:end_column]] if header else []
    given = named(written, end_column - first_column)
    notes = _notes(grid, options, first_row) + list(given.notes)
    if not header:
        notes.append("The first row holds data and not names, so the columns are named column_1, column_2 and so on.")
    header_row = first_row if header else -1
    body = _body(grid, first_row + 1 if header else first_row, (first_column, end_column))
    looked = body[:HEAD_LINES]
    declared = dict(options.types)
    columns = []
    for name, cells in zip(given.names, zip(*looked, strict=True) if looked else [()] * len(given.names), strict=True):
        reading = Reading(declared[name]) if name in declared else _reading(name, cells, options, notes=notes)
        columns.append(FoundColumn(name, name, reading))
    return Found(
        format="xlsx",
        sources=(Source(path, given.names, complete=len(body) <= HEAD_LINES),),
        columns=tuple(columns),
        key=key,
        missing=options.null_values or (),
        notes=tuple(notes),
        sample=tuple(
            tuple(_text(_cell(cell, column, None)) for cell, column in zip(row, columns, strict=True))
            for row in looked[:_SAMPLE]
        ),
        rows=len(body),
        sheet=grid.sheet,
        sheets=grid.sheets,
        header_row=header_row if header else first_row - 1,
        width=(first_column, end_column),
    )


def rows(found: Found) -> Iterator[tuple[Any, ...]]:
    """Return the rows of a workbook as values of the found types.

    Errors: NodeFault F504 that names the cell that does not fit.
    """
    path = found.sources[0].path
    grid = _grid(path, path.stat().st_mtime_ns, found.sheet)
    start, end = found.width
    for number in range(found.header_row + 1, len(grid.rows)):
        cells = grid.rows[number][start:end]
        if any(cell != "" for cell in cells):
            padded = [*cells, *[""] * (end - start - len(cells))]
            yield tuple(
                _cell(cell, column, (number, start + place))
                for place, (cell, column) in enumerate(zip(padded, found.columns, strict=True))
            )


@lru_cache(maxsize=2)
def _grid(path: Path, modified_ns: int, sheet: str | None) -> Grid:
    """The cells of a sheet. Remembered for the last two workbooks: a check is soon followed by a run."""
    del modified_ns
    import python_calamine as calamine

    _refuse_bombs(path)
    try:
        with calamine.CalamineWorkbook.from_path(str(path)) as book:
            names = tuple(book.sheet_names)
            shown = [each.name for each in book.sheets_metadata if str(each.visible).endswith("Visible")] or list(names)
            if sheet is not None:
                _refuse_unknown_sheet(path, sheet, names)
                chosen = [sheet]
            else:
                chosen = shown
            for name in chosen:
                cells = book.get_sheet_by_name(name).to_python(skip_empty_area=False)
                if sheet is not None or any(sum(cell != "" for cell in row) > 1 for row in cells[:_LOOKED_AT]):
                    return Grid(cells, name, names)
            name = chosen[0]
            return Grid(book.get_sheet_by_name(name).to_python(skip_empty_area=False), name, names)
    except calamine.PasswordError:
        message = f"{path.name!r} is protected by a password. Save a copy without one."
        raise NodeFault(file_fault("F504", message)) from None
    except (calamine.CalamineError, OSError, IndexError):
        message = f"{path.name!r} cannot be read as a workbook: it is damaged or cut off. Get a fresh copy of it."
        raise NodeFault(file_fault("F504", message)) from None


def _refuse_bombs(path: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
    except (zipfile.BadZipFile, OSError, NotImplementedError, ValueError):
        return  # an old workbook, or a damaged one: calamine says which
    if unpacked > _MOST_UNPACKED:
        message = f"{path.name!r} unpacks to {unpacked / 1e9:.1f} GB, more than can be read. Save its sheet as csv."
        raise NodeFault(file_fault("F504", message))


def _refuse_unknown_sheet(path: Path, sheet: str, names: tuple[str, ...]) -> None:
    if sheet not in names:
        close = near(sheet, names)
        there = f"Near ones: {', '.join(close)}." if close else f"There are: {', '.join(names)}."
        message = f"{path.name!r} has no sheet {sheet!r}. {there}"
        raise NodeFault(Fault("F303", message, ("sheet",)))


def _table_place(grid: Grid, path: Path, options: Options) -> tuple[int, int, int]:
    """The first row of the table and its columns: rows above it are empty, or hold a title in a cell or two."""
    start = options.skip_rows or 0
    filled = [number for number in range(start, len(grid.rows)) if any(cell != "" for cell in grid.rows[number])]
    if not filled:
        message = f"The sheet {grid.sheet!r} of {path.name!r} is empty. There are: {', '.join(grid.sheets)}."
        raise NodeFault(file_fault("F505", message, "sheet" if options.sheet else "path"))
    head = filled[:200]
    width = max(sum(cell != "" for cell in grid.rows[number]) for number in head)
    first = filled[0]
    if options.skip_rows is None:
        first = next(n for n in head if sum(cell != "" for cell in grid.rows[n]) >= max(1, 0.6 * width))
    used = [
        place
        for place in range(max(len(grid.rows[number]) for number in head))
        if any(place < len(grid.rows[n]) and grid.rows[n][place] != "" for n in filled if n >= first)
    ]
    return first, used[0], used[-1] + 1


def _is_header(cells: Sequence[Any]) -> bool:
    filled = [cell for cell in cells if cell != ""]
    if not filled:
        return False
    years = [
        cell
        for cell in filled
        if isinstance(cell, (int, float)) and not isinstance(cell, bool) and 1800 <= cell <= 2100
    ]
    texts = [cell for cell in filled if isinstance(cell, str)]
    return len(texts) == len(filled) or (bool(texts) and len(texts) + len(years) == len(filled) == len(set(filled)))


def _notes(grid: Grid, options: Options, first_row: int) -> list[str]:
    notes = []
    others = [name for name in grid.sheets if name != grid.sheet]
    if others and options.sheet is None:
        verb = "is another sheet" if len(others) == 1 else "are other sheets"
        notes.append(f"The sheet {grid.sheet!r} is read; {', '.join(repr(name) for name in others)} {verb}.")
    above = sum(1 for row in grid.rows[:first_row] if any(cell != "" for cell in row))
    if above and options.skip_rows is None:
        notes.append(
            f"{above} {'row' if above == 1 else 'rows'} above the table {'is' if above == 1 else 'are'} left out."
        )
    return notes


def _body(grid: Grid, from_row: int, columns: tuple[int, int]) -> list[list[Any]]:
    start, end = columns
    width = end - start
    body = (list(row[start:end]) for row in grid.rows[from_row:])
    return [[*row, *[""] * (width - len(row))] for row in body if any(cell != "" for cell in row)]


def _reading(name: str, cells: Sequence[Any], options: Options, *, notes: list[str]) -> Reading:
    words = frozenset(options.null_values) if options.null_values is not None else MISSING_AMONG_VALUES
    filled = [cell for cell in cells if cell != "" and not (isinstance(cell, str) and not cell.strip())]
    values = [cell for cell in filled if not (isinstance(cell, str) and cell.strip() in words)]
    kinds = {_kind(cell) for cell in values}
    column_type = _one_type(kinds, values)
    missing = tuple(sorted({cell.strip() for cell in filled if isinstance(cell, str) and cell.strip() in words}))
    if column_type is None:
        if len(kinds) > 1:
            notes.append(f"`{name}` holds text and other values and is read as text.")
        missing = missing if options.null_values is not None else ()
        return Reading(TEXT, missing=missing)
    if missing:
        notes.append(f"{' and '.join(f'`{word}`' for word in missing)} taken as missing in `{name}`.")
    return Reading(column_type, missing=missing)


def _kind(cell: Any) -> str:
    match cell:
        case bool():
            return "truth"
        case int():
            return "whole"
        case float():
            return "whole" if cell.is_integer() and abs(cell) < 2**53 else "decimal"
        case datetime():
            return "moment" if cell.time() != time() else "date"
        case date():
            return "date"
        case time():
            return "time"
        case timedelta():
            return "span"
        case _:
            return "text"


def _one_type(kinds: set[str], values: Sequence[Any]) -> str | None:
    if not values:
        return None
    for allowed, column_type in (
        ({"whole"}, WHOLE),
        ({"whole", "decimal"}, DECIMAL),
        ({"truth"}, TRUTH),
        ({"date"}, DATE),
        ({"date", "moment"}, MOMENT),
        ({"time"}, TIME),
    ):
        if kinds <= allowed:
            return column_type
    return None


def _cell(cell: Any, column: FoundColumn, at: tuple[int, int] | None) -> Any:
    """A cell as a value of its column's type; None where it is missing."""
    if cell == "" or (isinstance(cell, str) and (not cell.strip() or cell.strip() in column.reading.missing)):
        return None
    column_type, kind = column.type, _kind(cell)
    if column_type == TEXT:
        return _text(cell)
    if column_type == WHOLE and kind == "whole":
        return int(cell)
    if column_type == DECIMAL and kind in ("whole", "decimal"):
        return float(cell)
    if column_type == TRUTH and kind == "truth":
        return cell
    if column_type == DATE and kind == "date":
        return cell.date() if isinstance(cell, datetime) else cell
    if column_type == MOMENT and kind in ("date", "moment"):
        return cell if isinstance(cell, datetime) else datetime.combine(cell, time())
    if column_type == TIME and kind == "time":
        return cell
    if column_type not in (TEXT, WHOLE, DECIMAL, TRUTH, DATE, MOMENT, TIME) or at is None:
        return _text(cell)
    place = f"{_letters(at[1])}{at[0] + 1}"
    message = (
        f"The cell {place} in column {column.name!r} holds {_text(cell)!r}, which does not fit the type {column_type}. "
        "Set the column's type to text in `types`, or add the value to `null_values`."
    )
    raise NodeFault(Fault("F504", message, ("types", column.name)))


def _text(cell: Any) -> str | None:
    if cell is None or cell == "":
        return None
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        return str(int(cell))
    if isinstance(cell, datetime):
        return cell.isoformat(sep=" ") if cell.time() != time() else cell.date().isoformat()
    return str(cell)


def _letters(place: int) -> str:
    letters = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
