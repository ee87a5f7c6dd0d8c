"""A place to check and run flows: a real folder, real DuckDB, the product's own node types."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from headrace.checks.judge import judge
from headrace.engine.cancel import CancelToken
from headrace.engine.events import NodeFailed, NodeFinished, NodeSkipped, RunEvent, RunFinished
from headrace.engine.plan import Plan, plan
from headrace.engine.results import NodeResult, RunSettings
from headrace.engine.run import run
from headrace.flow.diagnostic import Diagnostic
from headrace.flow.model import Flow, flow_from_document
from headrace.nodes.binder import Binder
from headrace.nodes.catalog import Catalog, standard_catalog
from headrace.nodes.context import StandardContext
from headrace.nodes.files import FileSpace
from headrace.nodes.inference import Inference, infer


@functools.cache
def _catalog() -> Catalog:
    return standard_catalog()


@functools.cache
def _binder() -> Binder:
    return Binder()


@dataclass
class Outcome:
    """Everything that a run told."""

    events: list[RunEvent]
    results: dict[str, NodeResult]

    @property
    def status(self) -> str:
        """How the run ended."""
        last = self.events[-1]
        assert isinstance(last, RunFinished)
        return last.status

    def finished(self, node_id: str) -> NodeFinished:
        """Return the event that a node is done."""
        (event,) = [e for e in self.events if isinstance(e, NodeFinished) and e.node_id == node_id]
        return event

    def failed(self, node_id: str) -> NodeFailed:
        """Return the event that a node failed."""
        (event,) = [e for e in self.events if isinstance(e, NodeFailed) and e.node_id == node_id]
        return event

    def skipped(self) -> dict[str, str]:
        """Return which nodes were skipped because of which."""
        return {e.node_id: e.because for e in self.events if isinstance(e, NodeSkipped)}

    def rows(self) -> dict[str, int | None]:
        """Return how many rows came out of each node that is done."""
        return {e.node_id: e.rows for e in self.events if isinstance(e, NodeFinished)}

    def preview(self, node_id: str) -> list[tuple[Any, ...]]:
        """Return a node's first rows."""
        return list(self.results[node_id].preview)


@dataclass
class Lab:
    """A folder with files, and flows over them."""

    folder: Path
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def catalog(self) -> Catalog:
        """The standard catalog."""
        return _catalog()

    @property
    def files(self) -> FileSpace:
        """The folder, as flows may use it."""
        return FileSpace([self.folder])

    @property
    def context(self) -> StandardContext:
        """What node types may ask."""
        return StandardContext(self.files, _binder())

    def write(self, name: str, text: str) -> Path:
        """Write a file."""
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def table(self, name: str, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> Path:
        """Write a csv file of rows."""
        lines = [",".join(header), *(",".join("" if cell is None else str(cell) for cell in row) for row in rows)]
        return self.write(name, "\n".join(lines) + "\n")

    def flow(self, nodes: Mapping[str, tuple[str, dict[str, Any]]], *edges: str, **document: Any) -> Flow:
        """Return a flow: nodes as `id: (type, config)`, edges as `a > b` or `a.out > b.left`."""
        ends = [tuple(end.strip() for end in edge.split(">")) for edge in edges]
        records = [(_end(source, "out"), _end(target, "in")) for source, target in ends]
        return flow_from_document(
            {
                "headrace": 1,
                "name": "t",
                "nodes": {key: {"type": kind, "config": config} for key, (kind, config) in nodes.items()},
                "edges": {
                    f"{s['node']}.{s['port']}>{t['node']}.{t['port']}": {"source": s, "target": t} for s, t in records
                },
                **document,
            }
        )

    def infer(self, flow: Flow) -> Inference:
        """Return what is known of a flow without running it."""
        return infer(flow, self.catalog, self.context)

    def judge(self, flow: Flow) -> tuple[Diagnostic, ...]:
        """Return what is wrong with a flow."""
        return judge(flow, self.catalog, self.infer(flow))

    def plan(self, flow: Flow, *, to: str | None = None) -> Plan:
        """Return the plan of a flow."""
        return plan(flow, self.catalog, self.infer(flow), to=to)

    def events(
        self, flow: Flow, *, to: str | None = None, cancel: CancelToken | None = None, **settings: Any
    ) -> Iterator[RunEvent]:
        """Begin a run and return its events as they come."""
        context = self.context
        given = {"run_id": "run_1", "context": context, "files": context.files, **self.settings, **settings}
        return run(self.plan(flow, to=to), RunSettings(**given), cancel or CancelToken())

    def run(self, flow: Flow, *, to: str | None = None, cancel: CancelToken | None = None, **settings: Any) -> Outcome:
        """Run a flow to its end."""
        results: dict[str, NodeResult] = {}

        def deliver(result: NodeResult) -> None:
            results[result.node_id] = result

        events = list(self.events(flow, to=to, cancel=cancel, deliver=deliver, **settings))
        return Outcome(events, results)


def chain(*node_ids: str) -> list[str]:
    """Return the edges from each node to the next."""
    return [f"{a} > {b}" for a, b in itertools.pairwise(node_ids)]


def _end(text: str, port: str) -> dict[str, str]:
    node, _, name = text.partition(".")
    return {"node": node, "port": name or port}
