"""The records a flow is made of: node, edge, note, parameter, point. Each is a frozen value that checks itself.

Refuses values that JSON cannot hold, so that whatever is in a flow can be stored, hashed, sent and read back the same.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from headrace.base.canonical import canonical
from headrace.base.value import Value

MODULUS = 1 << 2048
"""Record weights are added modulo this number (SPEC F4)."""
_WEIGHT_BYTES = 256
_DEEPEST = 32
_WIDEST = 10**38

Kind = Literal["parameters", "nodes", "edges", "notes", "layout"]
KINDS: tuple[Kind, ...] = ("parameters", "nodes", "edges", "notes", "layout")


def plain_json(value: Any, path: str = "", depth: int = 0) -> Any:
    """Return a copy of a value made of JSON types alone, all the way down.

    Errors: ValueError, naming the place, where something in it is not JSON, or is nested deeper than 32 levels.
    """
    match value:
        case None | bool():
            return value
        case str():
            return _text(value, path)
        case int():
            if abs(value) >= _WIDEST:
                raise ValueError(f"{_at(path)} is a whole number of more than 38 digits; write it as text")
            return int(value)
        case float():
            if not math.isfinite(value):
                raise ValueError(f"{_at(path)} is {value!r}, which JSON cannot hold; use null or text")
            return float(value)
    if depth >= _DEEPEST:
        raise ValueError(f"{_at(path)} is nested deeper than {_DEEPEST} levels; flatten it")
    match value:
        case list() | tuple():
            return [plain_json(item, f"{path}[{n}]", depth + 1) for n, item in enumerate(value)]
        case dict():
            return {_key(key, path): plain_json(item, f"{path}.{key}", depth + 1) for key, item in value.items()}
    raise ValueError(
        f"{_at(path)} is a {type(value).__name__}, which is not a JSON value; write it as text or a number"
    )


def _at(path: str) -> str:
    return f"the value at {path.lstrip('.')!r}" if path else "the value"


def _key(key: Any, path: str) -> str:
    if not isinstance(key, str):
        raise ValueError(f"{_at(path)} has the key {key!r}; keys must be text")
    return _text(key, path)


def _text(text: str, path: str = "") -> str:
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise ValueError(f"{_at(path)} holds half of a character (a lone surrogate); write it whole") from None
    return str(text)


def _shown(text: str) -> str:
    return _text(text)


Id = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,63}$")]
TypeName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_.-]{0,99}$")]
Line = Annotated[str, Field(max_length=300), AfterValidator(_shown)]
Prose = Annotated[str, Field(max_length=20_000), AfterValidator(_shown)]
Json = Annotated[Any, BeforeValidator(plain_json)]
RecordJson = Annotated[Any, BeforeValidator(lambda value: plain_json(value, depth=-2))]
"""A whole record, or a part of one: a config in it may be as deep as it may be by itself."""
JsonObject = Annotated[dict[str, Any], BeforeValidator(plain_json)]
Coordinate = Annotated[float, Field(ge=-1e7, le=1e7, allow_inf_nan=False)]
Extent = Annotated[float, Field(gt=0, le=1e5, allow_inf_nan=False)]


class Record(Value):
    """Base of what a flow keeps by key. What follows from the fields is worked out once for each object."""

    kind: ClassVar[Kind]

    @property
    def key(self) -> str:
        """The key under which the flow keeps this record."""
        raise NotImplementedError

    @cached_property
    def document(self) -> dict[str, Any]:
        """This record as plain JSON; nobody writes into it."""
        return self.model_dump(mode="json")

    @cached_property
    def weight(self) -> int:
        """What this record adds to its flow's content sum: shake_256 of its canonical bytes, as 2,048 bits."""
        content = canonical([self.kind, self.key, self.document])
        return int.from_bytes(hashlib.shake_256(content).digest(_WEIGHT_BYTES), "big")

    def changed(self, **fields: Any) -> Self:
        """Return a copy with other fields; the caller vouches for their values."""
        copy = self.__copy__()
        for memo in ("document", "weight"):
            copy.__dict__.pop(memo, None)
        copy.__dict__.update(fields)
        copy.__pydantic_fields_set__.update(fields)
        return copy

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy with other fields, as pydantic does, without what was worked out for the old ones."""
        del deep
        return self.changed(**(update or {}))


class Point(Value):
    """A place on the canvas, in its own units; y grows downwards."""

    x: Coordinate
    y: Coordinate

    @cached_property
    def document(self) -> dict[str, Any]:
        """This point as plain JSON; nobody writes into it."""
        return {"x": self.x, "y": self.y}


class Node(Record):
    """One thing that is done, with its config."""

    kind: ClassVar[Kind] = "nodes"

    id: Id
    """Readable and never changed: lower-case words with `_`, such as `filter_paid`."""
    type: TypeName
    """The name of its node type."""
    version: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    """The version of the node type that the config was written for."""
    title: Line = ""
    """What people read; empty: the node type's own title."""
    config: JsonObject = Field(default={})
    """Values by config key: literals, `{"$parameter": name}` or `{"$secret": name}`."""

    @property
    def key(self) -> str:
        """The node's id."""
        return self.id

    @cached_property
    def document(self) -> dict[str, Any]:
        """This node as plain JSON; nobody writes into it. The config is plain already and is shared."""
        fields = {"id": self.id, "type": self.type, "version": self.version, "title": self.title}
        return {**fields, "config": self.config}


class PortRef(Value):
    """A port of a node."""

    node: Id
    port: Id

    def __str__(self) -> str:
        return f"{self.node}.{self.port}"


class Edge(Record):
    """What leaves one port arrives at another. Its id follows from its ends, so two writers of one edge agree."""

    kind: ClassVar[Kind] = "edges"

    source: PortRef
    target: PortRef

    @cached_property
    def id(self) -> str:
        """`a.out>b.in`."""
        return f"{self.source}>{self.target}"

    @property
    def key(self) -> str:
        """The edge's id."""
        return self.id

    @cached_property
    def document(self) -> dict[str, Any]:
        """This edge as plain JSON; nobody writes into it."""
        ends = {"source": self.source, "target": self.target}
        return {side: {"node": end.node, "port": end.port} for side, end in ends.items()}


class Note(Record):
    """A remark on the canvas; it means nothing to a run."""

    kind: ClassVar[Kind] = "notes"

    id: Id
    text: Prose
    at: Point | None = None
    width: Extent | None = None
    height: Extent | None = None
    color: Annotated[str, Field(pattern=r"^[a-z0-9#]{0,32}$")] = ""

    @property
    def key(self) -> str:
        """The note's id."""
        return self.id


class Parameter(Record):
    """A value that a run may be given; configs refer to it as `{"$parameter": name}`."""

    kind: ClassVar[Kind] = "parameters"

    name: Id
    type: Literal["text", "number", "date", "bool"]
    default: Json = None
    """Used where a run gives none; null: the run must give one. Dates are written as `2026-01-31`."""
    description: Line = ""

    @property
    def key(self) -> str:
        """The parameter's name."""
        return self.name

    @model_validator(mode="after")
    def _default_fits(self) -> Self:
        if self.default is None or fits_type(self.default, self.type):
            return self
        raise ValueError(f"the default {self.default!r} is not a {self.type}; give one that is, or null")


def fits_type(value: Any, parameter_type: str) -> bool:
    """Return whether a JSON value is of a parameter's type."""
    match parameter_type:
        case "text":
            return isinstance(value, str)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "bool":
            return isinstance(value, bool)
        case _:
            return isinstance(value, str) and _is_date(value)


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def parameters_in(value: Any) -> frozenset[str]:
    """Return the names of the parameters that a config value refers to, at any depth."""
    return frozenset(_references(value, "$parameter"))


def secrets_in(value: Any) -> frozenset[str]:
    """Return the names of the secrets that a config value refers to, at any depth."""
    return frozenset(_references(value, "$secret"))


def _references(value: Any, mark: str) -> Iterator[str]:
    if isinstance(value, dict):
        name = value.get(mark)
        if len(value) == 1 and isinstance(name, str):
            yield name
            return
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _references(item, mark)
