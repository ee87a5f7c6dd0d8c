"""Reads stretches of time: years, decades, quarters, months, days, weekdays. Refuses times relative to today."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from headrace.nodes.wordlist import words

from .grammar import Match
from .meaning import Period
from .tokens import Token

MONTHS = words("january february march april may june july august september october november december")
WEEKDAYS = words("monday tuesday wednesday thursday friday saturday sunday")
FEASTS = {
    ("christmas", "day"): (12, 25),
    ("christmas", "eve"): (12, 24),
    ("new", "year", "day"): (1, 1),
    ("new", "year", "eve"): (12, 31),
    ("halloween",): (10, 31),
}
DECADES = dict(
    zip(
        words("twenties thirties forties fifties sixties seventies eighties nineties"),
        range(1920, 2000, 10),
        strict=True,
    )
)
ORDINALS = ("first", "second", "third", "fourth")
UNTIL = ("and", "to", "until", "till", "through", "-", "–")
UNITS = ("year", "quarter", "month", "week", "day", "hour", "weekday", "decade", "date")


def month_number(word: str) -> int | None:
    """Return the month that a word or its usual short form names."""
    if len(word) < 3:
        return None
    return next(
        (at for at, name in enumerate(MONTHS, 1) if word in (name, name[:3]) or (word == "sept" and at == 9)), None
    )


def weekday_number(word: str) -> int | None:
    """Return the weekday that a word names, Monday being 1."""
    return next((at for at, name in enumerate(WEEKDAYS, 1) if word in (name, name[:3], name + "s")), None)


def is_year(token: Token) -> bool:
    """Return whether a token can be a year."""
    return (
        token.kind == "number"
        and isinstance(token.value, int)
        and 1500 <= token.value <= 2200
        and "," not in token.text
    )


def _year_at(tokens: Sequence[Token], place: int) -> tuple[int | None, int]:
    """Return the year that stands at a place, past a comma or `of`, and where it ends."""
    at = place
    while at < len(tokens) and tokens[at].word in (",", "of", "the"):
        at += 1
    if at < len(tokens) and is_year(tokens[at]):
        return tokens[at].value, at + 1
    return _later_year(tokens, place), place


def _later_year(tokens: Sequence[Token], place: int) -> int | None:
    """Return the year that is said at the end of a stretch of days: `1 June to 31 August 2023`."""
    if place >= len(tokens) or tokens[place].word not in UNTIL:
        return None
    day, month, year = (list(tokens[place + 1 : place + 4]) + [None] * 3)[:3]
    if year is None or not is_year(year):
        return None
    named = [bool(token and month_number(token.word)) for token in (day, month)]
    return year.value if any(named) else None


def periods(tokens: Sequence[Token], start: int) -> Iterator[Match]:
    """Yield the stretches of time that begin at a token."""
    if start >= len(tokens):
        return
    token = tokens[start]

    if token.kind == "date":
        day, unit = token.value
        if unit == "month":
            yield Match(start + 1, Period("month", year=day.year, number=day.month))
        else:
            yield Match(start + 1, Period("day", day=day, sure=unit == "day"))
    elif token.kind == "decade":
        yield Match(start + 1, Period("decade", year=token.value))
    elif is_year(token):
        yield Match(start + 1, Period("year", year=token.value), 0.05)
    elif token.kind == "number" and start + 1 < len(tokens):
        after = start + 2 if tokens[start + 1].word == "of" else start + 1
        number = month_number(tokens[after].word) if after < len(tokens) else None
        year, end = _year_at(tokens, after + 1)
        if number and year:
            yield from _day(year, (number, token.value), end)
    if token.kind == "word":
        yield from _from_words(tokens, start)


def _from_words(tokens: Sequence[Token], start: int) -> Iterator[Match]:
    token = tokens[start]
    word, after = token.word, tokens[start + 1] if start + 1 < len(tokens) else None
    if word in DECADES:
        yield Match(start + 1, Period("decade", year=DECADES[word]))
    weekday = weekday_number(word)
    if weekday:
        yield Match(start + 1, Period("weekday", number=weekday))
    if token.lemma == "weekend":
        yield Match(start + 1, Period("weekend"))
    for feast, (month, day) in FEASTS.items():
        if tuple(t.word for t in tokens[start : start + len(feast)]) == feast:
            year, end = _year_at(tokens, start + len(feast))
            if year:
                yield from _day(year, (month, day), end)
    if word in ORDINALS and after is not None and after.lemma == "quarter":
        year, end = _year_at(tokens, start + 2)
        yield Match(end if year else start + 2, Period("quarter", year=year, number=ORDINALS.index(word) + 1))
    if len(word) == 2 and word[0] == "q" and word[1] in "1234":
        year, end = _year_at(tokens, start + 1)
        yield Match(end if year else start + 1, Period("quarter", year=year, number=int(word[1])))
    month = month_number(word)
    if month is None:
        return
    if after is not None and after.kind == "number" and not is_year(after) and 1 <= after.value <= 31:
        year, end = _year_at(tokens, start + 2)
        if year:
            yield from _day(year, (month, after.value), end)
            return
    year, end = _year_at(tokens, start + 1)
    yield Match(
        end if year else start + 1,
        Period("month", year=year, number=month),
        0.3 if word in ("may", "mar", "sat") and not year else 0.0,
    )


def _day(year: int, month_and_day: tuple[int, int], end: int) -> Iterator[Match]:
    try:
        yield Match(end, Period("day", day=date(year, *month_and_day)))
    except (ValueError, TypeError):
        return
