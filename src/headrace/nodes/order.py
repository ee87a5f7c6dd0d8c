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
from .spec import Column, Config, Holds, Relation, Slot, Table

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
    return _carry(query.copy(), arriving)


def terms(order: Iterable[Key]) -> list[exp.Ordered]:
    """Return an order as the terms of an ORDER BY."""
    return [term(key.column, descending=key.descending, nulls_first=key.nulls_first) for key in order]


def _carry(query: exp.Query, arriving: Mapping[str, Ordered]) -> Carried:
    if isinstance(query, exp.SetOperation):
        return _carry_union(query, arriving)
    if not isinstance(query, exp.Select):
        return Carried(query)
    source = _source(query, arriving)
    if source is None:
        return Carried(query)
    joined = bool(query.args.get("joins"))
    if source.order and not joined:
        _follow_source(query, source)
    if not _passes_on(query) or _numbers(query, source):
        _list_columns(query, source)
    if query.args.get("order"):
        return _carry_sorted(query)
    if not source.order or not _passes_on(query):
        return Carried(query)
    return _carry_on(query, source)


def _source(select: exp.Select, arriving: Mapping[str, Ordered]) -> Ordered | None:
    """What a SELECT reads, the left one where it joins; a query in its FROM is carried first. None: nothing known."""
    clause = select.args.get("from_")
    table = clause.this if clause else None
    if isinstance(table, exp.Table):
        return arriving.get(table.name)
    if not isinstance(table, exp.Subquery):
        return None
    names = _names_of(table.this, arriving)
    inner = _carry(table.this, arriving)
    table.set("this", inner.query)
    listed = Table(columns=tuple(Column(name=name, type="") for name in names))
    return Ordered(Relation(table.alias, listed), inner.order)


def _names_of(query: exp.Expr, arriving: Mapping[str, Ordered]) -> list[str]:
    """The names of the columns that a query puts out."""
    if isinstance(query, exp.SetOperation):
        return _names_of(query.this, arriving)
    if not isinstance(query, exp.Select):
        return []
    clause = query.args.get("from_")
    table = clause.this if clause else None
    known = arriving.get(table.name) if isinstance(table, exp.Table) else None
    below = list(known.relation.table.names()) if known else []
    if isinstance(table, exp.Subquery):
        below = _names_of(table.this, arriving)
    out: list[str] = []
    for projection in query.expressions:
        out += below if isinstance(projection, exp.Star) else [projection.alias_or_name]
    return out


def _passes_on(select: exp.Select) -> bool:
    """Whether each row that comes out is one that went in, so that columns can be passed along with it."""
    allowed = _ROW_BY_ROW | {"order", "limit", "offset", "qualify", "joins"}
    return {name for name, value in select.args.items() if value} <= allowed and not any(
        called(node) in AGGREGATE and node.find_ancestor(exp.Window) is None
        for projection in select.expressions
        for node in projection.walk()
    )


def _numbers(select: exp.Select, source: Ordered) -> str:
    """The name of the column in which a SELECT numbers the rows of its source as they are meant to lie."""
    by = [each.sql() for each in terms(source.order)]
    for projection in select.expressions:
        window = projection.this if isinstance(projection, exp.Alias) else None
        if (
            not isinstance(window, exp.Window)
            or not isinstance(window.this, exp.RowNumber)
            or window.args.get("partition_by")
        ):
            continue
        order = window.args.get("order")
        if by and [each.sql() for each in (order.expressions if order else [])] == by:
            return str(projection.alias)
    return ""


def _list_columns(select: exp.Select, source: Ordered) -> None:
    """Write `*` out, so that columns that only carry an order stay behind."""
    if not source.hidden:
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
    number = _numbers(query, source)
    if number:
        return Carried(query, (Key(number),))
    joined = bool(query.args.get("joins"))
    qualifier = query.args["from_"].this.alias_or_name if joined else ""
    names = _Names(query, starred=not joined)
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
        if source is not None:
            _list_columns(part, source)
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
