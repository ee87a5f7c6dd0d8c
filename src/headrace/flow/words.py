"""Operations in plain words, one sentence each, for the review list and the terminal.

Owns the wording of config values too. Refuses to know node types: it calls a node by its title, or by its type and id.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .intentions import (
    AddNode,
    Connect,
    Disconnect,
    InsertBetween,
    MoveNodes,
    Operation,
    RemoveNode,
    ReplaceNode,
    SetConfig,
    SetName,
    SetNote,
    SetParameter,
    SetTitle,
    UnsetConfig,
)
from .model import Flow, Node, PortRef

_LONGEST = 80


def describe(operation: Operation, flow: Flow) -> str:
    """Return one plain sentence, without a full stop, that says what an operation does to a flow.

    `flow` is the flow before it, for titles and old values.
    """
    match operation:
        case AddNode():
            return f"Add {called(operation.node)}{with_config(operation.node.config)}"
        case InsertBetween():
            ends = f"between {named(flow, operation.source.node)} and {named(flow, operation.target.node)}"
            return f"Add {called(operation.node)} {ends}{with_config(operation.node.config)}"
        case RemoveNode():
            return f"Remove {named(flow, operation.node_id)}"
        case ReplaceNode():
            kind = operation.type.replace("_", " ")
            return f"Make {named(flow, operation.node_id)} a {kind}{with_config(operation.config)}"
        case SetTitle():
            title = quoted(operation.title) if operation.title else "by its type again"
            return f"Call {named(flow, operation.node_id)} {title}"
        case SetConfig() | UnsetConfig():
            return _config_words(operation, flow)
        case Connect():
            return f"Connect {end_words(flow, operation.source, 'out')} to {end_words(flow, operation.target, 'in')}"
        case Disconnect():
            return (
                f"Disconnect {end_words(flow, operation.source, 'out')} from {end_words(flow, operation.target, 'in')}"
            )
        case MoveNodes():
            count = len(operation.positions)
            return f"Move {named(flow, next(iter(operation.positions)))}" if count == 1 else f"Move {count} nodes"
        case SetNote():
            if operation.note is None:
                return f"Remove the note {operation.note_id}"
            return f"{'Change' if operation.note_id in flow.notes else 'Add'} a note: {cut(operation.note.text)}"
        case SetParameter():
            return _parameter_words(operation, flow)
        case SetName():
            return f"Call the flow {quoted(operation.name)}" if operation.name else "Take the flow's name away"


def called(node: Node) -> str:
    """Return what to call a new node: `filter “Paid only”`, or `filter (filter_paid)` where it has no title."""
    kind = node.type.replace("_", " ")
    if node.title:
        return f"{kind} {quoted(node.title)}"
    return kind if kind.replace(" ", "_") == node.id else f"{kind} ({node.id})"


def named(flow: Flow | None, node_id: str) -> str:
    """Return what to call a node of a flow: its title in quotes, or its id."""
    node = flow.nodes.get(node_id) if flow is not None else None
    return quoted(node.title) if node and node.title else node_id


def end_words(flow: Flow | None, end: PortRef, usual: str) -> str:
    """Return what to call a port: its node, and the port where it is not the usual one."""
    return named(flow, end.node) + ("" if end.port == usual else f" ({end.port})")


def with_config(config: Mapping[str, Any]) -> str:
    """Return `: condition amount > 10; …` for a new node's config, empty where it has none."""
    if not config:
        return ""
    return ": " + cut("; ".join(f"{label(key)} {value_words(value)}" for key, value in config.items()), 2 * _LONGEST)


def value_words(value: Any) -> str:
    """Return a config value as people would write it, cut to one line."""
    return cut(_worded(value))


def label(key: str) -> str:
    """Return a config key as words."""
    return key.replace("_", " ")


def quoted(text: str) -> str:
    """Return a text in quotation marks, cut to one line."""
    return f"“{cut(text)}”"


def cut(text: str, longest: int = _LONGEST) -> str:
    """Return a text on one line, cut with an ellipsis; what cannot be printed, such as a terminal's escapes, is left out."""
    head = text[: 8 * longest]
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in head).split())
    if len(line) <= longest and len(head) == len(text):
        return line
    return line[: longest - 1] + "…"


def _config_words(operation: SetConfig | UnsetConfig, flow: Flow) -> str:
    node = flow.nodes.get(operation.node_id)
    before = node.config if node else {}
    name = named(flow, operation.node_id)
    if isinstance(operation, UnsetConfig):
        return f"Change {name}: no {' and no '.join(label(key) for key in operation.keys) or 'change'}"
    parts = []
    for key, value in operation.values.items():
        old = f"{value_words(before[key])} → " if key in before else ""
        parts.append(f"{label(key)} {old}{value_words(value)}")
    return f"Change {name}: {'; '.join(parts) or 'nothing'}"


def _parameter_words(operation: SetParameter, flow: Flow) -> str:
    if operation.parameter is None:
        return f"Remove the parameter {operation.name}"
    verb = "Change" if operation.name in flow.parameters else "Add"
    default = operation.parameter.default
    usual = "" if default is None else f", {value_words(default)} unless given"
    return f"{verb} the parameter {operation.name}: a {operation.parameter.type}{usual}"


def _worded(value: Any) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case str():
            return value or "empty text"
        case list():
            return ", ".join(_worded(item) for item in value) or "nothing"
        case {"$parameter": name}:
            return f"the parameter {name}"
        case {"$secret": name}:
            return f"the secret {name}"
        case dict():
            return _record_words(value)
        case _:
            return str(value)


def _record_words(value: dict[str, Any]) -> str:
    """Words for the shapes that configs are made of; any other object as `key value, …`."""
    match value:
        case {"column": column, **rest} if set(rest) <= {"descending", "nulls"}:
            return f"{column} descending" if rest.get("descending") else str(column)
        case {"name": name, "function": function, **rest} if function and set(rest) <= {"column", "expression"}:
            return f"{name} = {function}({rest.get('column') or rest.get('expression') or ''})"
        case {"name": name, "expression": expression, **rest} if expression and not any(rest.values()):
            return f"{name} = {expression}"
        case {"name": name, "type": kind} if len(value) == 2:
            return f"{name} {kind}"
        case {"left": left, "right": right} if len(value) == 2:
            return str(left) if left == right else f"{left} = {right}"
    if value and all(isinstance(item, str) for item in value.values()):
        return ", ".join(f"{old} → {new}" for old, new in value.items())
    return ", ".join(f"{label(key)} {_worded(item)}" for key, item in value.items()) or "nothing"
