"""What adjectives of degree and words of trade can begin at a place: `heaviest`, `more expensive`, `revenue`, `sold`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .adjectives import COMPARATIVES, SUPERLATIVES, Degree, most
from .fields import UNITS, likeness, typo, words_of
from .grammar import Match
from .known import Known
from .meaning import Measure, Role, Rows, Superlative
from .tokens import Token
from .vocabulary import DONE, MONEY, QUANTITIES, SOLD


class Degrees:
    """The degrees and deals of one request, each with the columns at hand that it can speak of."""

    def __init__(self, tokens: Sequence[Token], known: Known) -> None:
        self.tokens = tokens
        self.known = known

    def table(self) -> dict[str, Any]:
        """Return the terminals by symbol."""
        return {
            "superlative": self.superlative,
            "extreme": self.extreme,
            "comparative": self.comparative,
            "business": self.business,
            "traded": self.traded,
        }

    def _token(self, at: int) -> Token | None:
        return self.tokens[at] if at < len(self.tokens) else None

    def superlative(self, at: int) -> Iterator[Match]:
        """Yield `heaviest`, `most expensive`."""
        token = self._token(at)
        if token is None or token.kind != "word":
            return
        if token.word in SUPERLATIVES:
            yield from self._degrees(SUPERLATIVES[token.word], (at, at + 1))
        after = self._token(at + 1)
        if (
            token.word in ("most", "least")
            and after is not None
            and (degree := most(after.word, least=token.word == "least"))
        ):
            yield from self._degrees(degree, (at, at + 2))

    def extreme(self, at: int) -> Iterator[Match]:
        """Yield an adjective as no more than a direction, for a column that is named behind it: `widest range`."""
        token = self._token(at)
        if token is not None and token.kind == "word" and token.word in SUPERLATIVES:
            yield Match(at + 1, Superlative(SUPERLATIVES[token.word].direction, None, token.text))

    def comparative(self, at: int) -> Iterator[Match]:
        """Yield `heavier`."""
        token = self._token(at)
        if token is not None and token.word in COMPARATIVES and COMPARATIVES[token.word].about:
            yield from self._degrees(COMPARATIVES[token.word], (at, at + 1))

    def _degrees(self, degree: Degree, span: tuple[int, int]) -> Iterator[Match]:
        """Yield an adjective with the columns at hand that it can speak of."""
        words = " ".join(token.text for token in self.tokens[span[0] : span[1]])
        if not degree.about:
            yield Match(span[1], Superlative(degree.direction, None, words))
            return
        fields = [field for field in self.known.fields.all if field.kind in ("number", "date", "time")]
        for direction in ("down", "up"):
            about = {word for word, way in degree.about if way == direction}
            names = tuple(
                f.name
                for f in fields
                if about & set(f.words)
                or ("date" in about and f.kind == "date")
                or any(likeness(a, w) is not None and not typo(a, w) for a in about for w in f.words)
            )
            names = self._closest(names, about)
            if names:
                yield Match(span[1], Superlative(direction, self.known.fields.ref(names, words), words))

    def _closest(self, names: tuple[str, ...], about: set[str]) -> tuple[str, ...]:
        """Return the columns whose names say the least beside what is compared: `nights` before `rate per night`."""
        beside = {name: len([w for w in words_of(name) if w not in UNITS and w not in about]) for name in names}
        return tuple(name for name in names if beside[name] == min(beside.values()))

    def business(self, at: int) -> Iterator[Match]:
        """Yield words for takings where no column is called so."""
        token = self._token(at)
        if token is None or token.kind != "word":
            return
        if (token.word in MONEY or token.lemma in MONEY) and not self.known.fields.named((token.lemma,))[1]:
            yield Match(at + 1, Role("money"))
        if token.lemma in ("unit", "piece") and self.counts_units() and not self.known.fields.named((token.lemma,))[1]:
            yield Match(
                at + (2 if (after := self._token(at + 1)) is not None and after.word == "sold" else 1), Role("units")
            )

    def counts_units(self) -> bool:
        """Return whether a column holds how many pieces a row is."""
        return any(set(field.words) & QUANTITIES for field in self.known.fields.all)

    def traded(self, at: int) -> Iterator[Match]:
        """Yield `sold`, `borrowed`: what it counts."""
        token = self._token(at)
        if token is None or token.kind != "word":
            return
        if token.word in SOLD:
            yield Match(at + 1, Measure("sum", Role("units")))
        elif token.word in DONE or token.word.endswith("ed"):
            yield Match(at + 1, Measure("count", Rows("times")), 0.1)
