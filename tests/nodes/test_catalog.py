"""The node types that there are: found by name, by words, by near spelling; each says all that it has to."""

from __future__ import annotations

import re
import time

import pytest

from headrace.base.errors import Invalid
from headrace.nodes.catalog import Catalog
from headrace.nodes.near import near
from headrace.nodes.spec import ActionNode, Holds, NodeType, TableNode
from tests.nodes.workbench import catalog

EXPECTED = [
    "aggregate",
    "chart",
    "distinct",
    "fill_missing",
    "filter",
    "formula",
    "join",
    "limit",
    "manual_table",
    "read_file",
    "select",
    "sort",
    "union",
    "write_file",
]


class TestFinding:
    def test_every_file_of_the_library_is_in_it(self) -> None:
        assert [each.name for each in catalog().all()] == EXPECTED

    def test_an_unknown_name_leads_to_near_ones(self) -> None:
        with pytest.raises(Invalid, match="aggregate"):
            catalog().get("agregate")
        with pytest.raises(Invalid, match="aggregate"):
            catalog().get("group_by")
        assert catalog().find("agregate") is None

    def test_two_types_of_one_name_are_refused(self) -> None:
        with pytest.raises(ValueError, match="'sort'"):
            Catalog([catalog().get("sort"), catalog().get("sort")])


class TestSearch:
    @pytest.mark.parametrize(
        ("words", "name"),
        [
            ("sort by date", "sort"),
            ("order by amount", "sort"),
            ("remove duplicates", "distinct"),
            ("remuve duplicats", "distinct"),
            ("how many per country", "aggregate"),
            ("average", "aggregate"),
            ("group by", "aggregate"),
            ("top 10", "limit"),
            ("rename a column", "select"),
            ("vlookup", "join"),
            ("append two files", "union"),
            ("fill blanks", "fill_missing"),
            ("calculate a ratio", "formula"),
            ("where amount", "filter"),
            ("plot", "chart"),
            ("save as parquet", "write_file"),
            ("open a csv", "read_file"),
        ],
    )
    def test_words_people_use_find_the_type(self, words: str, name: str) -> None:
        assert catalog().search(words)[0].name == name

    def test_the_same_words_give_the_same_answer(self) -> None:
        assert catalog().search("sort rows") == catalog().search("sort rows")

    def test_nonsense_finds_nothing_and_breaks_nothing(self) -> None:
        for words in ("", "zzzzz", '"', "a AND (", "NEAR(", "*", "col:x", "\0", "the of and"):
            catalog().search(words)
        assert catalog().search("qqqqqq") == []

    def test_it_takes_about_a_millisecond(self) -> None:
        catalog().search("warm")
        started = time.process_time()
        for _ in range(50):
            catalog().search("how many orders per country and month")
        assert (time.process_time() - started) / 50 < 0.005


@pytest.mark.parametrize("node_type", catalog().all(), ids=lambda each: each.name)
class TestEveryType:
    def test_it_says_what_it_is(self, node_type: NodeType) -> None:
        assert re.fullmatch(r"[a-z_]+", node_type.name)
        assert node_type.title
        assert node_type.summary.endswith(".")
        assert "\n" not in node_type.summary
        assert len(node_type.synonyms) >= 4
        assert len(node_type.phrases) >= 2
        assert isinstance(node_type, TableNode | ActionNode)

    def test_every_config_field_is_described_and_marked(self, node_type: NodeType) -> None:
        for name, field in node_type.Config.model_fields.items():
            assert field.description, name
            assert any(isinstance(mark, Holds) for mark in field.metadata), name

    def test_the_schema_carries_the_marks(self, node_type: NodeType) -> None:
        schema = node_type.Config.model_json_schema()
        assert schema["additionalProperties"] is False
        assert all("x-slot" in str(part) or "$ref" in part for part in schema["properties"].values())

    def test_slots_of_phrases_are_fields_or_ports(self, node_type: NodeType) -> None:
        known = {*node_type.Config.model_fields, *(port.name for port in node_type.inputs)}
        for phrase in node_type.phrases:
            assert set(re.findall(r"\{(\w+)\}", phrase)) <= known, phrase


class TestNear:
    def test_spelling_words_and_parts_count(self) -> None:
        names = ["body_mass_g", "bill_length_mm", "Unit Price", "customerId", "date"]
        assert near("bodymass", names)[0] == "body_mass_g"
        assert near("mass", names)[0] == "body_mass_g"
        assert near("unit_price", names)[0] == "Unit Price"
        assert near("customer id", names)[0] == "customerId"
        assert near("dat", names)[0] == "date"

    def test_what_is_far_is_not_offered(self) -> None:
        assert near("zebra", ["amount", "id"]) == []
        assert near("", ["amount"]) == []

    def test_a_very_long_list_is_bounded(self) -> None:
        started = time.process_time()
        near("amount", (f"column_{n}" for n in range(1_000_000)))
        assert time.process_time() - started < 2
