"""Builds a sketch from what was read: first what changes the flow that is there, then sources, rows, figures, the end.

Owns the order of building. Raises `Unclear` or `Refusal` where it cannot go on; nothing half-built is handed out, and no part
of a request is passed over: what no stage has taken is asked about.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .build_end import columns, draw, drop_hidden, orders, reverse, tops, write
from .build_figures import aggregate, default_figures, derive, derive_late, tell_figures, wanted_figures, wanted_groups
from .build_rows import LAST, gaps, late_condition, row_conditions, unique
from .build_sources import sources
from .build_windows import change, rolling, rounding, share
from .doubts import Unclear
from .edits import adjust, call_it, remove, swap
from .meaning import (
    Both,
    By,
    CallIt,
    Change,
    Cue,
    Derive,
    Draw,
    DropMissing,
    Either,
    Figures,
    Fill,
    Formula,
    JoinFiles,
    Keep,
    Measure,
    Not,
    Order,
    Remove,
    Reverse,
    Rolling,
    Round,
    Rows,
    Share,
    Show,
    Stack,
    Swap,
    Test,
    TimePart,
    Top,
    Unique,
    UseFile,
    UseNode,
    Write,
)
from .reading import Understood
from .soundness import check_columns, drop_unfit_charts
from .telling_columns import tell_columns
from .work import Work

Stage = Callable[[Work], None]
SUBSTANCE = (Figures, Keep, By, Top, Show, Derive, Unique, DropMissing)
WINDOWS = {Share: share, Change: change, Rolling: rolling, Round: rounding}


def build(work: Work, guess: str | None) -> None:
    """Turn the intents of a request into changes of the sketch. `guess`: the file to read where none is named."""
    work.guess = guess
    work.asked = frozenset(type(part.intent) for part in work.parts)
    for stage in STAGES:
        stage(work)
    if work.cue("save") and not any(piece.type == "write_file" for piece in work.sketch.sinks):
        raise Unclear("To which file shall it be written? Name one that ends in .csv, .parquet, .jsonl or .xlsx.")
    for part in work.parts:
        if not isinstance(part.intent, Cue):
            raise Unclear(f"I could not place “{work.words(part)}”. What shall be done there, and with which column?")


def each(kind: type, builder: Callable[[Work, Understood], None]) -> Stage:
    """Return a stage that builds every intent of a kind."""

    def stage(work: Work) -> None:
        for part in work.take(kind):
            builder(work, part)

    return stage


# --- stages that look at several parts --------------------------------------------------------------------------------


def _begin_anew(work: Work) -> None:
    """Begin anew where the request says so, or names another file and says all that is to be done with it."""
    uses = [p.intent for p in work.parts if isinstance(p.intent, UseFile)]
    other = any(use.path not in work.sketch.paths() and not use.instead for use in uses)
    tied = work.has(JoinFiles, Stack) or work.cue("instead") or work.cue("also")
    if work.cue("new") or (work.sketch.main and other and work.has(*SUBSTANCE) and not tied):
        work.sketch.main.clear()
        work.sketch.sinks.clear()
        work.roles.clear()
        work.fresh = True


def _gaps_of_rows(work: Work) -> None:
    """Mend gaps before anything is computed, unless columns are chosen first: `keep a and b, drop incomplete rows`."""
    chosen = [p.start for p in work.parts if isinstance(p.intent, Show) and p.intent.only and work.fresh]
    for part in [p for p in work.parts if isinstance(p.intent, DropMissing | Fill) and p.intent != LAST]:
        if not any(start < part.start for start in chosen):
            work.parts.remove(part)
            gaps(work, part)


def _figures(work: Work) -> None:
    """Build groups and figures; groups that only the `top of each` needs are left to it."""
    figures = wanted_figures(work)
    groups = wanted_groups(work, figures=bool(figures) or work.has(Share))
    if groups and not figures:
        figures = default_figures(work)
        if not figures and work.sketch.last("aggregate") is None:
            return
    if not figures and not groups:
        _by_alone(work)
        tell_figures(work)
        return
    if work.fresh or not adjust(work, figures, groups, adds=_adds(work)):
        aggregate(work, figures, groups)
    work.take(By)


def _adds(work: Work) -> bool:
    """Return whether the request adds to what is there: `and the median`."""
    first = work.parts[0].start if work.parts else 0
    return work.cue("also") or (
        first > 0 and work.words(Understood(None, 0, 1)).casefold() in ("and", "plus", "with", "add")
    )


def _by_alone(work: Work) -> None:
    """`by X` without figures is an order; of a time and nothing else it counts rows."""
    bare = not work.asked & {Keep, Show, Top, Order}
    for part in work.take(By):
        keys = part.intent.keys
        if work.fresh and bare and work.cue("rows") and all(isinstance(key, TimePart) for key in keys):
            work.tell(part, "rows are counted", assumed=True)
            aggregate(work, [Measure("count", Rows("rows"), "count")], [(part, keys)])
        elif work.fresh and not work.has(Rolling, Change) and (bare or _only_numbers(work, keys)):
            raise Unclear(f"“{work.words(part)}”: shall the rows be counted by it, or sorted by it?")
        else:
            work.add(part, Order(tuple((key, None) for key in keys)))


def _only_numbers(work: Work, keys: tuple[Any, ...]) -> bool:
    """Return whether only numbers are named beside `by X`: `stock by warehouse` does not say what becomes of the stock."""
    here = work.here()
    shown = [item for p in work.parts if isinstance(p.intent, Show) for item in p.intent.items]
    named = [f for item in shown if (f := here.find(item)) is not None]
    by = {f.name for key in keys if (f := here.find(key)) is not None}
    return bool(named) and all(f.kind == "number" and f.name not in by for f in named)


def _windows(work: Work) -> None:
    """Build what compares rows, in the order of the request: a share is rounded after it is there."""
    for part in work.take(*WINDOWS):
        WINDOWS[type(part.intent)](work, part)


def _own_node(work: Work, part: Understood) -> None:
    """Build a node of a type that was asked for in its own words."""
    config = {name: _written(work, part, value) for name, value in part.intent.config}
    limited = work.sketch.last("limit") is not None
    work.put(part.intent.type, config, at=len(work.sketch.main) if limited else work.sketch.before_order())
    told = f" with {', '.join(f'{key} {value}' for key, value in config.items())}" if config else ""
    work.tell(part, f"a node {part.intent.type}{told}")


def _written(work: Work, part: Understood, value: Any) -> Any:
    """Return a value of a config; a condition or a formula as SQL over the columns that are there. Errors: Unclear."""
    here = work.here()
    match value:
        case Test() | Not() | Either() | Both():
            text = here.condition(value)
        case Formula():
            text = here.formula(value)
        case _:
            return value
    if text is None:
        raise Unclear(f"“{work.words(part)}”: there is no column for that here. Which one do you mean?")
    return text


def _each_once(work: Work) -> None:
    """Keep each thing once before it is ordered; what is shown of it is chosen with it."""
    if work.fresh and work.has(Unique):
        columns(work)
    for part in work.take(Unique):
        unique(work, part)


STAGES: tuple[Stage, ...] = (
    _begin_anew,
    each(Remove, remove),
    each(Swap, swap),
    sources,
    tell_columns,
    each(Derive, derive),
    row_conditions,
    _gaps_of_rows,
    _figures,
    _windows,
    each(DropMissing, gaps),
    each(Fill, gaps),
    derive_late,
    each(Keep, late_condition),
    each(UseNode, _own_node),
    _each_once,
    tops,
    orders,
    columns,
    drop_hidden,
    each(Reverse, reverse),
    each(Write, write),
    each(Draw, draw),
    each(CallIt, call_it),
    drop_unfit_charts,
    check_columns,
)
"""What is built, in this order: each part where its columns are, rows before groups, figures after them, the order last."""
