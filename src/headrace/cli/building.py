"""What came of `headrace build`: as words for people, as one object for programs, as an exit code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from headrace.workspace.views import ChangesetView, FlowView, PreviewView, RunView, TurnView

from .check import diagnostic_lines
from .ending import DONE, FAILED, REFUSED
from .running import charts_of, files_of, run_lines, run_object

Status = Literal["answered", "staged", "applied", "ran", "refused", "failed"]
_NO_ANSWER_YET = ("asked", "declined")
"""Codes of turns that end in a question or a reason instead of work."""


@dataclass(frozen=True, slots=True)
class Turned:
    """One request and what came of it."""

    request: str
    turn: TurnView
    changeset: ChangesetView | None
    """What it staged, as it then stood; None where it changed nothing."""


@dataclass(frozen=True, slots=True)
class Built:
    """What came of one call."""

    turns: tuple[Turned, ...]
    flow: FlowView
    run: RunView | None
    answer: PreviewView | None
    out: str | None
    saved: str | None
    left: int
    """Requests that were not begun, because one before them was not done."""

    @property
    def status(self) -> Status:
        """The status of the whole: the last turn's, or what running made of it."""
        last = status_of(self.turns[-1])
        if self.run is None or last not in ("answered", "applied"):
            return last
        if self.run.status != "succeeded":
            return "failed"
        return "ran" if last == "applied" else last

    @property
    def exit_code(self) -> int:
        """The exit code that the status means."""
        return {"staged": REFUSED, "refused": REFUSED, "failed": FAILED}.get(self.status, DONE)


def status_of(turned: Turned) -> Status:
    """Return what came of one request, runs left aside."""
    turn, changeset = turned.turn, turned.changeset
    if turn.status != "answered":
        return "failed"
    if changeset is None:
        return "refused" if turn.code in _NO_ANSWER_YET else "answered"
    if changeset.status == "approved":
        return "applied"
    return "refused" if changeset.status == "rejected" else "staged"


def turn_lines(turn: TurnView) -> list[str]:
    """Return what a person should know of a reply beside its words: claims that nothing shows, and what left."""
    lines = []
    if turn.unverified:
        said = ", ".join(f"“{word}”" for word in turn.claims)
        lines.append(f"Unverified: the reply says {said}, but nothing that was done in this turn shows it.")
    if sent := turn.sent:
        kinds = " and ".join(_KINDS.get(kind, kind) for kind in sent["kinds"])
        lines.append(f"Sent to {sent['provider']}: {kinds or 'no data'}; {_size(sent['bytes'])}.")
    return lines


_KINDS = {"columns": "names and types of columns", "values": "single values", "rows": "sample rows"}


def _size(count: int) -> str:
    return f"{count:,} bytes" if count < 10_000 else f"{count / 1_000:,.0f} KB"


def change_lines(changeset: ChangesetView) -> list[str]:
    """Return a change as lines for people: what it does, and what is wrong with the flow then."""
    lines = [f"The change{f' ({changeset.summary})' if changeset.summary else ''}:"]
    lines += [f"  {_mark(sentence)} {sentence}" for sentence in changeset.changes]
    found = [each for each in changeset.diagnostics if each.severity != "note"]
    if found:
        lines += ["Afterwards:", *(f"  {line}" for line in diagnostic_lines(found))]
    return lines


def _mark(sentence: str) -> str:
    word = sentence.partition(" ")[0]
    return {"Add": "+", "Connect": "+", "Remove": "-", "Disconnect": "-"}.get(word, "~")


def built_lines(built: Built) -> list[str]:
    """Return the end of a build in words; replies and changes were said on the way."""
    lines: list[str] = []
    match status_of(built.turns[-1]):
        case "staged":
            lines.append("Not applied: nobody is here to say yes. Add --approve to apply it.")
        case "applied":
            lines.append(f"Applied as revision {built.flow.number}.")
        case "refused" if built.turns[-1].changeset is not None:
            lines.append("Not applied.")
    if built.left:
        lines.append(f"{built.left} more request{'' if built.left == 1 else 's'} not begun.")
    if built.run is not None:
        lines += ["", *run_lines(built.run, built.answer, out=built.out)]
    if built.saved:
        lines.append(f"The flow is in {built.saved}.")
    return lines


def built_object(built: Built) -> dict[str, Any]:
    """Return a build as `--json` tells it."""
    last = built.turns[-1]
    return {
        "status": built.status,
        "reply": last.turn.reply,
        "code": last.turn.code,
        "account": last.turn.account or [],
        "unverified": last.turn.unverified,
        "claims": list(last.turn.claims),
        "records": list(last.turn.records),
        "sent": last.turn.sent,
        "changeset": _changeset_object(last.changeset),
        "revision": {"number": built.flow.number, "hash": built.flow.hash},
        "flow": built.flow.document,
        "run": run_object(built.run, built.answer, out=built.out) if built.run else None,
        "charts": charts_of(built.run) if built.run else [],
        "files": files_of(built.run) if built.run else [],
        "usage": _sum_of([_usage(turned.turn) for turned in built.turns]),
        "turns": [_turn_object(turned) for turned in built.turns],
        "saved": built.saved,
    }


def _turn_object(turned: Turned) -> dict[str, Any]:
    return {
        "request": turned.request,
        "status": status_of(turned),
        "reply": turned.turn.reply,
        "code": turned.turn.code,
        "account": turned.turn.account or [],
        "unverified": turned.turn.unverified,
        "claims": list(turned.turn.claims),
        "records": list(turned.turn.records),
        "sent": turned.turn.sent,
        "changeset": _changeset_object(turned.changeset),
        "tools": [
            {key: call.get(key) for key in ("name", "arguments", "state", "summary")} for call in turned.turn.tools
        ],
        "usage": _usage(turned.turn),
    }


def _changeset_object(changeset: ChangesetView | None) -> dict[str, Any] | None:
    if changeset is None:
        return None
    return {
        "id": changeset.changeset_id,
        "status": changeset.status,
        "summary": changeset.summary,
        "operations": [each.model_dump(mode="json", exclude_none=True) for each in changeset.operations],
        "patch": list(changeset.changes),
        "digest": changeset.digest,
        "diagnostics": [each.model_dump(mode="json") for each in changeset.diagnostics],
    }


def _usage(turn: TurnView) -> dict[str, int]:
    counted = turn.usage or {}
    read, written = int(counted.get("input_tokens", 0)), int(counted.get("output_tokens", 0))
    return {
        "rounds": int(counted.get("rounds", 0)),
        "tokens": read + written,
        "input_tokens": read,
        "output_tokens": written,
        "tool_calls": int(counted.get("tool_calls", 0)),
        "ms": round((turn.updated_at - turn.created_at).total_seconds() * 1000),
    }


def _sum_of(usages: list[dict[str, int]]) -> dict[str, int]:
    return {key: sum(usage[key] for usage in usages) for key in usages[0]}
