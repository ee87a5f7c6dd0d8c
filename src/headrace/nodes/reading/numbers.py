"""How numbers are written: decimal marks, thousands separators, codes that only look like numbers.

Owns the forms that are tried and the choice between them. Where `1,234` may be either, other columns of the file decide or nobody.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from .found import NumberForm

_WHOLE = re.compile(r"-?(0|[1-9]\d*)")
_POINT = re.compile(r"[-+]?(\d+[.]?\d*|[.]\d+)([eE][-+]?\d+)?")
_COMMA = re.compile(r"-?(\d+,\d+)")
_CODE = re.compile(r"[-+]?0\d+|[+]\d+")
_SEPARATORS = (",", ".", " ", "'", "\u00a0", "\u202f", "’")
_GROUPED = {
    (separator, decimal): re.compile(
        rf"-?([1-9]\d{{0,2}}(?:{re.escape(separator)}\d{{3}})+|\d{{1,3}})(?:{re.escape(decimal)}\d+)?"
    )
    for separator in _SEPARATORS
    for decimal in (".", ",")
    if separator != decimal
}
_LOOKS_GROUPED = re.compile(r"-?\d{1,3}([,.'’ \u00a0\u202f])\d{3}")


@dataclass(frozen=True, slots=True)
class Numbers:
    """Which forms fit every value of a column. All false: it holds no numbers."""

    whole: bool = False
    too_long: bool = False
    """Whole numbers beyond those that a number of 64 bits can hold."""
    codes: bool = False
    """Digits that a number would lose: leading zeros, a leading plus."""
    point: bool = False
    comma: bool = False
    grouped: tuple[NumberForm, ...] = ()
    """Forms with thousands separators that fit and of which some value makes use."""

    @property
    def decimal_comma_for_certain(self) -> bool:
        """Whether nothing but a decimal comma explains the values."""
        return self.comma and not self.grouped and not self.whole and not self.point

    @property
    def decimal_point_for_certain(self) -> bool:
        """Whether nothing but a decimal point explains the values."""
        return self.point and not self.whole and not self.grouped


def numbers(values: Collection[str]) -> Numbers:
    """Return which number forms fit all of some written values; blanks around them do not matter."""
    stripped = [value.strip() for value in values]
    if not stripped or not all(value and (value[-1].isdigit() or value[-1] == ".") for value in stripped):
        return Numbers()
    if any(_CODE.fullmatch(value) for value in stripped):
        return Numbers(codes=all(_CODE.fullmatch(value) or _WHOLE.fullmatch(value) for value in stripped))
    if all(map(_WHOLE.fullmatch, stripped)):
        return Numbers(whole=True, too_long=not all(-(2**63) <= int(value) < 2**63 for value in stripped))
    return Numbers(
        point=all(map(_POINT.fullmatch, stripped)),
        comma=all(_COMMA.fullmatch(value) or _WHOLE.fullmatch(value) for value in stripped),
        grouped=tuple(_grouped_forms(stripped)),
    )


def _grouped_forms(values: list[str]) -> Iterable[NumberForm]:
    used = {match[1] for value in values if (match := _LOOKS_GROUPED.match(value))}
    for (separator, decimal), pattern in _GROUPED.items():
        if separator in used and all(pattern.fullmatch(value) or _WHOLE.fullmatch(value) for value in values):
            has_decimals = any(decimal in value for value in values)
            if has_decimals or decimal == _usual_decimal(separator):
                yield NumberForm(decimal, separator)


def _usual_decimal(separator: str) -> str:
    return "," if separator == "." else "."


def choose(found: Numbers, *, decimal: str | None, thousands: str | None) -> NumberForm | None:
    """Return the form of a column of numbers, given what is known of the file; None: nothing decides, or none fits.

    `decimal` is the file's mark, or None while nothing in the file decides it.
    """
    if thousands:
        wanted = [form for form in found.grouped if form.thousands == thousands]
        if wanted:
            return wanted[0]
    if found.whole:
        return NumberForm()
    forms = [NumberForm()] if found.point else []
    forms += [NumberForm(",")] if found.comma else []
    forms += found.grouped
    if len(forms) == 1:
        return forms[0]
    if decimal:
        return next((form for form in forms if form.decimal == decimal), None)
    # `1.234` alone: a decimal point is by far the commoner reading. `1,234` alone may be either.
    return forms[0] if found.point else None


def has_decimals(values: Collection[str], form: NumberForm) -> bool:
    """Return whether any value has something after the decimal mark, or an exponent."""
    return any(form.decimal in value or "e" in value or "E" in value for value in values)
