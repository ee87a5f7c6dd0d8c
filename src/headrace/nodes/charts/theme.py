"""How charts look: one restrained palette, light and dark.

Owns every colour and size of a chart.
"""

from __future__ import annotations

from typing import Any

FONT = "Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
_LIGHT = {"ink": "#1f2933", "soft": "#52606d", "line": "#d5dbe1", "paper": "#ffffff"}
_DARK = {"ink": "#e8edf2", "soft": "#9fb0c0", "line": "#33414e", "paper": "#14191f"}
_SERIES = {
    False: ("#2f6f9f", "#d07a2d", "#4b9a6a", "#b3506b", "#7c6bb0", "#8d7a52", "#3f9aa8", "#8b949e"),
    True: ("#6aaee0", "#e6a15c", "#7cc796", "#df8ba2", "#ac9fdd", "#c2ae82", "#74c7d3", "#aab4be"),
}


def theme(*, dark: bool) -> dict[str, Any]:
    """Return the `config` of a specification."""
    tone = _DARK if dark else _LIGHT
    series = list(_SERIES[dark])
    return {
        "background": tone["paper"],
        "font": FONT,
        "padding": 12,
        "view": {"stroke": None},
        "title": {
            "anchor": "start", "color": tone["ink"], "fontSize": 15, "fontWeight": 600, "offset": 12,
            "subtitleColor": tone["soft"], "subtitleFontSize": 12, "subtitlePadding": 4,
        },
        "axis": {
            "domainColor": tone["line"], "gridColor": tone["line"], "gridOpacity": 0.6, "tickColor": tone["line"],
            "labelColor": tone["soft"], "titleColor": tone["soft"], "labelFontSize": 11, "titleFontSize": 12,
            "titleFontWeight": 500, "titlePadding": 10, "labelLimit": 220, "labelOverlap": "parity",
        },
        "legend": {
            "labelColor": tone["soft"], "titleColor": tone["soft"], "labelFontSize": 11, "titleFontSize": 12,
            "titleFontWeight": 500, "symbolType": "circle", "labelLimit": 180,
        },
        "bar": {"color": series[0], "cornerRadiusEnd": 2},
        "line": {"color": series[0], "strokeWidth": 2},
        "point": {"color": series[0], "filled": True, "opacity": 0.7, "size": 36},
        "range": {"category": series},
    }  # fmt: skip
