"""What is known of a flow without running it: columns and diagnostics, carried from one revision to the next.

Owns keeping that cheap: an edit costs what it touches and what really changes below it. Nodes that look at files are
asked again each time, because files change without telling the flow.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from headrace.checks.judge import Judgement, examine
from headrace.flow.diagnostic import Diagnostic
from headrace.flow.model import Flow
from headrace.nodes.catalog import Catalog
from headrace.nodes.inference import Inference, infer
from headrace.nodes.spec import Context, Effect, Table

from .views import Columns

_LOOK_OUTSIDE = frozenset({Effect.READS, Effect.WRITES})
_ORDER = {"error": 0, "warning": 1, "note": 2}
SHOWN = 200
"""Diagnostics that a view or an event carries; errors first."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A flow with what is known of it."""

    flow: Flow
    inference: Inference
    judgement: Judgement

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All that is wrong with it: of the whole first, then by node, then by code."""
        return self.judgement.diagnostics


class Judge:
    """Judges flows against one catalogue and one file space. Keeps nothing: what it knew is handed back to it."""

    def __init__(self, catalog: Catalog, context: Context) -> None:
        self._catalog = catalog
        self._context = context
        self._outside = frozenset(each.name for each in catalog.all() if each.effects & _LOOK_OUTSIDE)

    def first(self, flow: Flow) -> Judged:
        """Return all that is known of a flow, from nothing."""
        inference = infer(flow, self._catalog, self._context)
        return Judged(flow, inference, examine(flow, self._catalog, inference))

    def again(self, prior: Judged, flow: Flow, *, touched: frozenset[str]) -> Judged:
        """Return what is known of a flow, given what was known of one that differs from it in the touched nodes."""
        touched |= {node_id for node_id, node in flow.nodes.items() if node.type in self._outside}
        if not touched:
            return prior if flow is prior.flow else Judged(flow, prior.inference, prior.judgement)
        inference = infer(flow, self._catalog, self._context, prior=prior.inference, touched=touched)
        if inference is prior.inference and flow is prior.flow:
            return prior
        found = examine(flow, self._catalog, inference, prior=prior.judgement, touched=touched)
        return Judged(flow, inference, found)


def shown(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return diagnostics as a view carries them: in their order, or the gravest where there are too many."""
    every = tuple(diagnostics)
    if len(every) <= SHOWN:
        return every
    return tuple(sorted(every, key=lambda each: _ORDER[each.severity])[:SHOWN])


def introduced(after: Iterable[Diagnostic], before: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics that were not there before; the fixes that they offer make no difference."""
    known = {(each.code, each.where, each.message) for each in before}
    return tuple(each for each in after if (each.code, each.where, each.message) not in known)


def columns_of(judged: Judged, node_ids: Iterable[str] | None = None) -> Columns:
    """Return the columns at the table ports of some nodes, or of all."""
    found: Columns = {}
    for node_id in judged.flow.nodes if node_ids is None else node_ids:
        typing = judged.inference.nodes.get(node_id)
        if typing is not None:
            found[node_id] = {port: out.columns for port, out in typing.outputs.items() if isinstance(out, Table)}
    return found


def changed_columns(after: Judged, before: Judged) -> Columns:
    """Return the columns of the nodes whose columns are others than before, or who are new."""
    if after.inference is before.inference:
        return {}
    known = before.inference.nodes
    changed = (
        node_id
        for node_id, typing in after.inference.nodes.items()
        if (old := known.get(node_id)) is not typing and (old is None or old.outputs != typing.outputs)
    )
    return columns_of(after, sorted(changed))
