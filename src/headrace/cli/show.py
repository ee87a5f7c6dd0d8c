"""`headrace show`: a flow in another notation. Nothing is run; for SQL and columns the heads of its files are looked at."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from headrace.app import workspace_in_memory
from headrace.base.actor import LOCAL
from headrace.base.errors import HeadraceError, Invalid
from headrace.flow.mermaid import mermaid
from headrace.flow.model import Flow, document_of
from headrace.flow.notation import write_flow_text
from headrace.flow.outline import outline
from headrace.workspace.views import FlowView
from headrace.workspace.workspace import Workspace

from .ending import DONE, Usage
from .flow_files import read_flow, space_for
from .screen import plain


def call(options: argparse.Namespace) -> int:
    """Carry the command out and return its exit code."""
    flow = read_flow(options.flow)
    if options.node is not None and options.form != "sql":
        raise Usage("--node goes with --as sql only.", "Leave it out, or add --as sql.")
    if options.form == "json":
        print(write_flow_text(flow), end="")
    elif options.form == "mermaid":
        print(mermaid(flow))
    else:
        workspace = workspace_in_memory(space_for(options.files, options.flow))
        view = workspace.create_flow(LOCAL, flow.name, document_of(flow))
        text = (
            outline(flow, _columns(view))
            if options.form == "outline"
            else _sql(workspace, view, flow, node=options.node)
        )
        print(plain(text))
    return DONE


def _columns(view: FlowView) -> Mapping[str, list[tuple[str, str]]]:
    return {
        node_id: [(column.name, column.type) for column in next(iter(ports.values()), ())]
        for node_id, ports in view.columns.items()
    }


def _sql(workspace: Workspace, view: FlowView, flow: Flow, *, node: str | None) -> str:
    if node is not None:
        return workspace.sql(LOCAL, view.flow_id, node)
    tables = {node_id for node_id, ports in view.columns.items() if ports}
    ends = sorted(each for each in tables if not any(edge.target.node in tables for edge in flow.edges_from(each)))
    if not ends:
        raise Invalid(
            "no_table", "No node of this flow gives a table whose columns are known.", "`headrace check` says why."
        )
    texts = []
    for node_id in ends:
        try:
            texts.append(f"-- {node_id}\n{workspace.sql(LOCAL, view.flow_id, node_id)};")
        except HeadraceError as error:
            texts.append(f"-- {node_id}: {error.message}")
    return "\n\n".join(texts)
