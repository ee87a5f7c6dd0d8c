"""What is known of a flow without running it: columns and diagnostics, carried from one revision to the next.

Owns keeping that cheap: an edit costs what it touches and what really changes below it. Nodes that look at files are
asked again each time, because files change without telling the flow.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from headrace.base.canonical import same
from headrace.checks.judge import Judgement, examine
from headrace.flow.diagnostic import Diagnostic
from headrace.flow.model import Flow
from headrace.flow.patch import diff, touched
from headrace.flow.records import parameters_in
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
    outside: frozenset[str]
    """The nodes that look at files."""
    token: object = field(default_factory=object, compare=False, repr=False)
    """Stands for this very flow, as it was judged, in the lineage of the next one."""
    lineage: tuple[object, frozenset[str]] | None = field(default=None, compare=False, repr=False)
    """The token of what this was made from, and the nodes that are others, or of which something else is known."""

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All that is wrong with it: of the whole first, then by node, then by code."""
        return self.judgement.diagnostics

    def unlike(self, before: Judged) -> frozenset[str]:
        """Return the nodes that are others than before, or of which something else is known; some may be as they were.

        Costs those nodes, where this was made from `before` in one go.
        """
        if self is before:
            return frozenset()
        if self.lineage is not None and self.lineage[0] is before.token:
            return self.lineage[1]
        patch = diff(before.flow, self.flow)
        return touched(patch, flow=self.flow) | frozenset(self.inference.unlike(before.inference))


class Judge:
    """Judges flows against one catalogue and one file space. Keeps nothing: what it knew is handed back to it."""

    def __init__(self, catalog: Catalog, context: Context) -> None:
        self._catalog = catalog
        self._context = context
        self._outside = frozenset(each.name for each in catalog.all() if each.effects & _LOOK_OUTSIDE)

    def first(self, flow: Flow) -> Judged:
        """Return all that is known of a flow, from nothing."""
        inference = infer(flow, self._catalog, self._context)
        return Judged(flow, inference, examine(flow, self._catalog, inference), self._outside_of(flow, flow.nodes))

    def again(self, prior: Judged, flow: Flow, *, touched: frozenset[str]) -> Judged:
        """Return what is known of a flow, given what was known of one that differs from it in the touched nodes."""
        if flow is prior.flow and not prior.outside:
            return prior
        outside = prior.outside - touched | self._outside_of(flow, touched)
        look_at = touched | outside
        typed_otherwise = outside.union(node_id for node_id in touched if _feeds_on_other(flow, prior.flow, node_id))
        inference = infer(flow, self._catalog, self._context, prior=prior.inference, touched=typed_otherwise)
        if inference is prior.inference and flow is prior.flow:
            return prior
        found = examine(flow, self._catalog, inference, prior=prior.judgement, touched=look_at)
        changed = touched.union(inference.unlike(prior.inference))
        return Judged(flow, inference, found, outside, lineage=(prior.token, changed))

    def _outside_of(self, flow: Flow, node_ids: Iterable[str]) -> frozenset[str]:
        """Those of some nodes that look at files."""
        return frozenset(
            node_id for node_id in node_ids if node_id in flow.nodes and flow.nodes[node_id].type in self._outside
        )


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
    changed = (
        node_id for node_id in after.inference.unlike(before.inference) if not _same_outputs(after, before, node_id)
    )
    return columns_of(after, sorted(changed))


def staged_columns(after: Judged, before: Judged, node_ids: Iterable[str]) -> Columns:
    """Return, of some nodes, the columns of those that a staged change touches, and of those whose columns it changes."""
    wanted = (
        node_id
        for node_id in node_ids
        if node_id in after.flow.nodes
        and not (_same_outputs(after, before, node_id) and _same_place(after.flow, before.flow, node_id))
    )
    return columns_of(after, sorted(wanted))


def _feeds_on_other(after: Flow, before: Flow, node_id: str) -> bool:
    """Whether a node is another than before, or takes from other edges: whom it gives to makes no difference to what it is."""
    node = after.nodes.get(node_id)
    return (
        node is None or node is not before.nodes.get(node_id) or after.edges_into(node_id) != before.edges_into(node_id)
    )


def _same_outputs(after: Judged, before: Judged, node_id: str) -> bool:
    typing, old = after.inference.nodes.get(node_id), before.inference.nodes.get(node_id)
    if typing is None:
        return True
    return typing is old or (old is not None and typing.outputs == old.outputs)


def _same_place(after: Flow, before: Flow, node_id: str) -> bool:
    """Whether a node is what it was, between the edges where it was, and refers to parameters that are what they were."""
    node, old = after.nodes[node_id], before.nodes.get(node_id)
    if old is None or not (node is old or same(node.document, old.document)):
        return False
    if after.edges_into(node_id) != before.edges_into(node_id) or after.edges_from(node_id) != before.edges_from(
        node_id
    ):
        return False
    if after.parameters is before.parameters:
        return True
    named = parameters_in(node.config)
    return all(after.parameters.get(name) == before.parameters.get(name) for name in named)
