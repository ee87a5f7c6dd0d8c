"""Requests over a flow that somebody else built: what the offline planner leaves alone, follows up, and asks about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from headrace.assistant.models.registry import Models
from headrace.assistant.turns import Assistant
from headrace.base.actor import LOCAL
from headrace.flow.model import document_of
from headrace.flow.notation import read_flow_text
from headrace.nodes.catalog import standard_catalog
from headrace.nodes.files import FileSpace
from headrace.store.memory import MemoryStore
from headrace.workspace.views import ChangesetView, TurnView
from headrace.workspace.workspace import Workspace

DOCUMENT: dict[str, Any] = {
    "nodes": {
        "loans": {"type": "read_file", "config": {"path": "loans.csv"}},
        "by_genre": {
            "type": "aggregate",
            "config": {
                "group_by": ["genre"],
                "measures": [{"name": "late_fees", "function": "sum", "column": "fee"}],
            },
        },
        "order": {
            "type": "sort",
            "title": "Dearest first",
            "config": {"by": [{"column": "late_fees", "descending": True}]},
        },
        "picture": {"type": "chart", "config": {"kind": "bar", "x": "genre", "y": "late_fees"}},
    },
    "edges": {
        f"{source}.out>{target}.in": {
            "source": {"node": source, "port": "out"},
            "target": {"node": target, "port": "in"},
        }
        for source, target in (("loans", "by_genre"), ("by_genre", "order"), ("order", "picture"))
    },
}


@pytest.fixture
def ask(tmp_path: Path) -> Any:
    """Return a way to say something to the planner about a flow over loans, beside a file of members."""
    (tmp_path / "loans.csv").write_text("genre,fee,title\nCrime,2.5,A\nPoetry,0.5,B\nCrime,1.5,C\n", encoding="utf-8")
    (tmp_path / "members.csv").write_text("member,town\nAda,Ulm\nBen,Bonn\n", encoding="utf-8")
    workspace = Workspace(MemoryStore(), standard_catalog(), FileSpace([tmp_path]))
    assistant = Assistant(workspace, Models(workspace.catalog))

    def said(text: str) -> tuple[TurnView, ChangesetView | None]:
        document = document_of(read_flow_text(json.dumps({"headrace": 1, "name": "Loans", **DOCUMENT})))
        flow_id = workspace.create_flow(LOCAL, "Loans", document).flow_id
        chat = workspace.create_chat(LOCAL, flow_id)
        turn = assistant.wait(LOCAL, assistant.start_turn(LOCAL, chat.chat_id, text).turn_id, timeout=5)
        return turn, workspace.changeset(LOCAL, turn.changeset_id) if turn.changeset_id else None

    yield said
    assistant.close()
    workspace.close()


def test_a_column_that_is_renamed_is_followed_into_the_chart(ask: Any) -> None:
    _, changeset = ask("rename late_fees to fines")
    assert changeset is not None
    assert not any(operation.op == "remove_node" for operation in changeset.operations)
    assert any("fines" in str(operation) and "picture" in str(operation) for operation in changeset.operations)
    assert not [found for found in changeset.diagnostics if found.severity == "error"]


def test_a_figure_that_is_there_already_is_not_asked_about(ask: Any) -> None:
    turn, changeset = ask("keep the genre with the most late fees")
    assert "no column" not in turn.reply
    assert changeset is not None
    assert [operation.op for operation in changeset.operations if operation.op == "add_node"] == ["add_node"]
    assert not any(operation.op == "set_title" for operation in changeset.operations)


def test_the_rows_of_another_file_are_not_those_of_the_result(ask: Any) -> None:
    turn, changeset = ask("how many rows are in members?")
    assert changeset is None
    assert "members.csv" in turn.reply
    assert "2 rows" in turn.reply or turn.reply.rstrip().endswith(("?", "whole."))


def test_a_draft_that_the_checks_refuse_ends_in_a_question_and_not_in_a_circle(ask: Any, tmp_path: Path) -> None:
    (tmp_path / "loans.csv").rename(tmp_path / "borrowed.csv")
    (tmp_path / "notes.json").write_text("{ not json", encoding="utf-8")
    turn, _ = ask("only genres with late fees above 1")
    assert turn.status == "answered"
    assert "twice" not in turn.reply
