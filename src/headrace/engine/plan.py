"""What a run has to do, in which order: one task a node, only those that the target needs.

Owns the order and which table feeds which port. Refuses to look at data: a plan is made of the flow and what was inferred.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from headrace.base.errors import NotFound
from headrace.base.ids import unused
from headrace.flow.diagnostic import Diagnostic, Where
from headrace.flow.model import Flow
from headrace.flow.order import order, upstream
from headrace.nodes.catalog import Catalog
from headrace.nodes.findings import diagnostic_of
from headrace.nodes.inference import Inference
from headrace.nodes.ports import port_faults, port_named
from headrace.nodes.spec import NodeType, Table


@dataclass(frozen=True, slots=True)
class Task:
    """One node of a run."""

    node_id: str
    relation: str
    """The name of its table in DuckDB: the node id, made unique where case alone tells two ids apart."""
    type: NodeType | None
    config: Any
    raw_config: Mapping[str, Any]
    feeds: Mapping[str, tuple[str, ...]]
    """Input port -> the nodes whose tables arrive there, in the order of the edges' ids."""
    table: Table | None
    """The columns that come out; None: no table does."""
    followers: tuple[str, ...]
    """The nodes of the plan that take this node's table, one entry for each edge."""
    failure: Diagnostic | None
    """Why it cannot be run as it is."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The tasks of a run, each after all that it takes from."""

    tasks: Mapping[str, Task]
    """By node id, in the order in which they run."""
    target: str | None
    """The node up to which the run goes; None: the whole flow."""


def plan(flow: Flow, catalog: Catalog, inference: Inference, *, to: str | None = None) -> Plan:
    """Return the tasks of a run of the flow, or of what the node `to` needs of it.

    Deterministic: among nodes that could come next, the first by id does.
    Errors: NotFound, where the flow has no node `to`.
    """
    if to is not None and to not in flow.nodes:
        raise NotFound("no_such_node", f"There is no node {to!r} in this flow.", f"Its nodes: {_some(flow)}.")
    ordered = order(flow)
    needed = upstream(flow, [to]) if to is not None else None
    chosen = [node_id for node_id in (*ordered.sequence, *ordered.circular) if needed is None or node_id in needed]
    names: dict[str, str] = {}
    taken: set[str] = set()
    for node_id in chosen:
        names[node_id] = unused(node_id.lower(), taken)
        taken.add(names[node_id])
    making = _Making(flow, catalog, inference, names, frozenset(ordered.circular))
    return Plan(tasks={node_id: making.task(node_id) for node_id in chosen}, target=to)


@dataclass(frozen=True, slots=True)
class _Making:
    """What tasks are made of."""

    flow: Flow
    catalog: Catalog
    inference: Inference
    names: Mapping[str, str]
    circular: frozenset[str]

    def task(self, node_id: str) -> Task:
        node, typing = self.flow.nodes[node_id], self.inference.nodes.get(node_id)
        tables = [output for output in (typing.outputs if typing else {}).values() if isinstance(output, Table)]
        return Task(
            node_id=node_id,
            relation=self.names[node_id],
            type=self.catalog.find(node.type),
            config=typing.config if typing else None,
            raw_config=node.config,
            feeds=self._feeds(node_id),
            table=tables[0] if tables else None,
            followers=tuple(e.target.node for e in self.flow.edges_from(node_id) if e.target.node in self.names),
            failure=self._failure(node_id),
        )

    def _feeds(self, node_id: str) -> dict[str, tuple[str, ...]]:
        feeds: dict[str, tuple[str, ...]] = {}
        for edge in self.flow.edges_into(node_id):
            source_type = self.catalog.find(self.flow.nodes[edge.source.node].type)
            port = port_named(source_type.outputs, edge.source.port) if source_type else None
            if port is None or port.type == "table":
                feeds[edge.target.port] = (*feeds.get(edge.target.port, ()), edge.source.node)
        return feeds

    def _failure(self, node_id: str) -> Diagnostic | None:
        node, typing = self.flow.nodes[node_id], self.inference.nodes.get(node_id)
        node_type = self.catalog.find(node.type)
        if node_type is None:
            return _plain(node_id, "F201", self.catalog.unknown(node.type))
        if node.version > node_type.version:
            message = f"{node_id!r} was made for version {node.version} of `{node.type}`. Use a newer Headrace, or make it anew."
            return _plain(node_id, "F204", message)
        if node_id in self.circular:
            return _plain(
                node_id, "F101", f"{node_id!r} waits for itself: edges go in a circle. Disconnect one of them."
            )
        at_ports = (each.fault for each in port_faults(self.flow, node_id, self.catalog))
        for fault in (*at_ports, *(typing.faults if typing else ())):
            if fault.severity == "error":
                return diagnostic_of(node_id, fault, node.config)
        return None


def _plain(node_id: str, code: str, message: str) -> Diagnostic:
    return Diagnostic(code=code, severity="error", where=Where(node=node_id), message=message)


def _some(flow: Flow) -> str:
    names = sorted(flow.nodes)
    return ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "") or "none"
