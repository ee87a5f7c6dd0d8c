"""A conversation with the offline planner on real files: the tools of the product, no model library in between.

Each turn's change is approved, and the answering table is computed by DuckDB from the flow's own SQL.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

from headrace.assistant.models.offline.model import Answered, next_decision
from headrace.assistant.models.offline.planner import Planner
from headrace.assistant.models.offline.situation import Call, Decision
from headrace.base.actor import LOCAL, assistant_for
from headrace.base.errors import HeadraceError
from headrace.engine.answer import answer
from headrace.flow.model import flow_from_document
from headrace.nodes.binder import Binder
from headrace.nodes.catalog import Catalog, standard_catalog
from headrace.nodes.context import StandardContext
from headrace.nodes.files import FileSpace
from headrace.nodes.inference import infer
from headrace.nodes.sql import flow_query
from headrace.store.memory import MemoryStore
from headrace.tools.catalog import standard_tools
from headrace.tools.result import refusal
from headrace.tools.spec import Draft, ToolContext, ToolResult
from headrace.workspace.workspace import Workspace

MOST_ROUNDS = 12


@cache
def catalog() -> Catalog:
    """Return the product's node types, made once."""
    return standard_catalog()


@cache
def planner() -> Planner:
    """Return the planner, made once: it keeps nothing between answers."""
    return Planner(catalog())


@dataclass
class Turn:
    """What came of one request."""

    decision: Decision
    changed: bool
    calls: list[Call] = field(default_factory=list)


class Conversation:
    """One chat about one flow."""

    def __init__(
        self, folder: Path, paths: list[str], *, types: Catalog | None = None, mind: Planner | None = None
    ) -> None:
        self.types, self.mind = types or catalog(), mind or planner()
        self.files = FileSpace([], named=[folder / path for path in paths], write_root=folder)
        self.workspace = Workspace(MemoryStore(), self.types, self.files)
        self.flow_id = self.workspace.create_flow(LOCAL, "Test").flow_id
        self.tools = {tool.name: tool for tool in standard_tools()}
        self.requests: list[str] = []

    def say(self, request: str) -> Turn:
        """Carry one request out to its end, and approve what it staged."""
        self.requests.append(request)
        context = ToolContext(self.workspace, assistant_for(LOCAL), self.flow_id, "turn", Draft())
        answered: list[Answered] = []
        for _ in range(MOST_ROUNDS):
            decision = next_decision(self.mind, self.requests, answered)
            if not decision.calls:
                break
            answered += [self._carried_out(context, call) for call in decision.calls]
        if context.draft.changeset_id and decision.kind == "answer":
            staged = self.workspace.changeset(LOCAL, context.draft.changeset_id)
            self.workspace.approve(LOCAL, staged.changeset_id, digest=staged.digest)
        return Turn(decision, context.draft.changeset_id is not None, [each.call for each in answered])

    def _carried_out(self, context: ToolContext, call: Call) -> Answered:
        tool = self.tools[call.tool]
        try:
            result: ToolResult = tool.call(context, tool.arguments.model_validate(dict(call.arguments)))
        except HeadraceError as error:
            result = refusal(error)
        return Answered(call, result.text, dict(result.data), result.failed)

    @property
    def document(self) -> dict[str, Any]:
        """The flow as it is approved."""
        return self.workspace.flow(LOCAL, self.flow_id).document

    def table(self) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Return the columns and rows of the table that answers."""
        flow = flow_from_document(self.document)
        context = StandardContext(self.files, Binder())
        node_id = answer(flow, self.types)
        assert node_id is not None
        query = flow_query(
            flow, node_id, catalog=self.types, inference=infer(flow, self.types, context), context=context
        )
        with duckdb.connect() as connection:
            found = connection.execute(query.sql(dialect="duckdb"))
            return [column[0] for column in found.description or ()], found.fetchall()

    def charts(self) -> list[dict[str, Any]]:
        """Return the configs of the flow's charts."""
        return [node["config"] for node in self.document["nodes"].values() if node["type"] == "chart"]

    def writes(self) -> list[str]:
        """Return the paths that the flow writes to."""
        return [n["config"]["path"] for n in self.document["nodes"].values() if n["type"] == "write_file"]
