"""What the routes are given: the rooms below, and whose house it is. Values and references only, made by `headrace.app`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request

from headrace.assistant.turns import Assistant
from headrace.base.actor import LOCAL, Actor
from headrace.workspace.workspace import Workspace

from .events import Streams


@dataclass(frozen=True, slots=True)
class Parts:
    """All that answering needs."""

    workspace: Workspace
    assistant: Assistant
    streams: Streams
    data_folder_name: str
    """For people; never the whole path."""
    place_sample: Callable[[], Mapping[str, Any]]
    """Copies the sample's data into the files folder, unless it is there, and returns the sample flow's document."""
    actor: Actor = LOCAL


def parts_of(request: Request) -> Parts:
    """Return the parts of the application that a request came to."""
    return request.app.state.parts


Here = Annotated[Parts, Depends(parts_of)]
"""A route's parameter that brings the parts."""
