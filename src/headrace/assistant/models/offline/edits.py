"""Changes what is there: another value, figure or group, an order turned round, a part taken out, a figure renamed.

Works on the flow's own nodes, never on remembered sentences. Refuses where two parts could be meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .build_figures import key_column, measure_config, remember_all
from .doubts import Unclear, listed
from .expressions import measure_key
from .meaning import (
    By,
    CallIt,
    ColumnRef,
    Figures,
    Formula,
    Measure,
    Not,
    Number,
    Remove,
    Role,
    Rows,
    Swap,
    Test,
    TimePart,
    ValueRef,
)
from .reading import Understood
from .sketch import Piece
from .soundness import check_columns, rewrite
from .sql_words import literal, quoted
from .work import Work

FUNCTIONS = ("count", "count_distinct", "sum", "mean", "median", "min", "max", "std")


def changes(work: Work) -> None:
    """Carry out every change that the request asks for of the flow that is there."""
    for part in work.take(Remove):
        remove(work, part)
    for part in work.take(Swap):
        swap(work, part)


def names_at_last(work: Work) -> None:
    """Carry out `call it X`, once everything else is built."""
    for part in work.take(CallIt):
        old = work.roles.get("figure") or ""
        if work.here().field(old) is None:
            numbers = [f.name for f in work.here().columns if f.kind == "number"]
            if len(numbers) != 1:
                raise Unclear(
                    f"Which column shall be called “{part.intent.name}”? There are {listed(f.name for f in work.here().columns)}."
                )
            old = numbers[0]
        rename(work, old, part.intent.name)
        work.tell(part, f"`{old}` is called `{part.intent.name}`")


def reverse(work: Work, part: Understood) -> None:
    """Turn the order round."""
    at = work.sketch.last("sort")
    if at is None:
        raise Unclear("Nothing is sorted yet. By which column shall it be sorted?")
    by = [{**key, "descending": not key.get("descending", False)} for key in work.sketch.main[at].config["by"]]
    piece = work.sketch.main[at]
    piece.config = {**piece.config, "by": by}
    piece.title = "Sort by " + ", ".join(f"{key['column']}{' (descending)' if key['descending'] else ''}" for key in by)
    work.tell(
        part,
        f"the order is turned round: {listed(str(key['column']) for key in by)} {'descending' if by[0]['descending'] else 'ascending'}",
    )


# --- taking out -------------------------------------------------------------------------------------------------------


def remove(work: Work, part: Understood) -> None:
    """Take a part out of the flow."""
    what, about = part.intent.what, part.intent.column
    sketch = work.sketch
    if what in ("chart", "write_file"):
        fits = [piece for piece in sketch.sinks if piece.type == what]
        if not fits:
            raise Unclear(
                f"There is no {'chart' if what == 'chart' else 'output file'} in this flow. What shall be taken out?"
            )
        sketch.sinks = [piece for piece in sketch.sinks if piece not in fits]
        work.tell(part, f"{listed(p.title or p.node_id for p in fits)} is taken out")
        return
    fits = sketch.main[-1:] if what == "last" and len(sketch.main) > 1 else [p for p in sketch.main if p.type == what]
    if what == "filter":
        fits = [p for p in fits if about is None or _speaks_of(p, about)] or (fits if about is None else [])
    if what == "sort" and not fits:
        raise Unclear("Nothing is sorted here. What shall be taken out?")
    if not fits:
        there = listed(p.title or p.type for p in sketch.main[1:]) or "only the file that is read"
        raise Unclear(f"I find no such part in this flow; there is {there}. What shall be taken out?")
    if len(fits) > 1:
        raise Unclear(f"There are several: {listed(p.title or p.node_id for p in fits)}. Which one shall be taken out?")
    sketch.main.remove(fits[0])
    work.tell(part, f"“{fits[0].title or fits[0].node_id}” is taken out")
    check_columns(work)


def _speaks_of(piece: Piece, about: Any) -> bool:
    condition = str(piece.config.get("condition", ""))
    if isinstance(about, ColumnRef):
        return any(quoted(name) in condition for name in about.names)
    values = about.right if isinstance(about, Test) and isinstance(about.right, tuple) else ()
    return any(isinstance(v, ValueRef) and any(literal(stored) in condition for _, stored in v.options) for v in values)


# --- swapping ---------------------------------------------------------------------------------------------------------


def swap(work: Work, part: Understood) -> None:
    """Put something in the place of something else of its kind."""
    new, old = part.intent.new, part.intent.old
    match new:
        case int() | Number():
            _other_number(work, part, new=new, old=old)
        case str():
            _other_chart(work, part, new)
        case Test() | Not():
            _other_condition(work, part, new=new, old=old)
        case Measure(of=None) if new.function in FUNCTIONS:
            _other_function(work, part, new.function)
        case Measure(of=Rows() | None) if not isinstance(old, Measure) and isinstance(old, ColumnRef | TimePart):
            _other_key(work, part, new=new, old=old)
        case Measure():
            _other_figure(work, part, new)
        case ColumnRef() | TimePart() | Formula() | Role():
            _other_key(work, part, new=new, old=old)
        case _:
            raise Unclear("What shall take the place of what?")


def _other_number(work: Work, part: Understood, *, new: Any, old: Any) -> None:
    value = new.value if isinstance(new, Number) else new
    was = old.value if isinstance(old, Number) else old
    places = [place for place in _numbers(work) if was is None or place[1] == was]
    if was is None and len(places) > 1:
        limits = [place for place in places if place[0].type == "limit"]
        places = limits if limits else places
    if len(places) != 1:
        there = (
            ", ".join(f"{number:g} in “{piece.title or piece.node_id}”" for piece, number, _ in _numbers(work))
            or "no number"
        )
        raise Unclear(f"Which number shall become {value:g}? There is {there}.")
    piece, before, change = places[0]
    change(value)
    piece.title = piece.title.replace(f"{before:g}", f"{value:g}")
    work.tell(part, f"{before:g} becomes {value:g} in “{piece.title or piece.node_id}”")


def _numbers(work: Work) -> list[tuple[Piece, float, Callable[[float], None]]]:
    """Return the numbers that a flow was given, each with the piece it is in and a way to change it."""
    found: list[tuple[Piece, float, Callable[[float], None]]] = []
    for piece in work.sketch.main:
        if piece.type == "limit":
            found.append((piece, piece.config["count"], lambda value, p=piece: p.config.update(count=int(value))))
        elif piece.type == "filter":
            found += [
                (piece, float(number), lambda value, p=piece, n=number: _renumber(p, n, value))
                for number in re.findall(r"(?<![\w'\".-])\d+(?:\.\d+)?(?![\w'\"-])", piece.config["condition"])
            ]
        elif piece.type == "formula":
            for column in piece.config["columns"]:
                rows = re.search(r"ROWS BETWEEN (\d+) PRECEDING", column["expression"])
                if rows:
                    found.append((piece, int(rows[1]) + 1, lambda value, p=piece, w=work: _rewindow(w, p, int(value))))
    return found


def _renumber(piece: Piece, number: str, value: float) -> None:
    text = re.sub(rf"(?<![\w'\".-]){re.escape(number)}(?![\w'\"-])", literal(value), piece.config["condition"])
    piece.config = {**piece.config, "condition": text}


def _rewindow(work: Work, piece: Piece, count: int) -> None:
    columns = []
    for column in piece.config["columns"]:
        rows = re.search(r"ROWS BETWEEN (\d+) PRECEDING", column["expression"])
        before = int(rows[1]) + 1 if rows else count
        text = column["expression"].replace(
            f"ROWS BETWEEN {before - 1} PRECEDING", f"ROWS BETWEEN {count - 1} PRECEDING"
        )
        text = text.replace(f" = {before} THEN", f" = {count} THEN")
        columns.append({"name": column["name"], "expression": text})
    old_names = [column["name"] for column in columns]
    piece.config = {"columns": columns}
    for name in old_names:
        if re.search(r"_\d+$", name):
            rename(work, name, re.sub(r"_\d+$", f"_{count}", name))


def _other_chart(work: Work, part: Understood, kind: str) -> None:
    charts = [piece for piece in work.sketch.sinks if piece.type == "chart"]
    if len(charts) != 1:
        raise Unclear("There is no chart yet. Shall I draw one?" if not charts else "Which of the charts do you mean?")
    charts[0].config = {**charts[0].config, "kind": kind}
    charts[0].title = f"{kind.capitalize()} chart"
    work.tell(part, f"the chart is a {kind} chart")


def _other_condition(work: Work, part: Understood, *, new: Any, old: Any) -> None:
    """Replace a condition on the same column; what the old values were is read from the flow."""
    found = work.earliest(lambda here: here.condition(new))
    if found is None:
        raise Unclear(f"“{work.words(part)}”: I find no column for that. Which column do you mean?")
    _, text, assumed = found
    columns = set(re.findall(r'"([^"]+)"', text))
    filters = [p for p in work.sketch.main if p.type == "filter"]
    fits = [p for p in filters if columns & set(re.findall(r'"([^"]+)"', p.config["condition"]))]
    if old is not None:
        fits = [p for p in fits if _speaks_of(p, old)] or fits
    if len(fits) != 1:
        there = listed(p.title or p.node_id for p in fits or filters) or "no condition"
        raise Unclear(f"Which condition shall become “{text.replace(chr(34), '')}”? There is {there}.")
    before = fits[0].config["condition"]
    fits[0].config = {"condition": _swapped(before, text, columns)}
    fits[0].title = f"Only {fits[0].config['condition'].replace(chr(34), '')}"[:60]
    work.tell(
        part,
        f"{before.replace(chr(34), '')} becomes {fits[0].config['condition'].replace(chr(34), '')}",
        assumed=bool(assumed),
    )


def _swapped(before: str, new: str, columns: set[str]) -> str:
    """Return a condition with the part about some columns replaced; the whole of it where it is about nothing else."""
    parts = before.split(" AND ") if " OR " not in before and "BETWEEN" not in before else [before]
    kept = [text for text in parts if not columns & set(re.findall(r'"([^"]+)"', text))]
    return " AND ".join([*kept, new])


def _other_function(work: Work, part: Understood, function: str) -> None:
    at = work.sketch.last("aggregate")
    if at is None:
        raise Unclear("There is no figure yet to change. Of which column shall it be computed?")
    piece = work.sketch.main[at]
    plain = [m for m in piece.config["measures"] if m.get("column")]
    if len(plain) != 1:
        raise Unclear(
            f"Which figure shall be a {function}? There are {listed(m['name'] for m in piece.config['measures'])}."
        )
    old = plain[0]
    made = measure_config(
        work, work.here(at), Measure(function, ColumnRef((old["column"],), old["column"], ("number",)))
    )
    piece.config = {**piece.config, "measures": [made if m is old else m for m in piece.config["measures"]]}
    piece.makes[made["name"]] = "number"
    piece.title = piece.title.replace(old["name"], made["name"])
    rewrite(work, old["name"], made["name"], start=at + 1)
    work.remember(made)
    work.tell(part, f"`{made['name']}` instead of `{old['name']}`")


def _other_figure(work: Work, part: Understood, new: Measure) -> None:
    at = work.sketch.last("aggregate")
    if at is None:
        _other_order(work, part, new)
        return
    piece = work.sketch.main[at]
    measures = piece.config["measures"]
    old = (
        next((m for m in measures if m["name"] == work.roles.get(measure_key(part.intent.old))), None)
        if isinstance(part.intent.old, Measure)
        else None
    )
    if old is None and len(measures) != 1:
        raise Unclear(f"Which figure shall be replaced? There are {listed(m['name'] for m in measures)}.")
    old = old or measures[0]
    here = work.here(at)
    made = measure_config(work, here, new)
    piece.config = {**piece.config, "measures": [made if m is old else m for m in measures]}
    piece.makes[made["name"]] = "number"
    piece.title = piece.title.replace(old["name"], made["name"])
    rewrite(work, old["name"], made["name"], start=at + 1)
    remember_all(work, [new], [made])
    work.made.clear()
    work.tell(part, f"`{made['name']}` instead of `{old['name']}`")
    for words in here.assumed:
        work.tell(part, words, assumed=True)


def _other_key(work: Work, part: Understood, *, new: Any, old: Any) -> None:
    """Put another column in the place of a group or of an order."""
    at = work.sketch.last("aggregate")
    words = work.words(part).casefold()
    about_order = any(word in words for word in ("sort", "rank", "order"))
    if at is None or about_order or not isinstance(new, ColumnRef | TimePart):
        _other_order(work, part, new)
        return
    field = _row_field(work, new, at)
    measured = (
        isinstance(new, ColumnRef)
        and field is not None
        and field.kind == "number"
        and old is None
        and not set(field.words) & {"year", "month", "id"}
    )
    if (
        measured
        and len(work.sketch.main[at].config["measures"]) == 1
        and work.sketch.main[at].config["measures"][0].get("function", "count") != "count"
    ):
        function = work.sketch.main[at].config["measures"][0]["function"]
        _other_figure(work, part, Measure(function, new, words))
        return
    regroup(work, part, (new,), old=(old,) if old is not None else ())


def _row_field(work: Work, ref: Any, at: int) -> Any:
    return work.here(at).find(ref) if isinstance(ref, ColumnRef) else None


def _other_order(work: Work, part: Understood, new: Any) -> None:
    at = work.sketch.last("sort")
    if at is None:
        raise Unclear("Nothing is grouped or sorted yet. What shall be done by it?")
    piece = work.sketch.main[at]
    here = work.here(at)
    found = here.find(new)
    if found is None:
        raise Unclear(work.absent(new, at))
    way = piece.config["by"][0].get("descending", False)
    piece.config = {"by": [{"column": found.name, "descending": way}]}
    piece.title = f"Sort by {found.name}{' (descending)' if way else ''}"
    work.tell(part, f"sorted by `{found.name}` instead")


# --- groups and figures of what is there ------------------------------------------------------------------------------


def adjust(work: Work, figures: list[Measure], groups: list[tuple[Understood, tuple[Any, ...]]], *, adds: bool) -> bool:
    """Change the aggregate that is there for groups or figures that the request names; False: build a new one."""
    at = work.sketch.last("aggregate")
    if at is None:
        return False
    piece = work.sketch.main[at]
    present = set(piece.config.get("group_by", ()))
    keys = [(part, wanted) for part, wanted in groups if isinstance(part.intent, By)]
    for figure in figures:
        _recognise(work, figure, piece, at=at)
    known = [f for f in figures if (name := work.roles.get(measure_key(f))) and work.here().field(name)]
    new_figures = [f for f in figures if f not in known]
    if new_figures and keys and not adds and not all(_present(work, wanted, present) for _, wanted in keys):
        del work.sketch.main[at:]
        return False
    for part, wanted in keys:
        if not _present(work, wanted, present):
            regroup(work, part, wanted, adds=adds or part.intent.adds)
        else:
            work.tell(part, "as it is grouped already")
    if new_figures:
        _more_figures(work, new_figures, adds=adds)
    for part in work.take(Figures):
        names = [name for m in part.intent.measures if (name := work.roles.get(measure_key(m)))]
        if names:
            work.tell(part, f"computes {listed(names)}")
    return True


def _recognise(work: Work, figure: Measure, aggregate: Piece, *, at: int) -> None:
    """Take a total of a column that only the aggregate makes for that very column: “the most revenue”."""
    if figure.function != "sum" or not isinstance(figure.of, ColumnRef) or work.here(at).find(figure.of):
        return
    found = work.here().find(figure.of)
    if found is not None and found.name in {measure["name"] for measure in aggregate.config["measures"]}:
        work.roles[measure_key(figure)] = work.roles["figure"] = found.name


def _present(work: Work, wanted: tuple[Any, ...], present: set[str]) -> bool:
    here = work.here()
    found = [here.find(key) for key in wanted if isinstance(key, ColumnRef | TimePart)]
    return bool(found) and all(f is not None and f.name in present for f in found)


def _more_figures(work: Work, figures: list[Measure], *, adds: bool) -> None:
    at = work.sketch.last("aggregate")
    assert at is not None
    piece = work.sketch.main[at]
    here = work.here(at)
    made = [measure_config(work, here, figure) for figure in figures]
    old = list(piece.config["measures"])
    if adds:
        taken = {m["name"] for m in old}
        made = [{**m, "name": m["name"] if m["name"] not in taken else m["name"] + "_2"} for m in made]
        piece.config = {**piece.config, "measures": [*old, *made]}
    else:
        piece.config = {**piece.config, "measures": made}
        if len(old) == len(made) == 1:
            rewrite(work, old[0]["name"], made[0]["name"], start=at + 1)
        else:
            check_columns(work)
    remember_all(work, figures, made)
    for words in here.assumed:
        work.tell(listed(m["name"] for m in made), words, assumed=True)


def regroup(
    work: Work, part: Understood, wanted: tuple[Any, ...], *, adds: bool = False, old: tuple[Any, ...] = ()
) -> None:
    """Give the aggregate that is there other groups, or more."""
    at = work.sketch.last("aggregate")
    assert at is not None
    piece = work.sketch.main[at]
    behind = work.sketch.main[at:]
    del work.sketch.main[at:]
    names = [key_column(work, key, wanted) for key in wanted]
    work.sketch.main += behind
    before = list(piece.config.get("group_by", ()))
    dropped = []
    if not adds:
        fits = (
            [f.name for ref in old if (f := work.here().find(ref)) is not None and f.name in before] if old else before
        )
        dropped = [name for name in before if name in fits] if old else before
    piece.config = {
        **piece.config,
        "group_by": [*(n for n in before if n not in dropped), *(n for n in names if n not in before or n in dropped)],
    }
    if len(dropped) == 1 and len(names) == 1:
        rewrite(work, dropped[0], names[0], start=work.sketch.main.index(piece) + 1)
    piece.title = ""
    check_columns(work)
    work.tell(
        part,
        f"grouped by {listed(piece.config['group_by'])}" + (f" and no more by {listed(dropped)}" if dropped else ""),
        assumed=not adds and not old and not work.cue("instead"),
    )


# --- names ------------------------------------------------------------------------------------------------------------


def rename(work: Work, old: str, new: str) -> None:
    """Rename a column where it is made, and wherever it is used after that."""
    for at, piece in enumerate(work.sketch.main):
        for key in ("measures", "columns"):
            listed_columns = piece.config.get(key)
            if (
                piece.type in ("aggregate", "formula")
                and listed_columns
                and any(c["name"] == old for c in listed_columns)
            ):
                piece.config = {
                    **piece.config,
                    key: [{**c, "name": new if c["name"] == old else c["name"]} for c in listed_columns],
                }
                piece.makes[new] = piece.makes.get(old, "number")
                rewrite(work, old, new, start=at + 1)
                work.roles = {role: new if name == old else name for role, name in work.roles.items()}
                work.percents |= {new} if old in work.percents else set()
                return
    work.sketch.insert(
        len(work.sketch.main),
        work.sketch.piece("select", {"rename": {old: new}}, name="rename", title=f"Call {old} {new}"),
    )
    rewrite(work, old, new, start=len(work.sketch.main))
