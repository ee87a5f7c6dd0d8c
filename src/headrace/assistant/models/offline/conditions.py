"""Looks into conditions: the comparisons in them, what they compare, and whether they speak of figures or of times."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .meaning import Both, Either, Items, Measure, Not, Number, Period, Role, Test

FIGURES = ("share", "change", "count", "figure", "sum", "mean", "median")
"""Roles of what is only there once it is worked out."""


def tests_in(condition: Any) -> Iterator[Test]:
    """Yield the comparisons of a condition."""
    match condition:
        case Test():
            yield condition
        case Not(of=inner):
            yield from tests_in(inner)
        case Either(of=parts) | Both(of=parts):
            for part in parts:
                yield from tests_in(part)


def replaced_tests(condition: Any, change: Callable[[Test], Test]) -> Any:
    """Return a condition with each of its comparisons changed."""
    match condition:
        case Test():
            return change(condition)
        case Not(of=inner):
            return Not(replaced_tests(inner, change))
        case Either(of=parts) | Both(of=parts):
            return type(condition)(tuple(replaced_tests(part, change) for part in parts))
    return condition


def values_of(test: Test) -> tuple[Any, ...]:
    """Return what stands on the right of a comparison."""
    right = test.right
    return right.of if isinstance(right, Items) else right if isinstance(right, tuple) else (right,)


def measures_in(condition: Any) -> list[Measure]:
    """Return the figures that a condition speaks of."""
    return [test.left for test in tests_in(condition) if isinstance(test.left, Measure)]


def speaks_of_figure(condition: Any) -> bool:
    """Return whether a condition is about a figure: one that it names, or `over 30` with nothing said."""
    return any(
        isinstance(test.left, Measure)
        or (isinstance(test.left, Role) and test.left.name in FIGURES)
        or (test.left is None and all(isinstance(value, Number) for value in values_of(test)))
        for test in tests_in(condition)
    )


def speaks_of_time(condition: Any) -> bool:
    """Return whether a condition is about stretches of time with their year: not `in June`, which is a season."""
    periods = [value for test in tests_in(condition) for value in values_of(test) if isinstance(value, Period)]
    return bool(periods) and all(period.year or period.day for period in periods)
