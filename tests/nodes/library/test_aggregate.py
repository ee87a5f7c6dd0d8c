"""Aggregate: groups in their order, measures as asked."""

from __future__ import annotations

from typing import Any

import pytest

from headrace.nodes.spec import Relation
from tests.nodes.workbench import Workbench, faults

COLUMNS = {"id": "BIGINT", "region": "VARCHAR", "amount": "DOUBLE", "qty": "INTEGER", "day": "DATE"}
ROWS = [
    (1, "S", 10.0, 1, "2024-01-03"),
    (2, "N", None, 2, "2024-01-01"),
    (3, "S", 5.0, None, None),
    (4, None, 7.5, 4, "2024-01-02"),
    (5, "N", 10.0, 5, "2024-01-01"),
]


@pytest.fixture
def orders(bench: Workbench) -> Relation:
    """Return five orders of two regions and of none."""
    return bench.values("orders", COLUMNS, ROWS)


class TestMeasures:
    @pytest.mark.parametrize(
        ("measure", "expected"),
        [
            ({"function": "count"}, [2, 2, 1]),
            ({"function": "count", "column": "*"}, [2, 2, 1]),
            ({"function": "count", "column": "amount"}, [1, 2, 1]),
            ({"function": "count_distinct", "column": "day"}, [1, 1, 1]),
            ({"function": "sum", "column": "qty"}, [7, 1, 4]),
            ({"function": "mean", "column": "amount"}, [10.0, 7.5, 7.5]),
            ({"function": "median", "column": "qty"}, [3.5, 1.0, 4.0]),
            ({"function": "min", "column": "region"}, ["N", "S", None]),
            ({"function": "max", "column": "amount"}, [10.0, 10.0, 7.5]),
            ({"function": "std", "column": "qty"}, [pytest.approx(2.1213203), None, None]),
            ({"function": "first", "column": "amount"}, [None, 10.0, 7.5]),
            ({"function": "last", "column": "id"}, [5, 3, 4]),
            ({"expression": "sum(amount * qty) / sum(qty)"}, [pytest.approx(50 / 7), 10.0, 7.5]),
            ({"expression": "count(*) FILTER (WHERE qty > 1)"}, [2, 0, 1]),
            ({"expression": "max(day) - min(day)"}, [0, 0, 0]),
            ({"expression": "string_agg(id::VARCHAR, '+')"}, ["2+5", "1+3", "4"]),
            ({"expression": "region || '!'"}, ["N!", "S!", None]),
        ],
    )
    def test_each_is_worked_out_for_each_group(
        self, bench: Workbench, orders: Relation, measure: dict[str, str], expected: list[Any]
    ) -> None:
        result = bench.run("aggregate", {"group_by": ["region"], "measures": [{"name": "m", **measure}]}, orders)
        assert result.names == ["region", "m"]
        assert [row[0] for row in result.rows] == ["N", "S", None]
        assert [row[1] for row in result.rows] == expected

    def test_names_follow_from_function_and_column(self, bench: Workbench, orders: Relation) -> None:
        measures = [{"function": "count"}, {"function": "sum", "column": "qty"}, {"expression": "max(id)"}]
        assert bench.run("aggregate", {"measures": measures}, orders).names == ["count", "sum_qty", "max(id)"]

    def test_a_measure_may_be_named_like_a_column(self, bench: Workbench, orders: Relation) -> None:
        measures = [
            {"name": "amount", "function": "sum", "column": "amount"},
            {"name": "id", "expression": "max(amount)"},
        ]
        result = bench.run("aggregate", {"group_by": ["region"], "measures": measures}, orders)
        assert result.rows == [("N", 10.0, 10.0), ("S", 15.0, 10.0), (None, 7.5, 7.5)]

    def test_a_sum_of_whole_numbers_is_one_that_files_can_hold(self, bench: Workbench, orders: Relation) -> None:
        measures = [{"function": "sum", "column": "id"}, {"function": "sum", "column": "amount"}]
        assert bench.run("aggregate", {"measures": measures}, orders).types == ["BIGINT", "DOUBLE"]


class TestGroups:
    def test_without_groups_there_is_one_row(self, bench: Workbench, orders: Relation) -> None:
        assert bench.run("aggregate", {"measures": [{"function": "count"}]}, orders).rows == [(5,)]

    def test_without_measures_each_combination_is_listed(self, bench: Workbench, orders: Relation) -> None:
        result = bench.run("aggregate", {"group_by": ["day", "region"]}, orders)
        assert [row[1] for row in result.rows] == ["N", None, "S", "S"]

    def test_a_group_named_twice_counts_once(self, bench: Workbench, orders: Relation) -> None:
        assert bench.run("aggregate", {"group_by": ["region", "REGION"]}, orders).names == ["region"]

    def test_an_empty_table_has_no_groups_and_one_total(self, bench: Workbench) -> None:
        empty = bench.values("empty", COLUMNS, [])
        assert bench.run("aggregate", {"group_by": ["region"], "measures": [{"function": "count"}]}, empty).rows == []
        assert bench.run("aggregate", {"measures": [{"function": "count"}]}, empty).rows == [(0,)]


class TestFaults:
    @pytest.mark.parametrize(
        ("measure", "code", "path"),
        [
            ({"function": "sum", "column": "region"}, "F402", ("measures", "1", "column")),
            ({"function": "sum", "column": "amuont"}, "F401", ("measures", "1", "column")),
            ({"expression": "sum(amuont)"}, "F401", ("measures", "1", "expression")),
            ({"expression": "amount"}, "F402", ("measures", "1", "expression")),
            ({"expression": "sum(sum(amount))"}, "F402", ("measures", "1", "expression")),
            ({"expression": "sum(amount"}, "F403", ("measures", "1", "expression")),
            ({"expression": "count(*) FILTER (WHERE day > 'soon')"}, "F405", ("measures", "1", "expression")),
        ],
    )
    def test_the_faulty_measure_is_named(
        self, orders: Relation, measure: dict[str, str], code: str, path: tuple[str, ...]
    ) -> None:
        measures = [{"name": "n", "function": "count"}, {"name": "m", **measure}]
        (fault,) = faults("aggregate", {"group_by": ["region"], "measures": measures}, orders)
        assert (fault.code, fault.path) == (code, path)

    def test_groups_and_measures_are_told_together(self, orders: Relation) -> None:
        config = {"group_by": ["rgion"], "measures": [{"function": "sum", "column": "amuont"}]}
        assert [fault.path for fault in faults("aggregate", config, orders)] == [
            ("group_by", "0"),
            ("measures", "0", "column"),
        ]

    def test_one_name_twice_is_refused(self, orders: Relation) -> None:
        config = {"group_by": ["region"], "measures": [{"name": "Region", "function": "count"}]}
        (fault,) = faults("aggregate", config, orders)
        assert (fault.code, fault.path) == ("F406", ("measures", "0", "name"))
