"""Tools that change the flow. All they do is staged in the turn's one draft; a person decides about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from headrace.base.errors import HeadraceError, Invalid, WrongState

from .intentions import FORMS, forms_of, plain_operation
from .notation import NewEdges, NewNode, connections, in_a_row, inputs_of
from .read import known_of
from .rewriting import placed, rewritten
from .spec import Arguments, Tool, ToolContext, ToolResult
from .telling import told

_OPERATIONS = (
    "In order; later ones may use ids that earlier ones make. Forms:\n"
    + "\n".join(FORMS.values())
    + "\nset_config replaces each value that it names whole. remove_node takes the node's edges with it: connect what stays."
)


class EditFlow(Arguments):
    """A batch of operations: all are applied, or none."""

    operations: tuple[dict[str, Any], ...] = Field(description=_OPERATIONS)
    summary: str = ""
    """One line for the person who reviews it."""


class SetFlow(Arguments):
    """A whole flow. It takes the place of the one that is there."""

    name: str = ""
    nodes: tuple[NewNode, ...]
    edges: NewEdges = ()
    """Each "a>b", or a chain "a>b>c". Name the port where a node has several: "a>match.left", "b>match.right". Left out: each node feeds the next."""
    summary: str = ""
    """One line for the person who reviews it."""


def _edit(ctx: ToolContext, arguments: EditFlow) -> ToolResult:
    operations = tuple(plain_operation(each) for each in arguments.operations)
    try:
        return _stage(ctx, operations, arguments.summary)
    except Invalid as error:
        hint = f"Nothing of the batch was done. The forms are {forms_of(operations)}. Send the whole batch again."
        raise Invalid(error.code, error.message, hint, faults=error.faults) from error


def _set(ctx: ToolContext, arguments: SetFlow) -> ToolResult:
    flow = known_of(ctx).flow
    edges = in_a_row(arguments.nodes, arguments.edges)
    wanted = connections(edges, inputs_of(arguments.nodes, ctx.workspace.catalog))
    found = rewritten(flow, arguments.nodes, wanted, name=arguments.name)
    try:
        return _stage(ctx, [operation for operation, _ in found], arguments.summary)
    except HeadraceError as error:
        raise placed(error, [place for _, place in found]) from error


def _stage(ctx: ToolContext, operations: Sequence[dict[str, Any]], summary: str) -> ToolResult:
    """Put operations into the turn's draft and tell what that makes of the flow."""
    workspace, draft = ctx.workspace, ctx.draft
    if ctx.stop.cancelled:
        raise WrongState("turn_stopped", "The turn was stopped before this could be staged.", "Nothing was changed.")
    if draft.changeset_id is None:
        staged = workspace.propose(ctx.actor, ctx.flow_id, operations, summary=summary, turn_id=ctx.turn_id)
    else:
        try:
            staged = workspace.amend(ctx.actor, draft.changeset_id, operations, summary=summary or None)
        except WrongState as error:
            draft.changeset_id = None
            hint = "The flow is now what read_outline shows. Look at it, then send what is still to do."
            raise WrongState(error.code, "The person has just decided about the staged change.", hint) from error
    draft.changeset_id, draft.edited = staged.changeset_id, True
    return told(ctx, staged, new=len(operations))


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
        "Build a whole flow in one call, in place of what is there. Staged for the person to review.",
        SetFlow,
        "edit",
        _set,
    ),
)
