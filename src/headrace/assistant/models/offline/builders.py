"""What the rules of the grammar make of their slots: small functions from parts of a request to meanings; None refuses a reading.

The rules name these functions, and the meanings themselves, in `rules/`. None of them knows a table.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from headrace.nodes.wordlist import word_set

from . import meaning as meanings
from .fields import words_of
from .meaning import (
    NOTHING,
    Both,
    By,
    Change,
    ColumnRef,
    Direction,
    Draw,
    Either,
    Figures,
    Formula,
    Items,
    JoinFiles,
    Keep,
    Measure,
    Not,
    Number,
    Order,
    Period,
    Role,
    Rows,
    Share,
    Show,
    Superlative,
    Test,
    Text,
    Top,
    UseNode,
    ValueRef,
)

SUMMED = frozenset({"sum", "mean", "median", "std"})
KEYS = word_set("id no code key zip postcode")
"""Columns of numbers that only tell things apart are not summed."""
TIME_WORDS = word_set("year season month quarter day week date yr")

# --- conditions -------------------------------------------------------------------------------------------------------


def compare(op: str, right: Any) -> Test:
    """Return a comparison whose left side is still to come."""
    return Test(None, op, right)


def with_left(left: Any, test: Any) -> Any:
    """Return a comparison with its left side, where it has none yet and a column of the right kind is there."""
    if isinstance(test, Not):
        inner = with_left(left, test.of)
        return Not(inner) if inner else None
    if test is None or test.left is not None:
        return None
    if isinstance(left, ColumnRef):
        told = KEYS & set(words_of(left.words))
        left = left.only(lambda name, kind: _comparable(name, kind, test) and (told or not _ranks_keys(name, test)))
    elif any(isinstance(value, Text | ValueRef | Period) for value in _compared(test)):
        return None  # figures are numbers
    return Test(left, test.op, test.right) if left is not None else None


def _compared(test: Test) -> tuple[Any, ...]:
    right = test.right
    return right.of if isinstance(right, Items) else right if isinstance(right, tuple) else (right,)


def _comparable(name: str, kind: str, test: Test) -> bool:
    """Return whether a column can stand on the left of a comparison."""
    if test.op in ("starts", "ends", "contains"):
        return kind == "text"
    for value in _compared(test):
        if isinstance(value, Period) and not (kind == "date" or TIME_WORDS & set(words_of(name))):
            return False
        if isinstance(value, ValueRef) and name not in {column for column, _ in value.options}:
            return False
        if isinstance(value, Number) and test.op != "in" and kind != "number":
            return False
        if isinstance(value, ColumnRef) and kind not in value.kinds and "flag" not in (kind, *value.kinds):
            return False
        if isinstance(value, Text) and kind not in ("text", "date", "bool", "flag"):
            return False
    return True


def _ranks_keys(name: str, test: Test) -> bool:
    """Return whether more or less would be said of a column that only tells things apart: `donations over 100`."""
    return test.op in ("<", "<=", ">", ">=", "between") and bool(KEYS & set(words_of(name)))


def degree(adjective: Superlative, right: Any, *, bare: bool = False) -> Test | None:
    """Return what `heavier than 4000` compares: the columns that the adjective speaks of; `bare`: they are still to come."""
    test = compare(">" if adjective.direction == "down" else "<", right)
    return test if bare else with_left(adjective.of, test)


def times(op: str, right: Any) -> Test:
    """Return a comparison with how often something occurs."""
    return Test(Measure("count", Rows("times")), op, right)


def counted(test: Test, rows: Any) -> Test | None:
    """Return a comparison with a number of rows: `more than 5 orders`."""
    return Test(Measure("count", rows, rows.words), test.op, test.right) if isinstance(rows, Rows) else None


def listed(items: Items) -> Test:
    """Return the condition that something is one of several."""
    return Test(None, "in", items.of)


def flagged(flag: Items) -> Test:
    """Return the condition that a column of yes and no says yes."""
    return Test(flag.of[0], "in", (flag.of[1],))


def unflagged(flag: Items) -> Test:
    """Return the condition that a column of yes and no says no."""
    return Test(flag.of[0], "in", (flag.of[2],))


def in_one_of(periods: Items) -> Test | None:
    """Return the condition that a time lies in one of several periods."""
    return Test(None, "in", same_year(periods.of)) if len(periods.of) > 1 else None


def same_year(periods: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return periods with the year that is only said of the last: `from January to March 2024`."""
    year = periods[-1].year or (periods[-1].day.year if periods[-1].day else None)
    return tuple(replace(p, year=year) if p.year is None and p.unit in ("month", "quarter") else p for p in periods)


def both(first: Any, second: Any) -> Both:
    """Return two conditions as one."""
    return Both(
        (*(first.of if isinstance(first, Both) else (first,)), *(second.of if isinstance(second, Both) else (second,)))
    )


def either(first: Any, second: Any) -> Either:
    """Return one of two conditions."""
    return Either((first, *(second.of if isinstance(second, Either) else (second,))))


def beside_text(column: ColumnRef, test: Test) -> Test | None:
    """Return a comparison beside the text column that it groups by: `makers with over 100`."""
    bare = test.left is None and not isinstance(test.right, ColumnRef)
    return test if set(column.kinds) == {"text"} and bare else None


def happened(column: ColumnRef) -> Test | None:
    """Return that something took place, where its day is a column: `closed tickets`."""
    return Test(column, "not null") if set(column.kinds) == {"date"} else None


def shown_where(column: ColumnRef, test: Test) -> Items | None:
    """Return the things of a text column that meet a condition on their number: `makers with more than 5 planes`."""
    return Items((Show((column,)), Keep(test))) if set(column.kinds) == {"text"} else None


# --- figures ----------------------------------------------------------------------------------------------------------


def figure(function: str, of: Any) -> Measure | None:
    """Return a figure over something, where it holds what the function is of."""
    words = getattr(of, "words", "")
    if isinstance(of, ColumnRef) and function not in ("count", "count_distinct", "number of"):
        kinds = ("number", "date", "time") if function in ("min", "max") else ("number",)
        of = of.only(lambda name, kind: kind in kinds and not (function in SUMMED and KEYS & set(words_of(name))))
    return Measure(function, of, words) if of is not None else None


def figure_after(function: str, of: ColumnRef) -> Measure | None:
    """Return a figure whose function follows its column: `mass, average`; a total is a column's name more often."""
    return figure(function, of) if function != "sum" else None


def figures(functions: Items, of: Any) -> Items | None:
    """Return one figure per function: `lightest, heaviest and average body mass`."""
    made = tuple(figure(f, of) for f in functions.of)
    return Items(made) if len(made) > 1 and None not in made else None


def dated(function: str, of: ColumnRef) -> Measure | None:
    """Return the first or last date: `first order date of each customer`."""
    dates = of.only(lambda _, kind: kind == "date")
    return Measure(function, dates, of.words) if dates else None


def extreme(adjective: Superlative) -> str:
    """Return the function of a superlative: the heaviest is a maximum."""
    return "max" if adjective.direction == "down" else "min"


def extreme_of(adjective: Superlative, of: ColumnRef) -> Measure | None:
    """Return the extreme of a column that an adjective goes with: `heaviest body mass`."""
    fits = adjective.of is None or set(adjective.of.names) & set(of.names)
    return figure(extreme(adjective), of) if fits else None


def spoken(adjective: Superlative) -> Measure | None:
    """Return the figure of an adjective that says its column itself: `the heaviest`."""
    of = adjective.of and adjective.of.only(
        lambda name, kind: kind == "number" and not TIME_WORDS & set(words_of(name))
    )
    return Measure(extreme(adjective), of, adjective.words) if of else None


def number_of(of: ColumnRef) -> Measure | None:
    """Return the number of something that a column holds; yes and no are not counted so."""
    kept = of.only(lambda _, kind: kind not in ("bool", "flag", "date"))
    return Measure("number of", kept, of.words) if kept else None


def named_figure(made: Items, name: str) -> Figures | None:
    """Return one figure under a name of its own."""
    return Figures((replace(made.of[0], name=name),)) if len(made.of) == 1 else None


def figure_where(function: str, values: Items, of: ColumnRef) -> Items | None:
    """Return a figure of the rows of some values: `average Adelie mass`."""
    made = figure(function, of)
    return Items((Keep(listed(values)), Figures((made,)))) if made else None


def figure_of_each(of: ColumnRef, keys: Items) -> Items | None:
    """Return a total of each group: `how much did each vineyard yield`."""
    made = figure("sum", of)
    return Items((Figures((made,)), By(keys.of, sure=True))) if made else None


def part_of(condition: Any, *, percent: bool) -> Figures:
    """Return which part of the rows meets a condition: `share of paid orders`."""
    word = "percent" if percent else "share"
    return Figures((Measure(f"{word} where", condition, word),))


def part_of_each(condition: Any, keys: Items, *, percent: bool) -> Items:
    """Return which part of each group meets a condition: `what share of the tickets in each channel was reopened`."""
    return Items((By(keys.of, sure=True), part_of(condition, percent=percent)))


def share_of_each(keys: Items, *, percent: bool) -> Items:
    """Return which part of all rows each group is: `what percentage of days falls to each weather type`."""
    return Items((By(keys.of, sure=True), Share(percent=percent)))


def counted_where(rows: Any, condition: Any) -> Items:
    """Return rows counted under a condition: `number of paid orders`."""
    noun = rows if isinstance(rows, Rows) else Rows("rows")
    return Items((Figures((Measure("count", noun, noun.words),)), Keep(condition)))


def units_between(unit: str, first: Any, second: Any) -> Formula:
    """Return the number of units of time between two dates."""
    return Formula(f"{unit}s between", first, second)


def percent_of(part: Number, of: Any) -> Formula | None:
    """Return so many percent of a column."""
    return Formula("*", of, Number(round(part.value / 100, 12))) if part.percent else None


def same_units(first: str, second: str, *, relative: bool = False, percent: bool = False) -> Change | None:
    """Return `month over month`, where it is the same unit twice."""
    return Change(relative=relative, percent=percent) if first == second else None


def whole(of: Any) -> Any:
    """Return the column that a share is of; None: the figure there is."""
    return of if isinstance(of, ColumnRef) else None


# --- order ------------------------------------------------------------------------------------------------------------


def ordered(keys: Items | Direction) -> Order:
    """Return an order from sort keys, or from a direction alone."""
    return Order((), keys) if isinstance(keys, str) else Order(tuple((key.of[0], key.of[1]) for key in keys.of))


def directed(what: Any, direction: Direction) -> Order | None:
    """Return `price descending`; of a text that would be a list of its largest."""
    return Order(((what, direction),)) if getattr(what, "kinds", ("number",)) != ("text",) else None


def alphabetical(column: ColumnRef | None) -> Order:
    """Return the order of the alphabet, by the first text where none is named."""
    return Order(((column or Role("label"), "up"),))


def weekday(period: Period) -> int | None:
    """Return the number of a weekday, Monday is 1."""
    return period.number if period.unit == "weekday" else None


def monday_first(day: int) -> Order | None:
    """Return the order of weekdays."""
    return Order(((Role("weekday"), "up"),)) if day == 1 else None


def by_adjective(adjective: Superlative, key: Any = None, *, turned: bool = False) -> Order:
    """Return an order that an adjective names: `heaviest first`."""
    direction = adjective.direction if not turned else ("up" if adjective.direction == "down" else "down")
    if isinstance(key, ColumnRef) and set(key.kinds) == {"text"}:
        key = None  # the largest of texts is meant by the figure beside it
    of = key if key is not None else adjective.of
    return Order(((of, direction),)) if of is not None else Order((), direction)


def often(direction: Any = "down") -> Order:
    """Return the order by how often something occurs."""
    return Order(((Measure("count", Rows("times")), direction),))


def best(count: int | None, *, by: Any = None, direction: Any = None, noun: Any = None) -> Top:
    """Return the first few rows; an adjective that says its column is the order."""
    if isinstance(by, Superlative):
        return Top(count, by.of, by.direction, noun)
    return Top(count, by, direction, noun)


def best_of(adjective: Superlative, *, count: int | None = None, noun: Any = None) -> Top | None:
    """Return the first few by an adjective that says its column itself."""
    return best(count, by=adjective, noun=noun) if adjective.of else None


def adjective_then(count: int | None, adjective: Superlative, *, noun: Any = None, by: Any = None) -> Top:
    """Return the first few rows by an adjective and perhaps a figure: `the 5 biggest makers by number of planes`."""
    if by is not None:
        return Top(count, by, adjective.direction, noun)
    numbers = noun.only(lambda _, kind: kind == "number") if isinstance(noun, ColumnRef) else None
    if numbers and (adjective.of is None or set(adjective.of.names) & set(numbers.names)):
        return Top(count, numbers, adjective.direction, numbers)  # `the 5 highest salaries`
    return best(count, by=adjective, noun=noun)


def extreme_thing(adjective: Superlative, thing: ColumnRef) -> Top | None:
    """Return the thing that an adjective picks out: `heaviest species`."""
    of = adjective.of
    return Top(None, of, adjective.direction, thing) if of and not set(of.names) & set(thing.names) else None


def paid(count: int | None, by: ColumnRef, noun: Any, *, down: bool = True) -> Top | None:
    """Return the first few by a column that a verb form names: `the 3 best paid employees`."""
    of = by.only(lambda _, kind: kind == "number")
    return Top(count, of, "down" if down else "up", noun) if of else None


def summed(count: int | None, of: ColumnRef, noun: ColumnRef, *, down: bool = True) -> Top | None:
    """Return the first few of something by a total: `which warehouse has the most stock`."""
    total = of.only(lambda _, kind: kind == "number")
    text = noun.only(lambda _, kind: kind == "text")
    return Top(count, Measure("sum", total, of.words), "down" if down else "up", text) if total and text else None


# --- tables -----------------------------------------------------------------------------------------------------------


def join(
    left: str | None,
    right: str | None,
    *,
    on: Items | None = None,
    how: str = "inner",
    take: Any = None,
    of: Any = None,
) -> JoinFiles:
    """Return two tables matched."""
    return JoinFiles(left, right, tuple((on or NOTHING).of), how, (take or NOTHING).of, of)


def first_of(items: Items) -> UseNode | None:
    """Return the node that keeps the first whole row of each combination of some columns."""
    names = tuple(ref.names[0] for ref in items.of if isinstance(ref, ColumnRef) and len(ref.names) == 1)
    return UseNode("distinct", (("columns", names),)) if len(names) == len(items.of) else None


def kind_alone(kind: str) -> str | None:
    """Return the kind of a chart that shows one column alone."""
    return kind if kind == "histogram" else None


def drawn(kind: str | None, otherwise: str, *, x: Any, y: Any) -> Draw:
    """Return a chart of two columns; where no kind is said, of another kind."""
    return Draw(kind or otherwise, x, y)


def some(item: Any) -> tuple[Any, ...]:
    """Return something in a tuple; an empty one where there is nothing."""
    return (item,) if item is not None else ()


BUILDERS: dict[str, Any] = {
    name: made
    for source in (vars(meanings), globals())
    for name, made in source.items()
    if callable(made) and not name.startswith("_") and getattr(made, "__module__", "").startswith(__package__ or "")
} | {"NOTHING": NOTHING}
"""Everything that a rule may name: the builders above and the meanings."""
