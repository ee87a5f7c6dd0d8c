"""Configs as flows keep them: parameters put in, every fault listed with its place."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headrace.flow.model import Node, Parameter
from headrace.nodes.casts import read_type
from headrace.nodes.configs import read_config
from headrace.nodes.spec import Fault, NodeFault
from tests.nodes.workbench import catalog

PARAMETERS = {
    "top": Parameter(name="top", type="number", default=5),
    "paid": Parameter(name="paid", type="text", default="status = 'paid'"),
}


def read(type_name: str, config: dict[str, Any]) -> tuple[Any, tuple[Fault, ...]]:
    """Return a config as its node type reads it."""
    return read_config(Node(id="n", type=type_name, config=config), catalog().get(type_name), PARAMETERS)


def places(type_name: str, config: dict[str, Any]) -> set[tuple[str, tuple[str, ...]]]:
    """Return the code and path of each fault."""
    parsed, faults = read(type_name, config)
    assert parsed is None
    assert all(fault.message.endswith((".", "`")) for fault in faults), faults
    return {(fault.code, fault.path) for fault in faults}


class TestReading:
    def test_parameters_are_put_in_wherever_a_value_stands(self) -> None:
        parsed, faults = read("limit", {"count": {"$parameter": "top"}})
        assert (parsed.count, faults) == (5, ())
        parsed, _ = read("sort", {"by": [{"column": {"$parameter": "paid"}}]})
        assert parsed.by[0].column == "status = 'paid'"

    @pytest.mark.parametrize(
        ("type_name", "config", "expected"),
        [
            ("limit", {}, {("F301", ("count",))}),
            ("limit", {"count": -1}, {("F303", ("count",))}),
            ("limit", {"count": "x"}, {("F303", ("count",))}),
            ("limit", {"count": 1, "ofset": 2}, {("F302", ("ofset",))}),
            ("sort", {"by": []}, {("F303", ("by",))}),
            ("sort", {"by": [{"colum": "a"}]}, {("F301", ("by", "0", "column")), ("F302", ("by", "0", "colum"))}),
            ("sort", {"by": "a"}, {("F303", ("by",))}),
            ("join", {"how": "outer", "on": [{"left": "a", "right": "b"}]}, {("F303", ("how",))}),
            ("join", {"on": []}, {("F303", ("on",))}),
            ("aggregate", {"measures": [{"function": "sum"}]}, {("F303", ("measures", "0"))}),
            (
                "aggregate",
                {"measures": [{"function": "avg", "column": "a"}]},
                {("F303", ("measures", "0", "function"))},
            ),
            ("aggregate", {}, {("F303", ())}),
            ("fill_missing", {"method": "value"}, {("F303", ())}),
            ("limit", {"count": {"$parameter": "nope"}}, {("F304", ("count",))}),
            ("filter", {"condition": {"$secret": "k"}}, {("F303", ("condition",))}),
            ("select", {"cast": {"a": 3}}, {("F303", ("cast", "a"))}),
        ],
    )
    def test_every_fault_has_its_code_and_place(
        self, type_name: str, config: dict[str, Any], expected: set[tuple[str, tuple[str, ...]]]
    ) -> None:
        assert places(type_name, config) == expected

    def test_an_unknown_key_names_the_near_one_deep_down_too(self) -> None:
        _, faults = read("sort", {"by": [{"column": "a", "decsending": True}]})
        assert "'descending'" in faults[0].message

    def test_a_wrong_choice_lists_the_right_ones(self) -> None:
        _, faults = read("join", {"how": "outer", "on": [{"left": "a", "right": "b"}]})
        assert "'inner'" in faults[0].message
        assert "'outer'" in faults[0].message

    @pytest.mark.parametrize("type_name", [each.name for each in catalog().all()])
    def test_what_is_missing_is_said_without_examples_for_programs(self, type_name: str) -> None:
        _, faults = read(type_name, {})
        for fault in faults:
            assert not set('{}[]"') & set(fault.message), fault.message
            assert ": :" not in fault.message

    @pytest.mark.parametrize(
        ("type_name", "config", "message"),
        [
            ("sort", {}, "'by' is missing. What goes there: what to sort by, the most important first."),
            (
                "fill_missing",
                {},
                "'method' is missing. Choose one of value, mean, median, min, max, previous, next, drop_rows.",
            ),
            ("sort", {"by": [{"column": "a"}, {}]}, "'column' in item 2 of 'by' is missing. Give it a value."),
            ("select", {"cast": {"a": 3}}, "'a' in 'cast' is 3; it must be text."),
            ("select", {"keep": [None]}, "item 1 of 'keep' is null; it must be text."),
            ("limit", {"count": 1.5}, "'count' is 1.5; it must be a whole number."),
            ("aggregate", {}, "This node needs columns to group by, or measures, or both."),
            (
                "fill_missing",
                {"method": "value", "value": {"a": 1}},
                "'value' is {\"a\": 1}; it must be a text, a number, or true or false.",
            ),
        ],
    )
    def test_faults_are_said_in_plain_words(self, type_name: str, config: dict[str, Any], message: str) -> None:
        _, faults = read(type_name, config)
        assert [fault.message for fault in faults] == [message]

    @given(
        st.sampled_from([each.name for each in catalog().all()]),
        st.recursive(
            st.none()
            | st.booleans()
            | st.integers(-5, 5)
            | st.text(max_size=5)
            | st.sampled_from(["a", "sum", "name"]),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(["column", "by", "name", "on", "left", "$parameter", "x"]), inner, max_size=3
                )
            ),
            max_leaves=8,
        ),
        st.data(),
    )
    def test_anything_is_read_or_told(self, type_name: str, value: Any, data: st.DataObject) -> None:
        keys = [*catalog().get(type_name).Config.model_fields, "nonsense"]
        config = dict.fromkeys(data.draw(st.lists(st.sampled_from(keys), max_size=3)), value)
        parsed, faults = read(type_name, config)
        assert (parsed is None) == bool(faults)


class TestTypes:
    @pytest.mark.parametrize(
        ("text", "type_name"),
        [
            ("text", "TEXT"),
            ("number", "DOUBLE"),
            ("whole number", "BIGINT"),
            ("Date and Time", "TIMESTAMP"),
            ("decimal(12,2)", "DECIMAL(12, 2)"),
            ("VARCHAR[]", "TEXT[]"),
            ("int", "BIGINT"),
            ("SMALLINT", "SMALLINT"),
        ],
    )
    def test_plain_words_and_duckdbs_names_are_types(self, text: str, type_name: str) -> None:
        assert read_type(text, path=("cast", "a")).sql(dialect="duckdb") == type_name

    @pytest.mark.parametrize(
        "text",
        ["txet", "", "int; drop table t", "varchar) as x, (1", "struct(a int)", "map(int, int)", "x" * 500, "(((("],
    )
    def test_nothing_else_is(self, text: str) -> None:
        with pytest.raises(NodeFault) as caught:
            read_type(text, path=("cast", "a"))
        assert caught.value.faults[0].code == "F303"
