"""Builds what decides about rows: sources, conditions, gaps, duplicates."""

from __future__ import annotations

import re
from typing import Any

from .doubts import Unclear, listed
from .expressions import Here
from .fields import Field, fit
from .meaning import (
    Both,
    By,
    Change,
    ColumnRef,
    DropMissing,
    Either,
    Figures,
    Fill,
    Items,
    JoinFiles,
    Keep,
    Measure,
    Not,
    Number,
    Period,
    Role,
    Rolling,
    Stack,
    Test,
    Text,
    Unique,
    UseFile,
)
from .reading import Understood
from .sketch import Piece
from .sql_words import literal, quoted
from .work import Work

HOW = {
    "inner": "rows with a partner",
    "left": "all rows of the left",
    "right": "all rows of the right",
    "full": "all rows of both",
    "anti": "rows without a partner",
    "semi": "rows with a partner, left columns only",
}


def read_piece(work: Work, path: str) -> Piece:
    """Return a piece that reads a file."""
    stem = path.replace("\\", "/").rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return work.sketch.piece("read_file", {"path": path}, name=f"read_{stem}", title=f"Read {path}")


# --- sources ----------------------------------------------------------------------------------------------------------


def sources(work: Work, guess: str | None) -> None:
    """Put the files that the request names at the head of the sketch; `guess` where it names none and there is none."""
    stacks, joins, uses = work.take(Stack), work.take(JoinFiles), work.take(UseFile)
    for part in stacks:
        _stack(work, part)
    named = [part.intent.path for part in uses]
    for part in uses:
        if part.intent.instead or (work.cue("instead") and not work.fresh):
            _other_file(work, part)
        else:
            work.tell(part, f"the file `{part.intent.path}`")
    if not work.sketch.main:
        start = _first_file(work, joins, named=named, guess=guess)
        if start is None:
            raise Unclear(_which_file(work))
        work.sketch.insert(0, read_piece(work, start))
        if start not in named and not any(p.intent.left for p in joins):
            work.tell("the data", f"the file `{start}`", assumed=len(work.sketch.facts) > 1)
    for part in _merged(joins):
        _join(work, part, named)


def _first_file(work: Work, joins: list[Understood], *, named: list[str], guess: str | None) -> str | None:
    """Return the file to begin with: the left of a join, one that is named and is no right side, the other of two."""
    rights = {p.intent.right for p in joins} - {None}
    said = [p.intent.left for p in joins if p.intent.left] + [path for path in named if path not in rights]
    if said:
        return said[0]
    others = [path for path in work.sketch.facts if path not in rights]
    if rights:
        return others[0] if len(others) == 1 else None
    return guess


def _which_file(work: Work) -> str:
    paths = list(work.sketch.facts)
    if not paths:
        return "There is no file to work on. Which file do you want to use? Name it, or add it to the data folder."
    return f"Several files are at hand: {listed(paths[:8])}. Which one do you mean?"


def _other_file(work: Work, part: Understood) -> None:
    at = work.sketch.first("read_file", "union")
    if at is None:
        return
    while at < len(work.sketch.main) and work.sketch.main[at].type == "read_file":
        piece = work.sketch.main[at]
        piece.config = {"path": part.intent.path}
        piece.title = f"Read {part.intent.path}"
        break
    work.tell(part, f"reads `{part.intent.path}` instead")


def _stack(work: Work, part: Understood) -> None:
    paths = list(part.intent.paths)
    present = work.sketch.paths()
    if not paths:
        columns = {f.name for f in work.sketch.columns(1)} if work.sketch.main else set()
        alike = [p for p, file in work.sketch.facts.items() if not columns or {c.name for c in file.columns} == columns]
        paths = [*present[:1], *(p for p in alike if p not in present[:1])]
    if len(paths) < 2:
        raise Unclear("There is only one file with these columns. Which files do you want to put together?")
    fresh = not work.sketch.main
    if fresh:
        work.sketch.insert(0, read_piece(work, paths[0]))
    others = [path for path in paths if path not in work.sketch.paths()]
    sides = [("in", read_piece(work, path)) for path in others]
    work.sketch.insert(
        1, work.sketch.piece("union", {"match": "name"}, name="together", title="Put the files together", sides=sides)
    )
    work.tell(part, f"the rows of {listed(work.sketch.paths())} below one another")


def _merged(joins: list[Understood]) -> list[Understood]:
    """Let `keep them even if not listed` change the join that it speaks of."""
    bare = [p for p in joins if p.intent.left is None and p.intent.right is None and not p.intent.on]
    real = [p for p in joins if p not in bare]
    if not bare or not real:
        return joins
    first, how = real[0], bare[-1].intent.how
    intent = first.intent
    changed = JoinFiles(intent.left, intent.right, intent.on, how, intent.take, intent.of)
    return [Understood(changed, first.start, first.end), *real[1:]]


def _join(work: Work, part: Understood, named: list[str]) -> None:
    intent: JoinFiles = part.intent
    present = work.sketch.paths()
    right = intent.right or next((p for p in (*named, *work.sketch.facts) if p not in present), None)
    if right is None:
        raise Unclear("Which file do you want to match with this table?")
    if right == present[0] and intent.left and intent.left != right:
        right = intent.left
    side = read_piece(work, right)
    at = work.sketch.after_sources()
    left_columns, right_columns = work.sketch.columns(at), work.sketch.behind(side, ())
    pairs = _pairs(intent, left_columns, right_columns)
    config = {"how": intent.how, "on": [{"left": a, "right": b} for a, b in pairs]}
    piece = work.sketch.piece(
        "join", config, name=f"match_{right.rsplit('.', 1)[0]}", title=f"Match with {right}", sides=[("right", side)]
    )
    work.sketch.insert(at, piece)
    keys = ", ".join(a if a == b else f"{a} = {b}" for a, b in pairs)
    work.tell(part, f"matched with `{right}` on {keys}: {HOW[intent.how]}", assumed=not intent.on)
    if intent.take:
        _only_taken(work, at, intent.take, left=left_columns)
    if intent.of is not None:
        looked_for = By((intent.of,), sure=True) if work.has(Figures) else Unique((intent.of,))
        work.parts.append(Understood(looked_for, part.start, part.end))


def _only_taken(work: Work, at: int, take: tuple[Any, ...], *, left: tuple[Field, ...]) -> None:
    """Keep of the right side only the columns that were asked for."""
    after = work.sketch.columns(at + 1)
    added = list(after[len(left) :])
    wanted = {name for ref in take if isinstance(ref, ColumnRef) for name in ref.names}
    kept = [f.name for f in added if f.name in wanted or f.written in wanted]
    if not kept:
        raise Unclear(
            f"The other file has no such column; it has {listed(f.written or f.name for f in added)}. Which do you want?"
        )
    unwanted = [f.name for f in added if f.name not in kept]
    if unwanted:
        work.sketch.insert(
            at + 1, work.sketch.piece("select", {"drop": unwanted}, name="keep_wanted", title="Only the wanted columns")
        )


def _pairs(intent: JoinFiles, left: tuple[Field, ...], right: tuple[Field, ...]) -> list[tuple[str, str]]:
    """Return the key columns: those said, or the only ones that the two tables share."""
    found = []
    for a, b in intent.on:
        left_name = next((f.name for f in left if f.name in a.names), None)
        right_name = next((f.name for f in right if f.name in b.names), None)
        if left_name is None or right_name is None:
            left_name = next((f.name for f in left if f.name in b.names), left_name)
            right_name = next((f.name for f in right if f.name in a.names), right_name)
        if left_name is None or right_name is None:
            side = "first" if left_name is None else "second"
            columns = left if left_name is None else right
            raise Unclear(
                f"The {side} table has no column “{a.words}”; it has {listed(f.name for f in columns)}. Which belong together?"
            )
        kinds = {f.kind for f in left if f.name == left_name} | {f.kind for f in right if f.name == right_name}
        if len(kinds) > 1:
            raise Unclear(
                f"`{left_name}` is {' and '.join(sorted(kinds))} compared with `{right_name}`. Which columns belong together?"
            )
        found.append((left_name, right_name))
    if found:
        return found
    same = [
        (f.name, g.name) for f in left for g in right if f.name.casefold() == g.name.casefold() and f.kind == g.kind
    ]
    if isinstance(intent.of, ColumnRef):
        left_name = next((f.name for f in left if f.name in intent.of.names), None)
        if left_name:
            same = []
            costs = {
                g.name: cost
                for g in right
                if (cost := fit(Field(left_name, "text").words, g)) is not None and g.kind == "text"
            }
            mine = (
                [left_name]
                if any(g.name == left_name for g in right)
                else [n for n, c in costs.items() if c <= min(costs.values()) + 0.04]
            )
            if len(mine) == 1:
                return [(left_name, mine[0])]
    if len(same) == 1:
        return same
    alike = [
        (f.name, g.name) for f in left for g in right if f.kind == g.kind and (_akin(f.name, g) or _akin(g.name, f))
    ]
    if not same and len(alike) == 1:
        return alike
    options = same or alike
    hint = f" They share {listed(a for a, _ in options)}." if options else " They share no column name."
    raise Unclear(f"On which columns do the two tables belong together?{hint}")


def _akin(name: str, other: Field) -> bool:
    cost = fit(Field(name, "text").words, other)
    return cost is not None and cost <= 0.8


# --- conditions -------------------------------------------------------------------------------------------------------


def measures_in(condition: Any) -> list[Measure]:
    """Return the figures that a condition speaks of."""
    match condition:
        case Test(left=Measure() as measure):
            return [measure]
        case Not(of=inner):
            return measures_in(inner)
        case Either(of=parts) | Both(of=parts):
            return [m for part in parts for m in measures_in(part)]
    return []


def speaks_of_figure(condition: Any) -> bool:
    """Return whether a condition is about a figure: one that it names, or `over 30` with nothing said."""
    match condition:
        case Test(left=Measure() | Role(name="share" | "change" | "count" | "figure" | "sum" | "mean" | "median")):
            return True
        case Test(left=None, right=right):
            values = right.of if isinstance(right, Items) else right if isinstance(right, tuple) else (right,)
            return bool(values) and all(isinstance(value, Number) for value in values)
        case Not(of=inner):
            return speaks_of_figure(inner)
        case Either(of=parts) | Both(of=parts):
            return any(speaks_of_figure(part) for part in parts)
    return False


def conditions(work: Work, *, figures: bool) -> None:
    """Put the request's conditions where their columns are: on rows first, or (`figures`) those on figures."""
    for part in work.take(Keep):
        waits = work.has(Change, Rolling) and _names_time(part.intent.condition)
        if waits or speaks_of_figure(part.intent.condition) != figures:
            work.parts.append(part)
            continue
        _ask_what_is_compared(work, part)
        keep(work, part)
    work.parts.sort(key=lambda part: part.start)


def conditions_on_time(work: Work) -> None:
    """Put conditions on times that waited for a comparison of rows behind it: the first row needs the one before."""
    windows = [at for at, p in enumerate(work.sketch.main) if p.type == "formula" and " OVER (" in str(p.config)]
    for part in work.take(Keep):
        if not windows or not _names_time(part.intent.condition):
            work.parts.append(part)
            continue
        condition, start = part.intent.condition, windows[-1] + 1
        try:
            behind = work.earliest(lambda here, c=condition: here.condition(c), start=start)
        except Unclear:
            behind = None
        keep(work, part, start=start if behind else None)
    work.parts.sort(key=lambda part: part.start)


def _names_time(condition: Any) -> bool:
    """Return whether a condition is about a stretch of time with its year: not `in June`, which is a season."""
    match condition:
        case Test(right=right):
            values = right.of if isinstance(right, Items) else right if isinstance(right, tuple) else (right,)
            periods = [value for value in values if isinstance(value, Period)]
            return bool(periods) and all(p.year or p.day for p in periods)
        case Not(of=inner):
            return _names_time(inner)
    return False


def _ask_what_is_compared(work: Work, part: Understood) -> None:
    """`total nights by guest, only guests over 20 nights`: each row's nights or the total? That is asked, not guessed."""
    condition = part.intent.condition
    if not work.fresh or not (
        isinstance(condition, Test)
        and isinstance(condition.left, ColumnRef)
        and condition.op in (">", ">=", "<", "<=", "between")
    ):
        return
    for other in work.parts:
        if isinstance(other.intent, Figures) and other.start < part.start and work.has(By):
            for measure in other.intent.measures:
                if isinstance(measure.of, ColumnRef) and set(measure.of.names) & set(condition.left.names):
                    raise Unclear(
                        f"“{work.words(part)}”: shall each row be compared, or the figure “{work.words(other)}”?"
                    )


def keep(work: Work, part: Understood, *, start: int | None = None) -> None:
    """Put one condition at its place."""
    condition = part.intent.condition
    found = work.earliest(
        lambda here: here.condition(condition), start=start if start is not None else _start(work, condition)
    )
    if found is None:
        raise Unclear(_no_place(work, part))
    at, text, assumed = found
    if not speaks_of_figure(condition):
        at = max(at, _behind_windows(work, text, at))
    piece = work.sketch.piece(
        "filter", {"condition": text}, name=f"only_{_short(text)}", title=f"Only {text.replace(chr(34), '')}"[:60]
    )
    work.sketch.insert(at, piece)
    if re.search(r" (?:[<>]=?|BETWEEN) ", text):
        work.compared += [name for name in re.findall(r'"([^"]+)"', text) if name not in work.compared]
    work.tell(part, f"only rows where {text.replace(chr(34), '')}")
    for words in dict.fromkeys(assumed):
        work.tell(part, words, assumed=True)


def _start(work: Work, condition: Any) -> int | None:
    """Conditions on figures look behind the figures; a column of the same name before them is not meant."""
    if speaks_of_figure(condition):
        at = work.sketch.last("aggregate", "formula")
        return None if at is None else at + 1
    return None


def _behind_windows(work: Work, text: str, at: int) -> int:
    """A condition on the very column along which rows are compared comes after the comparison, which needs its neighbours."""
    for place in range(len(work.sketch.main) - 1, at - 1, -1):
        piece = work.sketch.main[place]
        if piece.type != "formula":
            continue
        for column in piece.config["columns"]:
            _, _, window = column["expression"].partition("ORDER BY ")
            ordered = window.split(")")[0].split(" ROWS")[0].strip()
            if ordered and ordered in text:
                return place + 1
    return at


def _no_place(work: Work, part: Understood) -> str:
    if speaks_of_figure(part.intent.condition):
        return f"“{work.words(part)}”: which column or figure shall be compared?"
    times = _periods(part.intent.condition)
    if times:
        return f"“{work.words(part)}”: there is no column with a date or a year here. Which column do you mean?"
    return work.absent(Role(work.words(part)))


def _periods(condition: Any) -> bool:
    match condition:
        case Test(left=None, right=right):
            values = right.of if isinstance(right, Items) else right if isinstance(right, tuple) else (right,)
            return any(isinstance(value, Period) for value in values)
        case Not(of=inner):
            return _periods(inner)
    return False


def _short(text: str) -> str:
    return "_".join(text.replace('"', "").replace("'", "").split()[:3])[:30]


# --- gaps and duplicates ----------------------------------------------------------------------------------------------


def gaps(work: Work, part: Understood) -> None:
    """Build `drop incomplete rows` and `fill the gaps`."""
    intent = part.intent
    at = len(work.sketch.main) if work.sketch.last("limit", "select") is not None else work.sketch.before_order()
    here = work.here(at)
    if isinstance(intent, DropMissing):
        drop_missing(work, part, here=here, at=at)
        return
    assert isinstance(intent, Fill)
    names = [work.field(ref, at).name for ref in intent.items]
    if isinstance(intent.value, Text) and any(work.field(ref, at).kind == "number" for ref in intent.items):
        raise Unclear(
            f"{listed(names)} holds numbers and cannot be filled with “{intent.value.value}”. With which number?"
        )
    config: dict[str, Any] = {"method": intent.method}
    if names:
        config["columns"] = names
    if intent.method == "value":
        value = intent.value.value if isinstance(intent.value, Number | Text) else intent.value
        config["value"] = value
    work.sketch.insert(at, work.sketch.piece("fill_missing", config, name="fill_missing", title="Fill the gaps"))
    what = listed(names) if names else "every column where it fits"
    work.tell(
        part,
        f"missing values of {what} become {literal(config['value']) if 'value' in config else 'the ' + intent.method}",
    )


def drop_missing(work: Work, part: Understood, *, here: Here, at: int) -> None:
    """Build `drop rows where something is missing`."""
    items = part.intent.items
    if items == (Role("last"),):
        made = here.field(work.roles.get("figure", ""))
        if made is None:
            items = ()
        else:
            condition = f"{quoted(made.name)} IS NOT NULL"
            work.sketch.insert(
                at,
                work.sketch.piece(
                    "filter", {"condition": condition}, name="not_blank", title=f"Only where {made.name} is there"
                ),
            )
            work.tell(part, f"rows without `{made.name}` are left out")
            return
    names = [work.field(ref, at).name for ref in items]
    config: dict[str, Any] = {"method": "drop_rows"} | ({"columns": names} if names else {})
    work.sketch.insert(
        at, work.sketch.piece("fill_missing", config, name="drop_incomplete", title="Drop incomplete rows")
    )
    work.tell(part, f"rows are left out where {listed(names, 'or') if names else 'anything'} is missing")


def unique(work: Work, part: Understood) -> None:
    """Build `each once`: of whole rows, or of some columns, which alone are kept."""
    at = len(work.sketch.main)
    names = [work.field(ref, at).name for ref in part.intent.items]
    if names:
        work.sketch.insert(at, work.sketch.piece("select", {"keep": names}, name="columns", title="Only these columns"))
        at += 1
    work.sketch.insert(at, work.sketch.piece("distinct", {}, name="each_once", title="Each once"))
    work.tell(part, f"each combination of {listed(names)} once" if names else "every row once")
