"""Tables as charts: bounded data, axes, titles and order, as one Vega-Lite specification with the data in it.

Owns the choice of scales, labels and directions. Data arrive as
rows of at most three values (x, y, series), which `points` gathers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Literal

from headrace.nodes.types import family

from .theme import theme

Kind = Literal["bar", "line", "scatter", "histogram"]
KINDS: tuple[Kind, ...] = ("bar", "line", "scatter", "histogram")
_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
_WIDTH, _HEIGHT, _BAR = 640, 360, 22
_LONG_LABEL = 14
_YEARS = range(1500, 2200)


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is to be drawn: columns by name and type, and what to call the whole."""

    kind: Kind
    x: str
    x_type: str
    y: str | None = None
    """None: the number of rows."""
    series: str | None = None
    title: str | None = None
    horizontal: bool | None = None
    """bar: None lets the labels decide."""
    notes: tuple[str, ...] = ()
    """Shown under the title: what was left out, sampled or added up."""
    bin_width: float | None = None
    """histogram: the width of a bin; rows then hold (bin's start, count, series)."""

    @property
    def y_title(self) -> str:
        """The name of what is measured."""
        return self.y or "Number of rows"

    def headline(self) -> str:
        """Return the given title, or one made of the columns' names."""
        if self.title:
            return self.title
        if self.kind == "histogram":
            return f"Distribution of {self.x}"
        joined = f"{self.y_title} {'against' if self.kind == 'scatter' else 'by'} {self.x}"
        return f"{joined}, by {self.series}" if self.series else joined


def draw(drawing: Drawing, rows: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """Return the specification of a chart of some rows (x, y[, series]), drawn in their order."""
    points = [_point(row, drawing) for row in rows]
    title: dict[str, Any] = {"text": drawing.headline()}
    if drawing.notes:
        title["subtitle"] = list(drawing.notes)
    encode = {"bar": _bar, "line": _line, "scatter": _scatter, "histogram": _histogram}[drawing.kind]
    spec: dict[str, Any] = {
        "$schema": _SCHEMA,
        "title": title,
        "width": _WIDTH,
        "height": _HEIGHT,
        "data": {"values": points},
        **encode(drawing, points),
        "config": theme(dark=False),
    }
    if drawing.series:
        spec["encoding"]["color"] = {
            "field": "series",
            "type": "nominal",
            "title": drawing.series,
            "sort": None,
            **({"legend": {"symbolType": "stroke"}} if drawing.kind == "line" else {}),
        }
    return spec


def _point(row: Sequence[Any], drawing: Drawing) -> dict[str, Any]:
    moment = family(drawing.x_type) in ("date", "moment")
    point = {"x": _value(row[0], utc=moment and drawing.kind in ("line", "scatter")), "y": _value(row[1])}
    if drawing.series:
        point["series"] = "(missing)" if row[2] is None else _label(row[2])
    if drawing.kind == "bar":
        point["x"] = "(missing)" if row[0] is None else _label(row[0])
    return point


def _label(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime) and value.time() == time():
        return value.date().isoformat()
    return value.isoformat(sep=" ") if isinstance(value, datetime) else str(value)


def _value(value: Any, *, utc: bool = False) -> Any:
    """A cell as JSON holds it; dates as ISO text."""
    match value:
        case None | bool() | int() | str():
            return value
        case Decimal():
            return float(value)
        case float():
            return value if math.isfinite(value) else None
        case datetime():
            return value.isoformat() + ("Z" if utc else "")
        case date() | time():
            return value.isoformat()
        case _:
            return str(value)


def _bar(drawing: Drawing, points: list[dict[str, Any]]) -> dict[str, Any]:
    labels = list(dict.fromkeys(point["x"] for point in points))
    longest = max((len(label) for label in labels), default=0)
    lying = drawing.horizontal
    if lying is None and family(drawing.x_type) in ("date", "moment"):
        lying = False  # time runs from left to right
    if lying is None:
        lying = longest > _LONG_LABEL or (longest > 8 and len(labels) > 12)
    names = {"field": "x", "type": "nominal", "sort": None, "title": drawing.x}
    amounts = {"field": "y", "type": "quantitative", "title": drawing.y_title}
    sizes: dict[str, Any] = {}
    if lying:
        names["axis"] = {"labelLimit": 260}
        sizes["height"] = max(120, _BAR * len(labels))
    else:
        names["axis"] = {"labelAngle": 0 if longest * len(labels) * 7 < _WIDTH else -45}
        sizes["width"] = max(min(_WIDTH, 90 * len(labels) + 60), 14 * len(labels))
    here, there = ("y", "x") if lying else ("x", "y")
    encoding = {here: names, there: amounts, "tooltip": _tooltip(drawing, "nominal")}
    return {"mark": {"type": "bar"}, "encoding": encoding, **sizes}


def _line(drawing: Drawing, points: list[dict[str, Any]]) -> dict[str, Any]:
    across = _across(drawing, points)
    encoding = {"x": across, "y": _up(drawing), "tooltip": _tooltip(drawing, across["type"])}
    return {"mark": {"type": "line", "point": len(points) <= 40}, "encoding": encoding}


def _scatter(drawing: Drawing, points: list[dict[str, Any]]) -> dict[str, Any]:
    across = _across(drawing, points)
    if across["type"] == "quantitative":
        across["scale"] = {"zero": False}
    up = {**_up(drawing), "scale": {"zero": False}}
    return {"mark": {"type": "point"}, "encoding": {"x": across, "y": up, "tooltip": _tooltip(drawing, across["type"])}}


def _histogram(drawing: Drawing, points: list[dict[str, Any]]) -> dict[str, Any]:
    width = drawing.bin_width or 1.0
    for point in points:
        point["end"] = _rounded(point["x"] + width)
        point["x"] = _rounded(point["x"])
    across = {"field": "x", "type": "quantitative", "bin": "binned", "title": drawing.x}
    if _are_years(point["x"] for point in points):
        across["axis"] = {"format": "d"}
    tooltip = [
        {"field": "x", "type": "quantitative", "title": f"{drawing.x} from"},
        {"field": "end", "type": "quantitative", "title": "below"},
        {"field": "y", "type": "quantitative", "title": "Number of rows"},
    ]
    up = {"field": "y", "type": "quantitative", "title": "Number of rows"}
    # Bars between two ends lose their width when their corners are rounded.
    mark = {"type": "bar", "cornerRadiusEnd": 0}
    return {"mark": mark, "encoding": {"x": across, "x2": {"field": "end"}, "y": up, "tooltip": tooltip}}


def _rounded(number: float) -> float:
    """Without the noise of binary fractions: 0.30000000000000004 is 0.3."""
    return float(f"{number:.12g}")


def _across(drawing: Drawing, points: list[dict[str, Any]]) -> dict[str, Any]:
    kind = family(drawing.x_type)
    if kind in ("date", "moment"):
        return {"field": "x", "type": "temporal", "scale": {"type": "utc"}, "title": drawing.x}
    if kind != "number":
        return {"field": "x", "type": "ordinal", "sort": None, "title": drawing.x}
    across: dict[str, Any] = {"field": "x", "type": "quantitative", "title": drawing.x}
    if _are_years(point["x"] for point in points):
        across["axis"] = {"format": "d"}
        across["scale"] = {"zero": False, "nice": False}
    return across


def _are_years(values: Any) -> bool:
    """Whether all numbers are whole and may be years, which are written without a separator."""
    present = [value for value in values if value is not None]
    return bool(present) and all(float(value).is_integer() and int(value) in _YEARS for value in present)


def _up(drawing: Drawing) -> dict[str, Any]:
    return {"field": "y", "type": "quantitative", "title": drawing.y_title}


def _tooltip(drawing: Drawing, x_type: str) -> list[dict[str, Any]]:
    shown = [
        {"field": "x", "type": x_type, "title": drawing.x},
        {"field": "y", "type": "quantitative", "title": drawing.y_title},
    ]
    if drawing.series:
        shown.append({"field": "series", "type": "nominal", "title": drawing.series})
    return shown
