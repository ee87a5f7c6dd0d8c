"""What was probably meant: the known names that a name comes near."""

from __future__ import annotations

import re
from collections.abc import Iterable

_MOST_COMPARED = 5_000


def near(name: str, known: Iterable[str], *, limit: int = 3, at_least: float = 60) -> list[str]:
    """Return the known names that come near a name, best first: by spelling, by words, or as a part of one.

    Bounded: of a very long list only the first 5,000 names are looked at.
    """
    from rapidfuzz import fuzz
    from rapidfuzz.distance import JaroWinkler

    wanted = _words(name)
    scored = []
    for place, candidate in enumerate(known):
        if place >= _MOST_COMPARED:
            break
        other = _words(candidate)
        score = max(
            fuzz.ratio(wanted, other),
            fuzz.token_sort_ratio(wanted, other),
            100 * JaroWinkler.normalized_similarity(wanted, other) - 15 if len(other) > 2 else 0,
            _part(wanted, other),
        )
        if score >= at_least:
            scored.append((-score, place, candidate))
    return [candidate for _, _, candidate in sorted(scored)[:limit]]


def _words(name: str) -> str:
    """A name as lower-case words: `unitPrice`, `unit_price` and `Unit price` are one."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return re.sub(r"[\W_]+", " ", spaced).strip().casefold()


def _part(wanted: str, other: str) -> float:
    """How well all words of one name stand among those of the other, such as `mass` in `body mass g`."""
    mine, theirs = set(wanted.split()), set(other.split())
    if not mine or not theirs or not (mine <= theirs or theirs <= mine):
        return 0
    return 70 + 25 * min(len(mine), len(theirs)) / max(len(mine), len(theirs))
