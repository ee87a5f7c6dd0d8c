"""Operations that the tests of the workspace build flows with."""

from __future__ import annotations

from typing import Any

from headrace.base.actor import Actor, assistant_for

ANN = Actor(owner="ann")
BOB = Actor(owner="bob")
ASSISTANT = assistant_for(ANN)
TOKEN = Actor(owner="ann", kind="token", name="ci")

Json = dict[str, Any]


def add(node_id: str, node_type: str, after: str | None = None, **config: Any) -> list[Json]:
    operations: list[Json] = [{"op": "add_node", "node": {"id": node_id, "type": node_type, "config": config}}]
    if after is not None:
        operations.append(connect(after, node_id))
    return operations


def connect(source: str, target: str) -> Json:
    return {"op": "connect", "source": source, "target": target}


def configure(node_id: str, **values: Any) -> Json:
    return {"op": "set_config", "node_id": node_id, "values": values}


def title(node_id: str, text: str) -> Json:
    return {"op": "set_title", "node_id": node_id, "title": text}


def move(node_id: str, x: float, y: float = 0) -> Json:
    return {"op": "move_nodes", "positions": {node_id: {"x": x, "y": y}}}


READ = add("read", "read_file", path="orders.csv")
PAID = add("paid", "filter", "read", condition="amount > 50")
TOTALS = add(
    "totals",
    "aggregate",
    "paid",
    group_by=["customer"],
    measures=[{"name": "total", "function": "sum", "column": "amount"}],
)
BUILD = [*READ, *PAID, *TOTALS]
