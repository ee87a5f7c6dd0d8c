"""Whatever is kept and whatever flows: a run gives what the flow's own SQL gives, of every node, in the same order."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import duckdb
import pytest

from headrace.nodes.sql import node_sql
from tests.lab import Lab, chain

SEEDS = range(14)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A csv file of 120,000 rows that is just big enough to flow."""
    path = tmp_path_factory.mktemp("mid") / "mid.csv"
    with duckdb.connect() as connection:
        connection.execute(
            "COPY (SELECT i AS id, i % 7 AS k, (i * 7919 % 100003)::DOUBLE / 8 AS x, "
            "CASE WHEN i % 11 = 0 THEN NULL ELSE (i * 31 % 97) END AS y, 'text ' || (i % 1000) || ' of some length' AS t "
            f"FROM range(120000) s(i)) TO '{path}' (HEADER)"
        )
    return path


def nodes_from(seed: int) -> dict[str, tuple[str, dict[str, Any]]]:
    """A chain of nodes that all keep the columns id, k, x, y; which ones follows from the seed."""
    pick = random.Random(seed)
    kinds: list[tuple[str, dict[str, Any]]] = [
        ("filter", {"condition": "x > 500"}),
        ("filter", {"condition": "k IN (1, 2, 5)"}),
        ("filter", {"condition": "id % 50000 = 7"}),
        ("filter", {"condition": "y IS NOT NULL AND t LIKE '%9%'"}),
        ("formula", {"columns": [{"name": "x", "expression": "x * 2 + k"}]}),
        ("formula", {"columns": [{"name": "z", "expression": "row_number() OVER (PARTITION BY k ORDER BY id)"}]}),
        ("select", {"keep": ["y", "k", "id", "x", "t"]}),
        ("sort", {"by": [{"column": "y", "descending": True}, {"column": "id"}]}),
        ("sort", {"by": [{"column": "x"}, {"column": "id", "descending": True}]}),
        ("limit", {"count": 5000, "offset": 100}),
        ("distinct", {"columns": ["k", "y"], "keep_first_by": [{"column": "id"}]}),
        ("fill_missing", {"columns": ["y"], "method": "value", "value": 0}),
        ("fill_missing", {"columns": ["y"], "method": "previous", "order_by": [{"column": "id"}]}),
        ("fill_missing", {"columns": ["y"], "method": "drop_rows"}),
        ("fill_missing", {"columns": ["y"], "method": "mean"}),
    ]
    chosen = pick.sample(kinds, 5)
    if seed % 3 == 0:
        measures = [{"name": "n", "function": "count"}, {"name": "s", "function": "sum", "column": "y"}]
        chosen.append(("aggregate", {"group_by": ["k"], "measures": measures}))
    return {"read": ("read_file", {"path": "mid.csv"}), **{f"n{n}": each for n, each in enumerate(chosen)}}


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize("seed", SEEDS)
class TestAgainstSql:
    def test_a_run_gives_what_the_sql_gives(self, lab: Lab, table, tmp_path, seed):
        (lab.folder / "mid.csv").hardlink_to(table)
        nodes = nodes_from(seed)
        flow = lab.flow(nodes, *chain(*nodes))
        last = list(nodes)[-1]
        target = tmp_path / "out.parquet"
        outcome = lab.run(flow, exports={last: target})
        assert outcome.status == "succeeded", outcome.events
        inference = lab.infer(flow)
        with duckdb.connect(config={"file_search_path": str(lab.folder)}) as connection:
            for node_id in nodes:
                sql = node_sql(flow, node_id, catalog=lab.catalog, inference=inference, context=lab.context)
                connection.execute(f"CREATE OR REPLACE TABLE wanted AS {sql}")
                rows = connection.execute("SELECT count(*) FROM wanted").fetchall()[0][0]
                assert outcome.rows()[node_id] == rows, node_id
                ids = [name for name in ("id", "k") if name in outcome.results[node_id].table.names()][:1]
                first = connection.execute(f"SELECT {ids[0]} FROM wanted LIMIT 100").fetchall()
                place = outcome.results[node_id].table.names().index(ids[0])
                assert [row[place] for row in outcome.preview(node_id)] == [row[0] for row in first], node_id
            written = connection.execute(f"SELECT * FROM '{target}'").fetchall()
            assert rounded(written) == rounded(connection.execute("SELECT * FROM wanted").fetchall())


def rounded(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rows whose numbers do not show in which order they were added up."""
    return [tuple(float(f"{cell:.9g}") if isinstance(cell, float) else cell for cell in row) for row in rows]
