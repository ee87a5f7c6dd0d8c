"""Tables that were typed into a flow by hand: data in the midst of a config, told by its number of rows until it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from headrace.flow.model import Flow
from headrace.nodes.catalog import Catalog
from headrace.nodes.spec import Holds, NodeType, Slot


def masked(flow: Flow, catalog: Catalog) -> Flow:
    """Return the flow with typed rows counted instead of written out."""
    fields = _fields(catalog)
    nodes = flow.nodes
    for node_id, node in flow.nodes.items():
        if node.type in fields:
            bare = masked_config(node.type, node.config, catalog)
            nodes = nodes.set(node_id, node.model_copy(update={"config": bare}))
    return flow if nodes is flow.nodes else replace(flow, nodes=nodes)


def masked_config(type_name: str, config: Mapping[str, Any], catalog: Catalog) -> dict[str, Any]:
    """Return a node's config with typed rows counted instead of written out."""
    fields = _fields(catalog).get(type_name, ())
    return {name: _counted(value) if name in fields else value for name, value in config.items()}


def _counted(value: Any) -> str:
    count = len(value) if isinstance(value, list) else 0
    return f"({count} row{'' if count == 1 else 's'}; read_node shows them)"


def _fields(catalog: Catalog) -> dict[str, tuple[str, ...]]:
    """The config fields that hold typed rows, by node type."""
    found = {each.name: _row_fields(each) for each in catalog.all()}
    return {name: fields for name, fields in found.items() if fields}


def _row_fields(node_type: NodeType) -> tuple[str, ...]:
    return tuple(
        name
        for name, field in node_type.Config.model_fields.items()
        if any(isinstance(mark, Holds) and mark.slot is Slot.ROWS for mark in field.metadata)
    )
