"""Charts: tables as Vega-Lite specifications, and those as pictures."""

from .drawing import KINDS, Drawing, draw
from .picture import FORMATS, render, themed

__all__ = ["FORMATS", "KINDS", "Drawing", "draw", "render", "themed"]
