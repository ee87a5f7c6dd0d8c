"""What may be connected to what: the faults of a node's edges, seen from the node where they arrive.

Shared by the checks, which report every fault, and by runs, which do not start a node that has one.
"""

from __future__ import annotations

from dataclasses import dataclass

from headrace.flow.model import Edge, Flow, PortRef

from .catalog import Catalog
from .spec import Fault, NodeType, Port


def type_of(flow: Flow, node_id: str, catalog: Catalog) -> NodeType | None:
    """Return the node type of a node, or None where the catalog has none of that name."""
    return catalog.find(flow.nodes[node_id].type)


def port_named(ports: tuple[Port, ...], name: str) -> Port | None:
    """Return the port of that name, or None."""
    return next((port for port in ports if port.name == name), None)


@dataclass(frozen=True, slots=True)
class PortFault:
    """What is wrong at a port of a node, and the edges that are part of it."""

    node_id: str
    fault: Fault
    edges: tuple[Edge, ...] = ()


def port_faults(flow: Flow, node_id: str, catalog: Catalog) -> tuple[PortFault, ...]:
    """Return what is wrong with the edges into a node and with its inputs that have none; F104, F105, F202, F203.

    A node of an unknown type has no faults of this kind: its ports are not known.
    """
    here = type_of(flow, node_id, catalog)
    if here is None:
        return ()
    edges = flow.edges_into(node_id)
    faults = [
        PortFault(node_id, fault, (edge,))
        for edge in edges
        if (fault := _edge_fault(flow, edge, here, catalog=catalog))
    ]
    for port in here.inputs:
        arriving = tuple(edge for edge in edges if edge.target.port == port.name)
        if fault := _crowd_fault(node_id, port, arriving):
            faults.append(PortFault(node_id, fault, arriving))
    return tuple(faults)


def fits(source: Port, target: Port) -> bool:
    """Return whether what leaves one port may arrive at the other."""
    return source.type == target.type or "any" in (source.type, target.type)


def _edge_fault(flow: Flow, edge: Edge, here: NodeType, *, catalog: Catalog) -> Fault | None:
    target = port_named(here.inputs, edge.target.port)
    if target is None:
        return _unknown_port(here, edge.target, side="input", ports=here.inputs)
    there = type_of(flow, edge.source.node, catalog)
    if there is None:
        return None
    source = port_named(there.outputs, edge.source.port)
    if source is None:
        return _unknown_port(there, edge.source, side="output", ports=there.outputs, at=edge.target.port)
    if fits(source, target):
        return None
    return Fault(
        code="F203",
        port=edge.target.port,
        message=f"{edge.source.port!r} of {edge.source.node!r} gives {_a(source.type)}, and {edge.target.port!r} of "
        f"{edge.target.node!r} takes {_a(target.type)}. Disconnect them and connect {_a(target.type)}.",
    )


def _unknown_port(owner: NodeType, end: PortRef, *, side: str, ports: tuple[Port, ...], at: str = "") -> Fault:
    names = ", ".join(repr(port.name) for port in ports)
    rest = f"it has {names}. Connect the edge there." if ports else f"`{owner.name}` has none. Disconnect the edge."
    return Fault(code="F202", port=at or end.port, message=f"{end.node!r} has no {side} {end.port!r}; {rest}")


def _crowd_fault(node_id: str, port: Port, arriving: tuple[Edge, ...]) -> Fault | None:
    if not arriving and port.required:
        return Fault(
            code="F104",
            port=port.name,
            message=f"Nothing is connected to {port.name!r} of {node_id!r}. It takes {_a(port.type)}; connect one.",
        )
    if len(arriving) > 1 and not port.many:
        sources = ", ".join(repr(edge.source.node) for edge in arriving)
        together = ", or put the tables together with `union` first" if port.type == "table" else ""
        return Fault(
            code="F105",
            port=port.name,
            message=f"{port.name!r} of {node_id!r} takes one edge and has {len(arriving)}: from {sources}. "
            f"Disconnect all but one{together}.",
        )
    return None


def _a(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
