"""A whole new flow as operations on the present one, so that what stays the same keeps its place on the canvas."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from headrace.base.errors import HeadraceError, Invalid
from headrace.flow.model import Flow, Node
from headrace.flow.operations import OperationError, OperationFault

from .notation import Connection, NewNode

Placed = tuple[dict[str, Any], str]
"""An operation, and the part of the written flow that it comes from: `nodes[2]`; empty where it comes from none."""


def rewritten(flow: Flow, nodes: Sequence[NewNode], wanted: Sequence[Connection], *, name: str = "") -> list[Placed]:
    """Return the operations that make `flow` the flow that is written here."""
    kept = {node.id for node in nodes}
    found: list[Placed] = [
        ({"op": "remove_node", "node_id": each}, "") for each in sorted(flow.nodes) if each not in kept
    ]
    present = dict(flow.nodes)
    for index, node in enumerate(nodes):
        # a second node of the same id is added, which is refused with the reason
        found += ((made, f"nodes[{index}]") for made in _made(present.pop(node.id, None), node))
    ids = {each.edge_id for each in wanted}
    joined = {edge.id: edge for edge in flow.edges.values() if {edge.source.node, edge.target.node} <= kept}
    for edge_id, edge in sorted(joined.items()):
        if edge_id not in ids:
            found.append(({"op": "disconnect", "source": str(edge.source), "target": str(edge.target)}, ""))
    found += ((each.operation(), f"edges[{each.index}]") for each in wanted if each.edge_id not in joined)
    if name and name != flow.name:
        found.append(({"op": "set_name", "name": name}, "name"))
    return found


def _made(present: Node | None, node: NewNode) -> Iterator[dict[str, Any]]:
    if present is None:
        yield {"op": "add_node", "node": node.model_dump(mode="json")}
        return
    if present.type != node.type:
        yield {"op": "replace_node", "node_id": node.id, "type": node.type, "config": node.config}
    else:
        values = {
            key: value
            for key, value in node.config.items()
            if key not in present.config or present.config[key] != value
        }
        if stale := [key for key in present.config if key not in node.config]:
            yield {"op": "unset_config", "node_id": node.id, "keys": stale}
        if values:
            yield {"op": "set_config", "node_id": node.id, "values": values}
    if node.title and node.title != present.title:
        yield {"op": "set_title", "node_id": node.id, "title": node.title}


def placed(error: HeadraceError, places: Sequence[str]) -> HeadraceError:
    """Return the same error, said of the written nodes and edges instead of the operations made of them."""

    def place(match: re.Match[str]) -> str:
        return places[int(match[1])] or match[0]

    def said(text: str) -> str:
        return re.sub(r"operations\[(\d+)\](?: \(\w+\))?", place, text)

    if isinstance(error, Invalid):
        return Invalid(error.code, said(error.message), error.hint, faults=tuple(said(each) for each in error.faults))
    if isinstance(error, OperationError):
        faults = tuple(OperationFault(each.index, each.code, said(each.message), each.hint) for each in error.faults)
        return OperationError(error.index, error.code, said(error.message), hint=error.hint, faults=faults)
    return error
