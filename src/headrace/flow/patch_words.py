"""A patch in plain words, one sentence for each thing that a person would call one change.

A new node and its edges are one sentence; so are a removed node and what hung on it. Refuses to leave anything out: what no
sentence has taken is told by itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from heapq import heapify, heappop, heappush
from typing import Any

from .changes import Added, Change, Changed, Patch, Removed
from .model import Flow
from .records import Edge, Node
from .words import called, cut, label, quoted, value_words, with_config


def describe_patch(patch: Patch, flow: Flow | None = None, *, titles: Mapping[str, str] | None = None) -> list[str]:
    """Return what a patch changes, in sentences without a full stop.

    `flow` is the flow before it, for the titles of nodes that it does not change; `titles` are those, where it is not at hand.
    """
    return list(_Telling(patch, titles_for(patch, flow) if flow is not None else titles or {}).sentences())


def titles_for(patch: Patch, flow: Flow) -> dict[str, str]:
    """Return the titles of those nodes of the flow before a patch that its sentences name."""
    named: set[str] = set()
    for change in patch.changes:
        match change.path, change:
            case ("nodes" | "layout", node_id, *_), _:
                named.add(node_id)
            case ("edges", *_), Added(after=edge) | Removed(before=edge):
                named.update((edge["source"]["node"], edge["target"]["node"]))
    return {node_id: flow.nodes[node_id].title for node_id in sorted(named) if _titled(flow, node_id)}


def _titled(flow: Flow, node_id: str) -> bool:
    return node_id in flow.nodes and bool(flow.nodes[node_id].title)


class _Telling:
    """A patch while it is being told; `edges` and `places` hold what is not told yet."""

    def __init__(self, patch: Patch, titles: Mapping[str, str]) -> None:
        self.titles = titles
        self.added: dict[str, Node] = {}
        self.removed: dict[str, Node] = {}
        self.changed: dict[str, list[Change]] = {}
        self.edges: dict[tuple[str, str], Edge] = {}
        self.places: set[str] = set()
        self.others: list[Change] = []
        for change in patch.changes:
            self._sort(change)
        self.at: dict[str, list[Edge]] = defaultdict(list)
        """The edges of the patch at each node."""
        for edge in self.edges.values():
            for node_id in {edge.source.node, edge.target.node}:
                self.at[node_id].append(edge)

    def sentences(self) -> Iterator[str]:
        """Return every sentence; each change is in exactly one."""
        yield from (sentence for change in self.others if (sentence := _other_words(change)))
        for node_id in self._added_in_order():
            yield self._added_words(node_id)
        for node_id in self.removed:
            self._take_edges(node_id)
            yield f"Remove {self._name(node_id)}"
        for node_id, changes in self.changed.items():
            yield from self._changed_words(node_id, changes)
        for (kind, _), edge in sorted(self.edges.items()):
            ends = (self._end(edge, "source"), self._end(edge, "target"))
            yield f"Connect {ends[0]} to {ends[1]}" if kind == "added" else f"Disconnect {ends[0]} from {ends[1]}"
        moved = sorted(self.places - self.added.keys() - self.removed.keys())
        if moved:
            yield f"Move {self._name(moved[0])}" if len(moved) == 1 else f"Move {len(moved)} nodes"

    def _sort(self, change: Change) -> None:
        match change.path, change:
            case ("nodes", node_id), Added():
                self.added[node_id] = Node.model_validate(change.after)
            case ("nodes", node_id), Removed():
                self.removed[node_id] = Node.model_validate(change.before)
            case ("nodes", node_id, *_), _:
                self.changed.setdefault(node_id, []).append(change)
            case ("edges", edge_id), Added():
                self.edges["added", edge_id] = Edge.model_validate(change.after)
            case ("edges", edge_id), Removed():
                self.edges["removed", edge_id] = Edge.model_validate(change.before)
            case ("layout", node_id, *_), _:
                self.places.add(node_id)
            case _:
                self.others.append(change)

    def _added_in_order(self) -> Iterator[str]:
        """New nodes, each after the new nodes that it takes from; first by id where both could come."""
        feeders = {node_id: set[str]() for node_id in self.added}
        followers = {node_id: set[str]() for node_id in self.added}
        for (kind, _), edge in self.edges.items():
            if kind == "added" and edge.target.node in feeders and edge.source.node in feeders:
                feeders[edge.target.node].add(edge.source.node)
                followers[edge.source.node].add(edge.target.node)
        ready = [node_id for node_id, takes_from in feeders.items() if not takes_from]
        heapify(ready)
        circular = iter(sorted(feeders))
        while feeders:
            node_id = heappop(ready) if ready else next(each for each in circular if each in feeders)
            del feeders[node_id]
            yield node_id
            for follower in followers[node_id]:
                if follower in feeders:
                    feeders[follower].discard(node_id)
                    if not feeders[follower]:
                        heappush(ready, follower)

    def _added_words(self, node_id: str) -> str:
        node = self.added[node_id]
        mine = [edge for edge in self.at[node_id] if ("added", edge.id) in self.edges]
        into = [edge for edge in mine if edge.target.node == node_id]
        out = [edge for edge in mine if edge.source.node == node_id and edge.target.node not in self.added]
        for edge in (*into, *out):
            del self.edges["added", edge.id]
        place = self._place(into, out)
        return f"Add {called(node)}{place}{with_config(node.config)}"

    def _place(self, into: list[Edge], out: list[Edge]) -> str:
        before = " and ".join(self._end(edge, "target") for edge in out)
        if len(into) == len(out) == 1:
            replaced = ("removed", f"{into[0].source}>{out[0].target}")
            if replaced in self.edges:
                del self.edges[replaced]
                return f" between {self._end(into[0], 'source')} and {before}"
        after = " and ".join(self._end(edge, "source") for edge in into)
        return (f" after {after}" if after else "") + (f"{',' if after else ''} before {before}" if before else "")

    def _changed_words(self, node_id: str, changes: list[Change]) -> Iterator[str]:
        """One sentence for a new title or type each, one for all config values."""
        name = self._name(node_id)
        values: list[str] = []
        for change in changes:
            match change.path[2:], change:
                case ("title",), Changed(after=title):
                    yield f"Call {name} {quoted(title)}" if title else f"Take the title of {name} away"
                case ("type",), Changed(after=kind):
                    yield f"Make {name} a {str(kind).replace('_', ' ')}"
                case ("version",), Changed(before=before, after=after):
                    values.append(f"version {before} → {after}")
                case ("config", key), _:
                    values.append(f"{label(key)} {_value_change(change)}")
        if values:
            yield f"Change {name}: {'; '.join(values)}"

    def _take_edges(self, node_id: str) -> None:
        for edge in self.at[node_id]:
            self.edges.pop(("removed", edge.id), None)

    def _name(self, node_id: str) -> str:
        node = self.removed.get(node_id) or self.added.get(node_id)
        title = self.titles.get(node_id) or (node.title if node else "")
        return quoted(title) if title else node_id

    def _end(self, edge: Edge, side: str) -> str:
        end, usual = (edge.source, "out") if side == "source" else (edge.target, "in")
        return self._name(end.node) + ("" if end.port == usual else f" ({end.port})")


def _value_change(change: Change) -> str:
    match change:
        case Added():
            return value_words(change.after)
        case Removed():
            return f"{value_words(change.before)} → left out"
        case Changed():
            return f"{value_words(change.before)} → {value_words(change.after)}"


def _other_words(change: Change) -> str:
    match change.path, change:
        case ("name",), Changed(after=name):
            return f"Call the flow {quoted(name)}" if name else "Take the flow's name away"
        case ("parameters", name), Removed():
            return f"Remove the parameter {name}"
        case ("parameters", name), Added(after=parameter):
            return f"Add the parameter {name}: {_parameter_words(parameter)}"
        case ("parameters", name), Changed(before=before, after=after):
            return f"Change the parameter {name}: {_parameter_words(before)} → {_parameter_words(after)}"
        case ("notes", _), Added(after=note):
            return f"Add a note: {cut(note['text'])}"
        case ("notes", _), Removed(before=note):
            return f"Remove the note: {cut(note['text'])}"
        case ("notes", note_id, "text"), Changed(after=text):
            return f"Change the note {note_id}: {cut(text)}"
        case ("notes", note_id, field), _:
            return f"Change the note {note_id}'s {'place' if field == 'at' else field}"
        case _:
            return f"Change {'.'.join(change.path)}"


def _parameter_words(parameter: Mapping[str, Any]) -> str:
    default = parameter.get("default")
    return f"a {parameter['type']}" + ("" if default is None else f", {value_words(default)} unless given")
