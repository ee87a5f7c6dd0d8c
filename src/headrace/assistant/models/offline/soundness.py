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
    for at, piece in enumerate(work.sketch.main[1:], 1):
        names = {f.name for f in work.sketch.columns(at)}
        lost = [name for name in _needs(piece) if name not in names]
        if lost:
            raise Unclear(f"“{piece.title}” needs {listed(lost)}, which would be gone. What shall become of it?")


def columns_in(text: str) -> set[str]:
    """Return the columns that SQL names."""
    return set(re.findall(r'"([^"]+)"', text))


def rewrite(work: Work, old: str, new: str, *, start: int) -> None:
    """Write another name for a column into everything behind a place."""
    for piece in [*work.sketch.main[start:], *work.sketch.sinks] if old != new else ():
        piece.config = _replaced(piece.config, old, new)


def _replaced(value: Any, old: str, new: str) -> Any:
    if isinstance(value, dict):
        return {new if key == old else key: _replaced(item, old, new) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_replaced(item, old, new) for item in value]
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
            work.tell(sink.title, "is taken out: the columns that it showed are gone", assumed=True)


def _needs(piece: Piece) -> set[str]:
    """Return the columns that a piece takes."""
    config = piece.config
    listed_ones = [*config.get("group_by", ()), *(config.get("keep") or ()), *config.get("drop", ())]
    listed_ones += [key["column"] for key in config.get("by", ())]
    listed_ones += [measure["column"] for measure in config.get("measures", ()) if measure.get("column")]
    listed_ones += [pair["left"] for pair in config.get("on", ())]
    expressions = [config.get("condition", ""), *(column["expression"] for column in _formulas(piece))]
    return set(listed_ones).union(*map(columns_in, expressions))


def _formulas(piece: Piece) -> list[dict[str, Any]]:
    return piece.config.get("columns", []) if piece.type == "formula" else []
