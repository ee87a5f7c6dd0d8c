"""Chooses the column that words mean where the result is shown, ordered, drawn or grouped; asks where two could be meant.

A figure, a formula or a part of a date that is no column yet is made one, if that is what the words ask for.
"""

from __future__ import annotations

from typing import Any

from .doubts import Unclear, listed
from .fields import Field
from .meaning import ColumnRef, Formula, Measure, Role, Rows, Show, TimePart
from .sql_words import quoted
from .tokens import fold, lemma
from .work import Work

PARTS = {
    "year": "year({})",
    "month": "CAST(date_trunc('month', {}) AS DATE)",
    "quarter": "CAST(date_trunc('quarter', {}) AS DATE)",
    "week": "CAST(date_trunc('week', {}) AS DATE)",
    "day": "CAST({} AS DATE)",
    "weekday": "dayname({})",
    "hour": "hour({})",
    "month of year": "month({})",
    "decade": "{0} - {0} % 10",
}
TELLING = frozenset({"id", "no", "code", "key"})
"""Words of columns whose numbers only tell things apart."""
UNCOUNTED = TELLING | {"year", "month", "day"}


# --- the number that is meant -----------------------------------------------------------------------------------------


def the_number(work: Work, of: Any = None, *, at: int | None = None, but: tuple[str, ...] = (), ask: str = "") -> Field:
    """Return the column of numbers that is meant: the one said, the figure made last, the one compared or shown, the only one.

    `but` are columns that cannot be meant. Errors: Unclear, with the question `ask`, where several are left, or none.
    """
    here = work.here(at)
    said = _said(work, of, at) if isinstance(of, ColumnRef) else here.find(of)
    last = here.field(work.roles.get("figure", ""))
    figures = [f for name in measured(work) if (f := here.field(name)) is not None]
    found = said or (last if last is not None and (len(figures) < 2 or last not in figures) else None)
    if found is not None and found.name not in but:
        return found
    numbers = figures or [f for f in here.columns if f.kind == "number" and not set(f.words) & UNCOUNTED]
    numbers = [f for f in numbers if f.name not in but]
    shown = {name for p in work.parts if isinstance(p.intent, Show) for i in p.intent.items for name in _names(i)}
    for some in (
        numbers,
        *([f for f in numbers if f.name in named] for named in (work.compared, shown, _ordered_by(work))),
    ):
        if len(some) == 1:
            return some[0]
    there = listed(f.name for f in numbers or here.columns)
    raise Unclear(f"{ask or 'Which figure is meant?'} There are {there or 'no columns'}.")


def _said(work: Work, of: ColumnRef, at: int | None = None) -> Field:
    """Return the column that is said, or the one figure that was made of it. Errors: Unclear."""
    here = work.here(at)
    if (found := here.find(of)) is not None:
        return found
    made = {name for key, name in work.roles.items() for of_name in of.names if key.endswith(f" of {of_name}")}
    there = [f for f in here.columns if f.name in made]
    if len(there) != 1:
        raise Unclear(work.absent(of, at))
    return there[0]


def _names(item: Any) -> tuple[str, ...]:
    return getattr(item, "names", ())


def measured(work: Work) -> list[str]:
    """Return the figures of the last grouping."""
    at = work.sketch.last("aggregate")
    return [m["name"] for m in work.sketch.main[at].config.get("measures", ())] if at is not None else []


# --- the column that is meant -----------------------------------------------------------------------------------------


def column_for(work: Work, item: Any, *, shown: bool = False) -> str:
    """Return the column that an item means in the result; `shown`: it is to be seen and not only to order by."""
    here = work.here()
    found = here.find(item)
    match item:
        case _ if found is not None:
            return found.name
        case ColumnRef():
            return _said(work, item).name
        case Measure():
            raise Unclear(f"There is no “{item.words or item.function}” in the result. Shall it be added?")
        case TimePart():
            source = _source(work, item)
            whole = not shown or (item.unit == "day" and source.kind == "date")
            return source.name if whole else time_column(work, source, item.unit, at=work.sketch.before_order())
        case Formula():
            text = here.formula(item)
            if text is None:
                raise Unclear("Not every column of that formula is in the result. By which column shall it be ordered?")
            name = work.unused("amount")
            work.formula(name, text, work.sketch.before_order())
            return name
        case Role(name="label"):
            texts = [f.name for f in here.columns if f.kind == "text"]
            if not texts:
                raise Unclear("There is no text column to order by. Which column do you mean?")
            return texts[0]
        case Role(name="time"):
            made_times = [name for role, name in work.roles.items() if role.startswith("time ") and here.field(name)]
            compared = [f.name for f in here.columns if f.name in work.compared and _is_time(f)]
            if not made_times and len(compared) == 1:
                return compared[0]
            return made_times[0] if made_times else _source(work, TimePart("date")).name
        case Role(name="weekday") if numbers := [name for name in work.hidden if here.field(name)]:
            return numbers[0]
        case Role(name="it") if here.field(work.roles.get("figure", "")):
            return work.roles["figure"]
        case Role(name=name) if not shown or name in ("figure", "it"):
            return the_number(work, ask="By which column?").name
        case Role(name=name):
            raise Unclear(f"Which column shall the {name} be of?")
    raise Unclear("Which column is meant?")


def _source(work: Work, part: TimePart) -> Field:
    """Return the column that a part of a date is taken of."""
    here = work.here()
    source = here.time(part.unit, part.column)
    if source is None:
        raise Unclear(f"There is no column with a date here, so there is no {part.unit}. Which column do you mean?")
    work.assume(part.unit, here.assumed)
    return source


# --- the column of a group --------------------------------------------------------------------------------------------


def key_column(work: Work, key: Any, beside: tuple[Any, ...] = ()) -> str:
    """Return the column that a group goes by; a part of a date is worked out first. `beside` are all the keys."""
    match key:
        case Rows():
            return _label_of_rows(work, key)
        case TimePart():
            found = work.here().find(key)
            if found is not None:
                return found.name
            return time_column(work, _source(work, key), key.unit, at=len(work.sketch.main), beside=beside)
    return work.field(key).name


def _label_of_rows(work: Work, noun: Rows) -> str:
    """Return the column by which the rows' noun tells things apart: of pizzas their name."""
    texts = [f for f in work.sketch.columns() if f.kind == "text"]
    word = lemma(fold(noun.words.split()[-1]))
    fits = [f for f in texts if word in f.words] or [f for f in texts if f.words in (("name",), ("title",))]
    if len(fits) != 1:
        raise Unclear(f"“{noun.words}” are the rows themselves. By which column shall they be grouped?")
    work.tell(noun.words, f"told apart by `{fits[0].name}`", assumed=True)
    return fits[0].name


def time_column(work: Work, source: Field, unit: str, *, at: int, beside: tuple[Any, ...] = ()) -> str:
    """Return the column that holds a part of a date, made where it is not there."""
    if source.kind == "number" and (unit != "decade" or "decade" in source.words):
        return source.name
    if unit == "month" and any(isinstance(other, TimePart) and other.unit == "year" for other in beside):
        unit = "month of year"
    of = quoted(source.name)
    text = PARTS[unit].format(f"year({of})" if unit == "decade" and source.kind != "number" else of)
    name = work.unused("month" if unit == "month of year" else unit, at)
    kind = "date" if "AS DATE" in text else "text" if unit == "weekday" else "number"
    work.formula(name, text, at, kind=kind, role=f"time {unit}")
    if unit == "month of year":
        work.roles["time month"] = name
    if unit == "weekday":
        work.roles["weekday of"] = source.name
    return name


def _ordered_by(work: Work) -> set[str]:
    """Return the columns by which the result is sorted."""
    at = work.sketch.last("sort")
    return {key["column"] for key in work.sketch.main[at].config["by"]} if at is not None else set()


def _is_time(field: Field) -> bool:
    return field.kind == "date" or bool(set(field.words) & {"year", "month", "season"})
