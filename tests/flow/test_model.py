"""The flow: sound, shared, hashed by what it means, and read from documents with every fault named."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headrace.base.canonical import same
from headrace.base.errors import HeadraceError, Invalid
from headrace.flow.model import EMPTY, Flow, content_hash, document_of, flow_from_document
from headrace.flow.operations import apply_all
from tests.flow.cases import (
    add,
    chain,
    connect,
    equal,
    flows,
    flows_with_batches,
    frozen,
    json_values,
    made,
    meaningless,
    run,
)


class TestSoundness:
    @given(flows())
    def test_whatever_operations_make_is_sound_and_well_indexed(self, flow: Flow):
        """[F1]"""
        assert all(key == node.id for key, node in flow.nodes.items())
        assert all(key == edge.id for key, edge in flow.edges.items())
        assert all(end in flow.nodes for e in flow.edges.values() for end in (e.source.node, e.target.node))
        assert all(node_id in flow.nodes for node_id in flow.layout)
        for node_id in flow.nodes:
            every = [flow.edges[key] for key in sorted(flow.edges)]
            assert list(flow.edges_into(node_id)) == [edge for edge in every if edge.target.node == node_id]
            assert list(flow.edges_from(node_id)) == [edge for edge in every if edge.source.node == node_id]
        assert set(flow.arriving) | set(flow.leaving) <= set(flow.nodes)

    def test_a_circle_in_a_document_can_be_opened(self):
        """[F1]"""
        document = document_of(chain("ab"))
        document["edges"]["b.out>a.in"] = {
            "source": {"node": "b", "port": "out"},
            "target": {"node": "a", "port": "in"},
        }
        assert len(flow_from_document(document).edges) == 2

    def test_an_edge_or_a_place_without_its_node_is_refused(self):
        """[F1, F7]"""
        document = document_of(chain("ab"))
        del document["nodes"]["b"]
        document["layout"]["c"] = {"x": 0, "y": 0}
        with pytest.raises(Invalid) as caught:
            flow_from_document(document)
        assert caught.value.code == "bad_flow"
        assert caught.value.faults == (
            "edges.a.out>b.in points at the node 'b', which is not in the flow.",
            "layout.c points at the node 'c', which is not in the flow.",
        )


class TestSharing:
    @given(flows_with_batches())
    def test_nobody_writes_into_a_flow(self, case: tuple[Flow, list[Any]]):
        """[F2]"""
        flow, batch = case
        before = frozen(flow)
        after = apply_all(flow, batch)
        assert frozen(flow) == before
        untouched = [key for key in flow.nodes if ("nodes", key) not in (after.lineage or (None, ()))[1]]
        if after is not flow:
            assert all(after.nodes[key] is flow.nodes[key] for key in untouched)

    def test_what_a_caller_does_to_its_own_dict_does_not_reach_the_flow(self):
        """[F2]"""
        config: dict[str, Any] = {"by": [{"column": "a"}]}
        flow = made(add("s", "sort", **config))
        config["by"][0]["column"] = "b"
        assert flow.nodes["s"].config == {"by": [{"column": "a"}]}

    def test_a_batch_that_does_nothing_gives_the_same_flow_back(self):
        """[F2]"""
        flow = chain("ab")
        assert apply_all(flow, []) is flow


class TestEquality:
    def test_flows_are_compared_as_json(self):
        """[F3]"""
        assert made(add("a", u=1.0)) == made(add("a", u=1))
        assert made(add("a", u=False)) != made(add("a", u=0))
        assert hash(made(add("a", u=1.0))) == hash(made(add("a", u=1)))
        assert made(add("a")) != "a"

    def test_a_flow_shows_itself_in_short(self):
        assert repr(chain("ab")) == "Flow('', 2 nodes, 1 edges)"


class TestContentHash:
    @given(flows())
    def test_it_does_not_depend_on_the_way_by_which_the_flow_came_about(self, flow: Flow):
        """[F4]"""
        assert content_hash(flow_from_document(document_of(flow))) == content_hash(flow)

    @given(flows(), flows())
    def test_it_is_the_same_exactly_when_nodes_edges_and_parameters_are(self, a: Flow, b: Flow):
        """[F4]"""
        meaning = [{kind: document_of(flow)[kind] for kind in ("nodes", "edges", "parameters")} for flow in (a, b)]
        assert (content_hash(a) == content_hash(b)) == same(*meaning)

    @given(flows(), meaningless)
    def test_moving_naming_and_noting_leave_it_alone(self, flow: Flow, batch: list[Any]):
        """[F4]"""
        assert content_hash(run(flow, batch)[0]) == content_hash(flow)

    def test_it_is_64_hex_digits_and_the_empty_flow_has_one(self):
        """[F4]"""
        assert len(content_hash(EMPTY)) == 64
        assert int(content_hash(EMPTY), 16) >= 0


class TestDocument:
    @given(flows())
    def test_a_document_gives_the_flow_back(self, flow: Flow):
        """[F6]"""
        again = flow_from_document(json.loads(json.dumps(document_of(flow))))
        assert equal(again, flow)
        assert again == flow

    def test_its_keys_are_sorted_and_it_says_its_format(self):
        """[F6]"""
        document = document_of(chain("cab"))
        assert list(document) == ["headrace", "name", "parameters", "nodes", "edges", "notes", "layout"]
        assert list(document["nodes"]) == ["a", "b", "c"]
        assert document["headrace"] == 1

    def test_a_record_may_leave_out_its_own_key(self):
        """[F6]"""
        flow = flow_from_document({"headrace": 1, "nodes": {"a": {"type": "filter"}}})
        assert flow.nodes["a"].id == "a"


class TestBadDocuments:
    @given(json_values)
    def test_any_json_gives_a_flow_or_an_error_of_the_house(self, given_json: Any):
        """[F7]"""
        for document in (given_json, {"headrace": 1, "nodes": given_json, "edges": given_json}):
            with suppress(HeadraceError):
                assert isinstance(flow_from_document(document), Flow)

    @given(flows(), st.data())
    def test_a_damaged_document_gives_a_flow_or_an_error_of_the_house(self, flow: Flow, data: st.DataObject):
        """[F7]"""
        document = json.loads(json.dumps(document_of(flow)))
        holder = document
        while isinstance(holder, dict) and holder:
            key = data.draw(st.sampled_from(sorted(holder)))
            if isinstance(holder[key], dict) and holder[key] and data.draw(st.booleans()):
                holder = holder[key]
                continue
            holder[key] = data.draw(json_values)
            break
        with suppress(HeadraceError):
            assert isinstance(flow_from_document(document), Flow)

    def test_every_fault_is_listed_with_its_place(self):
        """[F7]"""
        document = {
            "headrace": 1,
            "name": 7,
            "colour": "red",
            "nodes": {
                "a": {"type": "filter", "kind": "x"},
                "b": {},
                "c": {"id": "d", "type": "filter"},
                "2": {"type": "sort"},
                "e": {"type": "sort", "config": {"u": float("nan")}},
            },
            "edges": [],
        }
        with pytest.raises(Invalid) as caught:
            flow_from_document(document)
        assert caught.value.faults == (
            "'colour' is not a part of a flow; the parts are name, parameters, nodes, edges, notes, layout.",
            "The name must be text of at most 300 characters.",
            "nodes.a.kind is not known here; take it out.",
            "nodes.b.type is missing; give it a value.",
            "nodes.c is kept under that key but calls itself 'd'; make the two the same.",
            "nodes.2.id is '2'; it must begin with a letter and hold only letters, digits, '_' and '-', at most 64 of them.",
            "nodes.e.config: the value at 'u' is nan, which JSON cannot hold; use null or text.",
            "edges must be an object of records by key, not a list.",
        )
        assert "8 things are wrong" in caught.value.message

    def test_many_faults_are_counted_not_poured_out(self):
        """[F7]"""
        with pytest.raises(Invalid) as caught:
            flow_from_document({"headrace": 1, "nodes": {f"n{i}": {} for i in range(80)}})
        assert len(caught.value.faults) == 51
        assert caught.value.faults[-1] == "… and 30 more."

    @pytest.mark.parametrize("document", [None, [], "x", {}, {"nodes": {}}, {"headrace": True}, {"headrace": "1"}])
    def test_what_is_no_flow_says_how_one_begins(self, document: Any):
        """[F7]"""
        with pytest.raises(Invalid) as caught:
            flow_from_document(document)
        assert caught.value.code == "not_a_flow"

    def test_a_newer_format_is_named(self):
        """[F7]"""
        with pytest.raises(Invalid, match="version 9 of the format") as caught:
            flow_from_document({"headrace": 9, "tables": {}})
        assert caught.value.code == "newer_version"

    @pytest.mark.parametrize(
        ("value", "words"),
        [
            ("\ud800", "half of a character"),
            (10**39, "38 digits"),
            (float("inf"), "JSON cannot hold"),
        ],
    )
    def test_only_json_gets_in(self, value: Any, words: str):
        """[F8]"""
        document = {"headrace": 1, "nodes": {"a": {"type": "filter", "config": {"u": [value]}}}}
        with pytest.raises(Invalid, match=words):
            flow_from_document(document)

    def test_deep_values_are_refused(self):
        """[F8]"""
        value: Any = 0
        for _ in range(40):
            value = [value]
        with pytest.raises(Invalid, match="32 levels"):
            flow_from_document({"headrace": 1, "nodes": {"a": {"type": "filter", "config": {"u": value}}}})


def test_lineage_is_left_behind_when_a_flow_is_read_from_a_document():
    """[F5]"""
    flow = flow_from_document(document_of(made(add("a"), add("b"), connect("a", "b"))))
    assert flow.lineage is None
    assert replace(flow, lineage=None) == flow
