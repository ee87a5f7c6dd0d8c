"""How dates and times are written: the formats that fit all values of a column.

Owns the formats that are tried. Where two readings fit (03/04/2012), it says so and decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import date
from functools import cache

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_FULL_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_PIECES = {
    "Y": r"(?P<Y>\d{4})",
    "y": r"(?P<y>\d{2})",
    "m": r"(?P<m>\d{1,2})",
    "d": r"(?P<d>\d{1,2})",
    "b": rf"(?P<b>{'|'.join(_MONTHS)})",
    "B": rf"(?P<B>{'|'.join(_FULL_MONTHS)})",
    "H": r"(?P<H>[01]?\d|2[0-3])",
    "I": r"(?P<I>0?[1-9]|1[0-2])",
    "M": r"(?P<M>[0-5]\d)",
    "S": r"(?P<S>[0-5]\d)",
    "f": r"(?P<f>\d{1,9})",
    "p": r"(?P<p>[AP]M)",
    "%": "%",
}
_DAYS = (
    "%m/%d/%Y", "%d/%m/%Y", "%m-%d-%Y", "%d-%m-%Y", "%d.%m.%Y", "%m.%d.%Y",
    "%m/%d/%y", "%d/%m/%y", "%d.%m.%y",
    "%b %d %Y", "%b %d, %Y", "%B %d %Y", "%B %d, %Y",
    "%d %b %Y", "%d %B %Y", "%d. %B %Y", "%d-%b-%Y", "%d-%b-%y",
)  # fmt: skip
_CLOCKS = ("", " %H:%M", " %H:%M:%S", " %I:%M %p", " %I:%M:%S %p", ", %H:%M", ", %H:%M:%S")
FORMATS = tuple(day + clock for day in _DAYS for clock in _CLOCKS)
_ISO_DATE = re.compile(r"(\d{4})([-/])(\d{1,2})\2(\d{1,2})")
_ISO_MOMENT = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})[T ]([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.]\d{1,9})?)?\s?(Z|UTC|[+-]\d\d(?::\d\d)?)?"
)
_CLOCK = re.compile(r"([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d([.]\d{1,6})?)?")
_UTC = {None, "Z", "UTC", "+00", "+00:00"}


def are_iso_dates(values: Collection[str]) -> bool:
    """Return whether all are dates such as 2012-03-04."""
    return all(_is_iso_date(value.strip()) for value in values)


def iso_moments(values: Collection[str]) -> str | None:
    """Return how all values are ISO dates with times: `plain`, `utc` (marked Z), `offset` (others), or None."""
    zones = set()
    for value in values:
        written = value.strip()
        match = _ISO_MOMENT.fullmatch(written)
        if match and _real(match[1], match[2], match[3]):
            zones.add(match[5])
        elif not _is_iso_date(written):
            return None
    if zones <= {None}:
        return "plain" if zones else None
    return "utc" if zones <= _UTC else "offset"


def are_times(values: Collection[str]) -> bool:
    """Return whether all are times of day such as 11:38 or 11:38:36."""
    return all(_CLOCK.fullmatch(value.strip()) for value in values)


def formats_that_fit(values: Collection[str], formats: Sequence[str] = FORMATS) -> tuple[str, ...]:
    """Return the formats under which every value is a real date; of two that read all alike, one."""
    stripped = [value.strip() for value in values]
    if not stripped or not any(character.isdigit() for character in stripped[0]):
        return ()
    fitting = [each for each in formats if _fits(stripped[0], each)]
    for value in stripped[1:]:
        if not fitting:
            return ()
        fitting = [each for each in fitting if _fits(value, each)]
    # "May" is its own abbreviation: where both fit, they read the same.
    return tuple(each for each in fitting if not ("%B" in each and each.replace("%B", "%b") in fitting))


def has_clock(date_format: str) -> bool:
    """Return whether a format holds a time of day, so that its values are moments and not dates."""
    return any(piece in date_format for piece in ("%H", "%I", "%M", "%S"))


def spoken(date_format: str) -> str:
    """Return a format in words, such as `month/day/year`."""
    names = {"Y": "year", "y": "two-digit year", "m": "month", "d": "day", "b": "month", "B": "month",
             "H": "hours", "I": "hours", "M": "minutes", "S": "seconds", "p": "AM/PM"}  # fmt: skip
    return re.sub(r"%(.)", lambda match: names.get(match[1], match[1]), date_format)


def deciding(values: Collection[str], date_format: str) -> str:
    """Return a value that no other order of day and month could read, or an empty text."""
    swapped = _swapped(date_format)
    if swapped == date_format:
        return ""
    return next((value.strip() for value in sorted(values) if not _fits(value.strip(), swapped)), "")


def from_words(written: str) -> str | None:
    """Return the strptime format of `%m/%d/%Y`, `MM/DD/YYYY` or `month/day/year`; None where it is none."""
    letters = written.strip().replace("%-", "%")
    if "%" in letters:
        return letters if _pattern(letters) is not None else None
    for words, piece in _WORDS:
        flags = re.NOFLAG if words in _CASED else re.IGNORECASE
        letters = re.sub(rf"(?<!%)(?:{words})", f"%{piece}", letters, flags=flags)
    pattern_is_known = "%" in letters and _pattern(letters) is not None
    leftover = re.sub(r"%.", "", letters)
    return letters if pattern_is_known and not re.search(r"[A-Za-z]{2,}", leftover) else None


_CASED = frozenset({r"\bMM\b|\bM\b", r"\bmm\b", r"\bHH\b|\bH\b", r"\bSS\b|\bss\b"})
_WORDS = (
    (r"\byear\b|\bYYYY\b", "Y"),
    (r"\bYY\b", "y"),
    (r"\bmonth\b", "m"),
    (r"\bday\b|\bDD\b|\bD\b", "d"),
    (r"\bMMMM\b", "B"),
    (r"\bMMM\b", "b"),
    (r"\bhours?\b", "H"),
    (r"\bminutes?\b", "M"),
    (r"\bseconds?\b", "S"),
    (r"\bMM\b|\bM\b", "m"),
    (r"\bmm\b", "M"),
    (r"\bHH\b|\bH\b", "H"),
    (r"\bSS\b|\bss\b", "S"),
)


def _is_iso_date(value: str) -> bool:
    match = _ISO_DATE.fullmatch(value)
    return bool(match) and _real(match[1], match[3], match[4])


def _real(year: str | int, month: str | int, day: str | int) -> bool:
    try:
        date(int(year), int(month), int(day))
    except ValueError:
        return False
    return True


def _fits(value: str, date_format: str) -> bool:
    pattern = _pattern(date_format)
    match = pattern.fullmatch(value) if pattern else None
    if match is None:
        return False
    found = match.groupdict()
    if "b" in found or "B" in found:
        month = _MONTHS.index((found.get("b") or found["B"])[:3].lower()) + 1
    else:
        month = int(found.get("m") or 1)
    year = int(found["Y"]) if "Y" in found else 2000 + int(found.get("y") or 0)
    return _real(year, month, found.get("d") or 1)


@cache
def _pattern(date_format: str) -> re.Pattern[str] | None:
    parts, place = [], 0
    while place < len(date_format):
        letter = date_format[place]
        if letter == "%":
            piece = _PIECES.get(date_format[place + 1 : place + 2])
            if piece is None:
                return None
            parts.append(piece)
            place += 2
        else:
            parts.append(re.escape(letter))
            place += 1
    try:
        return re.compile("".join(parts), re.IGNORECASE)
    except re.error:  # the same piece twice
        return None


def _swapped(date_format: str) -> str:
    return date_format.replace("%m", "\0").replace("%d", "%m").replace("\0", "%d")
