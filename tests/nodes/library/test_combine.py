"""Join and union: tables side by side and one below the other."""

from __future__ import annotations

from typing import Any

import pytest

from headrace.nodes.spec import Relation
from tests.nodes.workbench import Workbench, faults


@pytest.fixture
def orders(bench: Workbench) -> Relation:
    """Return orders, one of them of nobody."""
    return bench.values(
        "orders",
        {"no": "BIGINT", "customer": "BIGINT", "name": "VARCHAR"},
        [(1, 10, "a"), (2, 20, "b"), (3, None, "c"), (4, 10, "d")],
    )


@pytest.fixture
def customers(bench: Workbench) -> Relation:
    """Return customers, one of them without a number and one without an order."""
    return bench.values("customers", {"id": "BIGINT", "name": "VARCHAR"}, [(10, "Ada"), (30, "Eve"), (None, "?")])


ON = [{"left": "customer", "right": "id"}]


class TestJoin:
    @pytest.mark.parametrize(
        ("how", "expected"),
        [
            ("inner", {(1, 10, "a", "Ada"), (4, 10, "d", "Ada")}),
            ("left", {(1, 10, "a", "Ada"), (4, 10, "d", "Ada"), (2, 20, "b", None), (3, None, "c", None)}),
            ("right", {(1, 10, "a", "Ada"), (4, 10, "d", "Ada"), (None, 30, None, "Eve"), (None, None, None, "?")}),
            (
                "full",
                {
                    (1, 10, "a", "Ada"),
                    (4, 10, "d", "Ada"),
                    (2, 20, "b", None),
                    (3, None, "c", None),
                    (None, 30, None, "Eve"),
                    (None, None, None, "?"),
                },
            ),
            ("semi", {(1, 10, "a"), (4, 10, "d")}),
            ("anti", {(2, 20, "b"), (3, None, "c")}),
        ],
    )
    def test_each_way_keeps_what_it_says(
        self, bench: Workbench, orders: Relation, customers: Relation, how: str, expected: set[Any]
    ) -> None:
        result = bench.run("join", {"how": how, "on": ON}, left=orders, right=customers)
        assert set(result.rows) == expected
        assert len(result.rows) == len(expected)

    def test_keys_come_once_and_only_clashing_names_get_the_suffix(
        self, bench: Workbench, orders: Relation, customers: Relation
    ) -> None:
        assert bench.run("join", {"on": ON}, left=orders, right=customers).names == [
            "no",
            "customer",
            "name",
            "name_right",
        ]
        result = bench.run("join", {"on": ON, "suffix": "_of_customer"}, left=orders, right=customers)
        assert result.names[-1] == "name_of_customer"

    def test_several_keys_must_all_be_equal(self, bench: Workbench, orders: Relation, customers: Relation) -> None:
        on = [*ON, {"left": "name", "right": "name"}]
        assert bench.run("join", {"on": on}, left=orders, right=customers).rows == []

    def test_a_table_can_be_joined_with_itself(self, bench: Workbench, orders: Relation) -> None:
        result = bench.run(
            "join", {"on": [{"left": "no", "right": "customer"}], "how": "left"}, left=orders, right=orders
        )
        assert result.names == ["no", "customer", "name", "no_right", "name_right"]
        assert len(result.rows) == 4

    def test_numbers_of_different_types_can_be_keys(self, bench: Workbench, orders: Relation) -> None:
        floats = bench.values("floats", {"id": "DOUBLE"}, [(10.0,)])
        assert len(bench.run("join", {"on": ON}, left=orders, right=floats).rows) == 2

    @pytest.mark.parametrize(
        ("on", "code", "path"),
        [
            ([{"left": "custmer", "right": "id"}], "F401", ("on", "0", "left")),
            ([{"left": "customer", "right": "idd"}], "F401", ("on", "0", "right")),
            ([*ON, {"left": "no", "right": "name"}], "F405", ("on", "1")),
            ([{"left": "name", "right": "id"}], "F405", ("on", "0")),
        ],
    )
    def test_keys_that_cannot_be_equal_are_told(
        self, orders: Relation, customers: Relation, on: list[dict[str, str]], code: str, path: tuple[str, ...]
    ) -> None:
        (fault,) = faults("join", {"on": on}, left=orders, right=customers)
        assert (fault.code, fault.path) == (code, path)

    def test_keys_of_two_kinds_say_what_each_is_and_what_a_join_allows(
        self, orders: Relation, customers: Relation
    ) -> None:
        on = [{"left": "name", "right": "id"}, {"left": "no", "right": "name"}]
        one, other = faults("join", {"on": on}, left=orders, right=customers)
        assert "'name' is text (VARCHAR) and 'id' of the right table is a whole number (BIGINT)" in one.message
        assert "select node" in one.message
        assert other.path == ("on", "1")

    @pytest.mark.parametrize("how", ["right", "full"])
    def test_what_only_the_right_table_holds_is_never_lost(self, bench: Workbench, how: str) -> None:
        left = bench.values("l", {"a": "BIGINT"}, [(2,)])
        right = bench.values("r", {"x": "BIGINT", "y": "BIGINT"}, [(2, 2), (2, 3), (5, 6)])
        on = [{"left": "a", "right": "x"}, {"left": "a", "right": "y"}]
        result = bench.run("join", {"how": how, "on": on}, left=left, right=right)
        assert result.names == ["a", "y"]
        assert set(result.rows) == {(2, 2), (2, 3), (5, 6)}

    @pytest.mark.parametrize(("how", "names"), [("inner", ["a", "b"]), ("full", ["a", "b"])])
    def test_one_key_of_the_right_may_meet_two_of_the_left(self, bench: Workbench, how: str, names: list[str]) -> None:
        left = bench.values("l", {"a": "BIGINT", "b": "BIGINT"}, [(1, 1), (1, 2)])
        right = bench.values("r", {"x": "BIGINT"}, [(1,), (9,)])
        on = [{"left": "a", "right": "x"}, {"left": "b", "right": "x"}]
        result = bench.run("join", {"how": how, "on": on}, left=left, right=right)
        assert result.names == names
        expected = {(1, 1)} if how == "inner" else {(1, 1), (1, 2), (9, 9)}
        assert set(result.rows) == expected

    def test_a_name_that_clashes_even_with_the_suffix_is_told(self, bench: Workbench, customers: Relation) -> None:
        left = bench.values("l", {"id": "BIGINT", "name": "VARCHAR", "name_right": "VARCHAR"}, [])
        (fault,) = faults("join", {"on": [{"left": "id", "right": "id"}]}, left=left, right=customers)
        assert (fault.code, fault.path) == ("F406", ("suffix",))


class TestUnion:
    def test_columns_go_together_by_name_and_what_lacks_is_missing(self, bench: Workbench) -> None:
        a = bench.values("a", {"x": "BIGINT", "y": "VARCHAR"}, [(1, "p")])
        b = bench.values("b", {"Y": "VARCHAR", "z": "DOUBLE"}, [("q", 0.5)])
        result = bench.run("union", {}, a, b)
        assert (result.names, result.rows) == (["x", "y", "z"], [(1, "p", None), (None, "q", 0.5)])

    def test_by_position_the_first_tables_names_count(self, bench: Workbench) -> None:
        a = bench.values("a", {"x": "INTEGER", "y": "VARCHAR"}, [(1, "p")])
        b = bench.values("b", {"u": "BIGINT", "v": "VARCHAR"}, [(2, "q")])
        result = bench.run("union", {"match": "position"}, a, b)
        assert (result.names, result.types, result.rows) == (["x", "y"], ["BIGINT", "VARCHAR"], [(1, "p"), (2, "q")])

    def test_tables_come_in_turn_and_a_table_may_come_twice(self, bench: Workbench) -> None:
        a = bench.values("a", {"x": "BIGINT"}, [(2,), (1,)])
        b = bench.values("b", {"x": "BIGINT"}, [(3,)])
        assert bench.run("union", {}, a, b, a).rows == [(2,), (1,), (3,), (2,), (1,)]
        assert bench.run("union", {"distinct": True}, a, b, a).rows == [(2,), (1,), (3,)]
        assert bench.run("union", {}, a).rows == [(2,), (1,)]

    def test_numbers_widen_and_dates_become_moments(self, bench: Workbench) -> None:
        a = bench.values("a", {"x": "INTEGER", "d": "DATE"}, [])
        b = bench.values("b", {"x": "DOUBLE", "d": "TIMESTAMP"}, [])
        assert bench.run("union", {}, a, b).types == ["DOUBLE", "TIMESTAMP"]

    def test_kinds_that_do_not_go_together_are_told_with_their_tables(self, bench: Workbench) -> None:
        a = bench.values("jan", {"price": "DOUBLE", "n": "BIGINT"}, [])
        b = bench.values("feb", {"price": "VARCHAR", "n": "BIGINT"}, [])
        (fault,) = faults("union", {}, a, b)
        assert fault.code == "F402"
        assert "a number (DOUBLE) in jan and text (VARCHAR) in feb" in fault.message

    def test_by_position_the_counts_must_agree(self, bench: Workbench) -> None:
        a = bench.values("a", {"x": "BIGINT"}, [])
        b = bench.values("b", {"x": "BIGINT", "y": "BIGINT"}, [])
        (fault,) = faults("union", {"match": "position"}, a, b)
        assert "a has 1, b has 2" in fault.message

    def test_thirty_tables_are_no_matter(self, bench: Workbench) -> None:
        a = bench.values("a", {"x": "BIGINT"}, [(1,)])
        assert len(bench.run("union", {}, *[a] * 30).rows) == 30
