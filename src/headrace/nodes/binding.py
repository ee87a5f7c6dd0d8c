"""DuckDB's answers to a query that does not fit, in words for the person who wrote the config.

Owns the reading of binder errors and the search for texts that are compared with something they cannot be read as. Asks nothing
itself: the binder does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from sqlglot import exp

from .near import near
from .spec import Fault, Relation
from .types import family, in_words

TypeOf = Callable[[exp.Expression], str | None]
"""The type of a part of a query, or None where it cannot be told."""

_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ, exp.NullSafeNEQ)
_EXAMPLES = {"date": "'2024-03-31'", "moment": "'2024-03-31 18:30:00'", "time": "'18:30:00'", "number": "42"}


def fault_of(error: Exception, query: exp.Expression, relations: Sequence[Relation]) -> Fault:
    """Return what is wrong, without a path."""
    text = re.sub(r"^\w+ Error: ", "", str(error)).strip()
    for pattern, told in _READERS:
        if match := pattern.search(text):
            return told(match, query, relations)
    first = text.split("\n")[0].rstrip(".!")
    return Fault("F402", f"This cannot be calculated: {first}. Change the expression so that the kinds of values fit.")


def compared_texts(query: exp.Expression, type_of: TypeOf) -> Iterator[tuple[str, str]]:
    """Return each text literal that will be read as a value of another type, with that type.

    DuckDB binds `day > 'yesterday'` and fails only when it runs; so each such text is tried beforehand.
    """
    for place in query.find_all(*_COMPARISONS, exp.Between, exp.In, exp.Cast):
        if isinstance(place, exp.Cast):
            literals = [place.this] if not isinstance(place, exp.TryCast) else []
            wanted = type_of(place) if any(map(_is_text, literals)) else None
        else:
            sides = [side for side in place.iter_expressions() if isinstance(side, exp.Expression)]
            literals = [side for side in sides if _is_text(side)]
            others = [side for side in sides if not _is_text(side) and not isinstance(side, exp.Null)]
            wanted = type_of(others[0]) if literals and others else None
        if wanted is None or not _can_be_tried(wanted):
            continue
        yield from ((literal.name, wanted) for literal in literals if _is_text(literal))


def _can_be_tried(type_name: str) -> bool:
    return family(type_name) not in ("text", "bytes", "other")


def not_a_value(literal: str, type_name: str) -> Fault:
    """Return the fault of a text that cannot be read as what it is compared with."""
    example = _EXAMPLES.get(family(type_name), "")
    hint = f" Write it as {example}." if example else " Compare it with a value of that kind."
    return Fault(
        "F405", f"The text {literal!r} cannot be read as {in_words(type_name)}, which it is compared with.{hint}"
    )


def _is_text(node: exp.Expression) -> bool:
    return isinstance(node, exp.Literal) and node.is_string


def _unknown(match: re.Match[str], query: exp.Expression, relations: Sequence[Relation]) -> Fault:
    del query
    name = match["name"]
    names = [column for relation in relations for column in relation.table.names()]
    close = near(name, names)
    meant = f" Did you mean {' or '.join(map(repr, close))}?" if close else ""
    return Fault("F401", f"There is no column {name!r}.{meant} The columns are {', '.join(names[:12])}.")


def _no_match(match: re.Match[str], query: exp.Expression, relations: Sequence[Relation]) -> Fault:
    name = match["name"].lower()
    given = _split_types(match["types"])
    operator = not name[0].isalpha()
    what = f"{name!r}" if operator else f"{name}()"
    takes = _accepted(match.string, name)
    has = " and ".join(map(in_words, given)) or "nothing"
    culprits = _columns_of_types(query, relations, given)
    message = f"{what} cannot be used with {has}{culprits}."
    if takes:
        message += f" It takes {takes}."
    return Fault("F402", f"{message} {_way_out(given)}")


def _way_out(given: Sequence[str]) -> str:
    if any(family(kind) == "text" for kind in given):
        return "Convert text first: CAST(name AS DOUBLE), CAST(name AS DATE) or strptime(name, '%d.%m.%Y')."
    return "Convert it first, for example CAST(name AS VARCHAR), or use another column."


def _columns_of_types(query: exp.Expression, relations: Sequence[Relation], given: Sequence[str]) -> str:
    """Name the columns in the query that have one of the types that do not fit."""
    mentioned = dict.fromkeys(place.name for place in query.find_all(exp.Column))
    found = []
    for name in mentioned:
        for relation in relations:
            column = relation.table.column(name)
            if column is not None and column.type in given and f"{name} is {in_words(column.type)}" not in found:
                found.append(f"{name} is {in_words(column.type)}")
    return f" ({'; '.join(found[:3])})" if found else ""


def _accepted(text: str, name: str) -> str:
    """What the function takes, as kinds of values: from the candidates that DuckDB lists."""
    kinds: dict[str, None] = {}
    for candidate in re.findall(rf"^\s*{re.escape(name)}\((.*)\) -> ", text, re.MULTILINE | re.IGNORECASE):
        parts = _split_types(candidate)
        words = [_kind_word(part) for part in parts]
        kinds[" and ".join(words) if len(set(words)) > 1 else words[0] if words else "nothing"] = None
    return ", or ".join(list(kinds)[:4])


def _kind_word(type_name: str) -> str:
    kind = family(type_name)
    return {
        "number": "numbers",
        "text": "text",
        "date": "dates",
        "moment": "dates with times",
        "flag": "true or false",
    }.get(kind, "any value" if type_name in ("ANY", "T", "TABLE") else type_name)


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


def _compared(match: re.Match[str], query: exp.Expression, relations: Sequence[Relation]) -> Fault:
    left, right = match["left"], match["right"]
    culprits = _columns_of_types(query, relations, [left, right])
    texts = sum(family(kind) == "text" for kind in (left, right))
    code = "F405" if texts == 1 else "F402"
    other = next((kind for kind in (left, right) if family(kind) != "text"), right)
    if texts == 1 and family(other) == "number":
        way = "Put the value in quotes to compare as text, or convert: CAST(name AS DOUBLE)."
    elif texts == 1:
        way = "Convert the text: CAST(name AS DATE) or strptime(name, '%d.%m.%Y')."
    elif "date" in (family(left), family(right)):
        way = "Write a date in quotes: '2024-03-31'; for its year use year(name)."
    else:
        way = "Compare values of one kind, or convert one with CAST(name AS …)."
    return Fault(code, f"{_begun(in_words(left))} is compared with {in_words(right)}{culprits}. {way}")


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]


def _mixed(match: re.Match[str], query: exp.Expression, relations: Sequence[Relation]) -> Fault:
    culprits = _columns_of_types(query, relations, [match["left"], match["right"]])
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
    fields = match["there"].strip().replace('"', "")
    return Fault("F401", f"The record has no field {match['name']!r}. Its fields are {fields}.")


def _no_record(match: re.Match[str], *_: object) -> Fault:
    return Fault("F402", f"{match['of']!r} is no record and has no field {match['name']!r}. Name the column alone.")


def _fixed(code: str, message: str) -> Callable[..., Fault]:
    def told(*_: object) -> Fault:
        return Fault(code, message)

    return told


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
    (re.compile(r"Cannot extract field '(?P<name>[^']+)' from expression \"(?P<of>[^\"]+)\""), _no_record),
)
