"""What an edit is answered with: enough to go on without another call, and nothing twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from headrace.base.actor import LOCAL
from headrace.base.errors import Invalid, WrongState
from headrace.tools.spec import RESULT_LIMIT
from tests.tools.bench_of_tools import Bench, put_away

READ = {"id": "read", "type": "read_file", "config": {"path": "orders.csv"}}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """Lend a fresh workspace with one empty flow."""
    lent = Bench(tmp_path)
    yield lent
    put_away()


class TestAnEditThatWorks:
    def test_it_answers_with_the_rows_that_come_out(self, bench: Bench) -> None:
        text = bench.build().text
        assert "read_orders 5, paid 4, by_region 2" in text
        assert "North | 160.75" in text

    def test_columns_that_pass_through_are_not_spelled_out(self, bench: Bench) -> None:
        assert "paid.out: as read_orders\n" in bench.build().text

    def test_columns_told_before_are_not_told_again(self, bench: Bench) -> None:
        bench.build()
        edit = {"op": "set_config", "node_id": "paid", "values": {"condition": "amount > 100"}}
        assert "read_orders.out" not in bench.call("edit_flow", operations=[edit]).text

    def test_what_would_be_written_is_said_and_not_written(self, bench: Bench) -> None:
        save = {"id": "save", "type": "write_file", "config": {"path": "out.csv"}}
        text = bench.call("set_flow", nodes=[READ, save]).text
        assert "would write out.csv, 5 rows" in text
        assert not (bench.folder / "out.csv").exists()

    def test_of_several_tables_the_one_that_was_changed_last_is_shown(self, bench: Bench) -> None:
        few = [{"id": each, "type": "limit", "config": {"count": 1}} for each in ("a", "z")]
        bench.call("set_flow", nodes=[READ, *few], edges=["read>a", "read>z"])
        edit = {"op": "set_config", "node_id": "a", "values": {"count": 2}}
        assert "a, the first rows" in bench.call("edit_flow", operations=[edit]).text


class TestAnEditThatDoesNot:
    def test_a_config_that_cannot_be_read_comes_back_with_its_form(self, bench: Bench) -> None:
        result = bench.call("set_flow", nodes=[READ, {"id": "s", "type": "sort", "config": {"by": ["amount desc"]}}])
        assert result.unfinished
        assert "config of sort {by: [{column: column, descending?: bool, nulls?: last|first}]}" in result.text

    def test_a_fix_can_be_sent_as_it_is_written(self, bench: Bench) -> None:
        import json

        text = bench.call(
            "set_flow", nodes=[READ, {"id": "f", "type": "filter", "config": {"condition": "amuont > 1"}}]
        ).text
        operations = json.loads(text.split("”: ", 1)[1].split("\n")[0])
        assert not bench.call("edit_flow", operations=operations).unfinished

    def test_errors_come_in_the_order_of_the_flow_and_what_follows_from_them_is_counted(self, bench: Bench) -> None:
        nodes = [
            READ,
            {"id": "z_first", "type": "filter", "config": {"condition": "nothing > 1"}},
            {"id": "a_last", "type": "sort", "config": {"by": "amount"}},
        ]
        text = bench.call("set_flow", nodes=nodes).text
        assert text.index("at z_first") < text.index("at a_last")
        assert "warning F" not in text

    def test_what_only_a_run_can_find_is_found_before_the_person_runs_it(self, bench: Bench) -> None:
        cast = {
            "id": "c",
            "type": "formula",
            "config": {"columns": [{"name": "n", "expression": "CAST(region AS INTEGER)"}]},
        }
        result = bench.call("set_flow", nodes=[READ, cast])
        assert result.unfinished
        assert "Trial run (nothing is written): failed" in result.text
        assert "F601" in result.text

    def test_a_batch_that_cannot_be_read_comes_back_with_the_forms(self, bench: Bench) -> None:
        bench.build()
        with pytest.raises(Invalid) as caught:
            bench.call("edit_flow", operations=[{"op": "insert_between", "node": READ}])
        assert '"op":"insert_between"' in caught.value.hint

    def test_a_fault_of_a_whole_flow_names_the_node_or_edge_as_it_was_written(self, bench: Bench) -> None:
        with pytest.raises(Invalid) as caught:
            bench.call(
                "set_flow", nodes=[READ, {"id": "2nd", "type": "limit", "config": {"count": 1}}], edges=["read>2nd"]
            )
        assert any(fault.startswith("nodes[1]") for fault in caught.value.faults)
        assert any(fault.startswith("edges[0]") for fault in caught.value.faults)


class TestSettingAFlow:
    def test_nodes_without_edges_follow_one_another(self, bench: Bench) -> None:
        bench.call("set_flow", nodes=[READ, {"id": "few", "type": "limit", "config": {"count": 2}}])
        assert bench.call("preview_table", node_id="few").data["total"] == 2

    def test_what_stays_the_same_keeps_its_place_and_only_the_rest_changes(self, bench: Bench) -> None:
        bench.build()
        bench.land()
        move = {"op": "move_nodes", "positions": {"paid": {"x": 7, "y": 9}}}
        bench.workspace.edit(LOCAL, bench.flow_id, [move])
        nodes = [
            {"id": "read_orders", "type": "read_file", "config": {"path": "orders.csv"}},
            {"id": "paid", "type": "filter", "config": {"condition": "amount > 100"}},
        ]
        bench.call("set_flow", nodes=nodes)
        bench.land()
        document = bench.workspace.flow(LOCAL, bench.flow_id).document
        assert document["layout"]["paid"] == {"x": 7, "y": 9}
        assert set(document["nodes"]) == {"read_orders", "paid"}
        assert document["nodes"]["paid"]["config"] == {"condition": "amount > 100"}

    def test_a_node_that_is_written_twice_is_refused(self, bench: Bench) -> None:
        with pytest.raises(Exception, match="already"):
            bench.call("set_flow", nodes=[READ, READ], edges=["read>read"])


def test_a_change_that_the_person_decided_about_meanwhile_is_said_and_a_new_one_begins(bench: Bench) -> None:
    first = bench.build().data["changeset_id"]
    bench.workspace.approve(LOCAL, first, digest=bench.workspace.changeset(LOCAL, first).digest)
    edit = {"op": "set_config", "node_id": "paid", "values": {"condition": "amount > 100"}}
    with pytest.raises(WrongState):
        bench.call("edit_flow", operations=[edit])
    assert bench.call("edit_flow", operations=[edit]).data["changeset_id"] != first


def test_a_file_that_is_taken_for_a_node_is_answered_with_the_way_to_look_at_files(bench: Bench) -> None:
    for tool in ("preview_table", "profile_columns", "read_node", "read_columns"):
        result = bench.call(tool, node_id="orders.csv")
        assert result.failed
        assert "describe_file" in result.text


def test_what_is_wrong_is_told_however_many_columns_come_before_it(bench: Bench) -> None:
    names = [f"a_rather_long_column_name_{n}" for n in range(300)]
    (bench.folder / "wide.csv").write_text(f"{','.join(names)}\n{','.join('1' * 300)}\n", encoding="utf-8")
    wide = {"id": "wide", "type": "read_file", "config": {"path": "wide.csv"}}
    text = bench.call(
        "set_flow", nodes=[wide, {"id": "f", "type": "filter", "config": {"condition": "nothing > 1"}}]
    ).text
    assert "error F401" in text
    assert len(text) <= RESULT_LIMIT


def test_a_big_flow_is_checked_and_not_run_after_each_edit(bench: Bench) -> None:
    nodes = [READ, *({"id": f"n{n}", "type": "limit", "config": {"count": 3}} for n in range(150))]
    text = bench.call("set_flow", nodes=nodes).text
    assert "No problems." in text
    assert "Trial run" not in text
