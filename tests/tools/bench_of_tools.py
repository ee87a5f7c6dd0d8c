"""A workspace on real files, and one call of a tool by its name: what the tests of tools and assistant stand on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from headrace.base.actor import LOCAL, assistant_for
from headrace.nodes.catalog import standard_catalog
from headrace.nodes.files import FileSpace
from headrace.store.memory import MemoryStore
from headrace.tools.catalog import standard_tools
from headrace.tools.spec import Draft, ToolContext, ToolResult
from headrace.workspace.workspace import Workspace

ORDERS = """order_id,customer,region,amount,paid_on
1,Ada,North,120.50,2025-01-03
2,Ben,South,80.00,2025-01-09
3,Ada,North,40.25,2025-02-11
4,Cleo,West,,2025-02-14
5,Ben,South,310.00,2025-03-01
"""


MADE: list[Bench] = []
"""The benches that were not put away yet."""


def put_away() -> None:
    """Close the workspaces of all benches, and with them the threads in which they run."""
    while MADE:
        MADE.pop().workspace.close()


class Bench:
    """A flow in a workspace of its own, and the tools on it."""

    def __init__(self, folder: Path) -> None:
        (folder / "orders.csv").write_text(ORDERS, encoding="utf-8")
        files = FileSpace([folder])
        self.folder = folder
        self.workspace = Workspace(MemoryStore(), standard_catalog(), files)
        self.flow_id = self.workspace.create_flow(LOCAL, "Orders").flow_id
        self.context = ToolContext(self.workspace, assistant_for(LOCAL), self.flow_id, "turn_1", Draft())
        self.tools = {tool.name: tool for tool in standard_tools()}
        MADE.append(self)

    def call(self, tool_name: str, **arguments: Any) -> ToolResult:
        """Call a tool with arguments as a model would send them."""
        tool = self.tools[tool_name]
        return tool.call(self.context, tool.arguments.model_validate(arguments))

    def build(self) -> ToolResult:
        """Stage a small flow: read, keep the paid, total by region."""
        return self.call("set_flow", **FLOW)

    def land(self) -> None:
        """Approve what is staged, as the person."""
        changeset_id = self.context.draft.changeset_id
        assert changeset_id is not None
        staged = self.workspace.changeset(LOCAL, changeset_id)
        self.workspace.approve(LOCAL, changeset_id, digest=staged.digest)
        self.context.draft.changeset_id = None


FLOW: dict[str, Any] = {
    "name": "Totals",
    "nodes": [
        {"id": "read_orders", "type": "read_file", "config": {"path": "orders.csv"}},
        {"id": "paid", "type": "filter", "config": {"condition": "amount IS NOT NULL"}},
        {
            "id": "by_region",
            "type": "aggregate",
            "config": {
                "group_by": ["region"],
                "measures": [{"name": "total", "function": "sum", "column": "amount"}],
            },
        },
    ],
    "edges": ["read_orders>paid", "paid.out>by_region.in"],
    "summary": "Total by region",
}
