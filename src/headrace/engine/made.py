"""A node's table while a run goes on: the state that the making, the counting and the telling share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from headrace.nodes.order import Key, Ordered
from headrace.nodes.spec import Relation, Table

from .plan import Task


@dataclass(slots=True, eq=False)
class Made:
    """A node's table. It is *kept* (a DuckDB table, whose rows lie in order) or it *flows* (a view)."""

    task: Task
    table: Table
    kind: Literal["TABLE", "VIEW"]
    query: str
    order: tuple[Key, ...] = ()
    """The order that its rows have, over its columns and those that only carry it."""
    rows: int | None = None
    preview: tuple[tuple[Any, ...], ...] = ()
    head_query: str = ""
    """Of what flows: the query of its first rows."""
    head: str = ""
    """Of what flows: the name of the table that holds its first rows; empty while nobody needed it."""
    before: tuple[Made, ...] = ()
    """Of what flows: what it flows through, from the source on."""
    base: Made | None = None
    """Of what flows: the kept table that it comes from; None: a file."""
    narrows: bool = False
    """It leaves rows out."""
    source_bytes: int = 0
    """Of what flows: the size of the file that it comes from."""
    seconds: float = 0.0
    settled: bool = False
    """All that is told of it is known."""
    summary: str = ""
    users: list[str] = field(default_factory=list)
    """The nodes that still need it."""

    @property
    def flows(self) -> bool:
        """Whether it is a view."""
        return self.kind == "VIEW"

    @property
    def chain(self) -> tuple[Made, ...]:
        """What flows up to here, this included."""
        return (*self.before, self) if self.flows else ()

    @property
    def narrowed(self) -> bool:
        """Whether something in the chain leaves rows out."""
        return any(made.narrows for made in self.chain)

    @property
    def relation(self) -> Relation:
        """The name and columns by which SQL reaches it."""
        return Relation(self.task.relation, self.table)

    @property
    def ordered(self) -> Ordered:
        """The relation with its order."""
        return Ordered(self.relation, self.order)
