"""The node types' own phrases are templates in the planner's notation."""

from __future__ import annotations

import re

import pytest

from headrace.assistant.models.offline.grammar import compiled
from headrace.assistant.models.offline.phrases import BUILT_IN, rules_of
from headrace.nodes.catalog import standard_catalog
from headrace.nodes.spec import NodeType

TYPES = standard_catalog().all()


@pytest.mark.parametrize("node_type", TYPES, ids=lambda node_type: node_type.name)
def test_every_phrase_can_be_read_and_its_slots_are_config_fields_or_inputs(node_type: NodeType) -> None:
    known = {*node_type.Config.model_fields, *(port.name for port in node_type.inputs)}
    for phrase in node_type.phrases:
        assert compiled(phrase)
        named = set(re.findall(r"\{(\w+)\}", phrase))
        assert named <= known, phrase


def test_the_types_that_the_planner_composes_itself_are_there_and_have_no_rules_of_their_own() -> None:
    assert {node_type.name for node_type in TYPES} >= BUILT_IN
    assert not {rule.symbol for rule in rules_of(standard_catalog())} - {"intent"}
