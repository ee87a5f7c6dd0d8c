"""What an assistant's tool calls cost by the size of the flow, through the workspace: staging, checks and the answer included.

CPU milliseconds of this process, medians; the store is the one in memory, so that the work is measured and not the disk, except
where SQLite is named.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from headrace.base.actor import LOCAL, assistant_for
from headrace.nodes.catalog import standard_catalog
from headrace.nodes.files import FileSpace
from headrace.store.memory import MemoryStore
from headrace.store.protocol import Store
from headrace.store.sql import open_store
from headrace.tools.catalog import standard_tools
from headrace.tools.spec import Draft, ToolContext
from headrace.workspace.workspace import Workspace

from ._chains import (
    PEER_NODE_BYTES,
    PEER_ONE_BY_ONE_MS,
    PEER_ONE_CALL_MS,
    beside_peer,
    chain_document,
    chain_node,
    median,
    spent,
)

SIZES = (10, 100, 1_000)
ROUNDS = 15
CHAINS = (10, 100, 300, 1_000)


def figures() -> Iterator[tuple[str, str]]:
    """Return name and value of each figure, as they are measured."""
    with tempfile.TemporaryDirectory(prefix="headrace-bench-") as folder:
        for size in SIZES:
            bench = _Bench(Path(folder), size)
            for name, call in bench.calls():
                yield f"{name}, {size:,} nodes", f"{median(call, ROUNDS):.2f} ms"
        yield (
            "a chain of 1,000 nodes in one call of set_flow",
            beside_peer(_whole_chain(Path(folder)), PEER_ONE_CALL_MS),
        )
        yield from _tool_by_tool(Path(folder))


class _Bench:
    """A workspace with one flow, and an assistant's turn on it."""

    def __init__(self, folder: Path, size: int, *, store: Store | None = None) -> None:
        self._size = size
        self._tools = {tool.name: tool for tool in standard_tools()}
        workspace = Workspace(store or MemoryStore(), standard_catalog(), FileSpace([folder]))
        flow_id = workspace.create_flow(LOCAL, "chain", chain_document(size)).flow_id
        self._context = ToolContext(workspace, assistant_for(LOCAL), flow_id, "turn_bench", Draft())
        self._number = 0

    def call(self, tool_name: str, **arguments: Any) -> str:
        """Call a tool as a model would, and return what it answers."""
        tool = self._tools[tool_name]
        result = tool.call(self._context, tool.arguments.model_validate(arguments))
        if result.failed:
            raise RuntimeError(f"{tool_name}: {result.text}")
        return result.text

    def calls(self) -> Iterator[tuple[str, Callable[[], Any]]]:
        """Return each call that is measured, by its name."""
        middle = f"n{self._size // 2}"
        yield "read_outline", lambda: self.call("read_outline")
        yield "read_node", lambda: self.call("read_node", node_id=middle)
        yield "read_diagnostics", lambda: self.call("read_diagnostics")
        yield "edit_flow: set_config in the middle", lambda: self._edit(middle)
        yield "edit_flow: add_node and connect at the end", self._add

    def build(self, size: int, *, apart: bool = False, more_bytes: int = 0) -> None:
        """Add a chain of `size` nodes, a call a node, or `apart` a call an operation."""
        told = ""
        for number in range(1, size + 1):
            added = {"op": "add_node", "node": chain_node(number, more_bytes=more_bytes)}
            connected = {"op": "connect", "source": f"n{number - 1}", "target": f"n{number}"}
            for operations in ([added], [connected]) if apart else ([added, connected],):
                told = self.call("edit_flow", operations=operations)
        if "No problems" not in told:
            raise RuntimeError(told)

    def _edit(self, node_id: str) -> str:
        self._number += 1
        values = {"condition": f"a > {-self._number}"}
        return self.call("edit_flow", operations=[{"op": "set_config", "node_id": node_id, "values": values}])

    def _add(self) -> str:
        self._number += 1
        node = {"id": f"new_{self._number}", "type": "filter", "config": {"condition": "a > 1"}}
        connect = {"op": "connect", "source": f"n{self._size - 1}", "target": node["id"]}
        return self.call("edit_flow", operations=[{"op": "add_node", "node": node}, connect])


def _whole_chain(folder: Path) -> float:
    """CPU milliseconds to build 1,000 nodes at once in an empty flow."""
    bench = _Bench(folder, 1)
    nodes = [chain_node(number) for number in range(1_000)]
    edges = [f"n{n - 1}>n{n}" for n in range(1, 1_000)]
    return spent(lambda: bench.call("set_flow", nodes=nodes, edges=edges, summary="A chain"))


def _tool_by_tool(folder: Path) -> Iterator[tuple[str, str]]:
    """Chains that a model builds call by call, in one turn and hence in one draft; every call with checks and its answer."""
    _Bench(folder, 1).build(30)  # what is loaded once is no part of a chain
    for size in CHAINS:
        for where, store in (("in memory", MemoryStore()), ("in SQLite", open_store(folder / f"{size}.db"))):
            taken = spent(lambda size=size, store=store: _Bench(folder, 1, store=store).build(size))
            told = beside_peer(taken, PEER_ONE_BY_ONE_MS) if size == CHAINS[-1] else f"{taken:,.0f} ms"
            yield (
                f"a chain of {size:,} nodes tool by tool, a node and its edge a call, {where}",
                f"{told} ({taken / size:.1f} ms a call)",
            )
            store.close()
    size = CHAINS[-1]
    for name, how in (
        ("one operation a call", {"apart": True}),
        ("nodes of 4.7 KB", {"more_bytes": PEER_NODE_BYTES}),
    ):
        taken = spent(lambda how=how: _Bench(folder, 1).build(size, **how))
        yield f"a chain of {size:,} nodes tool by tool, {name}, in memory", beside_peer(taken, PEER_ONE_BY_ONE_MS)
