"""Builds what is computed: figures over groups, new columns, shares, changes, moving figures, rounding."""

from __future__ import annotations

from typing import Any

from .build_rows import measures_in
from .doubts import Unclear, listed
from .expressions import Here, measure_key, quoted, unit_words
from .fields import Field
from .meaning import (
    By,
    Change,
    ColumnRef,
    Derive,
    Draw,
    Figures,
    Formula,
    Keep,
    Measure,
    Order,
    Role,
    Rolling,
    Round,
    Rows,
    Share,
    Show,
    TimePart,
    Top,
)
from .reading import Understood
from .tokens import fold, lemma
from .vocabulary import AMOUNTS, QUANTITIES
from .work import FRACTIONAL, Work

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
            case Top(noun=ColumnRef() | Rows() as noun, by=by) if figures and isinstance(by, Measure | Role):
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
    work.sketch.insert(at, work.sketch.piece("aggregate", config, name=name, title=title[:1].upper() + title[1:]))
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
        return time_column(work, source, key.unit, at, beside=beside)
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


def time_column(work: Work, source: Field, unit: str, at: int, *, beside: tuple[Any, ...] = ()) -> str:
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
    if isinstance(of, Rows) and function == "count_distinct":
        texts = [f for f in here.columns if lemma(fold(of.words.split()[-1])) in f.words or f.words == ("id",)]
        if len(texts) != 1:
            raise Unclear(f"Which column tells the different {of.words} apart?")
        return {
            "name": measure.name or f"distinct_{_plain(texts[0])}",
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
            raise Unclear(work.absent(of, len(work.sketch.main)))
        if function == "number of":
            function = (
                "sum"
                if found.kind == "number" and not set(found.words) & {"id", "no", "code", "year", "key"}
                else "count_distinct"
            )
            if function == "count_distinct":
                here.assumed.append(f"different values of `{found.name}` are counted")
        return {
            "name": measure.name or f"{NAMES.get(function, function)}_{_plain(found)}",
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


def _as_name(name: str) -> str:
    return name.strip().replace(" ", "_")


def _plain(found: Field) -> str:
    return "_".join(unit_words(found.name)) if " " in found.name or "(" in found.name else found.name


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


def _of(work: Work, of: Any, at: int) -> Field:
    """Return the figure that something is worked out of: the one said, or the last one."""
    here = work.here(at)
    found = here.find(of) if of is not None else None
    if found is None and isinstance(of, ColumnRef):
        for function in ("sum", "mean", "count_distinct", "max", "min", "median"):
            name = work.roles.get(measure_key(Measure(function, of)))
            found = found or (here.field(name) if name else None)
    found = found or here.find(Role("figure"))
    if found is None:
        numbers = [f for f in here.columns if f.kind == "number" and not set(f.words) & {"year", "id", "month", "day"}]
        if len(numbers) != 1:
            raise Unclear(f"Of which figure? There are {listed(f.name for f in numbers) or 'none'}.")
        found = numbers[0]
    return found


def share(work: Work, part: Understood) -> None:
    """Build each row's part of the whole."""
    intent: Share = part.intent
    at = work.sketch.before_order()
    of = _of(work, intent.of, at)
    name = work.unused(f"{'percent' if intent.percent else 'share'}_of_{_plain(of)}", at)
    text = f"{'100.0' if intent.percent else '1.0'} * {quoted(of.name)} / sum({quoted(of.name)}) OVER ()"
    work.formula(name, text, at, role="share")
    if intent.percent:
        work.percents.add(name)
    work.tell(
        part, f"new column `{name}`: `{of.name}` {'in percent' if intent.percent else 'as a fraction'} of its total"
    )


def change(work: Work, part: Understood) -> None:
    """Build the change to the row before, along the time there is."""
    intent: Change = part.intent
    at = work.sketch.before_order()
    along, groups = _along(work, at)
    of = _of(work, intent.of, at)
    if of.name == along.name:
        numbers = [
            f
            for f in work.here(at).columns
            if f.kind == "number" and f.name != along.name and not set(f.words) & {"year", "id", "code"}
        ]
        if len(numbers) != 1:
            raise Unclear(f"The change of which figure? There are {listed(f.name for f in numbers) or 'none'}.")
        of = numbers[0]
    window = f"OVER ({_partition(groups)}ORDER BY {quoted(along.name)})"
    before = f"lag({quoted(of.name)}) {window}"
    text = f"{quoted(of.name)} - {before}"
    if intent.relative:
        text = f"{'100.0 * ' if intent.percent else ''}({text}) / {before}"
    name = work.unused("change_in_percent" if intent.percent else "growth_rate" if intent.relative else "change", at)
    work.formula(name, text, at, role="change")
    if intent.percent:
        work.percents.add(name)
    work.tell(
        part,
        f"new column `{name}`: `{of.name}` compared with the row before by `{along.name}`"
        + (f", within {listed(groups)}" if groups else ""),
    )


def rolling(work: Work, part: Understood) -> None:
    """Build a moving or running figure along the time there is."""
    intent: Rolling = part.intent
    at = work.sketch.before_order()
    along, groups = _along(work, at)
    of = _of(work, intent.of, at)
    if of.name == along.name:
        raise Unclear("Of which figure shall it be?")
    function = {"mean": "avg", "std": "stddev"}.get(intent.function, intent.function)
    rows = f" ROWS BETWEEN {intent.count - 1} PRECEDING AND CURRENT ROW" if intent.count else ""
    window = f"OVER ({_partition(groups)}ORDER BY {quoted(along.name)}{rows})"
    text = f"{function}({quoted(of.name)}) {window}"
    if intent.count:
        text = f"CASE WHEN count({quoted(of.name)}) {window} = {intent.count} THEN {text} END"
    word = (
        f"moving_{NAMES.get(intent.function, intent.function)}_{intent.count}"
        if intent.count
        else f"running_{NAMES.get(intent.function, intent.function)}"
    )
    name = work.unused(word, at)
    work.formula(name, text, at, role="rolling")
    told = f"over {intent.count} rows, blank until there are as many" if intent.count else "over all rows so far"
    work.tell(part, f"new column `{name}`: {intent.function} of `{of.name}` {told}, by `{along.name}`")


def _partition(groups: list[str]) -> str:
    return f"PARTITION BY {', '.join(quoted(g) for g in groups)} " if groups else ""


def _along(work: Work, at: int) -> tuple[Field, list[str]]:
    """Return the column of time along which rows are compared, and the columns within which."""
    here = work.here(at)
    said = [key for p in work.parts if isinstance(p.intent, By | Order) for key in _keys_of(p.intent)]
    dated = [f for key in said if isinstance(key, ColumnRef | Role | TimePart) and (f := _date(here, key)) is not None]
    if dated:
        return dated[0], within(work, at, dated[0])
    times = [f for f in here.columns if f.kind == "date"] or [
        f for f in here.columns if set(f.words) & {"year", "month", "season", "week", "day", "quarter"}
    ]
    if len(times) != 1:
        raise Unclear(
            f"Along which time shall rows be compared? There are {listed(f.name for f in times) or 'no columns of dates'}."
        )
    grouped = work.sketch.last("aggregate")
    if grouped is not None and grouped < at:
        return times[0], [
            g
            for g in work.sketch.main[grouped].config.get("group_by", ())
            if g != times[0].name and not g.endswith("_number")
        ]
    return times[0], within(work, at, times[0])


def _keys_of(intent: By | Order) -> list[Any]:
    return list(intent.keys) if isinstance(intent, By) else [key for key, _ in intent.keys]


def _date(here: Here, key: ColumnRef | Role | TimePart) -> Field | None:
    """Return the column of dates that a key names."""
    if key == Role("time"):
        return here.time("day")
    if isinstance(key, TimePart):
        return here.time(key.unit, key.column)
    found = here.find(key)
    return found if found is not None and found.kind == "date" else None


def within(work: Work, at: int, along: Field) -> list[str]:
    """Return the columns that part rows into series: text that repeats while the time does, and is not pinned by a filter."""
    pinned = " ".join(piece.config.get("condition", "") for piece in work.sketch.main[:at] if piece.type == "filter")
    file = next((work.sketch.facts[p] for p in work.sketch.paths() if p in work.sketch.facts), None)
    if file is None:
        return []
    names = [column.name for column in file.columns]
    texts = [f for f in work.here(at).columns if f.kind == "text" and f.name in names]
    if any(f"{quoted(f.name)} = " in pinned for f in texts) or along.name not in names:
        return []
    times = [str(row[names.index(along.name)]) for row in file.rows]
    for text in texts:
        values = [str(row[names.index(text.name)]) for row in file.rows]
        if _in_series(values, times):
            return [text.name]
    return []


def _in_series(values: list[str], times: list[str]) -> bool:
    """Return whether rows lie in blocks of one value each, with the time going up in each block."""
    starts = [at for at in range(len(values)) if at == 0 or values[at] != values[at - 1]]
    if len(values) < 6 or len(starts) != len(set(values)) or len(starts) > len(values) / 3:
        return False
    return all(at in starts or times[at - 1] != times[at] for at in range(len(values)))


def rounding(work: Work, part: Understood) -> None:
    """Round figures: the one said, else the share or moving figure just made, else the figures that have fractions."""
    intent: Round = part.intent
    here = work.here()
    names: list[str] = []
    if intent.of is not None and not (isinstance(intent.of, Role) and intent.of.name == "figure"):
        names = [_of(work, intent.of, len(work.sketch.main)).name]
    elif (last := work.roles.get("figure")) and here.field(last) and last not in _measured(work):
        names = [last]
    else:
        names = [
            m["name"] for m in _measures(work) if m.get("function") in FRACTIONAL or m.get("function") is None
        ] or _measured(work)
    names = [name for name in names if here.field(name)]
    if not names:
        numbers = [f.name for f in here.columns if f.kind == "number"]
        if len(numbers) != 1:
            raise Unclear(f"Which figure shall be rounded? There are {listed(numbers) or 'none'}.")
        names = numbers
    at = work.sketch.before_order()
    if any(work.here(at).field(name) is None for name in names):
        at = len(work.sketch.main)
    columns = [{"name": name, "expression": f"round({quoted(name)}, {intent.places})"} for name in names]
    piece = work.sketch.piece(
        "formula",
        {"columns": columns},
        name="round",
        title=f"Round to {intent.places} places",
        makes=dict.fromkeys(names, "number"),
    )
    work.sketch.insert(at, piece)
    work.tell(part, f"{listed(names)} rounded to {intent.places} places")


def _measures(work: Work) -> list[dict[str, Any]]:
    at = work.sketch.last("aggregate")
    return list(work.sketch.main[at].config.get("measures", ())) if at is not None else []


def _measured(work: Work) -> list[str]:
    return [m["name"] for m in _measures(work)]
