"""The calls of one turn: reads their arguments, makes them one after the other, and stops a model that goes in circles.

Keeps what they did, and what is still wrong with the staged flow, so that a turn does not end on it unsaid. Their answers
pass the gate. Knows no model.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from headrace.base.canonical import digest
from headrace.base.errors import HeadraceError
from headrace.flow.faults import sentences
from headrace.tools.result import refusal
from headrace.tools.spec import Record, Tool, ToolContext, ToolResult

from .budget import Budget
from .failures import RepeatedFailure
from .sharing import Gate

_FAULTS = 12
_SAME_ANSWERS = 3
"""So often a call may answer the same: the second time it is said shortly, then the turn ends."""
_UNDER_WAY = ("queued", "running")


class Calls:
    """What the tools of one turn were asked and answered."""

    def __init__(self, context: ToolContext, tools: Sequence[Tool], budget: Budget, *, gate: Gate) -> None:
        self.made = 0
        self.records: list[Record] = []
        """What they did, in order."""
        self._context = context
        self._gate = gate
        self._budget = budget
        self._written = re.compile(
            rf"\"(?:name|tool|function)\"\s*:\s*\"({'|'.join(tool.name for tool in tools)})\"|<tool_call>"
        )
        self._answers: Counter[str] = Counter()
        self._failures = 0
        self._open = ""
        self._reminded = False

    def make(self, tool: Tool, arguments: dict[str, Any]) -> ToolResult:
        """Return what a tool answers; a call that cannot be made or is refused is a result too.

        Errors: RepeatedFailure where going on would only burn the budget.
        """
        self.made += 1
        result = self._gate.result(_call(tool, self._context, arguments))
        self.records += result.records
        self._open = result.text if result.unfinished else "" if tool.effect == "edit" else self._open
        self._failures = self._failures + 1 if result.failed else 0
        times = self._count(tool, arguments, result)
        if result.failed and (times > 1 or self._failures > self._budget.failures):
            how = "twice in the same way" if times > 1 else f"{self._failures} times in a row"
            raise RepeatedFailure(f"{tool.name} failed {how}: {result.summary}")
        if times > _SAME_ANSWERS:
            raise RepeatedFailure(f"{tool.name} was called again and again, with the same answer each time")
        if times > 1:
            return ToolResult(
                "The same as when you asked before. Go on with it, or reply.", result.data, result.summary
            )
        return result

    def objection(self, reply: str) -> str:
        """Return what to tell a model instead of taking its reply, or nothing: the reply stands. Each is said once."""
        if found := self._written.search(reply):
            name = found[1] or "the tool"
            return f"Nothing was done: a call written into the reply reaches nobody. Call {name} as a tool."
        if self._open and not self._reminded:
            self._reminded = True
            return (
                f"The flow that you staged does not work yet. Mend it, or say plainly what is in the way.\n{self._open}"
            )
        return ""

    def _count(self, tool: Tool, arguments: dict[str, Any], result: ToolResult) -> int:
        """Return how often this call has given this answer; waiting for a run is not counted."""
        if result.data.get("status") in _UNDER_WAY:
            return 1
        signature = digest([tool.name, arguments, result.text])
        self._answers[signature] += 1
        return self._answers[signature]


def _call(tool: Tool, context: ToolContext, arguments: dict[str, Any]) -> ToolResult:
    try:
        parsed = tool.arguments.model_validate(arguments)
    except ValidationError as error:
        known = ", ".join(tool.arguments.model_fields) or "none"
        faults = [f"- {sentence}" for sentence in sentences(error)[:_FAULTS]]
        text = "\n".join([f"Not done (bad_arguments): {tool.name} takes the arguments {known}.", *faults])
        return ToolResult(text, summary="the arguments do not fit", failed=True)
    try:
        return tool.call(context, parsed)
    except HeadraceError as error:
        return refusal(error)
