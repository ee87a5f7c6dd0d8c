"""`headrace build`: from a request to a reviewed change, a run and a kept table, with the models as they are."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from headrace.assistant.models.registry import Models
from headrace.assistant.models.scripted import Answer, Call, Fail, Say, Script
from headrace.assistant.turns import Assistant
from headrace.cli import build
from tests.cli.terminal import ORDERS, Terminal

NODES = [
    {"id": "orders", "type": "read_file", "config": {"path": "orders.csv"}},
    {"id": "few", "type": "limit", "config": {"count": 2}},
]
SET = Call("set_flow", {"nodes": NODES, "edges": ["orders>few"], "summary": "Keep two"})
WRITE = Call(
    "edit_flow",
    {
        "operations": [
            {"op": "add_node", "node": {"id": "kept", "type": "write_file", "config": {"path": "two.csv"}}},
            {"op": "connect", "source": "few.out", "target": "kept.in"},
        ]
    },
)

# The first call in a process loads what the command needs, which takes its time on a busy machine.
pytestmark = pytest.mark.timeout(20)


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch, terminal: Terminal) -> Callable[..., Script]:
    """Give a way to put a written script in the model's place; the rest of the command is as it is."""
    terminal.write("orders.csv", ORDERS)

    def put(*answers: Answer) -> Script:
        script = Script(*answers)
        monkeypatch.setattr(
            build,
            "assistant_of",
            lambda workspace, settings: Assistant(
                workspace, Models(workspace.catalog, scripts={"scripted": script.model})
            ),
        )
        return script

    return put


def test_a_change_is_shown_and_left_staged_where_nobody_can_be_asked(terminal: Terminal, scripted: Any) -> None:
    scripted(SET, Say("Two rows are kept."))
    said = terminal.call("build", "keep two", "--files", "orders.csv", "--save", "flow.json", "--out", "r.csv", "--run")
    assert said.code == 1
    assert "+ Add read file" in said.out
    assert "Not applied" in said.out
    assert not (terminal.folder / "flow.json").exists()
    assert not (terminal.folder / "r.csv").exists()


def test_one_object_tells_everything(terminal: Terminal, scripted: Any) -> None:
    scripted(SET, Say("Two rows are kept."), WRITE, Say("It is written."))
    told = terminal.call(
        *(
            "build",
            "keep two",
            "--then",
            "write it to two.csv",
            "--files",
            "orders.csv",
            "--approve",
            "--run",
            "--json",
        ),
        *("--out", "answer.csv", "--save", "flow.json"),
    ).json()
    assert told["status"] == "ran"
    assert told["reply"] == "It is written."
    assert [turn["status"] for turn in told["turns"]] == ["applied", "applied"]
    assert told["changeset"]["operations"][0]["op"] == "add_node"
    assert told["changeset"]["status"] == "approved"
    assert told["revision"]["number"] == 2
    assert sorted(told["flow"]["nodes"]) == ["few", "kept", "orders"]
    assert told["run"]["rows"] == 2
    assert told["run"]["out"] == "answer.csv"
    assert told["files"] == ["two.csv"]
    assert told["charts"] == []
    assert told["usage"]["rounds"] == 4
    assert (terminal.folder / "answer.csv").read_text() == (terminal.folder / "two.csv").read_text()
    assert json.loads((terminal.folder / "flow.json").read_text())["nodes"].keys() == told["flow"]["nodes"].keys()
    assert (terminal.folder / "orders.csv").read_text() == ORDERS


def test_a_saved_flow_is_taken_up_again(terminal: Terminal, scripted: Any) -> None:
    scripted(SET, Say("Done."))
    assert terminal.call("build", "keep two", "--files", "orders.csv", "--approve", "--save", "f.json").code == 0
    scripted(WRITE, Say("Done."))
    said = terminal.call("build", "write it", "--flow", "f.json", "--approve", "--save", "f.json", "--run", "--json")
    assert said.json()["files"] == ["two.csv"]


def test_an_answer_alone_runs_no_effect_and_out_keeps_the_table(terminal: Terminal, scripted: Any) -> None:
    scripted(SET, Say("Done."), WRITE, Say("Done."))
    words = (
        "build",
        "keep two",
        "--then",
        "write",
        "--files",
        "orders.csv",
        "--approve",
        "--out",
        "answer.csv",
        "--json",
    )
    told = terminal.call(*words).json()
    assert told["status"] == "ran"
    assert told["files"] == []
    assert (terminal.folder / "answer.csv").exists()
    assert not (terminal.folder / "two.csv").exists()


def test_a_question_is_answered_and_keeps_no_table(terminal: Terminal, scripted: Any) -> None:
    scripted(SET, Say("Done."), Say("There are four orders."))
    words = ("build", "keep two", "--then", "how many?", "--files", "orders.csv", "--approve", "--run", "--json")
    told = terminal.call(*words, "--out", "answer.csv").json()
    assert told["status"] == "answered"
    assert told["reply"] == "There are four orders."
    assert not (terminal.folder / "answer.csv").exists()


def test_a_model_that_breaks_off_fails_the_call_and_keeps_what_was_staged(terminal: Terminal, scripted: Any) -> None:
    scripted(SET, Fail(ConnectionError("gone"), after="I wi"))
    said = terminal.call("build", "keep two", "--then", "more", "--files", "orders.csv", "--approve", "--run", "--json")
    told = said.json()
    assert (said.code, told["status"]) == (3, "failed")
    assert told["changeset"]["status"] in ("draft", "proposed")
    assert told["flow"]["nodes"] == {}
    assert told["run"] is None
    assert len(told["turns"]) == 1


def test_a_run_that_fails_fails_the_call(terminal: Terminal, scripted: Any) -> None:
    number = {
        "id": "number",
        "type": "formula",
        "config": {"columns": [{"name": "n", "expression": "product::INTEGER"}]},
    }
    scripted(
        Call("set_flow", {"nodes": [NODES[0], number], "edges": ["orders>number"]}), Say("Done."), Say("Still done.")
    )
    said = terminal.call("build", "products as numbers", "--files", "orders.csv", "--approve", "--run", "--json")
    told = said.json()
    assert (said.code, told["status"], told["turns"][0]["status"]) == (3, "failed", "applied")
    assert "tea" in told["run"]["nodes"]["number"]["diagnostic"]["message"]


@pytest.mark.parametrize(
    ("answer", "code", "applied"), [("y\n", 0, True), ("maybe\nyes\n", 0, True), ("n\n", 1, False), ("", 1, False)]
)
def test_a_person_is_asked(
    terminal: Terminal, scripted: Any, monkeypatch: pytest.MonkeyPatch, answer: str, code: int, applied: bool
) -> None:
    scripted(SET, Say("Done."))
    monkeypatch.setattr(build, "is_interactive", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO(answer))
    said = terminal.call("build", "keep two", "--files", "orders.csv", "--save", "flow.json")
    assert said.code == code, said
    assert "[y/n]" in said.err
    assert (terminal.folder / "flow.json").exists() == applied


def test_only_named_files_are_at_hand(terminal: Terminal, scripted: Any) -> None:
    terminal.write("other.csv", "a\n1\n")
    script = scripted(Say("Nothing to do."))
    terminal.call("build", "what is there?", "--files", "orders.csv")
    assert "other.csv" not in str(script.seen)
    script = scripted(Say("Nothing to do."))
    terminal.call("build", "what is there?")
    assert "other.csv" in str(script.seen)


def test_what_lies_beside_a_flow_is_not_at_hand_when_files_are_named(terminal: Terminal, scripted: Any) -> None:
    terminal.write("other.csv", "a\n1\n")
    terminal.write("more.csv", "a\n1\n")
    flow = terminal.totals()
    script = scripted(Say("Nothing to do."))
    terminal.call("build", "what is there?", "--files", "more.csv", "--flow", flow)
    assert "more.csv" in str(script.seen)
    assert "orders.csv" in str(script.seen)
    assert "other.csv" not in str(script.seen)


class TestOffline:
    """With no model at all: the planner does the work."""

    def test_a_request_becomes_the_right_table(self, terminal: Terminal) -> None:
        terminal.write("orders.csv", ORDERS)
        words = (
            "build",
            "total amount per product, biggest first",
            "--files",
            "orders.csv",
            "--approve",
            "--run",
            "--json",
        )
        said = terminal.call(*words, "--out", "answer.csv", "--model", "offline")
        assert said.code == 0, said
        rows = [line.split(",") for line in (terminal.folder / "answer.csv").read_text().splitlines()]
        assert [(product, float(total)) for product, total in rows[1:]] == [
            ("coffee", 20.0),
            ("tea", 14.5),
            ("cake", 8.25),
        ]

    def test_what_it_cannot_do_is_refused_and_leaves_no_trace(self, terminal: Terminal) -> None:
        terminal.write("orders.csv", ORDERS)
        words = ("build", "send an e-mail to every customer", "--files", "orders.csv", "--approve", "--run", "--json")
        said = terminal.call(*words, "--out", "answer.csv")
        assert (said.code, said.json()["status"]) == (1, "refused")
        assert sorted(path.name for path in terminal.folder.iterdir()) == ["orders.csv"]

    def test_an_unknown_column_is_asked_about(self, terminal: Terminal) -> None:
        terminal.write("orders.csv", ORDERS)
        said = terminal.call("build", "total freight weight per product", "--files", "orders.csv", "--approve", "--run")
        assert said.code == 1
        assert "amount" in said.out or "product" in said.out
        assert "+ Add" not in said.out


def test_paths_of_other_folders_are_named_files(terminal: Terminal, scripted: Any, tmp_path_factory: Any) -> None:
    far: Path = tmp_path_factory.mktemp("far")
    (far / "orders.csv").write_text(ORDERS)
    (terminal.folder / "orders.csv").unlink()
    scripted(SET, Say("Done."))
    told = terminal.call("build", "keep two", "--files", str(far / "orders.csv"), "--approve", "--run", "--json").json()
    assert told["status"] == "ran"
