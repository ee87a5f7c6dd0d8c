"""The tasks of a plan, done one after the other in the run's thread; DuckDB uses all cores within each.

A node that fails takes down those that need it and nobody else.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

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
from .values import quoted


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
        self._over: set[str] = set()
        self.busy: Busy | None = None
        self.failed = False

    def work(self) -> None:
        """Do every task; events and results are told on the way.

        Errors: Cancelled.
        """
        self._look_at_sources()
        try:
            with opened(
                self._settings, self._cancel, reads=self._files.all_read(), folders=(self._settings.files.write_root,)
            ) as database:
                self._database = database
                self._settling = Settling(database, self._done)
                self._tables = Tables(database, self._settings, self._settling)
                for task in self._plan.tasks.values():
                    self._cancel.check()
                    self._do(task)
                self._drain()
                self._database = None
        except OSError as error:
            self._all_lost(error)

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
                    task.type.select(task.config, {}, self._context(task, None))

    def _do(self, task: Task) -> None:
        feeds = _feeds(task)
        because = next((self._lost[feed] for feed in feeds if feed in self._lost), None)
        if because is not None:
            self._skip(task, because)
        else:
            self.busy = Busy(task.node_id, time.perf_counter())
            self._tell(NodeStarted(node_id=task.node_id))
            if task.failure is not None:
                self._fail(task, task.failure)
            elif isinstance(task.type, TableNode):
                self._attempt(task, self._make_table)
            elif isinstance(task.type, ActionNode):
                self._attempt(task, self._act)
        if task.node_id in self._lost or not isinstance(task.type, TableNode) or not self._tables[task.node_id].flows:
            for feed in feeds:
                self._tables.release(task.node_id, feed)

    def _attempt(self, task: Task, do: Callable[[Task], None]) -> None:
        try:
            do(task)
        except Exception as error:
            culprit = task
            if is_of_the_data(error):
                culprit = self._to_blame(task, error) or task
            self._fail(culprit, self._explained(culprit, error))
            if culprit is not task:
                for made in self._tables[_flowing_feed(task, self._tables)].chain:
                    if not made.settled and made.task.node_id not in self._over:
                        pass
                self._lose(task, culprit.node_id)

    def _to_blame(self, task: Task, error: Exception) -> Task | None:
        for feed in _feeds(task):
            made = self._tables[feed]
            if made.flows and (culprit := self._settling.to_blame(made, error)) is not None:
                return culprit.task
        return None
