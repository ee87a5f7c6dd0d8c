"""Looks after a change whether every later part still finds its columns. Asks where one does not; never drops it silently."""

from __future__ import annotations

import re
from typing import Any

from .doubts import Unclear, listed
from .sketch import Piece
from .sql_words import quoted
from .work import Work


def check_columns(work: Work) -> None:
    """Refuse where a later part needs a column that went away. Errors: Unclear."""
    for at, piece in enumerate(work.sketch.main):
        names = {f.name for f in work.sketch.columns(at)}
        lost = [name for name in _needs(piece) if name not in names]
        if at > 0 and lost:
            title = piece.title or piece.node_id
            raise Unclear(f"“{title}” needs {listed(lost)}, which would be gone. What shall become of it?")


def rewrite(work: Work, old: str, new: str, *, start: int) -> None:
    """Write another name for a column into everything behind a place."""
    if old == new:
        return
    for piece in [*work.sketch.main[start:], *work.sketch.sinks]:
        piece.config = replaced(piece.config, old, new)
        piece.title = re.sub(rf"\b{re.escape(old)}\b", new, piece.title)


def replaced(value: Any, old: str, new: str) -> Any:
    """Return a config's value with another name for a column in it."""
    if isinstance(value, dict):
        return {new if key == old else key: replaced(item, old, new) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [replaced(item, old, new) for item in value]
    if isinstance(value, str):
        return new if value == old else value.replace(quoted(old), quoted(new))
    return value


def drop_unfit_charts(work: Work) -> None:
    """Take out the charts whose columns are no more, and say so."""
    names = {f.name for f in work.sketch.columns()}
    for sink in list(work.sketch.sinks):
        axes = {sink.config.get(axis) for axis in ("x", "y", "series")} - {None}
        if sink.type == "chart" and not axes <= names:
            work.sketch.sinks.remove(sink)
            work.tell(sink.title or "the chart", "is taken out: the columns that it showed are gone", assumed=True)


def _needs(piece: Piece) -> list[str]:
    """Return the columns that a piece takes."""
    config = piece.config
    match piece.type:
        case "sort":
            return [key["column"] for key in config["by"]]
        case "aggregate":
            measures = config.get("measures", ())
            return [*config.get("group_by", ()), *(m["column"] for m in measures if m.get("column"))]
        case "select":
            return [*(config.get("keep") or ()), *config.get("drop", ())]
        case "filter":
            return re.findall(r'"([^"]+)"', config["condition"])
        case "formula":
            return [name for c in config["columns"] for name in re.findall(r'"([^"]+)"', c["expression"])]
        case "join":
            return [pair["left"] for pair in config["on"]]
    return []
