"""What the workspace answers: frozen values that any door can show as they are. Owns no behaviour but wording.

Documents and columns inside a view are shared with what is kept in memory: nobody writes into them.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from pydantic import Field, computed_field, model_validator

from headrace.base.value import Value
from headrace.engine.results import ColumnProfile
from headrace.flow.diagnostic import Diagnostic
from headrace.flow.operations import Operation
from headrace.flow.patch import Change, Conflict, Patch, Path
from headrace.flow.patch_words import describe_patch
from headrace.nodes.spec import Column

Columns = dict[str, dict[str, tuple[Column, ...]]]
"""Node id -> output port -> columns; only ports that carry a table whose columns are known."""

ChangesetStatus = Literal["draft", "proposed", "approved", "rejected", "conflicted"]
RunStatus = Literal["queued", "running", "succeeded", "failed", "cancelled", "lost"]
NodeStatus = Literal["waiting", "running", "succeeded", "failed", "skipped"]


class FlowSummary(Value):
    """A flow in a list."""

    flow_id: str
    name: str
    number: int
    """The revision it is at."""
    created_at: datetime
    updated_at: datetime


class FlowView(FlowSummary):
    """A flow as it stands, or as it would stand with a changeset."""

    hash: str
    document: dict[str, Any]
    diagnostics: tuple[Diagnostic, ...] = ()
    columns: Columns = Field(default_factory=dict)
    changeset_id: str | None = None
    """The changeset that is shown on top of the revision, if one is."""
    can_undo: bool = False
    """Whether the one who asks has something to take back."""
    can_redo: bool = False


class RevisionView(Value):
    """One entry of a flow's log."""

    flow_id: str
    number: int
    hash: str
    author: str
    approved_by: str | None
    message: str
    reverts: int | None
    changeset_id: str | None
    created_at: datetime
    words: tuple[str, ...] = ()
    """What it changed, a sentence each."""


class ChangesetView(Value):
    """Staged work, as it is reviewed."""

    changeset_id: str
    flow_id: str
    base_revision: int
    base_hash: str
    """The content hash of the flow that it was written for."""
    status: ChangesetStatus
    author: str
    summary: str
    operations: tuple[Operation, ...]
    words: tuple[str, ...]
    """One sentence for each operation, in their order: what a person may choose from when approving a part."""
    patch: Patch
    digest: str
    """Names the patch; an approval gives it back."""
    titles: dict[str, str] = Field(default_factory=dict)
    """What the nodes that it names are called in the flow that it was written for, where they have a title."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """Of the flow as it would stand."""
    introduced: tuple[Diagnostic, ...] = ()
    """Those of them that the flow does not have today."""
    columns: Columns = Field(default_factory=dict)
    """Of the nodes that it touches and of those below them whose columns become others."""
    conflicts: tuple[Conflict, ...] = ()
    """Every place that no longer fits, where the status is conflicted."""
    revision: int | None = None
    """The revision that it became, once approved."""
    landed: tuple[int, ...] | None = None
    """Indexes of the operations that landed, where not all did: those that were chosen and those that they need."""
    replaced_by: str | None = None
    """The changeset that a refresh made of it."""
    amended: int = 0
    """How often it was amended. Two views of one changeset with the same number hold the same work."""
    turn_id: str | None = None
    created_at: datetime
    updated_at: datetime

    @model_validator(mode="before")
    @classmethod
    def _worded_anew(cls, given: Any) -> Any:
        """Read what was written with its `changes`, which follow from the rest."""
        if isinstance(given, Mapping) and "changes" in given:
            return {name: value for name, value in given.items() if name != "changes"}
        return given

    @computed_field
    @property
    def changes(self) -> tuple[str, ...]:
        """What the patch changes, a sentence each."""
        return tuple(describe_patch(self.patch, titles=self.titles))

    @property
    def open(self) -> bool:
        """Whether it can still be amended, approved or rejected."""
        return self.status in ("draft", "proposed")


class Growth(Value):
    """What one amendment made of a changeset: to be put on the one before it, field by field as said here."""

    whole: bool = False
    """It stands for all that there is: what came before is void."""
    operations: tuple[Operation, ...] = ()
    """To be put behind those that are there; so are `words`."""
    words: tuple[str, ...] = ()
    patch: tuple[Change, ...] = ()
    """Each to be put in the place of the patch's change at its path, or added."""
    unchanged: tuple[Path, ...] = ()
    """Paths at which the patch changes nothing any more; to be taken out first."""
    columns: Columns = Field(default_factory=dict)
    """Each node's to be put in the place of those that are there."""
    without_columns: tuple[str, ...] = ()
    """Nodes of which the changeset has no columns to tell any more."""
    diagnostics: tuple[Diagnostic, ...] | None = None
    """All that there are now. None: as before."""
    introduced: tuple[Diagnostic, ...] | None = None
    """All that there are now. None: as before."""
    titles: dict[str, str] = Field(default_factory=dict)
    """To be merged into those that are there."""


class NodeRunView(Value):
    """What a node did, or is doing, in a run."""

    status: NodeStatus = "waiting"
    rows: int | None = None
    columns: int | None = None
    ms: int | None = None
    bytes: int | None = None
    cached: bool = False
    summary: str = ""
    fraction: float | None = None
    """How far it is, between 0 and 1; None where that cannot be told."""
    diagnostic: Diagnostic | None = None
    """Why it failed."""
    because: str | None = None
    """The node whose failure it was skipped for."""
    outputs: dict[str, Any] = Field(default_factory=dict)
    """What it made besides tables, by port: a chart's `{spec, type, x, y, series}`, a file's `{path, rows, bytes}`."""


class RunView(Value):
    """A run of a flow."""

    run_id: str
    flow_id: str
    number: int
    """The revision that ran, or on which the staged flow was built."""
    changeset_id: str | None = None
    to: str | None = None
    """The node up to which it goes; None: everything."""
    dry_run: bool = False
    """Effects are described, not done."""
    note: str = ""
    """What the one who asked should know: why effects were held back, why the run ended early."""
    status: RunStatus
    ms: int | None = None
    answer: str | None = None
    """The node whose table answers, if one does."""
    nodes: dict[str, NodeRunView] = Field(default_factory=dict)
    """In the order in which they run."""
    created_at: datetime
    updated_at: datetime

    @property
    def over(self) -> bool:
        """Return whether nothing more will happen in it."""
        return self.status not in ("queued", "running")


class PreviewView(Value):
    """Some rows of a node's table; cells are JSON."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]
    offset: int = 0
    kept: int
    """How many rows of it can be looked at."""
    total: int | None
    """How many rows the table has; None: not counted."""


class ScratchView(Value):
    """What a flow that was run and thrown away gave."""

    status: RunStatus
    note: str = ""
    answer: str | None = None
    """The node whose table is `table`."""
    table: PreviewView | None = None
    nodes: dict[str, NodeRunView] = Field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()
    ms: int = 0


class ProfileView(Value):
    """A node's table in figures."""

    node_id: str
    rows: int | None
    columns: tuple[ColumnProfile, ...]


class FileDescription(Value):
    """What the head of a file, or of several with the same columns, tells."""

    path: str
    format: str
    columns: tuple[Column, ...]
    sample: tuple[tuple[Any, ...], ...] = ()
    """A few rows as they are written; null where a value is missing."""
    notes: tuple[str, ...] = ()
    """Every decision that could change a result, one plain sentence each."""
    rows: int | None = None
    """How many rows there are, where the head tells."""
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    files: int = 1
    """How many files the path means."""


class ReceivedView(Value):
    """A file on its way into the data folder."""

    upload_id: str
    path: str
    size: int
    """Bytes that have arrived."""


class FoundValue(Value):
    """A value in a file's column that words of a request mean."""

    words: str
    """As they were asked for."""
    path: str
    column: str
    value: str
    """As it is stored."""
    count: int
    """Rows that hold it, as far as they were looked at."""


class FoundValues(Value):
    """Where words stand as values in files."""

    values: tuple[FoundValue, ...] = ()
    """File by file, in the order of its columns."""
    notes: tuple[str, ...] = ()
    """Which files were not looked at, or not to their end, a sentence each."""


class TurnView(Value):
    """One request in a chat and what came of it."""

    turn_id: str
    chat_id: str
    flow_id: str
    request: str
    model: str = ""
    status: Literal["running", "answered", "failed", "stopped", "lost"]
    reply: str = ""
    account: Any = None
    """What each clause of the request became, `[{clause, meaning, assumed}]`, where the model tells it."""
    records: tuple[dict[str, Any], ...] = ()
    """What the turn's tools did: `{kind: edit | check | run, of, words, ok}`; `of` names the changeset or the run."""
    unverified: bool = False
    """The reply says that something was done, and no record of this turn shows it."""
    claims: tuple[str, ...] = ()
    """The words of the reply that say so."""
    sent: dict[str, Any] | None = None
    """What left for a model's provider: `{provider, kinds, bytes, requests}`; None: nothing did."""
    code: str = ""
    """The error's code where it failed."""
    changeset_id: str | None = None
    usage: dict[str, Any] = Field(default_factory=dict)
    tools: tuple[dict[str, Any], ...] = ()
    """The calls that were made: `{call_id, name, arguments, state, summary}`."""
    created_at: datetime
    updated_at: datetime


class ChatView(Value):
    """A chat about a flow."""

    chat_id: str
    flow_id: str
    title: str
    turns: tuple[TurnView, ...] = ()
    """Oldest first; empty in a list of chats."""
    created_at: datetime
    updated_at: datetime


class Event(Value):
    """Something that happened, as the one stream tells it."""

    seq: int
    kind: str
    flow_id: str
    at: datetime
    data: dict[str, Any]
    """What the kind says about itself; `workspace.happenings` holds the shapes."""
