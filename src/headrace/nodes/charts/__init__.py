"""Charts: tables as Vega-Lite specifications, and those as pictures."""

from .drawing import KINDS, Drawing, draw
from .picture import FORMATS, render, themed
from .points import Axes, Points, gather

__all__ = ["FORMATS", "KINDS", "Axes", "Drawing", "Points", "draw", "gather", "render", "themed"]
