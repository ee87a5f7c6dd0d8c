"""What every node of a flow puts out, known without running: its columns, its parsed config, what is wrong with it.

Costs what changed: from a prior inference only the touched nodes are typed again, and what lies behind them as far as columns
really change. Refuses to judge the shape of the flow: unknown types, newer versions, missing or wrong edges and circles
are the checks' to find; here such a node simply puts nothing out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from immutables import Map, MapMutation

from headrace.flow.model import Flow, Parameter
from headrace.flow.order import downstream, order

from .catalog import Catalog
from .configs import parameters_in, read_config
from .spec import ActionNode, Config, Context, Fault, Inputs, NodeFault, NodeType, PortType, Relation, Table, TableNode

_Typed = Map[str, "Typing"] | MapMutation[str, "Typing"]
_EAGER = 256
"""Nodes that are typed again as they come, before the rest is put in order."""


@dataclass(frozen=True, slots=True)
class Typing:
    """What is known of one node."""

    outputs: Mapping[str, Table | PortType]
    """By output port: the columns of a table, the port type of anything else. Empty where it cannot be told."""
    faults: tuple[Fault, ...] = ()
    config: Config | None = None
    """The config as the node type reads it; None where it cannot be read."""


@dataclass(frozen=True, slots=True)
class Inference:
    """What is known of a flow's nodes."""

    nodes: Map[str, Typing]
    parameters: Map[str, Parameter]
    """Those that it was made with; when one changes, the nodes that mention it are typed again."""

    def table(self, node_id: str, port: str = "out") -> Table | None:
        """Return the columns at a node's output port; None where there is no table, or it cannot be told."""
        typing = self.nodes.get(node_id)
        output = typing.outputs.get(port) if typing else None
        return output if isinstance(output, Table) else None


def infer(
    flow: Flow,
    catalog: Catalog,
    context: Context,
    *,
    prior: Inference | None = None,
    touched: frozenset[str] | None = None,
) -> Inference:
    """Return what is known of a flow's nodes; the very `prior` where nothing is different.

    `touched`: the nodes that were added, removed, reconfigured or connected otherwise since `prior`, or whose files may have
    changed. Without both, everything is typed.
    """
    if prior is None or touched is None:
        typed: MapMutation[str, Typing] = Map().mutate()
        _type_in_order(order(flow).sequence, flow, catalog, context, typed=typed)
        return Inference(typed.finish(), flow.parameters)
    typed = prior.nodes.mutate()
    start = touched | _mentioning_changed(flow, prior)
    changed = _type_from(start, flow, catalog, context, typed=typed)
    if not changed and flow.parameters is prior.parameters:
        return prior
    return Inference(typed.finish() if changed else prior.nodes, flow.parameters)


def inputs_of(flow: Flow, node_id: str, node_type: NodeType, typed: _Typed) -> Inputs | None:
    """Return the relations that arrive at a node, by port, named after their nodes; None where one cannot be told."""
    arrived: dict[str, tuple[Relation, ...]] = {port.name: () for port in node_type.inputs}
    for edge in flow.edges_into(node_id):
        source, port = edge.source, edge.target.port
        typing = typed.get(source.node)
        table = typing.outputs.get(source.port) if typing else None
        if port not in arrived or not isinstance(table, Table):
            return None
        arrived[port] = (*arrived[port], Relation(source.node, table))
    for port in node_type.inputs:
        count = len(arrived[port.name])
        if (port.required and count == 0) or (count > 1 and not port.many):
            return None
    return arrived


def _mentioning_changed(flow: Flow, prior: Inference) -> frozenset[str]:
    """The nodes whose config mentions a parameter that is another now. Looks at all nodes only when one is."""
    if flow.parameters is prior.parameters:
        return frozenset()
    names = {*flow.parameters, *prior.parameters}
    changed = {name for name in names if flow.parameters.get(name) != prior.parameters.get(name)}
    if not changed:
        return frozenset()
    return frozenset(
        node_id for node_id, node in flow.nodes.items() if not changed.isdisjoint(parameters_in(node.config))
    )


def _type_in_order(
    sequence: Iterable[str], flow: Flow, catalog: Catalog, context: Context, *, typed: MapMutation[str, Typing]
) -> None:
    for node_id in sequence:
        typed[node_id] = _typing(flow, node_id, catalog, context, typed=typed)


def _type_from(
    start: frozenset[str], flow: Flow, catalog: Catalog, context: Context, *, typed: MapMutation[str, Typing]
) -> bool:
    """Type nodes again, and those behind them as long as columns change; return whether anything is different."""
    changed = False
    waiting = dict.fromkeys(sorted(start))
    for _ in range(_EAGER):
        if not waiting:
            return changed
        node_id = next(iter(waiting))
        del waiting[node_id]
        different, outputs_differ = _type_again(node_id, flow, catalog, context, typed=typed)
        changed |= different
        if outputs_differ:
            waiting.update(dict.fromkeys(edge.target.node for edge in flow.edges_from(node_id)))
    # Many nodes: from here on each is typed once, after all that it takes from.
    pending = set(waiting)
    behind = downstream(flow, [node_id for node_id in waiting if node_id in flow.nodes])
    for node_id in _in_order(flow, behind | pending):
        if node_id not in pending:
            continue
        different, outputs_differ = _type_again(node_id, flow, catalog, context, typed=typed)
        changed |= different
        if outputs_differ:
            pending.update(edge.target.node for edge in flow.edges_from(node_id))
    return changed


def _in_order(flow: Flow, node_ids: frozenset[str] | set[str]) -> list[str]:
    """Some nodes of a flow, each after those among them that it takes from; gone ones first, circular ones last."""
    gone = sorted(node_id for node_id in node_ids if node_id not in flow.nodes)
    waiting = {
        node_id: len({edge.source.node for edge in flow.edges_into(node_id)} & node_ids)
        for node_id in node_ids
        if node_id in flow.nodes
    }
    ready = sorted(node_id for node_id, count in waiting.items() if count == 0)
    for node_id in ready:
        for follower in dict.fromkeys(edge.target.node for edge in flow.edges_from(node_id)):
            waiting[follower] -= 1
            if waiting[follower] == 0:
                ready.append(follower)
    placed = set(ready)
    return [*gone, *ready, *sorted(node_id for node_id in waiting if node_id not in placed)]


def _type_again(
    node_id: str, flow: Flow, catalog: Catalog, context: Context, *, typed: MapMutation[str, Typing]
) -> tuple[bool, bool]:
    """Type one node again; return whether anything is different, and whether its outputs are."""
    old = typed.get(node_id)
    if node_id not in flow.nodes:
        if old is None:
            return False, False
        del typed[node_id]
        return True, True
    new = _typing(flow, node_id, catalog, context, typed=typed)
    if new == old:
        return False, False
    typed[node_id] = new
    return True, old is None or old.outputs != new.outputs


def _typing(flow: Flow, node_id: str, catalog: Catalog, context: Context, *, typed: _Typed) -> Typing:
    node = flow.nodes[node_id]
    node_type = catalog.find(node.type)
    if node_type is None or node.version > node_type.version:
        return Typing({})
    config, faults = read_config(node, node_type, flow.parameters)
    others: dict[str, Table | PortType] = {port.name: port.type for port in node_type.outputs if port.type != "table"}
    if config is None:
        return Typing(others, faults)
    inputs = inputs_of(flow, node_id, node_type, typed)
    if inputs is None:
        return Typing(others, (), config)
    try:
        if isinstance(node_type, TableNode):
            table = node_type.table(config, inputs, context)
            return Typing({**others, **{p.name: table for p in node_type.outputs if p.type == "table"}}, (), config)
        if isinstance(node_type, ActionNode):
            return Typing(others, node_type.examine(config, inputs, context), config)
    except NodeFault as fault:
        return Typing(others, fault.faults, config)
    return Typing(others, (), config)
