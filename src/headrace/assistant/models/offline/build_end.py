"""Builds how a result is shown: its order, its first rows, its columns, and what is made of it."""

from __future__ import annotations

from typing import Any

from headrace.nodes.wordlist import word_set

from .build_figures import key_column, time_column
from .doubts import Refusal, Unclear, listed
from .expressions import measure_key
from .fields import Field, words_of
from .meaning import (
    ColumnRef,
    Convert,
    Direction,
    Draw,
    Formula,
    Measure,
    Omit,
    Order,
    Rename,
    Role,
    Rows,
    Show,
    Superlative,
    TimePart,
    Top,
    Write,
)
from .reading import Understood
from .soundness import rewrite
from .sql_words import quoted
from .work import Work

MUCH_IS_GOOD = word_set("score rating grade mark satisfaction point")
LITTLE_IS_GOOD = word_set("time duration delay cost price error loss rank place complaint defect")
WAYS = {"up": "smallest first", "down": "largest first"}


# --- order ------------------------------------------------------------------------------------------------------------


def orders(work: Work, extra: list[tuple[Understood, Order]]) -> None:
    """Put one sort node at the end for all that the request says of an order."""
    keys: list[tuple[str, Direction | None, Understood]] = []
    for part, order in extra + [(p, p.intent) for p in work.take(Order)]:
        for what, direction in order.keys:
            name = order_column(work, what)
            known = next((at for at, (n, _, _) in enumerate(keys) if n == name), None)
            if known is not None:
                keys[known] = (name, direction or keys[known][1], part)
            else:
                keys.append((name, direction, part))
        if not order.keys and order.direction:
            _turn(work, keys, part, direction=order.direction)
    if not keys:
        return
    by = []
    for name, direction, part in keys:
        way = (judged(name, direction) if direction in ("best", "worst") else direction) or default_way(
            work, name, part
        )
        by.append({"column": name, "descending": way == "down"})
    place_sort(
        work,
        by,
        keys[0][2],
        assumed=any(direction is None and name in work.roles.values() for name, direction, _ in keys),
    )


def judged(name: str, direction: Direction | None) -> Direction:
    """Return which way the best comes first: of grades the greatest, of times, costs and delays the least."""
    words = set(words_of(name))
    little_is_good = bool(words & LITTLE_IS_GOOD) and not words & MUCH_IS_GOOD
    much_is_bad = not words & MUCH_IS_GOOD
    if direction == "worst":
        return "down" if little_is_good or much_is_bad else "up"
    return "up" if little_is_good else "down"


def default_way(work: Work, name: str, part: Understood) -> Direction:
    """Return the direction where none is said: figures largest first, everything else smallest first."""
    figure = work.here().field(name)
    is_figure = (
        name in {work.roles.get(role) for role in ("figure", "share", "count")}
        and figure is not None
        and figure.kind == "number"
    )
    return "down" if is_figure or "rank" in work.words(part).casefold() else "up"


def _turn(
    work: Work, keys: list[tuple[str, Direction | None, Understood]], part: Understood, *, direction: Direction
) -> None:
    """Give a direction to the keys that lack one; without any, order by the figure there is."""
    open_keys = [at for at, (_, known, _) in enumerate(keys) if known is None]
    if keys:
        for at in open_keys or [len(keys) - 1]:
            keys[at] = (keys[at][0], direction, part)
        return
    at = work.sketch.last("sort")
    if at is not None and not work.made:
        keys += [(key["column"], direction, part) for key in work.sketch.main[at].config["by"]]
        return
    keys.append((the_figure(work), direction, part))


def the_figure(work: Work) -> str:
    """Return the one figure that an order or a top can mean. Errors: Unclear."""
    here = work.here()
    last = work.roles.get("figure")
    at = work.sketch.last("aggregate")
    measured = [m["name"] for m in work.sketch.main[at].config.get("measures", ())] if at is not None else []
    if last and here.field(last) and (len(measured) <= 1 or last not in measured):
        return last
    there = [name for name in measured if here.field(name)]
    if len(there) == 1:
        return there[0]
    numbers = there or [f.name for f in here.columns if f.kind in ("number", "date")]
    compared = [name for name in numbers if name in work.compared]
    if len(numbers) == 1 or len(compared) == 1:
        return (compared or numbers)[0]
    raise Unclear(f"By which column? There are {listed(numbers) or listed(f.name for f in here.columns)}.")


def order_column(work: Work, what: Any) -> str:
    """Return the column for something to order by; a figure, formula or part of a date is made where it is missing."""
    here = work.here()
    match what:
        case Superlative(of=of) if of is not None:
            return work.field(of).name
        case Measure():
            found = here.find(what)
            if found is None and isinstance(what.of, Role):
                found = here.find(what.of)
            if found is None:
                raise Unclear(f"There is no “{what.words or what.function}” in the result. Shall it be added?")
            return found.name
        case ColumnRef():
            return _column_or_figure(work, what)
        case TimePart():
            found = here.find(what)
            if found is not None:
                return found.name
            source = here.time(what.unit, what.column)
            if source is None:
                raise Unclear(f"There is no column with a {what.unit}. Which column do you mean?")
            return source.name
        case Formula():
            text = here.formula(what)
            if text is None:
                raise Unclear("Not every column of that formula is in the result. By which column shall it be ordered?")
            name = work.unused("amount")
            work.formula(name, text, work.sketch.before_order())
            return name
        case Role(name="it"):
            found = here.find(what)
            last = work.roles.get("figure", "")
            return found.name if found is not None else last if here.field(last) else the_figure(work)
        case Role(name="weekday"):
            return next((name for name in work.hidden if here.field(name)), None) or the_figure(work)
        case Role(name="label"):
            texts = [f for f in here.columns if f.kind == "text"]
            if not texts:
                raise Unclear("There is no text column to order by. Which column do you mean?")
            return texts[0].name
        case Role(name="time"):
            made = [f for role, name in work.roles.items() if role.startswith("time ") and (f := here.field(name))]
            found = made[0] if made else here.time("date")
            if found is None:
                raise Unclear("There is no column with a date to order by. Which column do you mean?")
            return found.name
        case Role():
            found = here.find(what)
            return found.name if found is not None else the_figure(work)
    raise Unclear("By which column shall it be ordered?")


def _column_or_figure(work: Work, ref: ColumnRef) -> str:
    """Return a column of the result, or the figure made of the column that is meant."""
    here = work.here()
    found = here.find(ref)
    if found is not None:
        return found.name
    made = [
        name
        for name in ref.names
        for key, name_made in work.roles.items()
        if key.endswith(f" of {name}") and here.field(name_made)
        for name in [name_made]
    ]
    made = list(dict.fromkeys(made))
    if len(made) == 1:
        return made[0]
    raise Unclear(work.absent(ref))


def place_sort(work: Work, by: list[dict[str, Any]], part: Understood, *, assumed: bool = False) -> None:
    """Put an order at the end, in place of the one that is there unless a limit depends on it."""
    told = ", ".join(f"`{key['column']}` {WAYS['down' if key['descending'] else 'up']}" for key in by)
    if work.continues and work.sketch.main and work.sketch.main[-1].type == "sort":
        before = work.sketch.main[-1].config["by"]
        by = [key for key in before if key["column"] not in {new["column"] for new in by}] + by
    title = "Sort by " + ", ".join(f"{key['column']}{' (descending)' if key['descending'] else ''}" for key in by)
    config = {"by": by}
    at, limited = work.sketch.last("sort"), work.sketch.last("limit")
    if (
        at is not None
        and (limited is None or limited < at or (not work.fresh and work.cue("instead")))
        and not _windowed_after(work, at)
    ):
        piece = work.sketch.main[at]
        piece.config, piece.title = config, piece.title if _same_order(piece.config, config) else title
    else:
        work.sketch.insert(_end(work), work.sketch.piece("sort", config, name="sort", title=title))
    work.tell(part, f"sorted by {told}", assumed=assumed)


def _same_order(one: dict[str, Any], other: dict[str, Any]) -> bool:
    def keys(config: dict[str, Any]) -> list[tuple[str, bool]]:
        return [(key["column"], key.get("descending", False)) for key in config["by"]]

    return keys(one) == keys(other)


def _windowed_after(work: Work, at: int) -> bool:
    return any(piece.type not in ("limit", "select") for piece in work.sketch.main[at + 1 :])


def _end(work: Work) -> int:
    return len(work.sketch.main)


# --- the first few ----------------------------------------------------------------------------------------------------


def top(work: Work, part: Understood, groups: list[tuple[Understood, tuple[Any, ...]]]) -> None:
    """Build `the first few`: of all, or of each group."""
    intent: Top = part.intent
    if groups:
        _top_of_each(work, part, groups)
        return
    count = intent.count or 1
    if isinstance(intent.by, Role) and intent.by.name == "position":
        raise Unclear("The last rows by which order? Name a column to sort by.")
    if intent.by is None and intent.direction is None:
        _limit(work, part, count)
        return
    if intent.by is None and work.sketch.last("sort") is not None and not work.made and not work.fresh:
        at = work.sketch.last("sort")
        assert at is not None
        way = "down" if work.sketch.main[at].config["by"][0].get("descending") else "up"
        if way == intent.direction or "first" in work.words(part).casefold() or "top" in work.words(part).casefold():
            _limit(work, part, count)
            return
    name = order_column(work, intent.by) if intent.by is not None else the_figure(work)
    if intent.noun is not None and intent.noun == intent.by:
        work.kept.append(name)
    way = intent.direction or "down"
    place_sort(work, [{"column": name, "descending": way == "down"}], part)
    _limit(work, part, count)


def _limit(work: Work, part: Understood, count: int) -> None:
    at = work.sketch.last("limit")
    if at is not None and at >= len(work.sketch.main) - 2:
        work.sketch.main[at].config = {**work.sketch.main[at].config, "count": count}
        work.sketch.main[at].title = f"First {count}"
    else:
        work.sketch.insert(
            _end(work), work.sketch.piece("limit", {"count": count}, name=f"first_{count}", title=f"First {count}")
        )
    work.tell(part, f"the first {count} rows" if count > 1 else "the first row")


def _top_of_each(work: Work, part: Understood, groups: list[tuple[Understood, tuple[Any, ...]]]) -> None:
    intent: Top = part.intent
    keys = [key_column(work, key, wanted) for _, wanted in groups for key in wanted]
    work.kept += keys
    if isinstance(intent.noun, ColumnRef):
        work.kept.append(work.field(intent.noun).name)
    name = order_column(work, intent.by) if intent.by is not None else the_figure(work)
    way = intent.direction or "down"
    count = intent.count or 1
    if count == 1:
        config: dict[str, Any] = {"columns": keys, "keep_first_by": [{"column": name, "descending": way == "down"}]}
        work.sketch.insert(
            _end(work),
            work.sketch.piece("distinct", config, name="first_of_each", title=f"First of each {', '.join(keys)}"),
        )
    else:
        place = work.unused("place")
        text = f"row_number() OVER (PARTITION BY {', '.join(map(quoted, keys))} ORDER BY {quoted(name)} {'DESC' if way == 'down' else 'ASC'} NULLS LAST)"
        work.formula(place, text, _end(work), title=f"Place within {', '.join(keys)}")
        work.sketch.insert(
            _end(work),
            work.sketch.piece(
                "filter",
                {"condition": f"{quoted(place)} <= {count}"},
                name=f"first_{count}_of_each",
                title=f"First {count} of each",
            ),
        )
        work.sketch.insert(
            _end(work), work.sketch.piece("select", {"drop": [place]}, name="drop_place", title="Without the place")
        )
        work.roles.pop("figure", None)
    work.tell(part, f"of each {listed(keys)} the first {count if count > 1 else 'one'} by `{name}`, {WAYS[way]}")


# --- columns ----------------------------------------------------------------------------------------------------------


def columns(work: Work, part: Understood) -> None:
    """Build which columns are kept, dropped, renamed, moved or converted."""
    intent = part.intent
    match intent:
        case Show():
            _show(work, part)
        case Omit(items=items):
            names = [work.field(ref).name for ref in items]
            _select(work, part, {"drop": names}, told=f"without {listed(names)}")
        case Rename(pairs=pairs):
            renames = {work.field(what).name: name for what, name in pairs}
            _select(
                work,
                part,
                {"rename": renames},
                told=", ".join(f"`{old}` is called `{new}`" for old, new in renames.items()),
            )
        case Convert(items=items, to=to):
            casts = {work.field(ref).name: to for ref in items}
            _select(work, part, {"cast": casts}, told=f"{listed(casts)} become {to}")


def _select(work: Work, part: Understood, config: dict[str, Any], *, told: str) -> None:
    work.sketch.insert(_end(work), work.sketch.piece("select", config, name="columns", title="Choose columns"))
    work.tell(part, told)
    for old, new in config.get("rename", {}).items():
        rewrite(work, old, new, start=len(work.sketch.main))
        work.roles["it"] = new
        work.roles = {role: new if name == old else name for role, name in work.roles.items()}


def _show(work: Work, part: Understood) -> None:
    intent: Show = part.intent
    if intent.items and intent.items[0] == Role("first"):
        names = [work.field(ref).name for ref in intent.items[1:]]
        _select(work, part, {"first": names}, told=f"{listed(names)} come first")
        return
    names = [] if intent.only else [name for name in work.kept if work.here().field(name)]
    for item in intent.items:
        name = _shown(work, item)
        if name not in names:
            names.append(name)
    if not intent.only and not set(names) & set(work.made):
        names += [
            name for name in work.made if work.here().field(name) and name not in names and name not in work.hidden
        ]
    present = [f.name for f in work.sketch.columns()]
    if names != present:
        _select(work, part, {"keep": names}, told=f"shows {listed(names)}")
    else:
        work.tell(part, f"shows {listed(names)}")


def _shown(work: Work, item: Any) -> str:
    match item:
        case TimePart():
            found = work.here().find(item)
            if found is not None:
                return found.name
            source = work.here().time(item.unit, item.column)
            if source is None:
                raise Unclear(f"There is no column with a {item.unit}. Which column do you mean?")
            if item.unit == "day" and source.kind == "date":
                return source.name
            return time_column(work, source, item.unit, at=work.sketch.before_order())
        case Role(name="time"):
            return order_column(work, item)
        case Role(name=name):
            found = work.here().find(item)
            if found is None and name not in ("figure", "it"):
                raise Unclear(f"Which column shall the {name} be of?")
            return found.name if found is not None else the_figure(work)
        case ColumnRef():
            return _column_or_figure(work, item)
        case Measure():
            found = work.here().find(item)
            if found is not None:
                return found.name
    raise Unclear("Which columns shall be shown?")


def drop_hidden(work: Work) -> None:
    """Drop the columns that only served an order."""
    there = [name for name in work.hidden if work.here().field(name)]
    if there:
        work.sketch.insert(
            _end(work),
            work.sketch.piece("select", {"drop": there}, name="without_helpers", title="Without helper columns"),
        )


# --- what is made of it -----------------------------------------------------------------------------------------------


def write(work: Work, part: Understood) -> None:
    """Build writing the result to a file; an input is only replaced where the request says so."""
    intent: Write = part.intent
    if not intent.path:
        raise Unclear("To which file shall it be written? An input file is only replaced when it is named.")
    if intent.path in work.sketch.paths() and not intent.overwrite:
        raise Refusal(
            f"`{intent.path}` is read by this flow; I do not write over an input. Name another file to write to."
        )
    if intent.path.rsplit(".", 1)[-1].lower() not in (
        "csv",
        "tsv",
        "parquet",
        "xlsx",
        "json",
        "jsonl",
        "ndjson",
        "txt",
    ):
        raise Refusal(f"I cannot write `{intent.path}`. Name a file that ends in .csv, .parquet, .jsonl or .xlsx.")
    config: dict[str, Any] = {"path": intent.path} | ({"overwrite": True} if intent.overwrite else {})
    work.sketch.sinks.append(
        work.sketch.piece(
            "write_file", config, name=f"write_{intent.path.rsplit('.', 1)[0]}", title=f"Write {intent.path}"
        )
    )
    work.tell(part, f"written to `{intent.path}`")


def draw(work: Work, part: Understood) -> None:
    """Build a chart of the result: what is grouped along x, the figure along y."""
    intent: Draw = part.intent
    columns_here = work.sketch.columns()
    x = _axis(work, intent.x)
    y = _axis(work, intent.y)
    if intent.kind == "histogram":
        name = x or y or _only_number(columns_here)
        config: dict[str, Any] = {"kind": "histogram", "x": name}
    else:
        at = work.sketch.last("aggregate")
        grouped = list(work.sketch.main[at].config.get("group_by", ())) if at is not None else []
        grouped = [g for g in grouped if work.here().field(g)]
        if intent.kind == "scatter" and y is None and isinstance(intent.x, ColumnRef):
            raise Unclear("A scatter chart needs two columns of numbers. Which second one?")
        x = x or (grouped[0] if grouped else _label(columns_here))
        if y is None:
            y = the_figure(work) if grouped or work.made else _only_number([f for f in columns_here if f.name != x])
        kinds = {f.name: f.kind for f in columns_here} | {f.name: f.kind for f in work.sketch.columns()}
        if kinds.get(y) != "number" and kinds.get(x) == "number":
            x, y = y, x
        if kinds.get(y) != "number":
            raise Unclear(
                f"The height of a chart is a number, and `{y}` is {kinds.get(y, 'unknown')}. Which figure shall it show?"
            )
        config = {"kind": intent.kind, "x": x, "y": y}
        series = [g for g in grouped if g not in (x, y)]
        if series:
            config["series"] = series[0]
    work.sketch.sinks.append(
        work.sketch.piece("chart", config, name=f"{intent.kind}_chart", title=f"{intent.kind.capitalize()} chart")
    )
    axes = f"`{config['x']}`" + (f" and `{config['y']}`" if config.get("y") else "")
    work.tell(part, f"{intent.kind} chart of {axes}")


def _axis(work: Work, item: Any) -> str | None:
    if item is None:
        return None
    if isinstance(item, Rows):
        return None
    if item == Role("time"):
        return order_column(work, item)
    if isinstance(item, Measure):
        return work.roles.get(measure_key(item)) or order_column(work, item)
    return _shown(work, item) if isinstance(item, ColumnRef | TimePart) else order_column(work, item)


def _only_number(fields: Any) -> str:
    numbers = [f.name for f in fields if f.kind == "number"]
    if len(numbers) != 1:
        raise Unclear(f"Which column shall the chart show? There are {listed(numbers) or 'no numbers'}.")
    return numbers[0]


def _label(fields: tuple[Field, ...]) -> str:
    labels = [f.name for f in fields if f.kind in ("text", "date")]
    if len(labels) != 1:
        raise Unclear(
            f"Along which column shall the chart run? There are {listed(labels) or listed(f.name for f in fields)}."
        )
    return labels[0]
