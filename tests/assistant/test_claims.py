"""Claims against records: what says that something was done is marked unless a tool did it in that turn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from headrace.assistant.claims import unshown
from headrace.assistant.models.scripted import Call, Say
from headrace.base.actor import LOCAL
from headrace.tools.spec import Record
from tests.assistant.test_calls import BROKEN
from tests.assistant.test_turns import Stage
from tests.tools.bench_of_tools import FLOW

ALL = [Record("edit"), Record("check"), Record("run")]


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("I built the flow, applied it and wrote out.csv.", ("built", "applied", "wrote")),
        ("Done! I've fixed the filter and saved the flow.", ("done", "fixed", "saved")),
        ("The flow was run and everything has been checked.", ("run", "checked")),
        ("- Fixed the join\n- Ran the checks", ("fixed", "ran")),
        ("Your flow is now saved.", ("saved",)),
        ("The report was emailed.", ("emailed",)),
        ("The pipeline executed successfully; it is verified.", ("executed", "verified")),
    ],
)
def test_what_says_that_something_was_done_is_found(reply: str, words: tuple[str, ...]) -> None:
    assert unshown(reply, []) == words


@pytest.mark.parametrize(
    "reply",
    [
        "Nothing was saved and I have not run it.",
        "Shall I run it?",
        "Once you approve, the file will be written to out.csv.",
        "A filter is applied to keep the paid rows; the rest are removed.",
        "The column “saved” holds dates, and `checked` holds yes or no.",
        "Run it to see the saved rows.",
        "There are 5 rows.",
        "",
    ],
)
def test_what_is_not_so_not_yet_or_said_of_the_flow_is_no_claim(reply: str) -> None:
    assert unshown(reply, []) == ()


def test_each_class_is_shown_by_records_of_its_own() -> None:
    reply = "I changed the filter. I ran it. I checked it. Saved."
    assert unshown(reply, [Record("edit")]) == ("ran", "checked", "saved")
    assert unshown(reply, [Record("run")]) == ("changed", "saved")
    assert unshown(reply, [Record("check")]) == ("changed", "ran", "saved")
    assert unshown(reply, ALL) == ("saved",)


def test_fixed_is_shown_only_by_a_latest_edit_that_leaves_nothing_to_mend() -> None:
    good, bad = Record("edit"), Record("edit", ok=False)
    assert unshown("Fixed.", [bad, good]) == ()
    assert unshown("Fixed.", [good, bad]) == ("fixed",)


def test_a_reply_that_nothing_shows_is_marked_in_the_turn_and_its_event(tmp_path: Path) -> None:
    stage = Stage(tmp_path, Say("I ran the flow and saved the result to out.csv."))
    turn = stage.say("save it")
    assert (turn.unverified, turn.claims, turn.records) == (True, ("ran", "saved"), ())
    assert stage.bench.workspace.turn(LOCAL, turn.turn_id).unverified
    finished = [event.data for event in stage.bench.workspace.events(LOCAL) if event.kind == "turn.finished"]
    assert [(each["unverified"], each["claims"]) for each in finished] == [(True, ["ran", "saved"])]


def test_a_reply_that_its_tools_show_carries_the_records(tmp_path: Path) -> None:
    turn = Stage(tmp_path, Call("set_flow", FLOW), Say("Built it; it was checked and tested.")).say("total by region")
    assert (turn.unverified, turn.claims) == (False, ())
    assert [(each["kind"], each["of"], each["ok"]) for each in turn.records] == [
        (kind, turn.changeset_id, True) for kind in ("edit", "check", "run")
    ]


def test_an_edit_that_does_not_work_shows_no_mending(tmp_path: Path) -> None:
    turn = Stage(tmp_path, Call("set_flow", BROKEN), Say("Fixed it."), Say("I fixed it.")).say("mend it")
    assert turn.claims == ("fixed",)
    assert [each["ok"] for each in turn.records] == [False, False]


def test_a_call_that_was_refused_shows_nothing(tmp_path: Path) -> None:
    bad = {"operations": [{"op": "remove_node", "node_id": "nothing"}]}
    assert Stage(tmp_path, Call("edit_flow", bad), Say("Removed it.")).say("remove it").claims == ("removed",)


@pytest.mark.parametrize(
    ("call", "kinds"),
    [
        (Call("run_flow"), {"run"}),
        (Call("preview_table", {"node_id": "by_region"}), {"run"}),
        (Call("profile_columns", {"node_id": "by_region"}), {"run"}),
        (Call("scratch_run", {"nodes": FLOW["nodes"][:1]}), {"run"}),
        (Call("read_diagnostics"), {"check"}),
        (Call("read_outline"), set()),
        (Call("list_runs"), set()),
    ],
)
def test_only_what_runs_or_checks_leaves_such_a_record(tmp_path: Path, call: Call, kinds: set[str]) -> None:
    stage = Stage(tmp_path, call, Say("So it is."))
    stage.bench.build()
    stage.bench.land()
    assert {each["kind"] for each in stage.say("look").records} == kinds


def test_rules_may_tell_their_account_apart_from_their_words(tmp_path: Path) -> None:
    stage = Stage(tmp_path, Say("Sorted."))

    def with_account() -> Any:
        model = stage.script.model()
        model.account = [{"clause": "sort it", "meaning": "sorted by `amount`", "assumed": True}]  # ty: ignore[unresolved-attribute]
        return model

    stage.assistant.models._scripts["scripted"] = with_account
    turn = stage.say("sort it")
    assert turn.account == [{"clause": "sort it", "meaning": "sorted by `amount`", "assumed": True}]
    stage.script.enqueue(Say("Hello."))
    stage.assistant.models._scripts["scripted"] = stage.script.model
    assert stage.say("hello").account is None
