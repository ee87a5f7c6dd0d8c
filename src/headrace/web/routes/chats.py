"""Chats: talk with the assistant about a flow. A turn goes on by itself; what it does comes by the event stream."""

from __future__ import annotations

from fastapi import APIRouter

from headrace.web.parts import Here
from headrace.web.shapes import Message, Nothing, Started
from headrace.workspace.views import ChatView, TurnView

router = APIRouter(tags=["chats"])


@router.get("/flows/{flow_id}/chats")
def chats(parts: Here, flow_id: str) -> list[ChatView]:
    """Return a flow's chats, latest first, without their turns."""
    return parts.workspace.chats(parts.actor, flow_id)


@router.post("/flows/{flow_id}/chats", status_code=201)
def create_chat(parts: Here, flow_id: str, body: Nothing | None = None) -> ChatView:
    """Open a chat about a flow."""
    del body
    return parts.workspace.create_chat(parts.actor, flow_id)


@router.get("/chats/{chat_id}")
def chat(parts: Here, chat_id: str) -> ChatView:
    """Return a chat with its turns, oldest first."""
    return parts.workspace.chat(parts.actor, chat_id)


@router.post("/chats/{chat_id}/messages", status_code=202)
def say(parts: Here, chat_id: str, body: Message) -> Started:
    """Say something to the assistant; a turn begins."""
    turn = parts.assistant.start_turn(parts.actor, chat_id, body.text, model=body.model)
    return Started(turn_id=turn.turn_id)


@router.get("/turns/{turn_id}")
def turn(parts: Here, turn_id: str) -> TurnView:
    """Return a turn as it stands."""
    return parts.workspace.turn(parts.actor, turn_id)


@router.post("/turns/{turn_id}/cancel", status_code=202)
def cancel_turn(parts: Here, turn_id: str, body: Nothing | None = None) -> TurnView:
    """Stop a turn; what it staged stays."""
    del body
    return parts.assistant.stop_turn(parts.actor, turn_id)
