"""Runs of whole flows: what comes out, what is told, in which order."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pytest

from headrace.engine.events import NodeFinished, NodeStarted, RunFinished, RunStarted
from tests.lab import chain

SALES = [(1, "north", 10), (2, "south", 20), (3, "north", 30), (4, "east", None)]


class TestSmallTables:
    def test_every_node_has_rows_columns_and_a_preview(self, lab):
        lab.table("sales.csv", ["id", "region", "amount"], SALES)
        flow = lab.flow(
            {
                "read": ("read_file", {"path": "sales.csv"}),
                "keep": ("filter", {"condition": "amount IS NOT NULL"}),
                "sum": (
                    "aggregate",
                    {"group_by": ["region"], "measures": [{"name": "total", "expression": "sum(amount)"}]},
                ),
            },
            *chain("read", "keep", "sum"),
        )
        outcome = lab.run(flow)
        assert outcome.status == "succeeded"
        assert outcome.rows() == {"read": 4, "keep": 3, "sum": 2}
        assert outcome.finished("read").columns == 3
        assert outcome.finished("read").bytes == (lab.folder / "sales.csv").stat().st_size
        assert outcome.preview("sum") == [("north", 40), ("south", 20)]
        assert outcome.results["sum"].table.names() == ("region", "total")
        assert outcome.preview("read")[3] == (4, "east", None)

    def test_events_come_in_the_order_of_the_work(self, lab):
        lab.table("sales.csv", ["id", "region", "amount"], SALES)
        flow = lab.flow(
            {"read": ("read_file", {"path": "sales.csv"}), "top": ("limit", {"count": 1})}, *chain("read", "top")
        )
        events = lab.run(flow).events
        assert [type(event) for event in events] == [
            RunStarted, NodeStarted, NodeFinished, NodeStarted, NodeFinished, RunFinished,
        ]  # fmt: skip
        assert events[0] == RunStarted(run_id="run_1", nodes=("read", "top"))
        assert [event.node_id for event in events[1:-1]] == ["read", "read", "top", "top"]

    def test_a_run_up_to_a_node_does_only_what_that_needs(self, lab):
        lab.table("sales.csv", ["id", "region", "amount"], SALES)
        flow = lab.flow(
            {
                "read": ("read_file", {"path": "sales.csv"}),
                "top": ("limit", {"count": 1}),
                "save": ("write_file", {"path": "out.csv"}),
            },
            *chain("read", "top", "save"),
        )
        assert lab.run(flow, to="top").rows() == {"read": 4, "top": 1}
        assert not (lab.folder / "out.csv").exists()

    def test_a_file_is_written_with_the_rows_in_the_order_of_the_sort(self, lab):
        lab.table("sales.csv", ["id", "region", "amount"], SALES)
        flow = lab.flow(
            {
                "read": ("read_file", {"path": "sales.csv"}),
                "sort": ("sort", {"by": [{"column": "amount", "descending": True}]}),
                "names": ("select", {"keep": ["id"]}),
                "save": ("write_file", {"path": "out.csv"}),
            },
            *chain("read", "sort", "names", "save"),
        )
        outcome = lab.run(flow)
        assert outcome.status == "succeeded"
        assert (lab.folder / "out.csv").read_text() == "id\n3\n2\n1\n4\n"
        assert outcome.results["save"].outputs["file"]["rows"] == 4
        assert outcome.finished("save").summary == "wrote out.csv, 4 rows"
        assert outcome.finished("save").bytes == len("id\n3\n2\n1\n4\n")
        assert sorted(path.name for path in lab.folder.iterdir()) == ["out.csv", "sales.csv"]

    def test_two_inputs_arrive_at_their_ports(self, lab):
        lab.table("sales.csv", ["id", "region", "amount"], SALES)
        lab.table("regions.csv", ["region", "boss"], [("north", "Ann"), ("south", "Bob")])
        flow = lab.flow(
            {
                "sales": ("read_file", {"path": "sales.csv"}),
                "regions": ("read_file", {"path": "regions.csv"}),
                "both": ("join", {"how": "left", "on": [{"left": "region", "right": "region"}]}),
            },
            "sales > both.left",
            "regions > both.right",
        )
        outcome = lab.run(flow)
        assert sorted(outcome.preview("both")) == [
            (1, "north", 10, "Ann"), (2, "south", 20, "Bob"), (3, "north", 30, "Ann"), (4, "east", None, None),
        ]  # fmt: skip

    def test_a_table_may_feed_both_inputs_of_a_join(self, lab):
        lab.table("sales.csv", ["id", "region", "amount"], SALES)
        flow = lab.flow(
            {
                "sales": ("read_file", {"path": "sales.csv"}),
                "both": ("join", {"how": "inner", "on": [{"left": "id", "right": "id"}]}),
            },
            "sales > both.left",
            "sales > both.right",
        )
        assert lab.run(flow).rows() == {"sales": 4, "both": 4}

    def test_node_ids_that_differ_by_case_alone_are_two_tables(self, lab):
        table = {"columns": [{"name": "a", "type": "BIGINT"}], "rows": [[1]]}
        flow = lab.flow(
            {
                "t": ("manual_table", table),
                "T": ("manual_table", {**table, "rows": [[2], [3]]}),
                "both": ("union", {"match": "name"}),
            },
            "t > both",
            "T > both",
        )
        outcome = lab.run(flow)
        assert outcome.rows() == {"t": 1, "T": 2, "both": 3}

    def test_an_empty_flow_succeeds(self, lab):
        assert lab.run(lab.flow({})).status == "succeeded"

    def test_a_long_chain_of_small_tables_runs(self, lab):
        nodes = {"n000": ("manual_table", {"columns": [{"name": "a", "type": "BIGINT"}], "rows": [[1], [2]]})}
        nodes |= {f"n{i:03}": ("formula", {"columns": [{"name": "a", "expression": "a + 1"}]}) for i in range(1, 200)}
        outcome = lab.run(lab.flow(nodes, *chain(*nodes)))
        assert outcome.preview("n199") == [(200,), (201,)]


class TestBigTables:
    def read(self, lab, big: Path) -> tuple[str, dict]:
        if not (lab.folder / "big.csv").exists():
            (lab.folder / "big.csv").hardlink_to(big)
        return ("read_file", {"path": "big.csv"})

    def test_what_flows_has_the_very_row_counts(self, lab, big):
        flow = lab.flow(
            {
                "read": self.read(lab, big),
                "keep": ("filter", {"condition": "amount >= 100"}),
                "more": ("formula", {"columns": [{"name": "twice", "expression": "amount * 2"}]}),
                "sum": ("aggregate", {"group_by": ["region"], "measures": [{"name": "n", "function": "count"}]}),
                "save": ("write_file", {"path": "out.parquet"}),
            },
            *chain("read", "keep", "more", "sum", "save"),
        )
        outcome = lab.run(flow)
        kept = duckdb.sql(f"SELECT count(*) FROM '{big}' WHERE amount >= 100").fetchall()[0][0]
        assert outcome.rows() == {"read": 120_000, "keep": kept, "more": kept, "sum": 4, "save": 4}
        assert outcome.preview("keep")[0][2] >= 100
        assert len(outcome.preview("more")) == 100
        assert duckdb.sql(f"SELECT sum(n) FROM '{lab.folder}/out.parquet'").fetchall() == [(kept,)]

    @pytest.mark.parametrize("condition", ["id = 119999", "false", "true", "id < 150", "id >= 100000"])
    def test_however_much_a_filter_keeps_its_rows_and_its_preview_are_right(self, lab, big, condition):
        flow = lab.flow(
            {
                "read": self.read(lab, big),
                "keep": ("filter", {"condition": condition}),
                "sum": ("aggregate", {"measures": [{"name": "n", "function": "count"}]}),
            },
            *chain("read", "keep", "sum"),
        )
        outcome = lab.run(flow)
        expected = duckdb.sql(f"SELECT id FROM '{big}' WHERE {condition} ORDER BY id").fetchall()
        assert outcome.rows() == {"read": 120_000, "keep": len(expected), "sum": 1}
        assert [row[0] for row in outcome.preview("keep")] == [row[0] for row in expected[:100]]
        assert outcome.preview("sum") == [(len(expected),)]

    def test_two_filters_in_a_row_are_counted_apart(self, lab, big):
        flow = lab.flow(
            {
                "read": self.read(lab, big),
                "one": ("filter", {"condition": "amount >= 100"}),
                "two": ("filter", {"condition": "region = 'north'"}),
                "sum": ("aggregate", {"measures": [{"name": "n", "function": "count"}]}),
            },
            *chain("read", "one", "two", "sum"),
        )
        rows = lab.run(flow).rows()
        expected = duckdb.sql(
            f"SELECT count(*), count(*) FILTER (region = 'north') FROM '{big}' WHERE amount >= 100"
        ).fetchall()[0]
        assert (rows["one"], rows["two"]) == expected

    def test_what_nobody_takes_is_counted_too(self, lab, big):
        flow = lab.flow(
            {"read": self.read(lab, big), "keep": ("filter", {"condition": "amount >= 100"})}, *chain("read", "keep")
        )
        outcome = lab.run(flow)
        assert outcome.rows()["read"] == 120_000
        assert (
            outcome.rows()["keep"] == duckdb.sql(f"SELECT count(*) FROM '{big}' WHERE amount >= 100").fetchall()[0][0]
        )

    def test_a_table_used_twice_is_read_once_and_counted_once(self, lab, big):
        flow = lab.flow(
            {
                "read": self.read(lab, big),
                "a": ("aggregate", {"measures": [{"name": "n", "function": "count"}]}),
                "b": ("filter", {"condition": "amount < 10"}),
            },
            "read > a",
            "read > b",
        )
        outcome = lab.run(flow)
        assert [event.node_id for event in outcome.events if isinstance(event, NodeFinished)].count("read") == 1
        assert outcome.preview("a") == [(120_000,)]

    def test_a_sort_before_a_limit_gives_the_top_and_counts_all(self, lab, big):
        flow = lab.flow(
            {
                "read": self.read(lab, big),
                "sort": ("sort", {"by": [{"column": "amount", "descending": True}, {"column": "id"}]}),
                "top": ("limit", {"count": 3, "offset": 1}),
            },
            *chain("read", "sort", "top"),
        )
        outcome = lab.run(flow)
        best = duckdb.sql(f"SELECT id FROM '{big}' ORDER BY amount DESC, id LIMIT 100").fetchall()
        assert outcome.rows() == {"read": 120_000, "sort": 120_000, "top": 3}
        assert [row[0] for row in outcome.preview("sort")] == [row[0] for row in best]
        assert [row[0] for row in outcome.preview("top")] == [row[0] for row in best[1:4]]

    def test_a_sort_holds_through_what_follows_and_into_the_file(self, lab, big):
        flow = lab.flow(
            {
                "read": self.read(lab, big),
                "sort": ("sort", {"by": [{"column": "id", "descending": True}]}),
                "keep": ("filter", {"condition": "amount >= 1"}),
                "more": ("formula", {"columns": [{"name": "twice", "expression": "amount * 2"}]}),
                "names": ("select", {"keep": ["twice", "note"]}),
                "save": ("write_file", {"path": "out.csv"}),
            },
            *chain("read", "sort", "keep", "more", "names", "save"),
        )
        outcome = lab.run(flow)
        assert outcome.status == "succeeded"
        wanted = duckdb.sql(f"SELECT note FROM '{big}' WHERE amount >= 1 ORDER BY id DESC").fetchall()
        written = duckdb.sql(f"SELECT note FROM read_csv('{lab.folder}/out.csv')").fetchall()
        assert written == wanted
        assert outcome.rows()["save"] == len(wanted)
        assert (lab.folder / "out.csv").read_text().splitlines()[0] == "twice,note"

    def test_rows_of_a_limit_keep_the_order_of_the_file(self, lab, big):
        flow = lab.flow({"read": self.read(lab, big), "top": ("limit", {"count": 5})}, *chain("read", "top"))
        outcome = lab.run(flow)
        assert [row[0] for row in outcome.preview("top")] == [0, 1, 2, 3, 4]
        assert outcome.rows() == {"read": 120_000, "top": 5}

    def test_big_tables_join(self, lab, big):
        shutil.copy(big, lab.folder / "other.csv")
        flow = lab.flow(
            {
                "read": self.read(lab, big),
                "other": ("read_file", {"path": "other.csv"}),
                "keep": ("filter", {"condition": "id < 80000"}),
                "both": ("join", {"how": "inner", "on": [{"left": "id", "right": "id"}]}),
                "sum": ("aggregate", {"measures": [{"name": "n", "function": "count"}]}),
            },
            "read > both.left", "other > keep", "keep > both.right", "both > sum",
        )  # fmt: skip
        rows = lab.run(flow).rows()
        assert rows == {"read": 120_000, "other": 120_000, "keep": 80_000, "both": 80_000, "sum": 1}

    def test_a_chart_of_something_big_is_drawn(self, lab, big):
        flow = lab.flow(
            {
                "read": self.read(lab, big),
                "draw": ("chart", {"kind": "histogram", "x": "amount"}),
            },
            *chain("read", "draw"),
        )
        outcome = lab.run(flow)
        assert outcome.status == "succeeded"
        assert outcome.rows()["read"] == 120_000
        assert outcome.results["draw"].outputs["chart"]["type"] == "histogram"


class TestExports:
    @pytest.mark.parametrize("name", ["out.csv", "out.parquet", "out.jsonl"])
    def test_a_table_is_written_whole_to_the_named_file(self, lab, tmp_path, name):
        lab.table("sales.csv", ["id", "region", "amount"], SALES)
        flow = lab.flow(
            {
                "read": ("read_file", {"path": "sales.csv"}),
                "sort": ("sort", {"by": [{"column": "id", "descending": True}]}),
            },
            *chain("read", "sort"),
        )
        target = tmp_path / name
        assert lab.run(flow, exports={"sort": target}).status == "succeeded"
        assert [row[0] for row in duckdb.sql(f"SELECT * FROM '{target}'").fetchall()] == [4, 3, 2, 1]
        assert duckdb.sql(f"SELECT * FROM '{target}'").columns == ["id", "region", "amount"]

    def test_what_flows_is_written_in_the_same_pass(self, lab, big, tmp_path):
        (lab.folder / "big.csv").hardlink_to(big)
        flow = lab.flow(
            {"read": ("read_file", {"path": "big.csv"}), "keep": ("filter", {"condition": "amount >= 100"})},
            *chain("read", "keep"),
        )
        target = tmp_path / "out.parquet"
        outcome = lab.run(flow, exports={"keep": target})
        assert outcome.rows()["keep"] == duckdb.sql(f"SELECT count(*) FROM '{target}'").fetchall()[0][0]
        assert outcome.rows()["read"] == 120_000

    def test_a_name_that_says_no_format_is_a_clear_failure(self, lab, tmp_path):
        flow = lab.flow({"t": ("manual_table", {"columns": [{"name": "a", "type": "BIGINT"}], "rows": [[1]]})})
        outcome = lab.run(flow, exports={"t": tmp_path / "out.doc"})
        assert outcome.status == "failed"
        assert "does not say what to write" in outcome.failed("t").diagnostic.message


class TestDryRun:
    def test_nothing_is_written_and_what_would_be_is_said(self, lab, big):
        (lab.folder / "big.csv").hardlink_to(big)
        flow = lab.flow(
            {
                "read": ("read_file", {"path": "big.csv"}),
                "keep": ("filter", {"condition": "amount >= 100"}),
                "save": ("write_file", {"path": "out.parquet"}),
            },
            *chain("read", "keep", "save"),
        )
        outcome = lab.run(flow, dry_run=True)
        assert outcome.status == "succeeded"
        kept = duckdb.sql(f"SELECT count(*) FROM '{big}' WHERE amount >= 100").fetchall()[0][0]
        assert outcome.finished("save").summary == f"would write out.parquet, {kept:,} rows"
        assert outcome.rows() == {"read": 120_000, "keep": kept, "save": kept}
        assert [path.name for path in lab.folder.iterdir()] == ["big.csv"]
