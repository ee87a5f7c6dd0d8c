"""DuckDB's answers to a query that does not fit, in words for the person who wrote the config.

Owns the reading of binder errors. What DuckDB binds and only finds wrong when it runs is the business of `comparisons`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from sqlglot import exp

from .columns import written
from .near import near
from .spec import Column, Fault, Relation
from .types import family, in_words, is_whole


def fault_of(error: Exception, query: exp.Expr, relations: Sequence[Relation]) -> Fault:
    """Return what is wrong, without a path."""
    text = re.sub(r"^([A-Z]\w*( \w+)* Error: )+", "", str(error)).strip()
    for pattern, told in _READERS:
        if match := pattern.search(text):
            return told(match, query, relations)
    first = text.split("\n")[0].rstrip(".!")
    return Fault("F402", f"This cannot be calculated: {first}. Change the expression so that the kinds of values fit.")


def _unknown(match: re.Match[str], query: exp.Expr, relations: Sequence[Relation]) -> Fault:
    del query
    name = match["name"] or match["other"]
    names = [column for relation in relations for column in relation.table.names()]
    close = near(name, names)
    meant = f" Did you mean {' or '.join(map(repr, close))}?" if close else ""
    return Fault("F401", f"There is no column {name!r}.{meant} The columns are {', '.join(names[:12])}.")


def _no_match(match: re.Match[str], query: exp.Expr, relations: Sequence[Relation]) -> Fault:
    name = match["name"].lower()
    given = _split_types(match["types"])
    what = _OPERATORS.get(name) or (f"{name}()" if name[0].isalpha() else repr(name))
    candidates = _candidates(match.string, name)
    has = " and ".join(map(in_words, given)) or "nothing"
    message = f"{what} cannot be used with {has}{_culprits(query, relations, given)}."
    if candidates:
        message += f" It takes {_accepted(candidates)}."
    if name == "+" and any(family(kind) == "text" for kind in given):
        message += " To put texts together write ||."
    return Fault("F402", f"{message} {_way_out(query, relations, given, candidates=candidates)}")


def _way_out(
    query: exp.Expr, relations: Sequence[Relation], given: Sequence[str], *, candidates: Sequence[Sequence[str]]
) -> str:
    """Which conversion would make the first value fit that does not, under the candidate that comes nearest."""
    alike = [candidate for candidate in candidates if len(candidate) == len(given)]
    misfits = [[_misfit(one, other) for one, other in zip(given, each, strict=True)] for each in alike]
    least = min(map(sum, misfits), default=0)
    if not least:
        return "Give it what it takes."
    nearest = [each for each, misfit in zip(alike, misfits, strict=True) if sum(misfit) == least]
    place = next(n for misfit in misfits if sum(misfit) == least for n, much in enumerate(misfit) if much)
    wanted = [each[place] for each in nearest if _misfit(given[place], each[place])]
    ways = _conversions(_a_column(query, relations, [given[place]]), given[place], wanted)
    if not ways:
        return "Use another column, or another function."
    return f"Convert {'the text' if family(given[place]) == 'text' else 'it'} first: {' or '.join(ways)}."


def _misfit(given: str, wanted: str) -> int:
    """How badly a value of one type stands where another is wanted: not at all, too wide a number, of another kind."""
    if wanted in _ANYTHING or given == wanted:
        return 0
    if family(given) != family(wanted):
        return 10
    wide = not given.endswith("_LITERAL") and is_whole(wanted) and (not is_whole(given) or given == "BIGINT")
    return 1 if wide else 0


def _conversions(name: str, given: str, wanted: Sequence[str]) -> list[str]:
    kinds = {family(each) for each in wanted}
    ways = []
    if "number" in kinds:
        whole = "BIGINT" if "BIGINT" in wanted else "INTEGER"
        ways.append(f"CAST({name} AS {whole if all(map(is_whole, wanted)) else 'DOUBLE'})")
    if "text" in kinds:
        ways.append(f"CAST({name} AS VARCHAR)")
    if kinds & {"date", "moment"}:
        ways.append(f"CAST({name} AS DATE)")
        ways += [f"strptime({name}, '%d.%m.%Y')"] if family(given) == "text" else []
    return ways


_ANYTHING = frozenset({"ANY", "T", "TABLE"})
_OPERATORS = {
    "~~": "LIKE", "!~~": "NOT LIKE", "~~*": "ILIKE", "!~~*": "NOT ILIKE", "~~~": "GLOB",
    "array_extract": "[…]", "timezone": "AT TIME ZONE",
}  # fmt: skip
"""What DuckDB calls otherwise than people write it."""


def _culprits(query: exp.Expr, relations: Sequence[Relation], given: Sequence[str]) -> str:
    """Name the columns in the query that have one of the types that do not fit."""
    found = [f"{column.name} is {in_words(column.type)}" for column in _columns(query, relations, given)]
    return f" ({'; '.join(found[:3])})" if found else ""


def _a_column(query: exp.Expr, relations: Sequence[Relation], given: Sequence[str]) -> str:
    """A column for an example: one that has one of the types that do not fit."""
    found = _columns(query, relations, given)
    return written(found[0].name) if found else "name"


def _columns(query: exp.Expr, relations: Sequence[Relation], given: Sequence[str]) -> list[Column]:
    mentioned = dict.fromkeys(place.name for place in query.find_all(exp.Column))
    known = (relation.table.column(name) for name in mentioned for relation in relations)
    return list(dict.fromkeys(column for column in known if column is not None and column.type in given))


def _candidates(text: str, name: str) -> list[list[str]]:
    """The kinds of values that a function takes: each list is one way to call it, as DuckDB says."""
    found = re.findall(rf"^\s*{re.escape(name)}\((.*)\) -> ", text, re.MULTILINE | re.IGNORECASE)
    return [_split_types(candidate) for candidate in found]


def _accepted(candidates: Sequence[Sequence[str]]) -> str:
    kinds: dict[str, None] = {}
    for candidate in candidates:
        words = [_kind_word(part) for part in candidate]
        kinds[" and ".join(words) if len(set(words)) > 1 else words[0] if words else "nothing"] = None
    if "numbers" in kinds:
        kinds.pop("whole numbers", None)
    return ", or ".join(list(kinds)[:4])


def _kind_word(type_name: str) -> str:
    if is_whole(type_name):
        return "whole numbers"
    if type_name in _ANYTHING:
        return "any value"
    return _KIND_WORDS.get(family(type_name), type_name)


_KIND_WORDS: dict[str, str] = {
    "number": "numbers",
    "text": "text",
    "date": "dates",
    "moment": "dates with times",
    "flag": "true or false",
}


def _split_types(text: str) -> list[str]:
    parts, depth, current = [], 0, ""
    for character in text:
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += character
    return [part for part in [*parts, current.strip()] if part]


def _compared(match: re.Match[str], query: exp.Expr, relations: Sequence[Relation]) -> Fault:
    left, right = match["left"], match["right"]
    culprits = _culprits(query, relations, [left, right])
    texts = [kind for kind in (left, right) if family(kind) == "text"]
    name = _a_column(query, relations, texts or [left, right])
    others = {family(left), family(right)} - {"text"}
    if len(texts) == 1 and "number" in others:
        way = f"Put the number in quotes to compare as text, or convert: CAST({name} AS DOUBLE)."
    elif len(texts) == 1:
        way = f"Convert the text: CAST({name} AS DATE) or strptime({name}, '%d.%m.%Y')."
    elif "date" in others:
        way = f"Write a date in quotes: '2024-03-31'; for its year use year({name})."
    else:
        way = f"Compare values of one kind, or convert one: CAST({name} AS VARCHAR)."
    code = "F405" if len(texts) == 1 else "F402"
    return Fault(code, f"{_begun(in_words(left))} is compared with {in_words(right)}{culprits}. {way}")


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]


def _mixed(match: re.Match[str], query: exp.Expr, relations: Sequence[Relation]) -> Fault:
    culprits = _culprits(query, relations, [match["left"], match["right"]])
    return Fault(
        "F402",
        f"{match['where']} mixes {in_words(match['left'])} and {in_words(match['right'])}{culprits}."
        " Every branch must give the same kind; convert with CAST(name AS VARCHAR), for example.",
    )


def _ungrouped(match: re.Match[str], *_: object) -> Fault:
    return Fault(
        "F402",
        f"{match['name']!r} has many values in a group, so it needs an aggregate around it, such as max({match['name']})"
        " or any_value(…); or add it to the columns to group by. A running calculation is written sum(name) OVER (ORDER BY …).",
    )


def _misplaced(match: re.Match[str], *_: object) -> Fault:
    return Fault(
        "F402",
        f"{match['name']}() cannot stand here: it is a window function or takes other values."
        f" A window function is written {match['name']}(…) OVER (ORDER BY name).",
    )


def _unknown_field(match: re.Match[str], *_: object) -> Fault:
    close = match["there"].strip().replace('"', "")
    return Fault("F401", f"The record has no field {match['name']!r}. Near ones: {close}.")


def _no_record(match: re.Match[str], *_: object) -> Fault:
    return Fault("F402", f"{match['of']!r} is no record and has no field {match['name']!r}. Name the column alone.")


def _fixed(code: str, message: str) -> Callable[..., Fault]:
    def told(*_: object) -> Fault:
        return Fault(code, message)

    return told


def _no_part(match: re.Match[str], *_: object) -> Fault:
    parts = "year, quarter, month, week, day, hour, minute, second"
    return Fault("F402", f"A date has no part {match['name'].lower()!r}. Its parts are {parts}. Name one of them.")


def _bad_pattern(match: re.Match[str], *_: object) -> Fault:
    what = f"a {match['sign']} is missing" if match["sign"] else match[0].strip()
    return Fault("F402", f"The pattern cannot be read: {what}. A sign that stands for itself has a \\ before it.")


_READERS: tuple[tuple[re.Pattern[str], Callable[..., Fault]], ...] = (
    (
        re.compile(r'Referenced column "(?P<name>[^"]+)" not found|does not have a column named "(?P<other>[^"]+)"'),
        _unknown,
    ),
    (
        re.compile(r"No function matches the given name and argument types '(?P<name>[^(]+)\((?P<types>.*?)\)'\."),
        _no_match,
    ),
    (re.compile(r'best candidate function for the function call "(?P<name>[^(]+)\((?P<types>.*?)\)"\.'), _no_match),
    (
        re.compile(r"Cannot compare values of type (?P<left>.+?) and type (?P<right>.+?)(?: in .*?)? - an explicit"),
        _compared,
    ),
    (
        re.compile(
            r"Cannot mix values of type (?P<left>.+?) and (?P<right>.+?) in (?P<where>.+?) (?:expression|operator|- )"
        ),
        _mixed,
    ),
    (re.compile(r'column "(?P<name>[^"]+)" must appear in the GROUP BY clause'), _ungrouped),
    (
        re.compile(r"(WHERE|QUALIFY|HAVING) clause cannot contain aggregates"),
        _fixed(
            "F402",
            "An aggregate such as sum() is over many rows; a condition looks at one. Put an aggregate node before it.",
        ),
    ),
    (
        re.compile(r"aggregate function calls cannot (be nested|contain window)", re.IGNORECASE),
        _fixed("F402", "An aggregate stands inside an aggregate. Use two aggregate nodes, one after the other."),
    ),
    (re.compile(r"(?:Scalar|Aggregate|Table)? ?Function with name (?P<name>\w+) does not exist"), _misplaced),
    (
        re.compile(r'Could not find key "(?P<name>[^"]+)" in struct\s+Candidate Entries: (?P<there>.*)', re.DOTALL),
        _unknown_field,
    ),
    (re.compile(r'extract specifier "(?P<name>[^"]*)" not recognized'), _no_part),
    (
        re.compile(
            r"^missing (?P<sign>[\])]): |^(?:unexpected \)|no argument for repetition operator|invalid [\w ]+): "
        ),
        _bad_pattern,
    ),
    (re.compile(r"Cannot extract field '(?P<name>[^']+)' from expression \"(?P<of>[^\"]+)\""), _no_record),
)
