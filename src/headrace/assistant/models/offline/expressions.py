"""Turns what was read into SQL over the columns that are at hand at one place of the flow.

Owns the choice between columns that fit: one is taken, two raise `Unclear`, none gives None, so that another place is tried.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from headrace.nodes.wordlist import word_set

from .conditions import values_of
from .doubts import Unclear
from .fields import Field, stem
from .meaning import (
    Both,
    ColumnRef,
    Either,
    Formula,
    Measure,
    Not,
    Number,
    Period,
    Role,
    Rows,
    Test,
    Text,
    TimePart,
    ValueRef,
)
from .sql_words import literal, quoted
from .time_sql import within, year_of
from .units import converted, dimension, unit_in
from .vocabulary import AMOUNTS, QUANTITIES

TIMES = word_set("year season month quarter week day hour decade")
OPERATORS = {">": ">", ">=": ">=", "<": "<", "<=": "<=", "=": "=", "!=": "<>"}
ENDS = {
    "from": word_set("origin from source start departure sender"),
    "to": word_set("dest destination to target arrival end recipient"),
}
AGGREGATES = {
    "count": "count(*)",
    "mean": "avg({})",
    "sum": "sum({})",
    "median": "median({})",
    "min": "min({})",
    "max": "max({})",
    "std": "stddev({})",
    "count_distinct": "count(DISTINCT {})",
}


@dataclass(slots=True)
class Here:
    """The columns at one place of the flow, and what is known about them."""

    columns: Sequence[Field]
    roles: dict[str, str] = field(default_factory=dict)
    """What a made column is: role -> its name; `figure` is the last one."""
    nouns: frozenset[str] = frozenset()
    """Stems of what the rows are called: of two dates, the one called alike is meant."""
    percents: frozenset[str] = frozenset()
    """Columns that hold percents and not fractions."""
    assumed: list[str] = field(default_factory=list)
    """What was taken for granted, in words."""

    # --- columns ----------------------------------------------------------------------------------------------------

    def field(self, name: str) -> Field | None:
        """Return the column of that name."""
        return next((f for f in self.columns if f.name == name), None)

    def find(self, ref: Any) -> Field | None:
        """Return the column that a reference means here; None where it is not here. Errors: Unclear where two fit."""
        match ref:
            case ColumnRef():
                fits = [f for f in self.columns if f.name in ref.names or (f.written and f.written in ref.names)]
                if len(fits) > 1:
                    return self._one_of_dates(fits) or self._unclear(ref.words, fits)
                return fits[0] if fits else None
            case Role(name) if name in ENDS:
                fits = [f for f in self.columns if set(f.words) & ENDS[name]]
                return fits[0] if len(fits) == 1 else None
            case Role(name):
                made = self.roles.get(name)
                return self.field(made) if made else None
            case TimePart():
                made = self.roles.get(f"time {ref.unit}")
                return self.field(made) if made else None
            case Measure():
                made = self.roles.get(measure_key(ref))
                return self.field(made) if made else None
        return None

    def _one_of_dates(self, fits: Sequence[Field]) -> Field | None:
        """Return, of several dates, the one that is called like the rows: of orders the day of the order."""
        like = [f for f in fits if {stem(word) for word in f.words} & self.nouns]
        if len(like) != 1 or any(f.kind != "date" for f in fits):
            return None
        self.assumed.append(f"of the dates `{like[0].name}` is meant")
        return like[0]

    def _unclear(self, words: str, fits: Sequence[Field]) -> Field:
        raise Unclear(which(words, fits))

    def time(self, unit: str, ref: ColumnRef | None = None) -> Field | None:
        """Return the column that a time speaks of: a date, or a number that is a year or a month."""
        if ref is not None:
            found = self.find(ref)
            return found if found is None or found.kind == "date" or set(found.words) & TIMES else None
        numbers = [f for f in self.columns if f.kind == "number"]
        alone = [f for f in numbers if set(f.words) <= ({"year", "season"} if unit in ("year", "decade") else {unit})]
        if len(alone) == 1:
            return alone[0]
        all_dates = [f for f in self.columns if f.kind == "date"]
        dates = alone or [f for f in all_dates if f.sources] or all_dates
        if len(dates) > 1:
            return self._one_of_dates(dates) or self._unclear(f"the {unit}", dates)
        if dates:
            return dates[0]
        return None

    # --- conditions -------------------------------------------------------------------------------------------------

    def condition(self, condition: Any) -> str | None:
        """Return a condition as SQL; None where a column of it is not here."""
        match condition:
            case Not(of=Test(op="null") as test):
                return self.condition(Test(test.left, "not null"))
            case Not(of=Test(op="not null") as test):
                return self.condition(Test(test.left, "null"))
            case Not(of=Test(op="in") as test):
                return self._test(test, negated=True)
            case Not(of=inner):
                text = self.condition(inner)
                return f"NOT ({text})" if text else None
            case Either(of=parts) | Both(of=parts):
                texts = [self.condition(part) for part in self._spread(parts)]
                word = " OR " if isinstance(condition, Either) else " AND "
                return (
                    word.join(f"({text})" if " OR " in text or " AND " in text else text for text in texts if text)
                    if all(texts)
                    else None
                )
            case Test():
                return self._test(condition)
        return None

    def _spread(self, parts: Sequence[Any]) -> list[Any]:
        """Give a part without a left side the one before it: `price over 10 or below 2`."""
        spread, left = [], None
        for part in parts:
            if isinstance(part, Test):
                bare = part.left is None and not any(isinstance(v, ValueRef | Period) for v in values_of(part))
                part = Test(left, part.op, part.right) if bare and left is not None else part
                left = part.left if part.left is not None else left
            spread.append(part)
        return spread

    def _test(self, test: Test, *, negated: bool = False) -> str | None:
        values = values_of(test)
        if any(isinstance(value, Period) for value in values):
            return self._when(test, values, negated=negated)
        column = self._left(test, values)
        if column is None:
            return None
        name = quoted(column.name)
        if test.op in ("null", "not null"):
            return f"{name} IS {'NOT ' if test.op == 'not null' else ''}NULL"
        if test.op in ("starts", "ends", "contains"):
            function = {"starts": "starts_with", "ends": "ends_with", "contains": "contains"}[test.op]
            if isinstance(test.right, ValueRef) or test.op == "contains":
                return f"{function}(lower({name}), lower({literal(said(test.right))}))"
            return f"{function}({name}, {literal(said(test.right))})"
        if test.op == "between":
            low, high = (self._value(value, column) for value in values)
            return f"{name} BETWEEN {low} AND {high}" if low is not None and high is not None else None
        if test.op == "in":
            texts = [self._value(value, column) for value in values]
            if None in texts:
                return None
            if len(texts) == 1:
                return f"{name} {'<>' if negated else '='} {texts[0]}"
            return f"{name} {'NOT ' if negated else ''}IN ({', '.join(map(str, texts))})"
        right = self._value(test.right, column)
        return f"{name} {OPERATORS[test.op]} {right}" if right is not None else None

    def _left(self, test: Test, values: Sequence[Any]) -> Field | None:
        """Return the column on the left: the one said, the one whose values are named, or the figure there is."""
        options = [value for value in values if isinstance(value, ValueRef)]
        if test.left is not None:
            return self.find(test.left)
        if options:
            names = set.intersection(*({column for column, _ in value.options} for value in options))
            fits = [f for f in self.columns if f.name in names or f.written in names]
            if len(fits) > 1:
                raise Unclear(which(options[0].words, fits, what="stands in"))
            return fits[0] if fits else None
        return self.find(Role("figure"))

    def _value(self, value: Any, column: Field) -> str | None:
        match value:
            case Number():
                return self._number(value, column) if column.kind in ("number", "text") else None
            case ValueRef(options=options):
                stored = [v for name, v in options if name in (column.name, column.written)]
                return literal(stored[0]) if stored else None
            case Text(value=text):
                if column.kind == "bool" and text in ("true", "false", "yes", "no"):
                    return "TRUE" if text in ("true", "yes") else "FALSE"
                return literal(text)
            case ColumnRef():
                other = self.find(value)
                return quoted(other.name) if other else None
        return None

    def _number(self, value: Number, column: Field) -> str:
        amount = value.value
        if (
            value.percent
            and column.name not in self.percents
            and not set(column.words) & {"percent", "percentage", "pct"}
            and "%" not in column.name
        ):
            amount = round(amount / 100, 12)
        if value.unit:
            amount = self._in_unit_of(amount, value.unit, column)
        return (
            literal(str(int(amount)) if float(amount).is_integer() else str(amount))
            if column.kind == "text"
            else literal(amount)
        )

    def _in_unit_of(self, amount: float, unit: str, column: Field) -> float:
        """Return an amount in the unit that the column's name carries. Errors: Unclear where the two measure other things."""
        own = unit_in(column.words)
        if own and dimension(unit):
            there = converted(amount, unit, own)
            if there is None:
                raise Unclear(
                    f"`{column.name}` is in {own}, not in {unit}. What shall be compared with {amount:g} {unit}?"
                )
            return there
        if unit == "hour":
            self.assumed.append(f"`{column.name}` is in minutes")
            return amount * 60
        return amount

    # --- times ------------------------------------------------------------------------------------------------------

    def _when(self, test: Test, values: Sequence[Any], *, negated: bool) -> str | None:
        periods = [value for value in values if isinstance(value, Period)]
        column = self.find(test.left) if test.left is not None else self.time(periods[0].unit)
        if column is None:
            return None
        if any(not period.sure for period in periods):
            self.assumed.append("the date is month/day/year")
        if test.op == "between" and len(periods) == 2:
            first, last = (within(column, ">=", periods[0]), within(column, "<=", periods[1]))
            text = f"{first} AND {last}" if first and last else None
            if periods[0].unit == periods[1].unit == "year":
                text = f"{year_of(column)} BETWEEN {periods[0].year} AND {periods[1].year}"
            return f"NOT ({text})" if negated and text else text
        texts = [within(column, "=" if test.op == "in" else test.op, period) for period in periods]
        if None in texts:
            return None
        sides = [str(text).partition(" = ") for text in texts]
        if len(sides) > 1 and all(equal and left == sides[0][0] for left, equal, _ in sides):
            text = f"{sides[0][0]} IN ({', '.join(right for _, _, right in sides)})"
        else:
            text = " OR ".join(map(str, texts))
        return f"NOT ({text})" if negated else text

    # --- arithmetic -------------------------------------------------------------------------------------------------

    def formula(self, formula: Any) -> str | None:
        """Return arithmetic as SQL over the columns here; None where one of them is not here."""
        match formula:
            case Number(value=value, percent=percent):
                return literal(round(value / 100, 12) if percent else value)
            case Formula(operator=operator, left=left, right=right):
                return self._arithmetic(operator, left, right)
            case Role("money"):
                return self._money()
            case _:
                found = self.find(formula)
                return quoted(found.name) if found else None

    def _arithmetic(self, operator: str, left: Any, right: Any) -> str | None:
        first, second = self.formula(left), self.formula(right)
        found = [f for f in (self.find(left), self.find(right)) if f is not None]
        dates = [f for f in found if f.kind == "date"]
        if first is None or second is None or any(f.kind == "text" for f in found) or 0 < len(dates) < len(found):
            return None
        if operator.endswith("s between"):
            return f"date_diff('{operator.split()[0][:-1]}', {first}, {second})" if len(dates) == 2 else None
        if operator in ("-", "difference") and len(dates) == 2:
            return f"date_diff('day', {second}, {first})" if operator == "-" else f"date_diff('day', {first}, {second})"
        if operator == "^":
            return f"power({first}, {second})"
        return f"{_bracketed(first)} {'-' if operator == 'difference' else operator} {_bracketed(second)}"

    def _money(self) -> str | None:
        """Return what takings are: a column that says so, or quantity times price, or a price alone."""
        numbers = [f for f in self.columns if f.kind == "number"]
        amounts = [f for f in numbers if set(f.words) & AMOUNTS and not set(f.words) & {"number", "count"}]
        quantities = [f for f in numbers if set(f.words) & QUANTITIES and f not in amounts]
        prices = [f for f in amounts if set(f.words) & {"price", "cost", "fee", "fare", "rate"}]
        whole = [f for f in amounts if f not in prices]
        if len(whole) == 1:
            return quoted(whole[0].name)
        if len(prices) == 1 and len(quantities) <= 1 and not whole:
            if quantities:
                self.assumed.append(f"revenue is `{quantities[0].name}` × `{prices[0].name}`")
                return f"{quoted(quantities[0].name)} * {quoted(prices[0].name)}"
            self.assumed.append(f"revenue is the sum of `{prices[0].name}`")
            return quoted(prices[0].name)
        return None

    def aggregate(self, measure: Measure) -> str | None:
        """Return a figure as an aggregate expression; None where a column of it is not here."""
        if isinstance(measure.of, Rows) or measure.function == "count":
            return "count(*)"
        of = self.formula(measure.of)
        return AGGREGATES[measure.function].format(of) if of and measure.function in AGGREGATES else None


def measure_key(measure: Measure) -> str:
    """Return the name under which a figure is remembered once it is a column."""
    of = measure.of
    what = (
        "rows"
        if isinstance(of, Rows) or of is None
        else of.names[0]
        if isinstance(of, ColumnRef) and len(of.names) == 1
        else repr(of)
    )
    return f"{measure.function} of {what}"


def which(words: str, fits: Sequence[Field], *, what: str = "can mean") -> str:
    """Return the question between columns that fit equally, with the files where there are several."""
    sources = {source for f in fits for source in f.sources}
    names = []
    for f in fits:
        own = f" ({f.sources[0]})" if len(sources) > 1 and f.sources else ""
        names.append(f"`{f.written or f.name}`{own}")
    return f"“{words}” {what} {', '.join(names[:-1])} or {names[-1]}. Which of {'the two' if len(names) == 2 else 'these'} do you mean?"


def said(value: Any) -> str:
    """Return the plain text of a value."""
    match value:
        case Text(value=text):
            return text
        case ValueRef(words=words):
            return words
        case Number(value=number):
            return f"{number:g}"
    return str(value)


def _bracketed(text: str) -> str:
    return f"({text})" if re.search(r"\s[-+*/]\s", re.sub(r'"[^"]*"|\([^()]*\)', "x", text)) else text
