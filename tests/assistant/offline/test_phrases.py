"""The node types' own phrases are the planner's grammar: each is read, and each type is built by words of its own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from headrace.assistant.models.offline import rules
from headrace.assistant.models.offline.builders import BUILDERS
from headrace.assistant.models.offline.grammar import compiled
from headrace.assistant.models.offline.notation import Notation, costed
from headrace.assistant.models.offline.phrases import COMPOSED, rules_of
from headrace.nodes.catalog import Catalog, standard_catalog
from headrace.nodes.spec import NodeType

from .bench_of_requests import Conversation

TYPES = standard_catalog().all()
FOLDER = Path(rules.__file__).parent
TABLES = Path(__file__).parent / "tables"
FILES = ["orders_march.csv", "orders_april.csv", "employees.csv", "departments.csv"]
SAID = {
    "becoming": "quantity becomes pieces",
    "casting": "quantity to text",
    "columns": "product, quantity",
    "complete": "complete rows",
    "condition": "quantity over 2",
    "count": "3",
    "definition": "double = quantity * 2",
    "derivation": "quantity * 2",
    "direction": "descending",
    "file": "orders_april.csv",
    "left": "employees.csv",
    "right": "departments.csv",
    "files": "orders_march.csv and orders_april.csv",
    "filling": "0",
    "incomplete": "incomplete rows",
    "items": "product, quantity",
    "item": "product",
    "joining": "join",
    "keys": "product",
    "kind": "bar chart",
    "alone": "histogram",
    "column": "quantity",
    "measures": "total quantity",
    "newfile": "copy.csv",
    "newly": "quantity pieces",
    "on": "on department",
    "openfile": "orders_march.csv",
    "orderable": "quantity",
    "rows": "rows",
    "renamings": "quantity to pieces",
    "sortkeys": "quantity descending",
    "unless": "quantity over 2",
}
"""What a person may say for a slot or its symbol, over the files of this test."""


@pytest.mark.parametrize("node_type", TYPES, ids=lambda node_type: node_type.name)
def test_every_phrase_can_be_read_and_its_slots_are_config_fields_or_inputs(node_type: NodeType) -> None:
    known = {*node_type.Config.model_fields, *(port.name for port in node_type.inputs)}
    for phrase in node_type.phrases:
        template, _ = costed(phrase)
        assert compiled(re.sub(r"<\w+>", "", template))
        named = {name for name in re.findall(r"\{(\w+)[^{}]*\}", template) if not name.startswith("_")}
        assert named <= known, phrase


def test_the_types_that_are_composed_of_several_clauses_are_in_the_catalogue() -> None:
    assert {node_type.name for node_type in TYPES} >= set(COMPOSED)
    assert not {rule.symbol for rule in rules_of(standard_catalog(), Notation(BUILDERS))} - {"intent", "part"}


@pytest.mark.parametrize(
    "node_type", [each for each in TYPES if each.name in COMPOSED], ids=lambda node_type: node_type.name
)
def test_a_type_is_built_by_its_own_phrases(node_type: NodeType) -> None:
    built = 0
    for request in _requests(node_type):
        conversation = Conversation(TABLES, FILES)
        if node_type.name not in ("read_file", "join", "union"):
            conversation.say("read orders_march.csv")
        conversation.say(request)
        built += node_type.name in {node["type"] for node in conversation.document["nodes"].values()}
    assert built, f"none of the phrases of {node_type.name} builds it"


def _requests(node_type: NodeType) -> list[str]:
    """Return the shortest request of each of a type's phrases."""
    notation = Notation(BUILDERS)
    list(notation.rules((FOLDER / "0_words.txt").read_text(encoding="utf-8")))
    made = rules_of(Catalog([node_type]), notation)
    return [" ".join(_words(compiled(rule.template))) for rule in made]


def _words(sequence: tuple[Any, ...]) -> list[str]:
    words: list[str] = []
    for item in sequence:
        if hasattr(item, "options"):
            words += min((_words(option) for option in item.options), key=lambda said: len(" ".join(said)))
        elif hasattr(item, "symbol"):
            words.append(
                SAID.get(item.name if item.symbol in ("file", "anyfile") else item.symbol)
                or SAID.get(item.symbol, item.symbol)
            )
        else:
            words.append(min(item.words, key=lambda word: (len(word), word)))
    return words
