"""What leaves for a provider: a real endpoint on loopback keeps every byte, and marks that stand in the data must not be there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from headrace.assistant.models.compatible import Endpoint
from headrace.assistant.models.registry import Models
from headrace.assistant.models.scripted import Call, Say, Script
from headrace.assistant.sharing import Gate
from headrace.assistant.turns import Assistant
from headrace.base.actor import LOCAL
from headrace.base.data_kinds import DATA_KINDS, DataKind
from headrace.tools.catalog import standard_tools
from headrace.tools.spec import Passage, ToolResult
from headrace.workspace.views import TurnView
from tests.assistant.provider import Provider, provider
from tests.safety.inventory import LISTED
from tests.tools.bench_of_tools import Bench

# The first turn with an endpoint in a process loads the provider's library.
pytestmark = pytest.mark.timeout(30)

MARK = "zanzibarquokka"
"""Stands in every text of the data, and nowhere else."""
NUMBER = "918273645"
"""Stands in every number of the data."""
SECRETS = f"who,sum,kind\n{MARK} one,{NUMBER},Dull\n{MARK} two,{NUMBER},Dull\nn/a,{NUMBER},n/a\n"
READ = {"id": "read", "type": "read_file", "config": {"path": "secrets.csv"}}
TYPED = {
    "id": "typed",
    "type": "manual_table",
    "config": {"columns": [{"name": "t", "type": "text"}], "rows": [[MARK], [f"{MARK} too"]]},
}
CAST = {"id": "cast", "type": "formula", "config": {"columns": [{"name": "n", "expression": "who::INTEGER"}]}}
AS_NUMBER = {**READ, "config": {"path": "secrets.csv", "types": {"who": "number"}}}


class House:
    """A chat about a flow over such data, answered by a provider."""

    def __init__(self, folder: Path, answering: Provider, *, share: DataKind | None = None) -> None:
        self.bench = Bench(folder)
        (folder / "secrets.csv").write_text(SECRETS, encoding="utf-8")
        (folder / "broken.jsonl").write_text(f'{{"a": 1}}\n{{"a": {MARK}\n', encoding="utf-8")
        self.script = Script()
        models = Models(
            self.bench.workspace.catalog,
            endpoint=Endpoint(answering.url, "model"),
            share=share,
            scripts={"scripted": self.script.model},
        )
        self.assistant = Assistant(self.bench.workspace, models)
        self.chat_id = self.bench.workspace.create_chat(LOCAL, self.bench.flow_id).chat_id

    def say(self, text: str, *, model: str = "endpoint") -> TurnView:
        """Send a message and return the turn once it is over."""
        turn = self.assistant.start_turn(LOCAL, self.chat_id, text, model=model)
        return self.assistant.wait(LOCAL, turn.turn_id, timeout=20)


@pytest.fixture
def answering() -> Iterator[Provider]:
    """Lend a provider that keeps what it gets."""
    with provider() as lent:
        yield lent


def calls(run_id: str) -> list[Call]:
    """Return calls of every tool there is, such as show as much of the data as the tool can."""
    made: list[tuple[str, dict[str, Any]]] = [
        ("search_node_types", {"words": "sort"}),
        ("describe_node_type", {"name": "sort"}),
        ("list_files", {}),
        ("describe_file", {"path": "secrets.csv", "rows": 20}),
        ("describe_file", {"path": "broken.jsonl"}),
        ("find_values", {"words": ["dull"]}),
        ("read_node", {"node_id": "typed"}),
        ("set_flow", {"nodes": [READ], "edges": []}),
        ("edit_flow", {"operations": [{"op": "add_node", "node": CAST}, _edge("read", "cast")]}),
        ("read_outline", {}),
        ("read_columns", {"node_id": "read"}),
        ("preview_table", {"node_id": "read"}),
        ("preview_table", {"node_id": "cast"}),
        ("profile_columns", {"node_id": "read"}),
        ("profile_columns", {"node_id": "cast"}),
        ("edit_flow", {"operations": [{"op": "set_config", "node_id": "read", "values": AS_NUMBER["config"]}]}),
        ("read_diagnostics", {}),
        ("set_flow", {"nodes": [READ]}),
        ("scratch_run", {"nodes": [READ]}),
        ("run_flow", {}),
        ("list_runs", {}),
        ("read_run", {"run_id": run_id}),
        ("cancel_run", {"run_id": run_id}),
    ]
    return [Call(name, arguments) for name, arguments in made]


def _edge(source: str, target: str) -> dict[str, str]:
    return {"op": "connect", "source": f"{source}.out", "target": f"{target}.in"}


def asked_everything(house: House, answering: Provider) -> TurnView:
    """Return a turn in which every tool was called."""
    there = [{"op": "add_node", "node": node} for node in (READ, TYPED)]
    house.bench.workspace.edit(LOCAL, house.bench.flow_id, there)
    run_id = house.bench.workspace.run(LOCAL, house.bench.flow_id).run_id
    house.bench.workspace.wait(LOCAL, run_id, 10)
    made = calls(run_id)
    assert {call.name for call in made} == set(LISTED["tools"]) == {tool.name for tool in standard_tools()}
    answering.answers.extend(made)
    return house.say("Look at everything.")


class TestWhatLeaves:
    def test_no_value_and_no_row_leaves_where_columns_are_shared(self, tmp_path: Path, answering: Provider) -> None:
        turn = asked_everything(House(tmp_path, answering, share="columns"), answering)
        assert (turn.status, turn.reply) == ("answered", "That is all.")
        told = answering.heard
        assert not [mark for mark in (MARK, NUMBER, "Dull") if mark in told]
        assert "who VARCHAR" in told
        assert turn.sent is not None
        assert turn.sent["kinds"] == ["columns"]

    def test_the_marks_would_be_seen_where_rows_are_shared(self, tmp_path: Path, answering: Provider) -> None:
        turn = asked_everything(House(tmp_path, answering, share="rows"), answering)
        assert MARK in answering.heard
        assert NUMBER in answering.heard
        assert turn.sent is not None
        assert turn.sent["kinds"] == list(DATA_KINDS)

    def test_values_leave_without_rows(self, tmp_path: Path, answering: Provider) -> None:
        answering.answers.extend(
            [Call("find_values", {"words": [f"{MARK} one"]}), Call("scratch_run", {"nodes": [READ]})]
        )
        turn = House(tmp_path, answering, share="values").say("What is there?")
        assert f"'{MARK} one'" in answering.heard
        assert NUMBER not in answering.heard
        assert turn.sent is not None
        assert turn.sent["kinds"] == ["columns", "values"]

    def test_what_an_earlier_turn_with_another_model_was_told_stays_behind(
        self, tmp_path: Path, answering: Provider
    ) -> None:
        house = House(tmp_path, answering, share="columns")
        house.say("How many rows are in secrets.csv?", model="offline")
        house.script.enqueue(Call("scratch_run", {"nodes": [READ]}), Say(f"The first is {MARK} one."))
        house.say("Which is the first?", model="offline")
        turn = house.say("And the second?")
        assert turn.status == "answered"
        assert "How many rows" in answering.heard
        assert MARK not in answering.heard
        assert NUMBER not in answering.heard

    def test_this_machine_is_told_all_and_others_columns_unless_somebody_says_otherwise(self, tmp_path: Path) -> None:
        catalog = Bench(tmp_path).workspace.catalog

        def share(url: str, said: DataKind | None = None) -> str:
            return Models(catalog, endpoint=Endpoint(url), share=said).resolve("endpoint").share

        here = ("http://127.0.0.1:8080/v1", "http://localhost/v1", "http://[::1]:1/v1", "http://127.9.9.9/v1")
        away = ("https://api.example/v1", "http://10.0.0.2/v1", "http://localhost.example/v1", "http://0.0.0.0:1/v1")
        assert {share(url) for url in here} == {"rows"}
        assert {share(url) for url in away} == {"columns"}
        assert (share(here[0], "columns"), share(away[0], "rows")) == ("columns", "rows")


class TestTheLog:
    def test_each_request_is_written_down_before_it_leaves(self, tmp_path: Path, answering: Provider) -> None:
        house = House(tmp_path, answering, share="columns")
        answering.answers.extend([Call("list_files", {}), Say("Two files.")])
        turn = house.say("What is there?")
        origin = answering.url.removesuffix("/v1")
        sizes = [len(body) for body in answering.got]
        assert turn.sent == {"provider": origin, "kinds": ["columns"], "bytes": sum(sizes), "requests": 2}
        told = [event.data for event in house.bench.workspace.events(LOCAL) if event.kind == "turn.sent"]
        assert [(each["provider"], each["kinds"], each["bytes"]) for each in told] == [
            (origin, ["columns"], size) for size in sizes
        ]

    def test_a_request_that_cannot_be_written_down_does_not_leave(self, tmp_path: Path, answering: Provider) -> None:
        house = House(tmp_path, answering)
        turn = house.assistant.start_turn(LOCAL, house.chat_id, "hello", model="endpoint")
        house.bench.workspace.delete_flow(LOCAL, house.bench.flow_id)
        house.assistant.close(timeout=20)
        assert turn.turn_id
        assert len(answering.got) <= 1

    def test_the_offline_planner_sends_nothing(self, tmp_path: Path, answering: Provider) -> None:
        turn = House(tmp_path, answering).say("How many rows are in secrets.csv?", model="offline")
        assert turn.sent is None
        assert answering.got == []


def test_the_briefing_that_is_shown_is_the_briefing_that_leaves(tmp_path: Path, answering: Provider) -> None:
    house = House(tmp_path, answering, share="columns")
    shown = house.assistant.briefing(LOCAL, house.chat_id, model="endpoint")
    assert answering.got == []
    house.say("hello")
    assert json.dumps(shown)[1:-1].encode() in answering.got[0].replace(b"\xe2\x80\xa6", b"\\u2026")
    assert MARK not in shown


class TestGate:
    def test_text_that_nobody_marked_is_no_data_and_a_mark_is_kept_back(self) -> None:
        gate = Gate("columns")
        passages = (
            Passage("names"),
            Passage("cell", "values"),
            Passage("row", "rows"),
            Passage("row", "rows", "a row"),
        )
        assert gate.result(ToolResult.of(passages)).text.splitlines()[0] == "names"
        assert "cell" not in gate.text(passages)
        assert gate.text(passages).endswith("a row")
        assert gate.told == ("columns",)

    def test_the_same_note_is_said_once(self) -> None:
        assert len(Gate("columns").text([Passage("a", "values"), Passage("b", "values")]).splitlines()) == 1
