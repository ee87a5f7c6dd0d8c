"""Builds a sketch from what was read: first what changes the flow that is there, then sources, rows, figures, the end.

Owns the order of building. Raises `Unclear` or `Refusal` where it cannot go on; nothing half-built is handed out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from headrace.nodes.wordlist import word_set

from .build_end import columns, draw, drop_hidden, orders, top, write
from .build_figures import aggregate, derive, measures_of, wanted_figures, wanted_groups
from .build_rows import conditions, conditions_on_time, drop_missing, gaps, sources, speaks_of_figure, unique
from .build_windows import change, rolling, rounding, share
from .doubts import Unclear
from .edits import adjust, changes, names_at_last, reverse
from .fields import words_of
from .meaning import (
    By,
    Change,
    ColumnRef,
    Convert,
    Cue,
    Derive,
    Draw,
    DropMissing,
    Figures,
    Fill,
    JoinFiles,
    Keep,
    Measure,
    Not,
    Number,
    Omit,
    Order,
    Rename,
    Reverse,
    Role,
    Rolling,
    Round,
    Rows,
    Share,
    Show,
    Stack,
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
from .tokens import fold, lemma
from .units import MONEY, dimension, unit_in
from .vocabulary import AMOUNTS, QUANTITIES
from .work import Work

STAGES = word_set("sum mean count figure median")
"""What a figure can be of, where it is of figures: `the mean of those sums`."""
SUBSTANCE = (Figures, Keep, By, Top, Show, Derive, Unique, DropMissing)


def build(work: Work, guess: str | None) -> None:
    """Turn the intents of a request into changes of the sketch. `guess`: the file to read where none is named."""
    _begin_anew_where_told(work)
    bare = not work.has(Keep, Show, Top, Order)
    changes(work)
    sources(work, guess)
    _name_things(work)
    _ask_which_rows(work)
    _let_units_speak(work)
    _units_of_rows(work)
    _things_once(work)
    pending = [part for part in work.take(Derive) if not derive(work, part)]
    conditions(work, figures=False)
    for part in [
        p for p in work.parts if isinstance(p.intent, DropMissing | Fill) and p.intent != DropMissing((Role("last"),))
    ]:
        if not (work.fresh and _shown_before(work, part)):
            work.parts.remove(part)
            gaps(work, part)
    groups = _figures(work, pending, bare=bare)
    for part in work.take(Share, Change, Rolling, Round):
        {Share: share, Change: change, Rolling: rolling, Round: rounding}[type(part.intent)](work, part)
    for part in work.take(DropMissing):
        if part.intent.items == (Role("last"),):
            drop_missing(work, part, here=work.here(), at=work.sketch.before_order())
        else:
            gaps(work, part)
    conditions_on_time(work)
    _late_formulas(work, pending)
    conditions(work, figures=True)
    _own_nodes(work)
    _end(work, groups)
    for part in work.take(Reverse):
        reverse(work, part)
    for part in work.take(Write):
        write(work, part)
    for part in work.take(Draw):
        draw(work, part)
    names_at_last(work)
    drop_unfit_charts(work)
    check_columns(work)
    if work.take(Keep):
        raise Unclear("I could not place one of the conditions. Which column do you mean?")
    if work.cue("save") and not any(piece.type == "write_file" for piece in work.sketch.sinks):
        raise Unclear("To which file shall it be written? Name one that ends in .csv, .parquet, .jsonl or .xlsx.")


def _begin_anew_where_told(work: Work) -> None:
    """Begin anew where the request says so, or names another file and says all that is to be done with it."""
    uses = [p.intent for p in work.parts if isinstance(p.intent, UseFile)]
    other = [use for use in uses if use.path not in work.sketch.paths() and not use.instead]
    whole = (
        other
        and work.has(*SUBSTANCE)
        and not work.has(JoinFiles, Stack)
        and not work.cue("instead")
        and not work.cue("also")
    )
    if work.cue("new") or (work.sketch.main and whole):
        work.sketch.main.clear()
        work.sketch.sinks.clear()
        work.roles.clear()
        work.fresh = True


def _name_things(work: Work) -> None:
    """`name`, where no column is called so, is the column of text that the request speaks of: `which makers … ? name and price`."""
    if not any(isinstance(p.intent, Show) and Role("name") in p.intent.items for p in work.parts):
        return
    spoken = [
        item
        for p in work.parts
        if isinstance(p.intent, Show | By)
        for item in getattr(p.intent, "items", ()) or getattr(p.intent, "keys", ())
    ]
    texts = [item for item in spoken if isinstance(item, ColumnRef) and item.only(lambda _, kind: kind == "text")]
    nouns = {lemma(fold(word)) for p in work.parts if p.intent == Cue("rows") for word in work.words(p).split()}
    texts += [
        ColumnRef((f.name,), f.name, ("text",))
        for f in work.sketch.columns()
        if f.kind == "text" and f.words and set(f.words) <= nouns
    ]
    if not texts:
        raise Unclear(
            f"There is no column “name”; there are {', '.join(f'`{f.name}`' for f in work.sketch.columns())}. Which one do you mean?"
        )
    for at, part in enumerate(work.parts):
        if isinstance(part.intent, Show) and Role("name") in part.intent.items:
            items = tuple(texts[0] if item == Role("name") else item for item in part.intent.items)
            work.parts[at] = Understood(Show(tuple(dict.fromkeys(items)), only=part.intent.only), part.start, part.end)


def _let_units_speak(work: Work) -> None:
    """`above 60 kg` says its column by the unit, where one column alone has it."""
    for at, part in enumerate(work.parts):
        match part.intent:
            case Keep(condition=condition):
                work.parts[at] = Understood(Keep(_by_unit(work, condition)), part.start, part.end)
            case Figures(measures=measures):
                told = tuple(replace(m, of=_by_unit(work, m.of)) if isinstance(m.of, Test) else m for m in measures)
                work.parts[at] = Understood(Figures(told), part.start, part.end)


def _by_unit(work: Work, condition: Any) -> Any:
    """Return a condition without a left side with the one column that is in its unit, or of its money."""
    match condition:
        case Test(left=None, right=Number(unit=unit)) if unit:
            fields = [f for f in work.sketch.columns() if f.kind == "number"]
            fits = [f for f in fields if dimension(unit) and dimension(unit_in(f.words)) == dimension(unit)]
            if not fits and dimension(unit) in MONEY:
                fits = [f for f in fields if set(f.words) & AMOUNTS]
            return replace(condition, left=work.sketch_ref(fits[0].name)) if len(fits) == 1 else condition
        case Not(of=inner):
            return Not(_by_unit(work, inner))
    return condition


def _ask_which_rows(work: Work) -> None:
    """`open tickets`, where `opened` is a day: neither the column alone nor all rows are surely meant."""
    parts = [p for p in work.parts if not (isinstance(p.intent, Cue) and p.intent.kind == "then")]
    shows = [p for p in parts if isinstance(p.intent, Show)]
    if len(parts) == 2 and len(shows) == 1 and work.cue("rows") and len(shows[0].intent.items) == 1:
        item = shows[0].intent.items[0]
        if isinstance(item, ColumnRef) and set(item.kinds) <= {"date"} and not shows[0].intent.only:
            words = f"“{item.words}” comes near the column `{item.names[0]}`"
            raise Unclear(
                f"{words}. Which rows are meant: those where it is filled, where it is empty, or all with that column only?"
            )


def _units_of_rows(work: Work) -> None:
    """`orders of at least 5 pieces` compares each row's quantity where nothing is grouped."""
    if not work.fresh or work.has(By, Figures, Top):
        return
    quantities = [
        f
        for f in work.sketch.columns()
        if f.kind == "number" and set(f.words) & QUANTITIES and not set(f.words) & AMOUNTS
    ]
    for at, part in enumerate(work.parts):
        match part.intent:
            case Keep(condition=Test(left=Measure(of=Role(name="units")), op=op, right=right)) if len(quantities) == 1:
                ref = ColumnRef((quantities[0].name,), quantities[0].name, ("number",))
                work.parts[at] = Understood(Keep(Test(ref, op, right)), part.start, part.end)


def _things_once(work: Work) -> None:
    """`runners over 60 kg`, `list all events`: things told by a column that repeats are listed once each."""
    shows = [p for p in work.parts if isinstance(p.intent, Show)]
    if (
        not work.fresh
        or len(shows) != 1
        or work.has(Figures, By, Top, Order, Unique, JoinFiles, Share, Derive, Change, Omit)
    ):
        return
    intent = shows[0].intent
    item = intent.items[0]
    if intent.only or len(intent.items) > 1 or not isinstance(item, ColumnRef) or set(item.kinds) != {"text"}:
        return
    if any(speaks_of_figure(p.intent.condition) for p in work.parts if isinstance(p.intent, Keep)):
        return
    name = work.field(item).name
    at = work.parts.index(shows[0])
    if _repeats(work, name):
        work.parts[at] = Understood(Unique((item,)), shows[0].start, shows[0].end)
        work.tell(shows[0], f"each `{name}` once", assumed=True)
    elif work.has(Keep):
        work.parts[at] = Understood(Cue("rows"), shows[0].start, shows[0].end)


def _repeats(work: Work, name: str) -> bool:
    """Return whether the sample rows hold a value of a column more than once."""
    for file in work.sketch.facts.values():
        names = [column.name for column in file.columns]
        if name in names and file.path in work.sketch.paths():
            seen = [str(row[names.index(name)]) for row in file.rows]
            return len(set(seen)) < len(seen)
    return True


def _shown_before(work: Work, part: Understood) -> bool:
    """Return whether columns are chosen before a part is asked for: `keep a and b, drop incomplete rows`."""
    return any(isinstance(p.intent, Show) and p.intent.only and p.start < part.start for p in work.parts)


# --- figures ----------------------------------------------------------------------------------------------------------


def _figures(work: Work, pending: list[Understood], *, bare: bool) -> list[tuple[Understood, tuple]]:
    """Build groups and figures. Returns the groups that are left for a `top of each`."""
    figures = wanted_figures(work)
    for part in pending:
        figures += [m for m in measures_of(part.intent.formula) if m not in figures]
    if work.sketch.last("aggregate") is not None:
        figures = [m for m in figures if m.of != Rows("only")]  # `count only X`: what is there, of X alone
    groups = wanted_groups(work, figures=bool(figures) or work.has(Share))
    later = [m for m in figures if isinstance(m.of, Role) and m.of.name in STAGES]
    if later and len(figures) > len(later) and groups:
        return _in_two_stages(work, [m for m in figures if m not in later], later, groups=groups)
    leading = _adds(work)
    of_each = [p for p in work.parts if isinstance(p.intent, Top)]
    if groups and not figures:
        figures = _different(work) or _derived(work, pending)
    if groups and not figures:
        if of_each and work.sketch.last("aggregate") is None:
            work.take(By)
            return groups
        if work.fresh or work.sketch.last("aggregate") is None:
            figures = _counted(work)
    if not figures and not groups:
        _by_without_figures(work, bare=bare)
        return []
    if not (not work.fresh and adjust(work, figures, groups, adds=leading)):
        aggregate(work, figures, groups)
    work.take(By, Figures)
    return []


def _in_two_stages(work: Work, first: list[Measure], later: list[Measure], *, groups: list) -> list:
    """Build figures of figures: the total of each order, then the mean of those totals."""
    told = list(work.take(Figures))
    aggregate(work, first, groups)
    for part in told:
        work.tell(
            part,
            "computed for each group, then over the groups"
            if any(m in later for m in part.intent.measures)
            else "computed for each group",
        )
    figure = work.roles["figure"]
    made = [Measure(m.function, work.sketch_ref(figure), m.words) for m in later]
    aggregate(work, made, [])
    work.take(By)
    return []


def _different(work: Work) -> list[Measure]:
    """`distinct runners per season` counts the different ones in each group."""
    found = [p for p in work.parts if isinstance(p.intent, Unique) and len(p.intent.items) == 1]
    if len(found) != 1:
        return []
    work.parts.remove(found[0])
    measure = Measure("count_distinct", found[0].intent.items[0], work.words(found[0]))
    work.parts.append(Understood(Figures((measure,)), found[0].start, found[0].end))
    return [measure]


def _derived(work: Work, pending: list[Understood]) -> list[Measure]:
    """`value (a * b) per group` is the total of what was just worked out."""
    numbers = [f for name in work.made if (f := work.here().field(name)) is not None and f.kind == "number"]
    if pending or len(numbers) != 1 or work.has(Top):
        return []
    work.tell(numbers[0].name, "summed for each group", assumed=True)
    return [Measure("sum", work.sketch_ref(numbers[0].name), numbers[0].name)]


def _counted(work: Work) -> list[Measure]:
    """`orders per city` counts orders; `price per city` does not say what becomes of the prices."""
    shown = [p for p in work.parts if isinstance(p.intent, Show)]
    here = work.here()
    numbers = [
        i
        for p in shown
        for i in p.intent.items
        if isinstance(i, ColumnRef) and (f := here.find(i)) and f.kind == "number"
    ]
    if work.has(Share) and len(numbers) == 1:
        work.tell(numbers[0].words, "summed for each group", assumed=True)
        return [Measure("sum", numbers[0], numbers[0].words)]
    if work.cue("rows") or work.has(Share) or not shown:
        return [Measure("count", Rows("rows"), "count")]
    words = work.words(shown[0])
    raise Unclear(f"“{words}” for each group: shall it be the total, the average, or something else?")


def _adds(work: Work) -> bool:
    first = work.parts[0].start if work.parts else 0
    return work.cue("also") or (
        first > 0 and work.words(Understood(None, 0, 1)).casefold() in ("and", "plus", "with", "add")
    )


def _by_without_figures(work: Work, *, bare: bool) -> None:
    """`by X` without figures is an order; of a time and nothing else it counts rows."""
    for part in work.take(By):
        keys = part.intent.keys
        if work.fresh and bare and work.cue("rows") and all(isinstance(key, TimePart) for key in keys):
            aggregate(work, [Measure("count", Rows("rows"), "count")], [(part, keys)])
            work.tell(part, "rows are counted", assumed=True)
            continue
        if work.fresh and not work.has(Rolling, Change) and (bare or _counts_something(work, keys)):
            raise Unclear(f"“{work.words(part)}”: shall the rows be counted by it, or sorted by it?")
        work.parts.append(Understood(Order(tuple((key, None) for key in keys)), part.start, part.end))
        work.parts.sort(key=lambda p: p.start)


def _counts_something(work: Work, keys: tuple[Any, ...]) -> bool:
    """Return whether only numbers are named beside `by X`: `stock by warehouse` does not say what becomes of the stock."""
    here = work.here()
    named = [
        f
        for p in work.parts
        if isinstance(p.intent, Show)
        for item in p.intent.items
        if (f := here.find(item)) is not None
    ]
    by = {f.name for key in keys if (f := here.find(key)) is not None}
    return bool(named) and all(f.kind == "number" for f in named) and not by & {f.name for f in named}


def _late_formulas(work: Work, pending: list[Understood]) -> None:
    """Build the formulas over figures, now that these are columns."""
    for part in pending:
        at = work.sketch.before_order()
        here = work.here(at)
        text = here.formula(part.intent.formula)
        if text is None:
            raise Unclear(
                f"“{work.words(part)}”: not every column of that formula is here; there are {', '.join(f'`{f.name}`' for f in here.columns)}."
            )
        ratio = part.intent.formula.operator == "/"
        first, second = work.roles.get("first of two"), work.roles.get("second of two")
        name = part.intent.name or work.unused(
            f"{first}_per_{'_'.join(words_of(second))}" if ratio and first and second else "result", at
        )
        work.formula(name, text, at)
        work.tell(part, f"new column `{name}` = {text.replace(chr(34), '')}")


# --- the end ----------------------------------------------------------------------------------------------------------


def _end(work: Work, groups: list[tuple[Understood, tuple]]) -> None:
    """Build the order, the first rows and the columns. Columns that an order needs are dropped after it."""
    shows = [p for p in work.parts if isinstance(p.intent, Show | Unique)]
    tops = _merged_tops(work.take(Top))
    _rename_what_is_ordered(work)
    if work.fresh and any(isinstance(p.intent, Unique) for p in shows):
        _columns(work)
    if tops and all(part.intent.by is None and part.intent.direction is None for part in tops):
        orders(work, [])
    for part in tops:
        top(work, part, groups)
    if groups and not tops:
        raise Unclear("What shall be computed for each group?")
    orders(work, [])
    _columns(work)
    drop_hidden(work)


def _merged_tops(tops: list[Understood]) -> list[Understood]:
    """`longest stays, top 5` is one wish: one part says the order, the other the number."""
    if len(tops) != 2:
        return tops
    first, second = (p.intent for p in tops)
    ordered, counted = (first, second) if first.by is not None else (second, first)
    if counted.by is None and ordered.by is not None and ordered.count in (None, counted.count):
        merged = Top(counted.count, ordered.by, ordered.direction, ordered.noun, ordered.per)
        return [Understood(merged, tops[0].start, tops[0].end)]
    return tops


def _rename_what_is_ordered(work: Work) -> None:
    """Rename before ordering where the request does: `rename a to b and sort by it`."""
    orders_at = [p.start for p in work.parts if isinstance(p.intent, Order)]
    for part in [p for p in work.parts if isinstance(p.intent, Rename) and any(p.start < at for at in orders_at)]:
        work.parts.remove(part)
        columns(work, part)


def _columns(work: Work) -> None:
    """Build what is kept, dropped and renamed, each once and gaps, in the order of the request."""
    only = work.cue("only")
    _merge_mentions(work)
    for part in work.take(Show, Omit, Rename, Convert, Unique):
        if isinstance(part.intent, Unique):
            unique(work, part)
        elif isinstance(part.intent, Show) and not part.intent.only and not only and _is_mere_mention(work, part):
            work.tell(part, "as it is")
        else:
            columns(work, part)


def _merge_mentions(work: Work) -> None:
    """Of several lists of columns the one that says `only`, or the longest that holds the others, is meant."""
    shows = [p for p in work.parts if isinstance(p.intent, Show)]
    best = max(shows, key=lambda p: (p.intent.only, len(p.intent.items)), default=None)
    for part in shows:
        known = {_spoken(item) for item in best.intent.items} if best else set()
        if part is not best and all(_spoken(item) & set().union(*known) for item in part.intent.items):
            work.parts.remove(part)


def _spoken(item: object) -> frozenset[str]:
    return frozenset(getattr(item, "names", ())) or frozenset({repr(item)})


def _is_mere_mention(work: Work, part: Understood) -> bool:
    """Columns that the result consists of anyway are only mentioned, and so are the groups of figures just made."""
    here = work.here()
    at = work.sketch.last("aggregate")
    if at is not None and work.made and all(_in_groups(work, item, at) for item in part.intent.items):
        return True
    names = [f.name for item in part.intent.items if (f := here.find(item)) is not None]
    return len(names) == len(part.intent.items) and set(names) == {f.name for f in here.columns}


def _in_groups(work: Work, item: object, at: int) -> bool:
    found = work.here().find(item)
    config = work.sketch.main[at].config
    if found is None and isinstance(item, ColumnRef):
        return any(measure.get("column") in item.names for measure in config["measures"])
    return found is not None and found.name in {*config["group_by"], *(m["name"] for m in config["measures"])}


def _own_nodes(work: Work) -> None:
    """Build node types that were asked for in their own words."""
    for part in work.take(UseNode):
        at = work.sketch.before_order() if work.sketch.last("limit") is None else len(work.sketch.main)
        config = dict(part.intent.config)
        work.sketch.insert(
            at,
            work.sketch.piece(
                part.intent.type, config, name=part.intent.type, title=part.intent.type.replace("_", " ").capitalize()
            ),
        )
        work.tell(
            part,
            f"a node {part.intent.type}"
            + (f" with {', '.join(f'{k} {v}' for k, v in config.items())}" if config else ""),
        )
