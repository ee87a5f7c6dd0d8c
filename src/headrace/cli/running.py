"""Running a flow from the command line: wait with progress, tell what came of it, keep the answering table in a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from headrace.base.actor import LOCAL
from headrace.flow.model import Flow
from headrace.nodes.catalog import Catalog
from headrace.nodes.files import FileSpace
from headrace.nodes.spec import Effect, NodeFault, NodeType, Slot
from headrace.workspace.views import NodeRunView, PreviewView, RunView
from headrace.workspace.workspace import Workspace

from .ending import Usage
from .flow_files import require_no_input, require_writable
from .screen import Progress, room, table_lines

TABLE_ENDINGS = (".csv", ".parquet", ".jsonl", ".ndjson", ".json")
_ROWS_SHOWN = 20
_PATIENCE = 5.0


def check_out(name: str, inputs: Iterable[Path]) -> Path:
    """Return where the answering table goes.

    Errors: Usage (no ending that says a format, a folder, an input); Unavailable where it may not be written.
    """
    path = Path(name)
    if path.suffix.lower() not in TABLE_ENDINGS:
        raise Usage(f"--out {name!r} does not say a format.", "Let the name end in .csv, .parquet or .jsonl.")
    require_no_input(name, inputs, option="--out")
    require_writable(name)
    return Path(path.absolute())


def inputs_of(catalog: Catalog, flow: Flow, files: FileSpace) -> list[Path]:
    """Return the real files that a flow's nodes read, as far as they are there."""
    found: list[Path] = []
    fields = {each.name: _read_fields(each) for each in catalog.all() if Effect.READS in each.effects}
    for node in flow.nodes.values():
        for name in fields.get(node.type, ()):
            path = node.config.get(name)
            if isinstance(path, str):
                with suppress(NodeFault):
                    found += files.read(path)
    return found


def _read_fields(node_type: NodeType) -> list[str]:
    """The config fields of a node type that name files to read."""
    properties = node_type.Config.model_json_schema().get("properties", {})
    return [name for name, field in properties.items() if field.get("x-slot") == Slot.READ_PATH.value]


def run_to_end(
    workspace: Workspace, flow_id: str, *, to: str | None = None, exports: Mapping[str, Path] | None = None
) -> RunView:
    """Return a run of a flow once it is over; the keyboard stops it."""
    started = workspace.run(LOCAL, flow_id, to=to, exports=exports)

    def words() -> str:
        busy = [
            node_id
            for node_id, node in workspace.run_view(LOCAL, started.run_id).nodes.items()
            if node.status == "running"
        ]
        return f"Running {', '.join(busy)}" if busy else "Running"

    with Progress(words):
        try:
            return workspace.wait(LOCAL, started.run_id)
        except KeyboardInterrupt:
            workspace.cancel(LOCAL, started.run_id)
            workspace.wait(LOCAL, started.run_id, _PATIENCE)
            raise


def answer_of(workspace: Workspace, run: RunView) -> PreviewView | None:
    """Return the first rows of the table that answers, where the run gave one."""
    node = run.nodes.get(run.answer or "")
    if run.answer is None or node is None or node.status != "succeeded":
        return None
    return workspace.preview(LOCAL, run.run_id, run.answer)


def run_object(run: RunView, answer: PreviewView | None, *, out: str | None) -> dict[str, Any]:
    """Return a run as `--json` tells it: its answer's rows and columns, each node, and where the table went."""
    return {
        "status": run.status,
        "answer": run.answer if answer else None,
        "rows": answer.total if answer else None,
        "columns": [column.model_dump() for column in answer.columns] if answer else [],
        "out": out,
        "ms": run.ms,
        "note": run.note,
        "nodes": {node_id: _node_object(node) for node_id, node in run.nodes.items()},
    }


def charts_of(run: RunView) -> list[dict[str, Any]]:
    """Return the charts that a run drew: `{node, type, x, y, series}`."""
    return [
        {"node": node_id, **{key: output.get(key) for key in ("type", "x", "y", "series")}}
        for node_id, output in _outputs(run)
        if "spec" in output
    ]


def files_of(run: RunView) -> list[str]:
    """Return the paths of the files that a run wrote, as its nodes name them."""
    return [str(output["path"]) for _, output in _outputs(run) if output.get("path") and not run.dry_run]


def run_lines(run: RunView, answer: PreviewView | None, *, out: str | None) -> list[str]:
    """Return a run in words: the answering table, what was written, what failed and why."""
    lines: list[str] = []
    if answer is not None:
        columns = [(column.name, column.type) for column in answer.columns]
        lines += table_lines(columns, answer.rows[:_ROWS_SHOWN], total=answer.total, room=room())
        lines.append("")
    for node_id, node in run.nodes.items():
        if node.status == "failed" and node.diagnostic is not None:
            lines.append(f"{node_id} failed: {node.diagnostic.message}")
        elif node.status == "skipped":
            lines.append(f"{node_id} was skipped because {node.because} failed.")
    lines += [f"{node_id}: {node.summary}" for node_id, node in run.nodes.items() if node.outputs and node.summary]
    if run.note:
        lines.append(run.note)
    if out is not None:
        lines.append(f"The table is in {out}.")
    seconds = (run.ms or 0) / 1000
    lines.append(f"Run {run.status} in {seconds:.1f} s.")
    return lines


def _outputs(run: RunView) -> Sequence[tuple[str, dict[str, Any]]]:
    return [
        (node_id, output)
        for node_id, node in run.nodes.items()
        if node.status == "succeeded"
        for output in node.outputs.values()
        if isinstance(output, dict)
    ]


def _node_object(node: NodeRunView) -> dict[str, Any]:
    shown = {"status": node.status, "rows": node.rows, "ms": node.ms}
    if node.diagnostic is not None:
        shown["diagnostic"] = node.diagnostic.model_dump(mode="json")
    return shown
