"""Turns with models that err: what goes back to them, what ends the turn, what never counts as done."""

from __future__ import annotations

from pathlib import Path

from headrace.assistant.models.scripted import Call, Fail, Say
from headrace.base.actor import LOCAL
from tests.assistant.test_turns import Stage
from tests.tools.bench_of_tools import FLOW

BROKEN = {"nodes": [*FLOW["nodes"][:1], {"id": "paid", "type": "filter", "config": {"condition": "nothing > 1"}}]}


def test_a_call_written_as_text_does_nothing_and_goes_back_once_more(tmp_path: Path) -> None:
    written = '```json\n{"name": "set_flow", "arguments": {"nodes": []}}\n```'
    stage = Stage(tmp_path, Say(written), Call("set_flow", FLOW), Say("Totals by region."))
    turn = stage.say("total by region")
    assert (turn.status, turn.reply) == ("answered", "Totals by region.")
    assert "Call set_flow as a tool" in str(stage.script.seen[1])
    assert turn.changeset_id is not None


def test_a_model_that_only_writes_calls_is_stopped_and_its_text_is_no_reply(tmp_path: Path) -> None:
    turn = Stage(tmp_path, *(Say('{"name": "set_flow"}') for _ in range(9))).say("total by region")
    assert (turn.status, turn.code, turn.changeset_id) == ("failed", "model_confused", None)
    assert "set_flow" not in turn.reply


def test_a_claim_without_a_call_leaves_the_flow_as_it_was(tmp_path: Path) -> None:
    stage = Stage(tmp_path, Say("I built the flow, applied it and wrote out.csv."))
    turn = stage.say("total by region")
    assert (turn.status, turn.changeset_id, turn.tools) == ("answered", None, ())
    assert stage.bench.workspace.changesets(LOCAL, stage.bench.flow_id) == []
    assert stage.bench.workspace.flow(LOCAL, stage.bench.flow_id).number == 0


def test_a_turn_does_not_end_silently_on_a_flow_that_does_not_work(tmp_path: Path) -> None:
    mend = {"operations": [{"op": "set_config", "node_id": "paid", "values": {"condition": "amount > 1"}}]}
    stage = Stage(tmp_path, Call("set_flow", BROKEN), Say("Done."), Call("edit_flow", mend), Say("Mended."))
    turn = stage.say("only the paid")
    assert turn.reply == "Mended."
    assert "F401" in str(stage.script.seen[2][-1])


def test_a_model_that_says_what_is_in_the_way_is_not_asked_twice(tmp_path: Path) -> None:
    stage = Stage(tmp_path, Call("set_flow", BROKEN), Say("Done."), Say("There is no such column."))
    turn = stage.say("only the paid")
    assert (turn.status, turn.reply) == ("answered", "There is no such column.")


def test_a_model_that_asks_the_same_again_and_again_is_stopped(tmp_path: Path) -> None:
    stage = Stage(tmp_path, *(Call("read_outline") for _ in range(9)))
    turn = stage.say("look around")
    assert (turn.status, turn.code, len(turn.tools)) == ("failed", "repeated_failure", 4)
    assert "The same as when you asked before" in str(stage.script.seen[2])


def test_many_failures_in_a_row_end_the_turn_though_each_is_another(tmp_path: Path) -> None:
    stage = Stage(tmp_path, *(Call("read_node", {"node_id": f"n{n}"}) for n in range(20)))
    turn = stage.say("look around")
    assert (turn.status, turn.code, len(turn.tools)) == ("failed", "repeated_failure", 7)


def test_what_a_broken_turn_used_is_counted(tmp_path: Path) -> None:
    stage = Stage(tmp_path, Call("set_flow", FLOW), Fail(ConnectionError("gone"), after="So"))
    turn = stage.say("total by region")
    assert turn.usage is not None
    assert turn.usage["rounds"] == 2
    assert turn.usage["input_tokens"] > 0
    assert turn.usage["tool_calls"] == 1


def test_a_follow_up_works_on_the_change_that_is_still_under_review(tmp_path: Path) -> None:
    more = {"op": "set_config", "node_id": "paid", "values": {"condition": "amount > 100"}}
    stage = Stage(
        tmp_path, Call("set_flow", FLOW), Say("Staged."), Call("edit_flow", {"operations": [more]}), Say("Done.")
    )
    first, second = stage.say("total by region"), stage.say("only above 100")
    assert second.changeset_id == first.changeset_id
    assert "staged and not applied" in str(stage.script.seen[2][-1])
    assert len(stage.bench.workspace.changesets(LOCAL, stage.bench.flow_id)) == 1


def test_a_question_about_a_staged_change_does_not_claim_it_as_its_own(tmp_path: Path) -> None:
    stage = Stage(tmp_path, Call("set_flow", FLOW), Say("Staged."), Call("read_outline"), Say("It sums by region."))
    stage.say("total by region")
    assert stage.say("what does it do?").changeset_id is None


def test_a_follow_up_after_a_dismissal_begins_afresh(tmp_path: Path) -> None:
    stage = Stage(tmp_path, Call("set_flow", FLOW), Say("Staged."), Call("set_flow", FLOW), Say("Staged again."))
    first = stage.say("total by region")
    assert first.changeset_id is not None
    stage.bench.workspace.reject(LOCAL, first.changeset_id)
    assert stage.say("do it after all").changeset_id not in (None, first.changeset_id)


def test_later_turns_are_spared_the_long_answers_of_earlier_ones(tmp_path: Path) -> None:
    stage = Stage(tmp_path, Call("describe_file", {"path": "orders.csv", "rows": 20}), Say("ok"), Say("still ok"))
    rows = "".join(f"{n},customer {n},North,{n}.5,2025-01-03\n" for n in range(40))
    (tmp_path / "orders.csv").write_text(f"order_id,customer,region,amount,paid_on\n{rows}", encoding="utf-8")
    stage.say("look")
    assert "customer 19" in str(stage.script.seen[1])
    stage.say("and?")
    assert "customer 19" not in str(stage.script.seen[2])
