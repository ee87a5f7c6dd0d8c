"""Builds what is computed: figures over groups, and new columns."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from .choosing import TELLING, key_column
from .conditions import measures_in
from .doubts import Unclear, listed
from .expressions import Here, measure_key
from .fields import Field, words_of
from .meaning import (
    By,
    ColumnRef,
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
    Unique,
)
from .reading import Understood
from .sql_words import quoted
from .tokens import fold, lemma
from .vocabulary import AMOUNTS, QUANTITIES
from .work import Work, unlike

NAMES = {"mean": "average", "sum": "total", "count_distinct": "distinct"}
STAGES = frozenset({"sum", "mean", "count", "figure", "median"})
"""What a figure can be of, where it is of figures: `the mean of those sums`."""
OPERATIONS = {"/": "ratio", "-": "difference", "*": "product", "+": "sum"}
Groups = list[tuple[Understood, tuple[Any, ...]]]
"""What figures are grouped by, with the part of the request that says so."""


# --- what is asked for ------------------------------------------------------------------------------------------------


def wanted_figures(work: Work) -> list[Measure]:
    """Return the figures that the request asks for, wherever it names them, each once."""
    found: list[Measure] = []
    for part in (*work.parts, *work.pending):
        found += _figures_in(part.intent)
    known: dict[str, Measure] = {}
    for measure in found:
        known.setdefault(measure_key(measure), measure)
    # `count only X` counts what the flow counts already, of X alone
    there = work.sketch.last("aggregate") is not None
    return [m for m in known.values() if not (there and m.of == Rows("only"))]


def _figures_in(intent: Any) -> list[Measure]:
    match intent:
        case Figures(measures=named) | Show(items=named):
            pass
        case Keep(condition=condition):
            named = measures_in(condition)
        case Top(by=one) | Draw(y=one):
            named = (one,)
        case Order(keys=keys):
            named = [key for key, _ in keys]
        case _:
            named = measures_of(getattr(intent, "formula", None))
    return [each for each in named if isinstance(each, Measure)]


def measures_of(formula: Any) -> list[Measure]:
    """Return the figures inside a formula."""
    if isinstance(formula, Formula):
        return measures_of(formula.left) + measures_of(formula.right)
    return [formula] if isinstance(formula, Measure) else []


def wanted_groups(work: Work, *, figures: bool) -> Groups:
    """Return what the figures are grouped by: `per X`, `by X`, and columns named beside figures."""
    groups: Groups = []
    for part in work.parts:
        match part.intent:
            case By(keys=keys, sure=sure) if sure or figures:
                groups.append((part, keys))
            case Show(items=items) if figures and not work.has(By):
                if keys := tuple(item for item in items if isinstance(item, ColumnRef | TimePart)):
                    groups.append((part, keys))
            case Draw(x=ColumnRef() | TimePart() as x, y=Measure()) if not work.has(By):
                groups.append((part, (x,)))
            case Top(noun=ColumnRef() | Rows() | TimePart() as noun, by=Measure() | Role()) if figures:
                groups.append((part, (noun,)))
    return groups


def default_figures(work: Work) -> list[Measure]:
    """Return the figures of groups for which none is named. Errors: Unclear, as in `price per city`."""
    unique = [p for p in work.parts if isinstance(p.intent, Unique) and len(p.intent.items) == 1]
    if len(unique) == 1:  # `distinct runners per season`
        measure = Measure("count_distinct", unique[0].intent.items[0], work.words(unique[0]))
        work.swap(unique[0], Figures((measure,)))
        return [measure]
    new = [name for name in work.made if (f := work.here().field(name)) is not None and f.kind == "number"]
    if len(new) == 1 and not work.pending and not work.has(Top):  # `value (a * b) per group`
        work.tell(new[0], "summed for each group", assumed=True)
        return [Measure("sum", work.ref(new[0]), new[0])]
    grouped = work.sketch.last("aggregate") is not None
    if (grouped and not work.fresh) or (not grouped and work.has(Top)):
        return []
    shown = [p for p in work.parts if isinstance(p.intent, Show)]
    if shown and not work.cue("rows"):
        raise Unclear(
            f"“{work.words(shown[0])}” for each group: shall it be the total, the average, or something else?"
        )
    return [Measure("count", Rows("rows"), "count")]


# --- figures over groups ----------------------------------------------------------------------------------------------


def aggregate(work: Work, figures: list[Measure], groups: Groups) -> None:
    """Put an aggregate node into the main path, with the columns of dates that it groups by before it."""
    later = [m for m in figures if isinstance(m.of, Role) and m.of.name in STAGES]
    if later and groups and len(figures) > len(later):
        _in_two_stages(work, [m for m in figures if m not in later], later, groups=groups)
        return
    if work.sketch.last("limit") is None:
        del work.sketch.main[work.sketch.before_order() :]
    keys: list[str] = []
    beside = tuple(key for _, wanted in groups for key in wanted)
    for part, wanted in groups:
        names = [key_column(work, key, beside) for key in wanted]
        keys = list(dict.fromkeys((*keys, *names)))
        if isinstance(part.intent, By):
            work.tell(part, f"grouped by {listed(names)}")
    keys = _weekdays_in_order(work, keys)
    here = work.here()
    measures: list[dict[str, Any]] = []
    for figure in figures:
        made = measure_config(work, here, figure)
        measures.append({**made, "name": unlike(made["name"], (*keys, *(m["name"] for m in measures)))})
    work.put("aggregate", {"group_by": keys, "measures": measures})
    remember_all(work, figures, measures)
    tell_figures(work)
    work.assume(", ".join(m["name"] for m in measures), here.assumed)


def tell_figures(work: Work) -> None:
    """Note in the account the figures that are there now, and take them off the list; others stay on it."""
    for part in work.take(Figures):
        names = [work.roles.get(measure_key(measure)) for measure in part.intent.measures]
        if None in names and not all(measure.of == Rows("only") for measure in part.intent.measures):
            work.add(part, part.intent)
        elif None not in names:
            work.tell(part, f"computes {listed(map(str, names))}")


def _in_two_stages(work: Work, first: list[Measure], later: list[Measure], *, groups: Groups) -> None:
    """Build figures of figures: the total of each order, then the mean of those totals."""
    for part in work.take(Figures):
        over = any(measure in later for measure in part.intent.measures)
        work.tell(part, "computed for each group, then over the groups" if over else "computed for each group")
    aggregate(work, first, groups)
    aggregate(work, [Measure(m.function, work.ref(work.roles["figure"]), m.words) for m in later], [])


def remember_all(work: Work, figures: list[Measure], measures: list[dict[str, Any]]) -> None:
    """Remember the figures as columns, under what was asked for and under what they are."""
    for measure, made in zip(figures, measures, strict=True):
        work.remember(made)
        work.roles[measure_key(measure)] = made["name"]
        if isinstance(measure.of, Role):
            work.roles[measure.of.name] = made["name"]
        work.made.append(made["name"])


def _weekdays_in_order(work: Work, keys: list[str]) -> list[str]:
    """Group weekdays in their order and not by their names: by their number too, which is dropped at the end."""
    source = work.roles.get("weekday of")
    if source is None or "weekday" not in keys:
        return keys
    name = work.unused("weekday_number")
    work.formula(name, f"isodow({quoted(source)})", len(work.sketch.main), role="time weekday number")
    work.hidden.append(name)
    at = keys.index("weekday")
    return [*keys[:at], name, *keys[at:]]


# --- one figure -------------------------------------------------------------------------------------------------------


def measure_config(work: Work, here: Here, measure: Measure) -> dict[str, Any]:
    """Return one measure of an aggregate node's config."""
    of, function = measure.of, measure.function
    if function in ("share where", "percent where"):
        return _part(work, here, measure)
    if of == Role("units"):
        of, function = _units(here)
    if isinstance(of, Rows) and function == "count_distinct":
        fits = [f for f in here.columns if lemma(fold(of.words.split()[-1])) in f.words or f.words == ("id",)]
        if len(fits) != 1:
            raise Unclear(f"Which column tells the different {of.words} apart?")
        of = work.ref(fits[0].name)
    if isinstance(of, Rows) or function == "count":
        return {
            "name": _as_name(measure.name or ("units" if measure.of == Role("units") else "count")),
            "function": "count",
        }
    if isinstance(of, ColumnRef):
        found = here.find(of)
        if found is None:
            raise Unclear(_not_before(work, here, of))
        if function == "number of":
            function = _counting(here, found)
        name = measure.name or f"{NAMES.get(function, function)}_{short(found)}"
        return {"name": name, "function": function, "column": found.name}
    expression = here.aggregate(replace(measure, of=of, function=function))
    words = measure.words or ("revenue" if of == Role("money") else "")
    if expression is None:
        columns = listed(f.name for f in here.columns)
        raise Unclear(
            f"There is no column for “{words or 'that figure'}” here; there are {columns}. How is it worked out?"
        )
    plain = "revenue" if of == Role("money") else f"{NAMES.get(function, function)}_{words or 'value'}"
    return {"name": _as_name(measure.name or plain), "expression": expression}


def quantities(columns: Any) -> list[Field]:
    """Return the columns that hold how many pieces a row is."""
    return [f for f in columns if f.kind == "number" and set(f.words) & QUANTITIES and not set(f.words) & AMOUNTS]


def _units(here: Here) -> tuple[Any, str]:
    """Return of what, and how, the pieces sold are worked out."""
    fits = quantities(here.columns)
    if len(fits) == 1:
        return ColumnRef((fits[0].name,), fits[0].name, ("number",)), "sum"
    here.assumed.append("every row is one unit")
    return Rows("rows"), "count"


def _counting(here: Here, found: Field) -> str:
    """Return how `number of X` is worked out: numbers add up, of everything else the different values count."""
    if found.kind == "number" and not set(found.words) & (TELLING | {"year"}):
        return "sum"
    here.assumed.append(f"different values of `{found.name}` are counted")
    return "count_distinct"


def _not_before(work: Work, here: Here, of: ColumnRef) -> str:
    """Return the question about a figure of a column that is not there, or only there once the rows are grouped."""
    made = work.here().find(of)
    if made is None:
        return work.absent(of)
    columns = listed(f.name for f in here.columns)
    return (
        f"`{made.name}` is a figure of the groups already; before them there are {columns}. What shall be worked out?"
    )


def _part(work: Work, here: Here, measure: Measure) -> dict[str, Any]:
    """Return the measure for the part of the rows that meets a condition."""
    condition = here.condition(measure.of)
    if condition is None:
        raise Unclear(f"The {measure.words} of what? There is no column for that condition here.")
    name = measure.name or measure.words
    percent = measure.function == "percent where"
    if percent:
        work.percents.add(name)
    return {"name": name, "expression": f"{100.0 if percent else 1.0} * count(*) FILTER (WHERE {condition}) / count(*)"}


def _as_name(name: str) -> str:
    return name.strip().replace(" ", "_")


def short(found: Field) -> str:
    """Return a column's name as part of a name: without its unit where it holds blanks or brackets."""
    name = re.sub(r"\s*\([^)]*\)", "", found.name)
    return re.sub(r"\W+", "_", name).strip("_").casefold() if re.search(r"\W", found.name) and name else found.name


# --- new columns ------------------------------------------------------------------------------------------------------


def derive(work: Work, part: Understood) -> None:
    """Build a new column where its columns are; it waits for figures where it needs them."""
    formula = part.intent.formula
    found = work.earliest(lambda here: here.formula(formula)) if not measures_of(formula) else None
    if found is None:
        work.pending.append(part)
        return
    at, text, assumed = found
    between = formula.operator.replace(" between", "")
    name = part.intent.name or work.unused(OPERATIONS.get(between, between))
    _new(work, part, name=name, text=text, at=at, assumed=bool(assumed))


def derive_late(work: Work) -> None:
    """Build the formulas over figures, now that these are columns."""
    for part in work.pending:
        at = work.sketch.before_order()
        here = work.here(at)
        text = here.formula(part.intent.formula)
        if text is None:
            there = listed(f.name for f in here.columns)
            raise Unclear(f"“{work.words(part)}”: not every column of that formula is here; there are {there}.")
        first, second = work.roles.get("first of two"), work.roles.get("second of two")
        ratio = part.intent.formula.operator == "/" and first and second
        plain = f"{first}_per_{'_'.join(words_of(str(second)))}" if ratio else "result"
        _new(work, part, name=part.intent.name or work.unused(plain, at), text=text, at=at)
    work.pending.clear()


def _new(work: Work, part: Understood, *, name: str, text: str, at: int, assumed: bool = False) -> None:
    work.formula(name, text, at)
    work.tell(part, f"new column `{name}` = {text.replace(chr(34), '')}", assumed=assumed)
