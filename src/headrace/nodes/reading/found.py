"""What is asked about a file, and what its head tells: plain frozen values.

Owns no reading: the modules beside this one find these values, `query` turns them into a SELECT.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from headrace.nodes.spec import Column, Table

Format = Literal["csv", "json_lines", "parquet", "xlsx"]
TEXT = "VARCHAR"
WHOLE = "BIGINT"
DECIMAL = "DOUBLE"
DATE = "DATE"
TIME = "TIME"
MOMENT = "TIMESTAMP"
TRUTH = "BOOLEAN"


@dataclass(frozen=True, slots=True)
class Options:
    """How a person wants a file to be read; None: find out by looking at its head."""

    format: Format | None = None
    delimiter: str | None = None
    encoding: str | None = None
    header: bool | None = None
    decimal: str | None = None
    thousands: str | None = None
    date_format: str | None = None
    null_values: tuple[str, ...] | None = None
    skip_rows: int | None = None
    sheet: str | None = None
    types: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class NumberForm:
    """How a column writes its numbers."""

    decimal: str = "."
    thousands: str = ""

    @property
    def plain(self) -> bool:
        """Whether DuckDB reads such numbers as they stand."""
        return self.decimal == "." and not self.thousands


@dataclass(frozen=True, slots=True)
class Reading:
    """How the written values of one column become values of its type."""

    type: str
    number: NumberForm = NumberForm()
    date_format: str = ""
    """In strptime's letters; empty: ISO, which DuckDB reads as it stands."""
    in_utc: bool = False
    """The written times carry offsets and are turned into UTC."""
    missing: tuple[str, ...] = ()
    """Words that are missing values in this column alone, beyond those of the whole file."""
    blank_is_missing: bool = False
    """Values that are only blanks are missing."""
    padded: bool = False
    """Values stand between blanks."""

    @property
    def native(self) -> bool:
        """Whether DuckDB's own reader makes the value, without an expression."""
        return self.number.plain and not (self.date_format or self.in_utc or self.missing or self.blank_is_missing)


@dataclass(frozen=True, slots=True)
class FoundColumn:
    """A column of the file: the name it gets, the key it has in the file (JSON), and how it is read."""

    name: str
    source: str
    reading: Reading

    @property
    def type(self) -> str:
        """The type as DuckDB writes it."""
        return self.reading.type


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a delimited file is written."""

    delimiter: str = ","
    quote: str = '"'
    escape: str = '"'
    skip: int = 0
    """Records before the first row of data: blank ones, lines above the table, the header."""
    mixed_ends: bool = False
    """Lines end in both ways, with and without a carriage return."""


@dataclass(frozen=True, slots=True)
class Source:
    """One file and what is particular to it."""

    path: Path
    names: tuple[str, ...]
    """Its own columns, in its own order, by the names they get."""
    encoding: str = "utf-8"
    dialect: Dialect = Dialect()
    complete: bool = True
    """The head was the whole file: what it tells holds for every row."""
    gzip: bool = False
    array: bool = False
    """JSON: one array of records and not one record a line."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the head of a file, or of several alike, tells."""

    format: Format
    sources: tuple[Source, ...]
    columns: tuple[FoundColumn, ...]
    key: str
    """Names this finding: the same files, unchanged, and the same options have the same key."""
    missing: tuple[str, ...] = ()
    """Words that are missing values in every column."""
    notes: tuple[str, ...] = ()
    """Every decision that could change a result, one plain sentence each."""
    sample: tuple[tuple[str | None, ...], ...] = ()
    """A few rows as they are written; None where a value is missing."""
    rows: int | None = None
    """How many rows there are, where the head tells."""
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    header_row: int = 0
    """xlsx: the row of the sheet that holds the names, from 0; -1: none does."""
    width: tuple[int, int] = (0, 0)
    """xlsx: the first and one after the last column of the sheet that are read, from 0."""
    declared: tuple[str, ...] = ()
    """parquet: the types that the file itself declares, a column each."""

    @property
    def exact(self) -> bool:
        """Whether the columns are those that the file itself declares."""
        return self.declared == tuple(column.type for column in self.columns)

    @property
    def staged(self) -> bool:
        """Whether the rows must be read by us, since DuckDB cannot."""
        native = NATIVE_ENCODINGS.get(self.format)
        return native is None or any(source.encoding not in native for source in self.sources)

    @property
    def complete(self) -> bool:
        """Whether all rows of all files were looked at."""
        return all(source.complete for source in self.sources)

    def table(self) -> Table:
        """Return the columns, in order."""
        return Table(columns=tuple(Column(name=column.name, type=column.type) for column in self.columns))


MARKED_UTF8 = "utf-8-marked"
"""UTF-8 with a mark at its start, which DuckDB takes in delimited text and refuses in JSON."""
NATIVE_ENCODINGS: dict[Format, tuple[str, ...]] = {
    "csv": ("utf-8", "latin-1", "utf-16-le"),
    "json_lines": ("utf-8",),
    "parquet": ("utf-8",),
}
"""What DuckDB decodes by itself; everything else is read by us and staged."""
