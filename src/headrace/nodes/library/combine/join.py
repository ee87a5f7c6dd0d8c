"""Join: two tables side by side."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from sqlglot import exp

from headrace.nodes.columns import at, column, exact, identifier, refuse_doubles
from headrace.nodes.spec import (
    Config,
    Context,
    Fault,
    Holds,
    Inputs,
    NodeFault,
    Port,
    Relation,
    Slot,
    Table,
    TableNode,
)
from headrace.nodes.types import family, in_words

How = Literal["inner", "left", "right", "full", "semi", "anti"]


class KeyPair(Config):
    """A column on each side; rows belong together where the two are equal."""

    left: Annotated[str, Holds(Slot.COLUMN, port="left")]
    """The column of the left table."""
    right: Annotated[str, Holds(Slot.COLUMN, port="right")]
    """The column of the right table."""


class JoinConfig(Config):
    """How the tables belong together."""

    how: Annotated[How, Holds(Slot.CHOICE)] = "inner"
    """`inner`: rows that have a partner. `left`: all of the left. `right`: all of the right. `full`: all of both. `semi`: the rows of the left that have a partner, `anti`: those that have none, both without columns of the right."""
    on: Annotated[tuple[KeyPair, ...], Field(min_length=1), Holds(Slot.KEY_PAIRS)]
    """Which columns must be equal: `[{"left": "customer_id", "right": "id"}]`. Missing values are equal to nothing."""
    suffix: Annotated[str, Field(min_length=1, max_length=60), Holds(Slot.TEXT)] = "_right"
    """What is put behind the name of a column of the right table when the left one has that name too."""


class Join(TableNode):
    """Put the columns of two tables side by side where their keys are equal.

    The keys come out once, under their names on the left. The rows are in the order of the left table if that was sorted, else in none.
    """

    name = "join"
    title = "Join"
    summary = "Puts two tables side by side, row by row where their key columns are equal."
    area = "combine"
    synonyms = (
        "merge",
        "match",
        "lookup",
        "look up",
        "vlookup",
        "combine with",
        "enrich",
        "add columns from",
        "left join",
        "inner join",
        "not in the other",
    )
    phrases = (
        "{how:joining} {left:anyfile} [table|file] (with|and|to|against|,|by|from|into) {right:anyfile} [table|file] [{on:on}] @ -0.1",
        "{left:anyfile} [table|file] [,|is] {how:joining} (with|to|and|by|against) {right:anyfile} [table|file] [{on:on}] @ -0.1",
        "[and] [then] {how:joining} [it|that|this|them|the result] (with|to|and|against|in) {right:anyfile} [{on:on}]",
        "{how:joining} [both|the two|the] (both|two|file|table|them) [file|table] [{on:on}]",
    )
    inputs = (Port(name="left", type="table", title="Left"), Port(name="right", type="table", title="Right"))
    Config = JoinConfig

    def select(self, config: JoinConfig, inputs: Inputs, context: Context) -> exp.Query:
        """Return `SELECT … FROM left JOIN right ON …`."""
        del context
        left, right = _sides(inputs)
        pairs = _pairs(config, left.table, right.table)
        query = exp.select(*_listed(config, left.table, right.table, pairs=pairs)).from_(_named(left, "left"))
        equal = exp.and_(*[exp.EQ(this=column(a, "left"), expression=column(b, "right")) for a, b in pairs], copy=False)
        return query.join(_named(right, "right"), on=equal, join_type=config.how, copy=False)

    def table(self, config: JoinConfig, inputs: Inputs, context: Context) -> Table:
        """Return the columns of both sides; of the left one alone for `semi` and `anti`."""
        left, right = _sides(inputs)
        # One table may arrive at both ports; for typing, each side goes by its own name.
        sides = {"left": (Relation("left side", left.table),), "right": (Relation("right side", right.table),)}
        try:
            return context.describe(self.select(config, sides, context), (*sides["left"], *sides["right"]))
        except NodeFault as fault:
            raise NodeFault(*_about_keys(fault, config, left=left.table, right=right.table)) from fault


def _sides(inputs: Inputs) -> tuple[Relation, Relation]:
    (left,), (right,) = inputs["left"], inputs["right"]
    return left, right


def _named(relation: Relation, alias: str) -> exp.Table:
    table = relation.as_table()
    table.set("alias", exp.TableAlias(this=identifier(alias)))
    return table


def _pairs(config: JoinConfig, left: Table, right: Table) -> list[tuple[str, str]]:
    faults: list[Fault] = []
    found = []
    for side, table in (("left", left), ("right", right)):
        names = [(getattr(pair, side), ("on", str(place), side)) for place, pair in enumerate(config.on)]
        try:
            found.append(exact(names, table, port=side))
        except NodeFault as fault:
            faults += fault.faults
    if faults:
        raise NodeFault(*faults)
    return list(dict.fromkeys(zip(found[0], found[1], strict=True)))


def _listed(config: JoinConfig, left: Table, right: Table, *, pairs: list[tuple[str, str]]) -> list[exp.Expr]:
    both = dict(reversed(pairs))
    outer = config.how in ("right", "full")
    out: list[exp.Expr] = []
    for name in left.names():
        value: exp.Expr = column(name, "left")
        if name in both and outer:
            either = exp.Coalesce(this=value, expressions=[column(both[name], "right")])
            value = exp.Alias(this=either, alias=identifier(name))
        out.append(value)
    if config.how in ("semi", "anti"):
        return out
    taken = {name.casefold() for name in left.names()}
    # Of two keys of the right that meet one of the left, a row without a partner may hold different values.
    once = set(both.values()) if outer else {b for _, b in pairs}
    names = []
    for name in right.names():
        if name in once:
            continue
        new = f"{name}{config.suffix}" if name.casefold() in taken else name
        names.append(new)
        value = column(name, "right")
        out.append(exp.Alias(this=value, alias=identifier(new)) if new != name else value)
    refuse_doubles([*((name, ("suffix",)) for name in left.names()), *((name, ("suffix",)) for name in names)])
    return out


def _about_keys(fault: NodeFault, config: JoinConfig, *, left: Table, right: Table) -> tuple[Fault, ...]:
    """Say which keys cannot be equal, and what can be done about it where columns are chosen and not calculated."""
    if all(part.path for part in fault.faults):
        return fault.faults
    faults = []
    for place, pair in enumerate(config.on):
        one, other = left.column(pair.left), right.column(pair.right)
        kinds = {family(each.type) for each in (one, other) if each}
        if one and other and len(kinds) > 1 and kinds != {"date", "moment"}:
            message = (
                f"{one.name!r} is {in_words(one.type)} and {other.name!r} of the right table is {in_words(other.type)},"
                " so they are never equal. Convert one of them before, with `cast` in a select node."
            )
            faults.append(Fault("F405" if "text" in kinds else "F402", message, ("on", str(place))))
    return tuple(faults) or at(("on",), fault).faults
