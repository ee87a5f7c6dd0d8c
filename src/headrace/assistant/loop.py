"""One turn of an agent: a model, the tools, a budget. The only module beside `models` that knows Pydantic AI.

It tells what happens as plain values and ends in an `Outcome`; it raises nothing. It keeps no state between turns.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import pydantic_ai
from pydantic_ai import Agent, AgentRunResult, CancellationToken, ModelRetry, RunUsage, UsageLimits
from pydantic_ai import Tool as AgentTool
from pydantic_ai.exceptions import RunCancelled
from pydantic_ai.messages import (
    FunctionToolCallEvent,
    FunctionToolResultEvent,
    ModelMessage,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolReturn,
    ToolReturnPart,
)
from pydantic_ai.usage import UsageLimitUnavailableWarning

from headrace.base.letters import whole_letters
from headrace.tools.spec import Record, Tool, ToolContext

from .budget import Budget
from .calls import Calls
from .failures import CUT_SHORT, explain
from .sharing import Gate

if TYPE_CHECKING:
    from pydantic_ai.models import Model

# what is on the terminal is ours: the library would show its own first-run notice there
pydantic_ai.BANNER_ENABLED = False  # ty: ignore[invalid-assignment]
# an endpoint that counts no tokens is held by rounds, calls and seconds: nothing that a user could act on
warnings.filterwarnings("ignore", category=UsageLimitUnavailableWarning)


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
    """The error's stable code where it failed; where it answered: `asked`, `declined`, or empty if the model does not tell."""
    records: tuple[Record, ...] = ()
    """What the turn's tools did, in order."""
    account: tuple[dict[str, Any], ...] = ()
    """What each clause of the request became, `{clause, meaning, assumed}`, where the model tells it apart from its words."""


@dataclass(frozen=True, slots=True)
class Turn:
    """All that one turn needs."""

    model: Model
    instructions: str
    request: str
    briefing: str
    context: ToolContext
    tools: Sequence[Tool]
    gate: Gate = field(default_factory=Gate)
    """What the tools answer passes here; the briefing and the history have."""
    history: Sequence[ModelMessage] = ()
    budget: Budget = field(default_factory=Budget)
    cancellation: CancellationToken = field(default_factory=CancellationToken)


@dataclass(slots=True)
class _Heard:
    """What a model has said since its last call, and whether it has answered anything at all before that."""

    text: list[str] = field(default_factory=list)
    before: bool = False


async def run_turn(turn: Turn, tell: Callable[[Happening], None]) -> Outcome:
    """Return how the turn ended; `tell` hears everything on the way, in order."""
    heard = _Heard()
    used = RunUsage()
    calls = Calls(turn.context, turn.tools, turn.budget, gate=turn.gate)
    outcome = await _outcome(turn, calls, heard, used=used, tell=tell)
    reply = whole_letters(outcome.reply)
    return replace(outcome, reply=reply, usage=_usage(used, calls), records=tuple(calls.records))


async def _outcome(
    turn: Turn, calls: Calls, heard: _Heard, *, used: RunUsage, tell: Callable[[Happening], None]
) -> Outcome:
    prompt = [turn.request, turn.briefing] if turn.briefing else [turn.request]
    try:
        async with _agent(turn, calls, heard).run_stream_events(
            prompt,
            message_history=list(turn.history),
            usage=used,
            usage_limits=_limits(turn.budget),
            cancellation_token=turn.cancellation,
            timeout=turn.budget.seconds,
        ) as events:
            async for event in events:
                _relay(event, heard, tell)
            outcome = _answered(events.result, heard)
            # what rules tell beside their words: how the turn ends, and their reading of the request
            account = _clauses(getattr(turn.model, "account", ()))
            return replace(outcome, code=getattr(turn.model, "ending", ""), account=account)
    except RunCancelled as error:
        if isinstance(error, TimeoutError):
            return _ended(error, heard)
        return Outcome("stopped", "".join(heard.text))
    except Exception as error:  # the one place where whatever a provider or a library raises becomes an answer
        return _ended(error, heard)


def _agent(turn: Turn, calls: Calls, heard: _Heard) -> Agent[None, str]:
    """Return the agent of a turn: it may not end on a call written as text, nor silently on a flow that does not work."""
    agent = Agent(
        turn.model,
        instructions=turn.instructions,
        tools=[_adapt(tool, calls) for tool in turn.tools],
        retries=turn.budget.bad_calls,
    )

    @agent.output_validator
    def judged(reply: str) -> str:
        if hasattr(turn.model, "ending"):  # rules that say themselves how their turn ends need no reminder
            return reply
        if objection := calls.objection(reply):
            heard.text.clear()
            heard.before = True
            raise ModelRetry(objection)
        return reply

    return agent


def _answered(result: AgentRunResult[str] | None, heard: _Heard) -> Outcome:
    """Return the outcome of a run that came to its end."""
    if result is None:
        raise RuntimeError("the run ended without a result")
    messages = tuple(result.all_messages())
    reply = _last_text(messages) or "".join(heard.text)
    last = messages[-1] if messages else None
    if isinstance(last, ModelResponse) and last.finish_reason == "length":
        reply += "\n\n" + CUT_SHORT
    return Outcome("answered", reply, messages)


def _clauses(account: Any) -> tuple[dict[str, Any], ...]:
    """Return a model's account in its one form."""
    return tuple(
        {
            "clause": str(each["clause"]),
            "meaning": str(each["meaning"]),
            "assumed": bool(each.get("assumed", False)),
        }
        for each in account or ()
    )


def _ended(error: Exception, heard: _Heard) -> Outcome:
    code, reason = explain(error, heard=bool(heard.text) or heard.before)
    spoken = "".join(heard.text).strip()
    return Outcome("failed", f"{spoken}\n\n{reason}" if spoken else reason, code=code)


def _usage(used: RunUsage, calls: Calls) -> Usage:
    return Usage(used.requests, used.input_tokens or 0, used.output_tokens or 0, calls.made)


def _adapt(tool: Tool, calls: Calls) -> AgentTool:
    def call(**arguments: Any) -> ToolReturn:
        result = calls.make(tool, arguments)
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


def _relay(event: Any, heard: _Heard, tell: Callable[[Happening], None]) -> None:
    match event:
        case PartStartEvent(part=TextPart(content=text)) | PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
            if text:
                heard.text.append(text)
                tell(TextDelta(whole_letters(text)))
        case FunctionToolCallEvent(part=part):
            heard.text.clear()
            heard.before = True
            tell(ToolStarted(part.tool_call_id, part.tool_name, part.args_as_dict()))
        case FunctionToolResultEvent(part=part):
            shown = part.metadata if isinstance(part, ToolReturnPart) else None
            unread = part.content if isinstance(part.content, str) else "The call could not be read"
            summary = (shown or {}).get("summary") or unread.split("\n", 1)[0][:120]
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
