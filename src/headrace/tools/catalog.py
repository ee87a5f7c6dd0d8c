"""The one catalogue of tools. Every door offers these; none adds its own."""

from __future__ import annotations

from . import edit, files, read, run, types
from .spec import Tool


def standard_tools() -> tuple[Tool, ...]:
    """Return all tools: those that read first, then those that edit, then those that run."""
    found = (*types.TOOLS, *read.TOOLS, *files.TOOLS, *edit.TOOLS, *run.TOOLS)
    order = ("read", "edit", "run")
    return tuple(sorted(found, key=lambda tool: order.index(tool.effect)))
