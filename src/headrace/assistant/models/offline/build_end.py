"""Builds how a result is shown: its order, its first rows, its columns; and the files and charts made of it."""

from __future__ import annotations

from typing import Any

from headrace.nodes.wordlist import word_set

from .build_figures import wanted_groups
from .choosing import column_for, key_column, the_number
from .doubts import Refusal, Unclear, listed
from .fields import words_of
from .meaning import (
    By,
    ColumnRef,
    Convert,
    Direction,
    Draw,
    Omit,
    Order,
    Rename,
    Role,
    Rows,
    Show,
    Top,
    Write,
)
from .reading import Understood
from .soundness import rewrite
from .sql_words import quoted
from .work import Work

MUCH_IS_GOOD = word_set("score rating grade mark satisfaction point")
LITTLE_IS_GOOD = word_set("time duration delay cost price error loss rank place complaint defect")
WRITABLE = ("csv", "tsv", "parquet", "xlsx", "json", "jsonl", "ndjson", "txt")


# --- order ------------------------------------------------------------------------------------------------------------


def orders(work: Work) -> None:
    """Put one sort node at the end for all that the request says of an order."""
    keys: dict[str, Direction | None] = {}
    parts = work.take(Order)
    for part in parts:
        for what, direction in part.intent.keys:
            name = column_for(work, what)
            keys[name] = direction or keys.get(name)
        if not part.intent.keys:
            _direct(work, keys, part.intent.direction)
    if not keys:
        return
    assumed = any(direction is None and name in work.roles.values() for name, direction in keys.items())
    words = " ".join(work.words(part) for part in parts).casefold()
    by = [_key(name, direction or _default_way(work, name, words)) for name, direction in keys.items()]
    place_sort(work, by, parts[0], assumed=assumed)


def _direct(work: Work, keys: dict[str, Direction | None], direction: Direction | None) -> None:
    """Give a direction to the keys that lack one; without any, to the order or to the figure that there is."""
    at = work.sketch.last("sort")
    if not keys:
        there = work.sketch.main[at].config["by"] if at is not None and not work.made else ()
        names = [key["column"] for key in there] or [the_number(work, ask="By which column?").name]
        keys.update(dict.fromkeys(names))
    for name in [name for name, known in keys.items() if known is None] or list(keys)[-1:]:
        keys[name] = direction


def _key(name: str, direction: Direction) -> dict[str, Any]:
    """Return a sort key; the best comes first: of grades the greatest, of times, costs and delays the least."""
    words = set(words_of(name))
    best_is_much = not words & LITTLE_IS_GOOD or bool(words & MUCH_IS_GOOD)
    down = {"best": best_is_much, "worst": not words & MUCH_IS_GOOD}.get(direction, direction == "down")
    return {"column": name, "descending": down}


def _default_way(work: Work, name: str, words: str) -> Direction:
    """Return the direction where none is said: figures largest first, everything else smallest first."""
    figure = work.here().field(name)
    made = name in {work.roles.get(role) for role in ("figure", "share", "count")}
    return "down" if (made and figure is not None and figure.kind == "number") or "rank" in words else "up"


def place_sort(work: Work, by: list[dict[str, Any]], part: Understood, *, assumed: bool = False) -> None:
    """Put an order at the end, in place of the one that is there unless something behind it depends on it."""
    main = work.sketch.main
    told = _told(by)
    if work.continues and main[-1].type == "sort":
        by = [k for k in main[-1].config["by"] if k["column"] not in {new["column"] for new in by}] + by
    at = work.sketch.last("sort")
    behind = {piece.type for piece in main[at + 1 :]} if at is not None else set()
    movable = {"select", "limit"} if not work.fresh and work.cue("instead") else {"select"}
    if at is not None and (behind <= movable or main[at].config["by"] == by):
        main[at].config = {"by": by}
    else:
        work.put("sort", {"by": by})
    work.tell(part, f"sorted by {told}", assumed=assumed)


def _told(by: list[dict[str, Any]]) -> str:
    return ", ".join(f"`{key['column']}` {'largest' if key.get('descending') else 'smallest'} first" for key in by)


def reverse(work: Work, part: Understood) -> None:
    """Turn the order round."""
    at = work.sketch.last("sort")
    if at is None:
        raise Unclear("Nothing is sorted yet. By which column shall it be sorted?")
    piece = work.sketch.main[at]
    piece.config = {"by": [{**key, "descending": not key.get("descending", False)} for key in piece.config["by"]]}
    work.tell(part, f"the order is turned round: {_told(piece.config['by'])}")


# --- the first few ----------------------------------------------------------------------------------------------------


def tops(work: Work) -> None:
    """Build `the first few`, behind the order where they only cut it off."""
    parts = _merged(work.take(Top))
    if all(part.intent.by is None and part.intent.direction is None for part in parts):
        orders(work)
    for part in parts:
        groups = wanted_groups(work, figures=False)
        if groups:
            work.take(By)
            _top_of_each(work, part, [key for _, wanted in groups for key in wanted])
        else:
            _top(work, part)


def _merged(parts: list[Understood]) -> list[Understood]:
    """`longest stays, top 5` is one wish: one part says the order, the other the number."""
    if len(parts) != 2:
        return parts
    one, other = sorted((p.intent for p in parts), key=lambda top: top.by is None)
    if one.by is None or other.by is not None or one.count not in (None, other.count):
        return parts
    merged = Top(other.count, one.by, one.direction, one.noun)
    return [Understood(merged, parts[0].start, parts[0].end)]


def _top(work: Work, part: Understood) -> None:
    intent: Top = part.intent
    if intent.by == Role("position"):
        raise Unclear("The last rows by which order? Name a column to sort by.")
    if not (intent.by is None and (intent.direction is None or _is_ordered(work, part))):
        name = _by(work, intent)
        if intent.noun is not None and intent.noun == intent.by:
            work.kept.append(name)
        place_sort(work, [_key(name, intent.direction or "down")], part)
    count = intent.count or 1
    at = work.sketch.last("limit")
    if at is not None and at >= len(work.sketch.main) - 2:
        work.sketch.main[at].config = {**work.sketch.main[at].config, "count": count}
    else:
        work.put("limit", {"count": count})
    work.tell(part, f"the first {count} rows" if count > 1 else "the first row")


def _is_ordered(work: Work, part: Understood) -> bool:
    """Return whether the flow has the order already that `top 3` or `highest 3` cuts off."""
    at = work.sketch.last("sort")
    if at is None or work.made or work.fresh:
        return False
    down = bool(work.sketch.main[at].config["by"][0].get("descending"))
    words = work.words(part).casefold()
    return down == (part.intent.direction == "down") or "first" in words or "top" in words


def _by(work: Work, intent: Top) -> str:
    return column_for(work, intent.by) if intent.by is not None else the_number(work, ask="By which column?").name


def _top_of_each(work: Work, part: Understood, groups: list[Any]) -> None:
    intent: Top = part.intent
    keys = [key_column(work, key, tuple(groups)) for key in groups]
    work.kept += keys + ([work.field(intent.noun).name] if isinstance(intent.noun, ColumnRef) else [])
    by, count = _key(_by(work, intent), intent.direction or "down"), intent.count or 1
    if count == 1:
        work.put("distinct", {"columns": keys, "keep_first_by": [by]})
    else:
        place = work.unused("place")
        order = f"{quoted(by['column'])} {'DESC' if by['descending'] else 'ASC'} NULLS LAST"
        text = f"row_number() OVER (PARTITION BY {', '.join(map(quoted, keys))} ORDER BY {order})"
        work.formula(place, text, len(work.sketch.main))
        work.put("filter", {"condition": f"{quoted(place)} <= {count}"})
        work.put("select", {"drop": [place]})
        work.roles.pop("figure", None)
    work.tell(part, f"of each {listed(keys)} the first {count if count > 1 else 'one'} by {_told([by])}")


# --- columns ----------------------------------------------------------------------------------------------------------


def columns(work: Work) -> None:
    """Build what is kept, dropped and renamed, each once, in the order of the request."""
    _merge_mentions(work)
    for part in work.take(Show, Omit, Rename, Convert):
        _columns(work, part)


def _columns(work: Work, part: Understood) -> None:
    match part.intent:
        case Show(items=(Role(name="first"), *items)):
            names = [work.field(ref).name for ref in items]
            _select(work, part, {"first": names}, told=f"{listed(names)} come first")
        case Show():
            _show(work, part)
        case Omit(items=items):
            names = [work.field(ref).name for ref in items]
            _select(work, part, {"drop": names}, told=f"without {listed(names)}")
        case Rename(pairs=pairs):
            renames = {work.field(what).name: name for what, name in pairs}
            told = ", ".join(f"`{old}` is called `{new}`" for old, new in renames.items())
            _select(work, part, {"rename": renames}, told=told)
            for old, new in renames.items():
                rewrite(work, old, new, start=len(work.sketch.main))
                work.roles = {role: new if name == old else name for role, name in work.roles.items()} | {"it": new}
        case Convert(items=items, to=to):
            casts = {work.field(ref).name: to for ref in items}
            _select(work, part, {"cast": casts}, told=f"{listed(casts)} become {to}")


def _select(work: Work, part: Understood, config: dict[str, Any], *, told: str) -> None:
    work.put("select", config)
    work.tell(part, told)


def _show(work: Work, part: Understood) -> None:
    intent: Show = part.intent
    present = [f.name for f in work.sketch.columns()]
    if not intent.only and not work.cue("only") and _is_mere_mention(work, part, present):
        work.tell(part, "as it is")
        return
    names = [column_for(work, item, shown=True) for item in intent.items]
    present = [f.name for f in work.sketch.columns()]
    if not intent.only:
        made = work.made if not set(names) & set(work.made) else []
        beside = [*work.kept, *names, *(name for name in made if name not in work.hidden)]
        names = [name for name in beside if name in present]
    names = list(dict.fromkeys(names))
    if names != present:
        work.put("select", {"keep": names})
    work.tell(part, f"shows {listed(names)}")


def _merge_mentions(work: Work) -> None:
    """Of several lists of columns the one that says `only`, or the longest that holds the others, is meant."""
    shows = [p for p in work.parts if isinstance(p.intent, Show)]
    best = max(shows, key=lambda p: (p.intent.only, len(p.intent.items)), default=None)
    for part in shows:
        if best is not None and part is not best and _names(part.intent.items) <= _names(best.intent.items):
            work.parts.remove(part)


def _names(items: tuple[Any, ...]) -> set[str]:
    return {name for item in items for name in getattr(item, "names", (repr(item),))}


def _is_mere_mention(work: Work, part: Understood, present: list[str]) -> bool:
    """Columns that the result consists of anyway are only mentioned, and so are the groups and figures just made."""
    here, items = work.here(), part.intent.items
    found = {f.name for item in items if (f := here.find(item)) is not None}
    at = work.sketch.last("aggregate")
    if at is not None and work.made:
        config = work.sketch.main[at].config
        grouped = {*config["group_by"], *(m["name"] for m in config["measures"]), *work.made}
        measured = {m.get("column") for m in config["measures"]}
        lost = [item for item in items if here.find(item) is None]
        if found <= grouped and all(isinstance(i, ColumnRef) and measured & set(i.names) for i in lost):
            return True
    return found == set(present) and len(items) == len(present)


def drop_hidden(work: Work) -> None:
    """Drop the columns that only served an order."""
    there = [name for name in work.hidden if work.here().field(name)]
    if there:
        work.put("select", {"drop": there})


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
    if intent.path.rsplit(".", 1)[-1].lower() not in WRITABLE:
        raise Refusal(f"I cannot write `{intent.path}`. Name a file that ends in .csv, .parquet, .jsonl or .xlsx.")
    config: dict[str, Any] = {"path": intent.path} | ({"overwrite": True} if intent.overwrite else {})
    work.sketch.sinks.append(work.sketch.piece("write_file", config))
    work.tell(part, f"written to `{intent.path}`")


def draw(work: Work, part: Understood) -> None:
    """Build a chart of the result: what is grouped along x, the figure along y."""
    intent: Draw = part.intent
    x, y = (
        column_for(work, i, shown=not isinstance(i, Role)) if i is not None and not isinstance(i, Rows) else None
        for i in (intent.x, intent.y)
    )
    config: dict[str, Any] = {"kind": intent.kind}
    ask = "Which column shall the chart show?"
    if intent.kind == "histogram":
        config["x"] = x or y or the_number(work, ask=ask).name
    else:
        if intent.kind == "scatter" and y is None and x is not None:
            raise Unclear("A scatter chart needs two columns of numbers. Which second one?")
        at = work.sketch.last("aggregate")
        groups = work.sketch.main[at].config.get("group_by", ()) if at is not None else ()
        groups = [name for name in groups if work.here().field(name)]
        x = x or (groups[0] if groups else _label(work))
        y = y or the_number(work, but=(x,), ask=ask).name
        kinds = {f.name: f.kind for f in work.sketch.columns()}
        if kinds.get(y) != "number" and kinds.get(x) == "number":
            x, y = y, x
        if kinds.get(y) != "number":
            raise Unclear(
                f"The height of a chart is a number, and `{y}` is {kinds.get(y)}. Which figure shall it show?"
            )
        series = [name for name in groups if name not in (x, y)][:1]
        config |= {"x": x, "y": y} | ({"series": series[0]} if series else {})
    if any(sink.type == "chart" and config.items() <= sink.config.items() for sink in work.sketch.sinks):
        work.tell(part, "as it is drawn already")
        return
    work.sketch.sinks.append(work.sketch.piece("chart", config))
    work.tell(part, f"{intent.kind} chart of {listed(config[axis] for axis in ('x', 'y') if axis in config)}")


def _label(work: Work) -> str:
    """Return the one column along which a chart can run."""
    labels = [f.name for f in work.sketch.columns() if f.kind in ("text", "date")]
    if len(labels) != 1:
        there = listed(labels or [f.name for f in work.sketch.columns()])
        raise Unclear(f"Along which column shall the chart run? There are {there}.")
    return labels[0]
