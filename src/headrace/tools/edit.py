"""Tools that change the flow. All they do is staged in the turn's one draft; a person decides about it."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from headrace.base.value import Value
from headrace.flow.model import Node
from headrace.flow.operations import AddNode, Operation, RemoveNode, SetName
from headrace.workspace.views import ChangesetView

from .read import plain_columns, view_of
from .result import columns_text, diagnostic_lines
from .spec import Arguments, Tool, ToolContext, ToolResult, clip


class EditFlow(Arguments):
    """A batch of operations: all are applied, or none."""

    operations: tuple[dict[str, Any], ...]
    """In order; later ones may use ids that earlier ones make. Forms:
    {"op":"add_node","node":{"id","type","config","title"?}} {"op":"remove_node","node_id"} {"op":"replace_node","node_id","type","config"}
    {"op":"set_config","node_id","values":{…}} {"op":"unset_config","node_id","keys":[…]} {"op":"set_title","node_id","title"}
    {"op":"connect","source":"a.out","target":"b.in"} {"op":"disconnect","source","target"}
    {"op":"insert_between","source","target","node":{…}} {"op":"set_name","name"}"""
    summary: str = ""
    """One line for the person who reviews it."""


class NewNode(Value):
    """A node of a new flow."""

    id: str
    type: str
    config: dict[str, Any] = Field(default_factory=dict)
    title: str = ""


class SetFlow(Arguments):
    """A whole flow. It takes the place of the one that is there."""

    name: str = ""
    nodes: tuple[NewNode, ...]
    edges: tuple[str, ...] = ()
    """Each "source>target" or "source.port>target.port"; ports may be left out where a node has one: "read>clean", "read>match.left"."""
    summary: str = ""
    """One line for the person who reviews it."""


def _edit(ctx: ToolContext, arguments: EditFlow) -> ToolResult:
    return _stage(ctx, arguments.operations, arguments.summary)


def _set(ctx: ToolContext, arguments: SetFlow) -> ToolResult:
    present = view_of(ctx).document["nodes"]
    operations: list[Operation | dict[str, Any]] = [RemoveNode(node_id=node_id) for node_id in present]
    operations += [
        AddNode(node=Node(id=node.id, type=node.type, config=node.config, title=node.title)) for node in arguments.nodes
    ]
    operations += connections(arguments.edges)
    if arguments.name:
        operations.append(SetName(name=arguments.name))
    plain = [each if isinstance(each, dict) else each.model_dump(mode="json") for each in operations]
    return _stage(ctx, tuple(plain), arguments.summary)


def connections(edges: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return edges written as `a>b` or `a.out>b.in` as operations."""
    ends = ([end.strip() for end in edge.replace("->", ">").partition(">")] for edge in edges)
    return [{"op": "connect", "source": source, "target": target} for source, _, target in ends]


def _stage(ctx: ToolContext, operations: tuple[dict[str, Any], ...], summary: str) -> ToolResult:
    """Put operations into the turn's draft and tell what that makes of the flow."""
    workspace, draft = ctx.workspace, ctx.draft
    if draft.changeset_id is None:
        staged = workspace.propose(ctx.actor, ctx.flow_id, operations, summary=summary, turn_id=ctx.turn_id)
    else:
        staged = workspace.amend(ctx.actor, draft.changeset_id, operations, summary=summary or None)
    draft.changeset_id = staged.changeset_id
    return told(ctx, staged, new=len(operations))


def told(ctx: ToolContext, staged: ChangesetView, *, new: int) -> ToolResult:
    """Return what a staged change made of the flow: the new sentences, the columns that became others, what is wrong."""
    words = staged.words[-new:] if new else ()
    columns = {
        node_id: {port: [column.model_dump() for column in found] for port, found in ports.items()}
        for node_id, ports in staged.columns.items()
    }
    lines = [f"Staged in {staged.changeset_id} ({len(staged.operations)} operations so far):"]
    lines += [f"- {sentence}" for sentence in words[:20]]
    lines += [f"… {len(words) - 20} more" for _ in [0] if len(words) > 20]
    for node_id, ports in columns.items():
        lines += [f"{node_id}.{port}: {columns_text(found)}" for port, found in ports.items()]
    faults = diagnostic_lines(found for found in staged.diagnostics if found.severity != "note")
    lines += ["Diagnostics:", *faults] if faults else ["No problems."]
    errors = sum(found.severity == "error" for found in staged.diagnostics)
    summary = f"Staged {new} change{'' if new == 1 else 's'}" + (f", {errors} to mend" if errors else "")
    data = {
        "changeset_id": staged.changeset_id,
        "digest": staged.digest,
        "diagnostics": [found.model_dump(mode="json") for found in staged.diagnostics],
        "columns": plain_columns(view_of(ctx)),
    }
    return ToolResult(clip("\n".join(lines)), data=data, summary=summary)


TOOLS = (
    Tool(
        "edit_flow",
        "Change the flow by a batch of operations, all or nothing. The change is staged for the person to review.",
        EditFlow,
        "edit",
        _edit,
    ),
    Tool(
        "set_flow",
        "Build a whole new flow in one call, in place of what is there. Staged for the person to review.",
        SetFlow,
        "edit",
        _set,
    ),
)
