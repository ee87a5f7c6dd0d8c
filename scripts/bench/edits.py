"""What an edit costs by the size of the flow, and what building a long chain costs beside a peer's published figures.

CPU time of this process in milliseconds, medians; one operation is: apply it, diff, apply the patch to the old flow, both hashes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from headrace.flow.model import EMPTY, Flow, content_hash
from headrace.flow.notation import read_flow_text, write_flow_text
from headrace.flow.operations import Operation, apply_all, operations_from
from headrace.flow.patch import apply, diff

from ._chains import PEER_NODE_BYTES, PEER_ONE_BY_ONE_MS, PEER_ONE_CALL_MS, beside_peer, median

SIZES = (10, 100, 1_000, 10_000)
REPEATS = 101


def figures() -> Iterator[tuple[str, str]]:
    """Return name and value of each figure, as they are measured."""
    for size in SIZES:
        flow = apply_all(EMPTY, chain(size))
        middle = f"n{size // 2}"
        edits: dict[str, list[dict[str, Any]]] = {
            "set_config": [{"op": "set_config", "node_id": middle, "values": {"condition": "amount > 11"}}],
            "add_node + connect at the end": [_added("new"), _connected(f"n{size - 1}", "new")],
            "insert_between in the middle": [
                {
                    "op": "insert_between",
                    "source": f"n{size // 2 - 1}",
                    "target": middle,
                    "node": _added("new")["node"],
                }
            ],
        }
        for name, written in edits.items():
            operations = operations_from(written)
            yield (
                f"{name}, patched and hashed, {size:,} nodes",
                f"{_median(lambda o=operations, f=flow: _edit(f, o)):.3f} ms",
            )
    yield from _searches()
    yield from _building()
    yield from _notation()


def chain(size: int) -> tuple[Operation, ...]:
    """Return the operations that build a chain of filters, node by node."""
    written: list[dict[str, Any]] = []
    for number in range(size):
        written.append(_added(f"n{number}"))
        if number:
            written.append(_connected(f"n{number - 1}", f"n{number}"))
    return operations_from(written)


def _searches() -> Iterator[tuple[str, str]]:
    """The dearest connect: it joins two long chains end to start, so the search for a circle meets half of one."""
    half = SIZES[-1] // 2
    flow = apply_all(EMPTY, [*chain(2 * half), *operations_from([_disconnected(f"n{half - 1}", f"n{half}")])])
    operations = operations_from([_connected(f"n{half - 1}", f"n{half}")])
    yield (
        f"connect of two chains of {half:,} nodes (dearest case)",
        f"{_median(lambda: _edit(flow, operations), 11):.3f} ms",
    )


def _building() -> Iterator[tuple[str, str]]:
    """From plain JSON on, with nodes as large as the peer's, since that is what its figures hold."""
    written = [operation.model_dump(mode="json") for operation in chain(1_000)]
    for operation in written:
        if operation["op"] == "add_node":
            operation["node"]["config"] = {"condition": "x" * PEER_NODE_BYTES}
    one_by_one = _median(lambda: _one_by_one(written), 5)
    one_call = _median(lambda: apply_all(EMPTY, operations_from(written)), 5)
    for name, mine, peer in (
        ("chain of 1,000 nodes of 4.7 KB, one operation a call", one_by_one, PEER_ONE_BY_ONE_MS),
        ("chain of 1,000 nodes of 4.7 KB, one batch", one_call, PEER_ONE_CALL_MS),
    ):
        yield name, beside_peer(mine, peer)


def _notation() -> Iterator[tuple[str, str]]:
    flow = apply_all(EMPTY, chain(1_000))
    text = write_flow_text(flow)
    yield "write a flow of 1,000 nodes as JSON", f"{_median(lambda: write_flow_text(flow), 5):.0f} ms"
    yield "read it back", f"{_median(lambda: read_flow_text(text), 5):.0f} ms"


def _edit(flow: Flow, operations: Sequence[Operation]) -> None:
    after = apply_all(flow, operations)
    landed = apply(flow, diff(flow, after))
    if content_hash(landed) != content_hash(after):
        raise AssertionError("the patch did not lead to the flow that it was made from")


def _one_by_one(written: Sequence[dict[str, Any]]) -> None:
    flow = EMPTY
    for operation in written:
        flow = apply_all(flow, operations_from([operation]))


def _median(act: Callable[[], object], rounds: int = REPEATS) -> float:
    return median(act, rounds)


def _added(node_id: str) -> dict[str, Any]:
    return {"op": "add_node", "node": {"id": node_id, "type": "filter", "config": {"condition": "amount > 10"}}}


def _connected(source: str, target: str) -> dict[str, Any]:
    return {"op": "connect", "source": source, "target": target}


def _disconnected(source: str, target: str) -> dict[str, Any]:
    return {"op": "disconnect", "source": source, "target": target}


if __name__ == "__main__":
    for figure, value in figures():
        print(f"{figure:<62} {value}")
