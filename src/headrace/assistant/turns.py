"""Turns as jobs of the server: each has a thread of its own, outlives the browser tab, and can be stopped.

Whatever happens to a turn, what it staged stays and its record says how it ended.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

from headrace.base.actor import Actor, assistant_for
from headrace.base.errors import Invalid, NotFound
from headrace.flow.patch import PatchConflict
from headrace.tools.catalog import standard_tools
from headrace.tools.spec import Draft, Tool, ToolContext
from headrace.workspace.stopping import Stop
from headrace.workspace.views import TurnView
from headrace.workspace.workspace import Workspace

from .briefing import MOST, brief
from .budget import Budget
from .claims import unshown
from .instructions import instructions
from .loop import CancellationToken, Outcome, Turn, run_turn
from .models.registry import Chosen, Models
from .models.transcript import history_of, transcript_of
from .sharing import Gate
from .teller import Teller

_log = logging.getLogger(__name__)
LONGEST_MESSAGE = 20_000
"""Characters of one message."""


_BROKEN = Outcome("failed", "Something went wrong here. What was staged is still here.", code="internal")


@dataclass(slots=True)
class _Job:
    """A turn at work."""

    turn: TurnView
    actor: Actor
    chosen: Chosen
    gate: Gate
    draft: Draft
    history: Sequence[Any]
    last: bool = False
    """No turn follows: what such a turn would be told need not be worked out, which costs a tenth of a cold start."""
    cancellation: CancellationToken = field(default_factory=CancellationToken)
    over: threading.Event = field(default_factory=threading.Event)
    loop: asyncio.AbstractEventLoop | None = None
    halt: Stop = field(default_factory=Stop)

    def stop(self) -> None:
        """Ask the turn to end now, and all that runs for it."""
        self.halt.cancel()
        if self.loop is not None:
            with suppress(RuntimeError):  # the loop has just closed: the turn is over
                self.loop.call_soon_threadsafe(self.cancellation.cancel)


class Assistant:
    """Starts, stops and awaits turns."""

    def __init__(
        self,
        workspace: Workspace,
        models: Models,
        *,
        tools: Sequence[Tool] | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.models = models
        self._workspace = workspace
        self._tools = tuple(standard_tools() if tools is None else tools)
        self._budget = budget or Budget()
        self._instructions = instructions(workspace.catalog)
        self._jobs: dict[str, _Job] = {}
        self._guard = threading.Lock()

    def start_turn(self, actor: Actor, chat_id: str, text: str, *, model: str = "", last: bool = False) -> TurnView:
        """Return the turn that begins to answer a message; it goes on by itself.

        `last`: no turn of this chat will follow, so nothing is kept to tell it.

        Errors: NotFound; Invalid for the message or the model; WrongState while another turn of the chat runs.
        """
        chosen = self.models.resolve(model)
        gate = Gate(chosen.share)
        history = history_of(self._workspace.transcript(actor, chat_id), lets=gate.lets)
        draft = Draft(self._undecided(actor, chat_id))
        turn = self._workspace.start_turn(actor, chat_id, _readable(text), model=model or self.models.default)
        job = _Job(turn, actor, chosen, gate, draft, history, last=last)
        with self._guard:
            self._jobs[turn.turn_id] = job
        threading.Thread(target=self._work, args=(job,), name=turn.turn_id, daemon=True).start()
        return turn

    def briefing(self, actor: Actor, chat_id: str, *, model: str = "") -> str:
        """Return the briefing that a model would get with the next message, byte for byte; nothing is sent.

        Errors: NotFound; Invalid for the model.
        """
        flow_id, changeset_id = self._workspace.chat(actor, chat_id).flow_id, self._undecided(actor, chat_id)
        return self._briefing(actor, flow_id, Gate(self.models.resolve(model).share), changeset_id=changeset_id)

    def stop_turn(self, actor: Actor, turn_id: str) -> TurnView:
        """Ask a turn to stop and return it; stopping one that is over changes nothing.

        Errors: NotFound.
        """
        turn = self._workspace.turn(actor, turn_id)
        with self._guard:
            job = self._jobs.get(turn_id)
        if job is not None:
            job.stop()
        return turn

    def wait(self, actor: Actor, turn_id: str, *, timeout: float | None = None) -> TurnView:
        """Return the turn once it is over, or as it stands after `timeout` s.

        Errors: NotFound.
        """
        with self._guard:
            job = self._jobs.get(turn_id)
        if job is not None:
            job.over.wait(timeout)
        return self._workspace.turn(actor, turn_id)

    def close(self, *, timeout: float = 5.0) -> None:
        """Stop every turn and wait up to `timeout` s for them to end."""
        with self._guard:
            jobs = list(self._jobs.values())
        for job in jobs:
            job.stop()
        end = time.monotonic() + timeout
        for job in jobs:
            job.over.wait(max(0.0, end - time.monotonic()))

    def _undecided(self, actor: Actor, chat_id: str) -> str | None:
        """Return the changeset that the chat's last edit staged, where nobody has decided about it and it still fits.

        A follow-up works on what the person sees under review, not on the flow without it.
        """
        chat = self._workspace.chat(actor, chat_id)
        changeset_id = next((turn.changeset_id for turn in reversed(chat.turns) if turn.changeset_id), None)
        if changeset_id is None:
            return None
        try:
            if not self._workspace.changeset(actor, changeset_id).open:
                return None
            self._workspace.flow(actor, chat.flow_id, changeset_id=changeset_id)
        except (NotFound, PatchConflict):
            return None
        return changeset_id

    def _work(self, job: _Job) -> None:
        teller = Teller(self._workspace, job.actor, job.turn.turn_id)
        try:
            outcome = asyncio.run(self._answer(job, teller))
            teller.flush()
        except Exception:  # a fault of ours: the turn must still end, and the log must hold all of it
            _log.exception("turn %s broke", job.turn.turn_id)
            outcome = _BROKEN
        self._close(job, outcome)

    async def _answer(self, job: _Job, teller: Teller) -> Outcome:
        job.loop = asyncio.get_running_loop()
        if job.halt.cancelled:
            job.cancellation.cancel()
        context = ToolContext(
            self._workspace,
            assistant_for(job.actor),
            job.turn.flow_id,
            turn_id=job.turn.turn_id,
            draft=job.draft,
            stop=job.halt,
        )
        briefing = self._briefing(job.actor, job.turn.flow_id, job.gate, changeset_id=job.draft.changeset_id)
        async with job.chosen.lend(partial(teller.leaving, job.chosen.provider, job.gate)) as model:
            turn = Turn(
                model=model,
                instructions=self._instructions,
                request=job.turn.request,
                briefing=briefing,
                context=context,
                tools=self._tools,
                gate=job.gate,
                history=job.history,
                budget=self._budget,
                cancellation=job.cancellation,
            )
            return await run_turn(turn, teller.hear)

    def _briefing(self, actor: Actor, flow_id: str, gate: Gate, *, changeset_id: str | None) -> str:
        return gate.briefing(brief(self._workspace, actor, flow_id, changeset_id=changeset_id), MOST)

    def _close(self, job: _Job, outcome: Outcome) -> None:
        """Write down how a turn ended; where that fails, at least that it did: a chat waits for its last turn to end."""
        if outcome.status != "answered":
            job.halt.cancel()  # a tool may still be at work: nothing of it is wanted any more
        try:
            self._finish(job, outcome)
        except Exception:  # what a model said may not be writable
            _log.exception("turn %s could not be closed with what it said", job.turn.turn_id)
            try:
                self._finish(job, _BROKEN)
            except Exception:  # the flow may be gone, or the disk full: nobody is left to tell but the log
                _log.exception("turn %s could not be closed", job.turn.turn_id)
        job.over.set()
        with self._guard:
            self._jobs.pop(job.turn.turn_id, None)

    def _finish(self, job: _Job, outcome: Outcome) -> None:
        claims = unshown(outcome.reply, outcome.records)
        reply = outcome.reply
        if outcome.status != "answered" and job.draft.edited:
            reply += "\n\nWhat was staged until then is kept: look at it, then apply or dismiss it."
        reply = reply.strip() or "Stopped."
        self._workspace.finish_turn(
            job.actor,
            job.turn.turn_id,
            status=outcome.status,
            reply=reply,
            account=list(outcome.account) or None,
            records=[asdict(record) for record in outcome.records],
            claims=claims,
            code=outcome.code,
            changeset_id=job.draft.changeset_id if job.draft.edited else None,
            usage=asdict(outcome.usage),
            transcript=None if job.last else _left(job, outcome, reply),
        )


def _left(job: _Job, outcome: Outcome, reply: str) -> Any:
    own = outcome.messages[len(job.history) :]
    return transcript_of(own, request=job.turn.request, reply=reply, told=job.gate.told)


def _readable(text: str) -> str:
    request = text.strip()
    if not request:
        raise Invalid("empty_message", "The message is empty.", "Say what the flow should do, or ask about the data.")
    if len(request) > LONGEST_MESSAGE:
        raise Invalid(
            "long_message",
            f"The message has {len(request):,} characters; {LONGEST_MESSAGE:,} can be read.",
            "Put long text into a file and name the file.",
        )
    return request
