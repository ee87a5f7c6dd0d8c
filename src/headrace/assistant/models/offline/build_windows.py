"""Builds what compares a row with others: shares of the whole, changes, moving figures; and rounding."""

from __future__ import annotations

from typing import Any

from .build_figures import NAMES, short
from .choosing import measured, the_number
from .doubts import Unclear, listed
from .fields import Field
from .meaning import Change, Role, Rolling, Round, Share
from .reading import Understood
from .sql_words import quoted
from .titles import places
from .work import Work

FRACTIONAL = ("mean", "median", "std", None)
"""Functions whose figures have fractions; None is an expression."""
SERIES = frozenset({"year", "month", "season", "week", "day", "quarter"})


def _figure(work: Work, of: Any, at: int, *, but: str = "") -> Field:
    """Return the figure that something is worked out of."""
    found = the_number(work, of, at=at, but=(but,), ask="Of which figure?")
    if found.kind != "number":
        raise Unclear(f"`{found.name}` is {found.kind}, not a number. Of which figure shall it be?")
    return found


def share(work: Work, part: Understood) -> None:
    """Build each row's part of the whole."""
    intent: Share = part.intent
    at = work.sketch.before_order()
    of = _figure(work, intent.of, at)
    name = work.unused(f"{'percent' if intent.percent else 'share'}_of_{short(of)}", at)
    text = f"{'100.0' if intent.percent else '1.0'} * {quoted(of.name)} / sum({quoted(of.name)}) OVER ()"
    work.formula(name, text, at, role="share")
    if intent.percent:
        work.percents.add(name)
    unit = "in percent" if intent.percent else "as a fraction"
    work.tell(part, f"new column `{name}`: `{of.name}` {unit} of its total")


def change(work: Work, part: Understood) -> None:
    """Build the change to the row before, along the time there is."""
    intent: Change = part.intent
    at = work.sketch.before_order()
    along, groups = _along(work, at)
    of = _figure(work, intent.of, at, but=along.name)
    before = f"lag({quoted(of.name)}) {_window(along, groups)}"
    text = f"{quoted(of.name)} - {before}"
    if intent.relative:
        text = f"{'100.0 * ' if intent.percent else ''}({text}) / {before}"
    name = work.unused("change_in_percent" if intent.percent else "growth_rate" if intent.relative else "change", at)
    work.formula(name, text, at, role="change")
    if intent.percent:
        work.percents.add(name)
    within = f", within {listed(groups)}" if groups else ""
    work.tell(part, f"new column `{name}`: `{of.name}` compared with the row before by `{along.name}`{within}")


def rolling(work: Work, part: Understood) -> None:
    """Build a moving or running figure along the time there is."""
    intent: Rolling = part.intent
    at = work.sketch.before_order()
    along, groups = _along(work, at)
    of = _figure(work, intent.of, at, but=along.name)
    rows = f" ROWS BETWEEN {intent.count - 1} PRECEDING AND CURRENT ROW" if intent.count else ""
    window = _window(along, groups, rows)
    text = f"{ {'mean': 'avg', 'std': 'stddev'}.get(intent.function, intent.function) }({quoted(of.name)}) {window}"
    if intent.count:
        text = f"CASE WHEN count({quoted(of.name)}) {window} = {intent.count} THEN {text} END"
    figure = NAMES.get(intent.function, intent.function)
    name = work.unused(f"moving_{figure}_{intent.count}" if intent.count else f"running_{figure}", at)
    work.formula(name, text, at, role="rolling")
    told = f"over {intent.count} rows, blank until there are as many" if intent.count else "over all rows so far"
    work.tell(part, f"new column `{name}`: {intent.function} of `{of.name}` {told}, by `{along.name}`")


# --- along which time -------------------------------------------------------------------------------------------------


def _window(along: Field, groups: list[str], rows: str = "") -> str:
    parts = f"PARTITION BY {', '.join(map(quoted, groups))} " if groups else ""
    return f"OVER ({parts}ORDER BY {quoted(along.name)}{rows})"


def _along(work: Work, at: int) -> tuple[Field, list[str]]:
    """Return the column of time along which rows are compared, and the columns within which."""
    here = work.here(at)
    times = [f for f in here.columns if f.kind == "date"] or [f for f in here.columns if set(f.words) & SERIES]
    if len(times) != 1:
        there = listed(f.name for f in times) or "no columns of dates"
        raise Unclear(f"Along which time shall rows be compared? There are {there}.")
    grouped = work.sketch.last("aggregate")
    if grouped is None or grouped >= at:
        return times[0], _series(work, at, times[0])
    groups = work.sketch.main[grouped].config.get("group_by", ())
    return times[0], [name for name in groups if name != times[0].name and not name.endswith("_number")]


def _series(work: Work, at: int, along: Field) -> list[str]:
    """Return the text column whose values part the rows into series: each a run of rows in which no time comes twice."""
    pinned = " ".join(piece.config["condition"] for piece in work.sketch.main[:at] if piece.type == "filter")
    file = next((work.sketch.facts[p] for p in work.sketch.paths() if p in work.sketch.facts), None)
    names = [column.name for column in file.columns] if file else []
    texts = [f.name for f in work.here(at).columns if f.kind == "text" and f.name in names]
    if file is None or along.name not in names or any(f"{quoted(name)} = " in pinned for name in texts):
        return []
    times = [str(row[names.index(along.name)]) for row in file.rows]
    for name in texts:
        values = [str(row[names.index(name)]) for row in file.rows]
        starts = [n for n in range(len(values)) if n == 0 or values[n] != values[n - 1]]
        runs = len(values) > 5 and len(starts) == len(set(values)) <= len(values) / 3
        if runs and all(n in starts or times[n - 1] != times[n] for n in range(len(values))):
            return [name]
    return []


# --- rounding ---------------------------------------------------------------------------------------------------------


def rounding(work: Work, part: Understood) -> None:
    """Round figures: the one said, else the column made last, else the figures that have fractions, else the only number."""
    intent: Round = part.intent
    here, end = work.here(), len(work.sketch.main)
    at = work.sketch.last("aggregate")
    measures = work.sketch.main[at].config.get("measures", ()) if at is not None else ()
    last = work.roles.get("figure", "")
    if intent.of is not None and intent.of != Role("figure"):
        names = [_figure(work, intent.of, end).name]
    elif here.field(last) and last not in measured(work):
        names = [last]
    else:
        names = [m["name"] for m in measures if m.get("function") in FRACTIONAL] or measured(work)
        names = [name for name in names if here.field(name)] or [_figure(work, None, end).name]
    columns = [{"name": name, "expression": f"round({quoted(name)}, {intent.places})"} for name in names]
    early = work.sketch.before_order()
    late = any(work.here(early).field(name) is None for name in names)
    work.put("formula", {"columns": columns}, at=end if late else early, makes=dict.fromkeys(names, "number"))
    work.tell(part, f"{listed(names)} rounded to {places(intent.places)}")
