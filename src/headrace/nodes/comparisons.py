"""What DuckDB binds and what fails only when it runs: text where a number, a date or true and false must stand.

Finds it beforehand: a text literal is tried as a value of the type that it must have; a text that is not a literal is refused there; so
are comparisons and conversions that DuckDB does not have, such as a date with or into a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from .columns import written
from .spec import Fault
from .types import family, in_words

TypeOf = Callable[[exp.Expr], str | None]


@dataclass(frozen=True, slots=True)
class Tries:
    """What is asked of DuckDB to find out."""

    type_of: TypeOf
    """The type of a part of a query; None where it cannot be told."""
    fits: Callable[[str, str], bool]
    """Whether a text can be read as a value of a type."""
    converts: Callable[[str, str], bool]
    """Whether values of one type can be turned into another at all."""
    compares: Callable[[str, str], bool]
    """Whether values of two types can be compared at all."""


_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ, exp.NullSafeNEQ)
_CHOICES = (exp.Coalesce, exp.Greatest, exp.Least, exp.Case, exp.If, exp.Lag, exp.Lead)
_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv, exp.Mod)
_EXAMPLES = {"date": "'2024-03-31'", "moment": "'2024-03-31 18:30:00'", "time": "'18:30:00'", "number": "42"}
_CONVERSIONS = {"number": "CAST({0} AS DOUBLE)", "date": "CAST({0} AS DATE)", "moment": "CAST({0} AS TIMESTAMP)"}


def faults_in(query: exp.Expr, tries: Tries) -> Iterator[Fault]:
    """Return a fault, without a path, for each comparison, choice, calculation and conversion that would fail when it runs."""
    for place in query.find_all(*_COMPARISONS, exp.Between, exp.In, exp.Nullif):
        yield from _compared(list(place.iter_expressions()), tries)
    for case in query.find_all(exp.Case):
        if case.this is not None:
            yield from _compared([case.this, *(branch.this for branch in case.args["ifs"])], tries)
    for place in query.find_all(*_CHOICES, *_ARITHMETIC):
        yield from _stands_for(place, tries)
    for place in query.find_all(exp.Not, exp.And, exp.Or):
        yield from _logical(place, tries)
    for cast in query.find_all(exp.Cast):
        yield from _conversion(cast, tries)


def _compared(sides: Sequence[exp.Expr], tries: Tries) -> Iterator[Fault]:
    literals = [side for side in sides if _is_text(side)]
    others = [side for side in sides if not _is_text(side) and not isinstance(side, exp.Null)]
    if not others or (not literals and all(isinstance(side, exp.Literal) for side in others)):
        return
    kinds = [(side, kind) for side in others if (kind := tries.type_of(side))]
    kinds.sort(key=lambda each: isinstance(each[0], exp.Literal))
    for literal in literals:
        if kinds and not _reads(literal, kinds[0][1], tries):
            yield _not_a_value(literal.name, kinds[0][1])
    yield from _mixed(kinds, tries)


def _stands_for(place: exp.Expr, tries: Tries) -> Iterator[Fault]:
    """The text literals among the values of which one is taken, or with which is calculated: each becomes of the common type."""
    match place:
        case exp.Case():
            values = [*(branch.args["true"] for branch in place.args["ifs"]), place.args.get("default")]
        case exp.If():
            values = [place.args["true"], place.args.get("false")]
        case _:
            values = [place.this, place.args.get("expression"), place.args.get("default"), *place.expressions]
    literals = [value for value in values if isinstance(value, exp.Expr) and _is_text(value)]
    within_case = isinstance(place, exp.If) and isinstance(place.parent, exp.Case)
    whole = place.parent if isinstance(place.parent, exp.Window) else place
    kind = tries.type_of(whole) if literals and not within_case else None
    if kind is None:
        return
    for each in literals:
        wanted = kind if isinstance(place, _CHOICES) else _calculated(place, each, kind, tries=tries)
        if not _reads(each, wanted, tries):
            yield _not_a_value(each.name, wanted)


def _calculated(place: exp.Expr, literal: exp.Expr, kind: str, *, tries: Tries) -> str:
    """The type that a text becomes in a calculation: beside a time a span of time, before a minus what is taken away."""
    other = place.args["expression"] if literal is place.this else place.this
    beside = tries.type_of(other)
    if beside is None or family(beside) == "number":
        return kind
    if not isinstance(place, exp.Add | exp.Sub):
        return "DOUBLE"
    return beside if isinstance(place, exp.Sub) and literal is place.this else "INTERVAL"


def _logical(place: exp.Expr, tries: Tries) -> Iterator[Fault]:
    for side in place.iter_expressions():
        if isinstance(side, exp.Column) and (kind := tries.type_of(side)) and family(kind) == "text":
            message = f"{_written(side)} is {in_words(kind)}, and true or false is expected there."
            yield Fault("F402", f"{message} Compare it with something, such as {_sql(side)} = 'yes'.")


def _conversion(cast: exp.Cast, tries: Tries) -> Iterator[Fault]:
    value = cast.this
    if _is_text(value):
        kind = None if isinstance(cast, exp.TryCast) else tries.type_of(cast)
        if kind is not None and not _reads(value, kind, tries):
            yield _not_a_value(value.name, kind)
    elif isinstance(value, exp.Column):
        source, target = tries.type_of(value), cast.to.sql(dialect="duckdb")
        if source is not None and not tries.converts(source, target):
            message = f"{_written(value)} is {in_words(source)}, and there is no way to make {target} of it."
            yield Fault("F402", f"{message} Choose another type.")


def _reads(literal: exp.Expr, type_name: str, tries: Tries) -> bool:
    if type_name not in ("INTERVAL", "UUID") and family(type_name) in ("bytes", "other", "text"):
        return True
    return tries.fits(literal.name, type_name)


def _mixed(kinds: Sequence[tuple[exp.Expr, str]], tries: Tries) -> Iterator[Fault]:
    (one, one_kind), *others = kinds or [(exp.Null(), "")]
    for other, other_kind in others:
        if one_kind == other_kind:
            continue
        texts = {family(one_kind) == "text", family(other_kind) == "text"}
        if len(texts) == 1 and tries.compares(one_kind, other_kind):
            continue
        text, value, kind = (one, other, other_kind) if family(one_kind) == "text" else (other, one, one_kind)
        way = _CONVERSIONS.get(family(kind), "CAST({0} AS VARCHAR)").format(_sql(text if len(texts) > 1 else value))
        way = f"Convert one of them first, such as {way}."
        if len(texts) == 1 and isinstance(other, exp.Literal):
            way = _as_literal(one, one_kind) or way
        yield Fault(
            "F405" if len(texts) > 1 else "F402",
            f"{_written(one)} is {in_words(one_kind)} and is compared with {_written(other)}, which is"
            f" {in_words(other_kind)}. {way}",
        )
        return


def _as_literal(column: exp.Expr, type_name: str) -> str:
    """How a value of a type is written beside a column, where a number was written; empty where nothing is to be said."""
    example = _EXAMPLES.get(family(type_name), "")
    year = f"; for its year use year({_sql(column)})" if family(type_name) in ("date", "moment") else ""
    return f"Write it in quotes: {example}{year}." if example else ""


def _not_a_value(literal: str, type_name: str) -> Fault:
    example = _EXAMPLES.get(family(type_name), "")
    hint = f"Write it as {example}." if example else "Use a value of that kind."
    return Fault(
        "F405", f"The text {literal!r} cannot be read as {in_words(type_name)}, which is expected there. {hint}"
    )


def _is_text(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) and node.is_string


def _sql(node: exp.Expr) -> str:
    """A part of a query as a person writes it in an expression."""
    return written(node.name) if isinstance(node, exp.Column) else _written(node)


def _written(node: exp.Expr) -> str:
    text = node.name if isinstance(node, exp.Column) else node.sql(dialect="duckdb", comments=False)
    return text if len(text) <= 60 else f"{text[:59]}…"
