"""Changes what is there: another value, figure or group, a part taken out, a figure renamed.

Works on the flow's own nodes, never on remembered sentences. Refuses where two parts could be meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .build_figures import Groups, measure_config, remember_all, tell_figures
from .choosing import UNCOUNTED, key_column, the_number
from .conditions import tests_in, values_of
from .doubts import Unclear, listed
from .expressions import measure_key
from .meaning import By, ColumnRef, Draw, Measure, Not, Number, Rows, Show, Test, TimePart, ValueRef
from .reading import Understood
from .sketch import Piece
from .soundness import check_columns, columns_in, rewrite
from .sql_words import literal, quoted
from .titles import said
from .work import Work

NUMBER = r"(?<![\w'\".-])\d+(?:\.\d+)?(?![\w'\"-])"
WINDOW = r"ROWS BETWEEN (\d+) PRECEDING"


# --- taking out -------------------------------------------------------------------------------------------------------


def remove(work: Work, part: Understood) -> None:
    """Take a part out of the flow."""
    what, about = part.intent.what, part.intent.column
    place = work.sketch.sinks if what in ("chart", "write_file") else work.sketch.main
    if what == "last":
        fits = place[1:][-1:]
    else:
        fits = [p for p in place if p.type == what and (about is None or _speaks_of(p, about))]
    if len(fits) != 1:
        there = listed(p.title for p in fits or [*work.sketch.main[1:], *work.sketch.sinks]) or "only what is read"
        raise Unclear(
            f"{'There are several' if fits else 'I find no such part here'}: {there}. What shall be taken out?"
        )
    place.remove(fits[0])
    work.tell(part, f"“{fits[0].title}” is taken out")
    check_columns(work)


def _speaks_of(piece: Piece, about: Any) -> bool:
    """Return whether a filter is about a column, or about one of the values of a condition."""
    condition = str(piece.config.get("condition", ""))
    if isinstance(about, ColumnRef):
        return any(quoted(name) in condition for name in about.names)
    values = [value for test in tests_in(about) for value in values_of(test) if isinstance(value, ValueRef)]
    return any(literal(stored) in condition for value in values for _, stored in value.options)


# --- swapping ---------------------------------------------------------------------------------------------------------


def swap(work: Work, part: Understood) -> None:
    """Put something in the place of something else of its kind."""
    new, old = part.intent.new, part.intent.old
    grouped = work.sketch.last("aggregate") is not None
    about_order = bool({"sort", "sorted", "rank", "ranked", "order"} & set(work.words(part).casefold().split()))
    match new:
        case int() | Number():
            _other_number(work, part, new=new, old=old)
        case str():
            _other_chart(work, part, new)
        case Test() | Not():
            _other_condition(work, part, new=new, old=old)
        case Measure(of=of) if grouped and not (isinstance(of, Rows) and isinstance(old, ColumnRef | TimePart)):
            _other_figure(work, part, new)
        case ColumnRef() | TimePart() if grouped and not about_order:
            figure = _same_function(work, new) if old is None else None
            if figure is not None:
                _other_figure(work, part, figure)
            else:
                regroup(work, part, (new,), old=(old,) if old is not None else ())
        case _:
            _other_order(work, part, new)


def _other_number(work: Work, part: Understood, *, new: Any, old: Any) -> None:
    value, was = (each.value if isinstance(each, Number) else each for each in (new, old))
    numbers = _numbers(work)
    places = [place for place in numbers if was is None or place[1] == was]
    if was is None and len(places) > 1:
        places = [place for place in places if place[0].type == "limit"] or places
    if len(places) != 1:
        there = ", ".join(f"{number:g} in “{piece.title}”" for piece, number, _ in numbers) or "no number"
        raise Unclear(f"Which number shall become {value:g}? There is {there}.")
    piece, before, change = places[0]
    change(value)
    work.tell(part, f"{before:g} becomes {value:g} in “{piece.title}”")


def _numbers(work: Work) -> list[tuple[Piece, float, Callable[[float], None]]]:
    """Return the numbers that a flow was given, each with the piece it is in and a way to change it."""
    found: list[tuple[Piece, float, Callable[[float], None]]] = []
    for piece in work.sketch.main:
        if piece.type == "limit":
            found.append((piece, piece.config["count"], lambda value, p=piece: p.config.update(count=int(value))))
        elif piece.type == "filter":
            found += [
                (piece, float(match[0]), lambda value, p=piece, m=match: _renumber(p, m, value))
                for match in re.finditer(NUMBER, piece.config["condition"])
            ]
        elif rows := re.search(WINDOW, str(piece.config.get("columns", ""))):
            count = int(rows[1]) + 1
            found.append((piece, count, lambda value, p=piece, n=count: _rewindow(work, p, n, now=int(value))))
    return found


def _renumber(piece: Piece, match: re.Match[str], value: float) -> None:
    text = piece.config["condition"]
    piece.config = {**piece.config, "condition": text[: match.start()] + literal(value) + text[match.end() :]}


def _rewindow(work: Work, piece: Piece, before: int, *, now: int) -> None:
    """Give moving figures another number of rows; the names that say it follow."""
    for column in list(piece.config["columns"]):
        text = re.sub(WINDOW, f"ROWS BETWEEN {now - 1} PRECEDING", column["expression"])
        text = text.replace(f" = {before} THEN", f" = {now} THEN")
        others = [c for c in piece.config["columns"] if c["name"] != column["name"]]
        piece.config = {"columns": [*others, {"name": column["name"], "expression": text}]}
        rename(work, column["name"], re.sub(rf"_{before}$", f"_{now}", column["name"]))


def _other_chart(work: Work, part: Understood, kind: str) -> None:
    charts = [piece for piece in work.sketch.sinks if piece.type == "chart"]
    if len(charts) != 1:
        raise Unclear("There is no chart yet. Shall I draw one?" if not charts else "Which of the charts do you mean?")
    charts[0].config = {**charts[0].config, "kind": kind}
    work.tell(part, f"the chart is a {kind} chart")


def _other_condition(work: Work, part: Understood, *, new: Any, old: Any) -> None:
    """Replace a condition on the same column; what the old values were is read from the flow."""
    found = work.earliest(lambda here: here.condition(new))
    if found is None:
        raise Unclear(f"“{work.words(part)}”: I find no column for that. Which column do you mean?")
    _, text, assumed = found
    columns = columns_in(text)
    filters = [p for p in work.sketch.main if p.type == "filter"]
    fits = [p for p in filters if columns & columns_in(p.config["condition"])]
    if old is not None:
        fits = [p for p in fits if _speaks_of(p, old)] or fits
    if len(fits) != 1:
        there = listed(p.title for p in fits or filters) or "no condition"
        raise Unclear(f"Which condition shall become “{said(text)}”? There is {there}.")
    before = fits[0].config["condition"]
    whole = " OR " in before or "BETWEEN" in before
    others = [] if whole else [other for other in before.split(" AND ") if not columns & columns_in(other)]
    if whole and columns != columns_in(before):
        raise Unclear(f"“{said(before)}” is about more than that. What shall take the place of what?")
    fits[0].config = {"condition": " AND ".join([*others, text])}
    work.tell(part, f"{said(before)} becomes {said(fits[0].config['condition'])}", assumed=bool(assumed))


def _same_function(work: Work, new: Any) -> Measure | None:
    """Return the figure that the flow computes, of another column of numbers: `profit instead` of the total revenue."""
    at = work.sketch.last("aggregate")
    measures = work.sketch.main[at].config["measures"] if at is not None else ()
    found = work.here(at).find(new) if isinstance(new, ColumnRef) else None
    number = found is not None and found.kind == "number" and not set(found.words) & UNCOUNTED
    if not number or len(measures) != 1 or measures[0].get("function", "count") == "count":
        return None
    return Measure(measures[0]["function"], new, new.words)


def _other_figure(work: Work, part: Understood, new: Measure) -> None:
    """Compute another figure in the place of one; a function alone is computed of the same column."""
    at = work.sketch.last("aggregate")
    assert at is not None
    piece, here = work.sketch.main[at], work.here(at)
    measures = piece.config["measures"]
    there = work.here().find(part.intent.old)
    named = there.name if there is not None else None
    fits = [m for m in measures if m["name"] == named or (named is None and (new.of is not None or m.get("column")))]
    if len(fits) != 1:
        raise Unclear(f"Which figure shall be replaced? There are {listed(m['name'] for m in measures)}.")
    old = fits[0]
    if new.of is None and new.function != "count":
        new = Measure(new.function, work.ref(old["column"]))
    made = measure_config(work, here, new)
    piece.config = {**piece.config, "measures": [made if m is old else m for m in measures]}
    piece.makes[made["name"]] = "number"
    rewrite(work, old["name"], made["name"], start=at + 1)
    remember_all(work, [new], [made])
    work.made.clear()
    work.tell(part, f"`{made['name']}` instead of `{old['name']}`")
    work.assume(part, here.assumed)


def _other_order(work: Work, part: Understood, new: Any) -> None:
    """Order by another column, the same way."""
    at = work.sketch.last("sort")
    if at is None:
        raise Unclear("Nothing is grouped or sorted yet. What shall be done by it?")
    piece = work.sketch.main[at]
    name = work.field(new, at).name
    piece.config = {"by": [{"column": name, "descending": piece.config["by"][0].get("descending", False)}]}
    work.tell(part, f"sorted by `{name}` instead")


# --- groups and figures of what is there ------------------------------------------------------------------------------


def adjust(work: Work, figures: list[Measure], groups: Groups, *, adds: bool) -> bool:
    """Change the aggregate that is there for groups or figures that the request names; False: build a new one."""
    at = work.sketch.last("aggregate")
    if at is None:
        return False
    piece = work.sketch.main[at]
    present = set(piece.config.get("group_by", ()))
    for figure in figures:
        _recognise(work, figure, piece, at=at)
    here = work.here()
    new = [f for f in figures if here.field(work.roles.get(measure_key(f), "")) is None]
    keys = [(part, wanted) for part, wanted in groups if not isinstance(part.intent, Show | Draw)]
    keys = [(part, wanted) for part, wanted in keys if not isinstance(wanted[0], Rows)]
    other = [(part, wanted) for part, wanted in keys if not _present(work, wanted, present)]
    if new and other and not adds:
        del work.sketch.main[at:]
        return False
    for part, wanted in keys:
        if (part, wanted) in other:
            regroup(work, part, wanted, adds=adds or (isinstance(part.intent, By) and part.intent.adds))
        elif isinstance(part.intent, By):
            work.tell(part, "as it is grouped already")
    if new:
        _more_figures(work, new, adds=adds)
    tell_figures(work)
    return True


def _recognise(work: Work, figure: Measure, aggregate: Piece, *, at: int) -> None:
    """Take a total of a column that only the aggregate makes for that very column: “the most revenue”."""
    if figure.function != "sum" or not isinstance(figure.of, ColumnRef) or work.here(at).find(figure.of):
        return
    found = work.here().find(figure.of)
    if found is not None and found.name in {measure["name"] for measure in aggregate.config["measures"]}:
        work.roles[measure_key(figure)] = work.roles["figure"] = found.name


def _present(work: Work, wanted: tuple[Any, ...], present: set[str]) -> bool:
    found = [work.here().find(key) for key in wanted if isinstance(key, ColumnRef | TimePart)]
    return bool(found) and all(f is not None and f.name in present for f in found)


def _more_figures(work: Work, figures: list[Measure], *, adds: bool) -> None:
    """Compute figures beside those that are there, or in their place."""
    at = work.sketch.last("aggregate")
    assert at is not None
    piece, here = work.sketch.main[at], work.here(at)
    old, made = list(piece.config["measures"]), [measure_config(work, here, figure) for figure in figures]
    piece.config = {**piece.config, "measures": [*old, *made] if adds else made}
    if not adds and len(old) == len(made) == 1:
        rewrite(work, old[0]["name"], made[0]["name"], start=at + 1)
    check_columns(work)
    remember_all(work, figures, made)
    work.assume(listed(m["name"] for m in made), here.assumed)


def regroup(
    work: Work, part: Understood, wanted: tuple[Any, ...], *, adds: bool = False, old: tuple[Any, ...] = ()
) -> None:
    """Give the aggregate that is there other groups, or more."""
    at = work.sketch.last("aggregate")
    assert at is not None
    piece, here = work.sketch.main[at], work.here()
    before = list(piece.config.get("group_by", ()))
    behind = work.sketch.main[at:]
    del work.sketch.main[at:]
    names = [key_column(work, key, wanted) for key in wanted]
    work.sketch.main += behind
    named = [f.name for ref in old if (f := here.find(ref)) is not None]
    dropped = [] if adds else [name for name in before if name in named] if old else before
    kept = [name for name in before if name not in dropped]
    piece.config = {**piece.config, "group_by": list(dict.fromkeys((*kept, *names)))}
    if len(dropped) == 1 and len(names) == 1:
        rewrite(work, dropped[0], names[0], start=work.sketch.main.index(piece) + 1)
    check_columns(work)
    gone = [name for name in dropped if name not in names]
    told = f"grouped by {listed(piece.config['group_by'])}" + (f" and no more by {listed(gone)}" if gone else "")
    work.tell(part, told, assumed=not adds and not old and not work.cue("instead"))


# --- names ------------------------------------------------------------------------------------------------------------


def call_it(work: Work, part: Understood) -> None:
    """Give the last figure another name."""
    old = the_number(work, ask=f"Which column shall be called “{part.intent.name}”?").name
    rename(work, old, part.intent.name)
    work.tell(part, f"`{old}` is called `{part.intent.name}`")


def rename(work: Work, old: str, new: str) -> None:
    """Rename a column where it is made, and wherever it is used after that."""
    start = len(work.sketch.main)
    for at, piece in enumerate(work.sketch.main):
        key = {"aggregate": "measures", "formula": "columns"}.get(piece.type, "")
        made = piece.config.get(key, ())
        if any(column["name"] == old for column in made):
            renamed = [{**column, "name": new} if column["name"] == old else column for column in made]
            piece.config = {**piece.config, key: renamed}
            piece.makes[new] = piece.makes.get(old, "number")
            start = at + 1
            break
    else:
        work.put("select", {"rename": {old: new}})
        start = len(work.sketch.main)
    rewrite(work, old, new, start=start)
    work.roles = {role: new if name == old else name for role, name in work.roles.items()}
    work.percents |= {new} if old in work.percents else set()
