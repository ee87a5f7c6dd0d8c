"""What is wrong with one node, seen from its own record, its edges and what was inferred of it.

Everything here is found again only for nodes that changed. What concerns the flow as a whole is in `whole`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from headrace.flow.diagnostic import Diagnostic, Fix, Where
from headrace.flow.model import Edge, Flow, Node, PortRef
from headrace.flow.operations import Connect, Disconnect, Operation, ReplaceNode, SetConfig, UnsetConfig
from headrace.nodes.catalog import Catalog
from headrace.nodes.findings import diagnostic_of
from headrace.nodes.inference import Inference
from headrace.nodes.near import near
from headrace.nodes.ports import PortFault, port_faults, type_of
from headrace.nodes.spec import Effect, Fault, Holds, NodeType, Port, Slot

from .codes import CODES

_ACTS = frozenset({Effect.WRITES, Effect.SENDS, Effect.SPENDS, Effect.EXECUTES})
_DOES = {Effect.SENDS: "send data to a service", Effect.SPENDS: "use a paid service", Effect.EXECUTES: "run code"}
_MOST_FIXES = 4


def node_findings(flow: Flow, node_id: str, catalog: Catalog, inference: Inference) -> tuple[Diagnostic, ...]:
    """Return what is wrong with a node, by code."""
    node = flow.nodes[node_id]
    node_type = catalog.find(node.type)
    if node_type is None:
        return (_unknown_type(node, catalog),)
    found = [_newer(node, node_type)] if node.version > node_type.version else []
    found += [_of_port(flow, each, catalog) for each in port_faults(flow, node_id, catalog)]
    typing = inference.nodes.get(node_id)
    found += [_of_config(flow, node, node_type, fault) for fault in (typing.faults if typing else ())]
    found += _effects(node, node_type, inference)
    return in_order(found)


def path_in(node: Node, node_type: NodeType, inference: Inference, slot: Slot) -> str:
    """Return the path that a node reads or writes, by the slot that holds it; empty where it has none."""
    typing = inference.nodes.get(node.id)
    for name, field in node_type.Config.model_fields.items():
        if any(isinstance(mark, Holds) and mark.slot == slot for mark in field.metadata):
            value = getattr(typing.config, name) if typing and typing.config is not None else node.config.get(name)
            return value if isinstance(value, str) else ""
    return ""


def in_order(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return findings by code, then by place; of two that say the same of the same place, one."""
    unique: dict[tuple[Any, ...], Diagnostic] = {}
    for each in found:
        unique.setdefault((each.code, each.where.port, each.where.path, each.message), each)
    return tuple(unique[key] for key in sorted(unique))


def finding(code: str, message: str, where: Where, fixes: Iterable[Fix] = ()) -> Diagnostic:
    """Return a diagnostic of the severity that its code has."""
    return Diagnostic(
        code=code, severity=CODES[code].severity, where=where, message=message, fixes=tuple(fixes)[:_MOST_FIXES]
    )


def fix(label: str, *operations: Operation) -> Fix:
    """Return a fix of some operations."""
    return Fix(label=label, operations=operations)


def _unknown_type(node: Node, catalog: Catalog) -> Diagnostic:
    close = catalog.near(node.type)
    if close:
        rest = f"Near ones: {', '.join(repr(name) for name in close)}. Replace the node by one of them."
    else:
        rest = f"There are: {', '.join(each.name for each in catalog.all())}. Replace the node by one of them."
    return finding(
        "F201",
        f"There is no node type {node.type!r}. {rest}",
        Where(node=node.id),
        (fix(f"Make it `{name}`", ReplaceNode(node_id=node.id, type=name, config=node.config)) for name in close),
    )


def _newer(node: Node, node_type: NodeType) -> Diagnostic:
    return finding(
        "F204",
        f"{node.id!r} was made for version {node.version} of `{node_type.name}`; this program knows version "
        f"{node_type.version}. Use a newer Headrace, or make the node anew.",
        Where(node=node.id),
    )


def _of_port(flow: Flow, each: PortFault, catalog: Catalog) -> Diagnostic:
    return finding(
        each.fault.code,
        each.fault.message,
        Where(node=each.node_id, port=each.fault.port),
        _port_fixes(flow, each, catalog),
    )


def _port_fixes(flow: Flow, each: PortFault, catalog: Catalog) -> list[Fix]:
    match each.fault.code:
        case "F105":
            return [
                fix(
                    f"Keep only {flow.title(kept.source.node)!r}",
                    *(_apart(edge) for edge in each.edges if edge is not kept),
                )
                for kept in each.edges[:_MOST_FIXES]
            ]
        case "F202":
            (edge,) = each.edges
            return [*_right_port(flow, edge, catalog), fix("Disconnect it", _apart(edge))]
        case "F203":
            (edge,) = each.edges
            return [fix("Disconnect them", _apart(edge))]
    return []


def _right_port(flow: Flow, edge: Edge, catalog: Catalog) -> list[Fix]:
    """Connect to the only port that there is, where it is free."""
    source, target = edge.source, edge.target
    here, there = type_of(flow, target.node, catalog), type_of(flow, source.node, catalog)
    if here is None or there is None:
        return []
    if len(here.inputs) == 1 and target.port != here.inputs[0].name:
        target = PortRef(node=target.node, port=here.inputs[0].name)
    if len(there.outputs) == 1:
        source = PortRef(node=source.node, port=there.outputs[0].name)
    if (source, target) == (edge.source, edge.target) or not _is_free(flow, target, here.inputs, besides=edge):
        return []
    return [fix(f"Connect {source} to {target}", _apart(edge), Connect(source=source, target=target))]


def _is_free(flow: Flow, target: PortRef, ports: tuple[Port, ...], *, besides: Edge) -> bool:
    port = next((port for port in ports if port.name == target.port), None)
    if port is None:
        return False
    return port.many or all(edge.target != target or edge is besides for edge in flow.edges_into(target.node))


def _apart(edge: Edge) -> Disconnect:
    return Disconnect(source=edge.source, target=edge.target)


def _of_config(flow: Flow, node: Node, node_type: NodeType, fault: Fault) -> Diagnostic:
    found = diagnostic_of(node.id, fault, node.config)
    if found.fixes:
        return found
    fixes = tuple(_config_fixes(flow, node, node_type, fault))[:_MOST_FIXES]
    return found.model_copy(update={"fixes": fixes}) if fixes else found


def _config_fixes(flow: Flow, node: Node, node_type: NodeType, fault: Fault) -> Iterable[Fix]:
    key = fault.path[0] if fault.path else ""
    if fault.code == "F302" and len(fault.path) == 1 and key in node.config:
        for other in near(key, list(node_type.Config.model_fields)):
            if other not in node.config:
                values = {other: node.config[key]}
                yield fix(
                    f"Call it `{other}`",
                    UnsetConfig(node_id=node.id, keys=(key,)),
                    SetConfig(node_id=node.id, values=values),
                )
        yield fix(f"Remove `{key}`", UnsetConfig(node_id=node.id, keys=(key,)))
    if fault.code == "F304" and len(fault.path) == 1:
        named = node.config.get(key)
        wanted = named.get("$parameter") if isinstance(named, dict) else None
        others = () if wanted in flow.parameters else sorted(flow.parameters)
        for other in near(str(wanted), others):
            value = {key: {"$parameter": other}}
            yield fix(f"Use the parameter `{other}`", SetConfig(node_id=node.id, values=value))
    if fault.code == "F511" and "overwrite" in node_type.Config.model_fields:
        yield fix("Replace the file", SetConfig(node_id=node.id, values={"overwrite": True}))


def _effects(node: Node, node_type: NodeType, inference: Inference) -> Iterable[Diagnostic]:
    acts = node_type.effects & _ACTS
    path = path_in(node, node_type, inference, Slot.WRITE_PATH)
    if Effect.WRITES in acts and path:
        yield finding("F510", f"{node.id!r} will write {path!r} when the flow runs.", Where(node=node.id))
    for effect in sorted(acts - {Effect.WRITES}):
        yield finding("F510", f"{node.id!r} will {_DOES[effect]} when the flow runs.", Where(node=node.id))
