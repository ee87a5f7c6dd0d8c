"""Use cases of chats: keep what was asked and answered, and tell of it as it happens. Knows no model and no loop.

Owns the records of chats, turns and settings. A transcript is JSON that only its writer reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from headrace.base.actor import Actor
from headrace.base.errors import NotFound, WrongState
from headrace.base.ids import new_id
from headrace.base.value import Value
from headrace.store.protocol import Reading
from headrace.store.records import ChatRecord, FlowRecord, SettingRecord, TurnRecord

from . import events
from .foundation import UseCases
from .happenings import ChatMessage, TurnFinished, TurnSent, TurnStarted, TurnText, TurnTool
from .views import ChatView, TurnView

_TITLE = 80


class Chats(UseCases):
    """Chats, turns, settings."""

    def create_chat(self, actor: Actor, flow_id: str, *, title: str = "") -> ChatView:
        """Return a new chat about a flow.

        Errors: NotFound.
        """
        house, now = self._house, self._house.now()
        record = ChatRecord(
            owner=actor.owner,
            chat_id=new_id("chat"),
            flow_id=flow_id,
            title=title,
            body={},
            created_at=now,
            updated_at=now,
        )
        with house.store.transaction() as tx:
            tx.add(record)
        return _chat(record, ())

    def chats(self, actor: Actor, flow_id: str) -> list[ChatView]:
        """Return a flow's chats, latest first, without their turns.

        Errors: NotFound.
        """
        with self._house.store.reading() as view:
            view.get(FlowRecord, actor.owner, flow_id)
            found = view.find(ChatRecord, actor.owner, where={"flow_id": flow_id}, newest_first=True)
        return [_chat(record, ()) for record in found]

    def chat(self, actor: Actor, chat_id: str) -> ChatView:
        """Return a chat with its turns.

        Errors: NotFound.
        """
        with self._house.store.reading() as view:
            record = view.get(ChatRecord, actor.owner, chat_id)
            return _chat(record, tuple(_turn(turn) for turn in _turns(view, actor, chat_id)))

    def start_turn(self, actor: Actor, chat_id: str, request: str, *, model: str = "") -> TurnView:
        """Return a turn that has begun; the chat and everybody who listens know of the request then.

        Errors: NotFound; WrongState `turn_running` while another turn of the chat goes on.
        """
        house, now = self._house, self._house.now()
        with house.store.transaction() as tx:
            chat = tx.get(ChatRecord, actor.owner, chat_id)
            if any(turn.status == "running" for turn in _turns(tx, actor, chat_id)):
                raise WrongState(
                    "turn_running", "The assistant is still at work on the last request.", "Wait for it, or stop it."
                )
            record = TurnRecord(
                owner=actor.owner,
                turn_id=new_id("turn"),
                chat_id=chat_id,
                flow_id=chat.flow_id,
                status="running",
                body={"request": request, "model": model, "tools": []},
                created_at=now,
                updated_at=now,
            )
            tx.add(record)
            tx.replace(replace(chat, title=chat.title or _titled(request), updated_at=now))
            said = ChatMessage(chat_id=chat_id, turn_id=record.turn_id, text=request)
            begun = TurnStarted(turn_id=record.turn_id, chat_id=chat_id, request=request, model=model)
            for happening in (said, begun):
                events.append(tx, actor, happening, flow_id=chat.flow_id, now=now)
        house.bell.ring(actor.owner)
        return _turn(record)

    def turn(self, actor: Actor, turn_id: str) -> TurnView:
        """Return a turn.

        Errors: NotFound.
        """
        with self._house.store.reading() as view:
            return _turn(view.get(TurnRecord, actor.owner, turn_id))

    def note_text(self, actor: Actor, turn_id: str, delta: str) -> None:
        """Tell that the reply goes on by `delta`. Gather some 40 ms of it before calling.

        Errors: NotFound.
        """
        house = self._house
        with house.store.transaction(durable=False) as tx:
            flow_id = tx.get(TurnRecord, actor.owner, turn_id).flow_id
            events.append(tx, actor, TurnText(turn_id=turn_id, delta=delta), flow_id=flow_id, now=house.now())
        house.bell.ring(actor.owner)

    def note_tool(
        self,
        actor: Actor,
        turn_id: str,
        *,
        call_id: str,
        name: str,
        state: Literal["started", "finished", "failed"],
        arguments: Mapping[str, Any] | None = None,
        summary: str = "",
    ) -> None:
        """Tell that a tool was called, or has answered, and keep it with the turn.

        Errors: NotFound.
        """
        house, now = self._house, self._house.now()
        told = TurnTool(
            turn_id=turn_id, call_id=call_id, name=name, arguments=dict(arguments or {}), state=state, summary=summary
        )
        with house.store.transaction(durable=False) as tx:
            record = tx.get(TurnRecord, actor.owner, turn_id)
            before = {call["call_id"]: call for call in record.body["tools"]}
            call = told.model_dump(mode="json", exclude={"kind", "turn_id"})
            if call_id in before and not arguments:
                call["arguments"] = before[call_id]["arguments"]
            body = {**record.body, "tools": [*({**before, call_id: call}).values()]}
            tx.replace(replace(record, body=body, updated_at=now))
            events.append(tx, actor, told, flow_id=record.flow_id, now=now)
        house.bell.ring(actor.owner)

    def note_sent(self, actor: Actor, turn_id: str, *, provider: str, kinds: Sequence[str], size: int) -> None:
        """Tell that a request of `size` bytes leaves for a provider, and keep it with the turn: on the disk before it goes.

        Errors: NotFound; StorageFull, Unavailable.
        """
        house, now = self._house, self._house.now()
        with house.store.transaction() as tx:
            record = tx.get(TurnRecord, actor.owner, turn_id)
            before: dict[str, Any] = record.body.get("sent") or {"kinds": [], "bytes": 0, "requests": 0}
            sent = {
                "provider": provider,
                "kinds": [*dict.fromkeys([*before["kinds"], *kinds])],
                "bytes": before["bytes"] + size,
                "requests": before["requests"] + 1,
            }
            tx.replace(replace(record, body={**record.body, "sent": sent}, updated_at=now))
            told = TurnSent(turn_id=turn_id, provider=provider, kinds=tuple(kinds), bytes=size)
            events.append(tx, actor, told, flow_id=record.flow_id, now=now)
        house.bell.ring(actor.owner)

    def finish_turn(
        self,
        actor: Actor,
        turn_id: str,
        *,
        status: Literal["answered", "failed", "stopped"],
        reply: str,
        account: Any = None,
        records: Sequence[Mapping[str, Any]] = (),
        claims: Sequence[str] = (),
        code: str = "",
        changeset_id: str | None = None,
        usage: Mapping[str, Any] | None = None,
        transcript: Any = None,
    ) -> TurnView:
        """Return the turn, over, with its reply, what its tools did and what it staged.

        `claims` are the words of the reply that no record bears out. `transcript` is what the model's next turn needs of this one. Errors: NotFound; WrongState where it is over.
        """
        house, now = self._house, self._house.now()
        told = TurnFinished(
            turn_id=turn_id,
            status=status,
            reply=reply,
            account=account,
            records=tuple(map(dict, records)),
            unverified=bool(claims),
            claims=tuple(claims),
            code=code,
            changeset_id=changeset_id,
            usage=dict(usage or {}),
        )
        with house.store.transaction() as tx:
            record = tx.get(TurnRecord, actor.owner, turn_id)
            if record.status != "running":
                raise WrongState("turn_over", f"The turn {turn_id!r} is over: {record.status}.", "Start another.")
            facts = told.model_dump(mode="json", exclude={"kind", "turn_id", "status"})
            record = replace(
                record, status=status, body={**record.body, **facts, "transcript": transcript}, updated_at=now
            )
            tx.replace(record)
            events.append(tx, actor, told, flow_id=record.flow_id, now=now)
        house.bell.ring(actor.owner)
        return _turn(record)

    def transcript(self, actor: Actor, chat_id: str) -> list[Any]:
        """Return what the finished turns of a chat left for the next one, oldest first.

        Errors: NotFound.
        """
        with self._house.store.reading() as view:
            view.get(ChatRecord, actor.owner, chat_id)
            left = [turn.body.get("transcript") for turn in _turns(view, actor, chat_id)]
        return [each for each in left if each is not None]

    def tell(self, actor: Actor, flow_id: str, happening: Value) -> None:
        """Tell everybody who listens to a flow that something happened; for what no other call tells.

        Errors: NotFound.
        """
        house = self._house
        with house.store.transaction(durable=False) as tx:
            tx.get(FlowRecord, actor.owner, flow_id)
            events.append(tx, actor, happening, flow_id=flow_id, now=house.now())
        house.bell.ring(actor.owner)

    def setting(self, actor: Actor, name: str, default: Any = None) -> Any:
        """Return a setting's JSON value, or the default where it was never set."""
        with self._house.store.reading() as view:
            try:
                return view.get(SettingRecord, actor.owner, name).body["value"]
            except NotFound:
                return default

    def set_setting(self, actor: Actor, name: str, value: Any) -> None:
        """Keep a setting's JSON value."""
        house = self._house
        record = SettingRecord(owner=actor.owner, name=name, body={"value": value}, updated_at=house.now())
        with house.store.transaction() as tx:
            if tx.find(SettingRecord, actor.owner, where={"name": name}, limit=1):
                tx.replace(record)
            else:
                tx.add(record)


def _turns(view: Reading, actor: Actor, chat_id: str) -> list[TurnRecord]:
    return view.find(TurnRecord, actor.owner, where={"chat_id": chat_id})


def _titled(request: str) -> str:
    """A chat is called by the beginning of its first request."""
    line = " ".join(request.split())
    return line if len(line) <= _TITLE else line[: _TITLE - 1] + "…"


def _chat(record: ChatRecord, turns: tuple[TurnView, ...]) -> ChatView:
    return ChatView(
        chat_id=record.chat_id,
        flow_id=record.flow_id,
        title=record.title,
        turns=turns,
        created_at=record.created_at,
        updated_at=record.updated_at,
    )


def _turn(record: TurnRecord) -> TurnView:
    body = {key: value for key, value in record.body.items() if key != "transcript"}
    return TurnView(
        turn_id=record.turn_id,
        chat_id=record.chat_id,
        flow_id=record.flow_id,
        status=record.status,  # ty: ignore[invalid-argument-type]
        created_at=record.created_at,
        updated_at=record.updated_at,
        **body,
    )
