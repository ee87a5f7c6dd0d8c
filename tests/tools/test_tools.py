"""The tools, each through its own schema, on a real workspace with real files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from headrace.base.actor import LOCAL
from headrace.base.errors import HeadraceError
from headrace.tools.catalog import standard_tools
from headrace.tools.spec import RESULT_LIMIT
from tests.tools.bench_of_tools import Bench, put_away


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """Lend a fresh workspace with one empty flow."""
    lent = Bench(tmp_path)
    yield lent
    put_away()


class TestCatalogue:
    def test_every_tool_has_a_name_of_its_own_and_says_what_it_does(self) -> None:
        tools = standard_tools()
        assert len({tool.name for tool in tools}) == len(tools)
        assert all(tool.summary.endswith(".") for tool in tools)

    def test_every_schema_refuses_what_it_does_not_know(self) -> None:
        for tool in standard_tools():
            assert tool.schema()["additionalProperties"] is False, tool.name

    def test_the_whole_catalogue_costs_less_than_ten_thousand_characters(self) -> None:
        text = json.dumps([[tool.name, tool.summary, tool.schema()] for tool in standard_tools()])
        assert len(text) < 10_000


class TestReading:
    def test_a_file_is_described_with_its_types(self, bench: Bench) -> None:
        result = bench.call("describe_file", path="orders.csv")
        assert {"name": "amount", "type": "DOUBLE"} in result.data["columns"]
        assert "paid_on DATE" in result.text

    def test_a_value_is_found_with_its_column(self, bench: Bench) -> None:
        found = bench.call("find_values", words=["north", "nowhere"]).data["values"]
        assert [(each["column"], each["value"], each["count"]) for each in found] == [("region", "North", 2)]

    def test_a_missing_file_names_those_that_are_near(self, bench: Bench) -> None:
        with pytest.raises(HeadraceError) as caught:
            bench.call("describe_file", path="order.csv")
        assert "orders.csv" in str(caught.value)

    def test_a_draft_is_what_reading_shows(self, bench: Bench) -> None:
        bench.build()
        assert "by_region" in bench.call("read_outline").text
        assert bench.workspace.flow(LOCAL, bench.flow_id).document["nodes"] == {}

    def test_columns_are_known_without_a_run(self, bench: Bench) -> None:
        bench.build()
        assert bench.call("read_columns", node_id="by_region").text == "out: region VARCHAR, total DOUBLE"

    def test_a_preview_gives_rows_and_their_number(self, bench: Bench) -> None:
        bench.build()
        result = bench.call("preview_table", node_id="by_region", limit=2)
        assert result.data["total"] == 2
        assert sorted(result.data["rows"]) == [["North", 160.75], ["South", 390.0]]

    def test_a_profile_counts_what_is_missing(self, bench: Bench) -> None:
        bench.build()
        profile = bench.call("profile_columns", node_id="read_orders", columns=["amount"]).data["columns"]
        assert [(column["name"], column["nulls"]) for column in profile] == [("amount", 1)]

    def test_a_node_type_is_found_by_what_it_does(self, bench: Bench) -> None:
        names = [each["name"] for each in bench.call("search_node_types", words="group and total").data["node_types"]]
        assert "aggregate" in names

    def test_a_node_type_is_described_with_every_field(self, bench: Bench) -> None:
        text = bench.call("describe_node_type", name="aggregate").text
        assert "group_by" in text
        assert "measures" in text


class TestEditing:
    def test_a_new_flow_is_staged_and_not_applied(self, bench: Bench) -> None:
        result = bench.build()
        assert "No problems" in result.text
        assert "by_region.out: region VARCHAR, total DOUBLE" in result.text
        assert bench.workspace.flow(LOCAL, bench.flow_id).number == 0

    def test_later_edits_join_the_same_draft(self, bench: Bench) -> None:
        first = bench.build().data["changeset_id"]
        edit = {"op": "set_config", "node_id": "paid", "values": {"condition": "amount > 100"}}
        second = bench.call("edit_flow", operations=[edit], summary="Only large ones")
        assert second.data["changeset_id"] == first
        assert bench.call("preview_table", node_id="by_region").data["total"] == 2

    def test_an_unknown_column_comes_back_with_a_fix_that_works(self, bench: Bench) -> None:
        bench.build()
        edit = {"op": "set_config", "node_id": "paid", "values": {"condition": "amuont > 100"}}
        result = bench.call("edit_flow", operations=[edit])
        fault = next(each for each in result.data["diagnostics"] if each["severity"] == "error")
        assert fault["code"] == "F401"
        assert "amount" in fault["message"]
        fix = fault["fixes"][0]["operations"]
        assert "No problems" in bench.call("edit_flow", operations=fix).text

    def test_a_batch_is_all_or_nothing(self, bench: Bench) -> None:
        bench.build()
        good = {"op": "set_title", "node_id": "paid", "title": "Paid"}
        bad = {"op": "remove_node", "node_id": "piad"}
        with pytest.raises(HeadraceError) as caught:
            bench.call("edit_flow", operations=[good, bad])
        assert "paid" in str(caught.value)
        assert "“Paid”" not in bench.call("read_outline").text

    def test_setting_a_flow_takes_the_place_of_the_old_one(self, bench: Bench) -> None:
        bench.build()
        bench.land()
        read = {"id": "only", "type": "read_file", "config": {"path": "orders.csv"}}
        bench.call("set_flow", nodes=[read])
        assert "by_region" not in bench.call("read_outline").text


class TestRunning:
    def test_a_staged_flow_runs_without_effects(self, bench: Bench) -> None:
        bench.build()
        write = {"id": "save", "type": "write_file", "config": {"path": "out.csv"}}
        operations = [{"op": "add_node", "node": write}, {"op": "connect", "source": "by_region", "target": "save"}]
        bench.call("edit_flow", operations=operations)
        result = bench.call("run_flow")
        assert "succeeded" in result.text
        assert not (bench.folder / "out.csv").exists()

    def test_a_question_is_answered_by_a_run_that_leaves_nothing(self, bench: Bench) -> None:
        nodes = [
            {"id": "read", "type": "read_file", "config": {"path": "orders.csv"}},
            {
                "id": "count",
                "type": "aggregate",
                "config": {"group_by": [], "measures": [{"name": "n", "function": "count"}]},
            },
        ]
        result = bench.call("scratch_run", nodes=nodes, edges=["read>count"])
        assert result.data["rows"] == [[5]]
        assert bench.workspace.changesets(LOCAL, bench.flow_id) == []
        assert bench.workspace.runs(LOCAL, bench.flow_id) == []

    def test_runs_can_be_listed_and_read(self, bench: Bench) -> None:
        bench.build()
        bench.land()
        run_id = bench.call("run_flow").data["run_id"]
        assert run_id in bench.call("list_runs").text
        assert bench.call("read_run", run_id=run_id).data["total"] == 2

    def test_no_result_is_longer_than_the_limit(self, bench: Bench) -> None:
        rows = "\n".join(f"{n}," + "x" * 300 for n in range(200))
        (bench.folder / "long.csv").write_text(f"n,text\n{rows}\n", encoding="utf-8")
        read = {"id": "read", "type": "read_file", "config": {"path": "long.csv"}}
        bench.call("set_flow", nodes=[read])
        assert len(bench.call("preview_table", node_id="read", limit=50).text) <= RESULT_LIMIT
