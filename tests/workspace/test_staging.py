"""Staged work: proposed, amended, approved whole or in part, rejected, refreshed; a person's own edits; undo and redo."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from headrace.base.errors import Invalid, NotFound, Refused, StaleApproval, WrongState
from headrace.flow.operations import OperationError
from headrace.flow.patch import PatchConflict
from headrace.store.memory import MemoryStore
from headrace.workspace.workspace import Workspace
from tests.workspace.conftest import MakeWorkspace
from tests.workspace.flows_for_tests import (
    ANN,
    ASSISTANT,
    BUILD,
    PAID,
    READ,
    TOKEN,
    TOTALS,
    add,
    configure,
    connect,
    move,
    title,
)


@pytest.fixture
def flow_id(either: Workspace) -> str:
    return either.create_flow(ANN, "Sales").flow_id


def node(workspace: Workspace, flow_id: str, node_id: str) -> dict[str, Any]:
    return workspace.flow(ANN, flow_id).document["nodes"][node_id]


class TestProposing:
    def test_nothing_lands_unseen(self, either: Workspace, flow_id: str) -> None:
        staged = either.propose(ASSISTANT, flow_id, BUILD, summary="Totals")
        assert (staged.status, staged.author, staged.summary) == ("proposed", "assistant for ann", "Totals")
        assert len(staged.words) == len(staged.operations) == len(BUILD)
        assert [column.name for column in staged.columns["totals"]["out"]] == ["customer", "total"]
        assert either.flow(ANN, flow_id).document["nodes"] == {}
        assert set(either.flow(ANN, flow_id, changeset_id=staged.changeset_id).document["nodes"]) == {
            "read",
            "paid",
            "totals",
        }

    def test_what_it_would_break_is_said(self, either: Workspace, flow_id: str) -> None:
        either.edit(ANN, flow_id, BUILD)
        staged = either.propose(ASSISTANT, flow_id, [configure("paid", condition="amout > 50")])
        assert [(each.code, each.where.node) for each in staged.introduced] == [("F401", "paid")]
        fix = staged.introduced[0].fixes[0]
        mended = either.amend(ASSISTANT, staged.changeset_id, fix.operations)
        assert mended.introduced == ()

    def test_a_turn_has_one_draft(self, either: Workspace, flow_id: str) -> None:
        first = either.propose(ASSISTANT, flow_id, READ, turn_id="turn_1")
        second = either.propose(ASSISTANT, flow_id, PAID, turn_id="turn_1")
        other = either.propose(ASSISTANT, flow_id, READ, turn_id="turn_2")
        assert second.changeset_id == first.changeset_id != other.changeset_id
        assert second.operations[: len(READ)] == first.operations
        assert second.digest != first.digest

    def test_a_closed_draft_of_the_turn_is_not_taken_up_again(self, either: Workspace, flow_id: str) -> None:
        first = either.propose(ASSISTANT, flow_id, READ, turn_id="turn_1")
        either.reject(ANN, first.changeset_id)
        again = either.propose(ASSISTANT, flow_id, READ, turn_id="turn_1")
        assert (again.changeset_id != first.changeset_id, again.status) == (True, "proposed")

    def test_the_summary_follows_the_work(self, either: Workspace, flow_id: str) -> None:
        staged = either.propose(ASSISTANT, flow_id, READ, summary="Read")
        assert either.amend(ASSISTANT, staged.changeset_id, PAID).summary == "Read"
        assert either.amend(ASSISTANT, staged.changeset_id, TOTALS, summary="Totals").summary == "Totals"

    def test_another_program_sees_what_is_staged(self, make: MakeWorkspace) -> None:
        store = MemoryStore()
        one, two = make(store), make(store)
        flow_id = one.create_flow(ANN, "Sales").flow_id
        staged = one.propose(ASSISTANT, flow_id, BUILD)
        for _ in range(2):
            shown = two.flow(ANN, flow_id, changeset_id=staged.changeset_id)
            assert shown == one.flow(ANN, flow_id, changeset_id=staged.changeset_id)

    def test_any_number_of_changesets_may_be_open(self, workspace: Workspace) -> None:
        flow_id = workspace.create_flow(ANN, "Sales").flow_id
        many = [workspace.propose(ASSISTANT, flow_id, add(f"n{n}", "limit", count=n)) for n in range(70)]
        for staged in (many[0], many[-1]):
            nodes = workspace.flow(ANN, flow_id, changeset_id=staged.changeset_id).document["nodes"]
            assert len(nodes) == 1

    def test_operations_that_cannot_be_read_are_all_listed(self, either: Workspace, flow_id: str) -> None:
        with pytest.raises(Invalid) as caught:
            either.propose(ASSISTANT, flow_id, [{"op": "fly"}, {"op": "connect", "source": "a"}])
        assert len(caught.value.faults) >= 2

    def test_an_operation_that_cannot_be_applied_is_counted_within_what_was_sent(
        self, either: Workspace, flow_id: str
    ) -> None:
        staged = either.propose(ASSISTANT, flow_id, BUILD)
        with pytest.raises(OperationError) as caught:
            either.amend(ASSISTANT, staged.changeset_id, [title("read", "Orders"), title("raed", "Orders")])
        assert caught.value.index == 1
        assert either.changeset(ANN, staged.changeset_id) == staged

    def test_a_draft_follows_the_flow_when_it_is_amended(self, either: Workspace, flow_id: str) -> None:
        either.edit(ANN, flow_id, READ)
        staged = either.propose(ASSISTANT, flow_id, PAID)
        either.edit(ANN, flow_id, [title("read", "Orders")])
        amended = either.amend(ASSISTANT, staged.changeset_id, TOTALS)
        assert (amended.changeset_id, amended.base_revision) == (staged.changeset_id, 2)
        either.approve(ANN, amended.changeset_id, digest=amended.digest)
        assert node(either, flow_id, "read")["title"] == "Orders"


class TestApproving:
    def test_what_was_seen_is_what_lands(self, either: Workspace, flow_id: str) -> None:
        """[C2]"""
        staged = either.propose(ASSISTANT, flow_id, BUILD, summary="Totals")
        shown = either.flow(ANN, flow_id, changeset_id=staged.changeset_id)
        revision = either.approve(ANN, staged.changeset_id, digest=staged.digest)
        landed = either.flow(ANN, flow_id)
        assert (landed.document, landed.columns, landed.diagnostics) == (
            shown.document,
            shown.columns,
            shown.diagnostics,
        )
        assert (revision.number, revision.author, revision.approved_by) == (1, "assistant for ann", "ann")
        assert revision.changeset_id == staged.changeset_id
        done = either.changeset(ANN, staged.changeset_id)
        assert (done.status, done.revision) == ("approved", 1)

    def test_an_amended_changeset_needs_another_approval(self, either: Workspace, flow_id: str) -> None:
        """[C2]"""
        staged = either.propose(ASSISTANT, flow_id, READ)
        either.amend(ASSISTANT, staged.changeset_id, PAID)
        with pytest.raises(StaleApproval):
            either.approve(ANN, staged.changeset_id, digest=staged.digest)
        assert either.flow(ANN, flow_id).number == 0

    def test_only_persons_approve(self, either: Workspace, flow_id: str) -> None:
        staged = either.propose(ASSISTANT, flow_id, READ)
        for actor in (ASSISTANT, TOKEN):
            with pytest.raises(Refused):
                either.approve(actor, staged.changeset_id, digest=staged.digest)
            with pytest.raises(Refused):
                either.edit(actor, flow_id, READ)
            with pytest.raises(Refused):
                either.undo(actor, flow_id)

    def test_twice_is_once(self, either: Workspace, flow_id: str) -> None:
        staged = either.propose(ASSISTANT, flow_id, READ)
        either.approve(ANN, staged.changeset_id, digest=staged.digest)
        with pytest.raises(WrongState):
            either.approve(ANN, staged.changeset_id, digest=staged.digest)
        assert either.flow(ANN, flow_id).number == 1

    def test_a_changeset_that_changes_nothing_makes_no_revision(self, either: Workspace, flow_id: str) -> None:
        either.edit(ANN, flow_id, READ)
        staged = either.propose(ASSISTANT, flow_id, [configure("read", path="orders.csv")])
        assert either.approve(ANN, staged.changeset_id, digest=staged.digest).number == 1
        assert either.changeset(ANN, staged.changeset_id).status == "approved"


class TestApprovingAPart:
    def test_the_chosen_operations_land_and_what_they_need(self, either: Workspace, flow_id: str) -> None:
        """[S1]"""
        staged = either.propose(ASSISTANT, flow_id, BUILD)
        wiring = next(i for i, each in enumerate(BUILD) if each == connect("read", "paid"))
        either.approve(ANN, staged.changeset_id, digest=staged.digest, only=[wiring])
        flow = either.flow(ANN, flow_id)
        assert set(flow.document["nodes"]) == {"read", "paid"}
        assert either.changeset(ANN, staged.changeset_id).landed == (0, 1, 2)

    def test_an_index_that_names_nothing_is_refused(self, either: Workspace, flow_id: str) -> None:
        staged = either.propose(ASSISTANT, flow_id, READ)
        for only in ([7], []):
            with pytest.raises(Invalid):
                either.approve(ANN, staged.changeset_id, digest=staged.digest, only=only)
        assert either.changeset(ANN, staged.changeset_id).status == "proposed"

    def test_it_lands_on_a_flow_that_moved_on(self, either: Workspace, flow_id: str) -> None:
        either.edit(ANN, flow_id, READ)
        staged = either.propose(ASSISTANT, flow_id, [*PAID, title("read", "Orders")])
        either.edit(ANN, flow_id, [move("read", 40)])
        either.approve(ANN, staged.changeset_id, digest=staged.digest, only=[2])
        assert node(either, flow_id, "read")["title"] == "Orders"
        assert set(either.flow(ANN, flow_id).document["nodes"]) == {"read"}


class TestDrift:
    def test_drift_elsewhere_is_kept(self, either: Workspace, flow_id: str) -> None:
        """[D2]"""
        either.edit(ANN, flow_id, BUILD)
        staged = either.propose(ASSISTANT, flow_id, [configure("paid", condition="amount > 70")])
        either.edit(ANN, flow_id, [title("paid", "Big ones"), move("paid", 10)])
        either.approve(ANN, staged.changeset_id, digest=staged.digest)
        assert node(either, flow_id, "paid")["config"] == {"condition": "amount > 70"}
        assert node(either, flow_id, "paid")["title"] == "Big ones"

    def test_every_path_that_no_longer_fits_is_listed_and_nothing_lands(self, either: Workspace, flow_id: str) -> None:
        """[D3]"""
        either.edit(ANN, flow_id, BUILD)
        staged = either.propose(ASSISTANT, flow_id, [configure("paid", condition="amount > 70"), title("read", "A")])
        either.edit(ANN, flow_id, [configure("paid", condition="amount > 60"), title("read", "B")])
        with pytest.raises(PatchConflict) as caught:
            either.approve(ANN, staged.changeset_id, digest=staged.digest)
        paths = [("nodes", "paid", "config", "condition"), ("nodes", "read", "title")]
        assert [each.path for each in caught.value.conflicts] == paths
        kept = either.changeset(ANN, staged.changeset_id)
        assert (kept.status, [each.path for each in kept.conflicts]) == ("conflicted", paths)
        assert either.flow(ANN, flow_id).number == 2

    def test_errors_that_nobody_saw_hold_it_back(self, either: Workspace, flow_id: str) -> None:
        """[D2] The values still fit, the flow would not: the column that the change needs is gone."""
        either.edit(ANN, flow_id, BUILD)
        staged = either.propose(ASSISTANT, flow_id, [configure("paid", condition="day > '2026-01-05'")])
        narrow = add("few", "select", keep=["customer", "amount"])
        between = {"op": "insert_between", "source": "read", "target": "paid", "node": narrow[0]["node"]}
        either.edit(ANN, flow_id, [between])
        with pytest.raises(PatchConflict) as caught:
            either.approve(ANN, staged.changeset_id, digest=staged.digest)
        assert caught.value.conflicts[0].path[:2] == ("nodes", "paid")
        assert "day" in str(caught.value)
        assert either.changeset(ANN, staged.changeset_id).status == "conflicted"

    def test_errors_that_the_person_saw_do_not(self, either: Workspace, flow_id: str) -> None:
        either.edit(ANN, flow_id, BUILD)
        staged = either.propose(ASSISTANT, flow_id, [configure("paid", condition="amout > 70")])
        either.edit(ANN, flow_id, [title("totals", "Totals")])
        assert either.approve(ANN, staged.changeset_id, digest=staged.digest).number == 3

    def test_refreshed_it_can_be_approved_as_something_new(self, either: Workspace, flow_id: str) -> None:
        """[D4]"""
        either.edit(ANN, flow_id, BUILD)
        staged = either.propose(ASSISTANT, flow_id, [configure("paid", condition="amount > 70")])
        either.edit(ANN, flow_id, [configure("paid", condition="amount > 60")])
        with pytest.raises(PatchConflict):
            either.approve(ANN, staged.changeset_id, digest=staged.digest)
        with pytest.raises(WrongState):
            either.amend(ASSISTANT, staged.changeset_id, [title("paid", "x")])
        again = either.refresh(ANN, staged.changeset_id)
        assert either.changeset(ANN, staged.changeset_id).replaced_by == again.changeset_id
        assert (again.status, again.base_revision) == ("proposed", 2)
        either.approve(ANN, again.changeset_id, digest=again.digest)
        assert node(either, flow_id, "paid")["config"] == {"condition": "amount > 70"}

    def test_an_open_one_is_replaced_by_its_refresh(self, either: Workspace, flow_id: str) -> None:
        staged = either.propose(ASSISTANT, flow_id, READ)
        again = either.refresh(ASSISTANT, staged.changeset_id)
        assert either.changeset(ANN, staged.changeset_id).status == "rejected"
        assert [each.changeset_id for each in either.changesets(ANN, flow_id, status="proposed")] == [
            again.changeset_id
        ]


class TestRejecting:
    def test_it_changes_nothing_and_is_final(self, either: Workspace, flow_id: str) -> None:
        staged = either.propose(ASSISTANT, flow_id, READ)
        assert either.reject(ANN, staged.changeset_id).status == "rejected"
        for late in (
            lambda: either.reject(ANN, staged.changeset_id),
            lambda: either.approve(ANN, staged.changeset_id, digest=staged.digest),
            lambda: either.amend(ASSISTANT, staged.changeset_id, PAID),
            lambda: either.refresh(ANN, staged.changeset_id),
        ):
            with pytest.raises(WrongState):
                late()
        assert either.flow(ANN, flow_id, changeset_id=staged.changeset_id).document["nodes"] == {}

    def test_the_author_may_withdraw_and_no_other_program(self, either: Workspace, flow_id: str) -> None:
        staged = either.propose(ASSISTANT, flow_id, READ)
        with pytest.raises(Refused):
            either.reject(TOKEN, staged.changeset_id)
        assert either.reject(ASSISTANT, staged.changeset_id).status == "rejected"


class TestEditing:
    def test_one_call_one_revision(self, either: Workspace, flow_id: str) -> None:
        """[C4]"""
        revision = either.edit(ANN, flow_id, BUILD, message="Build it")
        assert (revision.number, revision.author, revision.approved_by) == (1, "ann", None)
        assert either.changesets(ANN, flow_id) == []

    def test_nothing_changed_is_no_revision(self, either: Workspace, flow_id: str) -> None:
        assert either.edit(ANN, flow_id, []).number == 0
        either.edit(ANN, flow_id, READ)
        assert either.edit(ANN, flow_id, [title("read", "")]).number == 1

    def test_all_or_nothing(self, either: Workspace, flow_id: str) -> None:
        with pytest.raises(OperationError) as caught:
            either.edit(ANN, flow_id, [*READ, connect("read", "paid")])
        assert caught.value.index == 1
        assert either.flow(ANN, flow_id).document["nodes"] == {}

    def test_eight_at_once_lose_nothing(self, either: Workspace, flow_id: str) -> None:
        def work(name: str) -> None:
            for number in range(5):
                either.edit(ANN, flow_id, add(f"{name}_{number}", "read_file", path="orders.csv"))

        threads = [threading.Thread(target=work, args=(name,)) for name in "abcdefgh"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        flow = either.flow(ANN, flow_id)
        assert (flow.number, len(flow.document["nodes"])) == (40, 40)


class TestUndo:
    def test_it_takes_back_what_i_made_or_approved_and_keeps_the_rest(self, either: Workspace, flow_id: str) -> None:
        """[C5]"""
        either.edit(ANN, flow_id, BUILD)
        staged = either.propose(ASSISTANT, flow_id, [configure("paid", condition="amount > 70")])
        either.approve(ANN, staged.changeset_id, digest=staged.digest)
        undone = either.undo(ANN, flow_id)
        assert (undone.number, undone.reverts) == (3, 2)
        assert node(either, flow_id, "paid")["config"] == {"condition": "amount > 50"}
        assert either.flow(ANN, flow_id).can_redo
        either.redo(ANN, flow_id)
        assert node(either, flow_id, "paid")["config"] == {"condition": "amount > 70"}

    def test_all_the_way_back_and_forth(self, either: Workspace, flow_id: str) -> None:
        documents = [either.flow(ANN, flow_id).document]
        for operations in (READ, PAID, TOTALS):
            either.edit(ANN, flow_id, operations)
            documents.append(either.flow(ANN, flow_id).document)
        for document in reversed(documents[:-1]):
            assert either.flow(ANN, flow_id).can_undo
            either.undo(ANN, flow_id)
            assert either.flow(ANN, flow_id).document == document
        with pytest.raises(WrongState) as caught:
            either.undo(ANN, flow_id)
        assert caught.value.code == "nothing_to_undo"
        for document in documents[1:]:
            either.redo(ANN, flow_id)
            assert either.flow(ANN, flow_id).document == document
        with pytest.raises(WrongState) as caught:
            either.redo(ANN, flow_id)
        assert caught.value.code == "nothing_to_redo"

    def test_a_new_edit_ends_redo(self, either: Workspace, flow_id: str) -> None:
        """[C6]"""
        either.edit(ANN, flow_id, READ)
        either.undo(ANN, flow_id)
        either.edit(ANN, flow_id, add("other", "read_file", path="customers.csv"))
        assert not either.flow(ANN, flow_id).can_redo


def test_a_changeset_of_another_flow_is_not_there(either: Workspace, flow_id: str) -> None:
    other = either.create_flow(ANN, "Other")
    staged = either.propose(ASSISTANT, flow_id, READ)
    with pytest.raises(NotFound, match=staged.changeset_id):
        either.flow(ANN, other.flow_id, changeset_id=staged.changeset_id)
