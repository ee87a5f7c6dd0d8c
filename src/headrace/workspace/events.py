"""Events: appended in the transaction of what they tell, read on from any number, waited for without polling.

Owns the bell that wakes who waits. Refuses to hold events in memory: the store is the one place where they are.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import datetime

from headrace.base.actor import Actor
from headrace.base.value import Value
from headrace.store.protocol import Store, Writing
from headrace.store.records import EventRecord

from .views import Event


def append(tx: Writing, actor: Actor, happening: Value, *, flow_id: str, now: datetime) -> EventRecord:
    """Return what happened as an event of the transaction, with its number."""
    data = happening.model_dump(mode="json", exclude={"kind"})
    kind: str = getattr(happening, "kind")  # noqa: B009 -- every happening has one; `Value` does not say so
    return tx.append(EventRecord(owner=actor.owner, seq=0, flow_id=flow_id, kind=kind, data=data, created_at=now))


class Bell:
    """Wakes everybody who waits for news of an owner. Rung after a transaction that appended events."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._rung: dict[str, int] = {}
        self._listeners: dict[int, tuple[str, Callable[[], None]]] = {}
        self._next = 0
        self._closed = False

    def ring(self, owner: str) -> None:
        """Tell an owner's waiters that there is something to read."""
        with self._changed:
            self._rung[owner] = self._rung.get(owner, 0) + 1
            self._changed.notify_all()
            listeners = [call for whose, call in self._listeners.values() if whose == owner]
        for call in listeners:
            call()

    def times(self, owner: str) -> int:
        """Return how often it has rung for an owner: ask before looking, then wait for more."""
        with self._changed:
            return self._rung.get(owner, 0)

    def wait(self, owner: str, *, since: int, timeout: float) -> bool:
        """Return whether it rang for the owner after it had rung `since` times; wait up to `timeout` s for that."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._rung.get(owner, 0) > since, timeout=max(0.0, timeout))
            return not self._closed and self._rung.get(owner, 0) > since

    def listen(self, owner: str, call: Callable[[], None]) -> Callable[[], None]:
        """Call `call` at each ring, from the thread that rings; return what ends that. `call` must be quick."""
        with self._changed:
            number, self._next = self._next, self._next + 1
            self._listeners[number] = (owner, call)

        def stop() -> None:
            with self._changed:
                self._listeners.pop(number, None)

        return stop

    def close(self) -> None:
        """Wake everybody for good."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


class Events:
    """The workspace's part for reading and awaiting events."""

    def __init__(self, store: Store, bell: Bell) -> None:
        self._store = store
        self._bell = bell

    def read(self, actor: Actor, after_seq: int, *, flow_id: str | None, limit: int) -> list[Event]:
        """Return the owner's events after a number, oldest first."""
        where = {"flow_id": flow_id} if flow_id else None
        with self._store.reading() as view:
            records = view.find(EventRecord, actor.owner, where=where, after=after_seq, limit=limit)
        return [shown(record) for record in records]

    def wait(self, actor: Actor, after_seq: int, *, flow_id: str | None, limit: int, timeout: float) -> list[Event]:
        """Return the owner's events after a number as soon as there are any, or nothing after `timeout` s."""
        end = time.monotonic() + timeout
        while True:
            rung = self._bell.times(actor.owner)
            found = self.read(actor, after_seq, flow_id=flow_id, limit=limit)
            if found or not self._bell.wait(actor.owner, since=rung, timeout=end - time.monotonic()):
                return found


def shown(record: EventRecord) -> Event:
    """Return an event as its reader sees it."""
    return Event(seq=record.seq, kind=record.kind, flow_id=record.flow_id, at=record.created_at, data=record.data)
