"""The tasks of a plan, done one after the other in the run's thread; DuckDB uses all cores within each.

A node that fails takes down those that need it and nobody else.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from sqlglot import exp

from headrace.base.errors import HeadraceError
from headrace.flow.diagnostic import Diagnostic
from headrace.nodes.spec import ActionNode, Effect, Inputs, NodeFault, Produced, Relation, TableNode

from .cancel import CancelToken
from .context import Files, NodeContext
from .database import Database, opened
from .events import NodeFailed, NodeFinished, NodeSkipped, NodeStarted, RunEvent
from .exporting import export
from .failures import failure, is_of_the_data
from .made import Made
from .plan import Plan, Task
from .profile import profile
from .results import NodeResult, RunSettings
from .settling import Settling
from .shape import shape_of
from .tables import Tables


@dataclass(frozen=True, slots=True)
class Busy:
    """Which node is worked on, and since when."""

    node_id: str
    since: float


class Runner:
    """One run of one plan; `work` is called once."""

    def __init__(
        self, plan: Plan, settings: RunSettings, cancel: CancelToken, *, tell: Callable[[RunEvent | NodeResult], None]
    ) -> None:
        self._plan = plan
        self._settings = settings
        self._cancel = cancel
        self._tell = tell
        self._files = Files()
        self._database: Database | None = None
        self._lost: dict[str, str] = {}
        """Nodes that failed or were skipped, and the node whose failure it was."""
        self._queries: dict[str, exp.Query] = {}
        """Of the sources: the SELECTs that they gave when they were looked at."""
        self.busy: Busy | None = None
        self.failed = False

    def work(self) -> None:
        """Do every task; events and results are told on the way.

        Errors: Cancelled.
        """
        self._look_at_sources()
        folders = {self._settings.files.write_root, *(path.parent for path in self._settings.exports.values())}
        try:
            with opened(self._settings, self._cancel, reads=self._files.all_read(), folders=folders) as database:
                self._database = database
                try:
                    self._settling = Settling(database, self._done)
                    self._tables = Tables(database, self._settings, self._settling)
                    for task in self._plan.tasks.values():
                        self._cancel.check()
                        self._do(task)
                    self._settle_rest()
                finally:
                    self._database = None
        except OSError as error:
            # There was no place for temporary files.
            for task in self._plan.tasks.values():
                if task.node_id not in self._lost:
                    self._fail(task, failure(task, error))

    @property
    def cancelled(self) -> bool:
        """Whether the run was told to stop."""
        return self._cancel.cancelled

    def interrupt(self) -> None:
        """Make the statement that runs now stop; from any thread."""
        if (database := self._database) is not None:
            database.interrupt()

    def progress(self) -> float | None:
        """Return how much of the statement that runs now is done; from any thread."""
        database = self._database
        return database.progress() if database is not None else None

    def _look_at_sources(self) -> None:
        """Ask each source for its SELECT, so that the files that the run reads are known before the database is shut in."""
        for task in self._plan.tasks.values():
            if task.failure is None and isinstance(task.type, TableNode) and Effect.READS in task.type.effects:
                self._cancel.check()
                # What is wrong with it is told when its turn comes.
                with suppress(NodeFault, HeadraceError, OSError):
                    self._queries[task.node_id] = task.type.select(task.config, {}, self._context(task, None))

    def _do(self, task: Task) -> None:
        feeds = _feeds(task)
        because = next((self._lost[feed] for feed in feeds if feed in self._lost), None)
        if because is not None:
            self._lose(task, because)
        else:
            self.busy = Busy(task.node_id, time.perf_counter())
            self._tell(NodeStarted(node_id=task.node_id))
            if task.failure is not None:
                self._fail(task, task.failure)
            else:
                self._attempt(task, self._make_table if isinstance(task.type, TableNode) else self._act)
        if task.node_id in self._lost or not isinstance(task.type, TableNode) or not self._tables[task.node_id].flows:
            for feed in feeds:
                self._tables.release(task.node_id, feed)

    def _attempt(self, task: Task, do: Callable[[Task], None]) -> None:
        """Do something for a task; if it fails, find out which node it failed of."""
        try:
            do(task)
        except Exception as error:
            flowing = next((self._tables[feed] for feed in _feeds(task) if self._flows(feed)), None)
            self._blame(task, flowing, error)

    def _blame(self, task: Task, flowing: Made | None, error: Exception) -> None:
        culprit = self._settling.to_blame(flowing, error) if flowing is not None else None
        self._fail(culprit.task if culprit else task, self._explained(culprit.task if culprit else task, error))
        if culprit is None or flowing is None:
            return
        culprit.settled = True
        for made in (*flowing.chain[len(culprit.before) + 1 :],):
            made.settled = True
            self._lose(made.task, culprit.task.node_id)
        if task.node_id not in self._lost:
            self._lose(task, culprit.task.node_id)

    def _make_table(self, task: Task) -> None:
        assert isinstance(task.type, TableNode)
        context = self._context(task, self._database)
        sources = [self._tables[feed] for feed in _feeds(task)]
        staged = task.type.load(task.config, context)
        query = self._queries.pop(task.node_id, None)
        if query is None or staged is not None:
            query = task.type.select(task.config, _inputs(task, {m.task.node_id: m.relation for m in sources}), context)
        source_bytes = 0 if staged is not None else self._files.bytes_of(task.node_id) or 0
        first_rows = self._first_rows(task) if query.args.get("order") else None
        self._tables.make(task, query, sources, first_rows=first_rows, source_bytes=source_bytes)
        if staged is not None and self._database is not None:
            self._database.drop("TABLE", staged.name)

    def _act(self, task: Task) -> None:
        assert isinstance(task.type, ActionNode)
        context = self._context(task, self._database)
        sources = [self._tables[feed] for feed in _feeds(task)]
        once = len(sources) == 1 and _only_writes(task.type)
        for made in sources:
            if made.flows and not once:
                self._tables.keep(made)
        started = time.perf_counter()
        inputs = _inputs(task, {made.task.node_id: self._tables.seen(made) for made in sources})
        produced = task.type.run(task.config, inputs, context)
        seconds = time.perf_counter() - started
        for made in sources:
            if made.flows:
                whole = context.copied is not None
                self._settling.through(made, context.copied, seconds, rows=produced.rows, whole=whole)
        self._finish(task, produced, seconds)

    def _first_rows(self, task: Task) -> int | None:
        """How many of a table's first rows are enough for all who take it; None: they need it whole."""
        if (
            not task.followers
            or task.table is None
            or task.node_id in (*self._settings.exports, *self._settings.profiles)
        ):
            return None
        most = 0
        for follower in task.followers:
            other = self._plan.tasks[follower]
            if not isinstance(other.type, TableNode) or other.failure is not None or _feeds(other) != [task.node_id]:
                return None
            relations = {task.node_id: Relation(task.relation, task.table)}
            shape = shape_of(other.type.select(other.config, _inputs(other, relations), self._context(other, None)))
            if not shape.only_limits or shape.limit is None:
                return None
            most = max(most, shape.limit)
        return most

    def _settle_rest(self) -> None:
        """Write out what is to be exported, and let everything flow out that goes into nothing."""
        for node_id, target in self._settings.exports.items():
            if node_id in self._plan.tasks and node_id not in self._lost and self._database is not None:
                made = self._tables[node_id]
                self.busy = Busy(node_id, time.perf_counter())
                try:
                    export(self._database, self._settling, made=made, target=target)
                except Exception as error:
                    self._blame(made.task, made if made.flows else None, error)
        for made in reversed(self._tables.flowing()):
            if made.settled:
                continue
            self.busy = Busy(made.task.node_id, time.perf_counter())
            try:
                self._settling.drain(made)
            except Exception as error:
                self._blame(made.task, made, error)

    def _done(self, made: Made) -> None:
        """Tell of a table of which all is known."""
        task, rows = made.task, made.rows
        profiled = None
        if task.node_id in self._settings.profiles and self._database is not None:
            profiled = profile(task.relation, made.table, self._database.execute)
        self._tell(
            NodeResult(node_id=task.node_id, table=made.table, preview=made.preview, rows=rows, profile=profiled)
        )
        columns = len(made.table.columns)
        summary = made.summary or f"{rows:,} {_plural(rows, 'row')}, {columns:,} {_plural(columns, 'column')}"
        self._tell(
            NodeFinished(
                node_id=task.node_id,
                rows=rows,
                columns=columns,
                ms=round(made.seconds * 1000),
                bytes=self._files.bytes_of(task.node_id),
                summary=summary,
            )
        )

    def _finish(self, task: Task, produced: Produced, seconds: float) -> None:
        """Tell of an action that is done."""
        self._tell(NodeResult(node_id=task.node_id, rows=produced.rows, outputs=dict(produced.outputs)))
        sizes = [output.get("bytes") for output in produced.outputs.values() if isinstance(output, Mapping)]
        written = [size for size in sizes if isinstance(size, int)]
        self._tell(
            NodeFinished(
                node_id=task.node_id,
                rows=produced.rows,
                ms=round(seconds * 1000),
                bytes=sum(written) if written else None,
                summary=produced.summary,
            )
        )

    def _fail(self, task: Task, diagnostic: Diagnostic) -> None:
        self.failed = True
        self._lost[task.node_id] = task.node_id
        self._tell(NodeFailed(node_id=task.node_id, diagnostic=diagnostic))

    def _lose(self, task: Task, because: str) -> None:
        self._lost[task.node_id] = because
        self._tell(NodeSkipped(node_id=task.node_id, because=because))

    def _explained(self, task: Task, error: Exception) -> Diagnostic:
        """What a failure says: in the node type's own words, where it has some."""
        if isinstance(task.type, TableNode) and is_of_the_data(error):
            faults = task.type.explain(str(error), task.config, self._context(task, None))
            if faults:
                error = NodeFault(*faults)
        return failure(task, error, memory_limit=self._settings.memory_limit)

    def _flows(self, node_id: str) -> bool:
        return node_id not in self._lost and self._tables[node_id].flows

    def _context(self, task: Task, database: Database | None) -> NodeContext:
        return NodeContext(task.node_id, self._settings, files=self._files, database=database, cancel=self._cancel)


def _feeds(task: Task) -> list[str]:
    """The nodes whose tables a task takes, in the order of its ports and edges."""
    return [feed for feeds in task.feeds.values() for feed in feeds]


def _only_writes(node_type: ActionNode) -> bool:
    """Whether an action reads its input once, from the first row to the last, because all it does is write it to a file."""
    return Effect.WRITES in node_type.effects and all(port.type == "file" for port in node_type.outputs)


def _inputs(task: Task, relations: Mapping[str, Relation]) -> Inputs:
    assert task.type is not None
    ports = {port.name: () for port in task.type.inputs}
    return {port: tuple(relations[feed] for feed in task.feeds.get(port, ())) for port in ports}


def _plural(number: int | None, word: str) -> str:
    return word if number == 1 else f"{word}s"
