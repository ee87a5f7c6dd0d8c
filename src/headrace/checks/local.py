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
from headrace.nodes.near import near
from headrace.nodes.ports import PortFault, port_faults
from headrace.nodes.spec import Effect, Fault, Holds, NodeType, Port, Slot

from .codes import CODES
from .scene import Scene

_ACTS = frozenset({Effect.WRITES, Effect.SENDS, Effect.SPENDS, Effect.EXECUTES})
_DOES = {Effect.SENDS: "send data to a service", Effect.SPENDS: "use a paid service", Effect.EXECUTES: "run code"}
_MOST_FIXES = 4


def node_findings(scene: Scene, node_id: str) -> tuple[Diagnostic, ...]:
    """Return what is wrong with a node, by code."""
    node = scene.flow.nodes[node_id]
    node_type = scene.type_of(node_id)
    if node_type is None:
        return (_unknown_type(node, scene.catalog),)
    found = [_newer(node, node_type)] if node.version > node_type.version else []
    found += [_of_port(scene, each) for each in port_faults(scene.flow, node_id, scene.catalog)]
    typing = scene.typing_of(node_id)
    found += [_of_config(scene, node, fault) for fault in (typing.faults if typing else ())]
    found += _effects(scene, node, node_type)
    return in_order(found)


def path_in(scene: Scene, node_id: str, slot: Slot) -> str:
    """Return the path that a node reads or writes, by the slot that holds it; empty where it has none."""
    node, node_type, typing = scene.flow.nodes[node_id], scene.type_of(node_id), scene.typing_of(node_id)
    if node_type is None:
        return ""
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


def finding(code: str, message: str, where: Where, *, fixes: Iterable[Fix] = ()) -> Diagnostic:
    """Return a diagnostic of the severity that its code has."""
    return Diagnostic(
        code=code, severity=CODES[code].severity, where=where, message=message, fixes=tuple(fixes)[:_MOST_FIXES]
    )


def fix(label: str, *operations: Operation) -> Fix:
    """Return a fix of some operations."""
    return Fix(label=label, operations=operations)


def _unknown_type(node: Node, catalog: Catalog) -> Diagnostic:
    close = catalog.near(node.type)
    return finding(
        "F201",
        catalog.unknown(node.type),
        Where(node=node.id),
        fixes=(fix(f"Make it `{name}`", ReplaceNode(node_id=node.id, type=name, config=node.config)) for name in close),
    )


def _newer(node: Node, node_type: NodeType) -> Diagnostic:
    return finding(
        "F204",
        f"{node.id!r} was made for version {node.version} of `{node_type.name}`; this program knows version "
        f"{node_type.version}. Use a newer Headrace, or make the node anew.",
        Where(node=node.id),
    )


def _of_port(scene: Scene, each: PortFault) -> Diagnostic:
    return finding(
        each.fault.code,
        each.fault.message,
        Where(node=each.node_id, port=each.fault.port),
        fixes=_port_fixes(scene, each),
    )


def _port_fixes(scene: Scene, each: PortFault) -> list[Fix]:
    match each.fault.code:
        case "F105":
            return [
                fix(
                    f"Keep only {scene.flow.title(kept.source.node)!r}",
                    *(_apart(edge) for edge in each.edges if edge is not kept),
                )
                for kept in each.edges[:_MOST_FIXES]
            ]
        case "F202":
            (edge,) = each.edges
            return [*_right_port(scene, edge), fix("Disconnect it", _apart(edge))]
        case "F203":
            (edge,) = each.edges
            return [fix("Disconnect them", _apart(edge))]
    return []


def _right_port(scene: Scene, edge: Edge) -> list[Fix]:
    """Connect to the only port that there is, where it is free."""
    source, target = edge.source, edge.target
    here, there = scene.type_of(target.node), scene.type_of(source.node)
    if here is None or there is None:
        return []
    if len(here.inputs) == 1 and target.port != here.inputs[0].name:
        target = PortRef(node=target.node, port=here.inputs[0].name)
    if len(there.outputs) == 1:
        source = PortRef(node=source.node, port=there.outputs[0].name)
    if (source, target) == (edge.source, edge.target) or not _is_free(scene.flow, target, here.inputs, besides=edge):
        return []
    return [fix(f"Connect {source} to {target}", _apart(edge), Connect(source=source, target=target))]


def _is_free(flow: Flow, target: PortRef, ports: tuple[Port, ...], *, besides: Edge) -> bool:
    port = next((port for port in ports if port.name == target.port), None)
    if port is None:
        return False
    return port.many or all(edge.target != target or edge is besides for edge in flow.edges_into(target.node))


def _apart(edge: Edge) -> Disconnect:
    return Disconnect(source=edge.source, target=edge.target)


def _of_config(scene: Scene, node: Node, fault: Fault) -> Diagnostic:
    found = diagnostic_of(node.id, fault, node.config)
    if found.fixes:
        return found
    fixes = tuple(_config_fixes(scene, node, fault))[:_MOST_FIXES]
    return found.model_copy(update={"fixes": fixes}) if fixes else found


def _config_fixes(scene: Scene, node: Node, fault: Fault) -> Iterable[Fix]:
    node_type, parameters = scene.catalog.get(node.type), scene.flow.parameters
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
        others = () if wanted in parameters else sorted(parameters)
        for other in near(str(wanted), others):
            value = {key: {"$parameter": other}}
            yield fix(f"Use the parameter `{other}`", SetConfig(node_id=node.id, values=value))
    if fault.code == "F511" and "overwrite" in node_type.Config.model_fields:
        yield fix("Replace the file", SetConfig(node_id=node.id, values={"overwrite": True}))


def _effects(scene: Scene, node: Node, node_type: NodeType) -> Iterable[Diagnostic]:
    acts = node_type.effects & _ACTS
    path = path_in(scene, node.id, Slot.WRITE_PATH)
    if Effect.WRITES in acts and path:
        yield finding("F510", f"{node.id!r} will write {path!r} when the flow runs.", Where(node=node.id))
    for effect in sorted(acts - {Effect.WRITES}):
        yield finding("F510", f"{node.id!r} will {_DOES[effect]} when the flow runs.", Where(node=node.id))
