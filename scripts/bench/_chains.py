"""The chain that several measurements build: a typed table and filters behind it. And how CPU time is taken."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

# CPU for a chain of 1,000 nodes of 4.7 KB each: add and connect through its tools, and in one call of its builder.
PEER = "Langflow Assistant, published measurement"
PEER_NODE_BYTES = 4_700
PEER_ONE_BY_ONE_MS = 9_200.0
PEER_ONE_CALL_MS = 1_710.0


def beside_peer(mine_ms: float, peer_ms: float) -> str:
    """Return a figure beside the peer's."""
    return f"{mine_ms:,.0f} ms; {PEER}: {peer_ms:,.0f} ms, {peer_ms / mine_ms:.1f} times as much"


def chain_document(size: int) -> dict[str, Any]:
    """Return the document of a typed table and a chain of filters behind it, `size` nodes in all."""
    nodes = {node["id"]: {"type": node["type"], "config": node["config"]} for node in map(chain_node, range(size))}
    ends = [({"node": f"n{n - 1}", "port": "out"}, {"node": f"n{n}", "port": "in"}) for n in range(1, size)]
    edges = {f"{s['node']}.out>{t['node']}.in": {"source": s, "target": t} for s, t in ends}
    return {"headrace": 1, "name": "chain", "nodes": nodes, "edges": edges}


def chain_node(number: int, *, more_bytes: int = 0) -> dict[str, Any]:
    """Return a node of the chain as `add_node` takes it; with `more_bytes` a formula that is longer by as much text."""
    if not number:
        table = {"columns": [{"name": "a", "type": "whole number"}], "rows": [[1]]}
        return {"id": "n0", "type": "manual_table", "config": table}
    if more_bytes:
        halves = (f"CASE WHEN '{'x' * (more_bytes // 2)}' = '' THEN {number} ELSE a END" for _ in "ab")
        columns = [{"name": name, "expression": half} for name, half in zip("ab", halves, strict=True)]
        return {"id": f"n{number}", "type": "formula", "config": {"columns": columns}}
    return {"id": f"n{number}", "type": "filter", "config": {"condition": f"a > {-number}"}}


def spent(work: Callable[[], object]) -> float:
    """Return the CPU milliseconds of this process that some work takes."""
    started = time.process_time()
    work()
    return (time.process_time() - started) * 1_000


def median(work: Callable[[], object], rounds: int) -> float:
    """Return the median CPU milliseconds of some rounds of work."""
    return statistics.median(spent(work) for _ in range(rounds))
