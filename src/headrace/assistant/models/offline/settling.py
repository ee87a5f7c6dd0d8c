"""Settles what the parts of a request mean beside one another and beside the flow that is there, before anything is built."""

from __future__ import annotations

import re
from typing import Any

from .doubts import Unclear
from .expressions import Here
from .meaning import (
    By,
    DropMissing,
    Figures,
    JoinFiles,
    Keep,
    Measure,
    Order,
    Question,
    Rows,
    Show,
    Swap,
    Test,
    ValueRef,
    Write,
)
from .reading import Understood
from .sketch import Piece
from .sql_words import literal, quoted
from .work import Work


def settle(work: Work) -> None:
    """Give the parts of a request that are open the meaning that their neighbours leave. Errors: Unclear."""
    _files(work)
    _counts(work)
    _values(work)


def _files(work: Work) -> None:
    """`distance of all rides`, where the rides are the table that is read: nothing is matched with itself."""
    only = set(work.sketch.paths()) or (set(work.sketch.facts) if len(work.sketch.facts) == 1 else set())
    for at, part in enumerate(work.parts):
        match part.intent:
            case JoinFiles(left=None, right=str() as right, on=(), take=(_, *_) as take) if {right} == only:
                work.parts[at] = Understood(Show(take), part.start, part.end)


def _counts(work: Work) -> None:
    """`the number of rows` is a figure where it is grouped, and a question beside a table that is kept or written."""
    grouped = work.has(By)
    for at, part in enumerate(work.parts):
        counted = isinstance(part.intent, Figures) and all(m.function == "count" for m in part.intent.measures)
        if grouped and part.intent == Question("rows"):
            work.parts[at] = Understood(Figures((Measure("count", Rows("rows"), "count"),)), part.start, part.end)
        elif counted and not grouped and work.has(Write, DropMissing, Order):
            work.parts[at] = Understood(Question("rows"), part.start, part.end)


def _values(work: Work) -> None:
    """`dermatology as well`, where the flow keeps cardiology alone: the condition is widened; two that shut each other out are asked."""
    if work.fresh:
        return
    for part in [p for p in work.parts if isinstance(p.intent, Keep)]:
        found = _pinned(work, part.intent.condition)
        if found is None:
            continue
        piece, column, texts, there = found
        if work.cue("also"):
            piece.config = {"condition": f"{quoted(column)} IN ({', '.join([*there, *texts])})"}
            piece.title = ""
            work.parts.remove(part)
            work.tell(part, f"{column} may also be {', '.join(texts)}")
        elif work.cue("instead"):
            work.parts[work.parts.index(part)] = Understood(Swap(part.intent.condition), part.start, part.end)
        else:
            raise Unclear(
                f"Only rows with {column} {' or '.join(there)} are kept already. Shall {' and '.join(texts)} be added, "
                f"or take {'its' if len(there) == 1 else 'their'} place?"
            )


def _pinned(work: Work, condition: Any) -> tuple[Piece, str, list[str], list[str]] | None:
    """Return the filter that pins a column to values, with that column, and the other values that a condition asks of it."""
    match condition:
        case Test(left=left, op="in", right=(ValueRef(), *_) as values):
            for at, piece in enumerate(work.sketch.main):
                pinned = re.fullmatch(
                    r'"([^"]+)" (?:= (\'.*\')|IN \((\'.*\')\))', str(piece.config.get("condition", ""))
                )
                if piece.type != "filter" or pinned is None:
                    continue
                column, there = pinned[1], re.findall(r"'(?:[^']|'')*'", pinned[2] or pinned[3])
                if left is not None and (named := Here(work.sketch.columns(at)).find(left)) and named.name != column:
                    continue
                stored = [[literal(v) for name, v in value.options if name == column] for value in values]
                texts = [each[0] for each in stored if each]
                if len(texts) == len(values) and not set(texts) & set(there):
                    return piece, column, texts, there
    return None
