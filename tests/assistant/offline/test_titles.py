"""Titles of nodes in plain words, made of type and config alone."""

from __future__ import annotations

from typing import Any

import pytest

from headrace.assistant.models.offline.titles import LONGEST, title_of

COUNT = {"name": "count", "function": "count"}


@pytest.mark.parametrize(
    ("type_name", "config", "title"),
    [
        ("read_file", {"path": "data/orders.csv"}, "Read orders.csv"),
        ("filter", {"condition": "\"paid_with\" = 'card'"}, "Only where paid with is card"),
        ("filter", {"condition": "\"city\" IN ('Ulm', 'Bonn')"}, "Only where city is Ulm or Bonn"),
        ("filter", {"condition": '"price" BETWEEN 2 AND 5'}, "Only where price is between 2 and 5"),
        ("filter", {"condition": 'year("sold") >= 2020'}, "Only where year of sold is at least 2020"),
        ("filter", {"condition": '"fee" IS NULL OR "fee" > 3'}, "Only where fee is missing or fee is above 3"),
        ("filter", {"condition": "contains(lower(\"name\"), lower('Tea'))"}, "Only where name contains Tea"),
        ("select", {"keep": ["name", "unit_price"]}, "Keep name, unit price"),
        ("select", {"rename": {"a": "b"}}, "Rename a to b"),
        ("formula", {"columns": [{"name": "fee", "expression": 'round("fee", 1)'}]}, "Round fee to 1 decimal place"),
        ("formula", {"columns": [{"name": "fee", "expression": '"a" * 2'}]}, "Add fee"),
        ("aggregate", {"group_by": ["city"], "measures": [COUNT]}, "Number of rows by city"),
        ("aggregate", {"group_by": [], "measures": [{"name": "total_quantity"}]}, "Total quantity"),
        ("sort", {"by": [{"column": "total_fee", "descending": True}]}, "Sort by total fee, largest first"),
        ("limit", {"count": 10}, "First 10"),
        ("distinct", {}, "Each row once"),
        ("fill_missing", {"method": "value", "columns": ["fee"], "value": 0}, "Fill gaps in fee with 0"),
        ("chart", {"kind": "bar", "x": "city", "y": "total_fee"}, "Bar chart of total fee by city"),
        ("random_sample", {}, "Random sample"),
    ],
)
def test_a_title_says_what_the_node_does(type_name: str, config: dict[str, Any], title: str) -> None:
    assert title_of(type_name, config) == title


def test_a_join_names_the_file_that_comes_in_from_the_side() -> None:
    assert title_of("join", {"how": "left"}, ["data/suppliers.csv"]) == "Match with suppliers.csv"


def test_a_long_title_is_cut() -> None:
    title = title_of("select", {"keep": [f"column_{number}" for number in range(30)]})
    assert len(title) <= LONGEST
    assert title.endswith("…")
