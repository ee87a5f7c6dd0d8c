"""The tables of a run: which are kept in memory, and which only flow through.

A node's table is *kept* where it is small, used more than once, or has to be complete before the next node can begin. It *flows*
where each of its rows is made of one row of something big; then the statement of the next kept table or written file does
its work in the same pass. What flows is looked at through its *head*: the same query over the first rows, which is where its
preview comes from. docs/decisions/0005-runs-keep-or-flow.md says why.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from headrace.nodes.columns import quoted
from headrace.nodes.order import Carried, carry, terms
from headrace.nodes.spec import Relation, Table

from .database import Database
from .heads import HEAD_ROWS, head_of_source, over
from .made import Made
from .plan import Task
from .results import RunSettings
from .settling import Settling
from .shape import Shape, shape_of, takes_part, uses
from .values import preview_columns, preview_rows

BIG_BYTES = 4 << 20
"""A source of fewer bytes is kept whole."""
BIG_ROWS = 100_000
"""A kept table of fewer rows is not worth letting flow on."""
LONGEST_CHAIN = 16
"""Views upon views; beyond, one is kept, because binding nested views costs their depth squared."""

_WORTH_DROPPING = 10_000
"""Rows; what is smaller stays until the run is over, because letting it go costs more than it frees."""
_EXPORT = ">"
"""Stands among the users of a table that is to be exported; no node id is like it."""


@dataclass(frozen=True, slots=True)
class _Wish:
    """A table that is to be made."""

    task: Task
    carried: Carried
    shape: Shape
    sources: tuple[Made, ...]
    first_rows: int | None
    source_bytes: int


class Tables:
    """Makes the tables of a run, each by its node's id."""

    def __init__(self, database: Database, settings: RunSettings, settling: Settling) -> None:
        self._database = database
        self._settings = settings
        self._settling = settling
        self._made: dict[str, Made] = {}

    def __getitem__(self, node_id: str) -> Made:
        return self._made[node_id]

    def flowing(self) -> list[Made]:
        """Return what flows and went into nothing yet, in the order in which it was made."""
        return [made for made in self._made.values() if made.flows and not made.settled]

    def make(
        self, task: Task, query: exp.Query, sources: Sequence[Made], *, first_rows: int | None, source_bytes: int
    ) -> None:
        """Make a node's table of its query. `first_rows`: those who take it need no more than so many of them.

        Errors: whatever DuckDB raises; what was begun of the table is gone then.
        """
        started = time.perf_counter()
        carried = carry(query, {made.task.relation: made.ordered for made in sources})
        wish = _Wish(task, carried, shape_of(query), tuple(sources), first_rows, source_bytes)
        self._stop_flows(wish)
        made = (self._let_flow(wish) if self._may_flow(wish) else None) or self._kept(wish)
        exported = task.node_id in self._settings.exports
        made.users = [*task.followers, *([_EXPORT] if exported else [])]
        made.seconds += time.perf_counter() - started
        self._made[task.node_id] = made
        if not made.flows:
            self._settling.done(made)

    def keep(self, made: Made) -> None:
        """Keep what flows, because it is needed more than once or by something that is not a SELECT."""
        if not made.flows:
            return
        started = time.perf_counter()
        self._database.drop("VIEW", made.task.relation)
        try:
            rows = self._database.create("TABLE", made.task.relation, made.query)
        except Exception:
            self._database.create("VIEW", made.task.relation, made.query)
            raise
        self._settling.through(made, self._database.profile(), time.perf_counter() - started, rows=rows)
        self._drop_head(made)
        made.kind, made.before, made.base, made.rows = "TABLE", (), None, rows

    def seen(self, made: Made) -> Relation:
        """Return a relation of a table's own columns, without those that only carry its order; its rows lie in order."""
        if not made.ordered.hidden:
            return made.relation
        name = f"{made.task.relation} seen"
        columns = ", ".join(quoted(column) for column in made.table.names())
        self._database.create("VIEW", name, f"SELECT {columns} FROM {quoted(made.task.relation)}")
        return Relation(name, made.table)

    def release(self, node_id: str, source: str) -> None:
        """Note that a node needs a source no more; what nobody needs is let go."""
        made = self._made.get(source)
        if made is None or node_id not in made.users:
            return
        made.users.remove(node_id)
        if made.users or not made.settled:
            return
        if (made.rows or 0) >= _WORTH_DROPPING and not made.flows:
            self._database.drop("TABLE", made.task.relation)
        if made.flows:
            # Only now does nobody look through it any more at what it was made of.
            for feed in {feed for feeds in made.task.feeds.values() for feed in feeds}:
                self.release(source, feed)

    def _stop_flows(self, wish: _Wish) -> None:
        """Keep what flows in where the query reads it twice, may not read all of it, or its rows could not be counted."""
        query, shape = wish.carried.query, wish.shape
        flowing = [made for made in wish.sources if made.flows]
        for made in flowing:
            twice = len(flowing) > 1 or uses(query, made.task.relation) != 1
            partly = takes_part(query) and not shape.only_limits
            filters_twice = made.narrowed and shape.row_by_row and not shape.keeps_all
            if twice or partly or filters_twice:
                self.keep(made)

    def _may_flow(self, wish: _Wish) -> bool:
        task, settings = wish.task, self._settings
        if not wish.shape.row_by_row or len(wish.sources) > 1 or len(task.followers) > 1:
            return False
        if task.node_id in settings.profiles or (task.followers and task.node_id in settings.exports):
            return False
        if not wish.sources:
            return wish.source_bytes >= BIG_BYTES
        (source,) = wish.sources
        if source.flows:
            return len(source.chain) < LONGEST_CHAIN
        return (source.rows or 0) >= BIG_ROWS

    def _let_flow(self, wish: _Wish) -> Made | None:
        """Make a view, and look at its head; None where the head does not fill a preview, so that it must be kept to be seen."""
        task, source = wish.task, wish.sources[0] if wish.sources else None
        made = Made(
            task=task,
            table=_table(task),
            kind="VIEW",
            query=wish.carried.query.sql(dialect="duckdb"),
            order=wish.carried.order,
            before=source.chain if source else (),
            base=source if source and not source.flows else source.base if source else None,
            narrows=not wish.shape.keeps_all and bool(wish.sources),
            source_bytes=source.source_bytes if source else wish.source_bytes,
        )
        self._database.create("VIEW", task.relation, made.query)
        made.head_query = self._head_of(made, wish.carried, source)
        if source is None and (rows := self._head(made)) < HEAD_ROWS:
            return self._whole_head(made, rows)
        made.preview = self._preview(quoted(made.head) if made.head else f"({made.head_query})", made)
        if wish.shape.keeps_all or len(made.preview) >= self._settings.preview_rows or not made.table.columns:
            return made
        self._database.drop("VIEW", task.relation)
        return None

    def _head_of(self, made: Made, carried: Carried, source: Made | None) -> str:
        if source is None:
            return head_of_source(carried.query).sql(dialect="duckdb")
        if not source.flows:
            return f"SELECT * FROM {quoted(made.task.relation)} LIMIT {HEAD_ROWS}"
        self._head(source)
        return over(carried.query, source.task.relation, source.head).sql(dialect="duckdb")

    def _head(self, made: Made) -> int:
        """Make the table of what flows' first rows, if it is not there yet, and return how many they are."""
        if made.head:
            return HEAD_ROWS
        made.head = f"{made.task.relation} head"
        return self._database.create("TABLE", made.head, made.head_query) or 0

    def _whole_head(self, made: Made, rows: int) -> Made:
        """All of a source was in its head: that is the table."""
        self._database.drop("VIEW", made.task.relation)
        self._database.create("TABLE", made.task.relation, f"SELECT * FROM {quoted(made.head)}")
        self._drop_head(made)
        made.kind, made.rows = "TABLE", rows
        made.preview = self._preview(quoted(made.task.relation), made)
        return made

    def _kept(self, wish: _Wish) -> Made:
        started = time.perf_counter()
        task, shape, query = wish.task, wish.shape, wish.carried.query
        if wish.carried.order and not shape.row_by_row:
            unordered = query.subquery("unordered")
            query = exp.select("*").from_(unordered).order_by(*terms(wish.carried.order), copy=False)
        cut = wish.first_rows if shape.sorts else None
        if cut is not None:
            query = query.limit(max(cut, self._settings.preview_rows), copy=False)
        made = Made(task, _table(task), "TABLE", query.sql(dialect="duckdb"), order=wish.carried.order)
        made.rows = self._database.create("TABLE", task.relation, made.query)
        whole = not shape.only_limits
        profile = self._database.profile() if whole else None
        for source in wish.sources:
            if source.flows:
                self._settling.through(source, profile, time.perf_counter() - started, whole=whole)
        if cut is not None:
            made.rows = wish.sources[0].rows
        made.preview = self._preview(quoted(task.relation), made)
        return made

    def _preview(self, source: str, made: Made) -> tuple[tuple[object, ...], ...]:
        rows = self._database.execute(
            f"SELECT {preview_columns(made.table)} FROM {source} LIMIT {self._settings.preview_rows}"
        )
        return preview_rows(rows) if made.table.columns else ()

    def _drop_head(self, made: Made) -> None:
        if made.head:
            self._database.drop("TABLE", made.head)
            made.head = ""


def _table(task: Task) -> Table:
    assert task.table is not None
    return task.table
