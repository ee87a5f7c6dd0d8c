"""Comparisons that DuckDB binds and that fail only when they run: text against a number, a date, a list.

Finds them beforehand: a text literal is tried as a value of the other side's type; a text that is not a literal is refused there; so
are conversions that DuckDB does not have, such as a date into a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

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
_EXAMPLES = {"date": "'2024-03-31'", "moment": "'2024-03-31 18:30:00'", "time": "'18:30:00'", "number": "42"}
_CONVERSIONS = {"number": "CAST({0} AS DOUBLE)", "date": "CAST({0} AS DATE)", "moment": "CAST({0} AS TIMESTAMP)"}


def faults_in(query: exp.Expr, tries: Tries) -> Iterator[Fault]:
    """Return a fault, without a path, for each comparison and conversion that would fail when it runs."""
    for place in query.find_all(*_COMPARISONS, exp.Between, exp.In):
        sides = [side for side in place.iter_expressions() if not isinstance(side, exp.Null)]
        literals = [side for side in sides if _is_text(side)]
        others = [side for side in sides if not _is_text(side)]
        if not others or (not literals and len(others) < 2):
            continue
        kinds = [(side, kind) for side in others if not isinstance(side, exp.Literal) and (kind := tries.type_of(side))]
        for literal in literals:
            if kinds and not _reads(literal, kinds[0][1], tries):
                yield _not_a_value(literal.name, kinds[0][1])
        yield from _mixed(kinds, tries)
    for cast in query.find_all(exp.Cast):
        yield from _conversion(cast, tries)


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
    kind = family(type_name)
    return kind in ("bytes", "other") or (kind == "text" and type_name != "UUID") or tries.fits(literal.name, type_name)


def _mixed(kinds: Sequence[tuple[exp.Expr, str]], tries: Tries) -> Iterator[Fault]:
    (one, one_kind), *others = kinds or [(exp.Null(), "")]
    for other, other_kind in others:
        if one_kind == other_kind:
            continue
        texts = {family(one_kind) == "text", family(other_kind) == "text"}
        if len(texts) == 1 and tries.compares(one_kind, other_kind):
            continue
        text, value, kind = (one, other, other_kind) if family(one_kind) == "text" else (other, one, one_kind)
        way = _CONVERSIONS.get(family(kind), "CAST({0} AS VARCHAR)").format(_written(text if len(texts) > 1 else value))
        yield Fault(
            "F405" if len(texts) > 1 else "F402",
            f"{_written(one)} is {in_words(one_kind)} and is compared with {_written(other)}, which is"
            f" {in_words(other_kind)}. Convert one of them first, such as {way}.",
        )
        return


def _not_a_value(literal: str, type_name: str) -> Fault:
    example = _EXAMPLES.get(family(type_name), "")
    hint = f"Write it as {example}." if example else "Use a value of that kind."
    return Fault(
        "F405", f"The text {literal!r} cannot be read as {in_words(type_name)}, which is expected there. {hint}"
    )


def _is_text(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) and node.is_string


def _written(node: exp.Expr) -> str:
    text = node.name if isinstance(node, exp.Column) else node.sql(dialect="duckdb", comments=False)
    return text if len(text) <= 60 else f"{text[:59]}…"
