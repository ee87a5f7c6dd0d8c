"""What a SELECT does to the rows of its input, read off its tree: decides what can flow through without being kept.

Errs on the side of keeping: what is not recognised is taken to be anything.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from headrace.nodes.functions import AGGREGATE, WINDOW

_ROW_BY_ROW = frozenset({"kind", "hint", "expressions", "from", "from_", "where"})
"""The parts of a SELECT that look at one row at a time."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How a query treats its rows."""

    row_by_row: bool
    """Each row that comes out is made of one row that goes in, in the same order; rows may be left out."""
    keeps_all: bool
    """As many rows come out as go in."""
    limit: int | None
    """It takes the first rows only: how many it must see, those that it leaves out at the beginning included."""
    only_limits: bool
    """It does nothing but take some of the first rows, as they are."""
    sorts: bool
    """It gives the rows an order, and does nothing else to their number."""


ANY = Shape(row_by_row=False, keeps_all=False, limit=None, only_limits=False, sorts=False)


def shape_of(query: exp.Expr) -> Shape:
    """Return how a query treats the rows of the one relation it reads; `ANY` where that cannot be told."""
    if not isinstance(query, exp.Select) or not _reads_one_relation(query):
        return ANY
    parts = {name for name, value in query.args.items() if value}
    seen = [part for part in (*query.expressions, query.args.get("where")) if part is not None]
    looks_around = any(_looks_around(node) for part in seen for node in part.walk())
    row_by_row = parts <= _ROW_BY_ROW and not looks_around
    keeps_all = not query.args.get("where")
    limit = _limit(query)
    as_it_is = keeps_all and query.expressions == [exp.Star()]
    return Shape(
        row_by_row=row_by_row,
        keeps_all=row_by_row and keeps_all,
        limit=limit,
        only_limits=limit is not None and parts <= (_ROW_BY_ROW | {"limit", "offset"}) and as_it_is,
        sorts=parts <= (_ROW_BY_ROW | {"order"}) and "order" in parts and as_it_is,
    )


def uses(query: exp.Expr, relation: str) -> int:
    """Return how often a query reads a relation."""
    return sum(table.name == relation for table in query.find_all(exp.Table))


def takes_part(query: exp.Expr) -> bool:
    """Return whether a query may stop before it has seen all of its input, or skip some of it."""
    return any(query.find(kind) for kind in (exp.Limit, exp.Fetch, exp.Join, exp.Subquery, exp.SetOperation, exp.CTE))


def _reads_one_relation(query: exp.Select) -> bool:
    return len(list(query.find_all(exp.Table))) <= 1 and not query.find(exp.Subquery, exp.CTE, exp.Join, exp.Lateral)


def _looks_around(node: exp.Expr) -> bool:
    if isinstance(node, exp.Window | exp.AggFunc | exp.Unnest | exp.Explode):
        return True
    return isinstance(node, exp.Anonymous) and node.name.lower() in (AGGREGATE | WINDOW | {"unnest"})


def _limit(query: exp.Select) -> int | None:
    limit, offset = query.args.get("limit"), query.args.get("offset")
    if not isinstance(limit, exp.Limit):
        return None
    numbers = [clause.expression for clause in (limit, offset) if clause is not None]
    if not all(isinstance(number, exp.Literal) and number.is_int for number in numbers):
        return None
    return sum(int(number.this) for number in numbers)
