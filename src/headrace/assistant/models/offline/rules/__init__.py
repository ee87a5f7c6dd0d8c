"""The grammar of requests: text files of rules, one an area. None of them knows a table or a node type."""

from __future__ import annotations

from pathlib import Path

from headrace.assistant.models.offline.builders import BUILDERS
from headrace.assistant.models.offline.grammar import Grammar
from headrace.assistant.models.offline.notation import Notation
from headrace.assistant.models.offline.phrases import rules_of
from headrace.nodes.catalog import Catalog


def grammar_of(catalog: Catalog) -> Grammar:
    """Return the rules of these files and of the node types' own phrases. Errors: ValueError names a rule that cannot be read."""
    notation = Notation(BUILDERS)
    texts = sorted(Path(__file__).parent.glob("*.txt"))
    rules = [rule for file in texts for rule in notation.rules(file.read_text(encoding="utf-8"))]
    return Grammar([*rules, *rules_of(catalog, notation)])
