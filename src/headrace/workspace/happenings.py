"""What can happen, as the events tell it: one value a kind. Owns the shapes; storing and waking is `events`.

A client that replays these in order, by number, ends where the server is.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from headrace.base.value import Value
from headrace.flow.diagnostic import Diagnostic
from headrace.flow.patch import Patch
from headrace.nodes.spec import Column

from .views import ChangesetView, Growth, RunStatus

PASSING = ("turn.text", "node.progress")
"""Kinds that only tell of something under way: what comes of it is told again by another kind."""


class FlowCreated(Value):
    """A flow is there."""

    kind: Literal["flow.created"] = "flow.created"
    name: str


class FlowDeleted(Value):
    """A flow and all that belonged to it is gone."""

    kind: Literal["flow.deleted"] = "flow.deleted"


class RevisionCommitted(Value):
    """The flow moved on by one patch."""

    kind: Literal["revision.committed"] = "revision.committed"
    number: int
    hash: str
    patch: Patch
    author: str
    approved_by: str | None = None
    message: str = ""
    reverts: int | None = None
    changeset_id: str | None = None
    diagnostics: tuple[Diagnostic, ...] | None = None
    """All that the flow has now: take these in place of the ones before. None: they are as before."""
    columns: dict[str, dict[str, tuple[Column, ...]]] = Field(default_factory=dict)
    """Of the nodes whose columns became others: merge these, port map by port map, into the ones before."""


class ChangesetChanged(Value):
    """Staged work is new, was built again on a flow that moved on, or was decided. It stands here whole."""

    kind: Literal["changeset.changed"] = "changeset.changed"
    changeset: ChangesetView


class ChangesetAmended(Value):
    """Staged work goes on by so much."""

    kind: Literal["changeset.amended"] = "changeset.amended"
    changeset_id: str
    amended: int
    """How often it was amended with this: put it on the one that has one less; one that has as many holds it already."""
    digest: str
    """Of the patch as it is now."""
    summary: str
    updated_at: datetime
    added: Growth


class RunStarted(Value):
    """A run has begun."""

    kind: Literal["run.started"] = "run.started"
    run_id: str
    number: int
    changeset_id: str | None = None
    to: str | None = None
    dry_run: bool = False
    note: str = ""
    nodes: tuple[str, ...] = ()


class NodeStarted(Value):
    """A node is at work."""

    kind: Literal["node.started"] = "node.started"
    run_id: str
    node_id: str


class NodeProgress(Value):
    """A node is still at work."""

    kind: Literal["node.progress"] = "node.progress"
    run_id: str
    node_id: str
    fraction: float | None = None


class NodeFinished(Value):
    """A node is done."""

    kind: Literal["node.finished"] = "node.finished"
    run_id: str
    node_id: str
    rows: int | None = None
    columns: int | None = None
    ms: int = 0
    bytes: int | None = None
    cached: bool = False
    summary: str = ""


class NodeFailed(Value):
    """A node could not be run."""

    kind: Literal["node.failed"] = "node.failed"
    run_id: str
    node_id: str
    diagnostic: Diagnostic


class NodeSkipped(Value):
    """A node was left out because of another."""

    kind: Literal["node.skipped"] = "node.skipped"
    run_id: str
    node_id: str
    because: str


class RunFinished(Value):
    """A run is over."""

    kind: Literal["run.finished"] = "run.finished"
    run_id: str
    status: RunStatus
    ms: int | None = None
    answer: str | None = None
    note: str = ""


class TurnStarted(Value):
    """The assistant has begun on a request."""

    kind: Literal["turn.started"] = "turn.started"
    turn_id: str
    chat_id: str
    request: str
    model: str = ""


class TurnText(Value):
    """The reply goes on by so much."""

    kind: Literal["turn.text"] = "turn.text"
    turn_id: str
    delta: str


class TurnTool(Value):
    """A tool was called, or has answered."""

    kind: Literal["turn.tool"] = "turn.tool"
    turn_id: str
    call_id: str
    name: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    state: Literal["started", "finished", "failed"]
    summary: str = ""


class TurnSent(Value):
    """A request is about to leave for a model's provider."""

    kind: Literal["turn.sent"] = "turn.sent"
    turn_id: str
    provider: str
    """Where it goes: `scheme://host:port`."""
    kinds: tuple[str, ...]
    """What of the data it holds: `columns` (names, types, counts), `values`, `rows`."""
    bytes: int


class TurnFinished(Value):
    """The turn is over; its reply stands here whole."""

    kind: Literal["turn.finished"] = "turn.finished"
    turn_id: str
    status: Literal["answered", "failed", "stopped", "lost"]
    reply: str = ""
    account: Any = None
    """What each clause of the request became, `[{clause, meaning, assumed}]`, where the model tells it."""
    records: tuple[dict[str, Any], ...] = ()
    """What the turn's tools did: `{kind: edit | check | run, of, words, ok}`; `of` names the changeset or the run."""
    unverified: bool = False
    """The reply says that something was done, and no record of this turn shows it."""
    claims: tuple[str, ...] = ()
    """The words of the reply that say so."""
    code: str = ""
    changeset_id: str | None = None
    usage: dict[str, Any] = Field(default_factory=dict)


class ChatMessage(Value):
    """Somebody wrote in a chat."""

    kind: Literal["chat.message"] = "chat.message"
    chat_id: str
    turn_id: str | None = None
    text: str


Happening = Annotated[
    FlowCreated
    | FlowDeleted
    | RevisionCommitted
    | ChangesetChanged
    | ChangesetAmended
    | RunStarted
    | NodeStarted
    | NodeProgress
    | NodeFinished
    | NodeFailed
    | NodeSkipped
    | RunFinished
    | TurnStarted
    | TurnText
    | TurnTool
    | TurnSent
    | TurnFinished
    | ChatMessage,
    Field(discriminator="kind"),
]
