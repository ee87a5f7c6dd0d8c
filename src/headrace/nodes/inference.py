"""What every node of a flow puts out, known without running: its columns, its parsed config, what is wrong with it.

Costs what changed: from a prior inference only the touched nodes are typed again, and what lies behind them as far as columns
really change. Refuses to judge the shape of the flow: unknown types, newer versions, missing or wrong edges and circles
are the checks' to find; here such a node simply puts nothing out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from immutables import Map, MapMutation

from headrace.flow.model import Flow, Parameter
from headrace.flow.order import downstream, order

from .catalog import Catalog
from .configs import parameters_in, read_config
from .spec import ActionNode, Config, Context, Fault, Inputs, NodeFault, NodeType, PortType, Relation, Table, TableNode

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
    token: object = field(default_factory=object, compare=False, repr=False)
    """Stands for this very inference in the lineage of the next one."""
    lineage: tuple[object, frozenset[str]] | None = field(default=None, compare=False, repr=False)
    """The token of the inference that this one was made from, and the nodes of which something else was found."""

    def unlike(self, before: Inference) -> Iterable[str]:
        """Return the nodes of which another inference found something else; costs those, where it came right before."""
        if self.nodes is before.nodes:
            return ()
        if self.lineage is not None and self.lineage[0] is before.token:
            return self.lineage[1]
        gone = (node_id for node_id in before.nodes if node_id not in self.nodes)
        return (*gone, *(node_id for node_id, typing in self.nodes.items() if before.nodes.get(node_id) is not typing))

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
        typer = _Typer(flow, catalog, context, typed=Map().mutate())
        for node_id in order(flow).sequence:
            typer.again(node_id)
        return Inference(typer.typed.finish(), flow.parameters)
    typer = _Typer(flow, catalog, context, typed=prior.nodes.mutate())
    typer.from_nodes(touched | _mentioning_changed(flow, prior))
    if not typer.changed and flow.parameters is prior.parameters:
        return prior
    lineage = (prior.token, frozenset(typer.changed))
    return Inference(typer.typed.finish() if typer.changed else prior.nodes, flow.parameters, lineage=lineage)


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


class _Typer:
    """What is known of the nodes while it is being found out."""

    def __init__(self, flow: Flow, catalog: Catalog, context: Context, *, typed: MapMutation[str, Typing]) -> None:
        self._flow = flow
        self._catalog = catalog
        self._context = context
        self.typed = typed
        self.changed: set[str] = set()
        """The nodes of which something else was found than before."""

    def from_nodes(self, start: frozenset[str]) -> None:
        """Type nodes again, and those behind them as long as columns change."""
        waiting = dict.fromkeys(sorted(start))
        for _ in range(_EAGER):
            if not waiting:
                return
            node_id = next(iter(waiting))
            del waiting[node_id]
            if self.again(node_id):
                waiting.update(dict.fromkeys(self._behind(node_id)))
        # Many nodes: from here on each is typed once, after all that it takes from.
        pending = set(waiting)
        behind = downstream(self._flow, [node_id for node_id in waiting if node_id in self._flow.nodes])
        for node_id in _in_order(self._flow, behind | pending):
            if node_id in pending and self.again(node_id):
                pending.update(self._behind(node_id))

    def again(self, node_id: str) -> bool:
        """Type one node; return whether its outputs are others than before."""
        old = self.typed.get(node_id)
        if node_id not in self._flow.nodes:
            if old is None:
                return False
            del self.typed[node_id]
            self.changed.add(node_id)
            return True
        new = self._typing(node_id)
        if new == old:
            return False
        self.typed[node_id] = new
        self.changed.add(node_id)
        return old is None or old.outputs != new.outputs

    def _behind(self, node_id: str) -> list[str]:
        return [edge.target.node for edge in self._flow.edges_from(node_id)]

    def _typing(self, node_id: str) -> Typing:
        node = self._flow.nodes[node_id]
        node_type = self._catalog.find(node.type)
        if node_type is None or node.version > node_type.version:
            return Typing({})
        config, faults = read_config(node, node_type, self._flow.parameters)
        others: dict[str, Table | PortType] = {p.name: p.type for p in node_type.outputs if p.type != "table"}
        if config is None:
            return Typing(others, faults)
        inputs = self._inputs(node_id, node_type)
        if inputs is None:
            return Typing(others, (), config)
        try:
            if isinstance(node_type, TableNode):
                table = node_type.table(config, inputs, self._context)
                return Typing({**others, **{p.name: table for p in node_type.outputs if p.type == "table"}}, (), config)
            if isinstance(node_type, ActionNode):
                return Typing(others, node_type.examine(config, inputs, self._context), config)
        except NodeFault as fault:
            return Typing(others, fault.faults, config)
        return Typing(others, (), config)

    def _inputs(self, node_id: str, node_type: NodeType) -> Inputs | None:
        """What arrives at a node, by port, named after the nodes it comes from; None where something cannot be told."""
        arrived: dict[str, tuple[Relation, ...]] = {port.name: () for port in node_type.inputs}
        for edge in self._flow.edges_into(node_id):
            source, port = edge.source, edge.target.port
            typing = self.typed.get(source.node)
            table = typing.outputs.get(source.port) if typing else None
            if port not in arrived or not isinstance(table, Table):
                return None
            arrived[port] = (*arrived[port], Relation(source.node, table))
        for port in node_type.inputs:
            count = len(arrived[port.name])
            if (port.required and count == 0) or (count > 1 and not port.many):
                return None
        return arrived
