"""What type each column of written values has, and every decision on the way that could change a result.

Owns the rules for missing words, codes and ambiguous values. Refuses to guess: what is not decided stays text, with a note.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from headrace.nodes.spec import Fault, NodeFault, Suggestion
from headrace.nodes.types import is_number

from . import dates
from .found import DATE, DECIMAL, MOMENT, TEXT, TIME, TRUTH, WHOLE, NumberForm, Options, Reading
from .numbers import Numbers, choose, has_decimals, numbers

MISSING_WORDS = frozenset({"NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "#N/A", "<NA>"})
"""Missing in every column, unless the column holds codes of the same shape."""
MISSING_AMONG_VALUES = MISSING_WORDS | {
    "-", "--", ".", "?", "None", "none", "na", "n.a.", "#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?",
}  # fmt: skip
"""Missing in a column that otherwise holds numbers, dates or true and false."""
_CODE_LIKE_NA = re.compile(r"[A-Z0-9]{2}")
_DIGITS_ARE_TEXT = re.compile(
    r".*\b(zip|post(al)? ?code|plz|phone|telephone|tel|fax|fips|iban|isbn|issn|ssn|ean|upc)( ?(number|no|nr|code))?"
)


@dataclass(frozen=True, slots=True)
class Judged:
    """How all columns of a file are read."""

    readings: tuple[Reading, ...]
    missing: tuple[str, ...]
    """Words that are missing in all columns."""
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Look:
    """One column, looked at by itself."""

    name: str
    values: frozenset[str]
    """The different written values that are not missing."""
    words: frozenset[str]
    """The different words taken as missing."""
    blanks: bool
    numbers: Numbers
    codes: bool = False
    """Holds two-letter codes, among which NA is one."""


def judge(columns: Mapping[str, frozenset[str]], options: Options, *, delimiter: str = "") -> Judged:
    """Return how columns are read, given the different written values of each.

    Where commas separate the columns, a comma in a number separates thousands, unless a value says otherwise.

    Errors: NodeFault F401 where `types` names an unknown column, F303 where a type cannot be given to the values.
    """
    notes: list[str] = []
    looks = [_look(name, values, options) for name, values in columns.items()]
    decimal = _decimal_of(looks, options, notes) or ("." if delimiter == "," else None)
    readings = [_reading(look, decimal, options, notes=notes) for look in looks]
    missing, readings = _missing(looks, readings, options)
    return Judged(tuple(readings), missing, tuple(notes))


def _look(name: str, written: frozenset[str], options: Options) -> _Look:
    blanks = any(value and not value.strip() for value in written)
    filled = frozenset(value for value in written if value.strip())
    if options.null_values is not None:
        words = filled & frozenset(options.null_values)
        return _Look(name, filled - words, words, blanks, numbers(filled - words))
    values = filled - MISSING_WORDS
    codes = "NA" in filled and _are_codes_like_na(values)
    if codes:
        values = values | {"NA"}
    strict = filled - {value for value in filled if value.strip() in MISSING_AMONG_VALUES}
    if strict and strict != values and not codes and _typed(strict):
        values = strict
    return _Look(name, values, filled - values, blanks, numbers(values), codes)


def _are_codes_like_na(values: frozenset[str]) -> bool:
    """Whether NA is one of many codes of two capitals or digits, as Namibia's is among those of the countries."""
    return len(values) > 2 and all(map(_CODE_LIKE_NA.fullmatch, values)) and any(map(str.isalpha, values))


def _typed(values: frozenset[str]) -> bool:
    found = numbers(values)
    return (
        found.whole
        or found.point
        or found.comma
        or bool(found.grouped)
        or dates.are_iso_dates(values)
        or dates.iso_moments(values) is not None
        or dates.are_times(values)
        or bool(dates.formats_that_fit(values))
        or _are_truths(values)
    )


def _are_truths(values: frozenset[str]) -> bool:
    return bool(values) and {value.strip().lower() for value in values} <= {"true", "false"}


def _decimal_of(looks: Sequence[_Look], options: Options, notes: list[str]) -> str | None:
    if options.decimal:
        return options.decimal
    commas = [look for look in looks if look.numbers.decimal_comma_for_certain]
    points = [look for look in looks if look.numbers.decimal_point_for_certain]
    forms = {form.decimal for look in looks for form in look.numbers.grouped if len(look.numbers.grouped) == 1}
    if commas and not points:
        notes.append(
            f"A comma is the decimal mark, as in {sorted(commas[0].values)[0].strip()!r} of `{commas[0].name}`."
        )
        return ","
    if points and not commas:
        return "."
    return forms.pop() if len(forms) == 1 and not commas and not points and _certain(looks) else None


def _certain(looks: Sequence[_Look]) -> bool:
    """Whether some column is readable only with thousands separators: `1,234,567` or `1,234.5`."""
    return any(look.numbers.grouped and not look.numbers.comma and not look.numbers.point for look in looks)


def _reading(look: _Look, decimal: str | None, options: Options, *, notes: list[str]) -> Reading:
    declared = dict(options.types).get(look.name)
    if declared is not None:
        return _declared(look, declared, decimal=decimal, options=options)
    if not look.values:
        return Reading(TEXT)
    reading = _number(look, decimal, options, notes=notes) or _date(look, options, notes)
    if reading is None and dates.are_times(look.values):
        reading = Reading(TIME)
    if reading is None and _are_truths(look.values):
        reading = Reading(TRUTH)
    reading = reading or Reading(TEXT)
    _tell_missing(look, reading, notes)
    return reading


def _tell_missing(look: _Look, reading: Reading, notes: list[str]) -> None:
    if look.words:
        words = " and ".join(f"`{word}`" for word in sorted(look.words))
        verb = "is" if len(look.words) == 1 else "are"
        otherwise = "" if reading.type == TEXT else ", which otherwise holds " + _SPOKEN.get(reading.type, "values")
        notes.append(f"{words} {verb} taken as missing in `{look.name}`{otherwise}.")
    elif look.codes:
        notes.append(f"`NA` in `{look.name}` is kept as text, since the column holds two-letter codes.")


_SPOKEN = {WHOLE: "numbers", DECIMAL: "numbers", DATE: "dates", MOMENT: "dates", TIME: "times", TRUTH: "true and false"}


def _number(look: _Look, decimal: str | None, options: Options, *, notes: list[str]) -> Reading | None:
    found = look.numbers
    if found.codes:
        notes.append(
            f"`{look.name}` stays text, since numbers would lose leading zeros or signs, as in {_example(look)!r}."
        )
        return Reading(TEXT)
    if not (found.whole or found.point or found.comma or found.grouped):
        return None
    if _DIGITS_ARE_TEXT.fullmatch(re.sub(r"[\W_]+", " ", look.name).strip().casefold()):
        notes.append(f"`{look.name}` stays text: by its name it holds codes, not quantities.")
        return Reading(TEXT)
    if found.too_long:
        notes.append(f"`{look.name}` stays text, since its numbers are too large to be calculated with.")
        return Reading(TEXT)
    form = choose(found, decimal=decimal, thousands=options.thousands)
    if form is None:
        if dates.formats_that_fit(look.values):
            return None
        notes.append(
            f"`{look.name}` stays text: {_example(look)!r} may be a thousand or a fraction. Set `decimal` or `thousands` to decide."
        )
        return Reading(TEXT)
    if form.thousands:
        notes.append(
            f"`{_mark(form.thousands)}` separates thousands in `{look.name}`, as in {_example(look, form.thousands)!r}."
        )
    kind = DECIMAL if has_decimals(look.values, form) else WHOLE
    return Reading(kind, number=form if form.thousands or kind == DECIMAL else NumberForm())


def _mark(separator: str) -> str:
    return separator if separator.strip() else "a blank"


def _example(look: _Look, containing: str = "") -> str:
    shown = sorted(value.strip() for value in look.values if containing in value)
    if look.numbers.codes:
        shown = [value for value in shown if value[:1] in "0+-" and len(value) > 1] or shown
    return shown[0]


def _date(look: _Look, options: Options, notes: list[str]) -> Reading | None:
    if options.date_format and (fitting := dates.formats_that_fit(look.values, _wanted_formats(options))):
        return Reading(MOMENT if dates.has_clock(fitting[0]) else DATE, date_format=fitting[0])
    if dates.are_iso_dates(look.values):
        return Reading(DATE)
    if kind := dates.iso_moments(look.values):
        if kind != "plain":
            notes.append(f"The times in `{look.name}` carry a time zone and are read as UTC.")
        return Reading(MOMENT, in_utc=kind == "offset")
    fitting = dates.formats_that_fit(look.values)
    if not fitting:
        return None
    dotted = [each for each in fitting if each.startswith("%d.")]
    if len(fitting) > 1 and not dotted:
        readings = " or ".join(dates.spoken(each) for each in fitting)
        notes.append(
            f"`{look.name}` stays text: its dates may be {readings}, as in {_example(look)!r}. Set `date_format` to decide."
        )
        return Reading(TEXT)
    chosen = dotted[0] if dotted else fitting[0]
    because = dates.deciding(look.values, chosen)
    reason = f", because {because!r} occurs" if because else ""
    notes.append(f"`{look.name}` is read as {dates.spoken(chosen)}{reason}.")
    return Reading(MOMENT if dates.has_clock(chosen) else DATE, date_format=chosen)


def _wanted_formats(options: Options) -> tuple[str, ...]:
    wanted = dates.from_words(options.date_format or "")
    if wanted is None:
        message = f"The date format {options.date_format!r} is not understood. Write it like %m/%d/%Y, MM/DD/YYYY or month/day/year."
        raise NodeFault(Fault("F303", message, ("date_format",)))
    return (wanted,)


def _declared(look: _Look, declared: str, *, decimal: str | None, options: Options) -> Reading:
    """The reading under a type that a person gave; the written form still follows from the values."""
    if declared == TEXT:
        return Reading(declared)
    if is_number(declared):
        form = choose(look.numbers, decimal=decimal, thousands=options.thousands) or NumberForm(decimal or ".")
        if options.thousands and not form.thousands:
            form = replace(form, thousands=options.thousands)
        _refuse_what_is_no_number(look, form)
        return Reading(declared, number=form)
    if declared in (DATE, MOMENT):
        return _declared_date(look, declared, options)
    return Reading(declared)


def _refuse_what_is_no_number(look: _Look, form: NumberForm) -> None:
    for value in sorted(look.values):
        plain = value.replace(form.thousands, "") if form.thousands else value
        try:
            float(plain.replace(form.decimal, "."))
        except ValueError:
            message = (
                f"`{look.name}` holds {value[:60]!r}, which is no number. "
                "Give the column the type text, or name the value in `null_values`."
            )
            raise NodeFault(Fault("F303", message, ("types", look.name))) from None


def _declared_date(look: _Look, declared: str, options: Options) -> Reading:
    if options.date_format:
        return Reading(declared, date_format=_wanted_formats(options)[0])
    if not look.values or dates.are_iso_dates(look.values):
        return Reading(declared)
    if kind := dates.iso_moments(look.values):
        return Reading(declared, in_utc=kind == "offset")
    fitting = dates.formats_that_fit(look.values)
    if len(fitting) == 1 or (fitting and fitting[0].startswith("%d.")):
        return Reading(declared, date_format=fitting[0])
    example = sorted(look.values)[0]
    if fitting:
        options_are = " or ".join(dates.spoken(each) for each in fitting)
        message = (
            f"`{look.name}` holds dates such as {example!r}, which may be {options_are}. Set `date_format` to decide."
        )
    else:
        message = (
            f"`{look.name}` holds values such as {example!r}, which are no dates. Leave it text, or set `date_format`."
        )
    ways = tuple(Suggestion(f"Read as {dates.spoken(each)}", ("date_format",), each) for each in fitting)
    raise NodeFault(Fault("F303", message, ("date_format",), suggestions=ways))


def _missing(
    looks: Sequence[_Look], readings: list[Reading], options: Options
) -> tuple[tuple[str, ...], list[Reading]]:
    """The words that DuckDB takes as missing everywhere, and per column those that it cannot take everywhere."""
    if options.null_values is not None:
        common = frozenset(options.null_values) - {""}
    else:
        seen = frozenset().union(*(look.words for look in looks)) if looks else frozenset()
        kept = frozenset().union(*(look.values for look in looks)) if looks else frozenset()
        common = (seen & MISSING_WORDS) - kept
    settled = []
    for look, reading in zip(looks, readings, strict=True):
        own = {word.strip() for word in look.words - common}
        blanks = look.blanks and reading.type != TEXT
        padded = reading.type == DATE and any(value != value.strip() for value in look.values)
        settled.append(replace(reading, missing=tuple(sorted(own)), blank_is_missing=blanks, padded=padded))
    return tuple(sorted(common)), settled
