"""Tools that run: the flow, up to a node, or a flow that is thrown away. Real effects stay a person's to start."""

from __future__ import annotations

from typing import Any

from headrace.workspace.views import RunView

from .notation import NewEdges, NewNode, connections, in_a_row, inputs_of
from .read import scratch_result
from .result import diagnostic_passages, table_passage
from .spec import Arguments, NoArguments, Passage, Record, Tool, ToolContext, ToolResult

WAIT = 20.0
"""Seconds that run_flow waits for a run before it answers that it goes on."""


class RunFlow(Arguments):
    """What to run."""

    to: str = ""
    """Run only up to this node; empty runs everything."""


class RunArguments(Arguments):
    """Which run."""

    run_id: str


class ScratchRun(Arguments):
    """A flow that is run once and thrown away: for an answer about the data."""

    nodes: tuple[NewNode, ...] = ()
    edges: NewEdges = ()
    """As in set_flow. An edge may begin at a node of the present flow when `on_flow` is true."""
    to: str = ""
    """The node whose table is wanted; empty: the one that answers."""
    on_flow: bool = False
    """Put the nodes on top of the present flow (with what is staged); otherwise they stand alone."""
    limit: int = 20
    """Rows to show; at most 100."""


def _run(ctx: ToolContext, arguments: RunFlow) -> ToolResult:
    workspace, actor = ctx.workspace, ctx.actor
    begun = workspace.run(actor, ctx.flow_id, to=arguments.to or None, changeset_id=ctx.draft.changeset_id)

    def cancel() -> None:
        workspace.cancel(actor, begun.run_id)

    with ctx.stop.waking(cancel):
        return run_result(ctx, workspace.wait(actor, begun.run_id, WAIT))


def _status(ctx: ToolContext, arguments: RunArguments) -> ToolResult:
    return run_result(ctx, ctx.workspace.run_view(ctx.actor, arguments.run_id))


def _cancel(ctx: ToolContext, arguments: RunArguments) -> ToolResult:
    return run_result(ctx, ctx.workspace.cancel(ctx.actor, arguments.run_id))


def _list(ctx: ToolContext, arguments: NoArguments) -> ToolResult:
    del arguments
    found = ctx.workspace.runs(ctx.actor, ctx.flow_id)[:10]
    lines = [f"{run.run_id}: {run.status}, revision {run.number}, {run.created_at:%Y-%m-%d %H:%M} UTC" for run in found]
    data = {"runs": [{"run_id": run.run_id, "status": run.status, "number": run.number} for run in found]}
    return ToolResult("\n".join(lines) or "It has not been run yet.", data=data, summary=f"Listed {len(found)} runs")


def run_result(ctx: ToolContext, run: RunView) -> ToolResult:
    """Return a run as text: how it stands, each node's rows, failures, and the first rows of the answer."""
    lines = [f"{run.run_id}: {run.status}" + (f" ({run.ms} ms)" if run.ms is not None else "")]
    lines += [run.note] if run.note else []
    for node_id, node in run.nodes.items():
        size = node.summary or (f"{node.rows:,} rows" if node.rows is not None else "")
        lines.append(" ".join(part for part in (f"{node_id}: {node.status}", size) if part))
    passages = [Passage("\n".join(lines))]
    passages += diagnostic_passages(node.diagnostic for node in run.nodes.values() if node.diagnostic is not None)
    data: dict[str, Any] = {"run_id": run.run_id, "status": run.status, "answer": run.answer}
    if run.answer and run.status == "succeeded":
        table = ctx.workspace.preview(ctx.actor, run.run_id, run.answer, limit=10)
        names = [column.name for column in table.columns]
        data |= {"columns": names, "rows": [list(row) for row in table.rows], "total": table.total}
        passages += [Passage(f"{run.answer}:"), table_passage(names, table.rows)]
    done = Record("run", run.run_id, f"run {run.status}", ok=run.status == "succeeded")
    return ToolResult.of(
        passages,
        data=data,
        summary=f"Run {run.status}",
        failed=run.status in ("failed", "lost"),
        records=(done,) if run.over else (),
    )


def _scratch(ctx: ToolContext, arguments: ScratchRun) -> ToolResult:
    operations: list[dict[str, Any]] = [
        {"op": "add_node", "node": node.model_dump(mode="json")} for node in arguments.nodes
    ]
    wanted = connections(in_a_row(arguments.nodes, arguments.edges), inputs_of(arguments.nodes, ctx.workspace.catalog))
    operations += (each.operation() for each in wanted)
    seen = ctx.workspace.scratch(
        ctx.actor,
        flow_id=ctx.flow_id if arguments.on_flow else None,
        changeset_id=ctx.draft.changeset_id if arguments.on_flow else None,
        operations=operations,
        to=arguments.to or None,
        rows=max(1, min(arguments.limit, 100)),
        stop=ctx.stop,
    )
    return scratch_result(seen, about=arguments.to or seen.answer or "the data")


TOOLS = (
    Tool(
        "scratch_run",
        "Answer a question about data: run a few nodes and throw them away. Stages nothing, writes nothing.",
        ScratchRun,
        "read",
        _scratch,
    ),
    Tool("list_runs", "The flow's latest runs.", NoArguments, "read", _list),
    Tool(
        "read_run",
        "How a run stands: rows of each node, failures, the first rows of the answer.",
        RunArguments,
        "read",
        _status,
    ),
    Tool(
        "run_flow",
        "Run the flow, with what is staged, and wait up to 20 seconds. Files are not written: a person starts that.",
        RunFlow,
        "run",
        _run,
    ),
    Tool("cancel_run", "Stop a run.", RunArguments, "run", _cancel),
)
