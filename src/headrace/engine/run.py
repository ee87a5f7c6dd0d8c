"""A run: a plan done task by task in a thread of its own, told as events to whoever iterates.

Owns what becomes of each node: done, failed, or skipped because of another. Refuses to keep anything: what is worth keeping
is handed over, and the database goes when the run does.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass

from .cancel import Cancelled, CancelToken
from .events import NodeProgress, RunEvent, RunFinished, RunStarted
from .plan import Plan
from .results import NodeResult, RunSettings
from .runner import Runner

_log = logging.getLogger(__name__)

_LOOK = 0.25
"""Seconds between two looks at whether something takes long."""
_LONG = 1.0
"""Seconds after which progress is told, and between two tellings."""
_GRACE = 0.8
"""Seconds that a cancelled run has to stop by itself; then its end is told, and it stops behind the scenes."""


@dataclass(frozen=True, slots=True)
class _Ended:
    """The last thing that the thread says."""

    failed: bool
    cancelled: bool


def run(plan: Plan, settings: RunSettings, cancel: CancelToken) -> Iterator[RunEvent]:
    """Return the events of a run as they happen; the run goes on while they are taken and stops when the iterator is closed.

    The first is `run.started`, the last `run.finished`. Results are handed to `settings.deliver` in between.
    """
    begun = time.perf_counter()
    yield RunStarted(run_id=settings.run_id, nodes=tuple(plan.tasks))
    inner = CancelToken()
    with cancel.waking(inner.cancel):
        said: queue.SimpleQueue[RunEvent | NodeResult | _Ended] = queue.SimpleQueue()
        runner = Runner(plan, settings, inner, tell=said.put)
        thread = threading.Thread(target=_work, args=(runner, said), name=f"run {settings.run_id}", daemon=True)
        thread.start()
        try:
            ended = yield from _listen(said, runner, settings=settings, cancel=inner)
        finally:
            inner.cancel()
            thread.join(_GRACE)
    status = "cancelled" if ended.cancelled else "failed" if ended.failed else "succeeded"
    yield RunFinished(status=status, ms=_ms(begun))


def _work(runner: Runner, said: queue.SimpleQueue[RunEvent | NodeResult | _Ended]) -> None:
    cancelled = False
    try:
        runner.work()
    except Cancelled:
        cancelled = True
    except BaseException:
        cancelled = runner.cancelled
        if not cancelled:
            _log.exception("a run broke down")
            runner.failed = True
    said.put(_Ended(failed=runner.failed, cancelled=cancelled))


def _listen(
    said: queue.SimpleQueue[RunEvent | NodeResult | _Ended],
    runner: Runner,
    *,
    settings: RunSettings,
    cancel: CancelToken,
) -> Generator[RunEvent, None, _Ended]:
    """Pass on what the thread says until it ends; return its last word."""
    told = time.perf_counter()
    stopping: float | None = None
    while True:
        try:
            something = said.get(timeout=_LOOK if stopping is None else 0.05)
        except queue.Empty:
            now = time.perf_counter()
            if cancel.cancelled:
                stopping = stopping if stopping is not None else now
                if now - stopping > _GRACE:
                    return _Ended(failed=False, cancelled=True)
                # An interrupt that comes between two statements is lost, so it is repeated.
                runner.interrupt()
            elif now - told > _LONG and (progress := _progress(runner, now)) is not None:
                told = now
                yield progress
            continue
        if isinstance(something, _Ended):
            return something
        if isinstance(something, NodeResult):
            settings.deliver(something)
        elif stopping is None or not cancel.cancelled:
            yield something


def _progress(runner: Runner, now: float) -> NodeProgress | None:
    busy = runner.busy
    if busy is None or now - busy.since < _LONG:
        return None
    return NodeProgress(node_id=busy.node_id, fraction=runner.progress())


def _ms(begun: float) -> int:
    return round((time.perf_counter() - begun) * 1000)
