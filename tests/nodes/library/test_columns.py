"""Select, formula, fill_missing: which columns come out, of which type, with which values."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from headrace.nodes.spec import Relation
from tests.nodes.workbench import Workbench, faults, typed

COLUMNS = {"id": "BIGINT", "region": "VARCHAR", "amount": "DOUBLE", "qty": "INTEGER", "day": "DATE"}
ROWS = [
    (1, "N", 10.0, 1, "2024-01-03"),
    (2, "S", None, 2, "2024-01-01"),
    (3, "N", 5.0, None, None),
    (4, None, 7.5, 4, "2024-01-02"),
]


@pytest.fixture
def orders(bench: Workbench) -> Relation:
    """Return four orders with something missing in most."""
    return bench.values("orders", COLUMNS, ROWS)


class TestSelect:
    @pytest.mark.parametrize(
        ("config", "names"),
        [
            ({}, ["id", "region", "amount", "qty", "day"]),
            ({"keep": ["day", "id"]}, ["day", "id"]),
            ({"drop": ["region", "QTY"]}, ["id", "amount", "day"]),
            ({"first": ["day", "qty"]}, ["day", "qty", "id", "region", "amount"]),
            ({"keep": ["id", "day"], "first": ["day"]}, ["day", "id"]),
            ({"rename": {"qty": "quantity", "Day": "date"}}, ["id", "region", "amount", "quantity", "date"]),
            ({"rename": {"id": "qty", "qty": "id"}}, ["qty", "region", "amount", "id", "day"]),
            ({"keep": ["id", "id"]}, ["id"]),
        ],
    )
    def test_columns_come_as_asked(
        self, bench: Workbench, orders: Relation, config: dict[str, Any], names: list[str]
    ) -> None:
        assert bench.run("select", config, orders).names == names

    def test_types_change_before_names_do(self, bench: Workbench, orders: Relation) -> None:
        config = {"keep": ["id", "day"], "cast": {"id": "text", "day": "date and time"}, "rename": {"id": "code"}}
        result = bench.run("select", config, orders)
        assert (result.names, result.types) == (["code", "day"], ["VARCHAR", "TIMESTAMP"])
        assert result.rows[0][0] == "1"

    @pytest.mark.parametrize(
        ("config", "code", "path"),
        [
            ({"keep": ["nope"]}, "F401", ("keep", "0")),
            ({"drop": ["idd"]}, "F401", ("drop", "0")),
            ({"rename": {"amuont": "x"}}, "F401", ("rename", "amuont")),
            ({"rename": {"id": "REGION"}}, "F406", ("keep",)),
            ({"rename": {"region": "id"}}, "F406", ("rename", "region")),
            ({"keep": ["id"], "rename": {"day": "x"}}, "F401", ("rename", "day")),
            ({"keep": ["id"], "cast": {"day": "text"}}, "F401", ("cast", "day")),
            ({"cast": {"day": "dtae"}}, "F303", ("cast", "day")),
            ({"cast": {"day": "BIGINT"}}, "F402", ("cast", "day")),
            ({"rename": {"id": " "}}, "F303", ("rename", "id")),
            ({"drop": list(COLUMNS)}, "F303", ("drop",)),
        ],
    )
    def test_what_cannot_be_is_told_at_its_place(
        self, orders: Relation, config: dict[str, Any], code: str, path: tuple[str, ...]
    ) -> None:
        (fault,) = faults("select", config, orders)
        assert (fault.code, fault.path) == (code, path)


class TestFormula:
    def test_new_columns_come_last_and_old_names_are_replaced_in_place(
        self, bench: Workbench, orders: Relation
    ) -> None:
        config = {
            "columns": [{"name": "total", "expression": "amount * qty"}, {"name": "AMOUNT", "expression": "amount + 1"}]
        }
        result = bench.run("formula", config, orders)
        assert result.names == ["id", "region", "AMOUNT", "qty", "day", "total"]
        assert [(row[2], row[5]) for row in result.rows] == [(11.0, 10.0), (None, None), (6.0, None), (8.5, 30.0)]

    def test_all_see_the_input_not_each_other(self, bench: Workbench, orders: Relation) -> None:
        config = {"columns": [{"name": "id", "expression": "id * 10"}, {"name": "next", "expression": "id + 1"}]}
        assert [(row[0], row[5]) for row in bench.run("formula", config, orders).rows] == [
            (10, 2),
            (20, 3),
            (30, 4),
            (40, 5),
        ]

    def test_windows_work_and_rows_stay_in_order(self, bench: Workbench, orders: Relation) -> None:
        config = {
            "columns": [
                {"name": "running", "expression": "sum(amount) OVER (ORDER BY day)"},
                {"name": "before", "expression": "lag(id) OVER (PARTITION BY region)"},
                {"name": "rank", "expression": "rank() OVER (ORDER BY qty DESC)"},
                {"name": "last", "expression": "last_value(id) OVER (PARTITION BY region)"},
            ]
        }
        rows = bench.run("formula", config, orders).rows
        assert [row[5:] for row in rows] == [(17.5, None, 3, 3), (None, None, 2, 2), (22.5, 1, 4, 3), (7.5, None, 1, 4)]

    def test_every_faulty_expression_is_told_at_its_place(self, orders: Relation) -> None:
        columns = [
            {"name": "a", "expression": "amuont * 2"},
            {"name": "b", "expression": "id"},
            {"name": "c", "expression": "sum(amount)"},
            {"name": "d", "expression": "a + 1"},
            {"name": "e", "expression": "rand(1)"},
        ]
        found = faults("formula", {"columns": columns}, orders)
        assert [(fault.code, fault.path[1]) for fault in found] == [
            ("F401", "0"),
            ("F402", "2"),
            ("F401", "3"),
            ("F404", "4"),
        ]
        assert "second formula node" in found[2].message

    def test_wrong_kinds_are_told_for_each(self, orders: Relation) -> None:
        columns = [
            {"name": "a", "expression": "region + 1"},
            {"name": "b", "expression": "id"},
            {"name": "c", "expression": "upper(id)"},
        ]
        found = faults("formula", {"columns": columns}, orders)
        assert [(fault.code, fault.path) for fault in found] == [
            ("F402", ("columns", "0", "expression")),
            ("F402", ("columns", "2", "expression")),
        ]

    def test_one_name_twice_is_refused(self, orders: Relation) -> None:
        columns = [{"name": "a", "expression": "1"}, {"name": "A", "expression": "2"}]
        (fault,) = faults("formula", {"columns": columns}, orders)
        assert (fault.code, fault.path) == ("F406", ("columns", "1", "name"))

    def test_fields_of_records_are_reached(self, bench: Workbench) -> None:
        nested = bench.put("nested", "SELECT {'a': {'b': 5}} AS s")
        config = {"columns": [{"name": "five", "expression": "s.a.b"}]}
        assert bench.run("formula", config, nested).rows[0][1] == 5


class TestFillMissing:
    @pytest.mark.parametrize(
        ("config", "column", "expected"),
        [
            ({"method": "value", "value": 0}, "amount", [10.0, 0.0, 5.0, 7.5]),
            ({"method": "value", "value": 0}, "region", ["N", "S", "N", None]),
            ({"method": "value", "value": "none"}, "region", ["N", "S", "N", "none"]),
            ({"method": "mean", "columns": ["amount"]}, "amount", [10.0, 7.5, 5.0, 7.5]),
            ({"method": "median", "columns": ["qty"]}, "qty", [1.0, 2.0, 2.0, 4.0]),
            ({"method": "min"}, "region", ["N", "S", "N", "N"]),
            ({"method": "max", "columns": ["day"]}, "day", [date(2024, 1, d) for d in (3, 1, 3, 2)]),
            ({"method": "previous"}, "qty", [1, 2, 2, 4]),
            ({"method": "next"}, "qty", [1, 2, 4, 4]),
            ({"method": "next"}, "region", ["N", "S", "N", None]),
            (
                {"method": "previous", "columns": ["amount"], "order_by": [{"column": "id", "descending": True}]},
                "amount",
                [10.0, 5.0, 5.0, 7.5],
            ),
            (
                {"method": "value", "value": "2020-02-29", "columns": ["day"]},
                "day",
                [date(2024, 1, 3), date(2024, 1, 1), date(2020, 2, 29), date(2024, 1, 2)],
            ),
        ],
    )
    def test_what_is_missing_is_filled_and_nothing_else(
        self, bench: Workbench, orders: Relation, config: dict[str, Any], column: str, expected: list[Any]
    ) -> None:
        result = bench.run("fill_missing", config, orders)
        assert [row[result.names.index(column)] for row in result.rows] == expected
        assert [row[0] for row in result.rows] == [1, 2, 3, 4]

    @pytest.mark.parametrize(("text", "number"), [("0", 0), (" -2.50 ", -2.5), ("1e3", 1000)])
    def test_a_number_written_as_text_can_be_taken_as_one(
        self, bench: Workbench, orders: Relation, text: str, number: float
    ) -> None:
        (fault,) = faults("fill_missing", {"method": "value", "value": text, "columns": ["amount"]}, orders)
        (way,) = fault.suggestions
        assert (way.path, way.value) == (("value",), number)
        bench.run("fill_missing", {"method": "value", "value": way.value, "columns": ["amount"]}, orders)

    def test_rows_can_be_left_out(self, bench: Workbench, orders: Relation) -> None:
        assert [row[0] for row in bench.run("fill_missing", {"method": "drop_rows"}, orders).rows] == [1]
        config = {"method": "drop_rows", "columns": ["amount"]}
        assert [row[0] for row in bench.run("fill_missing", config, orders).rows] == [1, 3, 4]

    @pytest.mark.parametrize(
        ("config", "code", "path"),
        [
            ({"method": "mean", "columns": ["region"]}, "F402", ("columns", "0")),
            ({"method": "value", "value": "x", "columns": ["amount"]}, "F402", ("columns", "0")),
            ({"method": "value", "value": "x", "columns": ["day"]}, "F405", ("value",)),
            ({"method": "value", "value": "0", "columns": ["amount"]}, "F402", ("value",)),
            ({"method": "value", "value": True}, "F402", ("method",)),
            ({"method": "min", "columns": ["amuont"]}, "F401", ("columns", "0")),
            ({"method": "next", "order_by": [{"column": "dya"}]}, "F401", ("order_by", "0", "column")),
        ],
    )
    def test_what_does_not_fit_is_told(
        self, orders: Relation, config: dict[str, Any], code: str, path: tuple[str, ...]
    ) -> None:
        (fault,) = faults("fill_missing", config, orders)
        assert (fault.code, fault.path) == (code, path)

    def test_a_mean_of_whole_numbers_is_a_number(self, orders: Relation) -> None:
        known = typed("fill_missing", {"method": "mean", "columns": ["qty"]}, orders).column("qty")
        assert known is not None
        assert known.type == "DOUBLE"
