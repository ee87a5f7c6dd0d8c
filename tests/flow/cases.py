"""Random flows and operations, small enough to collide often, and short ways to write a flow in a test."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from headrace.base.canonical import canonical, same
from headrace.flow.model import EMPTY, Flow, Node, Note, Parameter, Point, document_of
from headrace.flow.operations import (
    AddNode,
    Connect,
    Disconnect,
    InsertBetween,
    MoveNodes,
    Operation,
    OperationError,
    RemoveNode,
    ReplaceNode,
    SetConfig,
    SetName,
    SetNote,
    SetParameter,
    SetTitle,
    UnsetConfig,
    apply_all,
    operations_from,
)

ids = st.sampled_from(list("abcdef"))
types = st.sampled_from(["filter", "sort", "join"])
keys = st.sampled_from(["u", "v", "w"])
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 2),
    st.sampled_from([0.0, 1.0, 1.5]),
    st.text("xyz/~.é", max_size=2),
    st.just({"$parameter": "p"}),
)
values = st.one_of(
    scalars,
    st.lists(scalars, max_size=2),
    st.dictionaries(st.sampled_from(["k", "__proto__"]), scalars, max_size=2),
)
configs = st.dictionaries(keys, values, max_size=2)
points = st.builds(Point, x=st.integers(0, 2), y=st.sampled_from([0, 0.5, 1]))
texts = st.text("ab", max_size=2)
nodes = st.builds(Node, id=ids, type=types, title=texts, config=configs)
notes = st.builds(Note, id=st.sampled_from(["m", "n"]), text=texts, at=st.none() | points, color=texts)
parameters = st.builds(Parameter, name=st.sampled_from(["p", "q"]), type=st.just("number"), default=st.integers(0, 2))
source_ports = st.sampled_from(["out", "out", "chart"])
target_ports = st.sampled_from(["in", "in", "left"])
sources = st.builds(lambda node, port: f"{node}.{port}", ids, source_ports)
targets = st.builds(lambda node, port: f"{node}.{port}", ids, target_ports)
moves = st.builds(MoveNodes, positions=st.dictionaries(ids, points, min_size=1, max_size=3))
set_notes = st.builds(lambda note: SetNote(note_id=note.id, note=note), notes)
set_parameters = st.builds(lambda p: SetParameter(name=p.name, parameter=p), parameters)
operations: st.SearchStrategy[Operation] = st.one_of(
    st.builds(AddNode, node=nodes, at=st.none() | points),
    st.builds(AddNode, node=nodes, at=st.none() | points),
    st.builds(RemoveNode, node_id=ids),
    st.builds(ReplaceNode, node_id=ids, type=types, config=configs),
    st.builds(SetTitle, node_id=ids, title=texts),
    st.builds(SetConfig, node_id=ids, values=configs),
    st.builds(UnsetConfig, node_id=ids, keys=st.tuples(keys)),
    st.builds(Connect, source=sources, target=targets),
    st.builds(Connect, source=sources, target=targets),
    st.builds(Disconnect, source=sources, target=targets),
    st.builds(InsertBetween, source=sources, target=targets, node=nodes),
    moves,
    set_notes,
    st.builds(SetNote, note_id=st.sampled_from(["m", "n"]), note=st.none()),
    set_parameters,
    st.builds(SetParameter, name=st.sampled_from(["p", "q"]), parameter=st.none()),
    st.builds(SetName, name=texts),
)
batches = st.lists(operations, max_size=14)
meaningless = st.lists(st.one_of(moves, set_notes, st.builds(SetName, name=texts)), max_size=5)

json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def run(flow: Flow, sequence: Iterable[Operation]) -> tuple[Flow, list[Operation]]:
    """Return the flow after every operation that could be applied, and those operations."""
    done: list[Operation] = []
    for operation in sequence:
        try:
            flow = apply_all(flow, [operation])
        except OperationError:
            continue
        done.append(operation)
    return flow, done


@st.composite
def flows(draw: Any) -> Flow:
    """Return a random flow that operations can make."""
    return run(EMPTY, draw(batches))[0]


@st.composite
def flows_with_batches(draw: Any, after: st.SearchStrategy[list[Operation]] = batches) -> tuple[Flow, list[Operation]]:
    """Return a random flow and a batch that can be applied to it."""
    flow = draw(flows())
    return flow, run(flow, draw(after))[1]


def equal(a: Flow, b: Flow) -> bool:
    """Return whether two flows are the same as documents, without leave from their own `==`."""
    return same(document_of(a), document_of(b))


def frozen(flow: Flow) -> bytes:
    """Return the flow's bytes, to see later that nobody wrote into it."""
    return canonical(document_of(flow))


def made(*written: dict[str, Any], on: Flow = EMPTY) -> Flow:
    """Return the flow that operations, written as JSON, make."""
    return apply_all(on, operations_from(list(written)))


def add(node_id: str, node_type: str = "filter", name: str = "", /, **config: Any) -> dict[str, Any]:
    """Return an `add_node` as JSON."""
    return {"op": "add_node", "node": {"id": node_id, "type": node_type, "title": name, "config": config}}


def connect(source: str, target: str) -> dict[str, Any]:
    """Return a `connect` as JSON."""
    return {"op": "connect", "source": source, "target": target}


def chain(names: Sequence[str]) -> Flow:
    """Return a flow of filters, each connected to the next."""
    edges = [connect(a, b) for a, b in pairwise(names)]
    return made(*(add(name) for name in names), *edges)
