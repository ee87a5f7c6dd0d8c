"""The planner as a model like any other: it reads the messages of a turn and answers with tool calls or text.

Keeps nothing between answers: what is known is read back from the messages, so a turn can be resumed.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from headrace.flow.model import EMPTY, flow_from_document
from headrace.nodes.catalog import Catalog
from headrace.nodes.spec import Column

from .planner import Planner
from .situation import Call, Decision, FileFacts, Outcome, Situation, ValueFound

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage
    from pydantic_ai.models import Model
    from pydantic_ai.models.function import AgentInfo

LOOK = (Call("list_files", {}), Call("read_outline", {}))
"""What is looked at first in every turn."""
MOST_FILES = 24
"""Files that are described; of more, those named in the request."""
_ENDINGS = {"ask": "asked", "decline": "declined"}


@dataclass(frozen=True, slots=True)
class Answered:
    """A call of this turn with what came back."""

    call: Call
    text: str
    data: dict[str, Any]
    failed: bool


def offline_model(catalog: Catalog) -> Model:
    """Return the offline planner as a model."""
    from pydantic_ai.models.function import DeltaToolCall, FunctionModel

    planner = Planner(catalog)

    async def answer(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
        del info
        requests, answered = read_messages(messages)
        decision = next_decision(planner, requests, answered)
        # the loop reads how the turn ended: words alone do not tell a question from an answer
        model.ending = _ENDINGS.get(decision.kind, "")  # ty: ignore[missing-attribute]
        account = () if decision.calls else decision.account
        model.account = [  # ty: ignore[missing-attribute]
            {"clause": part.words, "meaning": part.became, "assumed": part.assumed} for part in account
        ]
        text = "" if decision.calls else decision.text()
        for line in text.splitlines(keepends=True):
            yield line
        for number, call in enumerate(decision.calls):
            call_id = f"call_{len(answered) + number + 1}"
            arguments = json.dumps(dict(call.arguments))
            yield {number: DeltaToolCall(name=call.tool, json_args=arguments, tool_call_id=call_id)}

    model = FunctionModel(stream_function=answer, model_name="offline")
    return model


def next_move(planner: Planner, requests: Sequence[str], answered: Sequence[Answered]) -> tuple[tuple[Call, ...], str]:
    """Return the calls to make next, or no calls and the reply that ends the turn."""
    decision = next_decision(planner, requests, answered)
    return decision.calls, "" if decision.calls else decision.text()


def next_decision(planner: Planner, requests: Sequence[str], answered: Sequence[Answered]) -> Decision:
    """Return what to do next: first the looks that every turn begins with, then what the planner decides."""
    done = {each.call.tool for each in answered}
    look = tuple(call for call in LOOK if call.tool not in done)
    if look:
        return Decision("need", calls=look)
    describe = tuple(_undescribed(answered, requests[-1]))
    if describe:
        return Decision("need", calls=describe)
    return planner.answer(situation_of(requests, answered))


def situation_of(requests: Sequence[str], answered: Sequence[Answered]) -> Situation:
    """Return all that the planner may go by, from the requests and this turn's answered calls."""
    described = [each for each in answered if each.call.tool == "describe_file"]
    outline = next((each.data for each in answered if each.call.tool == "read_outline"), {})
    values = [each for each in answered if each.call.tool == "find_values"]
    apart = {"list_files", "describe_file", "read_outline", "find_values"}
    return Situation(
        request=requests[-1],
        earlier=tuple(requests[:-1]),
        files=tuple(_facts(each) for each in described if not each.failed),
        unreadable={str(each.call.arguments["path"]): each.text for each in described if each.failed},
        flow=flow_from_document(outline["document"]) if outline.get("document") else EMPTY,
        columns={
            node_id: _columns(ports["out"]) for node_id, ports in outline.get("columns", {}).items() if "out" in ports
        },
        values=tuple(_values(values)) if values else None,
        outcomes=tuple(
            Outcome(each.call, each.data, each.failed, each.text if each.failed else "")
            for each in answered
            if each.call.tool not in apart
        ),
    )


def read_messages(messages: Sequence[ModelMessage]) -> tuple[list[str], list[Answered]]:
    """Return the person's requests, oldest first, and the calls answered since the last of them."""
    from pydantic_ai.messages import ToolCallPart, ToolReturnPart, UserPromptPart

    requests: list[str] = []
    answered: list[Answered] = []
    made: dict[str, Call] = {}
    for part in (part for message in messages for part in message.parts):
        match part:
            case UserPromptPart(content=content):
                requests.append(content if isinstance(content, str) else str(content[0]))
                answered, made = [], {}
            case ToolCallPart():
                made[part.tool_call_id] = Call(part.tool_name, part.args_as_dict())
            case ToolReturnPart(metadata=shown) if part.tool_call_id in made:
                kept = shown or {}
                answered.append(
                    Answered(
                        made[part.tool_call_id],
                        str(part.content),
                        kept.get("data", {}),
                        bool(kept.get("failed", not kept)),
                    )
                )
            case _:
                pass
    return requests, answered


def _undescribed(answered: Sequence[Answered], request: str) -> Iterator[Call]:
    seen = {each.call.arguments["path"] for each in answered if each.call.tool == "describe_file"}
    files = next(each.data.get("files", []) for each in answered if each.call.tool == "list_files")
    paths = [str(file["path"]) for file in files]
    if len(paths) > MOST_FILES:
        folded = request.casefold()
        named = [path for path in paths if path.rsplit("/", 1)[-1].split(".")[0].casefold() in folded]
        paths = (named or paths)[:MOST_FILES]
    return (Call("describe_file", {"path": path, "rows": 20}) for path in paths if path not in seen)


def _facts(described: Answered) -> FileFacts:
    data = described.data
    return FileFacts(
        path=str(data["path"]),
        columns=_columns(data["columns"]),
        rows=tuple(tuple(row) for row in data.get("rows", ())),
        notes=tuple(data.get("notes", ())),
    )


def _columns(columns: Sequence[dict[str, str]]) -> tuple[Column, ...]:
    return tuple(Column(name=column["name"], type=column["type"]) for column in columns)


def _values(answered: Sequence[Answered]) -> Iterator[ValueFound]:
    for each in answered:
        for found in each.data.get("values", ()):
            yield ValueFound(found["words"], found["path"], found["column"], found["value"], found.get("count", 0))
