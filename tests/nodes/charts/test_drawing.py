"""Specifications: scales that fit the types, labels that can be read, and pictures made without any address."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest

from headrace.nodes.charts import Drawing, draw, render, themed


def drawn(kind: str, rows: list[tuple[Any, ...]], x_type: str = "VARCHAR", **more: Any) -> dict[str, Any]:
    return draw(Drawing(kind=kind, x="a.b[c]", x_type=x_type, y="y", **more), rows)  # ty: ignore[invalid-argument-type]


class TestScales:
    def test_dates_run_along_a_time_axis_in_utc(self) -> None:
        spec = drawn("line", [(date(2024, 1, 1), 1), (datetime(2024, 1, 2, 3), 2)], "TIMESTAMP")
        assert spec["encoding"]["x"]["type"] == "temporal"
        assert spec["encoding"]["x"]["scale"] == {"type": "utc"}
        assert [point["x"] for point in spec["data"]["values"]] == ["2024-01-01", "2024-01-02T03:00:00Z"]

    def test_years_are_written_without_separators(self) -> None:
        assert drawn("line", [(2010, 1), (2011, 2)], "BIGINT")["encoding"]["x"]["axis"] == {"format": "d"}
        assert "axis" not in drawn("line", [(20_100, 1)], "BIGINT")["encoding"]["x"]

    def test_words_keep_the_order_of_the_table(self) -> None:
        assert drawn("bar", [("b", 1), ("a", 2)])["encoding"]["x"]["sort"] is None
        assert drawn("line", [("b", 1), ("a", 2)])["encoding"]["x"]["sort"] is None

    def test_values_that_json_has_not_are_made_plain(self) -> None:
        spec = drawn("scatter", [(Decimal("1.5"), float("nan")), (float("inf"), 2**70)], "DOUBLE")
        assert spec["data"]["values"] == [{"x": 1.5, "y": None}, {"x": None, "y": 2**70}]

    def test_names_with_dots_and_brackets_are_only_titles(self) -> None:
        spec = drawn("bar", [("b", 1)])
        assert spec["encoding"]["x"]["field"] == "x"
        assert spec["encoding"]["x"]["title"] == "a.b[c]"


class TestBars:
    @pytest.mark.parametrize(
        ("labels", "horizontal", "lying"),
        [
            (["a", "b"], None, False),
            (["a very long label indeed", "b"], None, True),
            (["a very long label indeed", "b"], False, False),
            (["a", "b"], True, True),
        ],
    )
    def test_they_lie_where_labels_are_long_or_it_is_said(
        self, labels: list[str], horizontal: bool | None, lying: bool
    ) -> None:
        spec = drawn("bar", [(label, 1) for label in labels], horizontal=horizontal)
        assert (spec["encoding"]["y"]["field"] == "x") is lying

    def test_time_runs_from_left_to_right(self) -> None:
        rows = [(date(2024, 1, day), 1) for day in range(1, 29)]
        assert drawn("bar", rows, "DATE")["encoding"]["x"]["field"] == "x"


class TestTitles:
    @pytest.mark.parametrize(
        ("kind", "more", "title"),
        [
            ("bar", {}, "y by a.b[c]"),
            ("line", {"series": "s"}, "y by a.b[c], by s"),
            ("scatter", {}, "y against a.b[c]"),
            ("bar", {"title": "Mine"}, "Mine"),
        ],
    )
    def test_they_are_made_of_the_names_or_given(self, kind: str, more: dict[str, Any], title: str) -> None:
        assert drawn(kind, [("b", 1, "z")], **more)["title"]["text"] == title

    def test_notes_stand_below_them(self) -> None:
        assert drawn("bar", [("b", 1)], notes=("Sampled.",))["title"]["subtitle"] == ["Sampled."]


class TestPictures:
    def test_svg_and_png_are_made_light_and_dark(self) -> None:
        spec = drawn("bar", [("b", 1), ("é", 2)])
        light, dark = render(spec, "svg"), render(spec, "svg", dark=True)
        assert b"#ffffff" in light
        assert b"#14191f" in dark
        assert render(spec, "png").startswith(b"\x89PNG")
        assert themed(spec, dark=True)["data"] == spec["data"]

    @pytest.mark.parametrize("kind", ["line", "scatter", "histogram"])
    def test_every_kind_draws_marks(self, kind: str) -> None:
        spec = drawn(kind, [(1.0, 2, "s"), (2.0, 3, "s")], "DOUBLE", series="s", bin_width=1.0)
        svg = render(spec, "svg").decode()
        assert "mark-" in svg
        if kind == "histogram":
            bars = re.findall(r'aria-roledescription="bar" d="M[^h]*h([-0-9.]+)', svg)
            assert len(bars) == 2
            assert all(float(width) > 10 for width in bars)

    @pytest.mark.parametrize("data", [{"url": "https://example.com/x.csv"}, {"url": "file:///etc/passwd"}])
    def test_data_by_address_are_refused(self, data: dict[str, str]) -> None:
        with pytest.raises(ValueError, match="must be in the specification itself"):
            render({**drawn("bar", [("b", 1)]), "data": data}, "svg")
