"""Settles what the parts of a request mean beside one another and beside the flow that is there, before anything is built."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from headrace.nodes.wordlist import word_set

from .doubts import Unclear
from .edits import regroup
from .expressions import Here
from .meaning import (
    By,
    Change,
    ColumnRef,
    Cue,
    Derive,
    Draw,
    DropMissing,
    Figures,
    Items,
    JoinFiles,
    Keep,
    Measure,
    Not,
    Omit,
    Order,
    Period,
    Question,
    Role,
    Rolling,
    Rows,
    Share,
    Show,
    Stack,
    Swap,
    Test,
    TimePart,
    Top,
    Unique,
    ValueRef,
    Write,
)
from .reading import Understood
from .sketch import Piece
from .sql_words import literal, quoted
from .work import Work

FIGURED = (By, Figures, Top, Share, Derive, Change, Rolling, Unique, JoinFiles, Stack, Omit, Draw)
PINNED = re.compile(r"""\"([^\"]+)\" (?:= ('.*')|IN \(('.*')\))""")
ADDING = word_set("also too add plus include")


def settle(work: Work) -> None:
    """Give the parts of a request that are open the meaning that their neighbours leave. Errors: Unclear."""
    _files(work)
    _shown_figures(work)
    _counts(work)
    _values(work)
    _seasons(work)
    if work.fresh:
        _rows_shown(work)
    else:
        _only_groups(work)
        _replaced(work)
        _missing_groups(work)


def _files(work: Work) -> None:
    """`distance of all rides`, of the table that is read: nothing is matched with itself; `combine both`, alike: one below the other."""
    alike = len({tuple(column.name for column in file.columns) for file in work.sketch.facts.values()}) == 1
    only = set(work.sketch.paths()) or (set(work.sketch.facts) if len(work.sketch.facts) == 1 else set())
    for at, part in enumerate(work.parts):
        match part.intent:
            case JoinFiles(left=None, right=str() as right, on=(), take=(_, *_) as take) if {right} == only:
                work.parts[at] = Understood(Show(take), part.start, part.end)
            case JoinFiles(left=None, right=None, on=(), how="inner") if alike and len(work.sketch.facts) > 1:
                work.parts[at] = Understood(Stack(), part.start, part.end)


def _shown_figures(work: Work) -> None:
    """`precipitation per month, summed up`: the figure is of the one number that is shown."""
    late = [p for p in work.parts if isinstance(p.intent, Figures) and p.intent.measures[0].of == Role("shown")]
    shows = [p for p in work.parts if isinstance(p.intent, Show)]
    for part in late:
        numbers = [
            (show, number)
            for show in shows
            for item in show.intent.items
            if isinstance(item, ColumnRef) and (number := item.only(lambda _, kind: kind == "number"))
        ]
        if len(numbers) != 1:
            raise Unclear(f"“{work.words(part)}”: of which column?")
        show, number = numbers[0]
        function = part.intent.measures[0].function
        work.parts[work.parts.index(part)] = Understood(
            Figures((Measure(function, number, number.words),)), part.start, part.end
        )
        rest = tuple(item for item in show.intent.items if getattr(item, "names", None) != number.names)
        at = work.parts.index(show)
        work.parts[at : at + 1] = [Understood(Show(rest), show.start, show.end)] if rest else []


def _counts(work: Work) -> None:
    """`the number of rows` is a figure where it is grouped, and a question beside a table that is kept or written."""
    grouped = work.has(By)
    for at, part in enumerate(work.parts):
        counted = isinstance(part.intent, Figures) and all(m.function == "count" for m in part.intent.measures)
        if grouped and part.intent == Question("rows"):
            work.parts[at] = Understood(Figures((Measure("count", Rows("rows"), "count"),)), part.start, part.end)
        elif counted and not grouped and work.has(Write, DropMissing, Order):
            work.parts[at] = Understood(Question("rows"), part.start, part.end)


def _rows_shown(work: Work) -> None:
    """`Berlin prices`, `appointments of patients`: rows are meant, of which a column is only mentioned. Errors: Unclear."""
    each = [
        p for p in work.parts if p.intent == Cue("rows") and work.words(p).casefold().startswith(("each ", "every "))
    ]
    figures = [p for p in work.parts if isinstance(p.intent, Figures) and p.intent.measures[0].function != "count"]
    if each and figures and not work.has(By):
        raise Unclear(f"“{work.words(each[0])}”: by which column shall “{work.words(figures[0])}” be told apart?")
    shows = [p for p in work.parts if isinstance(p.intent, Show)]
    if len(shows) == 1 and work.words(Understood(None, 0, 1)).casefold() == "who":
        _somebody(work, shows[0])
    if len(shows) != 1 or shows[0].intent.only or len(shows[0].intent.items) != 1 or work.has(*FIGURED):
        return
    item, at = shows[0].intent.items[0], work.parts.index(shows[0])
    number = isinstance(item, ColumnRef) and set(item.kinds) == {"number"} and work.has(Keep, Order)
    if number or _belongs_to_rows(work, at):
        work.parts[at] = Understood(Cue("rows"), shows[0].start, shows[0].end)
        work.tell(shows[0], "rows with all their columns")


def _somebody(work: Work, show: Understood) -> None:
    """`who was a guest more than 10 times`: a row without a guest is nobody's."""
    counted = any(
        isinstance(p.intent, Keep)
        and isinstance(p.intent.condition, Test)
        and isinstance(p.intent.condition.left, Measure)
        for p in work.parts
    )
    if counted and isinstance(show.intent.items[0], ColumnRef):
        work.parts.append(Understood(Keep(Test(show.intent.items[0], "not null")), show.start, show.end))


def _belongs_to_rows(work: Work, at: int) -> bool:
    """Return whether a part follows a noun for rows by `of`."""
    before = work.parts[at - 1] if at else None
    if before is None or before.intent != Cue("rows"):
        return False
    return work.words(Understood(None, before.end, work.parts[at].start)).casefold() in ("of", "of the", "by", "from")


def _only_groups(work: Work) -> None:
    """`per year only`, where it is grouped by year and month: the other groups go."""
    grouped = [p for p in work.parts if isinstance(p.intent, By)]
    if len(grouped) == 1 and work.cue("only") and work.sketch.last("aggregate") is not None and not work.has(Figures):
        work.parts.remove(grouped[0])
        regroup(work, grouped[0], grouped[0].intent.keys)


def _replaced(work: Work) -> None:
    """`the number of orders instead of the revenue` speaks of the figure there is; `I meant arrival` of the only condition."""
    at = work.sketch.last("aggregate")
    made = {m.get("name") for m in work.sketch.main[at].config.get("measures", ())} if at is not None else set()
    for place, part in enumerate(work.parts):
        match part.intent:
            case Swap(new=Measure() as new, old=ColumnRef(names=names)) if set(names) & made and len(made) == 1:
                work.parts[place] = Understood(Swap(new), part.start, part.end)
            case Swap(new=ColumnRef() as new, old=None) if at is None and work.sketch.last("sort") is None:
                _other_column(work, part, new)
                work.parts.remove(part)
                return


def _other_column(work: Work, part: Understood, new: ColumnRef) -> None:
    filters = [at for at, piece in enumerate(work.sketch.main) if piece.type == "filter"]
    if len(filters) != 1:
        raise Unclear(f"“{work.words(part)}”: what shall take its place?")
    piece, field = work.sketch.main[filters[0]], work.field(new, filters[0])
    before = {f.name: f for f in work.sketch.columns(filters[0])}
    compared = set(re.findall(r'"([^"]+)"', piece.config["condition"]))
    if len(compared) != 1 or not compared <= set(before) or before[min(compared)].kind != field.kind:
        raise Unclear(f"“{work.words(part)}”: which condition shall it be in? There is {piece.config['condition']}.")
    old = min(compared)
    piece.config = {"condition": piece.config["condition"].replace(quoted(old), quoted(field.name))}
    work.tell(part, f"the condition is on `{field.name}` instead of `{old}`")


def _missing_groups(work: Work) -> None:
    """`leave out the missing one`, where rows are counted: a count is never missing, so the group is meant."""
    at = work.sketch.last("aggregate")
    config = work.sketch.main[at].config if at is not None else {}
    counts = all(m.get("function") == "count" for m in config.get("measures", ()))
    if at is None or not counts or len(config.get("group_by", ())) != 1:
        return
    name = config["group_by"][0]
    for place, part in enumerate(work.parts):
        if part.intent == DropMissing((Role("last"),)):
            key = ColumnRef((name,), name, ("text",))
            work.parts[place] = Understood(DropMissing((key,)), part.start, part.end)


def _values(work: Work) -> None:
    """`dermatology as well`, where the flow keeps cardiology alone: the condition is widened; two that shut each other out are asked."""
    if work.fresh:
        return
    for part in [p for p in work.parts if isinstance(p.intent, Keep)]:
        _refuse_contradiction(work, part.intent.condition)
        found = _pinned(work, part.intent.condition)
        if found is None:
            continue
        piece, column, texts, there = found
        if work.cue("also") or ADDING & set(work.words(Understood(None, 0, 10_000)).casefold().split()):
            piece.config = {"condition": f"{quoted(column)} IN ({', '.join([*there, *texts])})"}
            work.parts.remove(part)
            work.tell(part, f"{column} may also be {', '.join(texts)}")
        elif work.cue("instead"):
            work.parts[work.parts.index(part)] = Understood(Swap(part.intent.condition), part.start, part.end)
        else:
            raise Unclear(
                f"Only rows with {column} {' or '.join(there)} are kept already. Shall {' and '.join(texts)} be added, "
                f"or take {'its' if len(there) == 1 else 'their'} place?"
            )


def _refuse_contradiction(work: Work, condition: Any) -> None:
    """Ask where values are taken out that alone are kept: `not Canada, Denmark` means another thing than no rows."""
    match condition:
        case Not(of=Test(left=left, op="in", right=(ValueRef(), *_) as values)):
            kept = [text for piece in work.sketch.main for text in _kept_values(piece)[1]]
            said = {literal(stored) for value in values for _, stored in value.options}
            if left is None and kept and set(kept) <= said:
                raise Unclear(f"Only {', '.join(kept)} is kept there, and nothing would be left. What shall be kept?")


def _kept_values(piece: Piece) -> tuple[str, list[str]]:
    """Return the column that a filter pins and the values to which it does, as SQL writes them; none where it pins none."""
    pinned = PINNED.fullmatch(str(piece.config.get("condition", ""))) if piece.type == "filter" else None
    return (pinned[1], re.findall(r"'(?:[^']|'')*'", pinned[2] or pinned[3])) if pinned else ("", [])


def _pinned(work: Work, condition: Any) -> tuple[Piece, str, list[str], list[str]] | None:
    """Return the filter that pins a column to values, with that column, and the other values that a condition asks of it."""
    match condition:
        case Test(left=left, op="in", right=(ValueRef(), *_) as values):
            for at, piece in enumerate(work.sketch.main):
                column, there = _kept_values(piece)
                if not there:
                    continue
                if left is not None and (named := Here(work.sketch.columns(at)).find(left)) and named.name != column:
                    continue
                stored = [[literal(v) for name, v in value.options if name == column] for value in values]
                texts = [each[0] for each in stored if each]
                if len(texts) == len(values) and not set(texts) & set(there):
                    return piece, column, texts, there
    return None


def _seasons(work: Work) -> None:
    """`per month, all years together`: of each date only its month counts; `January to December` then says nothing."""
    notes = [p for p in work.parts if p.intent == Cue("all years")]
    if not notes:
        return
    for at, part in enumerate(work.parts):
        match part.intent:
            case By(keys=keys):
                seasonal = tuple(replace(k, unit="month of year") if _month(k) else k for k in keys)
                work.parts[at] = Understood(replace(part.intent, keys=seasonal), part.start, part.end)
            case Keep(condition=Test(left=None, right=Items(of=(Period() as first, Period() as last)))):
                if (first.number, last.number, first.year) == (1, 12, None):
                    work.parts[at] = Understood(Cue("note"), part.start, part.end)


def _month(key: Any) -> bool:
    return isinstance(key, TimePart) and key.unit == "month"
