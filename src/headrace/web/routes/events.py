"""The event stream."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query
from fastapi.sse import EventSourceResponse

from headrace.web.events import require_known
from headrace.web.parts import Here
from headrace.web.shapes import StreamEvent

router = APIRouter(tags=["events"])


def beginning(
    parts: Here,
    after: Annotated[int | None, Query(ge=0)] = None,
    last_event_id: Annotated[str | None, Header()] = None,
) -> int:
    """Return the number after which a stream begins: the client's own, or the last that there is.

    Settled before the answer begins, so that whoever asks for the flow once the stream is open misses nothing between.
    """
    last = parts.workspace.last_seq(parts.actor)
    known = int(last_event_id) if last_event_id and last_event_id.isascii() and last_event_id.isdigit() else after
    if known is None:
        return last
    require_known(known, last)
    return known


@router.get("/events", response_class=EventSourceResponse)
async def events(
    parts: Here, after: Annotated[int, Depends(beginning)], flow_id: str | None = None
) -> AsyncIterator[StreamEvent]:
    """Follow what happens, of one flow or of all. Goes on after `Last-Event-ID`, or `after`, or from now on."""
    async for event in parts.streams.follow(parts.workspace, parts.actor, after=after, flow_id=flow_id):
        # It is written already: the wire form of a StreamEvent.
        yield event  # ty: ignore[invalid-yield]
