"""Changesets and revisions: what is approved is what lands, drift is never papered over, undo is per author."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headrace.base.errors import StaleApproval, WrongState
from headrace.flow.changeset import (
    Changeset,
    Revision,
    Staged,
    amend,
    drifted,
    land,
    next_revision,
    part,
    propose,
    redo_target,
    refresh,
    revert,
    undo_target,
)
from headrace.flow.model import EMPTY, Flow, content_hash
from headrace.flow.operations import Operation, OperationError, operations_from
from headrace.flow.patch import PatchConflict, apply, diff
from tests.flow.cases import add, batches, chain, connect, equal, flows, flows_with_batches, made, run

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class History:
    """A head and the revisions that led to it, as a workspace would keep them."""

    head: Flow = EMPTY
    revisions: list[Revision] = field(default_factory=list)

    def commit(self, batch: Sequence[Operation], who: str, approved_by: str | None = None) -> None:
        after, done = run(self.head, batch)
        if done:
            self._keep(after, diff(self.head, after), author=who, approved_by=approved_by)

    def undo(self, who: str) -> bool:
        return self._take_back(undo_target(reversed(self.revisions), who), who)

    def redo(self, who: str) -> bool:
        return self._take_back(redo_target(reversed(self.revisions), who), who)

    def _take_back(self, target: Revision | None, who: str) -> bool:
        if target is None:
            return False
        landing = revert(self.head, target)
        self._keep(landing.head, landing.patch, author=who, reverts=target.number)
        return True

    def _keep(self, after: Flow, patch: Any, **more: Any) -> None:
        self.revisions.append(next_revision(len(self.revisions), after, patch, created_at=NOW, **more))
        self.head = after


def stage(base: Flow, *written: dict[str, Any], revision: int = 1) -> Staged:
    return propose(
        base,
        operations_from(list(written)),
        changeset_id="c1",
        flow_id="f",
        base_revision=revision,
        author="assistant for me",
        created_at=NOW,
    )


def set_u(node_id: str, value: Any) -> dict[str, Any]:
    return {"op": "set_config", "node_id": node_id, "values": {"u": value}}


class TestApproval:
    @given(flows_with_batches())
    def test_what_is_approved_is_what_lands(self, case: tuple[Flow, list[Operation]]):
        """[C2]"""
        base, batch = case
        staged = propose(
            base, batch, changeset_id="c", flow_id="f", base_revision=0, author="a", created_at=NOW, summary="s"
        )
        landing = land(staged.changeset, base, seen=staged.changeset.digest)
        assert equal(landing.head, staged.after)
        assert landing.patch == staged.changeset.patch
        assert not drifted(staged.changeset, base)
        assert Changeset.model_validate_json(staged.changeset.model_dump_json()) == staged.changeset

    def test_an_approval_of_what_was_amended_meanwhile_is_refused(self):
        """[C2]"""
        base = chain("ab")
        first = stage(base, set_u("a", 1)).changeset.with_status("proposed")
        second = amend(first, base, operations_from([set_u("b", 2)])).changeset
        assert second.status == "draft"
        assert len(second.operations) == 2
        with pytest.raises(StaleApproval, match="amended after you opened it"):
            land(second, base, seen=first.digest)
        assert land(second, base, seen=second.digest).head.nodes["b"].config == {"u": 2}

    def test_an_amendment_that_fails_leaves_the_changeset(self):
        """[O1]"""
        base = chain("ab")
        changeset = stage(base, set_u("a", 1)).changeset
        with pytest.raises(OperationError):
            amend(changeset, base, operations_from([set_u("z", 2)]))
        assert len(changeset.operations) == 1

    @pytest.mark.parametrize("status", ["approved", "rejected", "conflicted"])
    def test_what_is_closed_is_neither_approved_nor_amended(self, status: Any):
        """[C4]"""
        base = chain("ab")
        closed = stage(base, set_u("a", 1)).changeset.with_status(status)
        assert not closed.open
        with pytest.raises(WrongState):
            land(closed, base, seen=closed.digest)
        with pytest.raises(WrongState):
            amend(closed, base, ())

    def test_a_part_lands_as_its_own_patch(self):
        """[C2, S1]"""
        base = chain("ab")
        staged = stage(base, set_u("a", 1), set_u("b", 2))
        landing = land(staged.changeset, base, seen=staged.changeset.digest, only=[1], base=base)
        assert landing.part is not None
        assert landing.part.indexes == (1,)
        assert landing.head.nodes["a"].config == {}
        assert landing.head.nodes["b"].config == {"u": 2}
        assert part(staged.changeset, base, [1]).patch == landing.patch

    def test_a_part_needs_the_base(self):
        staged = stage(chain("ab"), set_u("a", 1))
        with pytest.raises(TypeError):
            land(staged.changeset, chain("ab"), seen=staged.changeset.digest, only=[0])


class TestDrift:
    def test_a_drag_is_no_drift(self):
        """[D1]"""
        base = chain("ab")
        changeset = stage(base, set_u("a", 1)).changeset
        assert not drifted(changeset, made({"op": "move_nodes", "positions": {"a": {"x": 9, "y": 9}}}, on=base))
        assert drifted(changeset, made(add("c"), on=base))

    def test_work_elsewhere_stays_and_the_patch_lands_beside_it(self):
        """[D2]"""
        base = chain("ab")
        changeset = stage(base, set_u("a", 1)).changeset
        head = made({"op": "set_title", "node_id": "a", "title": "Mine"}, on=base)
        node = land(changeset, head, seen=changeset.digest).head.nodes["a"]
        assert (node.title, node.config) == ("Mine", {"u": 1})

    def test_a_changed_value_under_the_patch_is_a_conflict(self):
        """[D3]"""
        base = chain("ab")
        changeset = stage(base, set_u("a", 1)).changeset
        with pytest.raises(PatchConflict) as caught:
            land(changeset, made(set_u("a", 2), on=base), seen=changeset.digest)
        assert caught.value.conflicts[0].path == ("nodes", "a", "config", "u")

    def test_a_refreshed_changeset_shows_one_removal_more_and_needs_a_new_approval(self):
        """[C3, D3, D4]"""
        base = made(add("a"), add("b"))
        changeset = stage(base, {"op": "remove_node", "node_id": "b"}).changeset
        head = made(connect("a", "b"), on=base)
        with pytest.raises(PatchConflict) as caught:
            land(changeset, head, seen=changeset.digest)
        assert caught.value.conflicts[0].reason == "unsound"
        conflicted = changeset.with_status("conflicted")
        again = refresh(conflicted, head, changeset_id="c2", base_revision=2, created_at=NOW).changeset
        assert (again.id, again.status, again.base_revision) == ("c2", "draft", 2)
        assert len(again.patch.changes) == len(changeset.patch.changes) + 1
        with pytest.raises(StaleApproval):
            land(again, head, seen=changeset.digest)
        assert "b" not in land(again, head, seen=again.digest).head.nodes

    def test_what_has_landed_is_not_refreshed(self):
        """[C4]"""
        landed = stage(chain("ab"), set_u("a", 1)).changeset.with_status("approved")
        with pytest.raises(WrongState, match="nothing left to refresh"):
            refresh(landed, chain("ab"), changeset_id="c2", base_revision=2, created_at=NOW)

    @given(flows(), batches, batches)
    def test_what_changed_since_is_the_diff_from_then(self, seen: Flow, mine: list[Operation], theirs: list[Operation]):
        """[E1]"""
        head = run(run(seen, mine)[0], theirs)[0]
        assert equal(apply(seen, diff(seen, head)), head)


class TestUndo:
    @given(st.lists(st.tuples(st.sampled_from(["me", "you"]), batches), max_size=5))
    def test_undo_takes_back_mine_one_by_one_or_says_what_is_in_the_way(self, acts: list[tuple[str, list[Operation]]]):
        """[C4, C5]"""
        history = History()
        for who, batch in acts:
            history.commit(batch, who)
        mine = sum(revision.author == "me" for revision in history.revisions)
        undone = 0
        with suppress(PatchConflict):
            while history.undo("me"):
                undone += 1
            assert undone == mine
        taken = [revision.reverts for revision in history.revisions if revision.reverts]
        assert len(taken) == undone <= mine
        assert all(history.revisions[number - 1].author == "me" for number in taken)
        assert taken == sorted(taken, reverse=True)

    @given(st.lists(st.one_of(batches, st.sampled_from(["undo", "redo"])), max_size=14))
    def test_alone_i_move_along_my_own_states_as_an_editor_does(self, acts: list[Any]):
        """[C5, C6]"""
        history = History()
        past: list[Flow] = []
        future: list[Flow] = []
        for act in acts:
            before, count = history.head, len(history.revisions)
            if act == "undo":
                assert history.undo("me") == bool(past)
                if past:
                    future.append(before)
                    assert equal(history.head, past.pop())
            elif act == "redo":
                assert history.redo("me") == bool(future)
                if future:
                    past.append(before)
                    assert equal(history.head, future.pop())
            else:
                history.commit(act, "me")
                if len(history.revisions) > count:
                    past.append(before)
                    future.clear()

    def test_undo_keeps_what_others_did(self):
        """[C5]"""
        history = History(head=chain("ab"))
        history.commit(operations_from([set_u("a", 1)]), "me")
        history.commit(operations_from([set_u("b", 2)]), "you")
        assert history.undo("me")
        assert history.head.nodes["a"].config == {}
        assert history.head.nodes["b"].config == {"u": 2}
        assert history.redo("me")
        assert history.head.nodes["a"].config == {"u": 1}
        assert not history.redo("me")
        assert not history.redo("you")

    def test_i_take_back_what_i_approved(self):
        """[C5]"""
        history = History(head=chain("ab"))
        history.commit(operations_from([set_u("a", 1)]), "assistant for me", approved_by="me")
        assert history.undo("me")
        assert history.head.nodes["a"].config == {}

    def test_where_others_built_on_it_every_path_in_the_way_is_named(self):
        """[C5]"""
        history = History(head=chain("ab"))
        history.commit(operations_from([set_u("a", 1), set_u("b", 1), {"op": "set_name", "name": "x"}]), "me")
        history.commit(operations_from([set_u("a", 2), set_u("b", 2)]), "you")
        before = history.head
        with pytest.raises(PatchConflict) as caught:
            history.undo("me")
        assert [c.path[1] for c in caught.value.conflicts] == ["a", "b"]
        assert history.head is before

    def test_reading_stops_at_the_first_that_fits(self):
        """[C5]"""
        history = History()
        for name in "abc":
            history.commit(operations_from([add(name)]), "me")
        read: list[int] = []

        def newest_first():
            for revision in reversed(history.revisions):
                read.append(revision.number)
                yield revision

        target = undo_target(newest_first(), "me")
        assert target is not None
        assert target.number == 3
        assert read == [3]

    def test_a_revision_says_what_the_flow_is(self):
        """[C1]"""
        history = History()
        history.commit(operations_from([add("a")]), "me")
        (revision,) = history.revisions
        assert revision.hash == content_hash(history.head)
        assert Revision.model_validate_json(revision.model_dump_json()) == revision
