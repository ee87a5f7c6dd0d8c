"""Templates of how people say things, and a chart that finds every place of a request where one fits.

A template is words with `[optional]` parts, `(this|that)` choices and `{slot:symbol}` places; `{column}` is short for
`{column:column}`, and what `{_x:column}` finds is passed over. A plain word stands for its singular and plural, `sort~` also for its other verb forms, `order!` only
for itself, `\\(` for a bracket. Articles between the parts are passed over. Refuses to know any table: what a symbol such as `column` can be
is given by terminals, functions from a place in the request to what begins there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from headrace.nodes.wordlist import word_set

from .tokens import Token, lemma

PASSED_OVER = word_set(
    "the a an my our their its his her your just also please really exactly simply all that this those these"
)
PASS_COST = 0.02
MOST_MATCHES = 60
"""Matches kept of one symbol at one place; a request that has more is not everyday English."""


@dataclass(frozen=True, slots=True)
class Match:
    """A symbol read at some place: where it ends, what it means, and how far-fetched that is (0 is plain)."""

    end: int
    meaning: Any
    cost: float = 0.0


Terminal = Callable[[int], Iterable[Match]]
Build = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Rule:
    """A symbol, a template for it, and what is made of the template's slots; None refuses the reading."""

    symbol: str
    template: str
    build: Build
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class _Literal:
    words: frozenset[str]
    exact: bool


@dataclass(frozen=True, slots=True)
class _Slot:
    name: str
    symbol: str


@dataclass(frozen=True, slots=True)
class _Choice:
    options: tuple[tuple[Any, ...], ...]


def verb_forms(verb: str) -> frozenset[str]:
    """Return the forms of a regular English verb, with the doubled and dropped letters that may occur."""
    base = verb[:-1] if verb.endswith("e") else verb
    forms = {verb, verb + "s", base + "ing", base + "ed", verb + "es"}
    if re.search(r"[^aeiou][aeiou][^aeiouwxy]$", verb):
        forms |= {verb + verb[-1] + "ing", verb + verb[-1] + "ed"}
    if verb.endswith("y"):
        forms |= {verb[:-1] + "ies", verb[:-1] + "ied"}
    return frozenset(forms)


@lru_cache(maxsize=2048)
def compiled(template: str) -> tuple[Any, ...]:
    """Return a template as a sequence of literals, slots and choices. Errors: ValueError names what cannot be read."""
    parts = re.findall(r"\{[^{}]*\}|\\[()\[\]]|[\[\]()|]|[^\s\[\](){}|\\]+", template)
    sequence, rest = _sequence(parts, 0, template)
    if rest != len(parts):
        raise ValueError(f"The template {template!r} has {parts[rest]!r} without its opening; pair the brackets.")
    return sequence


def _sequence(parts: Sequence[str], at: int, template: str) -> tuple[tuple[Any, ...], int]:
    made: list[Any] = []
    while at < len(parts) and parts[at] not in ")]|":
        part = parts[at]
        if part in "([":
            options = []
            while True:
                option, at = _sequence(parts, at + 1, template)
                options.append(option)
                if at >= len(parts):
                    raise ValueError(f"The template {template!r} does not close {part!r}; pair the brackets.")
                if parts[at] != "|":
                    break
            made.append(_Choice((*options, ()) if part == "[" else tuple(options)))
        elif part.startswith("{"):
            name, _, symbol = part[1:-1].partition(":")
            made.append(_Slot(name, symbol or name))
        elif part.startswith("\\"):
            made.append(_Literal(frozenset(part[1:]), exact=True))
        elif part.endswith("~"):
            made.append(_Literal(verb_forms(part[:-1]), exact=True))
        elif part.endswith("!"):
            made.append(_Literal(frozenset({part[:-1]}), exact=True))
        else:
            made.append(_Literal(frozenset({part, lemma(part)}), exact=False))
        at += 1
    return tuple(made), at


def _first_words(sequence: tuple[Any, ...]) -> frozenset[str] | None:
    """Return the words that can begin a template; None where anything may."""
    words: set[str] = set()
    for item in sequence:
        if isinstance(item, _Slot):
            return None
        if isinstance(item, _Literal):
            return frozenset(words | item.words)
        open_end = False
        for option in item.options:
            first = _first_words(option)
            if option and first is None:
                return None
            words |= first or frozenset()
            open_end = open_end or not option
        if not open_end:
            return frozenset(words)
    return None if sequence else frozenset()


@dataclass(slots=True)
class Grammar:
    """Rules by symbol, ready to be matched."""

    rules: Iterable[Rule]
    _by_symbol: dict[str, list[tuple[Rule, tuple[Any, ...], frozenset[str] | None]]] = field(
        default_factory=dict, init=False
    )

    def __post_init__(self) -> None:
        for rule in self.rules:
            sequence = compiled(rule.template)
            self._by_symbol.setdefault(rule.symbol, []).append((rule, sequence, _first_words(sequence)))

    def of(self, symbol: str) -> list[tuple[Rule, tuple[Any, ...], frozenset[str] | None]]:
        """Return a symbol's rules with their templates and first words."""
        return self._by_symbol.get(symbol, [])

    def words(self) -> frozenset[str]:
        """Return every word that some template holds."""
        found: set[str] = set()

        def collect(sequence: tuple[Any, ...]) -> None:
            for item in sequence:
                if isinstance(item, _Literal):
                    found.update(item.words)
                elif isinstance(item, _Choice):
                    for option in item.options:
                        collect(option)

        for rules in self._by_symbol.values():
            for _, sequence, _ in rules:
                collect(sequence)
        return frozenset(found)


@dataclass(slots=True)
class Chart:
    """All readings of one request under a grammar, found when asked for and kept."""

    grammar: Grammar
    tokens: Sequence[Token]
    terminals: Mapping[str, Terminal]
    _kept: dict[tuple[str, int], tuple[Match, ...]] = field(default_factory=dict, init=False)

    def at(self, symbol: str, start: int) -> tuple[Match, ...]:
        """Return the readings of a symbol that begin at a token, the plain ones first."""
        key = (symbol, start)
        kept = self._kept.get(key)
        if kept is not None:
            return kept
        self._kept[key] = ()  # a rule that begins with its own symbol finds nothing there
        found = list(self.terminals[symbol](start)) if symbol in self.terminals else []
        word = self.tokens[start] if start < len(self.tokens) else None
        for rule, sequence, first in self.grammar.of(symbol):
            if first is not None and (word is None or not self._may_begin(start, first)):
                continue
            for end, bound, cost in self._sequence(sequence, start, 0):
                if end == start:
                    continue
                meaning = rule.build(**{name: value for name, value in bound if not name.startswith("_")})
                if meaning is not None:
                    found.append(Match(end, meaning, cost + rule.cost))
        best: dict[Any, Match] = {}
        for match in found:
            known = best.get((match.end, match.meaning))
            if known is None or match.cost < known.cost:
                best[(match.end, match.meaning)] = match
        result = tuple(sorted(best.values(), key=lambda match: (match.cost, -match.end))[:MOST_MATCHES])
        self._kept[key] = result
        return result

    def _may_begin(self, start: int, first: frozenset[str]) -> bool:
        for at in range(start, min(start + 3, len(self.tokens))):
            token = self.tokens[at]
            if token.word in first or token.lemma in first:
                return True
            if token.word not in PASSED_OVER:
                return False
        return False

    def _sequence(
        self, sequence: tuple[Any, ...], start: int, at: int
    ) -> Iterator[tuple[int, tuple[tuple[str, Any], ...], float]]:
        """Yield each way to read the template's items from `at` on: where it ends, the slots, the cost."""
        if at == len(sequence):
            yield start, (), 0.0
            return
        for end, bound, cost in self._item(sequence[at], start):
            for last, more, further in self._sequence(sequence, end, at + 1):
                yield last, bound + more, cost + further

    def _item(self, item: Any, start: int) -> Iterator[tuple[int, tuple[tuple[str, Any], ...], float]]:
        if isinstance(item, _Choice):
            for option in item.options:
                yield from self._sequence(option, start, 0)
            return
        if isinstance(item, _Literal):
            for place, cost in self._places(start):
                token = self.tokens[place]
                if token.word in item.words or (not item.exact and token.lemma in item.words):
                    yield place + 1, (), cost
                    return
            return
        for place, cost in self._places(start):
            for match in self.at(item.symbol, place):
                yield match.end, ((item.name, match.meaning),), cost + match.cost

    def _places(self, start: int) -> Iterator[tuple[int, float]]:
        """Yield where the next item may stand: here, or past an article or two."""
        cost = 0.0
        for place in range(start, min(start + 3, len(self.tokens))):
            yield place, cost
            if self.tokens[place].word not in PASSED_OVER or self.tokens[place].kind == "quoted":
                return
            cost += PASS_COST
