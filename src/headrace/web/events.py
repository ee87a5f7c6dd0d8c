"""The one event stream: from any number on, without polling, until the client leaves or the server stops.

What is delivered is read from the store, so a cut anywhere costs nothing: the next stream begins after the last number
that arrived. Refuses to keep events.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Literal

from fastapi.sse import ServerSentEvent
from starlette.concurrency import run_in_threadpool

from headrace.base.actor import Actor
from headrace.base.errors import WrongState
from headrace.workspace.workspace import Workspace

BATCH = 200
OPENED: Literal["stream.opened"] = "stream.opened"


def require_known(after: int, last: int) -> None:
    """Raise WrongState where a client knows later events than there are: it saw another database than this one."""
    if after > last:
        raise WrongState(
            "events_restarted",
            f"There is no event {after}; the last one is {last}. The data folder is another one than before.",
            "Reload the page.",
        )


class Streams:
    """Every open stream of one server, so that it can end them all."""

    def __init__(self) -> None:
        self._open: set[_Waiting] = set()
        self._closed = False

    def close(self) -> None:
        """End every stream, now and later. May be called from any thread or a signal handler."""
        self._closed = True
        for waiting in list(self._open):
            waiting.wake()

    async def follow(
        self, workspace: Workspace, actor: Actor, *, after: int, flow_id: str | None
    ) -> AsyncIterator[ServerSentEvent]:
        """Yield the owner's events after a number, as they happen, of one flow or of all.

        The first message only says where the stream begins, so that a client that is cut before any event happened
        still knows where to go on.
        """
        waiting = _Waiting(asyncio.get_running_loop())
        self._open.add(waiting)
        stop = workspace.subscribe(actor, waiting.wake)
        try:
            yield _message({"seq": after, "kind": OPENED, "flow_id": flow_id or "", "data": {}}, after)
            while not self._closed:
                waiting.again()
                found = await run_in_threadpool(workspace.events, actor, after, flow_id=flow_id, limit=BATCH)
                for event in found:
                    after = event.seq
                    yield ServerSentEvent(id=str(after), raw_data=event.model_dump_json())
                if not found and not self._closed:
                    await waiting.woken()
        finally:
            stop()
            self._open.discard(waiting)


def _message(data: dict[str, Any], number: int) -> ServerSentEvent:
    return ServerSentEvent(id=str(number), data=data)


class _Waiting:
    """A bell that rings in other threads, heard in this loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._rung = asyncio.Event()

    def wake(self) -> None:
        try:
            self._loop.call_soon_threadsafe(self._rung.set)
        except RuntimeError:  # the loop is closed: nobody listens any more
            return

    def again(self) -> None:
        self._rung.clear()

    async def woken(self) -> None:
        await self._rung.wait()
