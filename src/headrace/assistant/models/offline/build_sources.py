"""Builds what a flow reads: one file, several below one another, or two matched by their keys."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .doubts import Unclear, listed
from .fields import Field, fit, words_of
from .meaning import By, ColumnRef, Figures, JoinFiles, Stack, Unique, UseFile
from .reading import Understood
from .work import Work

HOW = {
    "inner": "rows with a partner",
    "left": "all rows of the left",
    "right": "all rows of the right",
    "full": "all rows of both",
    "anti": "rows without a partner",
    "semi": "rows with a partner, left columns only",
}


def sources(work: Work) -> None:
    """Put the files that the request names at the head of the sketch; the guess where it names none and there is none."""
    for part in work.take(Stack):
        _stack(work, part)
    joins, uses = _merged(work.take(JoinFiles)), work.take(UseFile)
    named = [part.intent.path for part in uses]
    for part in uses:
        if part.intent.instead or (work.cue("instead") and not work.fresh):
            _other_file(work, part)
        else:
            work.tell(part, f"the file `{part.intent.path}`")
    if not work.sketch.main:
        start = _first_file(work, joins, named=named)
        work.put("read_file", {"path": start})
        if start not in named and not any(p.intent.left for p in joins):
            work.tell("the data", f"the file `{start}`", assumed=len(work.sketch.facts) > 1)
    for part in joins:
        _join(work, part, named)


def _first_file(work: Work, joins: list[Understood], *, named: list[str]) -> str:
    """Return the file to begin with: the left of a join, one that is named and is no right side, the other of two."""
    rights = {p.intent.right for p in joins} - {None}
    said = [p.intent.left for p in joins if p.intent.left] + [path for path in named if path not in rights]
    others = [path for path in work.sketch.facts if path not in rights]
    start = said[0] if said else work.guess if not rights else others[0] if len(others) == 1 else None
    if start is None and not work.sketch.facts:
        raise Unclear(
            "There is no file to work on. Which file do you want to use? Name it, or add it to the data folder."
        )
    if start is None:
        raise Unclear(f"Several files are at hand: {listed(list(work.sketch.facts)[:8])}. Which one do you mean?")
    return start


def _other_file(work: Work, part: Understood) -> None:
    first = next((piece for piece in work.sketch.main if piece.type == "read_file"), None)
    if first is None or len(work.sketch.paths()) > 1:
        raise Unclear(
            f"In place of which file shall `{part.intent.path}` be read? There are {listed(work.sketch.paths())}."
        )
    first.config = {"path": part.intent.path}
    work.tell(part, f"reads `{part.intent.path}` instead")


def _stack(work: Work, part: Understood) -> None:
    paths, facts = list(part.intent.paths), work.sketch.facts
    if not paths:
        columns = {f.name for f in work.sketch.columns(1)}
        alike = [path for path, file in facts.items() if not columns or {c.name for c in file.columns} == columns]
        paths = list(dict.fromkeys((*work.sketch.paths()[:1], *alike)))
    if len(paths) < 2:
        raise Unclear("There is only one file with these columns. Which files do you want to put together?")
    if not work.sketch.main:
        work.put("read_file", {"path": paths[0]})
    others = [path for path in paths if path not in work.sketch.paths()]
    sides = [("in", work.sketch.piece("read_file", {"path": path})) for path in others]
    work.put("union", {"match": "name"}, at=1, sides=sides)
    work.tell(part, f"the rows of {listed(work.sketch.paths())} below one another")


# --- matching ---------------------------------------------------------------------------------------------------------


def _merged(joins: list[Understood]) -> list[Understood]:
    """Let `keep them even if not listed` change the join that it speaks of."""
    bare = [p for p in joins if p.intent == JoinFiles(None, None, how=p.intent.how)]
    real = [p for p in joins if p not in bare]
    if not bare or not real:
        return joins
    changed = replace(real[0].intent, how=bare[-1].intent.how)
    return [Understood(changed, real[0].start, real[0].end), *real[1:]]


def _join(work: Work, part: Understood, named: list[str]) -> None:
    intent: JoinFiles = part.intent
    present = work.sketch.paths()
    right = intent.right or next((path for path in (*named, *work.sketch.facts) if path not in present), None)
    if right == present[0] and intent.left:
        right = intent.left
    if right is None or right == present[0]:
        raise Unclear("Which file do you want to match with this table?")
    side = work.sketch.piece("read_file", {"path": right})
    at = work.sketch.after_sources()
    left_columns, right_columns = work.sketch.columns(at), work.sketch.behind(side, ())
    pairs = _pairs(intent, left_columns, right_columns)
    config = {"how": intent.how, "on": [{"left": a, "right": b} for a, b in pairs]}
    work.put("join", config, at=at, sides=[("right", side)])
    keys = ", ".join(a if a == b else f"{a} = {b}" for a, b in pairs)
    work.tell(part, f"matched with `{right}` on {keys}: {HOW[intent.how]}", assumed=not intent.on)
    if intent.take:
        _only_taken(work, at, intent.take, left=left_columns)
    if intent.of is not None:
        work.add(part, By((intent.of,), sure=True) if work.has(Figures) else Unique((intent.of,)))


def _only_taken(work: Work, at: int, take: tuple[Any, ...], *, left: tuple[Field, ...]) -> None:
    """Keep of the right side only the columns that were asked for."""
    added = work.sketch.columns(at + 1)[len(left) :]
    wanted = {name for ref in take if isinstance(ref, ColumnRef) for name in ref.names}
    unwanted = [f.name for f in added if not {f.name, f.written} & wanted]
    if len(unwanted) == len(added):
        there = listed(f.written or f.name for f in added)
        raise Unclear(f"The other file has no such column; it has {there}. Which do you want?")
    if unwanted:
        work.put("select", {"drop": unwanted}, at=at + 1)


def _pairs(intent: JoinFiles, left: tuple[Field, ...], right: tuple[Field, ...]) -> list[tuple[str, str]]:
    """Return the key columns: those said, or the only ones that the two tables share."""
    if intent.on:
        return [_pair(a, b, left=left, right=right) for a, b in intent.on]
    if isinstance(intent.of, ColumnRef) and (mine := _among(intent.of, left)) is not None:
        alike = _like(mine, right)
        if len(alike) == 1:
            return [(mine.name, alike[0])]
    same = [(f.name, g.name) for f in left for g in right if f.words == g.words and f.kind == g.kind]
    if len(same) == 1:
        return same
    shared = f" They share {listed(a for a, _ in same)}." if same else " They share no column name."
    raise Unclear(f"On which columns do the two tables belong together?{shared}")


def _pair(a: ColumnRef, b: ColumnRef, *, left: tuple[Field, ...], right: tuple[Field, ...]) -> tuple[str, str]:
    """Return a pair of keys that is said, either way round. Errors: Unclear where one is not there or the kinds differ."""
    one, other = _among(a, left), _among(b, right)
    if one is None or other is None:
        one, other = _among(b, left) or one, _among(a, right) or other
    if one is None or other is None:
        side, columns = ("first", left) if one is None else ("second", right)
        there = listed(f.name for f in columns)
        raise Unclear(f"The {side} table has no column “{a.words}”; it has {there}. Which belong together?")
    if one.kind != other.kind:
        kinds = " and ".join(sorted((one.kind, other.kind)))
        raise Unclear(f"`{one.name}` is {kinds} compared with `{other.name}`. Which columns belong together?")
    return one.name, other.name


def _among(ref: ColumnRef, fields: tuple[Field, ...]) -> Field | None:
    return next((f for f in fields if f.name in ref.names), None)


def _like(mine: Field, right: tuple[Field, ...]) -> list[str]:
    """Return the columns of the other table that are called like one of this: the same, or as near as any."""
    if any(f.name == mine.name for f in right):
        return [mine.name]
    costs = {f.name: cost for f in right if f.kind == "text" and (cost := fit(words_of(mine.name), f)) is not None}
    return [name for name, cost in costs.items() if cost <= min(costs.values()) + 0.04]
