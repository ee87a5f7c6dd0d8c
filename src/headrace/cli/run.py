"""`headrace run`: run a flow file. What it writes, it writes: the person asked for it."""

from __future__ import annotations

import argparse
import json

from headrace.app import workspace_in_memory
from headrace.base.actor import LOCAL
from headrace.base.errors import Invalid
from headrace.flow.model import document_of
from headrace.workspace.views import FlowView
from headrace.workspace.workspace import Workspace

from .ending import DONE, FAILED, Usage
from .flow_files import read_flow, space_for
from .running import answer_of, charts_of, check_out, files_of, inputs_of, run_lines, run_object, run_to_end
from .screen import plain


def call(options: argparse.Namespace) -> int:
    """Carry the command out and return its exit code: 3 where the run failed."""
    flow = read_flow(options.flow)
    space = space_for(options.files, options.flow)
    workspace = workspace_in_memory(space)
    try:
        view = workspace.create_flow(LOCAL, flow.name, document_of(flow))
        _require_node(view, options.to)
        exports = None
        if options.out:
            target = check_out(options.out, inputs_of(workspace.catalog, flow, space))
            exports = {_answering(workspace, view, options.to): target}
        run = run_to_end(workspace, view.flow_id, to=options.to, exports=exports)
        answer = answer_of(workspace, run)
    finally:
        workspace.close()
    out = options.out if answer is not None and run.status == "succeeded" else None
    if options.json:
        shown = {
            "status": "ran" if run.status == "succeeded" else "failed",
            "run": run_object(run, answer, out=out),
            "charts": charts_of(run),
            "files": files_of(run),
        }
        print(json.dumps(shown, ensure_ascii=False))
    else:
        print(plain("\n".join(run_lines(run, answer, out=out))))
    return DONE if run.status == "succeeded" else FAILED


def _require_node(view: FlowView, node_id: str | None) -> None:
    nodes = view.document["nodes"]
    if not nodes:
        raise Invalid("empty_flow", "The flow has no nodes; there is nothing to run.", "Add nodes to it first.")
    if node_id is not None and node_id not in nodes:
        known = ", ".join(sorted(nodes)[:20])
        raise Usage(f"--to names {node_id!r}, which is no node of this flow.", f"Its nodes: {known}.")


def _answering(workspace: Workspace, view: FlowView, to: str | None) -> str:
    answering = workspace.answering(LOCAL, view.flow_id, to=to)
    if answering is None:
        raise Usage("--out keeps a table, and no node of this flow gives one.", "Leave --out away.")
    return answering
