"""The order of a table's rows, carried through a chain of SELECTs to where it counts.

Owns what a node type needs to keep rows in order (`numbered`, `SortKey`) and the rewriting that carries an order on. SQL promises
an order only where a query says ORDER BY at its very end; DuckDB drops one that stands further inside. So in a chain an
ORDER BY becomes columns that are carried along, and the last query, or a limit, orders by them. Node types know nothing of
this: they write each SELECT as if its input lay in order. See docs/decisions/0003-a-table-node-is-one-select.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from sqlglot import exp

from .columns import column, identifier
from .expressions import called
from .functions import AGGREGATE, ORDERED_AGGREGATE, ORDERED_WINDOW
from .spec import Config, Holds, Relation, Slot

HIDDEN = "__headrace_"
"""What the names of columns that only carry an order begin with."""
ROW = f"{HIDDEN}row"
"""The number of a row, as the rows of the input lie."""
_ROW_BY_ROW = frozenset({"kind", "hint", "expressions", "from_", "where", "operation_modifiers"})


class SortKey(Config):
    """One column to sort by."""

    column: Annotated[str, Holds(Slot.COLUMN)]
    """The column."""
    descending: bool = False
    """True: the largest, the latest, or the last in the alphabet comes first."""
    nulls: Literal["last", "first"] = "last"
    """Where missing values go."""


@dataclass(frozen=True, slots=True)
class Key:
    """One column of an order, by its name in a relation."""

    column: str
    descending: bool = False
    nulls_first: bool = False


@dataclass(frozen=True, slots=True)
class Carried:
    """A query that has no ORDER BY at its end, and the order that its rows are meant to have."""

    query: exp.Query
    order: tuple[Key, ...] = ()
    """Over columns of the query, some of which only carry the order; (): as the rows lie."""


@dataclass(frozen=True, slots=True)
class Ordered:
    """A relation with the order that its rows are meant to have."""

    relation: Relation
    order: tuple[Key, ...] = ()

    hidden: tuple[str, ...] = field(init=False)
    """Its columns that only carry the order."""

    def __post_init__(self) -> None:
        listed = set(self.relation.table.names())
        names = dict.fromkeys(key.column for key in self.order if key.column not in listed)
        object.__setattr__(self, "hidden", tuple(names))


def numbered(source: Relation | exp.Query) -> exp.Select:
    """Return a SELECT of everything in a source and, as `ROW`, the number of each row as the rows lie."""
    table = source.as_table() if isinstance(source, Relation) else source.subquery("source")
    return exp.select("*", exp.alias_(exp.Window(this=exp.RowNumber()), ROW, quoted=True)).from_(table)


def term(name: exp.Expr | str, *, descending: bool = False, nulls_first: bool = False) -> exp.Ordered:
    """Return one term of an ORDER BY."""
    value = column(name) if isinstance(name, str) else name
    return exp.Ordered(this=value, desc=descending or None, nulls_first=nulls_first)


def follow(tree: exp.Expr, by: Iterable[exp.Ordered]) -> exp.Expr:
    """Return an expression in which whatever depends on the order of the rows, and names no order, follows `by`.

    `first(x)` becomes `first(x ORDER BY …)`, `lag(x) OVER (PARTITION BY y)` gets an ORDER BY; `sum(x) OVER ()` stays.
    """
    terms = [each.copy() for each in by]
    for node in list(tree.walk()):
        if isinstance(node, exp.Window):
            _follow_window(node, terms)
        elif called(node) in ORDERED_AGGREGATE and node.find_ancestor(exp.Window) is None:
            _follow_aggregate(node, terms)
    return tree


def depends_on_order(tree: exp.Expr) -> bool:
    """Return whether the value of an expression depends on the order in which the rows lie."""
    probe = tree.copy()
    before = probe.sql()
    return follow(probe, [term(ROW)]).sql() != before


def carry(query: exp.Query, arriving: Mapping[str, Ordered]) -> Carried:
    """Return a node's query for a chain: the order of what arrives is followed and passed on, its own is carried.

    `arriving`: what it reads, by the names in its FROM; names that are not there are taken to lie in order.
    """
    query = query.copy()
    for select in list(query.find_all(exp.Select)):
        source = _source(select, arriving)
        if source is not None and source.order:
            _follow_source(select, source)
        if select is not query or not _passes_on(select):
            _list_columns(select, arriving)
    if isinstance(query, exp.SetOperation):
        return _carry_union(query, arriving)
    if not isinstance(query, exp.Select):
        return Carried(query)
    if query.args.get("order"):
        return _carry_sorted(query)
    source = _source(query, arriving) or _left(query, arriving)
    if source is None or not _passes_on(query, joined=True):
        return Carried(query)
    return _carry_on(query, source)


def settled(carried: Carried, columns: Iterable[str]) -> exp.Query:
    """Return a query that stands alone: the listed columns of a carried one, in its order."""
    names = list(columns)
    if not carried.order:
        return carried.query
    query = exp.select(*[column(name) for name in names]).from_(carried.query.subquery("ordered"))
    return query.order_by(*terms(carried.order), copy=False)


def terms(order: Iterable[Key]) -> list[exp.Ordered]:
    """Return an order as the terms of an ORDER BY."""
    return [term(key.column, descending=key.descending, nulls_first=key.nulls_first) for key in order]


def _source(select: exp.Select, arriving: Mapping[str, Ordered]) -> Ordered | None:
    """What a SELECT reads, where it is one relation alone."""
    return None if select.args.get("joins") else _left(select, arriving)


def _left(select: exp.Select, arriving: Mapping[str, Ordered]) -> Ordered | None:
    source = select.args.get("from_")
    table = source.this if source else None
    return arriving.get(table.name) if isinstance(table, exp.Table) else None


def _passes_on(select: exp.Select, *, joined: bool = False) -> bool:
    """Whether each row that comes out is one that went in, so that columns can be passed along with it."""
    allowed = _ROW_BY_ROW | {"order", "limit", "offset", "qualify"} | ({"joins"} if joined else set())
    return {name for name, value in select.args.items() if value} <= allowed and not any(
        called(node) in AGGREGATE and node.find_ancestor(exp.Window) is None
        for projection in select.expressions
        for node in projection.walk()
    )


def _list_columns(select: exp.Select, arriving: Mapping[str, Ordered]) -> None:
    """Write `*` out, so that columns that only carry an order stay behind."""
    source = _source(select, arriving)
    if source is None or not source.hidden:
        return
    listed: list[exp.Expr] = []
    for projection in select.expressions:
        star = isinstance(projection, exp.Star)
        listed += [column(name) for name in source.relation.table.names()] if star else [projection]
    select.set("expressions", listed)


def _follow_source(select: exp.Select, source: Ordered) -> None:
    by = terms(source.order)
    given = select.args.get("order")
    if given is not None:
        kept: list[exp.Expr] = []
        for each in given.expressions:
            kept += by if _is_row_number(each.this) else [each]
        given.set("expressions", [each.copy() for each in kept])
    elif select.args.get("limit") or select.args.get("offset"):
        select.set("order", exp.Order(expressions=[each.copy() for each in by]))
    for part in (*select.expressions, select.args.get("qualify")):
        if part is not None:
            follow(part, by)


def _is_row_number(node: exp.Expr) -> bool:
    """Whether it is `ROW_NUMBER() OVER ()`: the rows as they lie."""
    return isinstance(node, exp.Window) and isinstance(node.this, exp.RowNumber) and not _says_more(node)


def _says_more(window: exp.Window) -> bool:
    return bool(window.args.get("order") or window.args.get("partition_by"))


def _follow_window(window: exp.Window, by: list[exp.Ordered]) -> None:
    inner = window.this
    while isinstance(inner, exp.IgnoreNulls | exp.RespectNulls | exp.Filter):
        inner = inner.this
    name = called(inner)
    if window.args.get("order") or name not in (ORDERED_WINDOW | ORDERED_AGGREGATE):
        return
    window.set("order", exp.Order(expressions=[each.copy() for each in by]))
    if name in ("row_number", "ntile", "lag", "lead") or window.args.get("spec"):
        return
    # Without an ORDER BY the frame was the whole partition; with one it would end at the current row.
    window.set(
        "spec",
        exp.WindowSpec(kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end="UNBOUNDED", end_side="FOLLOWING"),
    )


def _follow_aggregate(call: exp.Expr, by: list[exp.Ordered]) -> None:
    first = (
        call.expressions[0]
        if isinstance(call, exp.Anonymous | exp.AnonymousAggFunc) and call.expressions
        else call.this
    )
    if not isinstance(first, exp.Expr) or call.find(exp.Order) or call.find(exp.Distinct):
        return
    first.replace(exp.Order(this=first.copy(), expressions=[each.copy() for each in by]))


def _carry_sorted(query: exp.Select) -> Carried:
    """A SELECT with its own ORDER BY: its terms become columns of the result, where they are not already."""
    order = query.args["order"]
    names = _Names(query)
    keys = []
    for each in order.expressions:
        name = names.plain(each.this) or names.hide(each.this)
        keys.append(Key(name, descending=bool(each.args.get("desc")), nulls_first=bool(each.args.get("nulls_first"))))
    if not query.args.get("limit") and not query.args.get("offset"):
        query.set("order", None)
    return Carried(query, _once(keys))


def _carry_on(query: exp.Select, source: Ordered) -> Carried:
    """A SELECT that keeps the rows of its input in order: the order goes on under the names it has now."""
    qualifier = query.args["from_"].this.alias_or_name if query.args.get("joins") else ""
    names = _Names(query, starred=not query.args.get("joins"))
    keys = []
    for key in source.order:
        place = column(key.column, qualifier)
        keys.append(Key(names.plain(place) or names.hide(place), key.descending, key.nulls_first))
    return Carried(query, _once(keys))


def _carry_union(query: exp.SetOperation, arriving: Mapping[str, Ordered]) -> Carried:
    """Tables one below the other: where one of them has an order, the rows are numbered part by part."""
    parts = list(_parts(query))
    sources = [_source(part, arriving) for part in parts]
    if query.args.get("distinct") or not any(source and source.order for source in sources):
        return Carried(query)
    for place, (part, source) in enumerate(zip(parts, sources, strict=True)):
        by = terms(source.order) if source else []
        number = exp.Window(this=exp.RowNumber(), order=exp.Order(expressions=by) if by else None)
        part.select(
            exp.alias_(exp.Literal.number(place), f"{HIDDEN}part", quoted=True),
            exp.alias_(number, ROW, quoted=True),
            copy=False,
        )
    return Carried(query, (Key(f"{HIDDEN}part"), Key(ROW)))


def _parts(query: exp.Expr) -> Iterator[exp.Select]:
    if isinstance(query, exp.SetOperation):
        yield from _parts(query.this)
        yield from _parts(query.expression)
    elif isinstance(query, exp.Select):
        yield query


def _once(keys: Iterable[Key]) -> tuple[Key, ...]:
    """Each column by its first mention: what comes after an equal key decides nothing."""
    seen: dict[str, Key] = {}
    for key in keys:
        seen.setdefault(key.column, key)
    return tuple(seen.values())


class _Names:
    """The columns that a SELECT puts out, and those that are added to it to carry an order."""

    def __init__(self, query: exp.Select, *, starred: bool = True) -> None:
        self._query = query
        self._starred = starred and any(isinstance(each, exp.Star) for each in query.expressions)
        self._taken = {each.alias_or_name for each in query.expressions}

    def plain(self, value: exp.Expr) -> str:
        """The name under which a column comes out unchanged; empty where it does not."""
        if not isinstance(value, exp.Column):
            return ""
        for projection in self._query.expressions:
            inner = projection.this if isinstance(projection, exp.Alias) else projection
            if isinstance(inner, exp.Column) and inner.name == value.name and inner.table in (value.table, ""):
                return str(projection.alias_or_name)
        return value.name if self._starred else ""

    def hide(self, value: exp.Expr) -> str:
        """The name of a new column that carries a value."""
        number = 1
        name = value.name if isinstance(value, exp.Column) and value.name.startswith(HIDDEN) else f"{HIDDEN}key"
        wanted = ROW if _is_row_number(value) else name
        while wanted in self._taken:
            number += 1
            wanted = f"{name}_{number}"
        self._taken.add(wanted)
        self._query.select(exp.Alias(this=value.copy(), alias=identifier(wanted)), copy=False)
        return wanted
