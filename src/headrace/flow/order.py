"""Ways through a flow: the order of its nodes, what lies up and down the flow, whether an edge would close a circle.

Every answer is deterministic: among nodes that could come next, the first by id comes next.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from .model import Edge, Flow


class Edges(Protocol):
    """Anything that knows the edges at a node: a flow, or a draft of one."""

    def edges_into(self, node_id: str, /) -> tuple[Edge, ...]:
        """Return the edges that end at a node."""
        ...

    def edges_from(self, node_id: str, /) -> tuple[Edge, ...]:
        """Return the edges that begin at a node."""
        ...


@dataclass(frozen=True, slots=True)
class Order:
    """The nodes of a flow from the sources on; those on or behind a circle have no place in it."""

    sequence: tuple[str, ...]
    circular: tuple[str, ...] = ()


def order(flow: Flow) -> Order:
    """Return the flow's nodes so that each comes after all that it takes from."""
    waiting = {node_id: _feeders(flow, node_id) for node_id in flow.nodes}
    ready = [node_id for node_id, count in waiting.items() if count == 0]
    heapq.heapify(ready)
    sequence: list[str] = []
    while ready:
        node_id = heapq.heappop(ready)
        sequence.append(node_id)
        for follower in {edge.target.node for edge in flow.edges_from(node_id)}:
            waiting[follower] -= 1
            if waiting[follower] == 0:
                heapq.heappush(ready, follower)
    placed = set(sequence)
    return Order(tuple(sequence), tuple(sorted(node_id for node_id in waiting if node_id not in placed)))


def upstream(flow: Edges, node_ids: Iterable[str]) -> frozenset[str]:
    """Return the given nodes and all that they take from, near or far."""
    return _reach(flow, node_ids, forward=False)


def downstream(flow: Edges, node_ids: Iterable[str]) -> frozenset[str]:
    """Return the given nodes and all that take from them, near or far."""
    return _reach(flow, node_ids, forward=True)


def leads_to(flow: Edges, start: str, end: str) -> bool:
    """Return whether `end` takes from `start`, near or far.

    Searches from both ends in turns and stops as soon as either side is exhausted, so that adding to the end of a long
    chain costs one look (SPEC O4).
    """
    if start == end:
        return True
    ahead, behind = {start}, {end}
    forward, backward = [start], [end]
    while True:
        for edge in flow.edges_from(forward.pop()):
            if (node_id := edge.target.node) in behind:
                return True
            if node_id not in ahead:
                ahead.add(node_id)
                forward.append(node_id)
        if not forward:
            return False
        for edge in flow.edges_into(backward.pop()):
            if (node_id := edge.source.node) in ahead:
                return True
            if node_id not in behind:
                behind.add(node_id)
                backward.append(node_id)
        if not backward:
            return False


def a_way(flow: Edges, start: str, end: str) -> tuple[str, ...]:
    """Return the nodes of a shortest way from `start` to `end`, both included; empty where there is none."""
    came_from: dict[str, str] = {start: start}
    edge_of_search = [start]
    while edge_of_search and end not in came_from:
        following: list[str] = []
        for node_id in edge_of_search:
            for edge in flow.edges_from(node_id):
                if edge.target.node not in came_from:
                    came_from[edge.target.node] = node_id
                    following.append(edge.target.node)
        edge_of_search = following
    if end not in came_from:
        return ()
    way = [end]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return tuple(reversed(way))


def _feeders(flow: Flow, node_id: str) -> int:
    return len({edge.source.node for edge in flow.edges_into(node_id)})


def _next(flow: Edges, node_ids: Iterable[str], *, forward: bool) -> list[str]:
    if forward:
        return list(dict.fromkeys(e.target.node for node_id in node_ids for e in flow.edges_from(node_id)))
    return list(dict.fromkeys(e.source.node for node_id in node_ids for e in flow.edges_into(node_id)))


def _reach(flow: Edges, node_ids: Iterable[str], *, forward: bool) -> frozenset[str]:
    found = set(node_ids)
    fresh = list(found)
    while fresh:
        fresh = [node_id for node_id in _next(flow, fresh, forward=forward) if node_id not in found]
        found.update(fresh)
    return frozenset(found)
