"""The judge: everything that is wrong with a flow, in a fixed order, found again only where something changed.

Pure: looks at the flow, the catalog and what was inferred, never at files or data.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from immutables import Map

from headrace.flow.diagnostic import Diagnostic
from headrace.flow.model import Flow
from headrace.nodes.catalog import Catalog
from headrace.nodes.inference import Inference
from headrace.nodes.spec import Slot

from . import whole
from .local import node_findings, path_in
from .scene import Scene

_FEW = 64


@dataclass(frozen=True)
class Judgement:
    """What was found in a flow, kept so that the next look costs only what changed."""

    scene: Scene
    findings: Map[str, tuple[Diagnostic, ...]]
    """What is wrong with single nodes, of those with whom something is."""
    circles: tuple[tuple[str, ...], ...]
    alone: Map[str, bool]
    """The sources that nothing is connected to."""
    sinks: Map[str, str]
    """The nodes that give no table, and the path that each writes; empty: none."""
    reads: Map[str, str]
    """The nodes that read a file, and its path."""

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything that was found: of the flow as a whole first, then by node id, then by code."""
        return tuple(
            sorted(self._all(), key=lambda each: (each.where.node, each.code, each.where.port, each.where.path))
        )

    def of(self, node_id: str) -> tuple[Diagnostic, ...]:
        """Return what was found at a node, by code."""
        return tuple(each for each in self.diagnostics if each.where.node == node_id)

    def _all(self) -> Iterator[Diagnostic]:
        missing: list[str] = []
        loose: list[str] | None = None
        overwriting = {each.where.node: each for each in whole.inputs_overwritten(self.sinks, self.reads)}
        for node_id, found in self.findings.items():
            for each in found:
                if each.code == "F104":
                    loose = whole.loose_tables(self.scene) if loose is None else loose
                    missing.append(node_id)
                    yield whole.with_loose_table(self.scene, each, loose)
                elif each.code != "F511" or node_id not in overwriting:
                    yield each
        yield from overwriting.values()
        yield from whole.circle_findings(self.scene.flow, self.circles)
        yield from whole.starved(self.scene.flow, sorted(missing), self.circles)
        yield from whole.alone(self.scene.flow, self.alone)
        yield from whole.same_files(self.sinks)
        if not self.sinks:
            yield whole.no_sink(self.scene.flow)


def judge(
    flow: Flow,
    catalog: Catalog,
    inference: Inference,
    *,
    prior: Judgement | None = None,
    touched: frozenset[str] | None = None,
) -> tuple[Diagnostic, ...]:
    """Return everything that is wrong with a flow: of the whole first, then by node id, then by code."""
    return examine(flow, catalog, inference, prior=prior, touched=touched).diagnostics


def examine(
    flow: Flow,
    catalog: Catalog,
    inference: Inference,
    *,
    prior: Judgement | None = None,
    touched: frozenset[str] | None = None,
) -> Judgement:
    """Return the judgement of a flow; with a `prior` one of the flow that it came from, looks only at what changed.

    `touched`: ids of nodes that were changed, added or removed, or whose edges were; None: any may have been.
    """
    scene = Scene(flow, catalog, inference)
    if prior is None or touched is None or prior.scene.catalog is not catalog:
        prior, again, near = None, frozenset(flow.nodes), None
    else:
        again = _to_look_at(scene, prior.scene, touched)
        # from many nodes, one look at the whole is cheaper
        near = touched if not prior.circles and len(touched) <= _FEW else None
    findings = (prior.findings if prior else Map()).mutate()
    alone = (prior.alone if prior else Map()).mutate()
    sinks = (prior.sinks if prior else Map()).mutate()
    reads = (prior.reads if prior else Map()).mutate()
    for node_id in again:
        for facts in (findings, alone, sinks, reads):
            facts.pop(node_id, None)
        if node_id not in flow.nodes:
            continue
        if found := node_findings(scene, node_id):
            findings[node_id] = found
        node_type = scene.type_of(node_id)
        if node_type is None:
            continue
        if (
            not flow.edges_into(node_id)
            and not flow.edges_from(node_id)
            and not any(p.required for p in node_type.inputs)
        ):
            alone[node_id] = True
        if not any(port.type == "table" for port in node_type.outputs):
            sinks[node_id] = path_in(scene, node_id, Slot.WRITE_PATH)
        if path := path_in(scene, node_id, Slot.READ_PATH):
            reads[node_id] = path
    same_edges = prior is not None and prior.scene.flow.edges is flow.edges
    return Judgement(
        scene=scene,
        findings=findings.finish(),
        circles=prior.circles if prior and same_edges else whole.circles(flow, near=near),
        alone=alone.finish(),
        sinks=sinks.finish(),
        reads=reads.finish(),
    )


def _to_look_at(scene: Scene, before: Scene, touched: frozenset[str]) -> frozenset[str]:
    """The nodes that were touched, those that take from one, and those of which something else was inferred."""
    flow = scene.flow
    followers = {edge.target.node for node_id in touched for edge in flow.edges_from(node_id)}
    return touched.union(followers, scene.inference.unlike(before.inference))
