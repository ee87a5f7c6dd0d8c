"""Builds what is computed: figures over groups, new columns, shares, changes, moving figures, rounding."""

from __future__ import annotations

import re
from typing import Any

from .build_rows import measures_in
from .doubts import Unclear, listed
from .expressions import Here, measure_key
from .fields import Field
from .meaning import (
    By,
    ColumnRef,
    Derive,
    Draw,
    Figures,
    Formula,
    Keep,
    Measure,
    Order,
    Role,
    Rows,
    Show,
    TimePart,
    Top,
)
from .reading import Understood
from .sql_words import quoted
from .tokens import fold, lemma
from .vocabulary import AMOUNTS, QUANTITIES
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
    "decade": "year({0}) - year({0}) % 10",
}
NAMES = {
    "mean": "average",
    "sum": "total",
    "median": "median",
    "min": "min",
    "max": "max",
    "std": "std",
    "count_distinct": "distinct",
}


# --- figures over groups ----------------------------------------------------------------------------------------------


def wanted_figures(work: Work) -> list[Measure]:
    """Return the figures that the request asks for, wherever it names them, each once."""
    found: list[Measure] = []
    for part in work.parts:
        match part.intent:
            case Figures(measures=measures):
                found += measures
            case Show(items=items):
                found += [item for item in items if isinstance(item, Measure)]
            case Keep(condition=condition):
                found += measures_in(condition)
            case Top(by=by) if isinstance(by, Measure):
                found.append(by)
            case Order(keys=keys):
                found += [key for key, _ in keys if isinstance(key, Measure)]
            case Draw(y=y) if isinstance(y, Measure):
                found.append(y)
    known: dict[str, Measure] = {}
    for measure in found:
        known.setdefault(measure_key(measure), measure)
    return list(known.values())


def wanted_groups(work: Work, *, figures: bool) -> list[tuple[Understood, tuple[Any, ...]]]:
    """Return what the figures are grouped by: `per X`, `by X`, and columns named beside figures."""
    groups = []
    for part in list(work.parts):
        match part.intent:
            case By(keys=keys, sure=sure) if sure or figures:
                groups.append((part, keys))
            case Show(items=items) if figures and not work.has(By):
                keys = tuple(item for item in items if isinstance(item, ColumnRef | TimePart))
                if keys:
                    groups.append((part, keys))
            case Draw(x=ColumnRef() | TimePart() as x, y=Measure()) if not work.has(By):
                groups.append((part, (x,)))
            case Top(noun=ColumnRef() | Rows() | TimePart() as noun, by=by) if figures and isinstance(
                by, Measure | Role
            ):
                groups.append((part, (noun,)))
    return groups


def aggregate(work: Work, figures: list[Measure], groups: list[tuple[Understood, tuple[Any, ...]]]) -> None:
    """Put an aggregate node into the main path, with the columns of dates that it groups by before it."""
    at = len(work.sketch.main) if work.sketch.last("limit") is not None else work.sketch.before_order()
    del work.sketch.main[at:]
    keys: list[str] = []
    beside = tuple(key for _, wanted in groups for key in wanted)
    for part, wanted in groups:
        names = [key_column(work, key, beside) for key in wanted]
        keys = list(dict.fromkeys((*keys, *names)))
        if isinstance(part.intent, By):
            work.tell(part, f"grouped by {listed(names)}")
    at = len(work.sketch.main)
    if "weekday" in keys:
        keys = _weekdays_in_order(work, keys)
        at = len(work.sketch.main)
    here = work.here(at)
    measures = [measure_config(work, here, measure) for measure in figures]
    measures = _under_own_names(measures, keys)
    group_names = [key for key in keys if not key.endswith("_number")]
    name = "_".join([measures[0]["name"] if measures else "groups", *(["by", *group_names[:2]] if group_names else [])])
    title = f"{', '.join(m['name'] for m in measures[:2]) or 'Groups'}{' by ' + ', '.join(group_names) if group_names else ''}"
    config: dict[str, Any] = {"group_by": keys, "measures": measures}
    work.sketch.insert(
        at, work.sketch.piece("aggregate", config, name=name, title=(title[:1].upper() + title[1:]).replace("_", " "))
    )
    remember_all(work, figures, measures)
    for part in work.take(Figures):
        told = [work.roles[measure_key(measure)] for measure in part.intent.measures]
        work.tell(part, f"computes {listed(told)}")
    for words in dict.fromkeys(here.assumed):
        work.tell(", ".join(m["name"] for m in measures), words, assumed=True)


def _under_own_names(measures: list[dict[str, Any]], keys: list[str]) -> list[dict[str, Any]]:
    """Return the measures, none called like another or like a group."""
    taken, named = {key.casefold() for key in keys}, []
    for measure in measures:
        name, number = measure["name"], 2
        while name.casefold() in taken:
            name, number = f"{measure['name']}_{number}", number + 1
        taken.add(name.casefold())
        named.append({**measure, "name": name})
    return named


def remember_all(work: Work, figures: list[Measure], measures: list[dict[str, Any]]) -> None:
    """Remember the figures as columns, under what was asked for and under what they are."""
    for measure, made in zip(figures, measures, strict=True):
        work.remember(made)
        work.roles[measure_key(measure)] = made["name"]
        if isinstance(measure.of, Role):
            work.roles[measure.of.name] = made["name"]
        work.made.append(made["name"])


def key_column(work: Work, key: Any, beside: tuple[Any, ...] = ()) -> str:
    """Return the name of the column for a group; a part of a date is worked out first."""
    at = len(work.sketch.main)
    if isinstance(key, Rows):
        return label_of_rows(work, key, at)
    if isinstance(key, TimePart):
        there = work.here(at).find(key)
        if there is not None:
            return there.name
        here = work.here(at)
        source = here.time(key.unit, key.column)
        if source is None:
            raise Unclear(f"There is no column with a date here, so there is no {key.unit}. Which column do you mean?")
        for words in here.assumed:
            work.tell(key.unit, words, assumed=True)
        return time_column(work, source, key.unit, at=at, beside=beside)
    return work.field(key, at).name


def label_of_rows(work: Work, noun: Rows, at: int) -> str:
    """Return the column by which the rows' noun tells things apart: of pizzas their name."""
    texts = [f for f in work.sketch.columns(at) if f.kind == "text"]
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
    template = PARTS[unit] if source.kind != "number" else "{0} - {0} % 10"
    name = work.unused("month" if unit == "month of year" else unit, at)
    kind = "date" if "AS DATE" in template else "text" if unit == "weekday" else "number"
    work.formula(
        name,
        template.format(quoted(source.name)),
        at,
        kind=kind,
        title=f"{unit.capitalize()} of {source.name}",
        role=f"time {unit}",
    )
    work.roles.pop("figure", None)
    if unit == "month of year":
        work.roles["time month"] = name
    if unit == "weekday":
        work.roles["weekday of"] = source.name
    return name


def _weekdays_in_order(work: Work, keys: list[str]) -> list[str]:
    """Group weekdays in their order and not by their names: by their number too, which is dropped at the end."""
    source = work.roles.get("weekday of")
    if source is None:
        return keys
    name = work.unused("weekday_number")
    work.formula(name, f"isodow({quoted(source)})", len(work.sketch.main), title="Number of the weekday")
    work.roles.pop("figure", None)
    work.hidden.append(name)
    at = keys.index("weekday")
    return [*keys[:at], name, *keys[at:]]


def measure_config(work: Work, here: Here, measure: Measure) -> dict[str, Any]:
    """Return one measure of an aggregate node's config."""
    of, function = measure.of, measure.function
    if function in ("share where", "percent where"):
        return _part(work, here, measure)
    if isinstance(of, Rows) and function == "count_distinct":
        texts = [f for f in here.columns if lemma(fold(of.words.split()[-1])) in f.words or f.words == ("id",)]
        if len(texts) != 1:
            raise Unclear(f"Which column tells the different {of.words} apart?")
        return {
            "name": measure.name or f"distinct_{plain(texts[0])}",
            "function": "count_distinct",
            "column": texts[0].name,
        }
    if isinstance(of, Rows) or function == "count":
        return {"name": _as_name(measure.name or "count"), "function": "count"}
    if isinstance(of, Role) and of.name == "units":
        quantities = [
            f for f in here.columns if f.kind == "number" and set(f.words) & QUANTITIES and not set(f.words) & AMOUNTS
        ]
        if len(quantities) == 1:
            return {
                "name": measure.name or f"total_{quantities[0].name}",
                "function": "sum",
                "column": quantities[0].name,
            }
        here.assumed.append("every row is one unit")
        return {"name": measure.name or "units", "function": "count"}
    if isinstance(of, ColumnRef):
        found = here.find(of)
        if found is None:
            raise Unclear(_not_before(work, here, of))
        if function == "number of":
            function = (
                "sum"
                if found.kind == "number" and not set(found.words) & {"id", "no", "code", "year", "key"}
                else "count_distinct"
            )
            if function == "count_distinct":
                here.assumed.append(f"different values of `{found.name}` are counted")
        return {
            "name": measure.name or f"{NAMES.get(function, function)}_{plain(found)}",
            "function": function,
            "column": found.name,
        }
    expression = here.aggregate(measure)
    if expression is None:
        words = measure.words or ("revenue" if of == Role("money") else "that figure")
        columns = ", ".join(f"`{f.name}`" for f in here.columns)
        raise Unclear(f"There is no column for “{words}” here; there are {columns}. How is it worked out?")
    name = measure.name or (
        "revenue"
        if of == Role("money")
        else f"{NAMES.get(function, function)}_{'value' if not measure.words else measure.words}"
    )
    return {"name": _as_name(name), "expression": expression}


def _not_before(work: Work, here: Here, of: ColumnRef) -> str:
    """Return the question about a figure of a column that is not there, or only there once the rows are grouped."""
    made = work.here().find(of)
    if made is None:
        return work.absent(of)
    columns = ", ".join(f"`{f.name}`" for f in here.columns)
    return (
        f"`{made.name}` is a figure of the groups already; before them there are {columns}. What shall be worked out?"
    )


def _part(work: Work, here: Here, measure: Measure) -> dict[str, Any]:
    """Return the measure for the part of the rows that meets a condition."""
    condition = here.condition(measure.of)
    if condition is None:
        raise Unclear(f"The {measure.words} of what? There is no column for that condition here.")
    percent = measure.function == "percent where"
    name = measure.name or measure.words
    if percent:
        work.percents.add(name)
    factor = "100.0" if percent else "1.0"
    return {"name": name, "expression": f"{factor} * count(*) FILTER (WHERE {condition}) / count(*)"}


def _as_name(name: str) -> str:
    return name.strip().replace(" ", "_")


def plain(found: Field) -> str:
    """Return a column\'s name as part of a name: without its unit where it holds blanks or brackets."""
    name = re.sub(r"\s*\([^)]*\)", "", found.name)
    return re.sub(r"\W+", "_", name).strip("_").casefold() if re.search(r"\W", found.name) and name else found.name


# --- new columns ------------------------------------------------------------------------------------------------------


def derive(work: Work, part: Understood) -> bool:
    """Build a new column where its columns are; False where they are not there yet."""
    intent: Derive = part.intent
    if _has_measure(intent.formula):
        return False
    try:
        found = work.earliest(lambda here: here.formula(intent.formula), start=None)
    except Unclear:
        raise
    if found is None:
        return False
    at, text, assumed = found
    name = intent.name or work.unused(_formula_name(intent.formula))
    at = max(at, work.sketch.after_sources())
    work.formula(name, text, at)
    work.tell(part, f"new column `{name}` = {text.replace(chr(34), '')}", assumed=bool(assumed))
    return True


def _has_measure(formula: Any) -> bool:
    return isinstance(formula, Measure) or (
        isinstance(formula, Formula) and (_has_measure(formula.left) or _has_measure(formula.right))
    )


def measures_of(formula: Any) -> list[Measure]:
    """Return the figures inside a formula."""
    if isinstance(formula, Measure):
        return [formula]
    return measures_of(formula.left) + measures_of(formula.right) if isinstance(formula, Formula) else []


def _formula_name(formula: Formula) -> str:
    names = {"/": "ratio", "-": "difference", "difference": "difference", "*": "product", "+": "sum"}
    return names.get(formula.operator, formula.operator.replace(" between", ""))
