"""Reads a request: every token into exactly one intent, or passed over, or left over. Refuses to act on any of it.

The reading is the cheapest cover of the tokens: an intent costs 1 and what is far-fetched about it, a filler little, and
a word that nobody accounts for so much that it is left over only where no reading takes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from headrace.nodes.wordlist import word_set

from .adjectives import COMPARATIVES, SUPERLATIVES
from .fields import likeness, typo
from .grammar import Chart, Grammar
from .known import Known
from .meaning import Items
from .terminals import Terminals
from .times import month_number
from .tokens import IRREGULAR, Token, lemma
from .vocabulary import FILLERS, LOUD

LEFT_OVER = 10.0
BEFORE_NAMES = word_set("by per each and")
"""Behind these a word that is passed over elsewhere, such as `show`, is the column of that name."""
MOST_WAYS = 4


@dataclass(frozen=True, slots=True)
class Understood:
    """An intent and the tokens that it takes: from `start` to before `end`."""

    intent: Any
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What a request says: its intents in order, and the tokens that found no place."""

    tokens: tuple[Token, ...]
    understood: tuple[Understood, ...]
    left_over: tuple[Token, ...]
    cost: float

    def words(self, part: Understood) -> str:
        """Return the request's own words of an intent."""
        return " ".join(token.text for token in self.tokens[part.start : part.end]).replace(" ,", ",")


def read(tokens: Sequence[Token], known: Known, grammar: Grammar) -> Reading:
    """Return the best reading of a request's tokens."""
    terminals = Terminals(tokens, known)
    codes = frozenset(words for words, _, _ in known.values)
    names = frozenset(field.words[0] for field in known.fields.all if len(field.words) == 1)
    chart = Chart(grammar, tokens, terminals.table())
    terminals.chart = chart
    skips = [_skip_cost(tokens, at, codes, names=names) for at in range(len(tokens))]
    best: list[tuple[float, int, Understood | None]] = [(0.0, -1, None)] + [(1e9, -1, None)] * len(tokens)
    for at in range(len(tokens)):
        cost = best[at][0]
        skip = skips[at]
        if cost + skip < best[at + 1][0]:
            best[at + 1] = (cost + skip, at, None)
        for match in chart.at("intent", at):
            total = cost + 1 + match.cost
            if total < best[match.end][0] - 1e-9:
                best[match.end] = (total, at, Understood(match.meaning, at, match.end))
    understood, left_over, at = [], [], len(tokens)
    while at > 0:
        _, before, part = best[at]
        if part is not None:
            several = part.intent.of if isinstance(part.intent, Items) else (part.intent,)
            understood += [Understood(intent, part.start, part.end) for intent in reversed(several)]
        elif skips[before] >= LEFT_OVER:
            left_over.append(tokens[before])
        at = before
    return Reading(tuple(tokens), tuple(reversed(understood)), tuple(reversed(left_over)), best[-1][0])


def _skip_cost(tokens: Sequence[Token], at: int, codes: frozenset[str], *, names: frozenset[str]) -> float:
    token = tokens[at]
    if token.kind == "mark":
        return 0.0 if token.word not in "%<>=*/+≥≤" else LEFT_OVER
    if token.kind != "word" or token.word in LOUD:
        return LEFT_OVER
    if token.word not in FILLERS or (token.capitals and token.word in codes):
        return LEFT_OVER
    named = at > 0 and token.lemma in names and tokens[at - 1].word in BEFORE_NAMES
    return LEFT_OVER if named else 0.05


def mend(
    tokens: Sequence[Token], known: Known, words: frozenset[str]
) -> Iterator[tuple[list[Token], list[tuple[str, str]]]]:
    """Yield the tokens with likely slips of the fingers mended, and (written, taken for) for each.

    Where one word can be a slip for several, there is a way for each of them: the best reading decides.
    """
    lexicon = (
        {w for w in words | FILLERS | known.rows if len(w) > 2} | set(SUPERLATIVES) | set(COMPARATIVES) | set(IRREGULAR)
    )
    names = {word for field in known.fields.all for word in field.words}
    made: list[Token] = []
    mended: list[tuple[str, str]] = []
    open_words: list[tuple[int, list[str]]] = []
    for token in tokens:
        told = token.kind == "word" and not _familiar(token, lexicon | names, known)
        candidates = (
            [
                word
                for word in lexicon | names
                if _slip(token.lemma, word, names) or _slip(token.word, word, names) or _swapped(token.word, word)
            ]
            if told
            else []
        )
        near = {lemma(word) for word in candidates}
        if len(near) == 1:
            word = candidates[0]
            mended.append((token.text, word))
            made.append(replace(token, word=word, lemma=lemma(word)))
        else:
            if 1 < len(near) <= MOST_WAYS:
                open_words.append((len(made), sorted(near)))
            made.append(token)
    if len(open_words) == 1:
        at, ways = open_words[0]
        for word in ways:
            yield (
                [*made[:at], replace(made[at], word=word, lemma=word), *made[at + 1 :]],
                [*mended, (made[at].text, word)],
            )
    yield made, mended


def _familiar(token: Token, lexicon: set[str], known: Known) -> bool:
    if (
        token.word in lexicon
        or token.lemma in lexicon
        or len(token.word) < 3
        or "_" in token.word
        or month_number(token.word)
    ):
        return True
    if any(token.word in words.split() or token.lemma in words.split() for words, _, _ in known.values):
        return True
    return any(
        likeness(token.lemma, word) is not None and not typo(token.lemma, word)
        for field in known.fields.all
        for word in field.words
    )


def _slip(said: str, word: str, names: set[str]) -> bool:
    """Return whether a word is a slip for another one; two letters apart only for a column's name, since words of English are many."""
    return typo(said, word, 2 if word in names else 1)


def _swapped(said: str, word: str) -> bool:
    """Return whether a short word has two letters swapped: `teh`."""
    return len(said) == len(word) == 3 and said != word and sorted(said) == sorted(word) and said[0] == word[0]
