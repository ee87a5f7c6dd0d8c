"""A flow as one chain of SELECTs: names, order of rows, depth."""

from __future__ import annotations

import itertools
import time
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp

from headrace.base.errors import Invalid, NotFound
from headrace.flow.model import EMPTY, Flow
from headrace.flow.operations import apply_all, operations_from
from headrace.nodes.inference import infer
from headrace.nodes.spec import Relation
from headrace.nodes.sql import DEEPEST, flow_query, node_sql
from tests.nodes.workbench import catalog, context, table

ROWS = [(n, (n * 7919) % 1000, f"name {n % 37}") for n in range(100_000)]


def flow(nodes: dict[str, tuple[str, dict[str, Any]]], *edges: str) -> Flow:
    """Return a flow of nodes by id and edges such as `a>b` or `a>b.left`."""
    operations: list[dict[str, Any]] = [
        {"op": "add_node", "node": {"id": node_id, "type": kind, "config": config}}
        for node_id, (kind, config) in nodes.items()
    ]
    operations += [{"op": "connect", "source": edge.split(">")[0], "target": edge.split(">")[1]} for edge in edges]
    return apply_all(EMPTY, operations_from(operations))


def source(*, rows: int = 3) -> tuple[str, dict[str, Any]]:
    """Return a table by hand of three columns."""
    columns = [{"name": "n", "type": "BIGINT"}, {"name": "k", "type": "BIGINT"}, {"name": "name", "type": "VARCHAR"}]
    return "manual_table", {"columns": columns, "rows": [list(row) for row in ROWS[:rows]]}


def query(of: Flow, node_id: str, there: dict[str, Relation] | None = None) -> exp.Select:
    """Return the query of a node."""
    return flow_query(
        of, node_id, catalog=catalog(), inference=infer(of, catalog(), context()), context=context(), given=there
    )


def run(of: Flow, node_id: str, *, threads: int = 8) -> list[tuple[Any, ...]]:
    """Run a node of a flow whose source `big` is a table of 100,000 rows."""
    made = duckdb.connect(":memory:", config={"threads": threads})
    made.execute(
        "CREATE TABLE big AS SELECT n::BIGINT AS n, (n * 7919) % 1000 AS k, 'name ' || (n % 37) AS name FROM range(100000) t(n)"
    )
    there = {"big": Relation("big", table(n="BIGINT", k="BIGINT", name="VARCHAR"))} if "big" in of.nodes else None
    return made.execute(query(of, node_id, there).sql(dialect="duckdb")).fetchall()


BY_K = {"by": [{"column": "k", "descending": True}]}
SORTED = sorted(ROWS, key=lambda row: -row[1])
"""By k, the largest first; rows of one k as they lay."""


class TestOrder:
    def test_a_sort_is_stable(self) -> None:
        of = flow({"big": source(), "s": ("sort", BY_K)}, "big>s")
        assert run(of, "s") == SORTED

    def test_it_holds_through_filter_formula_and_select_without_its_column(self) -> None:
        of = flow(
            {
                "big": source(),
                "s": ("sort", BY_K),
                "f": ("filter", {"condition": "n % 3 = 0"}),
                "x": (
                    "formula",
                    {"columns": [{"name": "k", "expression": "k * 0"}, {"name": "m", "expression": "n + 1"}]},
                ),
                "c": ("select", {"keep": ["m"], "rename": {"m": "z"}}),
            },
            "big>s",
            "s>f",
            "f>x",
            "x>c",
        )
        assert run(of, "c") == [(n + 1,) for n, _, _ in SORTED if n % 3 == 0]

    def test_limit_takes_the_top(self) -> None:
        of = flow({"big": source(), "s": ("sort", BY_K), "l": ("limit", {"count": 5, "offset": 2})}, "big>s", "s>l")
        assert run(of, "l") == SORTED[2:7]

    def test_limit_far_behind_the_sort_takes_the_top_of_what_is_left(self) -> None:
        of = flow(
            {
                "big": source(),
                "s": ("sort", BY_K),
                "c": ("select", {"keep": ["n"]}),
                "f": ("filter", {"condition": "n > 500"}),
                "l": ("limit", {"count": 4}),
                "again": ("sort", {"by": [{"column": "n"}]}),
            },
            "big>s",
            "s>c",
            "c>f",
            "f>l",
            "l>again",
        )
        top = [n for n, _, _ in SORTED if n > 500][:4]
        assert run(of, "l") == [(n,) for n in top]
        assert run(of, "again") == [(n,) for n in sorted(top)]

    def test_a_second_sort_keeps_the_first_among_equals(self) -> None:
        of = flow({"big": source(), "s": ("sort", BY_K), "t": ("sort", {"by": [{"column": "name"}]})}, "big>s", "s>t")
        assert run(of, "t") == sorted(SORTED, key=lambda row: row[2])

    def test_union_puts_sorted_tables_one_below_the_other(self) -> None:
        of = flow(
            {"big": source(), "s": ("sort", BY_K), "f": ("filter", {"condition": "n < 1000"}), "u": ("union", {})},
            "big>s",
            "big>f",
            "s>u.in",
            "f>u.in",
        )
        assert run(of, "u") == [*ROWS[:1000], *SORTED]

    def test_the_left_table_of_a_join_keeps_its_order(self) -> None:
        of = flow(
            {
                "big": source(),
                "s": ("sort", BY_K),
                "few": ("aggregate", {"group_by": ["name"], "measures": [{"function": "count"}]}),
                "j": ("join", {"on": [{"left": "name", "right": "name"}]}),
                "c": ("select", {"keep": ["n"]}),
            },
            "big>s",
            "big>few",
            "s>j.left",
            "few>j.right",
            "j>c",
        )
        assert run(of, "c") == [(n,) for n, _, _ in SORTED]

    def test_first_and_last_follow_the_sort(self) -> None:
        measures = [
            {"function": "first", "column": "n"},
            {"function": "last", "column": "n"},
            {"name": "ns", "expression": "list(n)[1:2]"},
        ]
        of = flow({"big": source(), "s": ("sort", BY_K), "a": ("aggregate", {"measures": measures})}, "big>s", "s>a")
        assert run(of, "a") == [(SORTED[0][0], SORTED[-1][0], [SORTED[0][0], SORTED[1][0]])]

    def test_first_and_last_follow_the_rows_as_they_lie(self) -> None:
        measures = [{"function": "first", "column": "n"}, {"function": "last", "column": "n"}]
        of = flow({"big": source(), "a": ("aggregate", {"group_by": ["name"], "measures": measures})}, "big>a")
        assert run(of, "a")[0] == ("name 0", 0, max(n for n, _, name in ROWS if name == "name 0"))

    def test_windows_without_an_order_follow_the_sort(self) -> None:
        formula = {
            "columns": [
                {"name": "before", "expression": "lag(n) over ()"},
                {"name": "top", "expression": "first_value(n) over ()"},
            ]
        }
        of = flow(
            {
                "big": source(),
                "s": ("sort", BY_K),
                "f": ("formula", formula),
                "c": ("select", {"keep": ["n", "before", "top"]}),
            },
            "big>s",
            "s>f",
            "f>c",
        )
        expected = [
            (n, SORTED[place - 1][0] if place else None, SORTED[0][0]) for place, (n, _, _) in enumerate(SORTED)
        ]
        assert run(of, "c") == expected

    def test_distinct_keeps_the_first_in_order(self) -> None:
        of = flow({"big": source(), "s": ("sort", BY_K), "d": ("distinct", {"columns": ["name"]})}, "big>s", "s>d")
        seen: dict[str, tuple[int, int, str]] = {}
        for row in SORTED:
            seen.setdefault(row[2], row)
        assert run(of, "d") == list(seen.values())

    def test_rows_lie_as_they_came_where_nobody_sorts(self) -> None:
        of = flow(
            {
                "big": source(),
                "f": ("formula", {"columns": [{"name": "share", "expression": "n / sum(n) over (partition by name)"}]}),
                "m": ("fill_missing", {"method": "previous"}),
                "d": ("distinct", {}),
                "c": ("select", {"keep": ["n"]}),
            },
            "big>f",
            "f>m",
            "m>d",
            "d>c",
        )
        assert run(of, "c") == [(n,) for n, _, _ in ROWS]

    def test_groups_come_in_their_order(self) -> None:
        of = flow(
            {
                "big": source(),
                "a": ("aggregate", {"group_by": ["k"], "measures": [{"function": "count"}]}),
                "l": ("limit", {"count": 3}),
            },
            "big>a",
            "a>l",
        )
        assert run(of, "l") == [(0, 100), (1, 100), (2, 100)]


POOL: list[tuple[str, dict[str, Any]]] = [
    ("sort", {"by": [{"column": "k", "descending": True}]}),
    ("sort", {"by": [{"column": "name"}]}),
    ("sort", {"by": [{"column": "k"}, {"column": "n", "descending": True, "nulls": "first"}]}),
    ("filter", {"condition": "k % 3 <> 1"}),
    ("filter", {"condition": "n <> lag(n) OVER ()"}),
    ("limit", {"count": 30, "offset": 2}),
    ("limit", {"count": 7}),
    ("select", {"keep": ["name", "k", "n"]}),
    ("select", {"cast": {"k": "text"}, "rename": {"k": "was_k"}}),
    ("select", {"rename": {"n": "k", "k": "n"}}),
    ("formula", {"columns": [{"name": "k", "expression": "n % 4"}]}),
    ("formula", {"columns": [{"name": "k", "expression": "coalesce(lag(n) OVER (PARTITION BY name), k)"}]}),
    ("formula", {"columns": [{"name": "n", "expression": "row_number() OVER ()"}]}),
    ("distinct", {"columns": ["k"]}),
    ("distinct", {"columns": ["name"], "keep_first_by": [{"column": "k"}]}),
    ("distinct", {}),
    ("fill_missing", {"method": "previous"}),
    ("fill_missing", {"method": "next", "columns": ["n"], "order_by": [{"column": "k"}]}),
    (
        "aggregate",
        {
            "group_by": ["name"],
            "measures": [{"name": "n", "function": "first", "column": "n"}, {"name": "k", "function": "count"}],
        },
    ),
    ("aggregate", {"group_by": ["k", "name"], "measures": [{"name": "n", "expression": "list(n)[1]"}]}),
    (
        "aggregate",
        {
            "measures": [
                {"name": "k", "function": "std", "column": "k"},
                {"name": "n", "function": "last", "column": "n"},
            ]
        },
    ),
    ("union", {}),
    ("union", {"distinct": True}),
]


class TestWholeAndInPieces:
    @settings(max_examples=max(10, settings.default.max_examples // 5))
    @given(st.lists(st.sampled_from(POOL), min_size=1, max_size=6), st.integers(0, 5))
    def test_a_chain_gives_what_its_nodes_give_one_after_the_other(self, picked: list[Any], twice: int) -> None:
        """Each node kept as a table in turn is the plain meaning of a flow; the chain must come to the same, rows in order."""
        names = ["big", *(f"n{place}" for place in range(len(picked)))]
        edges = [f"{a}>{b}" for a, b in itertools.pairwise(names)]
        edges += [
            f"{names[min(twice, place)]}>n{place}"
            for place, (kind, _) in enumerate(picked)
            if kind == "union" and twice < place
        ]
        of = flow({"big": source(), **dict(zip(names[1:], picked, strict=True))}, *edges)
        inference = infer(of, catalog(), context())
        made = duckdb.connect(":memory:", config={"threads": 4})
        made.execute(
            "CREATE TABLE big AS SELECT CASE WHEN n % 7 <> 3 THEN n END::BIGINT AS n, (n * 7919) % 11 AS k, 'name ' || (n % 5) AS name FROM range(200) t(n)"
        )
        given_tables = {"big": Relation("big", table(n="BIGINT", k="BIGINT", name="VARCHAR"))}
        for name in names[1:]:
            kept = inference.table(name)
            if kept is None:
                break
            one = flow_query(of, name, catalog=catalog(), inference=inference, context=context(), given=given_tables)
            whole = flow_query(
                of, name, catalog=catalog(), inference=inference, context=context(), given={"big": given_tables["big"]}
            )
            made.execute(f'CREATE TABLE "{name}" AS {one.sql(dialect="duckdb")}')
            assert (
                made.execute(whole.sql(dialect="duckdb")).fetchall()
                == made.execute(f'SELECT * FROM "{name}"').fetchall()
            )
            given_tables[name] = Relation(name, kept)


class TestChain:
    def test_each_node_is_a_cte_of_its_name(self) -> None:
        of = flow(
            {"orders": source(), "paid": ("filter", {"condition": "k > 3"}), "top": ("limit", {"count": 1})},
            "orders>paid",
            "paid>top",
        )
        made = query(of, "top")
        assert [cte.alias for cte in made.find_all(exp.CTE)] == ["orders", "paid", "top"]
        assert made.named_selects == ["n", "k", "name"]

    def test_only_what_the_node_needs_is_in_it(self) -> None:
        of = flow({"a": source(), "b": source(), "f": ("filter", {"condition": "k > 3"})}, "a>f")
        assert [cte.alias for cte in query(of, "f").find_all(exp.CTE)] == ["a", "f"]

    def test_ids_that_only_case_tells_apart_are_two_names(self) -> None:
        of = flow(
            {"a": source(rows=1), "A": ("filter", {"condition": "k > 3"}), "b": ("union", {})},
            "a>A",
            "a>b.in",
            "A>b.in",
        )
        assert len(run(of, "b")) == 1

    def test_the_sql_is_for_people(self) -> None:
        of = flow({"big": source(), "s": ("sort", BY_K), "l": ("limit", {"count": 5})}, "big>s", "s>l")
        text = node_sql(of, "l", catalog=catalog(), inference=infer(of, catalog(), context()), context=context())
        assert 'ORDER BY\n    "k" DESC' in text
        assert text.count("\n") > 5

    @pytest.mark.parametrize(
        ("path", "name"),
        [("orders.csv", "orders.csv"), ("sub/*.csv", "sub/a.csv"), ("o.jsonl", "o.jsonl"), ("o.parquet", "o.parquet")],
    )
    def test_files_go_by_the_names_that_the_flow_gives_them(self, tmp_path: Path, path: str, name: str) -> None:
        (tmp_path / "sub").mkdir()
        for each in ("orders.csv", "sub/a.csv", "sub/b [1].csv"):
            (tmp_path / each).write_text("k,day\n1,/2\n")
        (tmp_path / "o.jsonl").write_text('{"k": 1}\n')
        duckdb.sql("SELECT 1 AS k").write_parquet(str(tmp_path / "o.parquet"))
        of, here = flow({"a": ("read_file", {"path": path})}), context(tmp_path)
        text = node_sql(of, "a", catalog=catalog(), inference=infer(of, catalog(), here), context=here)
        assert f"'{name}'" in text
        assert str(tmp_path) not in text
        with duckdb.connect(config={"file_search_path": str(tmp_path)}) as connection:
            assert connection.sql(text).fetchall()[0][0] == 1

    def test_hidden_columns_stay_hidden(self) -> None:
        of = flow({"big": source(), "s": ("sort", BY_K), "c": ("select", {"drop": ["k"]})}, "big>s", "s>c")
        assert query(of, "c").named_selects == ["n", "name"]

    def test_a_node_without_a_table_says_why(self) -> None:
        of = flow(
            {"a": source(), "f": ("filter", {"condition": "nope > 3"}), "g": ("limit", {"count": 1})}, "a>f", "f>g"
        )
        with pytest.raises(Invalid, match="no column 'nope'"):
            query(of, "g")
        with pytest.raises(NotFound):
            query(of, "zzz")

    def test_a_chain_of_the_deepest_kind_runs_fast(self) -> None:
        names = [f"f{n}" for n in range(DEEPEST)]
        nodes = {
            "big": source(),
            **{name: ("filter", {"condition": f"n <> {place}"}) for place, name in enumerate(names)},
        }
        of = flow(nodes, *[f"{a}>{b}" for a, b in zip(["big", *names], names, strict=False)])
        started = time.perf_counter()
        assert len(run(of, names[-1])) == 100_000 - DEEPEST
        assert time.perf_counter() - started < 3

    def test_hundreds_of_nodes_run_in_pieces(self) -> None:
        names = [f"f{n}" for n in range(300)]
        nodes = {
            "a": source(rows=3),
            **{name: ("filter", {"condition": f"n <> {place + 10}"}) for place, name in enumerate(names)},
        }
        of = flow(nodes, *[f"{a}>{b}" for a, b in zip(["a", *names], names, strict=False)])
        inference = infer(of, catalog(), context())
        made = duckdb.connect(":memory:")
        there: dict[str, Relation] = {}
        for place in range(DEEPEST - 1, 300 + DEEPEST, DEEPEST):
            node_id = names[min(place, 299)]
            kept = inference.table(node_id)
            assert kept is not None
            piece = flow_query(of, node_id, catalog=catalog(), inference=inference, context=context(), given=there)
            made.execute(f'CREATE TABLE "{node_id}" AS {piece.sql(dialect="duckdb")}')
            there = {node_id: Relation(node_id, kept)}
        assert made.execute(f'SELECT count(*) FROM "{names[-1]}"').fetchone() == (3,)
