"""`manual_table`: values as typed, places of those that do not fit."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import pytest

from tests.nodes.workbench import Workbench, faults


def config(kind: str, *values: Any) -> dict[str, Any]:
    return {"columns": [{"name": "x", "type": kind}], "rows": [[value] for value in values]}


@pytest.mark.parametrize(
    ("kind", "typed", "expected"),
    [
        ("text", ["a", "", None, 5, True, "it's"], ["a", "", None, "5", "true", "it's"]),
        ("whole number", [1, "2", -3, 4.0, None], [1, 2, -3, 4, None]),
        ("number", [1, "2.5", -0.1, 1.7e308], [1.0, 2.5, -0.1, 1.7e308]),
        ("DECIMAL(6,2)", ["12.34", 5], [Decimal("12.34"), Decimal("5.00")]),
        ("boolean", [True, "false", "TRUE"], [True, False, True]),
        ("date", ["2024-12-31"], [date(2024, 12, 31)]),
        ("datetime", ["2024-12-31 10:30:00", "2024-12-31"], [datetime(2024, 12, 31, 10, 30), datetime(2024, 12, 31)]),
        ("time", ["10:30"], [time(10, 30)]),
        ("HUGEINT", [2**100], [2**100]),
        ("UTINYINT", [255, 0], [255, 0]),
    ],
)
def test_values_become_what_was_declared(kind: str, typed: list[Any], expected: list[Any]) -> None:
    assert [row[0] for row in Workbench().run("manual_table", config(kind, *typed)).rows] == expected


def test_a_table_without_rows_has_its_columns() -> None:
    result = Workbench().run("manual_table", config("date"))
    assert (result.names, result.types, result.rows) == (["x"], ["DATE"], [])


def test_rows_keep_their_order_and_columns_their_names() -> None:
    columns = [{"name": 'odd "name', "type": "text"}, {"name": "n", "type": "whole number"}]
    rows = [[f"r{number}", number] for number in range(300)]
    result = Workbench().run("manual_table", {"columns": columns, "rows": rows})
    assert result.names == ['odd "name', "n"]
    assert result.rows == [tuple(row) for row in rows]


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("whole number", "1.5"),
        ("whole number", True),
        ("whole number", 2**70),
        ("number", "many"),
        ("number", "nan"),
        ("DECIMAL(4,2)", 123.4),
        ("DECIMAL(4,2)", "1.234"),
        ("boolean", "maybe"),
        ("date", "31.12.2024"),
        ("text", ["a", "list"]),
        ("UTINYINT", -1),
    ],
)
def test_a_value_that_does_not_fit_is_named_by_its_place(kind: str, value: Any) -> None:
    good = None
    (fault,) = faults("manual_table", config(kind, good, value))
    assert (fault.code, fault.path) == ("F303", ("rows", "1", "0"))
    assert "Row 2, column 'x'" in fault.message


def test_every_fault_is_listed_at_once() -> None:
    columns = [{"name": "a", "type": "whole number"}, {"name": "b", "type": "date"}]
    found = faults("manual_table", {"columns": columns, "rows": [["x", "y"], [1], ["z", None]]})
    assert [fault.path for fault in found] == [
        ("rows", "0", "0"),
        ("rows", "0", "1"),
        ("rows", "1"),
        ("rows", "2", "0"),
    ]


def test_columns_are_checked_before_rows() -> None:
    columns = [{"name": "a", "type": "nonsense"}, {"name": "A", "type": "text"}, {"name": "u", "type": "UUID"}]
    found = faults("manual_table", {"columns": columns, "rows": [[1]]})
    assert {(fault.code, fault.path) for fault in found} == {
        ("F303", ("columns", "0", "type")),
        ("F406", ("columns", "1", "name")),
        ("F303", ("columns", "2", "type")),
    }
