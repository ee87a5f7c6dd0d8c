"""Names nodes in plain words by their type and config, so that no title goes stale. Refuses to know a flow or its data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

LONGEST = 60
TYPES = {"DOUBLE": "a number", "VARCHAR": "text", "DATE": "a date"}
SAID: tuple[tuple[str, str], ...] = (
    (r"CAST\((\"[^\"]+\") AS DATE\)", r"\1"),
    (r"CAST\(date_trunc\('(\w+)', (\"[^\"]+\")\) AS DATE\)", r"\1 of \2"),
    (r"(?:iso)?dow\((\"[^\"]+\")\)", r"weekday of \1"),
    (r"\b(year|month|quarter|hour)\((\"[^\"]+\")\)", r"\1 of \2"),
    (r"\b(contains|starts_with|ends_with)\((?:lower\()?(\"[^\"]+\")\)?, (?:lower\()?('[^']*')\)*", r"\2 \1 \3"),
    (r"\bNOT (\"[^\"]+\") (contains|starts_with|ends_with)", r"\1 not \2"),
    (r" NOT IN \(([^()]*)\)", r" is not \1"),
    (r" IN \(([^()]*)\)", r" is \1"),
    (r" IS NOT NULL", " is there"),
    (r" IS NULL", " is missing"),
    (r" BETWEEN (\S+|DATE '[^']*') AND ", r" is between \1 and "),
    (r" = ", " is "),
    (r" <> ", " is not "),
    (r" >= ", " is at least "),
    (r" <= ", " is at most "),
    (r" > ", " is above "),
    (r" < ", " is below "),
    (r"\bDATE '", "'"),
    (r"', '", "' or '"),
    (r"\bAND\b", "and"),
    (r"\bOR\b", "or"),
    (r"\bNOT\b", "not"),
)
"""How SQL is said, in this order: (pattern, words) each."""


def plain(name: str) -> str:
    """Return a column's name as people say it."""
    return name.replace("_", " ").strip()


def said(condition: str) -> str:
    """Return a condition in words: `"paid_with" = 'card'` is “paid with is card”."""
    for pattern, words in SAID:
        condition = re.sub(pattern, words, condition)
    names = re.sub(r"\"([^\"]+)\"", lambda found: plain(found[1]), condition)
    return re.sub(r"(starts|ends)_with", r"\1 with", names.replace("'", ""))


def title_of(type_name: str, config: Mapping[str, Any], files: Iterable[str] = ()) -> str:
    """Return a node's title; `files` are those that come in from the side."""
    make = TITLES.get(type_name)
    title = make(config, [path.rsplit("/", 1)[-1] for path in files]) if make else plain(type_name)
    title = title[:1].upper() + title[1:]
    return title if len(title) <= LONGEST else title[: LONGEST - 1].rstrip(" ,") + "…"


def names(columns: Iterable[str]) -> str:
    """Return columns as a list in a title."""
    return ", ".join(map(plain, columns))


def ordered(keys: Iterable[Mapping[str, Any]]) -> str:
    """Return sort keys in words."""
    return ", ".join(plain(key["column"]) + (", largest first" if key.get("descending") else "") for key in keys)


def places(count: int) -> str:
    """Return decimal places in words."""
    return "whole numbers" if count == 0 else f"{count} decimal place{'' if count == 1 else 's'}"


def _read(config: Mapping[str, Any], _: list[str]) -> str:
    return f"Read {str(config.get('path', '')).rsplit('/', 1)[-1]}"


def _filter(config: Mapping[str, Any], _: list[str]) -> str:
    return f"Only where {said(str(config.get('condition', '')))}"


def _select(config: Mapping[str, Any], _: list[str]) -> str:
    parts = [
        *([f"keep {names(config['keep'])}"] if config.get("keep") else []),
        *([f"drop {names(config['drop'])}"] if config.get("drop") else []),
        *([f"{names(config['first'])} first"] if config.get("first") else []),
        *(f"make {plain(column)} {TYPES.get(kind, kind)}" for column, kind in config.get("cast", {}).items()),
        *(f"rename {plain(old)} to {plain(new)}" for old, new in config.get("rename", {}).items()),
    ]
    return ", ".join(parts) or "Choose columns"


def _formula(config: Mapping[str, Any], _: list[str]) -> str:
    columns = config.get("columns", ())
    made = names(column["name"] for column in columns)
    counts = {count for c in columns for count in re.findall(r'^round\("[^"]*", (\d+)\)$', c["expression"]) or [""]}
    return f"Round {made} to {places(int(*counts))}" if len(counts) == 1 and "" not in counts else f"Add {made}"


def _aggregate(config: Mapping[str, Any], _: list[str]) -> str:
    figures = [_figure(measure) for measure in config.get("measures", ())]
    groups = [name for name in config.get("group_by", ()) if not name.endswith("_number")]
    return (", ".join(figures) or "Groups") + (f" by {names(groups)}" if groups else "")


def _figure(measure: Mapping[str, Any]) -> str:
    name = measure.get("name") or f"{measure.get('function')} {measure.get('column') or ''}"
    return "number of rows" if name == measure.get("function") == "count" else plain(name)


def _distinct(config: Mapping[str, Any], _: list[str]) -> str:
    if not config.get("columns"):
        return "Each row once"
    by = config.get("keep_first_by")
    return f"First of each {names(config['columns'])}" + (f" by {ordered(by)}" if by else "")


def _fill(config: Mapping[str, Any], _: list[str]) -> str:
    columns = names(config.get("columns") or ())
    if config.get("method") == "drop_rows":
        return f"Drop rows without {columns}" if columns else "Drop incomplete rows"
    with_what = config["value"] if config.get("method") == "value" else f"the {config.get('method')}"
    return f"Fill gaps{' in ' + columns if columns else ''} with {with_what}"


def _join(config: Mapping[str, Any], files: list[str]) -> str:
    how = {"anti": "Without a match in", "semi": "With a match in"}.get(config.get("how", ""), "Match with")
    return f"{how} {', '.join(files) or 'the other table'}"


def _chart(config: Mapping[str, Any], _: list[str]) -> str:
    axes = [plain(config[axis]) for axis in ("y", "x") if config.get(axis)]
    return f"{config.get('kind', 'bar')} chart of {' by '.join(axes)}"


TITLES = {
    "read_file": _read,
    "filter": _filter,
    "select": _select,
    "formula": _formula,
    "aggregate": _aggregate,
    "sort": lambda config, _: f"Sort by {ordered(config.get('by', ()))}",
    "limit": lambda config, _: f"First {config.get('count')}",
    "distinct": _distinct,
    "fill_missing": _fill,
    "join": _join,
    "union": lambda _, files: f"Put the rows of {', '.join(files)} below" if files else "Put the files together",
    "write_file": lambda config, _: f"Write {config.get('path')}",
    "chart": _chart,
}
"""A title for each node type that the planner makes itself; another is called by its name."""
