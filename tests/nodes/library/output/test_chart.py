"""`chart`: the points it shows, the columns it takes, the pictures it writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from headrace.nodes.spec import Effect, Inputs, NodeFault, Produced
from tests.nodes.running import HandContext, configured

SALES = """SELECT * FROM (VALUES ('north', DATE '2024-01-01', 10, 1.5), ('south', DATE '2024-02-01', 20, 2.5),
           ('north', DATE '2024-02-01', 30, NULL)) v(region, day, amount, weight)"""


def run(context: HandContext, inputs: Inputs, **config: Any) -> Produced:
    node_type, parsed = configured("chart", config)
    return node_type.run(parsed, inputs, context)


def points(produced: Produced) -> list[dict[str, Any]]:
    return produced.outputs["chart"]["spec"]["data"]["values"]


def notes(produced: Produced) -> list[str]:
    return produced.outputs["chart"]["spec"]["title"].get("subtitle", [])


def examine(context: HandContext, inputs: Inputs, **config: Any) -> list[tuple[str, tuple[str, ...]]]:
    node_type, parsed = configured("chart", config)
    return [(fault.code, fault.path) for fault in node_type.examine(parsed, inputs, context)]


class TestPoints:
    def test_the_value_names_what_is_drawn(self, tmp_path: Path) -> None:
        context = HandContext(tmp_path)
        produced = run(context, context.put("t", SALES), kind="line", x="DAY", y="amount", series="region")
        value = produced.outputs["chart"]
        assert {key: value[key] for key in ("type", "x", "y", "series")} == {
            "type": "line",
            "x": "day",
            "y": "amount",
            "series": "region",
        }

    def test_bars_stand_in_the_order_of_the_table(self, tmp_path: Path) -> None:
        context = HandContext(tmp_path)
        inputs = context.put("t", "SELECT * FROM (VALUES ('c', 1), ('a', 3), ('b', 2)) v(x, y)")
        assert [point["x"] for point in points(run(context, inputs, x="x", y="y"))] == ["c", "a", "b"]

    def test_rows_that_share_a_bar_are_added_up_and_that_is_said(self, tmp_path: Path) -> None:
        context = HandContext(tmp_path)
        produced = run(context, context.put("t", SALES), x="region", y="amount")
        assert points(produced) == [{"x": "north", "y": 40}, {"x": "south", "y": 20}]
        assert notes(produced) == ["Rows with the same region are added up."]

    def test_without_y_rows_are_counted_the_most_frequent_first(self, tmp_path: Path) -> None:
        context = HandContext(tmp_path)
        inputs = context.put("t", "SELECT unnest(['b', 'a', 'a', NULL, 'a', 'b']) AS x")
        assert points(run(context, inputs, x="x")) == [
            {"x": "a", "y": 3},
            {"x": "b", "y": 2},
            {"x": "(missing)", "y": 1},
        ]

    def test_counts_along_numbers_and_dates_keep_their_order(self, tmp_path: Path) -> None:
        context = HandContext(tmp_path)
        inputs = context.put("t", "SELECT unnest([2012, 2010, 2012, 2011]) AS year")
        assert [point["x"] for point in points(run(context, inputs, x="year"))] == ["2010", "2011", "2012"]

    def test_a_histogram_counts_every_number_once_in_even_bins(self, tmp_path: Path) -> None:
        context = HandContext(tmp_path)
        inputs = context.put(
            "t", "SELECT i * 0.1 AS x FROM range(1000) r(i) UNION ALL SELECT NULL UNION ALL SELECT 'nan'::DOUBLE"
        )
        values = points(run(context, inputs, kind="histogram", x="x", bins=10))
        assert sum(point["y"] for point in values) == 1000
        assert [(point["x"], point["end"]) for point in values] == [(i * 10, i * 10 + 10) for i in range(10)]

    def test_a_histogram_of_nothing_and_of_one_value_is_drawn(self, tmp_path: Path) -> None:
        context = HandContext(tmp_path)
        nothing = run(context, context.put("t", "SELECT NULL::DOUBLE AS x"), kind="histogram", x="x")
        assert (points(nothing), notes(nothing)) == ([], ["There are no numbers to count."])
        one = run(context, context.put("t", "SELECT 7 AS x"), kind="histogram", x="x")
        assert points(one) == [{"x": 7, "y": 1, "end": 8}]

    def test_of_too_many_points_some_are_drawn_evenly_and_that_is_said(self, tmp_path: Path) -> None:
        context = HandContext(tmp_path)
        inputs = context.put("t", "SELECT i AS x, i AS y FROM range(12000) r(i)")
        produced = run(context, inputs, kind="scatter", x="x", y="y")
        assert [point["x"] for point in points(produced)] == list(range(0, 12_000, 3))
        assert notes(produced) == ["One row in 3 of 12,000 is drawn."]

    @pytest.mark.parametrize(
        ("config", "path"),
        [
            ({"x": "i"}, ("x",)),
            ({"kind": "line", "x": "i"}, ("x",)),
            ({"kind": "scatter", "x": "i", "y": "i", "series": "i"}, ("series",)),
        ],
    )
    def test_more_than_can_be_told_apart_is_refused(
        self, tmp_path: Path, config: dict[str, Any], path: tuple[str, ...]
    ) -> None:
        context = HandContext(tmp_path)
        with pytest.raises(NodeFault) as caught:
            run(context, context.put("t", "SELECT i FROM range(6000) r(i)"), **config)
        (fault,) = caught.value.faults
        assert (fault.code, fault.path) == ("F402", path)


class TestColumns:
    def test_good_charts_are_silent(self, tmp_path: Path) -> None:
        context = HandContext(tmp_path)
        inputs = context.put("t", SALES)
        for config in (
            {"x": "region"},
            {"x": "region", "y": "amount", "series": "day"},
            {"kind": "line", "x": "day", "y": "weight"},
            {"kind": "scatter", "x": "amount", "y": "weight"},
            {"kind": "histogram", "x": "weight"},
        ):
            assert examine(context, inputs, **config) == []

    def test_unknown_columns_are_all_named_with_near_ones(self, tmp_path: Path) -> None:
        context = HandContext(tmp_path)
        inputs = context.put("t", SALES)
        assert examine(context, inputs, x="regoin", y="amuont", series="zzz") == [
            ("F401", ("x",)),
            ("F401", ("y",)),
            ("F401", ("series",)),
        ]
        node_type, parsed = configured("chart", {"x": "regoin"})
        (fault,) = node_type.examine(parsed, inputs, context)
        assert fault.suggestions[0].value == "region"

    @pytest.mark.parametrize(
        ("config", "code", "path"),
        [
            ({"x": "day", "y": "region"}, "F402", ("y",)),
            ({"kind": "histogram", "x": "region"}, "F402", ("x",)),
            ({"kind": "scatter", "x": "region", "y": "amount"}, "F402", ("x",)),
            ({"kind": "scatter", "x": "amount"}, "F301", ("y",)),
            ({"x": "region", "path": "out.gif"}, "F303", ("path",)),
        ],
    )
    def test_columns_of_a_wrong_type_are_named(
        self, tmp_path: Path, config: dict[str, Any], code: str, path: tuple[str, ...]
    ) -> None:
        context = HandContext(tmp_path)
        inputs = context.put("t", SALES)
        assert examine(context, inputs, **config) == [(code, path)]
        with pytest.raises(NodeFault):
            run(context, inputs, **config)


class TestPictures:
    @pytest.mark.parametrize(("name", "start"), [("out.svg", b"<svg"), ("out.PNG", b"\x89PNG")])
    def test_a_picture_is_written_where_a_path_is_given(self, tmp_path: Path, name: str, start: bytes) -> None:
        context = HandContext(tmp_path)
        produced = run(context, context.put("t", SALES), x="region", y="amount", path=name)
        assert (tmp_path / name).read_bytes().startswith(start)
        assert produced.summary == f"wrote {name}"

    def test_a_dry_run_draws_and_writes_nothing(self, tmp_path: Path) -> None:
        context = HandContext(tmp_path, dry_run=True)
        produced = run(context, context.put("t", SALES), x="region", y="amount", path="out.svg")
        assert produced.summary == "would write out.svg"
        assert points(produced)
        assert list(tmp_path.iterdir()) == []

    def test_a_picture_that_is_there_is_kept(self, tmp_path: Path) -> None:
        (tmp_path / "out.svg").write_text("precious")
        context = HandContext(tmp_path)
        inputs = context.put("t", SALES)
        assert examine(context, inputs, x="region", path="out.svg") == [("F511", ("path",))]
        with pytest.raises(NodeFault):
            run(context, inputs, x="region", path="out.svg")
        assert (tmp_path / "out.svg").read_text() == "precious"

    def test_a_chart_writes_only_where_it_has_a_path(self) -> None:
        node_type, plain = configured("chart", {"x": "a"})
        _, writing = configured("chart", {"x": "a", "path": "a.svg"})
        assert node_type.effects_of(plain) == {Effect.PURE}
        assert node_type.effects_of(writing) == {Effect.WRITES}
