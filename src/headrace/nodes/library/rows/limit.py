"""Limit: the first rows."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from sqlglot import exp

from headrace.nodes.spec import Config, Context, Holds, Inputs, Slot, Table, TableNode

_MOST = 1_000_000_000_000


class LimitConfig(Config):
    """How many."""

    count: Annotated[int, Field(ge=0, le=_MOST), Holds(Slot.COUNT)]
    """How many rows to keep, at most."""
    offset: Annotated[int, Field(ge=0, le=_MOST), Holds(Slot.COUNT)] = 0
    """How many rows to leave out before them."""


class Limit(TableNode):
    """Keep the first rows, in the order in which they come: after a sort, the top of it."""

    name = "limit"
    title = "Limit"
    summary = "Keeps the first rows of a table, in the order in which they come."
    area = "rows"
    synonyms = ("top", "first", "head", "take", "at most", "skip", "offset", "only so many rows")
    phrases = (
        "[only] [show|keep] first {count} [row|{_:rows}|line|entry|result|record] [only]",
        "(limit~ [[it|this|that|them] to]|limited to|at most|no more than|max) {count} [row|{_:rows}|line|entry|result|record] @ 0.1",
        "only {count} (row|{_:rows}|line|entry|result|record) @ 0.1",
        "{count} (row|line|record) [only] @ 0.1",
    )
    Config = LimitConfig

    def select(self, config: LimitConfig, inputs: Inputs, context: Context) -> exp.Query:
        """Return `SELECT * … LIMIT`."""
        del context
        (arrived,) = inputs["in"]
        query = exp.select("*").from_(arrived.as_table()).limit(config.count, copy=False)
        return query.offset(config.offset, copy=False) if config.offset else query

    def table(self, config: LimitConfig, inputs: Inputs, context: Context) -> Table:
        """Return the input's columns."""
        del config, context
        (arrived,) = inputs["in"]
        return arrived.table
