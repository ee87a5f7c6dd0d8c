"""What an edit is answered with: what changed, the columns that are new, what is wrong with it, and the first rows that come out.

Owns saying each thing once: columns that were told before, or that only pass through a node, are not spelled out again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from headrace.flow.diagnostic import Diagnostic
from headrace.flow.model import Flow
from headrace.flow.order import order
from headrace.workspace.judging import Judged
from headrace.workspace.views import ChangesetView, ScratchView

from .read import columns_at, known_of
from .result import columns_text, diagnostic_passages, row_counts, table_passage
from .spec import Passage, Record, ToolContext, ToolResult, clip
from .types import type_line

_SENTENCES = 20
_ECHOES = ("add_node", "connect", "set_name", "set_title")
"""Operations of which no more could be said than was written."""
_LOOK_SECONDS = 5.0
_LOOK_ROWS = 5
_LOOK_NODES = 24
"""A bigger flow is not run on trial after each edit: that would cost more than it tells."""
_COLUMN_CHARACTERS = 1_800
_PASSED_ON = 4
"""A table of fewer columns is spelled out: that costs no more than saying where they come from."""

Names = Sequence[Mapping[str, str]]


def told(ctx: ToolContext, staged: ChangesetView, *, new: int) -> ToolResult:
    """Return what a staged change made of the flow; `new` is the number of its latest operations."""
    known = known_of(ctx)
    latest = zip(staged.operations[-new:], staged.words[-new:], strict=True) if new else ()
    words = [sentence for operation, sentence in latest if operation.op not in _ECHOES]
    lines = [f"Staged {new} operation{'' if new == 1 else 's'}.", *(f"- {sentence}" for sentence in words[:_SENTENCES])]
    if len(words) > _SENTENCES:
        lines.append(f"… {len(words) - _SENTENCES} more")
    lines += _clipped(_column_lines(ctx, known, staged))
    faults = [found for found in staged.diagnostics if found.severity != "note"]
    errors = [found for found in faults if found.severity == "error"]
    look = None if errors or len(known.flow.nodes) > _LOOK_NODES else _look(ctx)
    broken = look is not None and look.status == "failed"
    passages = [Passage("\n".join(lines)), *_faults(ctx, known.flow, faults, broken=broken)]
    passages += [] if look is None else look_passages(look)
    to_mend = f", {len(errors)} to mend" if errors else ", which a trial run cannot run yet" if broken else ""
    summary = f"Staged {new} change{'' if new == 1 else 's'}{to_mend}"
    unfinished = bool(errors) or broken
    data: dict[str, Any] = {
        "changeset_id": staged.changeset_id,
        "digest": staged.digest,
        "diagnostics": [found.model_dump(mode="json") for found in staged.diagnostics],
    }
    records = [
        Record("edit", staged.changeset_id, summary, ok=not unfinished),
        Record("check", staged.changeset_id, f"{len(errors)} errors" if errors else "no errors", ok=not errors),
    ]
    if look is not None and look.status == "succeeded":
        data["trial"] = {node_id: node.rows for node_id, node in look.nodes.items()}
    if look is not None:
        records.append(Record("run", staged.changeset_id, f"trial run {look.status}", ok=look.status == "succeeded"))
    return ToolResult.of(passages, data=data, summary=summary, unfinished=unfinished, records=tuple(records))


def _faults(ctx: ToolContext, flow: Flow, faults: Sequence[Diagnostic], *, broken: bool) -> list[Passage]:
    """Return what the checks say: the errors, or where there are none the warnings, since those mostly follow from them."""
    if not faults:
        return [Passage("The checks find nothing." if broken else "No problems.")]
    errors = [found for found in faults if found.severity == "error"]
    rest = len(faults) - len(errors) if errors else 0
    also = [*_shape_lines(ctx, flow, errors), *([f"and {rest} warning{'' if rest == 1 else 's'}"] if rest else ())]
    return [Passage("Diagnostics:"), *diagnostic_passages(_along(flow, errors or faults)), *map(Passage, also)]


def _in_order(flow: Flow, node_ids: Collection[str]) -> list[str]:
    """Return some nodes from the sources on; the whole flow is put in order only where there is something to order."""
    if len(node_ids) < 2:
        return list(node_ids)
    places = {node_id: place for place, node_id in enumerate(order(flow).sequence)}
    return sorted(node_ids, key=lambda node_id: places.get(node_id, len(places)))


def _along(flow: Flow, found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return diagnostics in the order in which the data flows: what comes first is mended first."""
    places = {node_id: place for place, node_id in enumerate(_in_order(flow, {each.where.node for each in found}))}
    return sorted(found, key=lambda each: places[each.where.node])


def _column_lines(ctx: ToolContext, known: Judged, staged: ChangesetView) -> list[str]:
    """Return a line for each table whose columns are others than those that were told last, from the sources on."""
    draft = ctx.draft
    lines: dict[str, list[str]] = {}
    before, draft.known = draft.known, known
    # nodes that are as they were, behind nodes that are as they were, have nothing new to tell
    changed = staged.columns if before is None else _with_those_behind(known.flow, known.unlike(before))
    for node_id in changed:
        if node_id not in staged.columns:
            continue
        arriving = [
            (edge.source.node, columns_at(known, edge.source.node).get(edge.source.port, []))
            for edge in known.flow.edges_into(node_id)
        ]
        for port, found in columns_at(known, node_id).items():
            text = _columns_line(found, arriving)
            place = f"{node_id}.{port}"
            if draft.told.get(place) != text:
                lines.setdefault(node_id, []).append(f"{place}: {text}")
            draft.told[place] = text
    return [line for node_id in _in_order(known.flow, lines) for line in lines[node_id]]


def _with_those_behind(flow: Flow, node_ids: Collection[str]) -> set[str]:
    return {*node_ids, *(edge.target.node for node_id in node_ids for edge in flow.edges_from(node_id))}


def _clipped(lines: Sequence[str]) -> list[str]:
    """Return the lines, in so many characters that what is wrong with the flow still fits behind them."""
    text = clip("\n".join(lines), _COLUMN_CHARACTERS)
    return [text] if text else []


def _columns_line(found: Names, arriving: Sequence[tuple[str, Names]]) -> str:
    """Return columns as text, those that merely pass through by the name of the node they come from."""
    passed = [(len(names), source) for source, names in arriving if list(found[: len(names)]) == list(names)]
    count, source = max(passed, default=(0, ""))
    if count < _PASSED_ON:
        return columns_text(found)
    more = found[count:]
    return f"as {source}" + (f", and {columns_text(more)}" if more else "")


def _shape_lines(ctx: ToolContext, flow: Flow, errors: Sequence[Diagnostic]) -> list[str]:
    """Return how the node types are configured whose config cannot be read."""
    nodes = flow.nodes
    wrong = [found.where.node for found in errors if found.code.startswith("F3") and found.where.node in nodes]
    names = dict.fromkeys(nodes[node_id].type for node_id in wrong)
    known = {each.name: each for each in ctx.workspace.catalog.all()}
    return [f"config of {type_line(known[name])}" for name in names if name in known]


def _look(ctx: ToolContext) -> ScratchView | None:
    """Return a thrown-away run of the staged flow; None where it holds nothing that could be run."""
    view = ctx.workspace.scratch(
        ctx.actor,
        flow_id=ctx.flow_id,
        changeset_id=ctx.draft.changeset_id,
        rows=_LOOK_ROWS,
        seconds=_LOOK_SECONDS,
        stop=ctx.stop,
    )
    return view if view.nodes else None


def look_passages(look: ScratchView) -> list[Passage]:
    """Return a trial run as text: why it failed, or how many rows each node gives and the first ones of the answer."""
    if look.status != "succeeded":
        failed = [node.diagnostic for node in look.nodes.values() if node.diagnostic is not None]
        why = look.note or look.status
        return [Passage(f"Trial run (nothing is written): {why}"), *diagnostic_passages(failed)]
    lines = [f"Trial run (nothing is written), rows: {row_counts(look.nodes)}."]
    lines += [f"{node_id}: {node.summary}" for node_id, node in look.nodes.items() if node.outputs and node.summary]
    passages = [Passage("\n".join(lines))]
    if look.table is not None and look.answer is not None:
        names = [column.name for column in look.table.columns]
        passages += [Passage(f"{look.answer}, the first rows:"), table_passage(names, look.table.rows)]
    return passages
