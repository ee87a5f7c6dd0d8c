"""What later turns are told of a turn: its messages as JSON, bare of what a later turn gets afresh."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolReturnPart,
    UserPromptPart,
)

from headrace.base.data_kinds import DataKind
from headrace.base.letters import whole_letters
from headrace.tools.spec import clip

_LONGEST_RESULT = 600
"""Characters that are kept of a tool's answer."""
_KEPT_BACK = "[What was answered holds data that is not shared with you. The flow shows what came of it.]"


def history_of(transcripts: Iterable[Any], *, lets: Callable[[Iterable[DataKind]], bool]) -> list[ModelMessage]:
    """Return the messages of the turns that left these transcripts, oldest first.

    Of a turn that was told kinds of data which may not pass now, `lets` says, only the person's words remain.
    """
    return [message for each in transcripts for message in _messages(each, lets)]


def _messages(transcript: Any, lets: Callable[[Iterable[DataKind]], bool]) -> Iterator[ModelMessage]:
    messages = ModelMessagesTypeAdapter.validate_python(transcript["messages"])
    if lets(transcript["told"]):
        yield from messages
        return
    said = [part for message in messages for part in message.parts if isinstance(part, UserPromptPart)]
    yield ModelRequest(parts=said[:1])
    yield ModelResponse(parts=[TextPart(content=_KEPT_BACK)])


def transcript_of(messages: Sequence[ModelMessage], *, request: str, reply: str, told: Iterable[DataKind]) -> Any:
    """Return a turn's own messages as JSON, with the kinds of data they may hold; of one that broke off, its two ends.

    Requests lose their briefing, results the facts beside their text and what is beyond their first lines: a later turn
    is briefed afresh.
    """
    kept = messages or (
        ModelRequest(parts=[UserPromptPart(content=request)]),
        ModelResponse(parts=[TextPart(content=reply)]),
    )
    bare = [replace(message, parts=[_bare(part) for part in message.parts]) for message in kept]
    return {"told": list(told), "messages": ModelMessagesTypeAdapter.dump_python(bare, mode="json")}


def _bare(part: Any) -> Any:
    match part:
        case UserPromptPart(content=[str(request), *_]):
            return replace(part, content=request)
        case ToolReturnPart(content=str(text)):
            return replace(part, content=clip(text, _LONGEST_RESULT), metadata=None)
        case ToolReturnPart():
            return replace(part, metadata=None)
        case TextPart(content=text) | ThinkingPart(content=text):
            return replace(part, content=whole_letters(text))
        case _:
            return part
