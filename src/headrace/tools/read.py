"""Tools that read the flow: its outline, a node, columns, rows, profiles, diagnostics. With a draft they show the draft."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from headrace.base.data_kinds import DataKind
from headrace.flow.model import document_of
from headrace.flow.outline import Limits, outline
from headrace.nodes.spec import Table
from headrace.workspace.judging import Judged
from headrace.workspace.views import ProfileView

from .masking import masked, masked_config
from .result import columns_text, diagnostic_passages, row_counts, table_passage
from .spec import RESULT_LIMIT, Arguments, NoArguments, Passage, Record, Tool, ToolContext, ToolResult, clip

_COUNTS = ("nulls", "distinct")


class ReadOutline(Arguments):
    """How much of the flow."""

    around: tuple[str, ...] = ()
    """Node ids: show only these and their neighbours. Empty shows the whole flow."""


class NodeArguments(Arguments):
    """Which node."""

    node_id: str


class PreviewTable(Arguments):
    """Which table, and how many rows."""

    node_id: str
    limit: int = 10
    """At most 50."""


class ProfileColumns(Arguments):
    """Which table and columns."""

    node_id: str
    columns: tuple[str, ...] = ()
    """Empty: all of them."""


def known_of(ctx: ToolContext) -> Judged:
    """Return the flow as the caller works on it, with its draft where there is one, and all that is known of it."""
    return ctx.workspace.known(ctx.actor, ctx.flow_id, changeset_id=ctx.draft.changeset_id)


def columns_at(known: Judged, node_id: str) -> dict[str, list[dict[str, str]]]:
    """Return the columns that leave a node as plain JSON: port -> `{name, type}` in order, for ports with a known table."""
    typing = known.inference.nodes.get(node_id)
    outputs = typing.outputs if typing else {}
    return {
        port: [{"name": column.name, "type": column.type} for column in table.columns]
        for port, table in outputs.items()
        if isinstance(table, Table)
    }


def outlined(known: Judged, characters: int, *, around: tuple[str, ...] = ()) -> str:
    """Return a flow's outline with its columns, in so many characters; typed tables by their number of rows."""
    schemas = {}
    for node_id, typing in known.inference.nodes.items():
        table = next((each for each in typing.outputs.values() if isinstance(each, Table)), None)
        if table is not None:
            schemas[node_id] = [(column.name, column.type) for column in table.columns]
    shown = masked(known.flow, known.judgement.scene.catalog)
    return outline(shown, schemas, Limits(text=characters), focus=around or None)


def _outline(ctx: ToolContext, arguments: ReadOutline) -> ToolResult:
    known = known_of(ctx)
    text = outlined(known, RESULT_LIMIT - 200, around=arguments.around)
    count = len(known.flow.nodes)
    return ToolResult.of(
        [Passage(text), *diagnostic_passages(known.diagnostics[:10])],
        data={
            "document": document_of(known.flow),
            "columns": {node_id: columns_at(known, node_id) for node_id in known.flow.nodes},
        },
        summary=f"Read the flow: {count} node{'' if count == 1 else 's'}" if count else "Read the flow: it is empty",
    )


def _unknown(known: Judged, node_id: str) -> ToolResult | None:
    """Return what to say where there is no such node: models take a file's name for one."""
    nodes = known.flow.nodes
    if node_id in nodes:
        return None
    there = ", ".join(sorted(nodes)[:20]) or "none"
    text = f"There is no node {node_id!r}. Nodes here: {there}. A file is looked at by describe_file, or by scratch_run with a read_file node."
    return ToolResult(text, summary=f"There is no node {node_id!r}", failed=True)


def _node(ctx: ToolContext, arguments: NodeArguments) -> ToolResult:
    known, node_id = known_of(ctx), arguments.node_id
    if unknown := _unknown(known, node_id):
        return unknown
    node = known.flow.nodes[node_id]
    bare = {**node.document, "config": masked_config(node.type, node.config, ctx.workspace.catalog)}
    kind: DataKind = "rows" if bare["config"] != node.config else "columns"
    passages = [Passage(_json(node.document), kind, _json(bare))]
    for edge in known.flow.edges_into(node_id):
        before = columns_at(known, edge.source.node).get(edge.source.port)
        columns = columns_text(before) if before else "columns not known"
        passages.append(Passage(f"in {edge.target.port} <- {edge.source.node}: {columns}"))
    for port, columns in columns_at(known, node_id).items():
        passages.append(Passage(f"out {port}: {columns_text(columns)}"))
    passages += diagnostic_passages(known.judgement.of(node_id))
    return ToolResult.of(passages, data={"node": node.document}, summary=f"Read node {node_id}")


def _json(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False)


def _columns(ctx: ToolContext, arguments: NodeArguments) -> ToolResult:
    known = known_of(ctx)
    if unknown := _unknown(known, arguments.node_id):
        return unknown
    found = columns_at(known, arguments.node_id)
    lines = [f"{port}: {columns_text(columns)}" for port, columns in found.items()]
    text = "\n".join(lines) or "Its columns are not known: it makes no table, or it or a node before it has an error."
    return ToolResult(
        clip(text),
        data={"columns": found},
        summary=f"Read the columns of {arguments.node_id}",
        failed=not found,
    )


def _preview(ctx: ToolContext, arguments: PreviewTable) -> ToolResult:
    if unknown := _unknown(known_of(ctx), arguments.node_id):
        return unknown
    limit = max(1, min(arguments.limit, 50))
    seen = ctx.workspace.scratch(
        ctx.actor,
        flow_id=ctx.flow_id,
        changeset_id=ctx.draft.changeset_id,
        to=arguments.node_id,
        rows=limit,
        stop=ctx.stop,
    )
    return scratch_result(seen, about=arguments.node_id)


def scratch_result(seen: Any, *, about: str) -> ToolResult:
    """Return what a thrown-away run gave: its table, or why there is none."""
    table = seen.table
    if table is None or seen.status != "succeeded":
        failed = [node.diagnostic for node in seen.nodes.values() if node.diagnostic is not None]
        told = diagnostic_passages(failed or [each for each in seen.diagnostics if each.severity == "error"])
        head = Passage("\n".join(["There is no table.", *filter(None, [seen.note])]))
        return ToolResult.of([head, *told], data={"status": seen.status}, summary="It could not be run", failed=True)
    names = [column.name for column in table.columns]
    total = "an unknown number of rows" if table.total is None else _counted(table.total, "row")
    head = f"{seen.answer}: {total}, {_counted(len(names), 'column')}; the first {len(table.rows)}:"
    counts = [Passage(f"rows of each node: {row_counts(seen.nodes)}")] if len(seen.nodes) > 1 else []
    data = {
        "columns": [column.model_dump() for column in table.columns],
        "rows": [list(row) for row in table.rows],
        "total": table.total,
        "status": seen.status,
    }
    return ToolResult.of(
        [*counts, Passage(head), table_passage(names, table.rows)],
        data=data,
        summary=f"Looked at {about}: {total}, {_counted(len(names), 'column')}",
        records=(Record("run", words=f"looked at {about}: {total}"),),
    )


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _profile(ctx: ToolContext, arguments: ProfileColumns) -> ToolResult:
    if unknown := _unknown(known_of(ctx), arguments.node_id):
        return unknown
    found = ctx.workspace.profile(
        ctx.actor,
        ctx.flow_id,
        arguments.node_id,
        columns=arguments.columns or None,
        changeset_id=ctx.draft.changeset_id,
        stop=ctx.stop,
    )
    summary = f"Profiled {_counted(len(found.columns), 'column')} of {arguments.node_id}"
    return ToolResult.of(
        _profiled(found), data=found.model_dump(mode="json"), summary=summary, records=(Record("run", words=summary),)
    )


def _profiled(found: ProfileView) -> list[Passage]:
    passages = [Passage(_counted(found.rows, "row") if found.rows is not None else "rows not counted")]
    for column in found.columns:
        facts: Mapping[str, Any] = column.model_dump(mode="json", exclude_none=True)
        counts = ", ".join(f"{key} {facts[key]}" for key in _COUNTS)
        values = [f"{key} {_short(facts[key])}" for key in ("min", "max", "mean", "top") if facts.get(key)]
        passages.append(Passage(f"{column.name} {column.type}: {counts}"))
        if values:
            passages.append(Passage(f"  {', '.join(values)}", "values"))
    return passages


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 200 else text[:199] + "…"


def _diagnostics(ctx: ToolContext, arguments: NoArguments) -> ToolResult:
    del arguments
    found = known_of(ctx).diagnostics
    data = {"diagnostics": [each.model_dump(mode="json") for each in found]}
    errors = sum(each.severity == "error" for each in found)
    summary = f"Checked the flow: {_counted(errors, 'error') if errors else 'no errors'}"
    done = Record("check", ctx.draft.changeset_id or "", summary, ok=not errors)
    return ToolResult.of(
        diagnostic_passages(found) or [Passage("No problems.")], data=data, summary=summary, records=(done,)
    )


TOOLS = (
    Tool(
        "read_outline",
        "The flow as text: every node with its config, edges and columns.",
        ReadOutline,
        "read",
        _outline,
    ),
    Tool("read_node", "One node: config, what arrives, what leaves, its diagnostics.", NodeArguments, "read", _node),
    Tool(
        "read_columns", "The columns and types that leave a node, without running it.", NodeArguments, "read", _columns
    ),
    Tool(
        "preview_table",
        "The first rows of a node's table. Runs the flow up to it and throws the run away; nothing is written.",
        PreviewTable,
        "read",
        _preview,
    ),
    Tool(
        "profile_columns",
        "Figures for a node's columns: nulls, distinct values, minimum, maximum, mean, most frequent values.",
        ProfileColumns,
        "read",
        _profile,
    ),
    Tool(
        "read_diagnostics", "Everything the checks say about the flow, with fixes.", NoArguments, "read", _diagnostics
    ),
)
