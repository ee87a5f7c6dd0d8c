"""Filter: the rows for which a condition is true."""

from __future__ import annotations

from typing import Annotated

from sqlglot import exp

from headrace.nodes.columns import bind, type_of
from headrace.nodes.expressions import has_window, loose_aggregates
from headrace.nodes.spec import (
    Config,
    Context,
    Fault,
    Holds,
    Inputs,
    NodeFault,
    Slot,
    Table,
    TableNode,
)
from headrace.nodes.types import in_words

_PATH = ("condition",)


class FilterConfig(Config):
    """What is kept."""

    condition: Annotated[str, Holds(Slot.CONDITION)]
    """True for the rows to keep: `amount > 100 AND status = 'paid'`, `name IS NOT NULL`, `country IN ('DE', 'FR')`."""


class Filter(TableNode):
    """Keep the rows for which a condition is true."""

    name = "filter"
    title = "Filter"
    summary = "Keeps the rows of a table for which a condition is true."
    area = "rows"
    synonyms = ("where", "only", "keep rows", "remove rows", "exclude", "without", "select rows", "condition", "subset")
    phrases = (
        "{condition}",
        "filter~ <them> [by|on|to|for|where|with] {condition}",
        "(only|only keep|keep only|only show|show only|just|using only|only using|considering only|only considering|looking only at|only looking at|consider only|only consider) <rows> {condition} [only]",
        "(only|only keep|keep only|only show|show only|just) {_:column} (when|where|whose|that|which|in which|for which) {condition:fact} @ -0.1",
        "{condition} (only|ones|one|rows) [only|ones]",
        "(drop~|remove~|exclude~|delete~|omit~|ignore~|ignoring|skip~|leave out|leaving out|left out|throw out|throw away|take out|get rid of|discard~|filter out|filtering out|eliminate~|without|except [for]|excluding|apart from|other than|besides|but not|not counting|do not (count|include|want|show|use)|no more) <rows> {condition:unless} [rows|ones|{_:rows}] [out]",
        "leave <rows> {condition:unless} [ones|{_:rows}] out",
    )
    Config = FilterConfig

    def select(self, config: FilterConfig, inputs: Inputs, context: Context) -> exp.Query:
        """Return `SELECT * … WHERE`; `QUALIFY` where the condition has a window function."""
        del context
        (arrived,) = inputs["in"]
        condition = _condition(config, arrived.table)
        query = exp.select("*").from_(arrived.as_table())
        if has_window(condition):
            query.set("qualify", exp.Qualify(this=condition))
            return query
        return query.where(condition, copy=False)

    def table(self, config: FilterConfig, inputs: Inputs, context: Context) -> Table:
        """Return the input's columns."""
        (arrived,) = inputs["in"]
        kind = type_of(_condition(config, arrived.table), arrived, context, path=_PATH)
        if kind not in ("BOOLEAN", '"NULL"'):
            raise NodeFault(
                Fault(
                    "F402",
                    f"A condition must be true or false; this one is {in_words(kind)}. Compare it with something.",
                    _PATH,
                )
            )
        return arrived.table


def _condition(config: FilterConfig, table: Table) -> exp.Expr:
    condition = bind(config.condition, table, path=_PATH)
    if loose := loose_aggregates(condition):
        raise NodeFault(
            Fault(
                "F402",
                f"{loose[0]}() is over many rows; a condition looks at one. Put an aggregate node before this one, or write"
                f" {loose[0]}(…) OVER ().",
                _PATH,
            )
        )
    return condition
