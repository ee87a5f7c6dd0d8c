"""What a run costs: a million rows of csv → filter → aggregate → parquet, beside the same work written by hand on DuckDB.

Both in this process, in turns, the shortest of several each; wall clock, because both use all cores. Ours is everything from the
flow document on: typing, plan, run, with rows, columns and a preview of every node.
"""

from __future__ import annotations

import itertools
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from headrace.engine.cancel import CancelToken
from headrace.engine.events import NodeFinished, RunFinished
from headrace.engine.plan import plan
from headrace.engine.results import RunSettings
from headrace.engine.run import run
from headrace.flow.model import flow_from_document
from headrace.nodes.binder import Binder
from headrace.nodes.catalog import standard_catalog
from headrace.nodes.context import StandardContext
from headrace.nodes.files import FileSpace
from headrace.nodes.inference import infer

ROWS = 1_000_000
ROUNDS = 15
ALLOWED = 1.15
_MAKE = """
COPY (
    SELECT i AS id, ['north', 'south', 'east', 'west', 'centre'][1 + (hash(i) % 5)::INTEGER] AS region,
        'customer ' || (hash(i * 7) % 50000) AS customer, DATE '2020-01-01' + (hash(i * 3) % 1500)::INTEGER AS day,
        round((hash(i * 11) % 100000) / 100.0, 2) AS amount, (hash(i * 13) % 20)::INTEGER AS quantity,
        ['paid', 'open', 'void'][1 + (hash(i * 17) % 3)::INTEGER] AS status
    FROM range({rows}) t(i)
) TO '{path}' (HEADER)
"""
_BY_HAND = """
COPY (
    SELECT region, status, sum(amount) AS total, count(*) AS orders, avg(quantity) AS mean_quantity
    FROM '{source}' WHERE amount > 250 GROUP BY region, status ORDER BY region, status
) TO '{target}' (FORMAT parquet)
"""


def figures() -> Iterator[tuple[str, str]]:
    """Return name and value of each figure, as they are measured."""
    with tempfile.TemporaryDirectory(prefix="headrace-bench-") as made:
        folder = Path(made)
        source = folder / "orders.csv"
        with duckdb.connect() as connection:
            connection.execute(_MAKE.format(rows=ROWS, path=source))
        yield "csv", f"{ROWS:,} rows, {source.stat().st_size / 1e6:.0f} MB"
        yield from _beside_duckdb(folder, source)
        yield from _other_flows(folder)


def _beside_duckdb(folder: Path, source: Path) -> Iterator[tuple[str, str]]:
    ours_target, hand_target = folder / "ours.parquet", folder / "hand.parquet"
    bench = _Bench(folder)
    flow = bench.flow(
        {
            "read": ("read_file", {"path": "orders.csv"}),
            "keep": ("filter", {"condition": "amount > 250"}),
            "sum": (
                "aggregate",
                {
                    "group_by": ["region", "status"],
                    "measures": [
                        {"name": "total", "function": "sum", "column": "amount"},
                        {"name": "orders", "function": "count"},
                        {"name": "mean_quantity", "function": "mean", "column": "quantity"},
                    ],
                },
            ),
            "save": ("write_file", {"path": "ours.parquet", "overwrite": True}),
        }
    )

    def by_hand() -> None:
        with duckdb.connect() as connection:
            connection.execute(_BY_HAND.format(source=source, target=hand_target))

    bench.run(flow)
    by_hand()
    _check_alike(ours_target, hand_target)
    ours, hand = _in_turns(lambda: bench.run(flow), by_hand)
    yield "by hand on DuckDB: csv → filter → aggregate → parquet", f"{hand.wall * 1000:.0f} ms"
    yield "Headrace: the same, with rows and a preview of every node", f"{ours.wall * 1000:.0f} ms"
    ratio = ours.wall / hand.wall
    yield f"ratio (at most {ALLOWED})", f"{ratio:.2f}{'' if ratio <= ALLOWED else '  TOO SLOW'}"
    yield "ratio of CPU time, which other work on the machine disturbs less", f"{ours.cpu / hand.cpu:.2f}"
    yield "rows told of each node", ", ".join(f"{node_id} {rows:,}" for node_id, rows in bench.rows(flow).items())


def _other_flows(folder: Path) -> Iterator[tuple[str, str]]:
    bench = _Bench(folder)
    read = ("read_file", {"path": "orders.csv"})
    top = bench.flow(
        {
            "read": read,
            "sort": ("sort", {"by": [{"column": "amount", "descending": True}]}),
            "top": ("limit", {"count": 10}),
        }
    )
    yield f"{ROWS:,} rows → sort → first 10", f"{_shortest(lambda: bench.run(top), 3) * 1000:.0f} ms"
    rare = bench.flow({"read": read, "keep": ("filter", {"condition": "id = 999999"})})
    yield f"{ROWS:,} rows → filter that keeps one", f"{_shortest(lambda: bench.run(rare), 3) * 1000:.0f} ms"
    table = {"columns": [{"name": "a", "type": "whole number"}], "rows": [[1], [2]]}
    for size in (10, 100, 1_000):
        nodes: dict[str, tuple[str, dict[str, Any]]] = {"n0": ("manual_table", table)}
        nodes |= {f"n{n}": ("formula", {"columns": [{"name": "a", "expression": "a + 1"}]}) for n in range(1, size)}
        flow = bench.flow(nodes)
        seconds = _shortest(lambda f=flow: bench.run(f), 3 if size < 1_000 else 1)
        yield f"a chain of {size:,} nodes over two rows", f"{seconds * 1000:.0f} ms"


class _Bench:
    """Runs flows over a folder as the workspace does."""

    def __init__(self, folder: Path) -> None:
        self._files = FileSpace([folder])
        self._context = StandardContext(self._files, Binder())
        self._catalog = standard_catalog()

    def flow(self, nodes: dict[str, tuple[str, dict[str, Any]]]) -> dict[str, Any]:
        """Return the document of a chain of nodes."""
        ids = list(nodes)
        ends = [({"node": a, "port": "out"}, {"node": b, "port": "in"}) for a, b in itertools.pairwise(ids)]
        return {
            "headrace": 1,
            "name": "bench",
            "nodes": {node_id: {"type": kind, "config": config} for node_id, (kind, config) in nodes.items()},
            "edges": {f"{s['node']}.out>{t['node']}.in": {"source": s, "target": t} for s, t in ends},
        }

    def run(self, document: dict[str, Any]) -> list[Any]:
        """Return the events of a run, from the document on."""
        flow = flow_from_document(document)
        inference = infer(flow, self._catalog, self._context)
        settings = RunSettings(run_id="bench", context=self._context, files=self._files)
        events = list(run(plan(flow, self._catalog, inference), settings, CancelToken()))
        last = events[-1]
        if not isinstance(last, RunFinished) or last.status != "succeeded":
            raise RuntimeError(f"the run {last}: {events}")
        return events

    def rows(self, document: dict[str, Any]) -> dict[str, int]:
        """Return the rows that a run tells of each node."""
        return {e.node_id: e.rows for e in self.run(document) if isinstance(e, NodeFinished)}


@dataclass(frozen=True, slots=True)
class _Spent:
    """Seconds, the fewest of several rounds of each."""

    wall: float
    cpu: float


def _in_turns(ours: Callable[[], Any], hand: Callable[[], Any]) -> tuple[_Spent, _Spent]:
    """What each takes, measured in turns so that what else the machine does meets both."""
    spent: dict[Callable[[], Any], list[tuple[float, float]]] = {ours: [], hand: []}
    for _ in range(ROUNDS):
        for work, seconds in spent.items():
            wall, cpu = time.perf_counter(), time.process_time()
            work()
            seconds.append((time.perf_counter() - wall, time.process_time() - cpu))
    best = [_Spent(min(w for w, _ in seconds), min(c for _, c in seconds)) for seconds in spent.values()]
    return best[0], best[1]


def _shortest(work: Callable[[], Any], rounds: int) -> float:
    return min(_seconds(work) for _ in range(rounds))


def _seconds(work: Callable[[], Any]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _check_alike(ours: Path, hand: Path) -> None:
    with duckdb.connect() as connection:
        difference = connection.execute(
            f"SELECT * FROM (SELECT * REPLACE (round(total, 3) AS total) FROM '{ours}')"
            f" EXCEPT SELECT * REPLACE (round(total, 3) AS total) FROM '{hand}'"
        ).fetchall()
    if difference:
        raise RuntimeError(f"the two results differ: {difference[:3]}")
