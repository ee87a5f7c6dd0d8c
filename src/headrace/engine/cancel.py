"""Stopping a run from another thread: a flag that everybody asks, and the calls that wake who is busy.

Refuses to kill threads: what runs stops itself, at the next question or when DuckDB notices the interrupt.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager


class Cancelled(Exception):
    """The run was told to stop; never shown to a user, the run ends as `cancelled`."""


class CancelToken:
    """Says whether a run shall stop. Safe to use from any thread; once cancelled it stays so."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._wakers: list[Callable[[], None]] = []

    @property
    def cancelled(self) -> bool:
        """Whether the run shall stop."""
        return self._stop.is_set()

    def cancel(self) -> None:
        """Ask the run to stop, and wake whatever it waits for."""
        with self._lock:
            self._stop.set()
            wakers = tuple(self._wakers)
        for wake in wakers:
            wake()

    def check(self) -> None:
        """Return nothing while the run may go on.

        Errors: Cancelled.
        """
        if self._stop.is_set():
            raise Cancelled

    @contextmanager
    def waking(self, wake: Callable[[], None]) -> Generator[None]:
        """Within the `with`, `wake` is called on cancel, from the thread that cancels; at once if it came before."""
        with self._lock:
            self._wakers.append(wake)
            already = self._stop.is_set()
        if already:
            wake()
        try:
            yield
        finally:
            with self._lock:
                self._wakers.remove(wake)
