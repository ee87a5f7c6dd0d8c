"""What is put right when the house is opened: work that a crash cut short is written down as lost."""

from __future__ import annotations

from dataclasses import replace

from headrace.base.actor import Actor
from headrace.store.records import RunRecord, TurnRecord

from . import events
from .foundation import UseCases
from .happenings import PASSING, RunFinished, TurnFinished

_RUN_NOTE = "Headrace was stopped while it ran. Run it again."
_TURN_NOTE = "Headrace was stopped while the assistant was at work. What it had staged is kept."


class Recovery(UseCases):
    """Putting right."""

    def recover(self) -> int:
        """Return how many runs and turns were under way when the program ended; they are over now, as lost.

        Call it once, before anything is started, and only where no other program works on the same database. Old events
        that told of things under way go too.
        """
        house, now = self._house, self._house.now()
        with house.store.transaction() as tx:
            runs = [
                record
                for status in ("queued", "running")
                for record in tx.find_for_all(RunRecord, where={"status": status})
            ]
            for record in runs:
                tx.replace(replace(record, status="lost", body={**record.body, "note": _RUN_NOTE}, updated_at=now))
                told = RunFinished(run_id=record.run_id, status="lost", note=_RUN_NOTE)
                events.append(tx, Actor(owner=record.owner), told, flow_id=record.flow_id, now=now)
            turns = tx.find_for_all(TurnRecord, where={"status": "running"})
            for turn in turns:
                body = {**turn.body, "reply": _TURN_NOTE, "code": "lost"}
                tx.replace(replace(turn, status="lost", body=body, updated_at=now))
                ended = TurnFinished(turn_id=turn.turn_id, status="lost", reply=_TURN_NOTE, code="lost")
                events.append(tx, Actor(owner=turn.owner), ended, flow_id=turn.flow_id, now=now)
            tx.sweep_events(PASSING, before=tx.last_seq() - house.budgets.passing_events_kept)
        return len(runs) + len(turns)
