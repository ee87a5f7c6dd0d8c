"""A part of a batch: the chosen operations and whatever they cannot do without, each addition with its reason."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headrace.base.errors import Invalid
from headrace.flow.model import EMPTY, Flow
from headrace.flow.operations import Operation, apply_all, operations_from
from headrace.flow.parts import Part, part_of
from headrace.flow.patch import apply, diff
from tests.flow.cases import add, chain, connect, equal, flows_with_batches, made


def take(base: Flow, written: list[dict[str, Any]], *chosen: int) -> Part:
    return part_of(base, operations_from(written), chosen)


def disconnect(source: str, target: str) -> dict[str, Any]:
    return {"op": "disconnect", "source": source, "target": target}


class TestAnyChoice:
    @given(flows_with_batches(), st.data())
    def test_any_choice_can_be_applied_and_needs_nothing_more(
        self, case: tuple[Flow, list[Operation]], data: st.DataObject
    ):
        """[S6]"""
        base, batch = case
        if not batch:
            return
        chosen = data.draw(st.sets(st.integers(0, len(batch) - 1), min_size=1))
        taken = part_of(base, batch, chosen)
        assert taken.chosen == tuple(sorted(chosen))
        assert set(taken.indexes) == chosen | {needed.index for needed in taken.added}
        assert equal(apply(base, taken.patch), taken.after)
        assert all(needed.by in taken.indexes and needed.why for needed in taken.added)
        again = part_of(base, batch, taken.indexes)
        assert again.added == ()
        assert again.patch == taken.patch

    @given(flows_with_batches())
    def test_the_whole_as_a_part_is_the_whole(self, case: tuple[Flow, list[Operation]]):
        """[S6]"""
        base, batch = case
        if batch:
            assert part_of(base, batch, range(len(batch))).patch == diff(base, apply_all(base, batch))

    @pytest.mark.parametrize("chosen", [[], [2], [-1], [0, 9]])
    def test_a_choice_of_nothing_is_refused(self, chosen: list[int]):
        with pytest.raises(Invalid, match="Choose among 0 to 1"):
            take(EMPTY, [add("a"), add("b")], *chosen)


class TestNeeds:
    def test_what_uses_a_node_needs_the_operation_that_adds_it(self):
        """[S1]"""
        taken = take(chain("ab"), [add("c"), add("d"), connect("b", "c"), connect("c", "d")], 3)
        assert taken.indexes == (0, 1, 3)
        assert [(n.index, n.by, n.why) for n in taken.added] == [
            (0, 3, "it adds the node 'c'"),
            (1, 3, "it adds the node 'd'"),
        ]

    def test_needs_reach_through_what_is_needed(self):
        """[S1]"""
        written = [
            add("n"),
            connect("b", "n"),
            {"op": "insert_between", "source": "b", "target": "n", "node": {"id": "m", "type": "sort"}},
            {"op": "set_config", "node_id": "m", "values": {"u": 1}},
        ]
        assert take(chain("ab"), written, 3).indexes == (0, 1, 2, 3)

    def test_independent_operations_stay_apart(self):
        """[S1]"""
        written = [add("c"), connect("b", "c"), {"op": "set_title", "node_id": "a", "title": "A"}, add("d")]
        assert take(chain("ab"), written, 2).indexes == (2,)
        assert take(chain("ab"), written, 3).indexes == (3,)

    def test_a_config_that_refers_to_a_new_parameter_needs_it(self):
        """[S1]"""
        written = [
            {"op": "set_parameter", "name": "p", "parameter": {"type": "number", "default": 3}},
            {"op": "set_config", "node_id": "a", "values": {"count": {"$parameter": "p"}}},
        ]
        assert take(chain("ab"), written, 1).indexes == (0, 1)

    def test_a_node_under_a_freed_id_needs_the_removal(self):
        """[S2]"""
        taken = take(chain("ab"), [{"op": "remove_node", "node_id": "a"}, add("a", "sort")], 1)
        assert taken.indexes == (0, 1)
        assert taken.added[0].why == "it removes the node 'a', whose place this takes"

    def test_config_for_a_new_type_needs_the_new_type(self):
        """[S3]"""
        written = [
            {"op": "replace_node", "node_id": "a", "type": "sort"},
            {"op": "set_config", "node_id": "a", "values": {"by": []}},
        ]
        assert take(chain("ab"), written, 1).indexes == (0, 1)
        assert take(chain("ab"), written, 0).indexes == (0,)

    def test_a_new_edge_needs_its_port_freed(self):
        """[S4]"""
        base = made(add("c"), on=chain("ab"))
        taken = take(base, [disconnect("a", "b"), connect("c", "b")], 1)
        assert taken.indexes == (0, 1)
        assert taken.added[0].why == "it frees the port 'b.in'"

    def test_it_needs_that_too_where_the_port_is_freed_after(self):
        """[S4]"""
        base = made(add("c"), on=chain("ab"))
        assert take(base, [connect("c", "b"), disconnect("a", "b")], 0).indexes == (0, 1)
        assert take(base, [connect("c", "b"), disconnect("a", "b")], 1).indexes == (1,)

    def test_a_removed_node_frees_the_port_behind_it(self):
        """[S4]"""
        taken = take(chain("abc"), [{"op": "remove_node", "node_id": "b"}, connect("a", "c")], 1)
        assert taken.indexes == (0, 1)

    def test_a_second_edge_at_a_port_that_stays_taken_needs_nothing(self):
        """[S4]"""
        base = made(add("u", "union"), connect("b", "u"), add("c"), on=chain("ab"))
        assert take(base, [add("d"), connect("c", "u")], 1).indexes == (1,)

    def test_a_move_brings_nothing_along(self):
        """[S5]"""
        move = {"op": "move_nodes", "positions": {"a": {"x": 1, "y": 1}, "c": {"x": 2, "y": 2}}}
        taken = take(chain("ab"), [add("c"), move], 1)
        assert taken.indexes == (1,)
        assert set(taken.after.layout) == {"a"}
        alone = take(EMPTY, [add("c"), {"op": "move_nodes", "positions": {"c": {"x": 1, "y": 1}}}], 1)
        assert alone.patch.changes == ()

    def test_an_edge_that_would_close_a_circle_brings_along_what_opens_it(self):
        """[S6]"""
        taken = take(chain("ab"), [disconnect("a", "b"), connect("b", "a")], 1)
        assert taken.indexes == (0, 1)
        assert taken.added[0].why == "without it this cannot be applied"

    def test_taking_a_key_out_brings_along_what_set_it(self):
        """[S6]"""
        written = [
            {"op": "set_config", "node_id": "a", "values": {"u": 1}},
            {"op": "set_title", "node_id": "b", "title": "B"},
            {"op": "unset_config", "node_id": "a", "keys": ["u"]},
        ]
        assert take(chain("ab"), written, 2).indexes == (0, 2)
