"""Filter, sort, limit, distinct: which rows come out, in which order."""

from __future__ import annotations

from typing import Any

import pytest

from headrace.nodes.spec import Relation
from tests.nodes.workbench import Workbench, faults, table

COLUMNS = {"id": "BIGINT", "region": "VARCHAR", "amount": "DOUBLE", "day": "DATE"}
ROWS = [
    (1, "N", 10.0, "2024-01-03"),
    (2, "S", None, "2024-01-01"),
    (3, "N", 5.0, None),
    (4, None, 7.5, "2024-01-02"),
    (5, "S", 10.0, "2024-01-01"),
    (5, "S", 10.0, "2024-01-01"),
]


@pytest.fixture
def orders(bench: Workbench) -> Relation:
    """Return six orders, two of them equal."""
    return bench.values("orders", COLUMNS, ROWS)


def ids(bench: Workbench, type_name: str, config: dict[str, Any], orders: Relation) -> list[int]:
    """Return the ids that come out."""
    return [row[0] for row in bench.run(type_name, config, orders).rows]


class TestFilter:
    @pytest.mark.parametrize(
        ("condition", "expected"),
        [
            ("amount > 7", [1, 4, 5, 5]),
            ("amount IS NULL OR region = 'N'", [1, 2, 3]),
            ("region <> 'N'", [2, 5, 5]),
            ("NOT (region = 'N')", [2, 5, 5]),
            ("day BETWEEN '2024-01-01' AND '2024-01-02'", [2, 4, 5, 5]),
            ("region IN ('N', 'X') AND id % 2 = 1", [1, 3]),
            ("region LIKE 's%' OR region ILIKE 's%'", [2, 5, 5]),
            ("CASE WHEN amount >= 10 THEN true ELSE id = 3 END", [1, 3, 5, 5]),
            ("year(day) = 2024 AND dayname(day) = 'Monday'", [2, 5, 5]),
            ("true", [1, 2, 3, 4, 5, 5]),
            ("id > NULL", []),
            ("row_number() OVER (PARTITION BY region ORDER BY id) = 1", [1, 2, 4]),
            ("amount > avg(amount) OVER ()", [1, 5, 5]),
            ("id <> lag(id) OVER ()", [2, 3, 4, 5]),
        ],
    )
    def test_rows_for_which_it_is_true_are_kept_in_their_order(
        self, bench: Workbench, orders: Relation, condition: str, expected: list[int]
    ) -> None:
        assert ids(bench, "filter", {"condition": condition}, orders) == expected

    @pytest.mark.parametrize(
        ("condition", "code"),
        [
            ("amuont > 1", "F401"),
            ("amount", "F402"),
            ("sum(amount) > 1", "F402"),
            ("region > 1", "F405"),
            ("day > 'yesterday'", "F405"),
            ("amount >", "F403"),
            ("read_csv('x')", "F404"),
        ],
    )
    def test_what_cannot_be_a_condition_is_told(self, orders: Relation, condition: str, code: str) -> None:
        (fault,) = faults("filter", {"condition": condition}, orders)
        assert (fault.code, fault.path) == (code, ("condition",))


class TestSort:
    def test_missing_values_come_last_whichever_way(self, bench: Workbench, orders: Relation) -> None:
        assert ids(bench, "sort", {"by": [{"column": "amount"}]}, orders) == [3, 4, 1, 5, 5, 2]
        assert ids(bench, "sort", {"by": [{"column": "amount", "descending": True}]}, orders) == [1, 5, 5, 4, 3, 2]

    def test_they_come_first_where_that_is_asked(self, bench: Workbench, orders: Relation) -> None:
        assert ids(bench, "sort", {"by": [{"column": "day", "nulls": "first"}]}, orders)[0] == 3

    def test_equal_rows_stay_as_they_lay(self, bench: Workbench) -> None:
        many = bench.put("many", "SELECT n AS id, n % 3 AS k FROM range(50000) t(n)")
        expected = sorted(range(50_000), key=lambda n: n % 3)
        assert ids(bench, "sort", {"by": [{"column": "k"}]}, many) == expected

    def test_several_keys_count_in_turn(self, bench: Workbench, orders: Relation) -> None:
        by = [{"column": "REGION"}, {"column": "id", "descending": True}]
        assert ids(bench, "sort", {"by": by}, orders) == [3, 1, 5, 5, 2, 4]

    def test_every_unknown_column_is_told_at_its_place(self, orders: Relation) -> None:
        found = faults("sort", {"by": [{"column": "amuont"}, {"column": "id"}, {"column": "zzz"}]}, orders)
        assert [fault.path for fault in found] == [("by", "0", "column"), ("by", "2", "column")]
        assert found[0].suggestions[0].value == "amount"


class TestLimit:
    @pytest.mark.parametrize(
        ("config", "expected"),
        [
            ({"count": 2}, [1, 2]),
            ({"count": 2, "offset": 3}, [4, 5]),
            ({"count": 0}, []),
            ({"count": 100, "offset": 4}, [5, 5]),
            ({"count": 5, "offset": 100}, []),
        ],
    )
    def test_the_first_rows_are_kept(
        self, bench: Workbench, orders: Relation, config: dict[str, int], expected: list[int]
    ) -> None:
        assert ids(bench, "limit", config, orders) == expected


class TestDistinct:
    def test_repeated_rows_are_kept_once_in_their_order(self, bench: Workbench, orders: Relation) -> None:
        assert ids(bench, "distinct", {}, orders) == [1, 2, 3, 4, 5]

    def test_the_first_row_of_each_value_is_kept_whole(self, bench: Workbench, orders: Relation) -> None:
        result = bench.run("distinct", {"columns": ["region"]}, orders)
        assert [row[:3] for row in result.rows] == [(1, "N", 10.0), (2, "S", None), (4, None, 7.5)]

    def test_which_one_is_first_can_be_said(self, bench: Workbench, orders: Relation) -> None:
        config = {"columns": ["region"], "keep_first_by": [{"column": "id", "descending": True}]}
        assert ids(bench, "distinct", config, orders) == [3, 4, 5]

    def test_missing_values_are_equal_to_each_other(self, bench: Workbench) -> None:
        nulls = bench.values("nulls", {"a": "BIGINT"}, [(None,), (1,), (None,)])
        assert bench.run("distinct", {}, nulls).rows == [(None,), (1,)]

    def test_it_is_the_same_every_time(self, bench: Workbench) -> None:
        bench.connection.execute("SET threads = 8")
        many = bench.put("many", "SELECT n AS id, n * 7919 % 1000 AS k FROM range(200000) t(n)")
        first = ids(bench, "distinct", {"columns": ["k"]}, many)
        assert first == list(range(1000))
        assert ids(bench, "distinct", {"columns": ["k"]}, many) == first

    def test_lists_and_records_can_be_compared(self, bench: Workbench) -> None:
        nested = bench.put(
            "nested", "SELECT * FROM (VALUES ([1, 2], {'x': 1}), ([1, 2], {'x': 1}), ([1], {'x': 1})) t(l, s)"
        )
        assert len(bench.run("distinct", {}, nested).rows) == 2

    def test_unknown_columns_are_told(self, orders: Relation) -> None:
        found = faults("distinct", {"columns": ["rgion"], "keep_first_by": [{"column": "dya"}]}, orders)
        assert [fault.path for fault in found] == [("columns", "0"), ("keep_first_by", "0", "column")]


@pytest.mark.parametrize("type_name", ["filter", "sort", "limit", "distinct"])
def test_odd_column_names_do_no_harm(bench: Workbench, type_name: str) -> None:
    named = bench.values(
        "odd", {"select": "BIGINT", "ü; drop": "BIGINT", "__headrace": "BIGINT"}, [(1, 2, 3), (4, 5, 6)]
    )
    config = {
        "filter": {"condition": '"ü; drop" > 2 AND "select" < 5'},
        "sort": {"by": [{"column": "ü; drop", "descending": True}]},
        "limit": {"count": 1, "offset": 1},
        "distinct": {"columns": ["select"], "keep_first_by": [{"column": "ü; drop"}]},
    }[type_name]
    assert bench.run(type_name, config, named).names == ["select", "ü; drop", "__headrace"]


def test_an_empty_table_stays_one(bench: Workbench) -> None:
    empty = bench.values("empty", COLUMNS, [])
    assert bench.run("sort", {"by": [{"column": "id"}]}, empty).rows == []
    assert bench.run("distinct", {}, empty).rows == []
    assert table(**COLUMNS).names() == empty.table.names()
