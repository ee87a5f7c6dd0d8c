"""Operations are intentions: read from JSON, applied all or nothing, with errors that teach.

Owns reading and applying them; their shapes are `intentions`, their words `words`. Both are re-exported here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import TypeAdapter, ValidationError

from headrace.base.errors import HeadraceError, Invalid
from headrace.base.ids import unused

from .faults import instead, listed, sentences
from .intentions import (
    AddNode,
    Connect,
    Disconnect,
    InsertBetween,
    MoveNodes,
    Operation,
    RemoveNode,
    ReplaceNode,
    SetConfig,
    SetName,
    SetNote,
    SetParameter,
    SetTitle,
    UnsetConfig,
)
from .model import Draft, Edge, Flow, Node, PortRef
from .order import a_way, leads_to
from .words import describe

__all__ = [
    "MAX_FAULTS",
    "OPERATIONS",
    "AddNode",
    "Connect",
    "Disconnect",
    "InsertBetween",
    "MoveNodes",
    "Operation",
    "OperationError",
    "OperationFault",
    "RemoveNode",
    "ReplaceNode",
    "SetConfig",
    "SetName",
    "SetNote",
    "SetParameter",
    "SetTitle",
    "UnsetConfig",
    "apply_all",
    "apply_one",
    "describe",
    "describe_all",
    "operations_from",
]

MAX_FAULTS = 50
OPERATIONS: TypeAdapter[tuple[Operation, ...]] = TypeAdapter(tuple[Operation, ...])
_ONE: TypeAdapter[Operation] = TypeAdapter(Operation)


@dataclass(frozen=True, slots=True)
class OperationFault:
    """Why one operation of a batch cannot be applied."""

    index: int
    """Its place in the batch, from 0."""
    code: str
    message: str
    hint: str


class OperationError(HeadraceError):
    """A batch cannot be applied; nothing was changed. Says all of the first fault; `faults` has the others too."""

    status: ClassVar[int] = 422

    def __init__(
        self, index: int, code: str, message: str, *, hint: str = "", faults: tuple[OperationFault, ...] = ()
    ) -> None:
        super().__init__(code, message, hint)
        self.index = index
        self.faults = faults or (OperationFault(index, code, message, hint),)


class _Cannot(Exception):
    """An operation cannot be applied; caught by `apply_all`, which knows its place in the batch."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        self.code, self.message, self.hint = code, message, hint
        super().__init__(message)


def operations_from(given: Any) -> tuple[Operation, ...]:
    """Return the operations that a list of plain JSON objects describes.

    Errors: Invalid `bad_operations`, with every fault and its place, such as `operations[2].node.id`.
    """
    if not isinstance(given, list | tuple):
        shape = 'Write them as [{"op": "add_node", "node": {…}}, …].'
        raise Invalid("bad_operations", "Operations must be a list of objects.", shape, faults=(shape,))
    read: list[Operation] = []
    faults: list[str] = []
    for index, item in enumerate(given):
        try:
            read.append(_ONE.validate_python(item))
        except ValidationError as error:
            faults += _without_tag(sentences(error, f"operations[{index}]"), index, item)
    if faults:
        raise _bad_operations(faults)
    return tuple(read)


def apply_all(flow: Flow, operations: Sequence[Operation]) -> Flow:
    """Return the flow after the operations, in order, all or nothing (SPEC O1).

    Later operations may lean on earlier ones in the same batch. Untouched records stay the same objects.
    Errors: OperationError, with the first fault and every other that does not merely follow from an earlier one.
    """
    draft = Draft(flow)
    faults: list[OperationFault] = []
    doubtful: set[str] = set()
    for index, operation in enumerate(operations):
        try:
            apply_one(draft, operation)
        except _Cannot as cannot:
            names = set(_names(operation))
            if not names & doubtful:
                message = f"operations[{index}] ({operation.op}): {cannot.message}"
                faults.append(OperationFault(index, cannot.code, message, cannot.hint))
            doubtful |= names
            if len(faults) >= MAX_FAULTS:
                break
    if faults:
        first = faults[0]
        raise OperationError(first.index, first.code, first.message, hint=first.hint, faults=tuple(faults))
    return draft.finish()


def describe_all(operations: Sequence[Operation], flow: Flow) -> list[str]:
    """Return one sentence for each operation of a batch, each told of the flow as the ones before it leave it.

    Errors: OperationError.
    """
    told: list[str] = []
    for operation in operations:
        told.append(describe(operation, flow))
        flow = apply_all(flow, [operation])
    return told


def apply_one(draft: Draft, operation: Operation) -> None:
    """Write one operation into a draft; where it cannot be applied, the draft is left as it was.

    Errors: an exception of this module's own; callers outside use `apply_all`.
    """
    _APPLIERS[type(operation)](draft, operation)


def _add_node(draft: Draft, operation: AddNode) -> None:
    _add(draft, operation.node)
    if operation.at is not None:
        draft.place(operation.node.id, operation.at)


def _remove_node(draft: Draft, operation: RemoveNode) -> None:
    node_id = _node(draft, operation.node_id).id
    for edge in (*draft.edges_into(node_id), *draft.edges_from(node_id)):
        draft.drop("edges", edge.id)
    draft.drop("layout", node_id)
    draft.drop("nodes", node_id)


def _replace_node(draft: Draft, operation: ReplaceNode) -> None:
    node = _node(draft, operation.node_id)
    draft.put(node.changed(type=operation.type, version=operation.version, config=operation.config))


def _set_title(draft: Draft, operation: SetTitle) -> None:
    draft.put(_node(draft, operation.node_id).changed(title=operation.title))


def _set_config(draft: Draft, operation: SetConfig) -> None:
    node = _node(draft, operation.node_id)
    draft.put(node.changed(config={**node.config, **operation.values}))


def _unset_config(draft: Draft, operation: UnsetConfig) -> None:
    node = _node(draft, operation.node_id)
    for key in operation.keys:
        if key not in node.config:
            hint = instead(key, node.config, "It has")
            raise _Cannot("unknown_key", f"Node {node.id!r} has no config value {key!r} to take out.", hint)
    draft.put(node.changed(config={key: value for key, value in node.config.items() if key not in operation.keys}))


def _connect(draft: Draft, operation: Connect) -> None:
    source = _node(draft, operation.source.node).id
    target = _node(draft, operation.target.node).id
    edge = Edge(source=operation.source, target=operation.target)
    if edge.id in draft.records("edges"):
        raise _Cannot("edge_exists", f"The edge {edge.id!r} is there already.", "Leave this operation out.")
    if leads_to(draft, target, source):
        circle = " → ".join((source, *a_way(draft, target, source)))
        hint = "Flows have no circles: connect it elsewhere, or disconnect an edge of the circle first."
        raise _Cannot("cycle", f"The edge {edge.id!r} would close a circle: {circle:.300}.", hint)
    draft.put(edge)


def _disconnect(draft: Draft, operation: Disconnect) -> None:
    draft.drop("edges", _edge(draft, operation.source, operation.target).id)


def _insert_between(draft: Draft, operation: InsertBetween) -> None:
    old = _edge(draft, operation.source, operation.target)
    node_id = operation.node.id
    _add(draft, operation.node)
    draft.drop("edges", old.id)
    # No circle can close here: source already led to target.
    draft.put(Edge(source=old.source, target=PortRef(node=node_id, port=operation.in_port)))
    draft.put(Edge(source=PortRef(node=node_id, port=operation.out_port), target=old.target))
    if operation.at is not None:
        draft.place(node_id, operation.at)


def _move_nodes(draft: Draft, operation: MoveNodes) -> None:
    for node_id in operation.positions:
        _node(draft, node_id)
    for node_id, point in operation.positions.items():
        draft.place(node_id, point)


def _set_note(draft: Draft, operation: SetNote) -> None:
    if operation.note is not None:
        draft.put(operation.note)
        return
    _known(draft, "notes", operation.note_id, what="note")
    draft.drop("notes", operation.note_id)


def _set_parameter(draft: Draft, operation: SetParameter) -> None:
    if operation.parameter is not None:
        draft.put(operation.parameter)
        return
    _known(draft, "parameters", operation.name, what="parameter")
    draft.drop("parameters", operation.name)


def _set_name(draft: Draft, operation: SetName) -> None:
    draft.name = operation.name


_APPLIERS: dict[type[Any], Callable[[Draft, Any], None]] = {
    AddNode: _add_node,
    RemoveNode: _remove_node,
    ReplaceNode: _replace_node,
    SetTitle: _set_title,
    SetConfig: _set_config,
    UnsetConfig: _unset_config,
    Connect: _connect,
    Disconnect: _disconnect,
    InsertBetween: _insert_between,
    MoveNodes: _move_nodes,
    SetNote: _set_note,
    SetParameter: _set_parameter,
    SetName: _set_name,
}


def _add(draft: Draft, node: Node) -> None:
    nodes = draft.records("nodes")
    if node.id in nodes:
        there = nodes[node.id]
        hint = f"Change it with set_config or replace_node, or add yours under another id, such as {unused(node.id, nodes)!r}."
        raise _Cannot("node_exists", f"There is a node {node.id!r} already, a {there.type!r}.", hint)
    draft.put(node)


def _node(draft: Draft, node_id: str) -> Node:
    return _known(draft, "nodes", node_id, what="node")


def _known(draft: Draft, kind: Any, key: str, *, what: str) -> Any:
    record = draft.records(kind).get(key)
    if record is None:
        hint = instead(key, draft.ids(kind), f"{what.capitalize()}s here")
        raise _Cannot(f"unknown_{what}", f"There is no {what} {key!r}.", hint)
    return record


def _edge(draft: Draft, source: PortRef, target: PortRef) -> Edge:
    _node(draft, source.node)
    _node(draft, target.node)
    edge = draft.records("edges").get(f"{source}>{target}")
    if edge is None:
        between = [e.id for e in draft.edges_from(source.node) if e.target.node == target.node]
        there = between or [e.id for e in (*draft.edges_from(source.node), *draft.edges_into(target.node))]
        hint = f"Edges {'between them' if between else 'at these nodes'}: {listed(there)}."
        raise _Cannot("unknown_edge", f"There is no edge from {str(source)!r} to {str(target)!r}.", hint)
    return edge


def _names(operation: Operation) -> Iterator[str]:
    """The ids that an operation mentions, each marked with its kind."""
    match operation:
        case AddNode():
            yield f"node {operation.node.id}"
        case RemoveNode() | ReplaceNode() | SetTitle() | SetConfig() | UnsetConfig():
            yield f"node {operation.node_id}"
        case Connect() | Disconnect():
            yield from (f"node {operation.source.node}", f"node {operation.target.node}")
        case InsertBetween():
            yield from (f"node {end}" for end in (operation.node.id, operation.source.node, operation.target.node))
        case MoveNodes():
            yield from (f"node {node_id}" for node_id in operation.positions)
        case SetNote():
            yield f"note {operation.note_id}"
        case SetParameter():
            yield f"parameter {operation.name}"
        case SetName():
            return


def _without_tag(faults: list[str], index: int, item: Any) -> list[str]:
    """Pydantic puts the operation's name into the path; a person's path has none."""
    tag = item.get("op") if isinstance(item, Mapping) else None
    return [fault.replace(f"operations[{index}].{tag}", f"operations[{index}]", 1) for fault in faults]


def _bad_operations(faults: list[str]) -> Invalid:
    shown = faults[:MAX_FAULTS]
    if len(faults) > len(shown):
        shown.append(f"… and {len(faults) - len(shown)} more.")
    count = "One thing is" if len(faults) == 1 else f"{len(faults)} things are"
    message = f"{count} wrong with these operations; nothing was changed. {shown[0]}"
    return Invalid("bad_operations", message, "Mend them and send the whole batch again.", faults=tuple(shown))
