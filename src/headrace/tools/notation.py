"""Nodes and edges as a model writes them. Reads the ways that are clear, such as `a -> b -> c`; what they mean is judged elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from headrace.nodes.catalog import Catalog

from .spec import Arguments

_ARROWS = ("-->", "->", "=>", "→")


class NewNode(Arguments):
    """A node of a new flow."""

    id: str
    type: str
    config: dict[str, Any] = Field(default_factory=dict)
    title: str = ""


def _plain(given: Any) -> Any:
    """Return edges as texts where they were written as objects or pairs."""
    if isinstance(given, str):
        given = [each for each in given.replace(";", ",").replace("\n", ",").split(",") if each.strip()]
    return [_as_text(each) for each in given] if isinstance(given, list | tuple) else given


def _as_text(edge: Any) -> Any:
    if isinstance(edge, Mapping):
        ends = [edge.get("source", edge.get("from")), edge.get("target", edge.get("to"))]
    elif isinstance(edge, list | tuple) and len(edge) == 2:
        ends = list(edge)
    else:
        return edge
    texts = [f"{end['node']}.{end['port']}" if isinstance(end, Mapping) and len(end) == 2 else end for end in ends]
    return ">".join(texts) if all(isinstance(text, str) for text in texts) else edge


NewEdges = Annotated[tuple[str, ...], BeforeValidator(_plain)]


@dataclass(frozen=True, slots=True)
class Connection:
    """An edge that is wanted."""

    index: int
    """Which of the written edges says so."""
    source: str
    """With its port: `a.out`."""
    target: str
    """With its port, once that is known."""

    @property
    def edge_id(self) -> str:
        """The id that the flow gives this edge."""
        return f"{self.source}>{self.target}"

    def operation(self) -> dict[str, Any]:
        """Return the operation that makes it."""
        return {"op": "connect", "source": self.source, "target": self.target}


def connections(edges: Iterable[str], inputs: Mapping[str, Sequence[str]] = MappingProxyType({})) -> list[Connection]:
    """Return what edges written as `a>b`, `a.out>b.in` or `a>b>c` connect, each once.

    `inputs` are the input ports of nodes by id: an edge that names none arrives at the first that no edge before it took,
    where the node has no port `in`.
    """
    found: dict[str, Connection] = {}
    taken: dict[str, int] = {}
    for written in (each for index, edge in enumerate(edges) for each in _of_chain(index, edge)):
        node_id, _, port = written.target.partition(".")
        ports = inputs.get(node_id, ("in",))
        place = taken.setdefault(node_id, 0)
        if not port:
            port = ports[place] if "in" not in ports and place < len(ports) else "in"
        taken[node_id] += 1
        made = replace(written, target=f"{node_id}.{port}")
        found[made.edge_id] = made
    return list(found.values())


def in_a_row(nodes: Sequence[NewNode], edges: Sequence[str]) -> tuple[str, ...]:
    """Return the edges; where none are written for several nodes, those that join each node to the next."""
    return tuple(edges) if edges or len(nodes) < 2 else (">".join(node.id for node in nodes),)


def _of_chain(index: int, edge: str) -> Iterator[Connection]:
    for arrow in _ARROWS:
        edge = edge.replace(arrow, ">")
    ends = [end.strip() for end in edge.split(">")]
    ends += [""] * (2 - len(ends))
    for place, (source, target) in enumerate(pairwise(ends)):
        # in the middle of a chain a port is where the edge before arrives
        source = source if place == 0 else source.partition(".")[0]
        yield Connection(index, source if "." in source else f"{source}.out", target)


def inputs_of(nodes: Iterable[NewNode], catalog: Catalog) -> dict[str, tuple[str, ...]]:
    """Return the input ports of nodes by id, of those whose type there is."""
    known = {each.name: tuple(port.name for port in each.inputs) for each in catalog.all()}
    return {node.id: known[node.type] for node in nodes if node.type in known}
