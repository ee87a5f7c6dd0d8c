"""Events: in the transaction of what they tell, read on from any number, waited for without polling."""

from __future__ import annotations

import threading

import pytest

from headrace.base.errors import NotFound
from headrace.flow.operations import OperationError
from headrace.store.records import FlowRecord
from headrace.workspace.happenings import TurnText
from headrace.workspace.workspace import Workspace
from tests.store import samples
from tests.workspace.flows_for_tests import ANN, ASSISTANT, BOB, READ, connect, title


def kinds(workspace: Workspace, after: int = 0) -> list[str]:
    return [each.kind for each in workspace.events(ANN, after)]


class TestReading:
    def test_they_tell_what_was_done_in_order(self, either: Workspace) -> None:
        flow_id = either.create_flow(ANN, "Sales").flow_id
        staged = either.propose(ASSISTANT, flow_id, READ)
        either.approve(ANN, staged.changeset_id, digest=staged.digest)
        assert kinds(either) == ["flow.created", "changeset.changed", "revision.committed", "changeset.changed"]
        numbers = [each.seq for each in either.events(ANN)]
        assert numbers == sorted(set(numbers))

    def test_what_failed_is_not_told(self, either: Workspace) -> None:
        flow_id = either.create_flow(ANN, "Sales").flow_id
        with pytest.raises(OperationError):
            either.edit(ANN, flow_id, [connect("a", "b")])
        assert kinds(either) == ["flow.created"]

    def test_they_are_read_on_from_any_number_of_one_flow_or_all(self, either: Workspace) -> None:
        one = either.create_flow(ANN, "One").flow_id
        two = either.create_flow(ANN, "Two").flow_id
        either.edit(ANN, one, READ)
        every = either.events(ANN)
        assert either.events(ANN, every[0].seq) == every[1:]
        assert either.events(ANN, flow_id=two) == every[1:2]
        assert either.events(ANN, limit=1) == every[:1]
        assert either.events(ANN, every[-1].seq) == []

    def test_nobody_hears_of_anothers(self, either: Workspace) -> None:
        flow_id = either.create_flow(ANN, "One").flow_id
        assert either.events(BOB) == []
        assert either.events(BOB, flow_id=flow_id) == []

    def test_a_change_says_what_became_of_diagnostics_and_columns(self, either: Workspace) -> None:
        flow_id = either.create_flow(ANN, "Sales").flow_id
        either.edit(ANN, flow_id, READ)
        either.edit(ANN, flow_id, [title("read", "Orders")])
        first, second = (each.data for each in either.events(ANN) if each.kind == "revision.committed")
        assert [column["name"] for column in first["columns"]["read"]["out"]] == ["id", "customer", "amount", "day"]
        assert second["columns"] == {}
        assert [each["code"] for each in first["diagnostics"]] == ["F103"]
        assert second["diagnostics"] is None


class TestWaiting:
    def test_what_is_there_is_given_at_once(self, either: Workspace) -> None:
        either.create_flow(ANN, "Sales")
        assert [each.kind for each in either.wait_for_events(ANN, 0, timeout=0)] == ["flow.created"]

    def test_news_wakes_who_waits(self, either: Workspace) -> None:
        heard: list[str] = []
        listening = threading.Event()

        def listen() -> None:
            listening.set()
            heard.extend(each.kind for each in either.wait_for_events(ANN, 0, timeout=4))

        thread = threading.Thread(target=listen)
        thread.start()
        listening.wait()
        either.create_flow(BOB, "Not for Ann")
        either.create_flow(ANN, "Sales")
        thread.join()
        assert heard == ["flow.created"]

    def test_nothing_comes_of_nothing(self, either: Workspace) -> None:
        assert either.wait_for_events(ANN, 0, timeout=0.01) == []

    def test_closing_wakes_everybody(self, either: Workspace) -> None:
        bell = either._house.bell
        woken = threading.Event()

        def sleep() -> None:
            assert not bell.wait("ann", since=0, timeout=4)
            woken.set()

        thread = threading.Thread(target=sleep)
        thread.start()
        bell.close()
        thread.join()
        assert woken.is_set()

    def test_a_subscriber_is_called_until_he_has_enough(self, either: Workspace) -> None:
        calls: list[int] = []
        stop = either.subscribe(ANN, lambda: calls.append(either.last_seq(ANN)))
        flow_id = either.create_flow(ANN, "Sales").flow_id
        either.create_flow(BOB, "Not for Ann")
        either.edit(ANN, flow_id, READ)
        stop()
        either.edit(ANN, flow_id, [title("read", "Orders")])
        assert calls == [1, 3]


class TestTelling:
    def test_text_of_a_turn_is_told(self, either: Workspace) -> None:
        flow_id = either.create_flow(ANN, "Sales").flow_id
        either.tell(ANN, flow_id, TurnText(turn_id="turn_1", delta="Hello"))
        assert either.events(ANN)[-1].data == {"turn_id": "turn_1", "delta": "Hello"}

    def test_nothing_is_told_of_a_flow_that_is_not_there(self, either: Workspace) -> None:
        with pytest.raises(NotFound):
            either.tell(ANN, "flow_none", TurnText(turn_id="turn_1", delta="Hello"))


def test_the_event_and_what_it_tells_are_one(workspace: Workspace) -> None:
    """A failure between the two leaves neither."""
    store = workspace._house.store
    flow_id = workspace.create_flow(ANN, "Sales").flow_id

    def fail() -> None:
        with store.transaction() as tx:
            head = workspace._house.heads.head(tx, ANN, flow_id)
            tx.advance(head.record, expected=0)
            tx.append(samples.event("ann", flow_id))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    with store.reading() as view:
        assert view.get(FlowRecord, "ann", flow_id).number == 0
    assert kinds(workspace) == ["flow.created"]
