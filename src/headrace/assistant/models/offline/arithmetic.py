"""Reads arithmetic over columns and numbers, in signs or words, by climbing precedence. Refuses anything else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .grammar import Chart, Match
from .meaning import Formula, Number
from .tokens import Token

SIGNS = {
    "+": "+",
    "-": "-",
    "–": "-",
    "*": "*",
    "×": "*",
    "x": "*",
    "/": "/",
    "÷": "/",
    "**": "^",
    "plus": "+",
    "minus": "-",
    "times": "*",
}
PAIRS = {("multiplied", "by"): "*", ("divided", "by"): "/", ("divided", "through"): "/", ("multiplied", "with"): "*"}
STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}
DEEPEST = 12


class Arithmetic:
    """The formulas of one request: at a place, what begins there."""

    def __init__(self, chart: Chart, tokens: Sequence[Token]) -> None:
        self._chart = chart
        self._tokens = tokens

    def formulas(self, start: int) -> Iterator[Match]:
        """Yield formulas with at least one sign that begin at a token."""
        for match in self._climb(start, 1, 0):
            if isinstance(match.meaning, Formula):
                yield match

    def operands(self, start: int) -> Iterator[Match]:
        """Yield a column, figure or number, or a formula in brackets."""
        yield from self._primary(start, 0)

    def _sign(self, at: int) -> tuple[str, int] | None:
        if at >= len(self._tokens):
            return None
        word = self._tokens[at].word
        if word in SIGNS and self._tokens[at].kind in ("mark", "word"):
            return SIGNS[word], at + 1
        pair = (word, self._tokens[at + 1].word) if at + 1 < len(self._tokens) else None
        return (PAIRS[pair], at + 2) if pair in PAIRS else None

    def _climb(self, start: int, least: int, depth: int) -> list[Match]:
        """Return readings from a place on whose signs bind at least so strongly."""
        if depth > DEEPEST:
            return []
        grown = list(self._primary(start, depth))
        found = list(grown)
        while grown:
            longer = []
            for left in grown:
                sign = self._sign(left.end)
                if sign is None or STRENGTH[sign[0]] < least:
                    continue
                for right in self._climb(sign[1], STRENGTH[sign[0]] + 1, depth + 1):
                    meaning = _applied(sign[0], left.meaning, right.meaning)
                    longer.append(Match(right.end, meaning, left.cost + right.cost))
            best: dict[int, Match] = {}
            for match in longer:
                if match.end not in best or match.cost < best[match.end].cost:
                    best[match.end] = match
            grown = list(best.values())
            found += grown
        return found

    def _primary(self, start: int, depth: int) -> Iterator[Match]:
        while start < len(self._tokens) and self._tokens[start].word in ("the", "of"):
            start += 1
        if start >= len(self._tokens):
            return
        if self._tokens[start].word == "(":
            for inner in self._climb(start + 1, 1, depth + 1):
                if inner.end < len(self._tokens) and self._tokens[inner.end].word == ")":
                    yield Match(inner.end + 1, inner.meaning, inner.cost)
            return
        for match in self._chart.at("column", start):
            if match.end < len(self._tokens) and self._tokens[match.end].word == "squared":
                yield Match(match.end + 1, Formula("^", match.meaning, Number(2)), match.cost)
            yield match
        yield from self._chart.at("number", start)
        for match in self._chart.at("measure", start):
            yield Match(match.end, match.meaning, match.cost + 0.3)
        yield from self._chart.at("role", start)


def _applied(sign: str, left: Any, right: Any) -> Formula:
    """Return two parts under a sign; `price plus 20 %` is a fifth more of the price."""
    if sign in ("+", "-") and isinstance(right, Number) and right.percent:
        part = right.value / 100
        return Formula("*", left, Number(round(1 + part if sign == "+" else 1 - part, 12)))
    return Formula(sign, left, right)
