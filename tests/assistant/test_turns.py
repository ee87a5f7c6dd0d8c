"""Turns with scripted models, on a real workspace: what is told, what is kept, how they end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from headrace.assistant.budget import Budget
from headrace.assistant.models.registry import Models
from headrace.assistant.models.scripted import Answer, Call, Fail, Say, Script
from headrace.assistant.turns import Assistant
from headrace.base.actor import LOCAL
from headrace.base.errors import Invalid, WrongState
from headrace.workspace.views import TurnView
from tests.tools.bench_of_tools import FLOW, Bench


class Stage:
    """A chat about a flow, answered by a script."""

    def __init__(self, folder: Path, *answers: Answer, budget: Budget | None = None) -> None:
        self.bench = Bench(folder)
        self.script = Script(*answers)
        models = Models(self.bench.workspace.catalog, scripts={"scripted": self.script.model})
        self.assistant = Assistant(self.bench.workspace, models, budget=budget)
        self.chat_id = self.bench.workspace.create_chat(LOCAL, self.bench.flow_id).chat_id

    def say(self, text: str) -> TurnView:
        """Send a message and return the turn once it is over."""
        turn = self.assistant.start_turn(LOCAL, self.chat_id, text)
        return self.assistant.wait(LOCAL, turn.turn_id, timeout=5)

    def kinds(self) -> list[str]:
        """Return the kinds of all turn events so far, repeated ones once."""
        kinds = [event.kind for event in self.bench.workspace.events(LOCAL) if event.kind.startswith("turn.")]
        return [kind for n, kind in enumerate(kinds) if n == 0 or kinds[n - 1] != kind]


def test_words_alone_make_an_answer(tmp_path: Path) -> None:
    stage = Stage(tmp_path, Say("Hello.\nWhat shall it be?"))
    turn = stage.say("hi")
    assert (turn.status, turn.reply) == ("answered", "Hello.\nWhat shall it be?")
    assert stage.kinds() == ["turn.started", "turn.text", "turn.finished"]


def test_a_flow_is_staged_and_the_turn_names_the_changeset(tmp_path: Path) -> None:
    stage = Stage(tmp_path, Call("set_flow", FLOW, text="Building."), Say("Staged: totals by region."))
    turn = stage.say("total by region")
    assert turn.status == "answered"
    assert turn.reply == "Staged: totals by region."
    assert [call["state"] for call in turn.tools] == ["finished"]
    assert turn.changeset_id is not None
    staged = stage.bench.workspace.changeset(LOCAL, turn.changeset_id)
    assert staged.author == "assistant for local"
    assert stage.bench.workspace.flow(LOCAL, stage.bench.flow_id).number == 0


def test_the_model_sees_the_flow_the_files_and_the_request(tmp_path: Path) -> None:
    stage = Stage(tmp_path, Say("ok"))
    stage.say("what is here?")
    request = str(stage.script.seen[0])
    assert "what is here?" in request
    assert "orders.csv: order_id BIGINT" in request


def test_a_second_turn_remembers_the_first_without_its_briefing(tmp_path: Path) -> None:
    stage = Stage(tmp_path, Say("first answer"), Say("second answer"))
    stage.say("first request")
    stage.say("second request")
    seen = str(stage.script.seen[1])
    assert "first request" in seen
    assert "first answer" in seen
    assert seen.count("<context>") == 1


def test_a_refused_call_goes_back_to_the_model_as_a_result(tmp_path: Path) -> None:
    bad = {"operations": [{"op": "remove_node", "node_id": "nothing"}]}
    stage = Stage(tmp_path, Call("edit_flow", bad), Say("There is no such node."))
    turn = stage.say("remove it")
    assert turn.status == "answered"
    assert turn.tools[0]["state"] == "failed"
    assert "nothing" in turn.tools[0]["summary"]


def test_arguments_that_cannot_be_read_go_back_with_every_fault(tmp_path: Path) -> None:
    stage = Stage(tmp_path, Call("preview_table", {"node": "x", "limit": "many"}), Say("sorry"))
    turn = stage.say("look")
    assert turn.status == "answered"
    told = str(stage.script.seen[1])
    assert all(part in told for part in ("node_id", "limit", "preview_table"))


def test_the_same_failure_twice_ends_the_turn(tmp_path: Path) -> None:
    bad = {"operations": [{"op": "remove_node", "node_id": "nothing"}]}
    stage = Stage(tmp_path, *(Call("edit_flow", bad) for _ in range(5)))
    turn = stage.say("remove it")
    assert (turn.status, turn.code) == ("failed", "repeated_failure")
    assert len(stage.script.seen) == 2


def test_what_was_staged_outlives_a_failure_and_is_named(tmp_path: Path) -> None:
    stage = Stage(tmp_path, Call("set_flow", FLOW), Fail(ConnectionError("gone"), after="And now"))
    turn = stage.say("total by region")
    assert turn.status == "failed"
    assert "staged" in turn.reply
    assert "gone" not in turn.reply
    assert turn.changeset_id is not None
    assert stage.bench.workspace.changeset(LOCAL, turn.changeset_id).status == "proposed"


def test_a_budget_stops_the_turn_and_says_so(tmp_path: Path) -> None:
    looks = [Call("read_outline"), Call("list_files"), Call("read_diagnostics"), Call("list_runs")]
    stage = Stage(tmp_path, *looks, budget=Budget(rounds=2))
    turn = stage.say("look around")
    assert (turn.status, turn.code) == ("failed", "budget_used_up")


def test_an_empty_message_is_refused_before_anything_happens(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    with pytest.raises(Invalid):
        stage.assistant.start_turn(LOCAL, stage.chat_id, "  \n ")
    assert stage.bench.workspace.chat(LOCAL, stage.chat_id).turns == ()


def test_an_unknown_model_names_those_that_there_are(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    with pytest.raises(Invalid) as caught:
        stage.assistant.start_turn(LOCAL, stage.chat_id, "hi", model="gpt")
    assert "offline" in caught.value.hint


def test_one_turn_at_a_time_and_a_stop_ends_it(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    waiting: list[Any] = []

    def endless() -> Any:
        import asyncio

        from pydantic_ai.models.function import FunctionModel

        async def answer(messages: Any, info: Any) -> Any:
            del messages, info
            yield "I am thinking"
            await asyncio.Event().wait()

        waiting.append(True)
        return FunctionModel(stream_function=answer)

    models = Models(stage.bench.workspace.catalog, scripts={"endless": endless})
    assistant = Assistant(stage.bench.workspace, models)
    turn = assistant.start_turn(LOCAL, stage.chat_id, "go")
    with pytest.raises(WrongState):
        assistant.start_turn(LOCAL, stage.chat_id, "and this")
    assistant.stop_turn(LOCAL, turn.turn_id)
    over = assistant.wait(LOCAL, turn.turn_id, timeout=5)
    assert over.status == "stopped"
    assert waiting


PAIRS = [
    {"id": "many", "type": "read_file", "config": {"path": "many.csv"}},
    {"id": "pairs", "type": "join", "config": {"how": "inner", "on": [{"left": "k", "right": "k"}]}},
    {"id": "sorted", "type": "sort", "config": {"by": [{"column": "k"}]}},
]
EDGES = ["many>pairs.left", "many>pairs.right", "pairs>sorted"]


@pytest.mark.parametrize("call", [Call("run_flow"), Call("scratch_run", {"nodes": PAIRS, "edges": EDGES})])
def test_a_stop_ends_what_runs_for_the_turn(tmp_path: Path, call: Call) -> None:
    (tmp_path / "many.csv").write_text("k\n" + "1\n" * 100_000)  # its pairs would take hours
    stage = Stage(tmp_path, call, Say("Done."))
    workspace = stage.bench.workspace
    adds = [{"op": "add_node", "node": node} for node in PAIRS]
    ends = ["many.out>pairs.left", "many.out>pairs.right", "pairs.out>sorted.in"]
    joins = [dict(zip(("op", "source", "target"), ("connect", *edge.split(">")), strict=True)) for edge in ends]
    workspace.edit(LOCAL, stage.bench.flow_id, [*adds, *joins])
    turn = stage.assistant.start_turn(LOCAL, stage.chat_id, "go")
    wanted = "run.started" if call.name == "run_flow" else "turn.tool"
    after = 0
    while (
        wanted not in (found := {event.seq: event.kind for event in workspace.wait_for_events(LOCAL, after)}).values()
    ):
        after = max(found, default=after)
    stage.assistant.stop_turn(LOCAL, turn.turn_id)
    assert stage.assistant.wait(LOCAL, turn.turn_id, timeout=3).status == "stopped"
    assert all(workspace.wait(LOCAL, run.run_id, 3).over for run in workspace.runs(LOCAL, stage.bench.flow_id))


@pytest.mark.parametrize("odd", ["half a letter \ud83d", "\ud800", "nothing \x00 at all"])
def test_whatever_a_model_says_can_be_kept_shown_and_told_to_the_next_turn(tmp_path: Path, odd: str) -> None:
    stage = Stage(tmp_path, Say(odd), Call("read_outline", text=odd), Say("Well."))
    first, second = stage.say("hi"), stage.say("and now?")
    assert (first.status, second.reply) == ("answered", "Well.")
    for each in (first, second, stage.bench.workspace.chat(LOCAL, stage.chat_id)):
        assert each.model_dump_json()
    for transcript in stage.bench.workspace.transcript(LOCAL, stage.chat_id):
        json.dumps(transcript, ensure_ascii=False).encode()
    assert all(event.model_dump_json() for event in stage.bench.workspace.events(LOCAL))


def test_a_stopped_turn_stages_nothing_more(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.context.stop.cancel()
    with pytest.raises(WrongState):
        bench.build()
    assert bench.workspace.changesets(LOCAL, bench.flow_id) == []
