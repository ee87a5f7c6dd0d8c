"""Distinct: every row once."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from sqlglot import exp

from headrace.nodes.columns import column, exact
from headrace.nodes.order import ROW, SortKey, numbered, term
from headrace.nodes.spec import Config, Context, Holds, Inputs, Slot, Table, TableNode


class DistinctConfig(Config):
    """What counts as the same."""

    columns: Annotated[tuple[str, ...] | None, Field(min_length=1), Holds(Slot.COLUMNS)] = None
    """Rows that agree in these columns count as the same, and one of them is kept whole. None: rows that agree in all."""
    keep_first_by: Annotated[tuple[SortKey, ...], Holds(Slot.SORT_KEYS)] = ()
    """Which of the same rows is kept: the first by these keys, such as the newest; empty: the one that comes first."""


class Distinct(TableNode):
    """Keep one of each set of equal rows. The rows that are kept stay in their order."""

    name = "distinct"
    title = "Distinct"
    summary = "Keeps every row once: drops rows that repeat others, in all columns or in some."
    area = "rows"
    synonyms = ("unique", "deduplicate", "dedupe", "duplicates", "without repeats", "different", "one row per")
    phrases = (
        "(remove~|drop~|delete~|without|no|eliminate~|get rid of|skip~) [any|all|exact|the] (duplicate|duplicates|double|duplicate row|repeated row|duplicate entry|repetition|repeat) [row|{_:rows}|entry] @ -0.1",
        "((remove|drop|delete) duplicates|deduplicate~|dedupe~) [it|them|the rows|{_:rows}] (by|on|per|in) {columns} @ -0.2",
        "(deduplicate|dedupe|deduplicated) [it|them|the rows|{_:rows}]",
        "(different|distinct|unique|individual) (row|{_:rows})",
        "(each|every) [different|distinct|unique] [name|one|of them|{_:column}] (once|only once|just once|one time)",
    )
    Config = DistinctConfig

    def select(self, config: DistinctConfig, inputs: Inputs, context: Context) -> exp.Query:
        """Return a SELECT that numbers the rows, keeps the first of each, and leaves them in their order."""
        del context
        (arrived,) = inputs["in"]
        by, keys = _columns(config, arrived.table)
        names = arrived.table.names()
        query = exp.select(*[column(name) for name in names]).from_(numbered(arrived).subquery("source"))
        if not keys and set(by) == set(names):
            first = exp.Min(this=column(ROW))
            return query.group_by(*[column(name) for name in names], copy=False).order_by(term(first), copy=False)
        place = exp.Window(
            this=exp.RowNumber(),
            partition_by=[column(name) for name in by],
            order=exp.Order(expressions=[*keys, term(ROW)]),
        )
        query.set("qualify", exp.Qualify(this=exp.EQ(this=place, expression=exp.Literal.number(1))))
        return query.order_by(term(ROW), copy=False)

    def table(self, config: DistinctConfig, inputs: Inputs, context: Context) -> Table:
        """Return the input's columns."""
        del context
        (arrived,) = inputs["in"]
        _columns(config, arrived.table)
        return arrived.table


def _columns(config: DistinctConfig, table: Table) -> tuple[tuple[str, ...], list[exp.Ordered]]:
    """The columns in which rows must differ, and the terms that say which comes first."""
    by = tuple((name, ("columns", str(place))) for place, name in enumerate(config.columns or ()))
    keys = tuple((key.column, ("keep_first_by", str(n), "column")) for n, key in enumerate(config.keep_first_by))
    names = exact((*by, *keys), table)
    terms = [
        term(name, descending=key.descending, nulls_first=key.nulls == "first")
        for name, key in zip(names[len(by) :], config.keep_first_by, strict=True)
    ]
    return names[: len(by)] or table.names(), terms
