"""The node type `read_file`: a file, or several alike, as a table."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator
from sqlglot import exp

from headrace.nodes import reading, spec
from headrace.nodes.declared import known_type
from headrace.nodes.spec import (
    Context,
    Effect,
    Fault,
    Holds,
    Inputs,
    NodeFault,
    Port,
    Relation,
    RunContext,
    Slot,
    Suggestion,
    Table,
)


class Config(spec.Config):
    """What `read_file` is told; everything but the path can be left to a look at the file's head."""

    path: Annotated[str, Holds(Slot.READ_PATH)] = Field(min_length=1, examples=["orders.csv", "2024/*.csv"])
    """The file, or a pattern such as `2024/*.csv` for several files with the same columns."""
    format: Annotated[Literal["auto", "csv", "json_lines", "parquet", "xlsx"], Holds(Slot.CHOICE)] = "auto"
    """What kind of file it is; `auto` finds out. `csv` is any text with a delimiter."""
    delimiter: Annotated[str | None, Holds(Slot.TEXT)] = Field(default=None, min_length=1, max_length=1, examples=[";"])
    """csv: the character between values. Left out: found."""
    encoding: Annotated[str | None, Holds(Slot.TEXT)] = Field(default=None, examples=["utf-8", "windows-1252"])
    """csv, json_lines: how letters are stored. Left out: found."""
    header: Annotated[bool | None, Holds(Slot.FLAG)] = None
    """csv, xlsx: whether the first row holds the column names. Left out: found."""
    decimal: Annotated[Literal[".", ","] | None, Holds(Slot.CHOICE)] = None
    """csv: the decimal mark of numbers. Left out: found."""
    thousands: Annotated[str | None, Holds(Slot.TEXT)] = Field(default=None, min_length=1, max_length=1, examples=[","])
    """csv: the character that separates thousands. Left out: found."""
    date_format: Annotated[str | None, Holds(Slot.TEXT)] = Field(default=None, examples=["MM/DD/YYYY", "%d.%m.%Y"])
    """csv, json_lines: how dates are written, such as `MM/DD/YYYY`. Left out: found where the values decide it."""
    null_values: Annotated[list[str] | None, Holds(Slot.TEXT)] = Field(default=None, examples=[["NA", "-"]])
    """csv, xlsx: words that stand for a missing value. Left out: NA, N/A, NaN and null, except among codes."""
    skip_rows: Annotated[int | None, Holds(Slot.COUNT)] = Field(default=None, ge=0, le=100_000)
    """csv, xlsx: rows to leave out above the table. Left out: found."""
    sheet: Annotated[str | None, Holds(Slot.TEXT)] = Field(default=None, examples=["Sheet1"])
    """xlsx: the sheet to read. Left out: the first that holds a table."""
    types: Annotated[dict[str, str] | None, Holds(Slot.CASTS, port="out")] = Field(
        default=None, examples=[{"zip": "text", "born": "date"}]
    )
    """Types of columns that should not be found by looking: column name to type."""

    @field_validator("thousands")
    @classmethod
    def _no_digit(cls, value: str | None) -> str | None:
        if value is not None and (value.isalnum() or value == "-"):
            raise ValueError(f"{value!r} cannot separate thousands; use , . ' or a blank")
        return value


class ReadFile(spec.TableNode):
    """A file becomes a table; DuckDB reads it in parallel with the options that the head of the file gave."""

    name = "read_file"
    title = "Read file"
    summary = "Reads a file (csv, JSON lines, parquet or xlsx), or several with the same columns, as a table."
    area = "input"
    synonyms = (
        "open",
        "load",
        "import",
        "csv",
        "excel",
        "xlsx",
        "parquet",
        "json",
        "spreadsheet",
        "source",
        "input file",
    )
    phrases = (
        "open~ [the file] {path:openfile}",
        "(from|in|of|using|use|with|load|read|take|for|import|on|at|inside|within|look at|data|data from|data in|based on|go through) [file|table|data|dataset] [:] {path} [file|data|table|dataset] [:]",
        "{path} [file|data|table|dataset] [:|,|has the data] @ 0.02",
    )
    inputs = ()
    outputs = (Port(name="out", type="table"),)
    effects = frozenset({Effect.READS})
    Config = Config

    def select(self, config: Config, inputs: Inputs, context: Context) -> exp.Query:
        """Return the SELECT over the file, every option explicit."""
        del inputs
        return reading.select(self.found(config, context))

    def table(self, config: Config, inputs: Inputs, context: Context) -> Table:
        """Return the columns that the head of the file tells; nothing else is read."""
        del inputs
        return self.found(config, context).table()

    def load(self, config: Config, context: RunContext) -> Relation | None:
        """Stage the rows of workbooks, and of text in encodings that DuckDB does not know."""
        found = self.found(config, context)
        if not found.staged:
            return None
        return context.stage(reading.staged_name(found), reading.staged_table(found), reading.staged_rows(found))

    def explain(self, error: str, config: Config, context: Context) -> tuple[Fault, ...]:
        """Return the row and the column of a value that contradicts the head of the file."""
        try:
            faults = reading.explain(error, self.found(config, context))
        except NodeFault as fault:
            faults = fault.faults
        return tuple(_with_way_out(fault, config) for fault in faults)

    def found(self, config: Config, context: Context) -> reading.Found:
        """Return what the head of the file tells under this config, remembered while the file does not change.

        Errors: NodeFault F501-F505, F303, F401.
        """
        return reading.sniff(context.read_paths(config.path), options_of(config))


def _with_way_out(fault: Fault, config: Config) -> Fault:
    """A fault of a column's type with the config that reads the column as text."""
    if fault.path[:1] != ("types",) or len(fault.path) != 2:
        return fault
    name = fault.path[1]
    types = {**(config.types or {}), name: "text"}
    return replace(fault, path=("types",), suggestions=(Suggestion(f"Read `{name}` as text", ("types",), types),))


def options_of(config: Config) -> reading.Options:
    """Return the config as options of reading.

    Errors: NodeFault F303, listing every type that is not known.
    """
    given: dict[str, Any] = config.model_dump(exclude={"path", "format", "types", "null_values"})
    types, faults = [], []
    for name, written in (config.types or {}).items():
        try:
            types.append((name, known_type(written, ("types", name))))
        except NodeFault as fault:
            faults += fault.faults
    if faults:
        raise NodeFault(*faults)
    return reading.Options(
        format=None if config.format == "auto" else config.format,
        null_values=None if config.null_values is None else tuple(config.null_values),
        types=tuple(types),
        **given,
    )
