"""Chats: what was asked and answered is kept and told; settings."""

from __future__ import annotations

import pytest

from headrace.base.clock import FrozenClock
from headrace.base.errors import NotFound, WrongState
from headrace.workspace.workspace import Workspace
from tests.workspace.flows_for_tests import ANN, BOB


@pytest.fixture
def chat_id(either: Workspace) -> str:
    flow_id = either.create_flow(ANN, "Sales").flow_id
    return either.create_chat(ANN, flow_id).chat_id


class TestTurns:
    def test_a_turn_is_kept_from_its_request_to_its_reply(self, either: Workspace, chat_id: str) -> None:
        turn = either.start_turn(ANN, chat_id, "Only the  big orders", model="offline")
        either.note_text(ANN, turn.turn_id, "I have ")
        either.note_tool(ANN, turn.turn_id, call_id="1", name="edit_flow", state="started", arguments={"x": 1})
        either.note_tool(ANN, turn.turn_id, call_id="1", name="edit_flow", state="finished", summary="Added filter")
        either.finish_turn(
            ANN,
            turn.turn_id,
            status="answered",
            reply="I have added a filter.",
            account=[["big orders", "amount > 50"]],
            changeset_id="set_1",
            usage={"rounds": 2},
            transcript=["opaque"],
        )
        chat = either.chat(ANN, chat_id)
        assert chat.title == "Only the big orders"
        [kept] = chat.turns
        assert (kept.status, kept.reply, kept.changeset_id) == ("answered", "I have added a filter.", "set_1")
        assert kept.tools == (
            {
                "call_id": "1",
                "name": "edit_flow",
                "arguments": {"x": 1},
                "state": "finished",
                "summary": "Added filter",
            },
        )
        assert either.turn(ANN, turn.turn_id) == kept
        assert either.transcript(ANN, chat_id) == [["opaque"]]
        told = [each.kind for each in either.events(ANN)][1:]
        assert told == ["chat.message", "turn.started", "turn.text", "turn.tool", "turn.tool", "turn.finished"]

    def test_one_at_a_time(self, either: Workspace, chat_id: str, clock: FrozenClock) -> None:
        first = either.start_turn(ANN, chat_id, "One")
        with pytest.raises(WrongState) as caught:
            either.start_turn(ANN, chat_id, "Two")
        assert caught.value.code == "turn_running"
        either.finish_turn(ANN, first.turn_id, status="stopped", reply="")
        clock.forward(1)
        either.start_turn(ANN, chat_id, "Two")
        assert [each.request for each in either.chat(ANN, chat_id).turns] == ["One", "Two"]

    def test_over_is_over(self, either: Workspace, chat_id: str) -> None:
        turn = either.start_turn(ANN, chat_id, "One")
        either.finish_turn(ANN, turn.turn_id, status="failed", reply="No.", code="model_silent")
        with pytest.raises(WrongState):
            either.finish_turn(ANN, turn.turn_id, status="answered", reply="Yes.")


class TestChats:
    def test_they_are_listed_latest_first_without_their_turns(
        self, either: Workspace, chat_id: str, clock: FrozenClock
    ) -> None:
        flow_id = either.chat(ANN, chat_id).flow_id
        either.start_turn(ANN, chat_id, "One")
        clock.forward(1)
        second = either.create_chat(ANN, flow_id, title="Another")
        assert [(each.chat_id, each.turns) for each in either.chats(ANN, flow_id)] == [
            (second.chat_id, ()),
            (chat_id, ()),
        ]

    def test_a_chat_needs_its_flow(self, either: Workspace) -> None:
        with pytest.raises(NotFound, match="There is no flow 'flow_none'"):
            either.create_chat(ANN, "flow_none")


class TestSettings:
    def test_each_has_their_own(self, either: Workspace) -> None:
        either.set_setting(ANN, "theme", "dark")
        either.set_setting(ANN, "theme", {"name": "light"})
        assert either.setting(ANN, "theme") == {"name": "light"}
        assert either.setting(BOB, "theme", "unset") == "unset"
