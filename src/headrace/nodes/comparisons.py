"""Comparisons that DuckDB binds and that fail only when they run: text against a number, a date, a list.

Finds them beforehand: a text literal is tried as a value of the other side's type; a text that is not a literal is refused there; so
are conversions that DuckDB does not have, such as a date into a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sqlglot import exp

from .spec import Fault
from .types import family, in_words

TypeOf = Callable[[exp.Expr], str | None]
"""The type of a part of a query; None where it cannot be told."""
Fits = Callable[[str, str], bool]
"""Whether a text can be read as a value of a type."""

Converts = Callable[[str, str], bool]
"""Whether values of one type can be turned into another at all."""

_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ, exp.NullSafeNEQ)
_EXAMPLES = {"date": "'2024-03-31'", "moment": "'2024-03-31 18:30:00'", "time": "'18:30:00'", "number": "42"}
_CONVERSIONS = {"number": "CAST({0} AS DOUBLE)", "date": "CAST({0} AS DATE)", "moment": "CAST({0} AS TIMESTAMP)"}


def faults_in(query: exp.Expr, type_of: TypeOf, *, fits: Fits, converts: Converts) -> Iterator[Fault]:
    """Return a fault, without a path, for each comparison and conversion that would fail when it runs."""
    for place in query.find_all(*_COMPARISONS, exp.Between, exp.In):
        sides = [side for side in place.iter_expressions() if not isinstance(side, exp.Null)]
        literals = [side for side in sides if _is_text(side)]
        others = [side for side in sides if not _is_text(side)]
        if not others or (not literals and len(others) < 2):
            continue
        kinds = [(side, kind) for side in others if not isinstance(side, exp.Literal) and (kind := type_of(side))]
        yield from (
            _not_a_value(each.name, kind) for each in literals for _, kind in kinds[:1] if not _reads(each, kind, fits)
        )
        yield from _mixed(kinds)
    for cast in query.find_all(exp.Cast):
        if _is_text(cast.this) and not isinstance(cast, exp.TryCast):
            kind = type_of(cast)
            if kind is not None and not _reads(cast.this, kind, fits):
                yield _not_a_value(cast.this.name, kind)
        elif isinstance(cast.this, exp.Column):
            source, target = type_of(cast.this), cast.to.sql(dialect="duckdb")
            if source is not None and not converts(source, target):
                yield Fault(
                    "F402",
                    f"{_written(cast.this)} is {in_words(source)}, and there is no way to make {target} of it. Choose another type.",
                )


def _reads(literal: exp.Expr, type_name: str, fits: Fits) -> bool:
    kind = family(type_name)
    return kind in ("bytes", "other") or (kind == "text" and type_name != "UUID") or fits(literal.name, type_name)


def _mixed(kinds: Sequence[tuple[exp.Expr, str]]) -> Iterator[Fault]:
    texts = [(side, kind) for side, kind in kinds if family(kind) == "text"]
    others = [(side, kind) for side, kind in kinds if family(kind) not in ("text", "other", "bytes")]
    if not texts or not others:
        return
    (text, text_kind), (other, other_kind) = texts[0], others[0]
    way = _CONVERSIONS.get(family(other_kind), "CAST({0} AS VARCHAR)").format(_written(text))
    yield Fault(
        "F405",
        f"{_written(text)} is {in_words(text_kind)} and is compared with {_written(other)}, which is {in_words(other_kind)}."
        f" Convert it first: {way}.",
    )


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
