"""Which node's table answers the question that a flow was made for."""

from __future__ import annotations

from collections.abc import Sequence

from headrace.flow.model import Flow
from headrace.nodes.catalog import Catalog
from headrace.nodes.ports import type_of


def answer(flow: Flow, catalog: Catalog, *, changed: Sequence[str] = ()) -> str | None:
    """Return the id of the table node whose output feeds no other table node, or None where there is none.

    Of several: the one that was changed last (`changed` lists node ids, the last change last), or that a changed node leads
    to; else the last by id.
    """
    tables = {node_id for node_id in flow.nodes if _makes_table(flow, node_id, catalog)}
    ends = {node_id for node_id in tables if not any(edge.target.node in tables for edge in flow.edges_from(node_id))}
    if len(ends) > 1:
        for node_id in reversed(changed):
            reached = _ends_from(flow, node_id, ends)
            if reached:
                return max(reached)
    return max(ends, default=None)


def _makes_table(flow: Flow, node_id: str, catalog: Catalog) -> bool:
    node_type = type_of(flow, node_id, catalog)
    return node_type is not None and any(port.type == "table" for port in node_type.outputs)


def _ends_from(flow: Flow, node_id: str, ends: set[str]) -> set[str]:
    """The answering nodes that take from a node, near or far, or are it."""
    if node_id not in flow.nodes:
        return set()
    seen, waiting = {node_id}, [node_id]
    while waiting:
        for edge in flow.edges_from(waiting.pop()):
            if edge.target.node not in seen:
                seen.add(edge.target.node)
                waiting.append(edge.target.node)
    # A chart or a file drawn from an answer means that answer.
    before = {edge.source.node for edge in flow.edges_into(node_id)}
    return (seen & ends) or (before & ends)
