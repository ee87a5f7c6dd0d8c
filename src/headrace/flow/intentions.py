"""What may be intended: the thirteen operations as frozen values, and the ways in which they may be written.

Operations name nodes and ports, never positions or indexes. None knows its own inverse: that comes free from `patch.diff`.
Refuses to know how they are applied; that is `operations`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from headrace.base.value import Value

from .records import Id, JsonObject, Line, Node, Note, Parameter, Point, PortRef, TypeName


def _end(default_port: str) -> BeforeValidator:
    def read(given: Any) -> Any:
        if isinstance(given, str):
            node, _, port = given.partition(".")
            return {"node": node, "port": port or default_port}
        if isinstance(given, Mapping) and "port" not in given:
            return {**given, "port": default_port}
        return given

    return BeforeValidator(read)


def _end_schema(default_port: str) -> WithJsonSchema:
    described = f"A port: node.port, or the node's id alone for its port {default_port!r}."
    ends = {
        "type": "object",
        "properties": {"node": {"type": "string"}, "port": {"type": "string"}},
        "required": ["node"],
    }
    return WithJsonSchema({"anyOf": [{"type": "string"}, ends], "description": described}, mode="validation")


Source = Annotated[PortRef, _end("out"), _end_schema("out")]
Target = Annotated[PortRef, _end("in"), _end_schema("in")]


class AddNode(Value):
    """Add a node."""

    op: Literal["add_node"] = "add_node"
    node: Node
    at: Point | None = None
    """Where on the canvas; left out: the canvas finds a place."""


class RemoveNode(Value):
    """Remove a node, its edges and its place."""

    op: Literal["remove_node"] = "remove_node"
    node_id: Id


class ReplaceNode(Value):
    """Make a node another type, with a whole new config; its id, title, edges and place stay."""

    op: Literal["replace_node"] = "replace_node"
    node_id: Id
    type: TypeName
    config: JsonObject = Field(default={})
    version: Annotated[int, Field(ge=1, le=1_000_000)] = 1


class SetTitle(Value):
    """Call a node something else."""

    op: Literal["set_title"] = "set_title"
    node_id: Id
    title: Line


class SetConfig(Value):
    """Set some config values; the others stay."""

    op: Literal["set_config"] = "set_config"
    node_id: Id
    values: JsonObject


class UnsetConfig(Value):
    """Take config values out, so that their defaults hold."""

    op: Literal["unset_config"] = "unset_config"
    node_id: Id
    keys: tuple[Line, ...]


class Connect(Value):
    """Let what leaves one port arrive at another."""

    op: Literal["connect"] = "connect"
    source: Source
    target: Target


class Disconnect(Value):
    """Remove an edge."""

    op: Literal["disconnect"] = "disconnect"
    source: Source
    target: Target


class InsertBetween(Value):
    """Put a new node into an edge: source → node → target."""

    op: Literal["insert_between"] = "insert_between"
    source: Source
    target: Target
    node: Node
    in_port: Id = "in"
    out_port: Id = "out"
    at: Point | None = None
    """Where on the canvas; left out: the canvas finds a place."""


class MoveNodes(Value):
    """Move nodes on the canvas."""

    op: Literal["move_nodes"] = "move_nodes"
    positions: dict[Id, Point]


class SetNote(Value):
    """Write a note on the canvas, or with null remove it."""

    op: Literal["set_note"] = "set_note"
    note_id: Id
    note: Note | None

    @model_validator(mode="before")
    @classmethod
    def _name_the_note(cls, given: Any) -> Any:
        return _with_inner(given, inner="note", field="id", outer="note_id")


class SetParameter(Value):
    """Declare a parameter or change it, or with null remove it."""

    op: Literal["set_parameter"] = "set_parameter"
    name: Id
    parameter: Parameter | None

    @model_validator(mode="before")
    @classmethod
    def _name_the_parameter(cls, given: Any) -> Any:
        return _with_inner(given, inner="parameter", field="name", outer="name")


class SetName(Value):
    """Call the flow something else."""

    op: Literal["set_name"] = "set_name"
    name: Line


Operation = Annotated[
    AddNode
    | RemoveNode
    | ReplaceNode
    | SetTitle
    | SetConfig
    | UnsetConfig
    | Connect
    | Disconnect
    | InsertBetween
    | MoveNodes
    | SetNote
    | SetParameter
    | SetName,
    Field(discriminator="op"),
]


def _with_inner(given: Any, *, inner: str, field: str, outer: str) -> Any:
    """The inner record may leave out its own id, which the operation already says; two ids must agree."""
    if not isinstance(given, Mapping) or not isinstance(given.get(inner), Mapping):
        record = given.get(inner) if isinstance(given, Mapping) else None
        own = getattr(record, field, None)
    else:
        given = {**given, inner: {field: given.get(outer), **given[inner]}}
        own = given[inner][field]
    if own is not None and own != given.get(outer):
        raise ValueError(f"{outer} is {given.get(outer)!r} and {inner}.{field} is {own!r}; make the two the same")
    return given
