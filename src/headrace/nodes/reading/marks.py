"""The marks by which a conversion that stopped a run is found again, and types in words."""

from __future__ import annotations

from headrace.nodes.types import is_number, is_whole

from .found import DATE, MOMENT, TIME, TRUTH, Found, FoundColumn


def marker(found: Found, column: FoundColumn) -> str:
    """Return the text that a strict conversion raises in front of the value that it cannot convert."""
    kind = kind_of(column.type)
    return f"[{found.key}] Column {column.name!r} was read as {kind} from the start of the file, but holds: "


def kind_of(column_type: str) -> str:
    """Return what a column of this type holds, in words."""
    if is_whole(column_type):
        return "whole numbers"
    if is_number(column_type):
        return "numbers"
    return {DATE: "dates", MOMENT: "dates with times", TIME: "times", TRUTH: "true and false"}.get(
        column_type, column_type
    )
