"""What is wrong with a flow as a whole: circles, nodes that no data reaches, inputs that one loose table would fill, sinks.

Each question is asked only where an answer may have changed, so that an edit of a large flow costs what it touches.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from itertools import islice

from headrace.flow.diagnostic import Diagnostic, Fix, Where
from headrace.flow.model import Flow, PortRef
from headrace.flow.operations import Connect, Disconnect, RemoveNode, SetConfig
from headrace.flow.order import a_way, leads_to, order
from headrace.nodes.spec import Port

from .local import finding, fix
from .scene import Scene

_MOST_NAMED = 6


def circles(flow: Flow, *, near: Iterable[str] | None = None) -> tuple[tuple[str, ...], ...]:
    """Return a shortest circle of edges for each knot of nodes that feed each other, each from its first node by id.

    `near`: the flow had no circle before these nodes changed, so a new one passes through one of them.
    """
    if near is not None and not any(
        leads_to(flow, node_id, edge.source.node)
        for node_id in near
        if node_id in flow.nodes
        for edge in flow.edges_into(node_id)
    ):
        return ()
    found: list[tuple[str, ...]] = []
    seen: set[str] = set()
    for node_id in order(flow).circular:
        if node_id in seen:
            continue
        ways = (a_way(flow, edge.target.node, node_id) for edge in flow.edges_from(node_id))
        closed = min((way for way in ways if way), key=lambda way: (len(way), way), default=())
        if closed:
            found.append((node_id, *closed[:-1]))
            seen.update(closed)
    return tuple(found)


def circle_findings(flow: Flow, found: Iterable[tuple[str, ...]]) -> Iterable[Diagnostic]:
    """Return one finding for each circle, with a fix for each of its edges."""
    for circle in found:
        named = circle if len(circle) <= _MOST_NAMED else (*circle[: _MOST_NAMED - 1], "…")
        way = " → ".join((*named, circle[0]))
        ends = set(zip(circle, (*circle[1:], circle[0]), strict=True))
        edges = [edge for node_id in circle for edge in flow.edges_from(node_id) if (node_id, edge.target.node) in ends]
        yield finding(
            "F101",
            f"Edges go in a circle: {way}. A flow runs one way; disconnect one of these edges.",
            Where(node=circle[0]),
            fixes=(
                fix(
                    f"Disconnect {edge.source.node!r} from {edge.target.node!r}",
                    Disconnect(source=edge.source, target=edge.target),
                )
                for edge in reversed(edges)
            ),
        )


def starved(flow: Flow, missing: Iterable[str], found: Iterable[tuple[str, ...]]) -> Iterable[Diagnostic]:
    """Return a finding for each node that no data reaches, because everything before it waits for `missing` inputs or for itself."""
    roots = {node_id: node_id for node_id in (*missing, *(node_id for circle in found for node_id in circle))}
    if not roots:
        return
    cause = dict(roots)
    fresh = list(roots)
    while fresh:
        for edge in flow.edges_from(fresh.pop()):
            node_id = edge.target.node
            if node_id not in cause and all(into.source.node in cause for into in flow.edges_into(node_id)):
                cause[node_id] = cause[edge.source.node]
                fresh.append(node_id)
    for node_id in sorted(cause.keys() - roots.keys()):
        root = cause[node_id]
        yield finding(
            "F102",
            f"No data reaches {node_id!r}: it hangs on {root!r}, which has nothing to work on. "
            f"Mend {root!r}, or connect {node_id!r} to another table.",
            Where(node=node_id),
        )


def with_loose_table(scene: Scene, found: Diagnostic, loose: Iterable[str]) -> Diagnostic:
    """Return the finding of a missing input with a fix that connects the only loose table, where there is exactly one."""
    node_id, port = found.where.node, found.where.port
    every = (
        (PortRef(node=other, port=output.name), PortRef(node=node_id, port=port))
        for other in loose
        if other != node_id and not leads_to(scene.flow, node_id, other)
        for output in _tables(scene, other)
    )
    fitting = list(islice(every, 2))
    if len(fitting) != 1:
        return found
    source, target = fitting[0]
    connect = fix(f"Connect {scene.flow.title(source.node)!r}", Connect(source=source, target=target))
    return found.model_copy(update={"fixes": (connect,)})


def loose_tables(scene: Scene) -> list[str]:
    """Return the nodes whose table goes nowhere, by id."""
    flow = scene.flow
    return sorted(node_id for node_id in flow.nodes if not flow.edges_from(node_id) and _tables(scene, node_id))


def alone(flow: Flow, node_ids: Iterable[str]) -> Iterable[Diagnostic]:
    """Return a note for each of the nodes that nothing is connected to, where the flow has others."""
    if len(flow.nodes) < 2:
        return
    for node_id in node_ids:
        yield finding(
            "F107",
            f"Nothing uses {node_id!r} and it uses nothing. Connect it, or remove it.",
            Where(node=node_id),
            fixes=(fix("Remove it", RemoveNode(node_id=node_id)),),
        )


def same_files(written: Mapping[str, str]) -> Iterable[Diagnostic]:
    """Return a finding for each node that writes a file which a node before it, by id, writes too. `written`: node id -> path."""
    writers: dict[str, list[str]] = defaultdict(list)
    for node_id in sorted(written):
        if written[node_id]:
            writers[_plain(written[node_id])].append(node_id)
    for path, node_ids in sorted(writers.items()):
        for number, node_id in enumerate(node_ids[1:], 2):
            yield finding(
                "F106",
                f"{node_ids[0]!r} and {node_id!r} both write {path!r}. Give one of them another path.",
                Where(node=node_id, path=("path",)),
                fixes=(_elsewhere(node_id, path, taken=writers, number=number),),
            )


def inputs_overwritten(written: Mapping[str, str], read: Mapping[str, str]) -> Iterable[Diagnostic]:
    """Return a finding for each node that would write over a file which the flow reads. Both: node id -> path."""
    if not read or not any(written.values()):
        return
    readers = {_plain(read[node_id]): node_id for node_id in sorted(read, reverse=True)}
    for node_id in sorted(written):
        path = _plain(written[node_id]) if written[node_id] else ""
        if path in readers:
            yield finding(
                "F512",
                f"{node_id!r} would write over {path!r}, which is read by {readers[path]!r}. Choose another path.",
                Where(node=node_id, path=("path",)),
                fixes=(_elsewhere(node_id, path, taken={*readers, *map(_plain, written.values())}, number=2),),
            )


def no_sink(flow: Flow) -> Diagnostic:
    """Return the note on a flow of which nothing is written or drawn."""
    if not flow.nodes:
        return finding("F103", "This flow is empty. Add a node that brings data, such as `read_file`.", Where())
    message = "Nothing is written or drawn; the result is shown as a table. Add `write_file` or `chart` to keep it."
    return finding("F103", message, Where())


def _tables(scene: Scene, node_id: str) -> list[Port]:
    node_type = scene.type_of(node_id)
    return [port for port in node_type.outputs if port.type == "table"] if node_type else []


def _plain(path: str) -> str:
    return posixpath.normpath(path.replace("\\", "/"))


def _elsewhere(node_id: str, path: str, *, taken: Container[str], number: int) -> Fix:
    """Write to the next path, with a number, that nobody has."""
    stem, ending = posixpath.splitext(path)
    while (other := f"{stem}_{number}{ending}") in taken:
        number += 1
    return fix(f"Write {other!r}", SetConfig(node_id=node_id, values={"path": other}))
