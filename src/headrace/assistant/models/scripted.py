"""A model whose answers are written beforehand: for tests, ours and those of whoever builds on Headrace."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage
    from pydantic_ai.models import Model
    from pydantic_ai.models.function import AgentInfo


@dataclass(frozen=True, slots=True)
class Say:
    """An answer in words; it is streamed word by word."""

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """An answer that calls one tool."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    """What is said before the call."""


@dataclass(frozen=True, slots=True)
class Fail:
    """An answer that breaks off: the error is raised in the middle of the stream."""

    error: Exception
    after: str = ""


Answer = Say | Call | Fail


class Script:
    """A queue of answers; the model takes one for each request. `seen` keeps what it was asked."""

    def __init__(self, *answers: Answer) -> None:
        self._answers = deque(answers)
        self.seen: list[list[ModelMessage]] = []

    def enqueue(self, *answers: Answer) -> None:
        """Add answers at the end."""
        self._answers.extend(answers)

    def model(self) -> Model:
        """Return the model that gives these answers.

        Errors: RuntimeError when it is asked more often than there are answers.
        """
        from pydantic_ai.models.function import FunctionModel

        return FunctionModel(stream_function=self._answer, model_name="scripted")

    async def _answer(self, messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
        from pydantic_ai.models.function import DeltaToolCall

        del info
        self.seen.append(list(messages))
        if not self._answers:
            raise RuntimeError("The script has no answer left; enqueue one for each request.")
        answer = self._answers.popleft()
        if isinstance(answer, Fail):
            if answer.after:
                yield answer.after
            raise answer.error
        for word in answer.text.splitlines(keepends=True):
            yield word
        if isinstance(answer, Call):
            call_id = f"call_{len(self.seen)}"
            arguments = json.dumps(dict(answer.arguments))
            yield {1: DeltaToolCall(name=answer.name, json_args=arguments, tool_call_id=call_id)}
