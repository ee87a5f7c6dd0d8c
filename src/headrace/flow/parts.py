"""A part of a batch: the operations that a person chose, and whatever those cannot do without.

Owns what an operation needs (SPEC S1–S6). Refuses to guess what would be wise: a part that leaves a gap is made all the same,
and the checks say so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from headrace.base.errors import Invalid

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
    SetNote,
    SetParameter,
    SetTitle,
    UnsetConfig,
)
from .model import Draft, Flow
from .operations import OperationError, apply_all, apply_one
from .patch import Patch, diff
from .records import Edge, Kind, Record, parameters_in

Key = tuple[Kind, str]


@dataclass(frozen=True, slots=True)
class Needed:
    """An operation that lands although nobody chose it."""

    index: int
    by: int
    """The operation that needs it."""
    why: str
    """In words: `it adds the node 'paid'`."""


@dataclass(frozen=True, slots=True)
class Part:
    """What lands of a batch."""

    chosen: tuple[int, ...]
    indexes: tuple[int, ...]
    """The chosen operations and those that they need, in the batch's order."""
    added: tuple[Needed, ...]
    operations: tuple[Operation, ...]
    """What is applied; of a move, only the nodes that are there."""
    patch: Patch
    after: Flow


def part_of(base: Flow, operations: Sequence[Operation], chosen: Iterable[int]) -> Part:
    """Return the part of a batch that some of its operations make, with what they need.

    Any choice can be applied (SPEC S6). Errors: Invalid `bad_part` where an index names no operation or nothing is chosen;
    OperationError where the whole batch cannot be applied to `base`.
    """
    picked = _picked(chosen, len(operations))
    apply_all(base, operations)
    traces = _traced(base, operations)
    added = _closed(set(picked), traces)
    while True:
        indexes = sorted({*picked, *(needed.index for needed in added)})
        narrowed = _narrowed(base, operations, indexes)
        try:
            after = apply_all(base, [operation for _, operation in narrowed])
        except OperationError as error:
            added += _one_more(narrowed[error.index][0], set(indexes), traces)
            continue
        return Part(
            chosen=picked,
            indexes=tuple(indexes),
            added=tuple(sorted(added, key=lambda needed: needed.index)),
            operations=tuple(operation for _, operation in narrowed),
            patch=diff(base, after),
            after=after,
        )


@dataclass(slots=True)
class _Trace:
    """What one operation did to the flow when the whole batch was applied, and what it needs for it."""

    created: set[Key] = field(default_factory=set)
    removed: set[Key] = field(default_factory=set)
    mentions: set[Key] = field(default_factory=set)
    needs: dict[int, str] = field(default_factory=dict)


class _Watched(Draft):
    """A draft that tells which records an operation made and which it took out."""

    __slots__ = ("trace",)

    def __init__(self, flow: Flow) -> None:
        super().__init__(flow)
        self.trace = _Trace()

    def put(self, record: Record) -> None:
        key = (record.kind, record.key)
        if record.key not in self.records(record.kind):
            self.trace.created.add(key)
        super().put(record)

    def drop(self, kind: Kind, key: str) -> None:
        if key in self.records(kind):
            self.trace.removed.add((kind, key))
        super().drop(kind, key)


class _Desk:
    """Works out what each operation of a batch needs, while the batch is applied from first to last."""

    def __init__(self, base: Flow) -> None:
        self.draft = _Watched(base)
        self.traces: list[_Trace] = []
        self.maker: dict[Key, int] = {}
        self.remover: dict[Key, int] = {}
        self.retyped: dict[str, int] = {}
        self.freed: dict[str, set[int]] = {}
        self.crowded: dict[str, int] = {}
        """By the id of an edge whose port was taken: the operation that connected another there."""

    def take(self, operation: Operation) -> None:
        """Apply the next operation and keep its trace."""
        index = len(self.traces)
        trace = self.draft.trace = _Trace(mentions=set(_mentioned(operation)))
        self.traces.append(trace)
        taken = _taken(self.draft, operation)
        apply_one(self.draft, operation)
        for key in sorted(trace.mentions):
            self._need(trace, self.maker.get(key), f"it adds {_called(key)}")
        for key in sorted(trace.created):
            self._need(trace, self.remover.get(key), f"it removes {_called(key)}, whose place this takes")
        if isinstance(operation, SetConfig | UnsetConfig):
            self._need(trace, self.retyped.get(operation.node_id), f"it makes {operation.node_id!r} another type")
        self._ports(index, trace, taken)
        for key in trace.removed:
            self.remover[key] = index
            self.maker.pop(key, None)
        for key in trace.created:
            self.maker[key] = index
        if isinstance(operation, ReplaceNode):
            self.retyped[operation.node_id] = index

    def _ports(self, index: int, trace: _Trace, taken: Iterable[Edge]) -> None:
        """A port that was freed for an edge, before it or after it (SPEC S4)."""
        for kind, edge_id in sorted(trace.removed):
            if kind != "edges":
                continue
            if (other := self.crowded.pop(edge_id, None)) is not None:
                self._need(self.traces[other], index, f"it frees the port {_port(edge_id)!r}")
            self.freed.setdefault(_port(edge_id), set()).add(index)
        for kind, edge_id in sorted(trace.created):
            if kind == "edges":
                for other in sorted(self.freed.pop(_port(edge_id), set()) - {index}):
                    self._need(trace, other, f"it frees the port {_port(edge_id)!r}")
        self.crowded.update((edge.id, index) for edge in taken)

    @staticmethod
    def _need(trace: _Trace, index: int | None, why: str) -> None:
        if index is not None:
            trace.needs.setdefault(index, why)


def _traced(base: Flow, operations: Sequence[Operation]) -> list[_Trace]:
    desk = _Desk(base)
    for operation in operations:
        desk.take(operation)
    return desk.traces


def _closed(chosen: set[int], traces: Sequence[_Trace]) -> list[Needed]:
    """Everything that the chosen operations need, and what that needs."""
    added: list[Needed] = []
    waiting = sorted(chosen, reverse=True)
    while waiting:
        by = waiting.pop()
        for index, why in sorted(traces[by].needs.items()):
            if index not in chosen:
                chosen.add(index)
                added.append(Needed(index, by, why))
                waiting.append(index)
    return added


def _one_more(stuck: int, chosen: set[int], traces: Sequence[_Trace]) -> list[Needed]:
    """The nearest earlier operation that the stuck one may lack: at its own records first, then any that removes."""
    missing = [index for index in range(stuck - 1, -1, -1) if index not in chosen]
    about = traces[stuck].mentions | traces[stuck].created
    akin = [
        index for index in missing if about & (traces[index].mentions | traces[index].created | traces[index].removed)
    ]
    freeing = [index for index in missing if traces[index].removed]
    index = (akin or freeing or missing)[0]
    needed = Needed(index, stuck, "without it this cannot be applied")
    return [needed, *_closed({*chosen, index}, traces)]


def _narrowed(base: Flow, operations: Sequence[Operation], indexes: Sequence[int]) -> list[tuple[int, Operation]]:
    """The operations to apply, each with its index; moves only of nodes that are there (SPEC S5)."""
    here = {node_id: True for node_id in _moved(operations, indexes) if node_id in base.nodes}
    narrowed: list[tuple[int, Operation]] = []
    for index in indexes:
        operation = operations[index]
        if isinstance(operation, AddNode | InsertBetween):
            here[operation.node.id] = True
        elif isinstance(operation, RemoveNode):
            here.pop(operation.node_id, None)
        elif isinstance(operation, MoveNodes):
            positions = {node_id: point for node_id, point in operation.positions.items() if node_id in here}
            if not positions:
                continue
            operation = operation.model_copy(update={"positions": positions})
        narrowed.append((index, operation))
    return narrowed


def _moved(operations: Sequence[Operation], indexes: Iterable[int]) -> Iterator[str]:
    for index in indexes:
        operation = operations[index]
        if isinstance(operation, MoveNodes):
            yield from operation.positions


def _mentioned(operation: Operation) -> Iterator[Key]:
    """The records that must be there for an operation to make sense (SPEC S1)."""
    match operation:
        case RemoveNode() | SetTitle() | UnsetConfig():
            yield "nodes", operation.node_id
        case SetConfig():
            yield "nodes", operation.node_id
            yield from _parameters(operation.values)
        case ReplaceNode():
            yield "nodes", operation.node_id
            yield from _parameters(operation.config)
        case AddNode():
            yield from _parameters(operation.node.config)
        case Connect():
            yield from (("nodes", operation.source.node), ("nodes", operation.target.node))
        case Disconnect():
            yield "edges", f"{operation.source}>{operation.target}"
        case InsertBetween():
            yield "edges", f"{operation.source}>{operation.target}"
            yield from _parameters(operation.node.config)
        case SetNote() if operation.note is None:
            yield "notes", operation.note_id
        case SetParameter() if operation.parameter is None:
            yield "parameters", operation.name
        case _:
            return


def _parameters(config: object) -> Iterator[Key]:
    yield from (("parameters", name) for name in sorted(parameters_in(config)))


def _taken(draft: Draft, operation: Operation) -> list[Edge]:
    """The edges that already end at the port to which an operation connects."""
    if not isinstance(operation, Connect):
        return []
    return [edge for edge in draft.edges_into(operation.target.node) if edge.target == operation.target]


def _port(edge_id: str) -> str:
    return edge_id.partition(">")[2]


def _called(key: Key) -> str:
    nouns = {"nodes": "node", "edges": "edge", "notes": "note", "parameters": "parameter", "layout": "place of"}
    return f"the {nouns[key[0]]} {key[1]!r}"


def _picked(chosen: Iterable[int], count: int) -> tuple[int, ...]:
    picked = tuple(sorted(set(chosen)))
    wrong = [index for index in picked if not 0 <= index < count]
    if picked and not wrong:
        return picked
    problem = f"there is no operation {wrong[0]}" if wrong else "no operation is chosen"
    raise Invalid(
        "bad_part", f"This part cannot be made: {problem}.", f"Choose among 0 to {count - 1}, or reject the whole."
    )
