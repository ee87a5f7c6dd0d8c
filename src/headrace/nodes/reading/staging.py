"""The rows of files that DuckDB cannot read itself: workbooks, and text in encodings that it does not know.

Owns the rows as an iterator of bounded memory (a workbook's sheet excepted). Refuses nothing that `sniff` let through but bytes
that do not fit the encoding.
"""

from __future__ import annotations

import codecs
import csv
import gzip
from collections.abc import Iterator
from typing import Any, TextIO

from headrace.nodes.spec import Column, NodeFault, Table

from . import json_lines, workbook
from .dialect import reader
from .found import MARKED_UTF8, TEXT, Found, Source
from .head import file_fault


def staged_table(found: Found) -> Table:
    """Return the columns under which the rows are staged: typed for a workbook, text as it is written for the others."""
    if found.format == "xlsx":
        return found.table()
    return Table(columns=tuple(Column(name=column.source, type=TEXT) for column in found.columns))


def staged_rows(found: Found) -> Iterator[tuple[Any, ...]]:
    """Return the rows to stage, in order.

    Errors: NodeFault F504 where a later part of the file does not fit what its head promised.
    """
    if found.format == "xlsx":
        yield from workbook.rows(found)
        return
    read = _delimited_rows if found.format == "csv" else _json_rows
    for source in found.sources:
        yield from read(found, source)


def _delimited_rows(found: Found, source: Source) -> Iterator[tuple[str | None, ...]]:
    order = [source.names.index(column.source) for column in found.columns]
    missing = {"", *found.missing}
    width = len(source.names)
    with _opened(source) as file:
        try:
            for number, record in enumerate(reader(file, source.dialect)):
                if number < source.dialect.skip or not record:
                    continue
                if len(record) != width and not (len(record) == width + 1 and record[-1] == ""):
                    message = (
                        f"Row {number + 1:,} of {source.path.name!r} has {len(record)} fields, but the table has {width} columns. "
                        "Mend that row."
                    )
                    raise NodeFault(file_fault("F504", message))
                yield tuple(None if record[place] in missing else record[place] for place in order)
        except (UnicodeError, csv.Error) as error:
            message = (
                f"{source.path.name!r} cannot be read to its end as {source.encoding}: {error}. Set another `encoding`."
            )
            raise NodeFault(file_fault("F504", message)) from None


def _json_rows(found: Found, source: Source) -> Iterator[tuple[str | None, ...]]:
    if source.array:
        message = f"{source.path.name!r} is one JSON array in {source.encoding}. Save it as UTF-8 without a mark at its start."
        raise NodeFault(file_fault("F504", message))
    with _opened(source) as file:
        try:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    record = json_lines.record(line, f"Line {number:,} of {source.path.name!r}")
                    yield tuple(json_lines.shown(record.get(column.source)) for column in found.columns)
        except UnicodeError as error:
            message = (
                f"{source.path.name!r} cannot be read to its end as {source.encoding}: {error}. Set another `encoding`."
            )
            raise NodeFault(file_fault("F504", message)) from None


def _opened(source: Source) -> TextIO:
    encoding = source.encoding
    if encoding in ("utf-16-be", "utf-16-le") and _marked(source):
        encoding = "utf-16"
    elif encoding == MARKED_UTF8:
        encoding = "utf-8-sig"
    if source.gzip:
        return gzip.open(source.path, "rt", encoding=encoding, newline="")
    return source.path.open(encoding=encoding, newline="")


def _marked(source: Source) -> bool:
    opened = gzip.open if source.gzip else open
    with opened(source.path, "rb") as file:
        return file.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
