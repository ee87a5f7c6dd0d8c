"""Writes comparisons of a column with a stretch of time as SQL."""

from __future__ import annotations

from .fields import Field
from .meaning import Period
from .sql_words import quoted


def year_of(column: Field) -> str:
    """Return the year of a column: of a date its part, of a number itself."""
    return quoted(column.name) if column.kind == "number" else f"year({quoted(column.name)})"


def within(column: Field, op: str, period: Period) -> str | None:
    """Return a comparison of a column with a period as SQL."""
    name, number = quoted(column.name), column.kind == "number"
    match period.unit:
        case "year":
            return f"{year_of(column)} {op} {period.year}"
        case "decade" if period.year is not None:
            first, last = period.year, period.year + 9
            edge = f"BETWEEN {first} AND {last}" if op == "=" else f"{op} {last if op in ('>', '<=') else first}"
            return f"{year_of(column)} {edge}"
        case "month" | "quarter" if period.year is None or number:
            return f"{name if number else f'{period.unit}({name})'} {op} {period.number}"
        case "month" | "quarter" if period.year is not None and period.number is not None:
            months = 1 if period.unit == "month" else 3
            first = (period.year * 12) + (period.number - 1) * months
            return _span(name, op, first=_first_day(first), after=_first_day(first + months))
        case "day":
            return None if number else f"CAST({name} AS DATE) {op} DATE '{period.day}'"
        case "weekday":
            return f"isodow({name}) = {period.number}"
        case "weekend":
            return f"isodow({name}) >= 6"
    return None


def _first_day(months: int) -> str:
    return f"{months // 12:04d}-{months % 12 + 1:02d}-01"


def _span(name: str, op: str, *, first: str, after: str) -> str:
    if op == "=":
        return f"{name} >= DATE '{first}' AND {name} < DATE '{after}'"
    return f"{name} {op[0]}{'=' if op[0] == '>' else ''} DATE '{first if op in ('>=', '<') else after}'"
