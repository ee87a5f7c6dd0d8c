"""Runs in the background: worker threads that pull the engine's events, and one scribe that writes them down.

The scribe takes whatever has gathered while it wrote last, so a run of a thousand quick nodes costs a few transactions
and a slow node is told of at once. Owns threads and live state; refuses to know flows, plans or who may run what.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from headrace.base.actor import Actor
from headrace.base.clock import Clock
from headrace.base.errors import HeadraceError, Unavailable
from headrace.base.value import Value
from headrace.engine.cancel import CancelToken
from headrace.engine.results import NodeResult
from headrace.store.protocol import Store, Writing
from headrace.store.records import NodeResultRecord, RunRecord

from . import events, happenings
from .budgets import Budgets
from .events import Bell
from .views import NodeRunView, RunView

Job = Callable[[CancelToken, Callable[[NodeResult], None]], Iterator[Any]]
"""Takes the token and where results are delivered; yields the engine's events."""

_log = logging.getLogger(__name__)
_SHUTDOWN_SECONDS = 5.0


@dataclass(slots=True, eq=False)
class _Active:
    """A run that is not over yet."""

    actor: Actor
    record: RunRecord
    view: RunView
    job: Job
    token: CancelToken = field(default_factory=CancelToken)
    over: threading.Event = field(default_factory=threading.Event)
    result: NodeResult | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class _Ended:
    """The last thing that the scribe hears of a run."""

    status: Any
    ms: int | None = None
    note: str = ""


class Runner:
    """Starts runs, stops them, tells how they are."""

    def __init__(self, store: Store, bell: Bell, clock: Clock, *, budgets: Budgets) -> None:
        self._store = store
        self._bell = bell
        self._clock = clock
        self._budgets = budgets
        self._guard = threading.Lock()
        self._active: dict[tuple[str, str], _Active] = {}
        self._unwritten: dict[tuple[str, str], RunView] = {}
        self._waiting: queue.SimpleQueue[_Active | None] = queue.SimpleQueue()
        self._news: queue.SimpleQueue[tuple[_Active, Any] | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._workers = 0
        self._closed = False

    def start(self, actor: Actor, record: RunRecord, view: RunView, *, job: Job) -> None:
        """Let a run begin as soon as a worker is free; its record is kept already.

        Errors: Unavailable when too many wait.
        """
        active = _Active(actor, record, view, job)
        with self._guard:
            if self._closed or len(self._active) >= self._budgets.runs_waiting:
                raise Unavailable("too_many_runs", "Too many runs are waiting.", "Wait for one to end, or cancel one.")
            self._active[record.owner, record.run_id] = active
            self._open_threads()
        self._waiting.put(active)

    def live(self, actor: Actor, run_id: str) -> RunView | None:
        """Return a run that is not over, as it stands this moment."""
        with self._guard:
            active = self._active.get((actor.owner, run_id))
            return active.view if active else self._unwritten.get((actor.owner, run_id))

    def cancel(self, actor: Actor, run_id: str, *, note: str = "") -> None:
        """Ask a run to stop; does nothing where it is over."""
        with self._guard:
            active = self._active.get((actor.owner, run_id))
        if active is not None:
            active.note = active.note or note
            active.token.cancel()
            if active.view.status == "queued":
                self._news.put((active, _Ended("cancelled", 0)))

    def cancel_flow(self, actor: Actor, flow_id: str) -> None:
        """Ask every run of a flow to stop, and wait until they have."""
        with self._guard:
            theirs = [each for each in self._active.values() if each.record.flow_id == flow_id]
        for active in theirs:
            if active.actor.owner == actor.owner:
                self.cancel(actor, active.record.run_id, note="The flow was deleted.")
                active.over.wait(_SHUTDOWN_SECONDS)

    def wait(self, actor: Actor, run_id: str, timeout: float | None) -> bool:
        """Return whether the run is over; wait up to `timeout` s for that, without end for None."""
        with self._guard:
            active = self._active.get((actor.owner, run_id))
        return active is None or active.over.wait(timeout)

    def close(self) -> None:
        """Cancel everything and end the threads; what was running is written down as cancelled."""
        with self._guard:
            self._closed = True
            active = list(self._active.values())
        for each in active:
            self.cancel(each.actor, each.record.run_id, note="Headrace was shut down.")
        for each in active:
            each.over.wait(_SHUTDOWN_SECONDS)
        for _ in range(self._workers):
            self._waiting.put(None)
        self._news.put(None)
        for thread in self._threads:
            thread.join(_SHUTDOWN_SECONDS)

    def _open_threads(self) -> None:
        """Open what is still missing of the threads; the guard is held."""
        if not self._threads:
            self._threads.append(threading.Thread(target=self._write, name="headrace-scribe", daemon=True))
            self._threads[-1].start()
        if self._workers < min(self._budgets.runs_at_once, len(self._active)):
            self._workers += 1
            self._threads.append(threading.Thread(target=self._work, name="headrace-run", daemon=True))
            self._threads[-1].start()

    def _work(self) -> None:
        while (active := self._waiting.get()) is not None:
            if not active.token.cancelled:
                self._run(active)

    def _run(self, active: _Active) -> None:
        limit = threading.Timer(self._budgets.run_seconds, self._out_of_time, args=(active,))
        limit.daemon = True
        limit.start()
        try:
            for told in active.job(active.token, lambda result: self._news.put((active, result))):
                self._news.put((active, told))
            self._news.put((active, _Ended("failed", note="The run ended without saying how.")))
        except HeadraceError as error:
            self._news.put((active, _Ended("failed", note=str(error))))
        except Exception:
            _log.exception("run %s broke", active.record.run_id)
            self._news.put((active, _Ended("failed", note="Something went wrong inside Headrace; it is in the log.")))
        finally:
            limit.cancel()

    def _out_of_time(self, active: _Active) -> None:
        seconds = f"{self._budgets.run_seconds:,g}"
        self.cancel(active.actor, active.record.run_id, note=f"Stopped after {seconds} s, the most a run may take.")

    def _write(self) -> None:
        """The scribe: writes what has gathered, wakes who waits, and waits for more."""
        closing = False
        while not closing:
            gathered = [self._news.get()]
            while not self._news.empty():
                gathered.append(self._news.get())
            closing = None in gathered
            self._write_down([each for each in gathered if each is not None])

    def _write_down(self, news: list[tuple[_Active, Any]]) -> None:
        by_run: dict[int, tuple[_Active, list[Any]]] = {}
        for active, told in news:
            by_run.setdefault(id(active), (active, []))[1].append(told)
        for active, tellings in by_run.values():
            if active.view.over:
                continue
            try:
                with self._store.transaction(durable=any(_is_last(told) for told in tellings)) as tx:
                    for told in tellings:
                        self._take(tx, active, told)
            except Exception as error:
                self._give_up(active, error)
            if active.view.over:
                self._forget(active)
            self._bell.ring(active.record.owner)

    def _take(self, tx: Writing, active: _Active, told: Any) -> None:
        """Write down one piece of news of a run that is not over."""
        if active.view.over:
            return
        if isinstance(told, NodeResult):
            active.result = told
            return
        happened = self._apply(active, told)
        now = self._clock.now()
        if told_of := getattr(happened, "node_id", None):
            self._keep_node(tx, active, told_of)
        if active.view.status != active.record.status:
            active.record = replace(active.record, status=active.view.status, body=body_of(active.view), updated_at=now)
            tx.replace(active.record)
        events.append(tx, active.actor, happened, flow_id=active.record.flow_id, now=now)

    def _apply(self, active: _Active, told: Any) -> Value:
        """Move the live view on by one piece of news; return what is to be told of it."""
        run_id, view = active.record.run_id, active.view
        if _is_last(told):
            note = " ".join(part for part in (view.note, active.note, getattr(told, "note", "")) if part)
            active.view = view.model_copy(update={"status": told.status, "ms": told.ms, "note": note})
            return happenings.RunFinished(run_id=run_id, status=told.status, ms=told.ms, answer=view.answer, note=note)
        if told.event == "run.started":
            nodes = {node_id: NodeRunView() for node_id in told.nodes}
            active.view = view.model_copy(update={"status": "running", "nodes": nodes})
            return happenings.RunStarted(
                run_id=run_id,
                number=view.number,
                changeset_id=view.changeset_id,
                to=view.to,
                dry_run=view.dry_run,
                note=view.note,
                nodes=told.nodes,
            )
        node = node_after(view.nodes.get(told.node_id, NodeRunView()), told, active.result)
        active.view = view.model_copy(update={"nodes": {**view.nodes, told.node_id: node}})
        facts = told.model_dump(exclude={"event"})
        return _TOLD[told.event](run_id=run_id, **facts)

    def _keep_node(self, tx: Writing, active: _Active, node_id: str) -> None:
        node = active.view.nodes[node_id]
        if node.status in ("waiting", "running"):
            return
        result = active.result if active.result is not None and active.result.node_id == node_id else None
        body: dict[str, Any] = {"node": node.model_dump(mode="json"), "columns": [], "rows": [], "total": None}
        if result is not None and result.table is not None:
            body["columns"] = [column.model_dump() for column in result.table.columns]
            body["rows"] = [list(row) for row in result.preview[: self._budgets.preview_rows]]
            body["total"] = result.rows
        active.result = None
        record = active.record
        kept = NodeResultRecord(owner=record.owner, run_id=record.run_id, node_id=node_id, body=body)
        where = {"run_id": record.run_id, "node_id": node_id}
        # A node that was done fails after all where its table cannot be written to the file that was asked for.
        again = node.status == "failed" and tx.find(NodeResultRecord, record.owner, where=where, limit=1)
        (tx.replace if again else tx.add)(kept)

    def _give_up(self, active: _Active, error: Exception) -> None:
        """What happened cannot be written down: stop that run, and say so to those who still ask after it."""
        _log.error("run %s cannot be written down", active.record.run_id, exc_info=error)
        active.token.cancel()
        note = f"Its record could not be kept: {error if isinstance(error, HeadraceError) else 'see the log'}"
        active.view = active.view.model_copy(update={"status": "failed", "note": note})
        with self._guard:
            self._unwritten[active.record.owner, active.record.run_id] = active.view

    def _forget(self, active: _Active) -> None:
        with self._guard:
            self._active.pop((active.record.owner, active.record.run_id), None)
        active.over.set()


def _is_last(told: Any) -> bool:
    return isinstance(told, _Ended) or getattr(told, "event", "") == "run.finished"


_TOLD: dict[str, Callable[..., Value]] = {
    "node.started": happenings.NodeStarted,
    "node.progress": happenings.NodeProgress,
    "node.finished": happenings.NodeFinished,
    "node.failed": happenings.NodeFailed,
    "node.skipped": happenings.NodeSkipped,
}


def body_of(view: RunView) -> dict[str, Any]:
    """Return what a run's record holds besides its own fields; its nodes are kept one by one."""
    kept = view.model_dump(mode="json", include={"to", "dry_run", "note", "ms", "answer"})
    return {**kept, "order": list(view.nodes)}


def node_after(node: NodeRunView, told: Any, result: NodeResult | None) -> NodeRunView:
    """Return what a node did as it stands after an event about it; `result` is the last one delivered."""
    match told.event:
        case "node.started":
            return node.model_copy(update={"status": "running"})
        case "node.progress":
            return node.model_copy(update={"fraction": told.fraction})
        case "node.failed":
            return node.model_copy(update={"status": "failed", "diagnostic": told.diagnostic, "fraction": None})
        case "node.skipped":
            return node.model_copy(update={"status": "skipped", "because": told.because})
        case _:
            facts = told.model_dump(exclude={"event", "node_id"})
            mine = result is not None and result.node_id == told.node_id
            outputs = result.outputs if mine and result is not None else {}
            return node.model_copy(update={**facts, "status": "succeeded", "fraction": None, "outputs": outputs})
