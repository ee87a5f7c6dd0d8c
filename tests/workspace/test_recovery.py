"""What a crash cut short is written down as lost when the house is opened again."""

from __future__ import annotations

from dataclasses import replace

from headrace.store.memory import MemoryStore
from headrace.store.records import EventRecord
from headrace.workspace.budgets import Budgets
from headrace.workspace.happenings import TurnText
from tests.store import samples
from tests.workspace.conftest import MakeWorkspace
from tests.workspace.flows_for_tests import ANN, ASSISTANT, READ


def test_runs_and_turns_that_were_under_way_are_over(make: MakeWorkspace) -> None:
    store = MemoryStore()
    before = make(store)
    flow_id = before.create_flow(ANN, "Sales").flow_id
    turn = before.start_turn(ANN, before.create_chat(ANN, flow_id).chat_id, "Build it")
    staged = before.propose(ASSISTANT, flow_id, READ, turn_id=turn.turn_id)
    with store.transaction() as tx:
        body = {"to": None, "dry_run": False, "note": "", "ms": None, "answer": None, "order": ["read"]}
        for run_id, status in (("run_1", "running"), ("run_2", "queued"), ("run_3", "succeeded")):
            tx.add(replace(samples.run("ann", run_id, flow_id=flow_id), status=status, body=body))

    after = make(store)
    assert after.recover() == 3
    assert after.recover() == 0
    assert {each.run_id: each.status for each in after.runs(ANN, flow_id)} == {
        "run_1": "lost",
        "run_2": "lost",
        "run_3": "succeeded",
    }
    assert "Run it again" in after.run_view(ANN, "run_1").note
    lost = after.turn(ANN, turn.turn_id)
    assert (lost.status, lost.code) == ("lost", "lost")
    assert after.changeset(ANN, staged.changeset_id).status == "proposed"
    assert [each.kind for each in after.events(ANN)][-3:] == ["run.finished", "run.finished", "turn.finished"]
    after.start_turn(ANN, lost.chat_id, "Build it")


def test_old_events_of_things_under_way_are_dropped(make: MakeWorkspace) -> None:
    store = MemoryStore()
    workspace = make(store, budgets=Budgets(passing_events_kept=10))
    flow_id = workspace.create_flow(ANN, "Sales").flow_id
    workspace.tell(ANN, flow_id, TurnText(turn_id="turn_1", delta="old"))
    with store.transaction() as tx:
        for _ in range(20):
            tx.append(samples.event("bob"))
    workspace.tell(ANN, flow_id, TurnText(turn_id="turn_1", delta="new"))
    workspace.recover()
    with store.reading() as view:
        kept = view.find(EventRecord, "ann")
    assert [each.kind for each in kept] == ["flow.created", "turn.text"]
    assert kept[-1].data["delta"] == "new"
