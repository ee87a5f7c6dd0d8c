"""Operations: all or nothing, errors that teach, and every way in which they may be written."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from headrace.base.errors import HeadraceError, Invalid
from headrace.flow.model import EMPTY, Flow, Note, Point, PortRef
from headrace.flow.operations import (
    OPERATIONS,
    Connect,
    Operation,
    OperationError,
    SetNote,
    apply_all,
    describe_all,
    operations_from,
)
from headrace.flow.order import leads_to
from tests.flow.cases import (
    add,
    batches,
    chain,
    connect,
    equal,
    flows,
    flows_with_batches,
    frozen,
    json_values,
    made,
    run,
)

NAMES = {kind.model_fields["op"].default for kind in get_args(get_args(Operation)[0])}


def refusal(flow: Flow, *written: dict[str, Any]) -> OperationError:
    with pytest.raises(OperationError) as caught:
        made(*written, on=flow)
    return caught.value


class TestBatches:
    @given(flows_with_batches())
    def test_a_batch_does_what_its_operations_do_one_after_the_other(self, case: tuple[Flow, list[Operation]]):
        """[O1]"""
        flow, batch = case
        assert equal(apply_all(flow, batch), run(flow, batch)[0])

    @given(flows(), batches)
    def test_a_batch_that_fails_changes_nothing_and_says_which_operation_failed(
        self, flow: Flow, batch: list[Operation]
    ):
        """[O1, O2]"""
        before = frozen(flow)
        with suppress(OperationError):
            apply_all(flow, batch)
            return
        with pytest.raises(OperationError) as caught:
            apply_all(flow, batch)
        index = caught.value.index
        assert frozen(flow) == before
        assert caught.value.message.startswith(f"operations[{index}] ({batch[index].op}): ")
        apply_all(flow, batch[:index])
        with pytest.raises(OperationError) as again:
            apply_all(flow, batch[: index + 1])
        assert again.value.index == index

    def test_later_operations_lean_on_earlier_ones(self):
        """[O1]"""
        flow = made(add("a"), add("b"), connect("a", "b"), {"op": "remove_node", "node_id": "a"}, add("a", "sort"))
        assert flow.nodes["a"].type == "sort"
        assert not flow.edges

    @given(flows(), batches)
    def test_a_fault_that_only_follows_from_another_is_not_told_twice(self, flow: Flow, batch: list[Operation]):
        """[O2]"""
        with suppress(OperationError):
            apply_all(flow, batch)
            return
        with pytest.raises(OperationError) as caught:
            apply_all(flow, batch)
        indexes = [fault.index for fault in caught.value.faults]
        assert indexes == sorted(set(indexes))
        assert indexes[0] == caught.value.index

    def test_every_fault_of_its_own_is_told_at_once(self):
        """[O2]"""
        error = refusal(
            chain("ab"),
            {"op": "set_title", "node_id": "x", "title": "X"},
            {"op": "set_config", "node_id": "x", "values": {"u": 1}},
            add("a"),
            connect("b", "a"),
        )
        assert [(fault.index, fault.code) for fault in error.faults] == [(0, "unknown_node"), (2, "node_exists")]


class TestNodes:
    def test_removing_a_node_takes_its_edges_and_its_place(self):
        """[O5]"""
        move = {"op": "move_nodes", "positions": {"b": {"x": 1, "y": 2}}}
        flow = made(move, {"op": "remove_node", "node_id": "b"}, on=chain("abc"))
        assert list(flow.nodes) == ["a", "c"] or set(flow.nodes) == {"a", "c"}
        assert not flow.edges
        assert not flow.layout

    def test_a_node_of_that_id_is_there_already(self):
        """[O2]"""
        error = refusal(chain("ab"), add("a", "sort"))
        assert error.code == "node_exists"
        assert error.message == "operations[0] (add_node): There is a node 'a' already, a 'filter'."
        assert "'a_2'" in error.hint

    def test_a_slip_in_an_id_is_met_with_the_near_misses(self):
        """[O2]"""
        flow = made(add("filter_paid"), add("sort_by_date"))
        error = refusal(flow, {"op": "remove_node", "node_id": "filter_payed"})
        assert error.code == "unknown_node"
        assert error.hint == "Did you mean 'filter_paid'?"

    def test_an_id_like_no_other_is_met_with_what_there_is(self):
        """[O2]"""
        flow = made(*(add(f"n{i}") for i in range(30)))
        hint = refusal(flow, {"op": "remove_node", "node_id": "zebra"}).hint
        assert hint.startswith("Nodes here: n0, n1, n10, ")
        assert hint.endswith(" and 18 more.")

    def test_replacing_keeps_id_title_edges_and_place(self):
        flow = made(
            {"op": "set_title", "node_id": "b", "title": "B"},
            {"op": "replace_node", "node_id": "b", "type": "sort", "config": {"by": []}, "version": 2},
            on=chain("abc"),
        )
        node = flow.nodes["b"]
        assert (node.type, node.title, node.config, node.version) == ("sort", "B", {"by": []}, 2)
        assert len(flow.edges) == 2

    def test_config_values_are_set_beside_the_others_and_taken_out_by_key(self):
        flow = made(
            add("a", u=1, v=2),
            {"op": "set_config", "node_id": "a", "values": {"v": 3, "w": None}},
            {"op": "unset_config", "node_id": "a", "keys": ["u"]},
        )
        assert flow.nodes["a"].config == {"v": 3, "w": None}

    def test_taking_out_a_key_that_is_not_set_names_those_that_are(self):
        """[O2]"""
        error = refusal(made(add("a", condition="x > 1")), {"op": "unset_config", "node_id": "a", "keys": ["conditon"]})
        assert error.code == "unknown_key"
        assert "'condition'" in error.hint

    def test_a_move_of_an_unknown_node_moves_none(self):
        """[O1]"""
        flow = chain("ab")
        error = refusal(flow, {"op": "move_nodes", "positions": {"a": {"x": 0, "y": 0}, "z": {"x": 0, "y": 0}}})
        assert error.code == "unknown_node"
        assert not flow.layout


class TestEdges:
    def test_a_circle_is_refused_and_shown(self):
        """[O3]"""
        error = refusal(chain("abc"), connect("c", "a"))
        assert error.code == "cycle"
        assert "c → a → b → c" in error.message

    def test_a_node_does_not_feed_itself(self):
        """[O3]"""
        assert refusal(chain("ab"), connect("a", "a")).code == "cycle"

    @given(flows())
    def test_operations_never_make_a_circle(self, flow: Flow):
        """[O3]"""
        waiting = dict(flow.nodes.items())
        while waiting:
            free = [n for n in waiting if all(e.source.node not in waiting for e in flow.edges_into(n))]
            assert free
            for node_id in free:
                del waiting[node_id]

    def test_an_edge_that_is_there_is_not_added_again(self):
        assert refusal(chain("ab"), connect("a", "b")).code == "edge_exists"

    def test_disconnecting_what_is_not_connected_names_the_edges_between(self):
        """[O2]"""
        flow = made(add("a"), add("j", "join"), connect("a", "j.left"))
        error = refusal(flow, {"op": "disconnect", "source": "a", "target": "j.right"})
        assert error.code == "unknown_edge"
        assert error.hint == "Edges between them: a.out>j.left."

    def test_insert_between_splits_an_edge(self):
        flow = made(
            {
                "op": "insert_between",
                "source": "a",
                "target": "b",
                "node": {"id": "j", "type": "join"},
                "in_port": "left",
                "at": {"x": 1, "y": 1},
            },
            on=chain("ab"),
        )
        assert sorted(flow.edges) == ["a.out>j.left", "j.out>b.in"]
        assert flow.layout["j"] == Point(x=1, y=1)

    def test_insert_between_needs_the_edge_and_leaves_no_node_behind(self):
        """[O1]"""
        written = {"op": "insert_between", "source": "b", "target": "a", "node": {"id": "n", "type": "sort"}}
        assert refusal(chain("ab"), written).code == "unknown_edge"

    def test_connecting_at_the_ends_of_a_long_chain_looks_once(self):
        """[O4]"""
        flow = chain([f"n{i}" for i in range(2000)])
        looks: list[str] = []

        class Watched:
            def edges_into(self, node_id: str, /):
                looks.append(node_id)
                return flow.edges_into(node_id)

            def edges_from(self, node_id: str, /):
                looks.append(node_id)
                return flow.edges_from(node_id)

        assert not leads_to(Watched(), "n1999", "n0")
        assert len(looks) == 1


class TestNotesParametersName:
    def test_notes_come_change_and_go(self):
        flow = made({"op": "set_note", "note_id": "n", "note": {"text": "hello"}})
        assert flow.notes["n"] == Note(id="n", text="hello")
        flow = made({"op": "set_note", "note_id": "n", "note": None}, on=flow)
        assert not flow.notes
        assert refusal(flow, {"op": "set_note", "note_id": "n", "note": None}).code == "unknown_note"

    def test_parameters_come_and_go(self):
        flow = made({"op": "set_parameter", "name": "limit", "parameter": {"type": "number", "default": 5}})
        assert flow.parameters["limit"].default == 5
        flow = made({"op": "set_parameter", "name": "limit", "parameter": None}, on=flow)
        assert refusal(flow, {"op": "set_parameter", "name": "limit", "parameter": None}).code == "unknown_parameter"

    def test_the_flow_gets_a_name(self):
        assert made({"op": "set_name", "name": "Sales"}).name == "Sales"


class TestReading:
    def test_all_thirteen_are_known(self):
        """[O6]"""
        assert len(NAMES) == 13
        assert "insert_between" in NAMES

    @pytest.mark.parametrize(
        ("written", "read"),
        [
            ("a", ("a", "out")),
            ("a.chart", ("a", "chart")),
            ({"node": "a"}, ("a", "out")),
            ({"node": "a", "port": "chart"}, ("a", "chart")),
            (PortRef(node="a", port="chart"), ("a", "chart")),
        ],
    )
    def test_an_end_may_be_written_in_several_ways(self, written: Any, read: tuple[str, str]):
        """[O6]"""
        (operation,) = operations_from([{"op": "connect", "source": written, "target": "b"}])
        assert isinstance(operation, Connect)
        assert operation.source == PortRef(node=read[0], port=read[1])
        assert operation.target == PortRef(node="b", port="in")

    @given(batches)
    def test_operations_survive_json(self, batch: list[Operation]):
        """[O6]"""
        written = OPERATIONS.dump_python(tuple(batch), mode="json")
        assert operations_from(written) == tuple(batch)

    @given(
        json_values
        | st.lists(
            st.fixed_dictionaries(
                {"op": st.sampled_from(sorted(NAMES))},
                optional={
                    "node": json_values,
                    "node_id": json_values,
                    "source": json_values,
                    "target": json_values,
                    "values": json_values,
                    "note": json_values,
                    "parameter": json_values,
                    "positions": json_values,
                },
            ),
            max_size=3,
        )
    )
    def test_any_json_gives_operations_or_an_error_of_the_house(self, given_json: Any):
        """[F7, O6]"""
        with suppress(HeadraceError):
            apply_all(EMPTY, operations_from(given_json))

    def test_every_fault_is_listed_with_its_place(self):
        """[O6]"""
        with pytest.raises(Invalid) as caught:
            operations_from(
                [
                    {"op": "addnode"},
                    {"op": "add_node", "node": {"id": "a b", "typ": "filter"}},
                    {"node_id": "a"},
                    "remove a",
                    {"op": "connect", "source": "a.b.c", "target": 7},
                    {"op": "set_parameter", "name": "p", "parameter": {"type": "number", "default": "x"}},
                    {"op": "set_note", "note_id": "n", "note": {"id": "m", "text": ""}},
                ]
            )
        assert caught.value.faults == (
            "operations[0] is called 'addnode', which is not known. Did you mean 'add_node'?",
            "operations[1].node.id is 'a b'; it must begin with a letter and hold only letters, digits, '_' and '-', "
            "at most 64 of them.",
            "operations[1].node.type is missing; give it a value.",
            "operations[1].node.typ is not known here; take it out.",
            "operations[2] does not say which it is; give it the key 'op'.",
            "operations[3] is 'remove a'; it must be an object.",
            "operations[4].source.port is 'b.c'; it must begin with a letter and hold only letters, digits, '_' and '-', "
            "at most 64 of them.",
            "operations[4].target is 7; it must be an object.",
            "operations[5].parameter: the default 'x' is not a number; give one that is, or null.",
            "operations[6]: note_id is 'n' and note.id is 'm'; make the two the same.",
        )
        assert "nothing was changed" in caught.value.message

    @pytest.mark.parametrize("written", [None, {}, "[]", 3])
    def test_what_is_no_list_says_how_to_write_one(self, written: Any):
        """[O6]"""
        with pytest.raises(Invalid, match="must be a list"):
            operations_from(written)

    def test_the_schema_offers_both_ways_to_write_an_end(self):
        """[O6]"""
        schema = TypeAdapter(Connect).json_schema()
        assert [way["type"] for way in schema["properties"]["source"]["anyOf"]] == ["string", "object"]
        assert "'out'" in schema["properties"]["source"]["description"]

    def test_a_note_in_an_operation_may_be_a_note(self):
        assert SetNote(note_id="n", note=Note(id="n", text="x")).note == Note(id="n", text="x")


@given(flows_with_batches())
def test_every_operation_has_words(case: tuple[Flow, list[Operation]]):
    """[T2]"""
    flow, batch = case
    told = describe_all(batch, flow)
    assert len(told) == len(batch)
    assert all(sentence and "\n" not in sentence for sentence in told)
