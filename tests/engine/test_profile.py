"""Columns in figures."""

from __future__ import annotations

import json


def profiled(lab, columns, rows):
    table = {"columns": [{"name": name, "type": kind} for name, kind in columns], "rows": rows}
    outcome = lab.run(lab.flow({"t": ("manual_table", table)}), profiles=frozenset({"t"}))
    assert outcome.status == "succeeded"
    found = outcome.results["t"].profile
    json.dumps([each.model_dump(mode="json") for each in found], allow_nan=False)
    return {each.name: each for each in found}


class TestProfile:
    def test_it_says_nulls_distinct_values_extremes_and_the_most_frequent(self, lab):
        rows = [["north", 1], ["south", 2], ["north", None], [None, 4], ["north", 4]]
        found = profiled(lab, [("region", "VARCHAR"), ("n", "BIGINT")], rows)
        region, n = found["region"], found["n"]
        assert (region.nulls, region.distinct, region.min, region.max, region.mean) == (1, 2, "north", "south", None)
        assert region.top == (("north", 3), ("south", 1))
        assert (n.nulls, n.distinct, n.min, n.max, n.mean) == (1, 3, 1, 4, 2.75)
        assert n.top == ((4, 2), (1, 1), (2, 1))

    def test_an_empty_table_has_a_profile_too(self, lab):
        found = profiled(lab, [("a", "DOUBLE")], [])
        assert (found["a"].nulls, found["a"].distinct, found["a"].min, found["a"].top) == (0, 0, None, ())

    def test_types_without_an_order_have_no_extremes(self, lab, big):
        flow = lab.flow(
            {
                "t": ("manual_table", {"columns": [{"name": "a", "type": "BIGINT"}], "rows": [[1], [2]]}),
                "more": (
                    "formula",
                    {
                        "columns": [
                            {"name": "list", "expression": "list_value(a)"},
                            {"name": "day", "expression": "DATE '2026-01-01' + CAST(a AS INTEGER)"},
                            {"name": "price", "expression": "CAST(a AS DECIMAL(9,2))"},
                            {"name": "yes", "expression": "a = 1"},
                            {"name": "odd", "expression": "CAST('nan' AS DOUBLE)"},
                        ]
                    },
                ),
            },
            "t > more",
        )
        outcome = lab.run(flow, profiles=frozenset({"more"}))
        found = {each.name: each for each in outcome.results["more"].profile}
        assert (found["list"].min, found["list"].distinct, found["list"].top) == (None, 2, ())
        assert (found["day"].min, found["day"].max) == ("2026-01-02", "2026-01-03")
        assert (found["price"].min, found["price"].mean) == ("1.00", 1.5)
        assert (found["yes"].min, found["yes"].max) == (False, True)
        assert (found["odd"].min, found["odd"].mean) == ("NaN", None)

    def test_what_would_flow_is_profiled_whole(self, lab, big):
        (lab.folder / "big.csv").hardlink_to(big)
        flow = lab.flow({"read": ("read_file", {"path": "big.csv"})})
        outcome = lab.run(flow, profiles=frozenset({"read"}))
        found = {each.name: each for each in outcome.results["read"].profile}
        assert (found["id"].min, found["id"].max) == (0, 119_999)
        assert abs(found["note"].distinct / 120_000 - 1) < 0.2
        assert found["region"].distinct == 4
        assert found["region"].top[0] == ("east", 30_000)
