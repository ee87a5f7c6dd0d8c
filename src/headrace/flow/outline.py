"""A flow as a few lines of text, for models and people: one line a node, in the order in which data runs.

    clean: filter “Paid only” <- orders  condition: amount > 10  => id BIGINT, amount DOUBLE

Deterministic and capped; what is left out is counted. Every text from the flow stays on its own line, so that nothing in a
title or a config can pass for another line.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .model import Edge, Flow, Node
from .order import order
from .words import cut

Columns = Sequence[tuple[str, str]]
"""Names and types, in order."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much an outline may hold."""

    nodes: int = 100
    config: int = 240
    """Characters of one node's config."""
    columns: int = 24
    """Columns named for one node."""
    text: int = 12_000
    """Characters of the whole; the first node is always shown."""


def outline(
    flow: Flow,
    schemas: Mapping[str, Columns] | None = None,
    limits: Limits | None = None,
    *,
    focus: Iterable[str] | None = None,
) -> str:
    """Return the flow as text, without a newline at the end.

    `schemas` are the columns that leave a node, where they are known. With `focus`, those nodes and their neighbours alone.
    """
    limits = limits or Limits()
    lines = [_head(flow), *_parameter_lines(flow)]
    ways = order(flow)
    every = (*ways.sequence, *ways.circular)
    wanted = _around(flow, focus) if focus is not None else flow.nodes
    chosen = [node_id for node_id in every if node_id in wanted]
    shown, room = 0, limits.text - sum(len(line) + 1 for line in lines)
    for node_id in chosen[: limits.nodes]:
        line = _node_line(flow, node_id, schemas=schemas or {}, limits=limits)
        if node_id in ways.circular:
            line += "  (in or behind a circle)"
        room -= len(line) + 1
        if shown and room < 0:
            break
        lines.append(line)
        shown += 1
    if rest := len(every) - shown:
        lines.append(f"… {rest} more node{'s' if rest > 1 else ''}")
    if flow.notes:
        lines += [f"note {note_id}: {cut(note.text, 120)}" for note_id, note in sorted(flow.notes.items())[:10]]
    if len(flow.notes) > 10:
        lines.append(f"… {len(flow.notes) - 10} more notes")
    return "\n".join(lines)


def node_line(flow: Flow, node_id: str, schemas: Mapping[str, Columns] | None = None) -> str:
    """Return the line that stands for one node of the flow, uncut."""
    whole = Limits(config=1_000_000, columns=1_000_000)
    return _node_line(flow, node_id, schemas=schemas or {}, limits=whole)


def value_text(value: Any) -> str:
    """Return a config value on one line: text as it is where it cannot be taken for anything else, else compact JSON."""
    if isinstance(value, str) and _plain(value):
        return value
    text = json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
    if text.isprintable():
        return text
    # JSON leaves some line separators and direction marks as they are; here they could begin a line or turn one round.
    return "".join(letter if letter.isprintable() else json.dumps(letter)[1:-1] for letter in text)


def _head(flow: Flow) -> str:
    name = f"flow {value_text([flow.name])[1:-1]}" if flow.name else "flow"
    if not flow.nodes:
        return f"{name}: empty"
    return f"{name}: {_count(len(flow.nodes), 'node')}, {_count(len(flow.edges), 'edge')}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _parameter_lines(flow: Flow) -> Iterable[str]:
    for name, parameter in sorted(flow.parameters.items()):
        default = "" if parameter.default is None else f" = {value_text(parameter.default)}"
        about = f"  {cut(parameter.description, 120)}" if parameter.description else ""
        yield f"parameter {name}: {parameter.type}{default}{about}"


def _node_line(flow: Flow, node_id: str, *, schemas: Mapping[str, Columns], limits: Limits) -> str:
    node = flow.nodes[node_id]
    title = f" “{cut(node.title)}”" if node.title else ""
    arriving = flow.edges_into(node_id)
    parts = [f"{node_id}: {node.type}{title}" + _arrivals(arriving)]
    if config := _config_text(node, limits.config):
        parts.append(config)
    if node_id in schemas:
        parts.append(f"=> {_columns_text(schemas[node_id], _twin(node_id, arriving, schemas), limits.columns)}")
    return "  ".join(parts)


def _arrivals(edges: Sequence[Edge]) -> str:
    if not edges:
        return ""
    named = []
    for edge in edges:
        source = edge.source.node if edge.source.port == "out" else str(edge.source)
        named.append(source if edge.target.port == "in" else f"{edge.target.port}={source}")
    return " <- " + ", ".join(named)


def _config_text(node: Node, longest: int) -> str:
    text = "  ".join(f"{key}: {value_text(value)}" for key, value in node.config.items())
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _twin(node_id: str, arriving: Sequence[Edge], schemas: Mapping[str, Columns]) -> str:
    """The one node that a node takes from, where it has the very same columns and naming it is shorter."""
    feeders = {edge.source.node for edge in arriving}
    if len(feeders) != 1 or len(schemas[node_id]) <= 3:
        return ""
    feeder = feeders.pop()
    return feeder if tuple(schemas.get(feeder, ())) == tuple(schemas[node_id]) else ""


def _columns_text(columns: Columns, twin: str, most: int) -> str:
    if twin:
        return f"same columns as {twin}"
    named = [f"{_column_name(name)} {kind}" for name, kind in columns[:most]]
    if (rest := len(columns) - len(named)) > 0:
        named.append(f"… {rest} more columns")
    return ", ".join(named) or "no columns"


def _column_name(name: str) -> str:
    return name if name.isidentifier() else '"' + cut(name.replace('"', '""')) + '"'


def _around(flow: Flow, focus: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for node_id in focus:
        if node_id in flow.nodes:
            found.add(node_id)
            found.update(edge.source.node for edge in flow.edges_into(node_id))
            found.update(edge.target.node for edge in flow.edges_from(node_id))
    return found


def _plain(text: str) -> bool:
    """Whether a text can stand as it is: on one line, and not to be taken for JSON or for the next config key."""
    if not text or text != text.strip() or not text.isprintable() or "  " in text:
        return False
    if text[0] in '[{"…':
        return False
    try:
        json.loads(text)
    except ValueError:
        return True
    return False
