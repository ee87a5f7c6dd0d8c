"""Builds what compares a row with others: shares of the whole, changes, moving figures; and rounding."""

from __future__ import annotations

from typing import Any

from .build_figures import NAMES, plain
from .doubts import Unclear, listed
from .expressions import Here, measure_key
from .fields import Field
from .meaning import By, Change, ColumnRef, Measure, Order, Role, Rolling, Round, Share, Show, TimePart
from .reading import Understood
from .sql_words import quoted
from .work import FRACTIONAL, Work


def _of(work: Work, of: Any, at: int) -> Field:
    """Return the figure that something is worked out of: the one said, or the last one."""
    here = work.here(at)
    found = here.find(of) if of is not None else None
    if found is None and isinstance(of, ColumnRef):
        for function in ("sum", "mean", "count_distinct", "max", "min", "median"):
            name = work.roles.get(measure_key(Measure(function, of)))
            found = found or (here.field(name) if name else None)
    found = found or here.find(Role("figure"))
    if found is not None and found.kind != "number":
        raise Unclear(f"`{found.name}` is {found.kind}, not a number. Of which figure shall it be?")
    if found is None:
        numbers = [f for f in here.columns if f.kind == "number" and not set(f.words) & {"year", "id", "month", "day"}]
        shown = {
            name
            for p in work.parts
            if isinstance(p.intent, Show)
            for i in p.intent.items
            for name in getattr(i, "names", ())
        }
        listed_ones = [f for f in numbers if f.name in shown]
        numbers = listed_ones if len(listed_ones) == 1 else numbers
        if len(numbers) != 1:
            raise Unclear(f"Of which figure? There are {listed(f.name for f in numbers) or 'none'}.")
        found = numbers[0]
    return found


def share(work: Work, part: Understood) -> None:
    """Build each row's part of the whole."""
    intent: Share = part.intent
    at = work.sketch.before_order()
    of = _of(work, intent.of, at)
    name = work.unused(f"{'percent' if intent.percent else 'share'}_of_{plain(of)}", at)
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
        title=f"Round to {places(intent.places)}",
        makes=dict.fromkeys(names, "number"),
    )
    work.sketch.insert(at, piece)
    work.tell(part, f"{listed(names)} rounded to {places(intent.places)}")


def _measures(work: Work) -> list[dict[str, Any]]:
    at = work.sketch.last("aggregate")
    return list(work.sketch.main[at].config.get("measures", ())) if at is not None else []


def _measured(work: Work) -> list[str]:
    return [m["name"] for m in _measures(work)]


def places(count: int) -> str:
    """Return decimal places in words."""
    return "whole numbers" if count == 0 else f"{count} decimal place{'' if count == 1 else 's'}"
