"""Formula: columns worked out from the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field
from sqlglot import exp

from headrace.nodes.columns import at, bind, column, identifier, refuse_doubles, type_of
from headrace.nodes.expressions import Path, has_window, loose_aggregates
from headrace.nodes.order import ROW, follow, numbered, term
from headrace.nodes.spec import (
    Column,
    Config,
    Context,
    Fault,
    Holds,
    Inputs,
    NodeFault,
    Relation,
    Slot,
    Table,
    TableNode,
)


class NewColumn(Config):
    """A column and how it is worked out."""

    name: Annotated[str, Field(min_length=1, max_length=300), Holds(Slot.NEW_COLUMN)]
    """What it is called; a name that is there already is replaced, in its place."""
    expression: Annotated[str, Holds(Slot.EXPRESSION)]
    """How it is worked out, from the columns of the input: `price * quantity`, `year(day)`, `sum(x) OVER (ORDER BY day)`."""


class FormulaConfig(Config):
    """What is worked out."""

    columns: Annotated[tuple[NewColumn, ...], Field(min_length=1), Holds(Slot.FORMULAS)]
    """The columns, each from the input's columns; one cannot use another of the same node."""


class Formula(TableNode):
    """Work out new columns from the others. The rows stay as they are, in their order."""

    name = "formula"
    title = "Formula"
    summary = "Works out new columns, or replaces some, by SQL expressions over the others."
    area = "columns"
    synonyms = (
        "calculate",
        "compute",
        "new column",
        "add column",
        "derive",
        "expression",
        "ratio",
        "difference",
        "share",
        "running total",
        "round",
    )
    phrases = (
        "[(add~|calculate~|compute~|create~|make~|insert~|append~|derive~|work out|need|want|give me|show|with|include|introduce)] [new] [column|field|with] [called|named|for] {columns:definition} @ -0.1",
        "[(add~|calculate~|compute~|create~|make~|insert~|append~|derive~|work out|need|want|give me|show|with|include|introduce)] [new] [column|field] [with|for] {columns} @ 0.1",
    )
    Config = FormulaConfig

    def select(self, config: FormulaConfig, inputs: Inputs, context: Context) -> exp.Query:
        """Return `SELECT *, … AS name`, or all columns by name where one is replaced."""
        del context
        (arrived,) = inputs["in"]
        values = _values(config, arrived.table)
        windowed = any(map(has_window, values))
        projections = _projections(config, arrived.table, values, starred=not windowed)
        if not windowed:
            return exp.select(*projections).from_(arrived.as_table())
        # A window function may bring the rows into an order of its own.
        by = [term(ROW)]
        source = numbered(arrived).subquery("source")
        return exp.select(*[follow(each, by) for each in projections]).from_(source).order_by(term(ROW), copy=False)

    def table(self, config: FormulaConfig, inputs: Inputs, context: Context) -> Table:
        """Return the input's columns with the new ones in their places."""
        (arrived,) = inputs["in"]
        values = _values(config, arrived.table)
        kinds = _types(config, values, arrived=arrived, context=context)
        new = {
            each.name.casefold(): Column(name=each.name, type=kind)
            for each, kind in zip(config.columns, kinds, strict=True)
        }
        kept = [new.pop(known.name.casefold(), known) for known in arrived.table.columns]
        return Table(columns=(*kept, *new.values()))


def _values(config: FormulaConfig, table: Table) -> list[exp.Expr]:
    """Each column's value.

    Errors: NodeFault with all that is wrong with any of them.
    """
    refuse_doubles([(each.name, ("columns", str(place), "name")) for place, each in enumerate(config.columns)])
    values, faults = [], []
    for place, each in enumerate(config.columns):
        path = ("columns", str(place), "expression")
        try:
            value = bind(each.expression, table, path=path)
            _refuse_aggregates(value, path)
            values.append(value)
        except NodeFault as fault:
            faults += [_about_siblings(part, config) for part in fault.faults]
    if faults:
        raise NodeFault(*faults)
    return values


def _refuse_aggregates(value: exp.Expr, path: Path) -> None:
    if loose := loose_aggregates(value):
        name = loose[0]
        message = (
            f"{name}() is over many rows and a formula looks at one. For a value beside every row write"
            f" {name}(…) OVER () or OVER (PARTITION BY …); for one row for each group use an aggregate node."
        )
        raise NodeFault(Fault("F402", message, path))


def _about_siblings(fault: Fault, config: FormulaConfig) -> Fault:
    """Say so where the unknown column is one that the same node makes."""
    for each in config.columns:
        if fault.code == "F401" and fault.message.startswith(f"There is no column {each.name!r}"):
            message = (
                f"{each.name!r} is made by this very node and cannot be used in it. Put a second formula node after it."
            )
            return Fault("F401", message, fault.path)
    return fault


def _types(
    config: FormulaConfig, values: Sequence[exp.Expr], *, arrived: Relation, context: Context
) -> tuple[str, ...]:
    listed = [
        exp.Alias(this=value.copy(), alias=identifier(each.name))
        for value, each in zip(values, config.columns, strict=True)
    ]
    try:
        return tuple(
            c.type for c in context.describe(exp.select(*listed).from_(arrived.as_table()), (arrived,)).columns
        )
    except NodeFault as whole:
        faults: list[Fault] = []
        for place, value in enumerate(values):
            try:
                type_of(value, arrived, context, path=("columns", str(place), "expression"))
            except NodeFault as fault:
                faults += fault.faults
        raise NodeFault(*faults) if faults else at(("columns",), whole) from whole


def _projections(config: FormulaConfig, table: Table, values: Sequence[exp.Expr], *, starred: bool) -> list[exp.Expr]:
    new = {
        each.name.casefold(): exp.Alias(this=value, alias=identifier(each.name))
        for value, each in zip(values, config.columns, strict=True)
    }
    replaced = [name for name in table.names() if name.casefold() in new]
    if starred and not replaced:
        return [exp.Star(), *new.values()]
    kept = [new.pop(name.casefold()) if name in replaced else column(name) for name in table.names()]
    return [*kept, *new.values()]
