"""The node type `manual_table`: a small table typed by hand."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any

from pydantic import Field
from sqlglot import exp

from headrace.nodes import spec
from headrace.nodes.declared import known_type
from headrace.nodes.spec import Column, Context, Fault, Holds, Inputs, NodeFault, Port, Slot, Table
from headrace.nodes.types import is_number, is_whole

_MOST_ROWS = 10_000
_MOST_COLUMNS = 200


class ManualColumn(spec.Config):
    """A column declared by hand."""

    name: str = Field(min_length=1, examples=["city"])
    """The column's name."""
    type: str = Field(default="text", examples=["text", "number", "whole number", "date", "boolean"])
    """The column's type, in plain words or as DuckDB writes it."""


class Config(spec.Config):
    """What `manual_table` is told."""

    columns: Annotated[list[ManualColumn], Holds(Slot.HEADER)] = Field(min_length=1, max_length=_MOST_COLUMNS)
    """The columns, in order, such as `{"name": "city", "type": "text"}`."""
    rows: Annotated[list[list[Any]], Holds(Slot.ROWS)] = Field(default_factory=list, max_length=_MOST_ROWS)
    """The rows, each a list with one value a column; null is a missing value. Dates are written 2024-12-31."""


class ManualTable(spec.TableNode):
    """Rows typed by hand become a table."""

    name = "manual_table"
    title = "Manual table"
    summary = "Holds a small table that you type in by hand."
    area = "input"
    synonyms = ("constant table", "typed rows", "inline table", "lookup table", "by hand", "enter data", "create table")
    phrases = (
        "(type|enter|make|create) [a|the] [small] table [by hand] [with] [columns] {columns}",
        "[a] table [with] [the] rows {rows}",
    )
    inputs = ()
    outputs = (Port(name="out", type="table"),)
    Config = Config

    def select(self, config: Config, inputs: Inputs, context: Context) -> exp.Query:
        """Return the rows as VALUES, each cast to its column's type."""
        del inputs, context
        table, rows = _checked(config)
        if not rows:
            nulls = [_cast(exp.null(), column) for column in table.columns]
            return exp.select(*nulls).where(exp.false())
        names = [exp.to_identifier(f"c{place}") for place in range(len(table.columns))]
        values = exp.Values(
            expressions=[exp.Tuple(expressions=[_literal(value) for value in row]) for row in rows],
            alias=exp.TableAlias(this=exp.to_identifier("typed"), columns=names),
        )
        casts = [_cast(exp.column(name.copy()), column) for name, column in zip(names, table.columns, strict=True)]
        return exp.select(*casts).from_(values)

    def table(self, config: Config, inputs: Inputs, context: Context) -> Table:
        """Return the declared columns, once every value fits them."""
        del inputs, context
        return _checked(config)[0]


def _checked(config: Config) -> tuple[Table, list[list[str | None]]]:
    """The columns, and the rows as text that DuckDB casts without loss.

    Errors: NodeFault that lists every value that does not fit, by its place.
    """
    faults: list[Fault] = []
    columns: list[Column] = []
    taken: set[str] = set()
    for place, declared in enumerate(config.columns):
        path = ("columns", str(place))
        if declared.name.casefold() in taken:
            message = f"The column {declared.name!r} is declared twice. Give the second another name."
            faults.append(Fault("F406", message, (*path, "name")))
        taken.add(declared.name.casefold())
        try:
            column_type = known_type(declared.type, (*path, "type"))
            if not (is_number(column_type) or column_type in _EXPECTED):
                message = f"Values of the type {column_type} cannot be typed in. Declare {declared.name!r} as text."
                faults.append(Fault("F303", message, (*path, "type")))
            columns.append(Column(name=declared.name, type=column_type))
        except NodeFault as fault:
            faults += fault.faults
    if faults:
        raise NodeFault(*faults)
    rows = [_row(row, place, columns, faults=faults) for place, row in enumerate(config.rows)]
    if faults:
        raise NodeFault(*faults[:50])
    return Table(columns=tuple(columns)), rows


def _row(row: list[Any], place: int, columns: list[Column], *, faults: list[Fault]) -> list[str | None]:
    if len(row) != len(columns):
        message = (
            f"Row {place + 1} has {len(row)} values, but there are {len(columns)} columns. Give one value a column."
        )
        faults.append(Fault("F303", message, ("rows", str(place))))
        return []
    return list(_values(row, place, columns, faults=faults))


def _values(row: list[Any], place: int, columns: list[Column], *, faults: list[Fault]) -> Iterator[str | None]:
    for nth, (value, column) in enumerate(zip(row, columns, strict=True)):
        written = _written(value, column.type)
        if written is None and value is not None:
            message = (
                f"Row {place + 1}, column {column.name!r}: {value!r} does not fit the type {column.type}. "
                f"{_EXPECTED.get(column.type, 'Write a number such as 12.5.')}"
            )
            faults.append(Fault("F303", message, ("rows", str(place), str(nth))))
        yield written


_EXPECTED = {
    "BOOLEAN": "Write true or false.",
    "DATE": "Write a date such as 2024-12-31.",
    "TIMESTAMP": "Write a moment such as 2024-12-31 18:30:00.",
    "TIME": "Write a time such as 18:30:00.",
    "BIGINT": "Write a whole number.",
    "INTEGER": "Write a whole number.",
    "VARCHAR": "Write a text.",
}
_WHOLE_BITS = {"TINYINT": 8, "SMALLINT": 16, "INTEGER": 32, "BIGINT": 64, "HUGEINT": 128}


def _written(value: Any, column_type: str) -> str | None:
    """The value as text in DuckDB's spelling, or None where it is missing or does not fit."""
    if value is None or isinstance(value, (list, dict)):
        return None
    if column_type == "VARCHAR":
        return str(value).lower() if isinstance(value, bool) else str(value)
    if column_type == "BOOLEAN":
        text = str(value).strip().lower()
        return text if text in ("true", "false") else None
    if isinstance(value, bool):
        return None
    text = str(value).strip()
    if is_number(column_type):
        return _number(text, column_type)
    parse = {"DATE": date.fromisoformat, "TIMESTAMP": datetime.fromisoformat, "TIME": time.fromisoformat}[column_type]
    try:
        return str(parse(text))
    except ValueError:
        return None


def _number(text: str, column_type: str) -> str | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    if not number.is_finite():
        return None
    if is_whole(column_type):
        if number != number.to_integral_value():
            return None
        bits = _WHOLE_BITS[column_type.removeprefix("U")]
        lowest, end = (0, 2**bits) if column_type.startswith("U") else (-(2 ** (bits - 1)), 2 ** (bits - 1))
        return str(int(number)) if lowest <= number < end else None
    if column_type.startswith("DECIMAL"):
        digits, places = (int(part) for part in column_type[8:-1].split(","))
        fits = number == round(number, places) and abs(number) < Decimal(10) ** (digits - places)
        return f"{number:f}" if fits else None
    return repr(float(number)) if math.isfinite(float(number)) else None


def _literal(value: str | None) -> exp.Expr:
    return exp.null() if value is None else exp.Literal.string(value)


def _cast(value: exp.Expr, column: Column) -> exp.Expr:
    target = exp.DataType.build(column.type, dialect="duckdb")
    return exp.alias_(exp.Cast(this=value, to=target), exp.to_identifier(column.name, quoted=True))
