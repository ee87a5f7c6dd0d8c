"""Builds what decides about rows: conditions, gaps, duplicates."""

from __future__ import annotations

import re
from typing import Any

from .conditions import speaks_of_figure, speaks_of_time, tests_in, values_of
from .doubts import Unclear, listed
from .meaning import By, Change, ColumnRef, DropMissing, Figures, Fill, Keep, Number, Period, Role, Rolling, Text
from .reading import Understood
from .sql_words import literal, quoted
from .titles import said
from .work import Work

# --- conditions -------------------------------------------------------------------------------------------------------


def row_conditions(work: Work) -> None:
    """Put the conditions on rows where their columns are; those on figures, or on times of a comparison, wait."""
    compares = work.has(Change, Rolling)
    for part in [p for p in work.parts if isinstance(p.intent, Keep)]:
        condition = part.intent.condition
        if not speaks_of_figure(condition) and not (compares and speaks_of_time(condition)):
            work.parts.remove(part)
            _ask_what_is_compared(work, part)
            keep(work, part)


def late_condition(work: Work, part: Understood) -> None:
    """Put a condition on figures behind them, where a column of the same name is not meant; one on times where it belongs."""
    figures = work.sketch.last("aggregate", "formula")
    figure = speaks_of_figure(part.intent.condition) and figures is not None
    keep(work, part, start=figures + 1 if figure and figures is not None else None)


def _ask_what_is_compared(work: Work, part: Understood) -> None:
    """`total nights by guest, only guests over 20 nights`: each row's nights or the total? That is asked, not guessed."""
    if not work.fresh or not work.has(By):
        return
    names = {
        name
        for test in tests_in(part.intent.condition)
        if isinstance(test.left, ColumnRef) and test.op in (">", ">=", "<", "<=", "between")
        for name in test.left.names
    }
    for other in work.parts:
        if isinstance(other.intent, Figures) and other.start < part.start:
            of = {name for m in other.intent.measures if isinstance(m.of, ColumnRef) for name in m.of.names}
            if of & names:
                raise Unclear(f"“{work.words(part)}”: shall each row be compared, or the figure “{work.words(other)}”?")


def keep(work: Work, part: Understood, *, start: int | None = None) -> None:
    """Put one condition at the first place that has its columns."""
    condition = part.intent.condition
    filters = listed(piece.title for piece in work.sketch.main if piece.type == "filter")
    if not work.fresh and work.cue("instead") and filters:
        raise Unclear(f"“{work.words(part)}” in place of which condition? There is {filters}.")
    found = work.earliest(lambda here: here.condition(condition), start=start)
    if found is None:
        raise Unclear(_no_place(work, part))
    at, text, assumed = found
    if not speaks_of_figure(condition):
        at = max(at, _behind_windows(work, text, at))
    work.put("filter", {"condition": text}, at=at)
    if re.search(r" (?:[<>]=?|BETWEEN) ", text):
        work.compared += re.findall(r'"([^"]+)"', text)
    work.tell(part, f"only rows where {said(text)}")
    work.assume(part, assumed)


def _behind_windows(work: Work, text: str, at: int) -> int:
    """A condition on the very column along which rows are compared comes after the comparison, which needs its neighbours."""
    for place in range(len(work.sketch.main) - 1, at - 1, -1):
        along = re.findall(r'ORDER BY ("[^"]+")', str(work.sketch.main[place].config.get("columns", "")))
        if any(name in text for name in along):
            return place + 1
    return at


def _no_place(work: Work, part: Understood) -> str:
    """Return the question about a condition that no column is there for."""
    condition = part.intent.condition
    if speaks_of_figure(condition):
        return f"“{work.words(part)}”: which column or figure shall be compared?"
    if any(isinstance(value, Period) for test in tests_in(condition) for value in values_of(test)):
        return f"“{work.words(part)}”: there is no column with a date or a year here. Which column do you mean?"
    return work.absent(Role(work.words(part)))


# --- gaps and duplicates ----------------------------------------------------------------------------------------------

LAST = DropMissing((Role("last"),))
"""Rows dropped that lack the figure made last."""


def gaps(work: Work, part: Understood) -> None:
    """Build `drop incomplete rows` and `fill the gaps`."""
    chosen = work.sketch.last("limit", "select") is not None
    at = len(work.sketch.main) if chosen else work.sketch.before_order()
    if isinstance(part.intent, Fill):
        _fill(work, part, at)
        return
    figure = work.roles.get("figure", "")
    if part.intent == LAST and work.here(work.sketch.before_order()).field(figure):
        work.put("filter", {"condition": f"{quoted(figure)} IS NOT NULL"}, at=work.sketch.before_order())
        work.tell(part, f"rows without `{figure}` are left out")
        return
    names = [work.field(ref, at).name for ref in part.intent.items] if part.intent != LAST else []
    work.put("fill_missing", {"method": "drop_rows"} | ({"columns": names} if names else {}), at=at)
    work.tell(part, f"rows are left out where {listed(names, 'or') if names else 'anything'} is missing")


def _fill(work: Work, part: Understood, at: int) -> None:
    intent: Fill = part.intent
    fields = [work.field(ref, at) for ref in intent.items]
    names = [f.name for f in fields]
    config: dict[str, Any] = {"method": intent.method} | ({"columns": names} if names else {})
    if isinstance(intent.value, Text) and any(f.kind == "number" for f in fields):
        raise Unclear(
            f"{listed(names)} holds numbers and cannot be filled with “{intent.value.value}”. With which number?"
        )
    if intent.method == "value":
        config["value"] = intent.value.value if isinstance(intent.value, Number | Text) else intent.value
    work.put("fill_missing", config, at=at)
    filled = literal(config["value"]) if "value" in config else f"the {intent.method}"
    work.tell(part, f"missing values of {listed(names) or 'every column where it fits'} become {filled}")


def unique(work: Work, part: Understood) -> None:
    """Build `each once`: of whole rows, or of some columns, which alone are kept."""
    names = [work.field(ref).name for ref in part.intent.items]
    if names:
        work.put("select", {"keep": names})
    work.put("distinct", {})
    work.tell(part, f"each combination of {listed(names)} once" if names else "every row once")
