"""One turn of an agent: a model, the tools, a budget. The only module beside `models` that knows Pydantic AI.

It tells what happens as plain values and ends in an `Outcome`; it raises nothing. It keeps no state between turns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from pydantic import ValidationError
from pydantic_ai import Agent, AgentRunResult, CancellationToken, UsageLimits
from pydantic_ai import Tool as AgentTool
from pydantic_ai.exceptions import RunCancelled
from pydantic_ai.messages import (
    FunctionToolCallEvent,
    FunctionToolResultEvent,
    ModelMessage,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolReturn,
    ToolReturnPart,
)

from headrace.base.canonical import digest
from headrace.base.errors import HeadraceError
from headrace.flow.faults import sentences
from headrace.tools.result import refusal
from headrace.tools.spec import Tool, ToolContext, ToolResult

from .budget import Budget
from .failures import RepeatedFailure, explain

if TYPE_CHECKING:
    from pydantic_ai.models import Model

_FAULTS = 12


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The model said so much more."""

    delta: str


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A tool is being called."""

    call_id: str
    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """A tool has answered."""

    call_id: str
    name: str
    summary: str
    failed: bool


Happening = TextDelta | ToolStarted | ToolFinished


@dataclass(frozen=True, slots=True)
class Usage:
    """What a turn used. Token counts are the provider's own, or an estimate for a model that counts none."""

    rounds: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    tool_calls: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a turn ended. What was staged before it ended stays staged, whatever the status."""

    status: Literal["answered", "failed", "stopped"]
    reply: str
    messages: tuple[ModelMessage, ...] = ()
    usage: Usage = Usage()
    code: str = ""
    """The error's stable code where it failed."""


@dataclass(frozen=True, slots=True)
class Turn:
    """All that one turn needs."""

    model: Model
    instructions: str
    request: str
    briefing: str
    context: ToolContext
    tools: Sequence[Tool]
    history: Sequence[ModelMessage] = ()
    budget: Budget = field(default_factory=Budget)
    cancellation: CancellationToken = field(default_factory=CancellationToken)


async def run_turn(turn: Turn, tell: Callable[[Happening], None]) -> Outcome:
    """Return how the turn ended; `tell` hears everything on the way, in order."""
    said: list[str] = []
    results = _Results(turn.context)
    agent = Agent(
        turn.model,
        instructions=turn.instructions,
        tools=[_adapt(tool, results) for tool in turn.tools],
        retries=turn.budget.bad_calls,
    )
    prompt = [turn.request, turn.briefing] if turn.briefing else [turn.request]
    try:
        async with agent.run_stream_events(
            prompt,
            message_history=list(turn.history),
            usage_limits=_limits(turn.budget),
            cancellation_token=turn.cancellation,
            timeout=turn.budget.seconds,
        ) as events:
            async for event in events:
                _relay(event, said, tell)
            return _answered(events.result, said=said, results=results)
    except RunCancelled as error:
        if isinstance(error, TimeoutError):
            return _ended(error, said=said, results=results)
        return Outcome("stopped", "".join(said), (), Usage(tool_calls=results.calls))
    except Exception as error:  # the one place where whatever a provider or a library raises becomes an answer
        return _ended(error, said=said, results=results)


def _answered(result: AgentRunResult[str] | None, *, said: list[str], results: _Results) -> Outcome:
    """Return the outcome of a run that came to its end."""
    if result is None:
        raise RuntimeError("the run ended without a result")
    used = result.usage
    usage = Usage(used.requests, used.input_tokens or 0, used.output_tokens or 0, results.calls)
    messages = tuple(result.all_messages())
    return Outcome("answered", _last_text(messages) or "".join(said), messages, usage)


def _ended(error: Exception, *, said: list[str], results: _Results) -> Outcome:
    code, reason = explain(error)
    spoken = "".join(said).strip()
    reply = f"{spoken}\n\n{reason}" if spoken else reason
    return Outcome("failed", reply, (), Usage(tool_calls=results.calls), code)


class _Results:
    """What the tools of one turn answered, by call, and which calls have failed before."""

    def __init__(self, context: ToolContext) -> None:
        self.context = context
        self.calls = 0
        self.last: ToolResult | None = None
        self._failed: set[str] = set()

    def call(self, tool: Tool, arguments: dict[str, Any]) -> ToolResult:
        self.calls += 1
        result = self.last = _call(tool, self.context, arguments)
        if result.failed:
            signature = digest([tool.name, arguments, result.text])
            if signature in self._failed:
                raise RepeatedFailure(f"{tool.name} failed twice in the same way: {result.summary}")
            self._failed.add(signature)
        return result


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


def _adapt(tool: Tool, results: _Results) -> AgentTool:
    def call(**arguments: Any) -> ToolReturn:
        result = results.call(tool, arguments)
        shown = {"summary": result.summary, "failed": result.failed, "data": dict(result.data)}
        return ToolReturn(return_value=result.text, metadata=shown)

    # one after the other: the calls of a round build on one draft
    return AgentTool.from_schema(call, tool.name, tool.summary, tool.schema(), sequential=True)


def _limits(budget: Budget) -> UsageLimits:
    return UsageLimits(
        request_limit=budget.rounds,
        tool_calls_limit=budget.tool_calls,
        total_tokens_limit=budget.tokens,
    )


def _relay(event: Any, said: list[str], tell: Callable[[Happening], None]) -> None:
    match event:
        case PartStartEvent(part=TextPart(content=text)) | PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
            if text:
                said.append(text)
                tell(TextDelta(text))
        case FunctionToolCallEvent(part=part):
            said.clear()
            tell(ToolStarted(part.tool_call_id, part.tool_name, part.args_as_dict()))
        case FunctionToolResultEvent(part=part):
            shown = part.metadata if isinstance(part, ToolReturnPart) else None
            summary = (shown or {}).get("summary") or str(part.content).split("\n", 1)[0][:120]
            failed = bool((shown or {"failed": True})["failed"])
            tell(ToolFinished(part.tool_call_id, part.tool_name or "", summary, failed))
        case _:
            pass


def _last_text(messages: Sequence[ModelMessage]) -> str:
    """Return the words of the last answer: what was said before a tool call is not the reply."""
    if not messages:
        return ""
    parts = [part.content for part in messages[-1].parts if isinstance(part, TextPart)]
    return "".join(parts)
