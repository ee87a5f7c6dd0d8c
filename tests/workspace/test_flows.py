"""Whole flows: made, listed, looked at, renamed, deleted, and their log."""

from __future__ import annotations

import pytest

from headrace.base.clock import FrozenClock
from headrace.base.errors import Invalid, NotFound, Refused
from headrace.workspace.workspace import Workspace
from tests.workspace.flows_for_tests import ANN, ASSISTANT, BUILD, READ, TOKEN, configure, title


class TestMaking:
    def test_an_empty_flow_is_at_revision_0(self, either: Workspace) -> None:
        made = either.create_flow(ANN, "Sales")
        assert (made.name, made.number, made.document["nodes"]) == ("Sales", 0, {})
        assert either.flow(ANN, made.flow_id) == made

    def test_a_document_is_taken_whole(self, either: Workspace) -> None:
        first = either.create_flow(ANN, "Sales")
        either.edit(ANN, first.flow_id, BUILD)
        document = either.flow(ANN, first.flow_id).document
        copy = either.create_flow(ANN, "Copy", document)
        assert copy.document == {**document, "name": "Copy"}
        assert copy.columns["totals"]["out"][1].name == "total"
        assert either.flow(ANN, copy.flow_id).document == copy.document

    def test_a_bad_document_is_refused_with_every_fault(self, workspace: Workspace) -> None:
        with pytest.raises(Invalid) as caught:
            workspace.create_flow(ANN, "", {"headrace": 1, "nodes": {"a": {"id": "b", "type": "x"}}, "extra": 1})
        assert len(caught.value.faults) == 2
        assert workspace.flows(ANN) == []

    def test_a_name_is_needed_and_bounded(self, workspace: Workspace) -> None:
        made = workspace.create_flow(ANN, "")
        assert made.name == "Untitled"
        for name in ("  ", "x" * 301):
            with pytest.raises(Invalid):
                workspace.rename_flow(ANN, made.flow_id, name)

    def test_only_persons_make_flows(self, workspace: Workspace) -> None:
        for actor in (ASSISTANT, TOKEN):
            with pytest.raises(Refused, match="Only a person may make a flow"):
                workspace.create_flow(actor, "Sales")


class TestListing:
    def test_the_one_changed_last_comes_first(self, either: Workspace, clock: FrozenClock) -> None:
        ids = []
        for name in "abc":
            ids.append(either.create_flow(ANN, name).flow_id)
            clock.forward(60)
        either.edit(ANN, ids[0], READ)
        assert [each.name for each in either.flows(ANN)] == ["a", "c", "b"]


class TestRenaming:
    def test_it_is_a_revision_like_any_other(self, either: Workspace) -> None:
        made = either.create_flow(ANN, "Sales")
        renamed = either.rename_flow(ANN, made.flow_id, "  Sales   2026 ")
        assert (renamed.name, renamed.number, renamed.hash) == ("Sales 2026", 1, made.hash)
        either.undo(ANN, made.flow_id)
        assert either.flow(ANN, made.flow_id).name == "Sales"

    def test_the_same_name_changes_nothing(self, workspace: Workspace) -> None:
        made = workspace.create_flow(ANN, "Sales")
        assert workspace.rename_flow(ANN, made.flow_id, "Sales").number == 0


class TestDeleting:
    def test_it_takes_everything_with_it_but_the_events(self, either: Workspace) -> None:
        made = either.create_flow(ANN, "Sales")
        staged = either.propose(ASSISTANT, made.flow_id, BUILD)
        either.delete_flow(ANN, made.flow_id)
        for ask in (
            lambda: either.flow(ANN, made.flow_id),
            lambda: either.changeset(ANN, staged.changeset_id),
            lambda: either.approve(ANN, staged.changeset_id, digest=staged.digest),
            lambda: either.edit(ANN, made.flow_id, READ),
        ):
            with pytest.raises(NotFound):
                ask()
        assert [each.kind for each in either.events(ANN)] == ["flow.created", "changeset.changed", "flow.deleted"]


class TestLog:
    def test_it_is_told_latest_first_in_words(self, either: Workspace) -> None:
        flow_id = either.create_flow(ANN, "Sales").flow_id
        either.edit(ANN, flow_id, READ, message="Read the orders")
        either.edit(ANN, flow_id, [title("read", "Orders")])
        log = either.revisions(ANN, flow_id)
        assert [each.number for each in log] == [2, 1]
        assert log[1].message == "Read the orders"
        assert "Orders" in log[0].words[0]
        assert [each.number for each in either.revisions(ANN, flow_id, before=2)] == [1]
        assert either.revisions(ANN, flow_id, before=1) == []

    def test_every_revision_can_be_looked_at(self, either: Workspace) -> None:
        flow_id = either.create_flow(ANN, "Sales").flow_id
        documents = [either.flow(ANN, flow_id).document]
        for number in range(25):
            either.edit(ANN, flow_id, READ if number == 0 else [configure("read", path=f"{number}.csv")])
            documents.append(either.flow(ANN, flow_id).document)
        assert [either.flow_at(ANN, flow_id, number) for number in range(26)] == documents
        for number in (-1, 26, 10**30):
            with pytest.raises(NotFound):
                either.flow_at(ANN, flow_id, number)
