"""Union: tables one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from sqlglot import exp

from headrace.nodes.columns import column, identifier
from headrace.nodes.order import ROW, numbered, term
from headrace.nodes.spec import (
    Column,
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

_NOTHING = '"NULL"'
_TOGETHER = (frozenset({"number"}), frozenset({"text"}), frozenset({"date", "moment"}), frozenset({"flag"}))


class UnionConfig(Config):
    """How the columns belong together."""

    match: Annotated[Literal["name", "position"], Holds(Slot.CHOICE)] = "name"
    """`name`: columns of one name go together, and a table that lacks one has it missing. `position`: the first with the first, and so on."""
    distinct: Annotated[bool, Holds(Slot.FLAG)] = False
    """True: rows that repeat others are dropped."""


class Union(TableNode):
    """Put tables one below the other, in the order in which they are connected."""

    name = "union"
    title = "Union"
    summary = "Puts the rows of several tables one below the other."
    area = "combine"
    synonyms = (
        "append",
        "concatenate",
        "stack",
        "combine files",
        "add rows",
        "put together",
        "merge files",
        "union all",
    )
    phrases = (
        "(stack~|append~|concatenate~|union|put|combine~|add|glue|pool|merge) [both] {in} [together|below each other|under each other|on top of each other|into one [table]|as one [table]] @ 0.05",
        "{in} (together|combined|stacked|taken together|in one table)",
        "[stack~|combine~|append~|merge~|put|use|take|union] (both|all) [of] [the|them] [two|three] (file|table|dataset) [together|combined|stacked|below each other|on top of each other]",
        "both [the] {_:unit} [together|combined|stacked]",
        "(stack~|combine~|append~|merge~|put|take|union) (both|all) [of] [the|them] [two|three] {_:unit} [together|combined|stacked]",
        "(stack~|combine~|append~|merge~|put|union) the! (two|three|four) [{_:word}] (file|table|dataset|{_:unit}) [together|below each other]",
        "[put|stack|combine|append|use] both [of them] (together|combined|stacked)",
    )
    inputs = (Port(name="in", type="table", many=True),)
    Config = UnionConfig

    def select(self, config: UnionConfig, inputs: Inputs, context: Context) -> exp.Query:
        """Return `SELECT … UNION ALL SELECT …`, every column named in each."""
        del context
        arrived = inputs["in"]
        names, rows = _aligned(config, arrived)
        parts = [_part(relation, names, row) for relation, row in zip(arrived, rows, strict=True)]
        query: exp.Query = parts[0]
        for part in parts[1:]:
            query = exp.Union(this=query, expression=part, distinct=False)
        if not config.distinct:
            return query
        listed = [column(name) for name in names]
        once = exp.select(*listed).from_(numbered(query).subquery("rows"))
        return once.group_by(*[each.copy() for each in listed], copy=False).order_by(
            term(exp.Min(this=column(ROW))), copy=False
        )

    def table(self, config: UnionConfig, inputs: Inputs, context: Context) -> Table:
        """Return the columns of all tables together."""
        arrived = inputs["in"]
        names, rows = _aligned(config, arrived)
        faults = [
            fault
            for place, name in enumerate(names)
            if (fault := _mixed(name, [(relation, row[place]) for relation, row in zip(arrived, rows, strict=True)]))
        ]
        if faults:
            raise NodeFault(*faults)
        # One table may arrive twice; for typing, each goes by its own name.
        sides = tuple(Relation(f"table {place}", relation.table) for place, relation in enumerate(arrived))
        return context.describe(self.select(config, {"in": sides}, context), sides)


def _aligned(config: UnionConfig, arrived: Sequence[Relation]) -> tuple[list[str], list[list[Column | None]]]:
    """The names of the output columns, and for each table its column at each of them (None: it lacks it)."""
    if config.match == "position":
        counts = {len(relation.table.columns) for relation in arrived}
        if len(counts) > 1:
            found = ", ".join(f"{relation.name} has {len(relation.table.columns)}" for relation in arrived)
            message = (
                f"Tables put together by position need as many columns each: {found}. Match by name, or select columns."
            )
            raise NodeFault(Fault("F402", message, ("match",), "in"))
        return list(arrived[0].table.names()), [list(relation.table.columns) for relation in arrived]
    names: dict[str, str] = {}
    for relation in arrived:
        for name in relation.table.names():
            names.setdefault(name.casefold(), name)
    return list(names.values()), [[relation.table.column(name) for name in names.values()] for relation in arrived]


def _part(relation: Relation, names: Sequence[str], row: Sequence[Column | None]) -> exp.Select:
    listed = [
        column(known.name)
        if known is not None and known.name == name
        else exp.Alias(this=column(known.name) if known is not None else exp.Null(), alias=identifier(name))
        for name, known in zip(names, row, strict=True)
    ]
    return exp.select(*listed).from_(relation.as_table())


def _mixed(name: str, found: Sequence[tuple[Relation, Column | None]]) -> Fault | None:
    """What is wrong with a column that is of different kinds in different tables: DuckDB would make text of it."""
    there = [(relation, known.type) for relation, known in found if known is not None and known.type != _NOTHING]
    kinds = {family(type_name) for _, type_name in there}
    alike = len(kinds) <= 1 or any(kinds <= together for together in _TOGETHER)
    if alike:
        return None
    said = dict.fromkeys(f"{in_words(type_name)} in {relation.name}" for relation, type_name in there)
    message = f"{name!r} is {' and '.join(said)}. Convert one of them first, with `cast` in a select node."
    return Fault("F402", message, port="in")
