"""Passes on what happens in a turn as events of the workspace: text gathered for a moment, tool calls and what leaves at once."""

from __future__ import annotations

import time

from headrace.base.actor import Actor
from headrace.workspace.workspace import Workspace

from .loop import Happening, TextDelta, ToolStarted
from .sharing import Gate

_GATHER = 0.04
"""Seconds of text that one event gathers."""


class Teller:
    """Tells of one turn."""

    def __init__(self, workspace: Workspace, actor: Actor, turn_id: str) -> None:
        self._workspace = workspace
        self._actor = actor
        self._turn_id = turn_id
        self._text: list[str] = []
        self._told = time.monotonic()

    def hear(self, happening: Happening) -> None:
        """Take one thing that happened."""
        if isinstance(happening, TextDelta):
            self._text.append(happening.delta)
            if time.monotonic() - self._told >= _GATHER:
                self.flush()
            return
        self.flush()
        if isinstance(happening, ToolStarted):
            state, arguments, summary = "started", happening.arguments, ""
        else:
            state, arguments, summary = "failed" if happening.failed else "finished", None, happening.summary
        self._workspace.note_tool(
            self._actor,
            self._turn_id,
            call_id=happening.call_id,
            name=happening.name,
            state=state,
            arguments=arguments,
            summary=summary,
        )

    def leaving(self, provider: str, gate: Gate, size: int) -> None:
        """Write down that a request of `size` bytes goes to a provider; where that cannot be written, it does not go."""
        self._workspace.note_sent(self._actor, self._turn_id, provider=provider, kinds=gate.told, size=size)

    def flush(self) -> None:
        """Tell the text gathered so far."""
        if self._text:
            self._workspace.note_text(self._actor, self._turn_id, "".join(self._text))
        self._text.clear()
        self._told = time.monotonic()
