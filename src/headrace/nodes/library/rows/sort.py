"""Sort: the rows in another order."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from sqlglot import exp

from headrace.nodes.columns import exact
from headrace.nodes.order import SortKey, term
from headrace.nodes.spec import Config, Context, Holds, Inputs, Slot, Table, TableNode


class SortConfig(Config):
    """By what."""

    by: Annotated[tuple[SortKey, ...], Field(min_length=1), Holds(Slot.SORT_KEYS)]
    """What to sort by, the most important first: `[{"column": "amount", "descending": true}, {"column": "name"}]`."""


class Sort(TableNode):
    """Put the rows in order. Rows that are equal in all keys stay as they lay; missing values come last, whichever way."""

    name = "sort"
    title = "Sort"
    summary = "Puts the rows of a table in order by one or more columns."
    area = "rows"
    synonyms = ("order", "order by", "rank", "arrange", "ascending", "descending", "alphabetical", "highest first")
    phrases = (
        "[and] (sort~|order!|ordered|ordering|arrange~|rank~|sequence~|reorder~|resort~) <them> [alphabetically|in order] (by|on|according to|after) {by}",
        "[and] (sort~|order!|ordered|ordering|arrange~|rank~|sequence~|reorder~|resort~) <them> {by} @ 0.3",
        "[and] (sort~|order!|ordered|ordering|arrange~|rank~|sequence~|reorder~|resort~) <them> [in] {by:direction} [order]",
        "in [the] (order of|sequence of) {by}",
    )
    Config = SortConfig

    def select(self, config: SortConfig, inputs: Inputs, context: Context) -> exp.Query:
        """Return `SELECT * … ORDER BY`; the number of the row comes last, so that equal rows stay as they lay."""
        del context
        (arrived,) = inputs["in"]
        names = _columns(config, arrived.table)
        keys = [
            term(name, descending=key.descending, nulls_first=key.nulls == "first")
            for name, key in zip(names, config.by, strict=True)
        ]
        as_they_lie = term(exp.Window(this=exp.RowNumber()))
        return exp.select("*").from_(arrived.as_table()).order_by(*keys, as_they_lie, copy=False)

    def table(self, config: SortConfig, inputs: Inputs, context: Context) -> Table:
        """Return the input's columns."""
        del context
        (arrived,) = inputs["in"]
        _columns(config, arrived.table)
        return arrived.table


def _columns(config: SortConfig, table: Table) -> tuple[str, ...]:
    return exact(((key.column, ("by", str(place), "column")) for place, key in enumerate(config.by)), table)
