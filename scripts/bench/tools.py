"""What an assistant's tool calls cost by the size of the flow, through the workspace: staging, checks and the answer included.

CPU milliseconds of this process, medians; the store is the one in memory, so that the work is measured and not the disk.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from headrace.base.actor import LOCAL, assistant_for
from headrace.nodes.catalog import standard_catalog
from headrace.nodes.files import FileSpace
from headrace.store.memory import MemoryStore
from headrace.tools.catalog import standard_tools
from headrace.tools.spec import Draft, ToolContext
from headrace.workspace.workspace import Workspace

SIZES = (10, 100, 1_000)
ROUNDS = 15
# CPU of one call of a tool on a flow of 1,000 nodes of 4.7 KB.
PEER = "Langflow Assistant, published measurement: 9.2 s for a chain of 1,000 nodes tool by tool"


def figures() -> Iterator[tuple[str, str]]:
    """Return name and value of each figure, as they are measured."""
    with tempfile.TemporaryDirectory(prefix="headrace-bench-") as folder:
        for size in SIZES:
            bench = _Bench(Path(folder), size)
            for name, call in bench.calls():
                yield f"{name}, {size:,} nodes", f"{_median(call):.2f} ms"
        yield "a chain of 1,000 nodes in one call of set_flow", f"{_whole_chain(Path(folder)):.0f} ms ({PEER})"


class _Bench:
    """A workspace with one flow, and an assistant's turn on it."""

    def __init__(self, folder: Path, size: int) -> None:
        self._size = size
        self._tools = {tool.name: tool for tool in standard_tools()}
        workspace = Workspace(MemoryStore(), standard_catalog(), FileSpace([folder]))
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

    def _edit(self, node_id: str) -> str:
        self._number += 1
        values = {"condition": f"a > {-self._number}"}
        return self.call("edit_flow", operations=[{"op": "set_config", "node_id": node_id, "values": values}])

    def _add(self) -> str:
        self._number += 1
        node = {"id": f"new_{self._number}", "type": "filter", "config": {"condition": "a > 1"}}
        connect = {"op": "connect", "source": f"n{self._size - 1}", "target": node["id"]}
        return self.call("edit_flow", operations=[{"op": "add_node", "node": node}, connect])


def chain_document(size: int) -> dict[str, Any]:
    """Return the document of a typed table and a chain of filters behind it."""
    table = {"columns": [{"name": "a", "type": "whole number"}], "rows": [[1]]}
    nodes: dict[str, Any] = {"n0": {"type": "manual_table", "config": table}}
    nodes |= {f"n{n}": {"type": "filter", "config": {"condition": f"a > {-n}"}} for n in range(1, size)}
    ends = [({"node": f"n{n - 1}", "port": "out"}, {"node": f"n{n}", "port": "in"}) for n in range(1, size)]
    edges = {f"{s['node']}.out>{t['node']}.in": {"source": s, "target": t} for s, t in ends}
    return {"headrace": 1, "name": "chain", "nodes": nodes, "edges": edges}


def _whole_chain(folder: Path) -> float:
    """CPU milliseconds to build 1,000 nodes at once in an empty flow."""
    bench = _Bench(folder, 1)
    document = chain_document(1_000)
    nodes = [{"id": node_id, **node} for node_id, node in document["nodes"].items()]
    edges = [f"n{n - 1}>n{n}" for n in range(1, 1_000)]
    started = time.process_time()
    bench.call("set_flow", nodes=nodes, edges=edges, summary="A chain")
    return (time.process_time() - started) * 1000


def _median(work: Callable[[], Any]) -> float:
    spent = []
    for _ in range(ROUNDS):
        started = time.process_time()
        work()
        spent.append(time.process_time() - started)
    return statistics.median(spent) * 1000
