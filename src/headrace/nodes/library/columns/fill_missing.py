"""Fill missing: values where there are none."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator
from sqlglot import exp

from headrace.nodes.columns import at, column, exact, identifier
from headrace.nodes.order import ROW, SortKey, numbered, term
from headrace.nodes.spec import (
    Column,
    Config,
    Context,
    Fault,
    Holds,
    Inputs,
    NodeFault,
    Slot,
    Suggestion,
    Table,
    TableNode,
)
from headrace.nodes.types import family, in_words, is_number

Method = Literal["value", "mean", "median", "min", "max", "previous", "next", "drop_rows"]
_OVER_ALL: dict[str, Callable[[exp.Expr], exp.Expr]] = {
    "mean": lambda over: exp.Avg(this=over),
    "median": lambda over: exp.Median(this=over),
    "min": lambda over: exp.Min(this=over),
    "max": lambda over: exp.Max(this=over),
}


class FillMissingConfig(Config):
    """What is filled, with what."""

    columns: Annotated[tuple[str, ...] | None, Field(min_length=1), Holds(Slot.COLUMNS)] = None
    """The columns to fill; None: every column that the method fits."""
    method: Annotated[Method, Holds(Slot.CHOICE)]
    """`value`: with `value`. `mean`, `median`, `min`, `max`: of the column. `previous`, `next`: the nearest value before or after it. `drop_rows`: leave out rows where one is missing."""
    value: Annotated[bool | int | float | str | None, Holds(Slot.VALUE)] = None
    """For `value`: what stands for a missing one; a date is written as text, `2024-03-31`."""
    order_by: Annotated[tuple[SortKey, ...], Holds(Slot.SORT_KEYS)] = ()
    """For `previous` and `next`: what comes before what; empty: the rows as they lie."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if (self.method == "value") != (self.value is not None):
            raise ValueError("needs a value with the method 'value', and only with that")
        if self.order_by and self.method not in ("previous", "next"):
            raise ValueError("needs no order with this method; order_by is for 'previous' and 'next'")
        return self


class FillMissing(TableNode):
    """Put values where there are none, or leave out the rows where something is missing. The rows stay in their order."""

    name = "fill_missing"
    title = "Fill missing"
    summary = "Fills missing values with a value, a statistic or a neighbour, or drops rows that have any."
    area = "columns"
    synonyms = (
        "null",
        "nulls",
        "empty",
        "blank",
        "missing values",
        "impute",
        "replace missing",
        "fill forward",
        "drop missing",
        "complete rows",
    )
    phrases = (
        "(drop~|remove~|delete~|throw out|throw away|exclude~|ignore~|leave out|skip~|discard~|get rid of|filter out|eliminate~|omit~|take out|strip [out]) {method:incomplete} @ -0.1",
        "(only|keep [only]|just) {method:complete}",
        "(replace~|fill~|substitute~|impute~|set|fill in|filling in) [in] [all|every|any] {_:gap} [in|of|for] [{columns}] (with|by|to|using|as|from) {value:filling}",
        "(replace~|fill~|substitute~|impute~|set) [all|every|any] (missing|empty|blank|null|unknown) {columns} [value] (with|by|to|using|as|from) {value:filling} @ -0.05",
        "fill~ [in] {columns} [gap] (with|by|using|from) {value:filling} [where [it is] missing] @ 0.1",
        "(put|write|set|use|enter) {value:filling} (wherever|where|when|if|for) {columns} [is|are|has] (missing|blank|empty|null|unknown)",
        "(treat~|count|take|consider~|read) [a|any|every|all] (missing|blank|empty|null) {columns} [value] as {value:filling} @ -0.1",
        "use {value:filling} (for|where) [the] {_:gap} [in|of|for] [{columns}]",
    )
    Config = FillMissingConfig

    def select(self, config: FillMissingConfig, inputs: Inputs, context: Context) -> exp.Query:
        """Return `SELECT …, COALESCE(x, …) AS x`, or `WHERE x IS NOT NULL`."""
        del context
        (arrived,) = inputs["in"]
        chosen = _chosen(config, arrived.table)
        if config.method == "drop_rows":
            there = [exp.Not(this=exp.Is(this=column(name), expression=exp.Null())) for name in chosen]
            return exp.select("*").from_(arrived.as_table()).where(*there, copy=False)
        order = _order(config, arrived.table)
        listed = [
            exp.Alias(this=_filled(config, known, order), alias=identifier(known.name))
            if known.name in chosen
            else column(known.name)
            for known in arrived.table.columns
        ]
        if config.method == "value":
            return exp.select(*listed).from_(arrived.as_table())
        # What is worked out over many rows may bring them into an order of its own.
        return exp.select(*listed).from_(numbered(arrived).subquery("source")).order_by(term(ROW), copy=False)

    def table(self, config: FillMissingConfig, inputs: Inputs, context: Context) -> Table:
        """Return the input's columns; a mean or a median makes numbers of whole numbers."""
        (arrived,) = inputs["in"]
        chosen = _chosen(config, arrived.table)
        order = _order(config, arrived.table)
        if config.method in ("previous", "next", "drop_rows", "min", "max"):
            return arrived.table
        listed = [
            exp.Alias(this=_filled(config, known, order), alias=identifier(known.name))
            if known.name in chosen
            else column(known.name)
            for known in arrived.table.columns
        ]
        try:
            return context.describe(exp.select(*listed).from_(arrived.as_table()), (arrived,))
        except NodeFault as fault:
            raise at(("value",) if config.method == "value" else ("columns",), fault) from fault


def _chosen(config: FillMissingConfig, table: Table) -> frozenset[str]:
    if config.columns is None:
        fitting = [known.name for known in table.columns if _fits(config, known.type)]
        if not fitting:
            raise NodeFault(
                Fault("F402", f"No column can be filled {_with(config)}. Choose another method.", ("method",))
            )
        return frozenset(fitting)
    names = exact(((name, ("columns", str(place))) for place, name in enumerate(config.columns)), table)
    known = {each.name: each.type for each in table.columns}
    faults = [
        _unfit(config, name, known[name], place=place)
        for place, name in enumerate(names)
        if not _fits(config, known[name])
    ]
    if faults:
        raise NodeFault(*faults)
    return frozenset(names)


def _unfit(config: FillMissingConfig, name: str, type_name: str, *, place: int) -> Fault:
    message = f"{name!r} is {in_words(type_name)} and cannot be filled {_with(config)}."
    number = _as_number(config.value) if is_number(type_name) else None
    if number is not None:
        way = Suggestion(f"Use the number {number}", ("value",), number)
        return Fault("F402", f"{message} Write a number, without quotes.", ("value",), suggestions=(way,))
    return Fault("F402", f"{message} Choose another method or column.", ("columns", str(place)))


def _as_number(value: Any) -> int | float | None:
    """The number that a text is, such as a form may give; None where it is none."""
    try:
        number = float(value) if isinstance(value, str) else math.nan
    except ValueError:
        return None
    if not math.isfinite(number):
        return None
    return int(number) if float(number).is_integer() and abs(number) < 2**53 else number


def _fits(config: FillMissingConfig, type_name: str) -> bool:
    match config.method:
        case "mean" | "median":
            return is_number(type_name)
        case "min" | "max":
            return family(type_name) in ("number", "text", "date", "time", "moment", "flag")
        case "value":
            return _value_fits(config.value, type_name, asked=config.columns is not None)
        case _:
            return True


def _value_fits(value: Any, type_name: str, *, asked: bool) -> bool:
    """Whether a value can stand in a column; a text stands in a date column only where that was asked for by name."""
    kind = family(type_name)
    match value:
        case bool():
            return kind == "flag"
        case int() | float():
            return kind == "number"
        case _:
            return kind == "text" or (asked and kind in ("date", "time", "moment"))


def _with(config: FillMissingConfig) -> str:
    match config.method:
        case "value":
            return f"with {config.value!r}"
        case "previous" | "next":
            return f"with the {config.method} value"
        case _:
            return f"with the {config.method}"


def _order(config: FillMissingConfig, table: Table) -> list[exp.Ordered]:
    names = exact(((key.column, ("order_by", str(n), "column")) for n, key in enumerate(config.order_by)), table)
    keys = [
        term(name, descending=key.descending, nulls_first=key.nulls == "first")
        for name, key in zip(names, config.order_by, strict=True)
    ]
    return [*keys, term(ROW)]


def _filled(config: FillMissingConfig, known: Column, order: Iterable[exp.Ordered]) -> exp.Expr:
    return exp.Coalesce(this=column(known.name), expressions=[_filler(config, known, order)])


def _filler(config: FillMissingConfig, known: Column, order: Iterable[exp.Ordered]) -> exp.Expr:
    value = column(known.name)
    if config.method == "value":
        literal = exp.convert(config.value)
        if isinstance(config.value, str) and family(known.type) != "text":
            return exp.Cast(this=literal, to=exp.DataType.build(known.type, dialect="duckdb"))
        return literal
    if config.method in _OVER_ALL:
        return exp.Window(this=_OVER_ALL[config.method](value.copy()))
    backwards = config.method == "previous"
    nearest = exp.LastValue(this=value.copy()) if backwards else exp.FirstValue(this=value.copy())
    return exp.Window(
        this=exp.IgnoreNulls(this=nearest),
        order=exp.Order(expressions=[each.copy() for each in order]),
        spec=exp.WindowSpec(
            kind="ROWS",
            start="UNBOUNDED" if backwards else "CURRENT ROW",
            start_side="PRECEDING" if backwards else None,
            end="CURRENT ROW" if backwards else "UNBOUNDED",
            end_side=None if backwards else "FOLLOWING",
        ),
    )
