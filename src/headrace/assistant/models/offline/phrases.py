"""Makes grammar rules of the node types' own phrases, so that a new node type is understood without a change here.

A phrase such as `random sample of {count} rows` names config fields (or ports) as slots; what a field holds says what may
stand there. Most node types are used with just the config that a phrase fills. Those that requests spread over several
clauses are not placed at once: their phrases give intents, which the builders compose with the rest of the request.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from headrace.nodes.catalog import Catalog
from headrace.nodes.spec import Holds, NodeType, Slot

from .builders import first_of, join, ordered
from .grammar import Rule
from .meaning import (
    NOTHING,
    Both,
    By,
    ColumnRef,
    Convert,
    Derive,
    Draw,
    DropMissing,
    Either,
    Figures,
    Fill,
    Formula,
    Items,
    Keep,
    Not,
    Number,
    Omit,
    Rename,
    Role,
    Show,
    Stack,
    Test,
    Text,
    Top,
    Unique,
    UseFile,
    UseNode,
    ValueRef,
    Write,
)
from .notation import Notation, costed

SYMBOLS = {
    Slot.COLUMN: "column",
    Slot.COLUMNS: "columns",
    Slot.NEW_COLUMN: "newname",
    Slot.CONDITION: "condition",
    Slot.EXPRESSION: "formula",
    Slot.SORT_KEYS: "sortkeys",
    Slot.MEASURES: "measures",
    Slot.FORMULAS: "derivation",
    Slot.RENAMES: "renamings",
    Slot.CASTS: "casting",
    Slot.KEY_PAIRS: "onpairs",
    Slot.COUNT: "count",
    Slot.NUMBER: "number",
    Slot.TEXT: "text",
    Slot.VALUE: "scalar",
    Slot.READ_PATH: "file",
    Slot.WRITE_PATH: "newfile",
    Slot.CHOICE: "word",
}
WRITABLE = frozenset(
    {
        "column",
        "columns",
        "newname",
        "condition",
        "formula",
        "count",
        "number",
        "text",
        "scalar",
        "file",
        "newfile",
        "word",
    }
)
"""Symbols whose meaning can be written into one config field."""
OPEN = (Test, Not, Either, Both, Formula)
"""Meanings that become SQL only where the columns are known."""
Compose = Callable[..., Any]


# --- what is composed of several clauses ------------------------------------------------------------------------------


def _select(
    *,
    keep: Items = NOTHING,
    drop: Items = NOTHING,
    first: Items = NOTHING,
    rename: Items = NOTHING,
    cast: Convert | None = None,
) -> Any:
    if keep.of or first.of:
        return Show(keep.of, only=True) if keep.of else Show((Role("first"), *first.of))
    return cast or (Omit(drop.of) if drop.of else Rename(rename.of))


def _aggregate(*, measures: Items = NOTHING, group_by: Items = NOTHING) -> Any:
    made = (*((By(group_by.of, sure=True),) if group_by.of else ()), *((Figures(measures.of),) if measures.of else ()))
    return made[0] if len(made) == 1 else Items(made)


def _fill(*, method: DropMissing | None = None, columns: Items = NOTHING, value: Items = NOTHING) -> Any:
    return method or Fill(value.of[0], columns.of, value.of[1])


def _join(*, how: str = "inner", left: str | None = None, right: str | None = None, on: Items = NOTHING) -> Any:
    return join(left, right, on=on, how=how)


def _union(**bound: Items) -> Stack | None:
    paths = bound.get("in", NOTHING).of
    return Stack(paths) if len(paths) != 1 else None


def _chart(*, kind: str = "bar", x: Any = None, y: Any = None) -> Draw:
    return Draw(kind, x, y)


def _distinct(*, columns: Items | None = None) -> Unique | UseNode | None:
    return first_of(columns) if columns else Unique()


def _derived(*, columns: Derive) -> Derive:
    return Derive(columns.name or "", columns.formula)


COMPOSED: Mapping[str, Compose] = {
    "read_file": UseFile,
    "filter": Keep,
    "sort": lambda *, by: ordered(by),
    "limit": Top,
    "select": _select,
    "distinct": _distinct,
    "fill_missing": _fill,
    "formula": _derived,
    "aggregate": _aggregate,
    "join": _join,
    "union": _union,
    "write_file": Write,
    "chart": _chart,
}
"""Node types whose configs are composed out of several clauses, and the intent that a phrase of theirs gives."""


# --- rules ------------------------------------------------------------------------------------------------------------


def rules_of(catalog: Catalog, notation: Notation) -> list[Rule]:
    """Return the rules of all phrases that the planner can read; `notation` knows the words that phrases share."""
    return [rule for node_type in catalog.all() for rule in (*_rules(node_type, notation), *_names(node_type))]


def words_of(catalog: Catalog) -> frozenset[str]:
    """Return the words of the catalogue's synonyms and titles: what can at least be named."""
    texts = [text for node_type in catalog.all() for text in (node_type.title, *node_type.synonyms)]
    return frozenset(word for text in texts for word in re.findall(r"[a-z]+", text.casefold()) if len(word) > 2)


def _rules(node_type: NodeType, notation: Notation) -> Iterator[Rule]:
    symbols = _symbols(node_type)
    required = {name for name, field in node_type.Config.model_fields.items() if field.is_required()}
    compose = COMPOSED.get(node_type.name)
    for phrase in node_type.phrases:
        template, cost = costed(notation.expanded(phrase))
        named = dict(re.findall(r"\{([a-z]\w*)(?::(\w+))?\}", template))
        filled = {name: symbol or symbols.get(name, "") for name, symbol in named.items()}
        whole = compose or (required <= set(filled) and set(filled.values()) <= WRITABLE)
        if whole and all(filled.values()):
            template = re.sub(r"\{([a-z]\w*)\}", lambda found, of=filled: f"{{{found[1]}:{of[found[1]]}}}", template)
            yield Rule("intent", template, compose or _use(node_type), cost if compose else cost - 0.1)


def _names(node_type: NodeType) -> Iterator[Rule]:
    """Yield how a node of a type is called in `drop the chart`."""
    for name in {node_type.title.casefold(), node_type.name.replace("_", " ")}:
        yield Rule("part", name, lambda: node_type.name)


def _symbols(node_type: NodeType) -> dict[str, str]:
    """Return what may stand for each config field and input port."""
    ports = {port.name: "files" if port.many else "file" for port in node_type.inputs}
    marks = {
        name: next((mark.slot for mark in field.metadata if isinstance(mark, Holds)), None)
        for name, field in node_type.Config.model_fields.items()
    }
    return ports | {name: SYMBOLS[slot] for name, slot in marks.items() if slot in SYMBOLS}


def _use(node_type: NodeType) -> Callable[..., UseNode | None]:
    def build(**bound: Any) -> UseNode | None:
        config = {name: plain(value) for name, value in bound.items()}
        if None in config.values():
            return None
        if not any(isinstance(value, OPEN) for value in config.values()):
            try:
                node_type.Config.model_validate(config)
            except ValueError:
                return None
        return UseNode(
            node_type.name, tuple((name, tuple(v) if isinstance(v, list) else v) for name, v in config.items())
        )

    return build


def plain(value: Any) -> Any:
    """Return what was read as a config value; None where it is not sure which is meant."""
    match value:
        case ColumnRef(names=names):
            return names[0] if len(names) == 1 else None
        case Items(of=items):
            made = [plain(item) for item in items]
            return None if None in made else made
        case Number(value=number):
            return number
        case Text(value=text):
            return text
        case ValueRef(options=options):
            return options[0][1]
    return value
