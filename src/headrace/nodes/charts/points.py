"""The points of a chart, gathered from a table by DuckDB: bounded, in an order that means something.

Owns the queries and the limits of what is shown. Refuses more bars or colours than can be told apart; never leaves rows out unsaid.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from headrace.nodes.columns import column
from headrace.nodes.spec import Column, Fault, NodeFault, Relation, RunContext
from headrace.nodes.types import is_number, is_temporal, is_whole

from .drawing import Kind

MOST_POINTS = 5_000
MOST_SERIES = 40
MOST_BARS = 500
_BINS = 24


@dataclass(frozen=True, slots=True)
class Axes:
    """What is drawn of which table."""

    kind: Kind
    relation: Relation
    x: Column
    y: Column | None
    """None: the number of rows."""
    series: Column | None

    def chosen(self) -> exp.Select:
        """Return the SELECT of x, y and series, in the table's order."""
        y = column(self.y.name) if self.y else exp.Literal.number(1)
        columns = [_as(column(self.x.name), "x"), _as(y, "y")]
        if self.series:
            columns.append(_as(column(self.series.name), "series"))
        return exp.select(*columns).from_(self.relation.as_table())


@dataclass(frozen=True, slots=True)
class Points:
    """Rows of x, y and, where there is one, the series."""

    rows: Sequence[Sequence[Any]]
    notes: tuple[str, ...] = ()
    """What was added up or left out."""
    bin_width: float | None = None
    """histogram: the width of a bin."""


def gather(axes: Axes, context: RunContext, *, bins: int | None = None) -> Points:
    """Return the points of a chart.

    Errors: NodeFault F402, where there are more bars or colours than can be told apart.
    """
    if axes.kind == "histogram":
        return _binned(axes, context, bins or _BINS)
    if axes.kind == "bar" or axes.y is None:
        return _grouped(axes, context)
    return _spread(axes, context)


def _grouped(axes: Axes, context: RunContext) -> Points:
    gathered = list(context.query(_groups(axes), limit=MOST_POINTS + 1))
    rows = [row[:-1] for row in gathered]
    most = MOST_BARS if axes.kind == "bar" else MOST_POINTS
    values = len({row[0] for row in rows})
    if values > most or len(rows) > MOST_POINTS:
        count = f"more than {most:,}" if len(rows) > MOST_POINTS else f"{values:,}"
        message = (
            f"{axes.x.name!r} has {count} different values; at most {most:,} can be told apart. "
            "Aggregate first, keep the top rows with a limit, or draw a histogram."
        )
        raise NodeFault(Fault("F402", message, ("x",), port="in"))
    _refuse_many_colours(axes, rows)
    added_up = axes.y is not None and any(row[-1] > 1 for row in gathered)
    return Points(rows, (f"Rows with the same {axes.x.name} are added up.",) if added_up else ())


def _groups(axes: Axes) -> exp.Query:
    """One row for each x and series: x, the sum of y or the number of rows[, series], the number of rows.

    Sums come in the table's order; numbers of rows along numbers and dates, else the largest first.
    """
    count = exp.Count(this=exp.Star())
    keys = [exp.column("x")] + ([exp.column("series")] if axes.series else [])
    amount: exp.Expr = count
    if axes.y:
        exact = "sum" if is_whole(axes.y.type) or axes.y.type.startswith("DECIMAL") else "fsum"
        amount = exp.Anonymous(this=exact, expressions=[exp.column("y")])
    by_key = [exp.Ordered(this=key.copy(), nulls_first=False) for key in keys]
    if axes.y:
        order = [exp.Ordered(this=exp.Min(this=exp.column("place")))]
    elif is_number(axes.x.type) or is_temporal(axes.x.type):
        order = by_key
    else:
        order = [exp.Ordered(this=count.copy(), desc=True), *by_key]
    columns = [exp.column("x"), _as(amount, "y"), *keys[1:], _as(count.copy(), "together")]
    grouped = exp.select(*columns).from_(_placed(axes))
    return grouped.group_by(*[key.copy() for key in keys]).order_by(*order)


def _spread(axes: Axes, context: RunContext) -> Points:
    """The rows of the table, or so many of them, evenly spread over it, as can be drawn."""
    chosen = axes.chosen()
    counting = exp.select(exp.Count(this=exp.Star())).from_(chosen.subquery("chosen"))
    total = next(iter(context.query(counting)))[0]
    notes: tuple[str, ...] = ()
    query: exp.Query = chosen
    if total > MOST_POINTS:
        every = math.ceil(total / MOST_POINTS)
        shown = [exp.column("x"), exp.column("y")] + ([exp.column("series")] if axes.series else [])
        place = exp.Mod(this=exp.column("place"), expression=exp.Literal.number(every))
        kept = exp.select(*shown).from_(_placed(axes)).where(place.eq(exp.Literal.number(1)))
        query = kept.order_by(exp.column("place"))
        notes = (f"One row in {every:,} of {total:,} is drawn.",)
    rows = list(context.query(query, limit=MOST_POINTS))
    _refuse_many_colours(axes, rows)
    return Points(rows, notes)


def _placed(axes: Axes) -> exp.Subquery:
    """The chosen columns with the place of each row in the table, from 1."""
    chosen = axes.chosen().subquery("chosen")
    return exp.select(exp.Star(), _as(exp.Window(this=exp.RowNumber()), "place")).from_(chosen).subquery("placed")


def _binned(axes: Axes, context: RunContext, bins: int) -> Points:
    number = exp.Cast(this=exp.column("x"), to=exp.DataType.build("DOUBLE"))
    finite = exp.Anonymous(this="isfinite", expressions=[number.copy()])
    chosen = axes.chosen().subquery("chosen")
    ends = exp.select(exp.Min(this=number.copy()), exp.Max(this=number.copy())).from_(chosen.copy())
    lowest, highest = next(iter(context.query(ends.where(finite.copy()))))
    if lowest is None:
        return Points((), ("There are no numbers to count.",), 1.0)
    bin_width = _nice_width(highest - lowest, bins)
    width = exp.Literal.number(bin_width)
    nth = exp.Floor(this=exp.Div(this=number.copy(), expression=width))
    keys = [_as(exp.Mul(this=nth, expression=width.copy()), "x")] + ([exp.column("series")] if axes.series else [])
    columns = [keys[0], _as(exp.Count(this=exp.Star()), "y"), *keys[1:]]
    groups = [exp.Literal.number(1)] + ([exp.Literal.number(3)] if axes.series else [])
    query = (
        exp.select(*columns).from_(chosen).where(finite).group_by(*groups).order_by(*[each.copy() for each in groups])
    )
    rows = list(context.query(query, limit=MOST_POINTS))
    _refuse_many_colours(axes, rows)
    return Points(rows, (), bin_width)


def _nice_width(span: float, bins: int) -> float:
    """The width of a bin: 1, 2, 2.5 or 5 times a power of ten, so that about `bins` cover the span."""
    if span <= 0:
        return 1.0
    rough = span / bins
    power = 10.0 ** math.floor(math.log10(rough))
    return float(f"{next(nice for nice in (1, 2, 2.5, 5, 10) if nice * power >= rough * 0.999) * power:.12g}")


def _refuse_many_colours(axes: Axes, rows: Sequence[Sequence[Any]]) -> None:
    if axes.series and (colours := len({row[2] for row in rows})) > MOST_SERIES:
        message = (
            f"{axes.series.name!r} has {colours:,} different values; at most {MOST_SERIES} colours can be told apart. "
            "Filter it, or leave `series` out."
        )
        raise NodeFault(Fault("F402", message, ("series",), port="in"))


def _as(value: exp.Expr, name: str) -> exp.Expr:
    return exp.alias_(value, exp.to_identifier(name))
