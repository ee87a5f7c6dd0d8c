"""What a run has to do, in which order."""

from __future__ import annotations

import pytest

from headrace.base.errors import NotFound
from headrace.engine.answer import answer

TABLE = ("manual_table", {"columns": [{"name": "a", "type": "BIGINT"}], "rows": [[1]]})
LIMIT = ("limit", {"count": 1})
CHART = ("chart", {"kind": "bar", "x": "a"})


class TestPlan:
    def test_each_task_comes_after_all_that_it_takes_from(self, lab):
        flow = lab.flow({"z": TABLE, "a": LIMIT, "m": LIMIT, "b": TABLE}, "z > m", "m > a")
        assert list(lab.plan(flow).tasks) == ["b", "z", "m", "a"]

    def test_it_goes_no_further_than_the_target_needs(self, lab):
        flow = lab.flow({"z": TABLE, "a": LIMIT, "m": LIMIT, "b": TABLE}, "z > m", "m > a")
        plan = lab.plan(flow, to="m")
        assert list(plan.tasks) == ["z", "m"]
        assert plan.tasks["m"].followers == ()
        assert plan.target == "m"

    def test_it_knows_what_arrives_at_which_port_and_who_takes_what(self, lab):
        flow = lab.flow(
            {"l": TABLE, "r": TABLE, "j": ("join", {"how": "inner", "on": [{"left": "a", "right": "a"}]})},
            "l > j.left", "r > j.right",
        )  # fmt: skip
        plan = lab.plan(flow)
        assert plan.tasks["j"].feeds == {"left": ("l",), "right": ("r",)}
        assert plan.tasks["l"].followers == ("j",)

    def test_an_unknown_target_is_refused_with_the_nodes_that_there_are(self, lab):
        with pytest.raises(NotFound, match=r"'gone'.*: a, z"):
            lab.plan(lab.flow({"z": TABLE, "a": TABLE}), to="gone")

    def test_names_that_differ_by_case_alone_are_told_apart(self, lab):
        plan = lab.plan(lab.flow({"t": TABLE, "T": TABLE}))
        assert len({task.relation.casefold() for task in plan.tasks.values()}) == 2


class TestAnswer:
    def test_the_table_that_feeds_no_other_table_answers(self, lab):
        flow = lab.flow({"t": TABLE, "top": LIMIT, "draw": CHART}, "t > top", "top > draw")
        assert answer(flow, lab.catalog) == "top"

    def test_of_several_the_one_that_was_changed_last_answers(self, lab):
        flow = lab.flow({"t": TABLE, "x": LIMIT, "y": LIMIT}, "t > x", "t > y")
        assert answer(flow, lab.catalog) == "y"
        assert answer(flow, lab.catalog, changed=["y", "x"]) == "x"
        assert answer(flow, lab.catalog, changed=["x", "gone"]) == "x"

    def test_a_change_further_up_means_what_it_leads_to(self, lab):
        flow = lab.flow({"t": TABLE, "m": LIMIT, "x": LIMIT, "y": LIMIT}, "t > m", "m > x", "t > y")
        assert answer(flow, lab.catalog, changed=["m"]) == "x"

    def test_a_chart_means_the_table_that_it_draws(self, lab):
        flow = lab.flow({"t": TABLE, "x": LIMIT, "y": LIMIT, "draw": CHART}, "t > x", "t > y", "x > draw")
        assert answer(flow, lab.catalog, changed=["draw"]) == "x"

    def test_a_flow_without_tables_has_no_answer(self, lab):
        assert answer(lab.flow({}), lab.catalog) is None
        assert answer(lab.flow({"draw": CHART}), lab.catalog) is None
