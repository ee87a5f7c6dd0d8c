"""The flow itself: records by key in persistent maps, kept sound, hashed and indexed as it changes.

Owns what makes a flow sound and the document that it is written as. Refuses to judge what the flow means: cycles, port
types and configs are diagnostics, so that unfinished work can be kept and opened.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from immutables import Map, MapMutation
from pydantic import ValidationError

from headrace.base.canonical import canonical
from headrace.base.errors import Invalid

from .faults import listed, sentences
from .records import (
    KINDS,
    MODULUS,
    Edge,
    Kind,
    Node,
    Note,
    Parameter,
    Point,
    PortRef,
    Record,
)

__all__ = [
    "EMPTY",
    "FORMAT",
    "KINDS",
    "Draft",
    "Edge",
    "Flow",
    "Kind",
    "Node",
    "Note",
    "Parameter",
    "Point",
    "PortRef",
    "content_hash",
    "document_of",
    "flow_from_document",
]

FORMAT = 1
"""The version of the document that this program writes; it reads this and older ones."""
_MEANING = frozenset({"parameters", "nodes", "edges"})
RECORD_TYPES: dict[Kind, type[Any]] = {
    "parameters": Parameter,
    "nodes": Node,
    "edges": Edge,
    "notes": Note,
    "layout": Point,
}
_MAX_FAULTS = 50

Touched = frozenset[tuple[Kind, str]]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Flow:
    """A sound flow (SPEC F1). Made by operations, by a patch or from a document, never by hand: use `EMPTY`."""

    name: str
    parameters: Map[str, Parameter]
    nodes: Map[str, Node]
    edges: Map[str, Edge]
    notes: Map[str, Note]
    layout: Map[str, Point]
    arriving: Map[str, tuple[Edge, ...]]
    """Derived: the edges into each node that has any, by id."""
    leaving: Map[str, tuple[Edge, ...]]
    """Derived: the edges from each node that has any, by id."""
    content_sum: int
    """Derived: the sum of the weights of all records that mean something."""
    token: object
    """Stands for this very flow in the lineage of the next one."""
    lineage: tuple[object, Touched] | None
    """The token of the flow that this one was made from, and every record that may differ from it (SPEC F5)."""

    def edges_into(self, node_id: str) -> tuple[Edge, ...]:
        """Return the edges that end at a node, by id."""
        return self.arriving.get(node_id, ())

    def edges_from(self, node_id: str) -> tuple[Edge, ...]:
        """Return the edges that begin at a node, by id."""
        return self.leaving.get(node_id, ())

    def records(self, kind: Kind) -> Map[str, Any]:
        """Return the map of one kind of record."""
        return cast("Map[str, Any]", getattr(self, kind))

    def title(self, node_id: str) -> str:
        """Return what to call a node in words: its title, or its id."""
        node = self.nodes.get(node_id)
        return node.title or node_id if node else node_id

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Flow):
            return NotImplemented
        return canonical(document_of(self)) == canonical(document_of(other))

    def __hash__(self) -> int:
        return hash((self.name, self.content_sum))

    def __repr__(self) -> str:
        return f"Flow({self.name!r}, {len(self.nodes)} nodes, {len(self.edges)} edges)"


EMPTY = Flow(
    name="",
    parameters=Map(),
    nodes=Map(),
    edges=Map(),
    notes=Map(),
    layout=Map(),
    arriving=Map(),
    leaving=Map(),
    content_sum=0,
    token=object(),
    lineage=None,
)


def content_hash(flow: Flow) -> str:
    """Return 64 hex digits for what the flow means: its nodes, edges and parameters (SPEC F4).

    Name, notes and layout are left out, so dragging a node makes neither an approval nor a kept result stale.
    """
    return hashlib.sha256(flow.content_sum.to_bytes(MODULUS.bit_length() // 8, "big")).hexdigest()


class Draft:
    """A flow while it is being changed: cheap to write, remembers every record that it touched.

    Keeps the indexes and the sum; soundness is its caller's to see to (`dangling` says where it is broken).
    """

    __slots__ = ("_arriving", "_base", "_leaving", "_open", "_sum", "name", "touched")

    def __init__(self, flow: Flow) -> None:
        self._base = flow
        self._open: dict[Kind, MapMutation[str, Any]] = {}
        self._arriving: MapMutation[str, tuple[Edge, ...]] | None = None
        self._leaving: MapMutation[str, tuple[Edge, ...]] | None = None
        self._sum = flow.content_sum
        self.name = flow.name
        self.touched: set[tuple[Kind, str]] = set()

    def records(self, kind: Kind) -> Mapping[str, Any]:
        """Return the records of a kind as they stand; only `get`, `in`, `len` and `[]` may be used on it."""
        opened = self._open.get(kind)
        return cast("Mapping[str, Any]", self._base.records(kind) if opened is None else opened)

    def ids(self, kind: Kind) -> Iterator[str]:
        """Return the keys of a kind as they stand, in no order. Costs all of them: for messages only."""
        mine = self.records(kind)
        written = [key for touched, key in self.touched if touched == kind and key in mine]
        yield from written
        known = set(written)
        yield from (key for key in self._base.records(kind) if key in mine and key not in known)

    def edges_into(self, node_id: str) -> tuple[Edge, ...]:
        """Return the edges that end at a node, by id."""
        index = self._base.arriving if self._arriving is None else self._arriving
        return index.get(node_id, ())

    def edges_from(self, node_id: str) -> tuple[Edge, ...]:
        """Return the edges that begin at a node, by id."""
        index = self._base.leaving if self._leaving is None else self._leaving
        return index.get(node_id, ())

    def title(self, node_id: str) -> str:
        """Return what to call a node in words: its title, or its id."""
        node = self.records("nodes").get(node_id)
        return node.title or node_id if node else node_id

    def put(self, record: Record) -> None:
        """Write a record in place of whatever has its key."""
        kind, key = record.kind, record.key
        old = self.records(kind).get(key)
        self._write(kind)[key] = record
        if kind in _MEANING:
            self._sum = (self._sum + record.weight - (old.weight if old else 0)) % MODULUS
        if isinstance(record, Edge) and old is None:
            self._index(record)
        self.touched.add((kind, key))

    def place(self, node_id: str, point: Point) -> None:
        """Write a node's place on the canvas."""
        self._write("layout")[node_id] = point
        self.touched.add(("layout", node_id))

    def drop(self, kind: Kind, key: str) -> None:
        """Take a record out; does nothing where there is none."""
        old = self.records(kind).get(key)
        if old is None:
            return
        del self._write(kind)[key]
        if kind in _MEANING:
            self._sum = (self._sum - old.weight) % MODULUS
        if isinstance(old, Edge):
            self._unindex(old)
        self.touched.add((kind, key))

    def dangling(self) -> Iterator[tuple[Kind, str, str]]:
        """Return each touched place where the flow is not sound: kind, key and the node that is missing there."""
        nodes = self.records("nodes")
        for kind, key in sorted(self.touched):
            if kind == "layout" and key in self.records(kind) and key not in nodes:
                yield kind, key, key
            if kind == "edges" and (edge := self.records(kind).get(key)):
                yield from ((kind, key, end) for end in (edge.source.node, edge.target.node) if end not in nodes)
            if kind == "nodes" and key not in nodes:
                yield from self._left_behind(key)

    def finish(self) -> Flow:
        """Return the flow as it stands now; the one it came from, where nothing was touched."""
        base = self._base
        if not self.touched and self.name == base.name:
            return base
        maps = {kind: self._open[kind].finish() if kind in self._open else base.records(kind) for kind in KINDS}
        return Flow(
            name=self.name,
            **maps,
            arriving=self._arriving.finish() if self._arriving is not None else base.arriving,
            leaving=self._leaving.finish() if self._leaving is not None else base.leaving,
            content_sum=self._sum,
            token=object(),
            lineage=(base.token, frozenset(self.touched)),
        )

    def _left_behind(self, node_id: str) -> Iterator[tuple[Kind, str, str]]:
        """Untouched records that still need a node that is gone."""
        for edge in (*self.edges_into(node_id), *self.edges_from(node_id)):
            if ("edges", edge.id) not in self.touched:
                yield "edges", edge.id, node_id
        if node_id in self.records("layout") and ("layout", node_id) not in self.touched:
            yield "layout", node_id, node_id

    def _write(self, kind: Kind) -> MapMutation[str, Any]:
        if kind not in self._open:
            self._open[kind] = self._base.records(kind).mutate()
        return self._open[kind]

    def _index(self, edge: Edge) -> None:
        arriving, leaving = self._indexes()
        for index, node_id in ((arriving, edge.target.node), (leaving, edge.source.node)):
            there = index.get(node_id, ())
            at = bisect_left(there, edge.id, key=lambda other: other.id)
            index[node_id] = (*there[:at], edge, *there[at:])

    def _unindex(self, edge: Edge) -> None:
        arriving, leaving = self._indexes()
        for index, node_id in ((arriving, edge.target.node), (leaving, edge.source.node)):
            rest = tuple(other for other in index.get(node_id, ()) if other.id != edge.id)
            if rest:
                index[node_id] = rest
            else:
                del index[node_id]

    def _indexes(self) -> tuple[MapMutation[str, tuple[Edge, ...]], MapMutation[str, tuple[Edge, ...]]]:
        if self._arriving is None or self._leaving is None:
            self._arriving, self._leaving = self._base.arriving.mutate(), self._base.leaving.mutate()
        return self._arriving, self._leaving


def document_of(flow: Flow) -> dict[str, Any]:
    """Return the flow as plain JSON: `headrace`, `name` and one map by key for each kind of record, keys sorted.

    The inner values are shared with the flow: nobody writes into them.
    """
    document: dict[str, Any] = {"headrace": FORMAT, "name": flow.name}
    for kind in KINDS:
        document[kind] = {key: record.document for key, record in sorted(flow.records(kind).items())}
    return document


def flow_from_document(document: Any) -> Flow:
    """Return the flow that a document describes.

    Errors: Invalid, with every fault: `not_a_flow`, `newer_version` or `bad_flow`.
    """
    _check_format(document)
    faults = [
        f"{key!r} is not a part of a flow; the parts are {listed(('name', *KINDS))}."
        for key in document
        if key not in ("headrace", "name", *KINDS)
    ]
    draft = Draft(EMPTY)
    name = document.get("name", "")
    if isinstance(name, str) and len(name) <= 300 and not _broken_text(name):
        draft.name = name
    else:
        faults.append("The name must be text of at most 300 characters.")
    for kind in KINDS:
        faults += _read_records(draft, kind, document.get(kind))
    if not faults:
        faults += [
            f"{kind}.{key} points at the node {missing!r}, which is not in the flow."
            for kind, key, missing in draft.dangling()
        ]
    if faults:
        raise _bad_flow(faults)
    flow = draft.finish()
    return replace(flow, lineage=None)


def _check_format(document: Any) -> None:
    if not isinstance(document, dict) or "headrace" not in document:
        raise Invalid(
            "not_a_flow",
            'This is not a Headrace flow: a flow is an object with a key "headrace".',
            f'A flow begins with {{"headrace": {FORMAT}, "name": …, "nodes": {{…}}, "edges": {{…}}}}.',
        )
    version = document["headrace"]
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise Invalid(
            "not_a_flow",
            f'The key "headrace" holds {version!r:.80}; it must be the version of the format, a whole number from 1.',
            f"This program writes version {FORMAT}.",
        )
    if version > FORMAT:
        raise Invalid(
            "newer_version",
            f"This flow was written in version {version} of the format; this program reads up to version {FORMAT}.",
            "Use a newer Headrace to open it. Nothing was changed.",
        )


def _read_records(draft: Draft, kind: Kind, given: Any) -> list[str]:
    """Read one kind of record into the draft and return what is wrong with them."""
    if given is None:
        return []
    if not isinstance(given, dict):
        return [f"{kind} must be an object of records by key, not {_called(given)}."]
    faults: list[str] = []
    for key, value in given.items():
        try:
            _read_record(draft, kind, key, value=value)
        except ValidationError as error:
            faults += sentences(error, f"{kind}.{key}")
        except ValueError as error:
            faults.append(str(error))
    return faults


def _read_record(draft: Draft, kind: Kind, key: Any, *, value: Any) -> None:
    if kind == "layout":
        draft.place(key, Point.model_validate(value))
        return
    field = {"nodes": "id", "notes": "id", "parameters": "name"}.get(kind)
    if field and isinstance(value, dict) and field not in value:
        value = {field: key, **value}
    record: Record = RECORD_TYPES[kind].model_validate(value)
    if record.key != key:
        raise ValueError(f"{kind}.{key} is kept under that key but calls itself {record.key!r}; make the two the same.")
    draft.put(record)


def _bad_flow(faults: Iterable[str]) -> Invalid:
    every = tuple(faults)
    shown = every[:_MAX_FAULTS]
    if len(every) > len(shown):
        shown = (*shown, f"… and {len(every) - len(shown)} more.")
    many = f"{len(every)} things are" if len(every) > 1 else "one thing is"
    return Invalid(
        "bad_flow", f"This flow cannot be read: {many} wrong. {shown[0]}", "Mend them and try again.", faults=shown
    )


def _broken_text(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def _called(value: Any) -> str:
    names = {list: "a list", str: "text", bool: "true or false", int: "a number", float: "a number", dict: "an object"}
    return names.get(type(value), f"a {type(value).__name__}")
