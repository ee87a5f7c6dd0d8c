"""What a tool is: a name, a schema, an effect class and a call; the context that a call is made in, and what it answers.

An answer says which of its lines hold data of the user's, and what the call did. Deciding who may read it is not done here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from pydantic import model_validator

from headrace.base.actor import Actor
from headrace.base.data_kinds import DataKind
from headrace.base.value import Value
from headrace.workspace.judging import Judged
from headrace.workspace.stopping import Stop
from headrace.workspace.workspace import Workspace

EffectClass = Literal["read", "edit", "run"]

RESULT_LIMIT = 4_000
"""Characters of a tool's text by default; what is left out is said."""


class Arguments(Value):
    """Base of every tool's arguments: frozen, unknown fields refused.

    A list or an object that arrives as JSON in a text is read as what it means: small models write them so.
    """

    @model_validator(mode="before")
    @classmethod
    def _unwrapped(cls, given: Any) -> Any:
        if not isinstance(given, Mapping):
            return given
        texts = {name for name, field in cls.model_fields.items() if field.annotation is str}
        return {name: value if name in texts else unwrapped(value) for name, value in given.items()}


class NoArguments(Arguments):
    """A tool that takes nothing."""


@dataclass(slots=True)
class Draft:
    """The one changeset that a turn works on: that of the chat which nobody has decided about, or none until the first edit."""

    changeset_id: str | None = None
    edited: bool = False
    """Whether this turn put anything into it."""
    told: dict[str, str] = field(default_factory=dict)
    """The columns that the caller was told last, by `node.port`: only what became different is told again."""
    known: Judged | None = None
    """The flow of which that was told."""


@dataclass(frozen=True, slots=True)
class ToolContext:
    """In whose name, on which flow and in which turn a tool is called."""

    workspace: Workspace
    actor: Actor
    flow_id: str
    turn_id: str | None = None
    draft: Draft = field(default_factory=Draft)
    stop: Stop = field(default_factory=Stop)
    """Given when the turn is stopped: what runs for it ends, and nothing more is staged."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines that belong together, and the most telling kind of data in them."""

    text: str
    kind: DataKind = "columns"
    instead: str = ""
    """What stands in their place for a reader who may not be told that kind; empty: a note that something was kept back."""


@dataclass(frozen=True, slots=True)
class Record:
    """Something that a call did: what a claim in a reply can point to."""

    kind: Literal["edit", "check", "run"]
    of: str = ""
    """The changeset or the run; empty for a run that was thrown away and a check of what is not staged."""
    words: str = ""
    """How it went, for people."""
    ok: bool = True
    """Whether it left nothing to mend."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answers: a short text for whoever reads, and the same facts as JSON."""

    text: str
    data: Mapping[str, Any] = field(default_factory=dict)
    summary: str = ""
    """One line for the live list of what is being done: `Read 3 columns of orders.csv`."""
    failed: bool = False
    unfinished: bool = False
    """What was staged does not work yet: it has errors, or a trial run of it fails."""
    passages: tuple[Passage, ...] = ()
    """The text in parts, where some of it holds data; empty: none of it does."""
    records: tuple[Record, ...] = ()

    @classmethod
    def of(cls, passages: Iterable[Passage], **rest: Any) -> Self:
        """Return the result whose text these passages make."""
        told = tuple(passages)
        return cls(clip("\n".join(each.text for each in told)), passages=told, **rest)


@dataclass(frozen=True, slots=True)
class Tool:
    """One thing an agent may do."""

    name: str
    summary: str
    """What it does and when to use it, in plain words: the model reads this."""
    arguments: type[Arguments]
    effect: EffectClass
    call: Callable[[ToolContext, Any], ToolResult]

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the arguments, without the noise that costs tokens."""
        schema = self.arguments.model_json_schema()
        slim = _without_titles(schema)
        slim.pop("description", None)
        return slim


def unwrapped(value: Any) -> Any:
    """Return a value with the lists and objects in it that were written as JSON texts."""
    if isinstance(value, list | tuple):
        return [unwrapped(item) for item in value]
    if not isinstance(value, str) or value.strip()[:1] not in ("[", "{"):
        return value
    try:
        found = json.loads(value)
    except ValueError:
        return value
    return unwrapped(found) if isinstance(found, list) else found


def clip(text: str, limit: int = RESULT_LIMIT) -> str:
    """Return the text, cut at a line end where it is longer than the limit, with a note of what is missing."""
    if len(text) <= limit:
        return text
    room = limit - 80
    cut = text.rfind("\n", 0, room)
    kept = text[: cut if cut > room // 2 else room]
    return f"{kept}\n… {len(text) - len(kept)} more characters; ask for less or for a part."


def _without_titles(node: Any) -> Any:
    """Drop the titles that pydantic derives from field names: they tell a model nothing."""
    if isinstance(node, list):
        return [_without_titles(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: {name: _without_titles(field) for name, field in value.items()}
        if key in ("properties", "$defs") and isinstance(value, dict)
        else _without_titles(value)
        for key, value in node.items()
        if not (key == "title" and isinstance(value, str))
    }
