"""Charts as pictures, made on this machine: no font, no data and no library is fetched from anywhere.

Refuses every address: a specification that names data by address draws nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from .theme import theme

Picture = Literal["svg", "png"]
FORMATS: tuple[Picture, ...] = ("svg", "png")
_VEGA_LITE = "5.20"
_PNG_SCALE = 2.0


def themed(spec: Mapping[str, Any], *, dark: bool = False) -> dict[str, Any]:
    """Return a specification in the light or the dark look."""
    return {**spec, "config": theme(dark=dark)}


def render(spec: Mapping[str, Any], picture: Picture, *, dark: bool = False) -> bytes:
    """Return a chart as a picture: SVG as UTF-8 text, PNG at twice its size in pixels.

    Errors: ValueError, where the specification cannot be drawn.
    """
    import vl_convert

    _refuse_addresses(spec)
    text = json.dumps(themed(spec, dark=dark))
    if picture == "svg":
        drawn = vl_convert.vegalite_to_svg(text, vl_version=_VEGA_LITE, allowed_base_urls=[])
        return drawn.encode()
    return vl_convert.vegalite_to_png(text, vl_version=_VEGA_LITE, scale=_PNG_SCALE, allowed_base_urls=[])


def _refuse_addresses(value: Any) -> None:
    if isinstance(value, Mapping):
        for key, item in value.items():
            if key in _ADDRESSES:
                raise ValueError(f"a chart names {key} {item!r}; its data must be in the specification itself")
            if key != "values":
                _refuse_addresses(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _refuse_addresses(item)


_ADDRESSES = frozenset({"url", "href"})
