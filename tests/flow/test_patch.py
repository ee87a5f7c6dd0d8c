"""Patches: exact both ways, refused whole where anything under them moved, in words that leave nothing out."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from headrace.base.errors import HeadraceError
from headrace.flow.model import EMPTY, Flow, content_hash
from headrace.flow.operations import Operation, apply_all
from headrace.flow.patch import (
    Added,
    Changed,
    Patch,
    PatchConflict,
    Removed,
    apply,
    describe_patch,
    diff,
    inverse,
    records_of,
    rediff,
    seal,
    touched,
)
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

Case = tuple[Flow, list[Operation]]


paths = st.tuples(
    st.sampled_from(["nodes", "edges", "notes", "layout", "parameters", "name"]),
    st.sampled_from(["a", "b", "n", "p", "a.out>b.in"]),
    st.sampled_from(["config", "title", "text"]),
    st.sampled_from(["u", "v"]),
).flatmap(lambda whole: st.integers(0, 4).map(lambda length: whole[:length]))
foreign_changes = st.one_of(
    st.fixed_dictionaries({"kind": st.just("added"), "path": paths, "after": json_values}),
    st.fixed_dictionaries({"kind": st.just("removed"), "path": paths, "before": json_values}),
    st.fixed_dictionaries({"kind": st.just("changed"), "path": paths, "before": json_values, "after": json_values}),
)


def attempt(flow: Flow, patch: Patch) -> Flow | None:
    with suppress(PatchConflict):
        return apply(flow, patch)
    return None


def conflict(flow: Flow, patch: Patch) -> PatchConflict:
    with pytest.raises(PatchConflict) as caught:
        apply(flow, patch)
    return caught.value


class TestRoundTrips:
    @given(flows_with_batches())
    def test_a_patch_leads_there_and_its_inverse_back(self, case: Case):
        """[P1, P2]"""
        a, batch = case
        b = apply_all(a, batch)
        patch = diff(a, b)
        assert equal(apply(a, patch), b)
        assert equal(apply(b, inverse(patch)), a)
        assert inverse(inverse(patch)) == patch
        assert content_hash(apply(a, patch)) == content_hash(b)
        assert content_hash(apply(b, inverse(patch))) == content_hash(a)

    @given(flows(), flows())
    def test_flows_that_share_nothing_are_compared_as_well(self, a: Flow, b: Flow):
        """[P1, P2]"""
        patch = diff(a, b)
        assert equal(apply(a, patch), b)
        assert equal(apply(b, inverse(patch)), a)
        assert (patch.changes == ()) == equal(a, b)

    @given(flows_with_batches())
    def test_lineage_changes_the_cost_and_never_the_answer(self, case: Case):
        """[F5]"""
        a, batch = case
        b = apply_all(a, batch)
        assert diff(a, b) == diff(replace(a, lineage=None), replace(b, lineage=None))
        assert diff(b, a) == inverse(diff(a, b))

    @given(flows_with_batches())
    def test_nobody_writes_into_a_flow_or_a_patch(self, case: Case):
        """[F2]"""
        a, batch = case
        b = apply_all(a, batch)
        patch = diff(a, b)
        before = (frozen(a), frozen(b), seal(patch))
        apply(a, patch)
        apply(b, inverse(patch))
        assert (frozen(a), frozen(b), seal(patch)) == before

    def test_the_deepest_config_that_a_node_may_have_can_be_patched_in(self):
        """[F8, P1]"""
        value: Any = 0
        for _ in range(31):
            value = [value]
        flow = made(add("a", u=value))
        assert equal(apply(EMPTY, diff(EMPTY, flow)), flow)


class TestConcurrency:
    @given(flows_with_batches(), batches)
    def test_two_patches_commute_or_are_refused_in_both_orders(self, case: Case, other: list[Operation]):
        """[P3]"""
        a, batch = case
        b, c = apply_all(a, batch), run(a, other)[0]
        left, right = attempt(c, diff(a, b)), attempt(b, diff(a, c))
        if left is None or right is None:
            assert left is right
        else:
            assert equal(left, right)

    def test_edits_of_different_keys_of_one_config_merge(self):
        """[P4]"""
        a = made(add("a", u=1, v=1))
        mine = diff(a, made({"op": "set_config", "node_id": "a", "values": {"u": 2}}, on=a))
        theirs = made({"op": "set_config", "node_id": "a", "values": {"v": 2}}, on=a)
        assert apply(theirs, mine).nodes["a"].config == {"u": 2, "v": 2}

    def test_every_path_in_the_way_is_named_at_once(self):
        """[P5]"""
        a = made(add("a", u=1), add("b"), connect("a", "b"))
        mine = made(
            {"op": "set_config", "node_id": "a", "values": {"u": 2, "n": 1}},
            {"op": "disconnect", "source": "a", "target": "b"},
            {"op": "set_name", "name": "mine"},
            on=a,
        )
        theirs = made(
            {"op": "set_config", "node_id": "a", "values": {"u": 3, "n": 2}},
            {"op": "disconnect", "source": "a", "target": "b"},
            {"op": "set_name", "name": "theirs"},
            on=a,
        )
        error = conflict(theirs, diff(a, mine))
        assert [(".".join(c.path), c.reason) for c in error.conflicts] == [
            ("edges.a.out>b.in", "missing"),
            ("name", "changed"),
            ("nodes.a.config.n", "exists"),
            ("nodes.a.config.u", "changed"),
        ]
        assert "4 parts of this change no longer fit" in error.message
        assert error.conflicts[-1].expected == 1
        assert error.conflicts[-1].found == 3

    def test_an_edit_inside_a_node_that_is_gone_conflicts(self):
        """[P5]"""
        a = made(add("a", u=1))
        mine = diff(a, made({"op": "set_config", "node_id": "a", "values": {"u": 2}}, on=a))
        error = conflict(EMPTY, mine)
        assert [(c.path, c.reason) for c in error.conflicts] == [(("nodes", "a", "config", "u"), "missing")]

    def test_a_node_is_not_removed_from_under_a_new_edge(self):
        """[P5]"""
        a = made(add("a"), add("b"))
        mine = diff(a, made({"op": "remove_node", "node_id": "b"}, on=a))
        theirs = made(connect("a", "b"), on=a)
        error = conflict(theirs, mine)
        assert [(c.path, c.reason) for c in error.conflicts] == [(("edges", "a.out>b.in"), "unsound")]


class TestForeignPatches:
    @pytest.mark.parametrize(
        "change",
        [
            Added(path=(), after=1),
            Added(path=("nodes",), after={}),
            Added(path=("tables", "a"), after={}),
            Removed(path=("nodes", "a", "title"), before=""),
            Added(path=("nodes", "a", "colour"), after="red"),
            Changed(path=("nodes", "a", "id"), before="a", after="b"),
            Changed(path=("nodes", "a", "type"), before="filter", after=7),
            Added(path=("nodes", "z"), after="x"),
            Added(path=("nodes", "z"), after={"id": "y", "type": "filter"}),
            Added(path=("nodes", "z"), after={"id": "z", "type": "filter", "config": "x"}),
            Added(path=("layout", "z"), after={"x": 0, "y": 0}),
            Added(path=("layout", "a"), after={"x": "far", "y": 0}),
            Changed(path=("name",), before="", after=7),
            Removed(path=("name",), before=""),
        ],
    )
    def test_what_no_diff_would_say_is_unsound(self, change: Any):
        """[P5]"""
        flow = made(add("a"))
        assert {c.reason for c in conflict(flow, Patch(changes=(change,))).conflicts} == {"unsound"}

    @given(flows(), st.lists(foreign_changes, max_size=3))
    def test_any_patch_gives_a_flow_or_an_error_of_the_house(self, flow: Flow, changes: list[Any]):
        """[P5, F7]"""
        with suppress(HeadraceError, ValidationError):
            assert isinstance(apply(flow, Patch.model_validate({"changes": changes})), Flow)


class TestSeals:
    @given(flows_with_batches())
    def test_a_patch_survives_json_and_keeps_its_seal(self, case: Case):
        """[P6]"""
        a, batch = case
        patch = diff(a, apply_all(a, batch))
        again = Patch.model_validate_json(patch.model_dump_json())
        assert again == patch
        assert seal(again) == seal(patch)

    @given(flows_with_batches())
    def test_changes_are_sorted_and_none_lies_in_another(self, case: Case):
        """[P6]"""
        a, batch = case
        paths = [change.path for change in diff(a, apply_all(a, batch)).changes]
        assert paths == sorted(paths)
        assert not [1 for p in paths for q in paths if p is not q and q[: len(p)] == p]

    @given(flows_with_batches())
    def test_a_patch_that_is_mended_as_it_grows_is_the_one_made_at_once(self, case: Case):
        """[P1, P6]"""
        a, operations = case
        now, patch = a, Patch()
        for operation in operations:
            with suppress(HeadraceError):
                after = apply_all(now, [operation])
                patch = rediff(a, after, known=patch, within=records_of(diff(now, after)))
                now = after
                assert patch == diff(a, now)
                assert seal(patch) == seal(diff(a, now))

    def test_another_patch_has_another_seal(self):
        """[P6]"""
        one, other = (diff(EMPTY, made(add("a", u=value))) for value in (0, False))
        assert seal(one) != seal(other)
        assert len(seal(one)) == 64


class TestTouched:
    def test_nodes_and_the_ends_of_edges_are_touched_and_moves_are_not(self):
        a = chain("abc")
        b = made(
            {"op": "disconnect", "source": "a", "target": "b"},
            {"op": "move_nodes", "positions": {"c": {"x": 1, "y": 1}}},
            add("d"),
            on=a,
        )
        assert touched(diff(a, b)) == {"a", "b", "d"}

    def test_a_parameter_touches_the_nodes_that_refer_to_it(self):
        a = made(add("a", u=[{"$parameter": "p"}]), add("b", u={"$parameter": "q"}))
        b = made({"op": "set_parameter", "name": "p", "parameter": {"type": "number"}}, on=a)
        assert touched(diff(a, b)) == frozenset()
        assert touched(diff(a, b), flow=b) == {"a"}


class TestWords:
    @given(flows_with_batches())
    def test_there_are_words_exactly_where_there_is_a_change(self, case: Case):
        """[T2]"""
        a, batch = case
        patch = diff(a, apply_all(a, batch))
        told = describe_patch(patch, a)
        assert bool(told) == bool(patch.changes)
        assert all(sentence and "\n" not in sentence for sentence in told)

    @given(flows_with_batches())
    def test_every_node_that_a_patch_changes_is_named(self, case: Case):
        """[T2]"""
        a, batch = case
        patch = diff(a, apply_all(a, batch))
        told = "\n".join(describe_patch(patch))
        for change in patch.changes:
            if change.path[0] == "nodes" and isinstance(change, Added | Removed) and len(change.path) == 2:
                record: dict[str, Any] = change.after if isinstance(change, Added) else change.before
                assert record["title"] in told or change.path[1] in told

    def test_a_new_node_and_its_edges_are_one_sentence(self):
        """[T2]"""
        a = made(add("orders", "read_file", "Read orders", path="orders.csv"))
        b = made(add("paid", "filter", "Paid only", condition="paid"), connect("orders", "paid"), on=a)
        assert describe_patch(diff(a, b), a) == ["Add filter “Paid only” after “Read orders”: condition paid"]

    def test_a_node_put_into_an_edge_is_one_sentence(self):
        """[T2]"""
        a = chain("ab")
        b = made({"op": "insert_between", "source": "a", "target": "b", "node": {"id": "s", "type": "sort"}}, on=a)
        assert describe_patch(diff(a, b), a) == ["Add sort (s) between a and b"]

    def test_several_new_nodes_are_told_in_the_order_of_the_data(self):
        """[T2]"""
        b = made(add("z", "read_file"), add("y"), add("x", "limit", count=5), connect("z", "y"), connect("y", "x"))
        assert describe_patch(diff(EMPTY, b)) == [
            "Add read file (z)",
            "Add filter (y) after z",
            "Add limit (x) after y: count 5",
        ]

    def test_changes_of_a_config_say_old_and_new(self):
        """[T2]"""
        a = made(add("s", "sort", "Newest", by=[{"column": "amount", "descending": True}], n=1))
        b = made(
            {"op": "set_config", "node_id": "s", "values": {"by": [{"column": "date"}], "m": {"a": "b"}}},
            {"op": "unset_config", "node_id": "s", "keys": ["n"]},
            on=a,
        )
        assert describe_patch(diff(a, b), a) == [
            "Change “Newest”: by amount descending → date; m a → b; n 1 → left out"
        ]

    def test_the_rest_is_told_too(self):
        """[T2]"""
        a = made(
            add("a"), add("b"), add("j", "join"), connect("a", "j.left"),
            {"op": "set_note", "note_id": "n", "note": {"text": "old\ntext"}},
            {"op": "set_parameter", "name": "p", "parameter": {"type": "number", "default": 1}},
        )  # fmt: skip
        b = made(
            {"op": "set_name", "name": "Sales"},
            {"op": "set_parameter", "name": "p", "parameter": {"type": "number", "default": 2}},
            {"op": "set_note", "note_id": "n", "note": {"text": "new"}},
            {"op": "set_title", "node_id": "a", "title": "Orders"},
            {"op": "replace_node", "node_id": "b", "type": "sort"},
            {"op": "disconnect", "source": "a", "target": "j.left"},
            connect("b", "j.right"),
            {"op": "move_nodes", "positions": {"a": {"x": 1, "y": 1}, "b": {"x": 1, "y": 1}}},
            on=a,
        )
        assert describe_patch(diff(a, b), a) == [
            "Call the flow “Sales”",
            "Change the note n: new",
            "Change the parameter p: a number, 1 unless given → a number, 2 unless given",
            "Call a “Orders”",
            "Make b a sort",
            "Connect b to j (right)",
            "Disconnect a from j (left)",
            "Move 2 nodes",
        ]
        assert describe_patch(diff(b, a), b)[:2] == ["Take the flow's name away", "Change the note n: old text"]
