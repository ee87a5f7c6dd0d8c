"""What later turns are told of a turn: its messages as JSON, bare of what a later turn gets afresh."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    TextPart,
    ToolReturnPart,
    UserPromptPart,
)

from headrace.tools.spec import clip

_LONGEST_RESULT = 600
"""Characters that are kept of a tool's answer."""


def history_of(transcripts: Sequence[Any]) -> list[ModelMessage]:
    """Return the messages of the turns that left these transcripts, oldest first."""
    return [message for each in transcripts for message in ModelMessagesTypeAdapter.validate_python(each)]


def transcript_of(messages: Sequence[ModelMessage], *, request: str, reply: str) -> Any:
    """Return a turn's own messages as JSON; of one that broke off, which has none, its two ends.

    Requests lose their briefing, results the facts beside their text and what is beyond their first lines: a later turn
    is briefed afresh.
    """
    kept = messages or (
        ModelRequest(parts=[UserPromptPart(content=request)]),
        ModelResponse(parts=[TextPart(content=reply)]),
    )
    bare = [
        replace(message, parts=[_bare(part) for part in message.parts])
        if isinstance(message, ModelRequest)
        else message
        for message in kept
    ]
    return ModelMessagesTypeAdapter.dump_python(bare, mode="json")


def _bare(part: ModelRequestPart) -> ModelRequestPart:
    match part:
        case UserPromptPart(content=[str(request), *_]):
            return replace(part, content=request)
        case ToolReturnPart(content=str(text)):
            return replace(part, content=clip(text, _LONGEST_RESULT), metadata=None)
        case ToolReturnPart():
            return replace(part, metadata=None)
        case _:
            return part
