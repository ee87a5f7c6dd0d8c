"""Edges, nodes and operations as models write them: clear slips are read as what they mean."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from headrace.tools.edit import EditFlow, SetFlow
from headrace.tools.intentions import forms_of, plain_operation
from headrace.tools.notation import connections

NODES = [{"id": "a", "type": "limit", "config": {"count": 1}}, {"id": "b", "type": "limit", "config": {"count": 2}}]


def _ids(edges: object, **inputs: tuple[str, ...]) -> list[str]:
    return [each.edge_id for each in connections(SetFlow(nodes=(), edges=edges).edges, inputs)]


@pytest.mark.parametrize(
    "edges",
    [
        ["a>b", "b>c"],
        ["a>b>c"],
        ["a -> b -> c"],
        "a>b, b>c",
        [{"source": "a", "target": "b"}, {"from": "b.out", "to": "c.in"}],
        [["a", "b"], ["b", "c"]],
        [{"source": {"node": "a", "port": "out"}, "target": {"node": "b", "port": "in"}}, "b>c"],
        '["a>b", "b>c"]',
    ],
)
def test_edges_are_read_in_every_clear_way(edges: object) -> None:
    assert _ids(edges) == ["a.out>b.in", "b.out>c.in"]


def test_an_edge_that_names_no_port_takes_the_next_free_one() -> None:
    assert _ids(["a>match", "b>match"], match=("left", "right")) == ["a.out>match.left", "b.out>match.right"]


def test_a_port_in_the_middle_of_a_chain_is_where_the_edge_arrives() -> None:
    assert _ids(["a>match.left>c"]) == ["a.out>match.left", "match.out>c.in"]


def test_an_edge_written_twice_is_one_edge() -> None:
    assert _ids(["a>b", "a.out>b.in"]) == ["a.out>b.in"]


def test_lists_and_objects_in_json_texts_are_read() -> None:
    read = SetFlow.model_validate({"nodes": '[{"id": "a", "type": "limit", "config": "{\\"count\\": 1}"}]'})
    assert read.nodes[0].config == {"count": 1}
    edit = EditFlow.model_validate({"operations": ['{"op": "remove_node", "node_id": "a"}'], "summary": "[kept]"})
    assert edit.operations == ({"op": "remove_node", "node_id": "a"},)
    assert edit.summary == "[kept]"


def test_a_text_that_is_no_json_is_refused_and_not_guessed_at() -> None:
    with pytest.raises(ValidationError):
        SetFlow.model_validate({"nodes": "[read, then count"})


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (
            {"op": "add_node", "id": "a", "type": "limit", "config": {"count": 1}},
            {"op": "add_node", "node": {"id": "a", "type": "limit", "config": {"count": 1}}},
        ),
        (
            {"op": "set_config", "id": "a", "config": {"count": 1}},
            {"op": "set_config", "node_id": "a", "values": {"count": 1}},
        ),
        ({"op": "connect", "edge": "a -> b"}, {"op": "connect", "source": "a", "target": "b"}),
        ({"op": "disconnect", "from": "a", "to": "b"}, {"op": "disconnect", "source": "a", "target": "b"}),
        ({"op": "set_name", "name": "x"}, {"op": "set_name", "name": "x"}),
    ],
)
def test_an_operation_in_another_form_is_read_as_what_it_means(written: dict, meant: dict) -> None:
    assert plain_operation(written) == meant


def test_the_forms_shown_are_those_of_the_operations_that_were_sent() -> None:
    assert forms_of(({"op": "connect"},)) == '{"op":"connect","source":"a.out","target":"b.in"}'
    assert "remove_node" in forms_of(({"op": "delete"},))
