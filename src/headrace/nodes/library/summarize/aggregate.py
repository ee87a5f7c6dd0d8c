"""Aggregate: one row for each group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator
from sqlglot import exp

from headrace.nodes.columns import at, bind, column, exact, identifier, refuse_doubles
from headrace.nodes.expressions import Path
from headrace.nodes.order import ROW, depends_on_order, follow, numbered, term
from headrace.nodes.spec import Config, Context, Fault, Holds, Inputs, NodeFault, Relation, Slot, Table, TableNode

Function = Literal["count", "count_distinct", "sum", "mean", "median", "min", "max", "std", "first", "last"]
_SMALL = frozenset({"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "BOOLEAN"})
"""Types whose sum DuckDB gives as a HUGEINT, which most files cannot hold."""


class Measure(Config):
    """One value for each group: a function of a column, or an expression with an aggregate in it."""

    name: Annotated[str, Field(max_length=300), Holds(Slot.NEW_COLUMN)] = ""
    """What it is called; empty: after its function and column, such as `sum_amount`."""
    function: Annotated[Function | None, Holds(Slot.CHOICE)] = None
    """`count` without a column counts rows, with one its values that are there; `first` and `last` go by the order of the rows."""
    column: Annotated[str | None, Holds(Slot.COLUMN)] = None
    """The column that the function is over."""
    expression: Annotated[str | None, Holds(Slot.EXPRESSION)] = None
    """Instead of function and column: `sum(price * quantity)`, `count(*) FILTER (WHERE paid)`, `max(day) - min(day)`."""

    @model_validator(mode="before")
    @classmethod
    def _count_of_everything(cls, given: Any) -> Any:
        """`count` over `*` is what SQL writes for the number of rows."""
        if isinstance(given, dict) and given.get("function") == "count" and given.get("column") == "*":
            return {key: value for key, value in given.items() if key != "column"}
        return given

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        if (self.function is None) == (self.expression is None):
            raise ValueError("needs either a function or an expression")
        if self.expression is not None and self.column is not None:
            raise ValueError("needs no column beside an expression; name the column in the expression")
        if self.function not in (None, "count") and self.column is None:
            raise ValueError(f"needs the column that {self.function} is over")
        return self

    @property
    def called(self) -> str:
        """The name of the column that it makes."""
        if self.name:
            return self.name
        if self.expression is not None:
            return self.expression.strip()[:60]
        return "_".join(part for part in (self.function, self.column) if part)


class AggregateConfig(Config):
    """What is grouped and what is measured."""

    group_by: Annotated[tuple[str, ...], Holds(Slot.COLUMNS)] = ()
    """One row for each combination of these columns; empty: one row for the whole table."""
    measures: Annotated[tuple[Measure, ...], Holds(Slot.MEASURES)] = ()
    """What to work out for each group: `[{"name": "total", "function": "sum", "column": "amount"}]`."""

    @model_validator(mode="after")
    def _does_something(self) -> Self:
        if not self.group_by and not self.measures:
            raise ValueError("needs columns to group by, or measures, or both")
        return self


class Aggregate(TableNode):
    """Make one row of each group of rows. The groups come in the order of the columns to group by."""

    name = "aggregate"
    title = "Aggregate"
    summary = "Makes one row for each group of rows, with counts, sums, means and other measures."
    area = "summarize"
    synonyms = (
        "group",
        "group by",
        "summarize",
        "summary",
        "total",
        "sum",
        "average",
        "mean",
        "count",
        "how many",
        "number of",
        "median",
        "minimum",
        "maximum",
        "per",
        "for each",
        "statistics",
    )
    phrases = (
        "{measures}",
        "(per|for each|for every|by each|in each|in every|of each|of every|at each|at every|from each|each|every|within each|group~ [it|them|the rows|everything|{_r:rows}] by|grouped per|broken down by|broken down per|on each|across|with each|for all|separately for|separately by|further by) {group_by:keys} [first]",
    )
    Config = AggregateConfig

    def select(self, config: AggregateConfig, inputs: Inputs, context: Context) -> exp.Query:
        """Return `SELECT g, SUM(x) AS … GROUP BY g ORDER BY g`."""
        del context
        (arrived,) = inputs["in"]
        groups, values = _parts(config, arrived.table)
        listed: list[exp.Expr] = [column(name) for name in groups]
        if any(map(depends_on_order, values)):
            query = exp.select().from_(numbered(arrived).subquery("source"))
            values = [follow(value, [term(ROW)]) for value in values]
        else:
            query = exp.select().from_(arrived.as_table())
        listed += [
            exp.Alias(this=value, alias=identifier(each.called))
            for value, each in zip(values, config.measures, strict=True)
        ]
        query.set("expressions", listed)
        if groups:
            query.group_by(*[column(name) for name in groups], copy=False)
            query.order_by(*[term(name) for name in groups], copy=False)
        return query

    def table(self, config: AggregateConfig, inputs: Inputs, context: Context) -> Table:
        """Return the columns to group by and one for each measure."""
        (arrived,) = inputs["in"]
        try:
            return context.describe(self.select(config, inputs, context), (arrived,))
        except NodeFault as whole:
            if all(fault.path for fault in whole.faults):
                raise
            faults = _faults(config, arrived, context)
            raise NodeFault(*faults) if faults else at(("measures",), whole) from whole


def _parts(config: AggregateConfig, table: Table) -> tuple[tuple[str, ...], list[exp.Expr]]:
    """The columns to group by and each measure's value.

    Errors: NodeFault with all that is wrong with any of them.
    """
    faults: list[Fault] = []
    groups: tuple[str, ...] = ()
    values: list[exp.Expr] = []
    try:
        named = exact(((name, ("group_by", str(place))) for place, name in enumerate(config.group_by)), table)
        groups = tuple(dict.fromkeys(named))
    except NodeFault as fault:
        faults += fault.faults
    for place, measure in enumerate(config.measures):
        try:
            values.append(_value(measure, table, ("measures", str(place))))
        except NodeFault as fault:
            faults += fault.faults
    if faults:
        raise NodeFault(*faults)
    made = [(each.called, ("measures", str(place), "name")) for place, each in enumerate(config.measures)]
    refuse_doubles([*((name, ("group_by",)) for name in groups), *made])
    return groups, values


def _value(measure: Measure, table: Table, path: Path) -> exp.Expr:
    if measure.expression is not None:
        return bind(measure.expression, table, path=(*path, "expression"))
    if measure.column is None:
        return exp.Count(this=exp.Star())
    (name,) = exact([(measure.column, (*path, "column"))], table)
    over = column(name)
    known = table.column(name)
    match measure.function:
        case "count":
            return exp.Count(this=over)
        case "count_distinct":
            return exp.Count(this=exp.Distinct(expressions=[over]))
        case "sum" if known is not None and known.type in _SMALL:
            return exp.Cast(this=exp.Sum(this=over), to=exp.DataType.build("BIGINT"))
        case "sum":
            return exp.Sum(this=over)
        case "mean":
            return exp.Avg(this=over)
        case "median":
            return exp.Median(this=over)
        case "min":
            return exp.Min(this=over)
        case "max":
            return exp.Max(this=over)
        case "std":
            return exp.StddevSamp(this=over)
        case "first":
            return exp.First(this=over)
        case _:
            return exp.Last(this=over)


def _faults(config: AggregateConfig, arrived: Relation, context: Context) -> Sequence[Fault]:
    """What is wrong with each measure by itself."""
    faults: list[Fault] = []
    for place, measure in enumerate(config.measures):
        alone = AggregateConfig(group_by=config.group_by, measures=(measure,))
        path = ("measures", str(place), "column" if measure.expression is None else "expression")
        try:
            context.describe(Aggregate().select(alone, {"in": (arrived,)}, context), (arrived,))
        except NodeFault as fault:
            faults += at(path, fault).faults
    return faults
