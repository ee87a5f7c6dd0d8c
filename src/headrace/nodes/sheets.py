"""Tables as xlsx sheets, row by row in bounded memory.

Owns how values become cells: numbers and dates as such, text always as text, so that nothing in a table can become a formula or an
address to click. A number with more digits than a sheet keeps becomes text, digit by digit. Refuses what a sheet cannot hold.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from .spec import Fault, NodeFault, Table

MOST_COLUMNS = 16_384
MOST_ROWS = 1_048_575
_MOST_LETTERS = 32_767
_EXACT = 2**53
_FIRST_DAY = date(1900, 3, 1)
"""Before it, sheets count a day that never was."""
_WIDEST = 40


def write_sheet(path: Path, table: Table, rows: Iterable[tuple[Any, ...]], *, check: Callable[[], None]) -> int:
    """Write a table as the only sheet of a workbook and return the number of its rows. `check` is called often and may raise.

    Errors: NodeFault F303, where there are more rows or longer texts than a sheet holds.
    """
    import xlsxwriter

    options = {
        "constant_memory": True,
        "tmpdir": str(path.parent),
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    book = xlsxwriter.Workbook(str(path), options)
    count = 0
    try:
        sheet = book.add_worksheet("Table")
        styles = {
            "head": book.add_format({"bold": True, "bottom": 1}),
            "date": book.add_format({"num_format": "yyyy-mm-dd"}),
            "moment": book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"}),
            "time": book.add_format({"num_format": "hh:mm:ss"}),
        }
        for place, column in enumerate(table.columns):
            sheet.set_column(place, place, min(_WIDEST, max(10, len(column.name) + 2)))
            sheet.write_string(0, place, column.name[:_MOST_LETTERS], styles["head"])
        sheet.freeze_panes(1, 0)
        for row in rows:
            count += 1
            if count > MOST_ROWS:
                message = f"A sheet holds {MOST_ROWS:,} rows, and the table has more. Write csv or parquet, or limit the rows."
                raise NodeFault(Fault("F303", message, ("format",)))
            if count % 500 == 0:
                check()
            for place, value in enumerate(row):
                _write_cell(sheet, (count, place), value, styles=styles)
    except BaseException:
        _discard(book)
        raise
    book.close()
    return count


def _discard(book: Any) -> None:
    """Let go of a workbook's temporary files without writing it."""
    for sheet in book.worksheets():
        handle = getattr(sheet, "row_data_fh", None)
        if handle is not None:
            handle.close()
            Path(sheet.row_data_filename).unlink(missing_ok=True)
    book.fileclosed = 1


def _write_cell(sheet: Any, at: tuple[int, int], value: Any, *, styles: dict[str, Any]) -> None:
    match value:
        case None:
            return
        case bool():
            sheet.write_boolean(*at, value)
        case int() if abs(value) <= _EXACT:
            sheet.write_number(*at, value)
        case float() if math.isfinite(value):
            sheet.write_number(*at, value)
        case Decimal() if value.is_finite() and Decimal(repr(float(value))) == value:
            sheet.write_number(*at, float(value))
        case datetime() if value.date() >= _FIRST_DAY:
            sheet.write_datetime(*at, value.replace(tzinfo=None), styles["moment"])
        case date() if not isinstance(value, datetime) and value >= _FIRST_DAY:
            sheet.write_datetime(*at, value, styles["date"])
        case time():
            sheet.write_datetime(*at, value.replace(tzinfo=None), styles["time"])
        case _:
            sheet.write_string(*at, _text(value, at))


def _text(value: Any, at: tuple[int, int]) -> str:
    match value:
        case str():
            text = value
        case bytes():
            text = value.hex()
        case list() | dict() | tuple():
            text = json.dumps(value, ensure_ascii=False, default=str)
        case datetime() | date():
            text = value.isoformat(sep=" ") if isinstance(value, datetime) else value.isoformat()
        case timedelta():
            text = str(value)
        case _:
            text = str(value)
    if len(text) > _MOST_LETTERS:
        message = f"Row {at[0]:,} holds a text of {len(text):,} letters; a cell of a sheet holds {_MOST_LETTERS:,}. Write csv or parquet."
        raise NodeFault(Fault("F303", message, ("format",)))
    return text
