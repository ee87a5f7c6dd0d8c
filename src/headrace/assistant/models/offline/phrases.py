"""Makes grammar rules of the node types' own phrases, so that a new node type is understood without a change here.

A phrase such as `random sample of {count} rows` names config fields as slots; a field's slot kind says what may stand there.
Only phrases that fill every required field are used; node types that the planner's own grammar builds are left to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from headrace.nodes.catalog import Catalog
from headrace.nodes.spec import Holds, NodeType, Slot
from headrace.nodes.wordlist import word_set

from .grammar import Rule
from .meaning import ColumnRef, Items, Number, Text, UseNode, ValueRef

SYMBOLS = {
    Slot.COLUMN: "column",
    Slot.COLUMNS: "columns",
    Slot.NEW_COLUMN: "newname",
    Slot.COUNT: "count",
    Slot.NUMBER: "number",
    Slot.TEXT: "text",
    Slot.VALUE: "scalar",
    Slot.READ_PATH: "file",
    Slot.WRITE_PATH: "newfile",
    Slot.CHOICE: "word",
}
BUILT_IN = word_set(
    "read_file manual_table filter select formula sort limit distinct aggregate join union fill_missing "
    "write_file chart"
)
"""Node types for which the planner composes configs out of several clauses; a phrase alone would say less."""


def rules_of(catalog: Catalog) -> list[Rule]:
    """Return the rules of every node type that speaks for itself."""
    return [rule for node_type in catalog.all() if node_type.name not in BUILT_IN for rule in _rules(node_type)]


def words_of(catalog: Catalog) -> frozenset[str]:
    """Return the words of the catalogue's synonyms and titles: what can at least be named."""
    texts = [text for node_type in catalog.all() for text in (node_type.title, *node_type.synonyms)]
    return frozenset(word for text in texts for word in re.findall(r"[a-z]+", text.casefold()) if len(word) > 2)


def _rules(node_type: NodeType) -> list[Rule]:
    slots = {name: _slot(field) for name, field in node_type.Config.model_fields.items()}
    required = {name for name, field in node_type.Config.model_fields.items() if field.is_required()}
    made = []
    for phrase in node_type.phrases:
        named = set(re.findall(r"\{(\w+)\}", phrase))
        symbols = {name: SYMBOLS[slot] for name in named if (slot := slots.get(name)) in SYMBOLS}
        if not required <= named or set(symbols) != named:
            continue
        template = re.sub(r"\{(\w+)\}", lambda found, of=symbols: f"{{{found[1]}:{of[found[1]]}}}", phrase)
        made.append(Rule("intent", template, _builder(node_type), -0.1))
    return made


def _slot(field: Any) -> Slot | None:
    return next((mark.slot for mark in field.metadata if isinstance(mark, Holds)), None)


def _builder(node_type: NodeType) -> Callable[..., UseNode | None]:
    def build(**bound: Any) -> UseNode | None:
        config = {name: plain(value) for name, value in bound.items()}
        if None in config.values():
            return None
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
