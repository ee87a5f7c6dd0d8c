"""The kinds of record that are kept: what each holds, its key, its parent, its natural order.

Refuses to know what the JSON in them means: that is the workspace's. Every record has an owner.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

Json = dict[str, Any]
"""A plain JSON object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Base of all kinds. The class attributes say how a kind is kept; the fields are its columns."""

    noun: ClassVar[str]
    """What people call it in a message."""
    table: ClassVar[str]
    key: ClassVar[tuple[str, ...]]
    """Together with the owner it is unique: what is another's is not even in the way."""
    order: ClassVar[str]
    """The field by which records of this kind follow one another; the key breaks ties."""
    parent: ClassVar[type[Record] | None] = None
    """Removed with it, and always of the same owner."""
    append_only: ClassVar[bool] = False

    owner: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowRecord(Record):
    """A flow's head: which revision it is at. The document follows from the latest snapshot and the patches after it."""

    noun = "flow"
    table = "flows"
    key = ("flow_id",)
    order = "created_at"

    flow_id: str
    name: str
    number: int
    hash: str
    snapshot_bytes: int
    """Size of the latest snapshot."""
    patch_bytes: int
    """Size of all patches since the latest snapshot."""
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionRecord(Record):
    """One committed patch. Never altered."""

    noun = "revision"
    table = "revisions"
    key = ("flow_id", "number")
    order = "number"
    parent = FlowRecord
    append_only = True

    flow_id: str
    number: int
    hash: str
    patch: Json
    author: str
    approved_by: str | None
    message: str
    reverts: int | None
    changeset_id: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotRecord(Record):
    """A whole document as of one revision, so that a flow opens without replaying its life."""

    noun = "snapshot"
    table = "snapshots"
    key = ("flow_id", "number")
    order = "number"
    parent = FlowRecord
    append_only = True

    flow_id: str
    number: int
    document: Json
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesetRecord(Record):
    """Staged work: where it stands. What it holds is in its amendments."""

    noun = "changeset"
    table = "changesets"
    key = ("changeset_id",)
    order = "created_at"
    parent = FlowRecord

    changeset_id: str
    flow_id: str
    turn_id: str | None
    status: str
    body: Json
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AmendmentRecord(Record):
    """What was put into a changeset at one go, so that a draft that grows costs what is new. Never altered."""

    noun = "amendment"
    table = "amendments"
    key = ("changeset_id", "number")
    order = "number"
    parent = ChangesetRecord
    append_only = True

    changeset_id: str
    number: int
    """0 is what it was proposed with."""
    body: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord(Record):
    """One run of a flow."""

    noun = "run"
    table = "runs"
    key = ("run_id",)
    order = "created_at"
    parent = FlowRecord

    run_id: str
    flow_id: str
    number: int
    """The revision that ran, or on which the staged flow that ran was built."""
    changeset_id: str | None
    status: str
    body: Json
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeResultRecord(Record):
    """What one node did in one run, with a bounded preview."""

    noun = "result"
    table = "node_results"
    key = ("run_id", "node_id")
    order = "node_id"
    parent = RunRecord

    run_id: str
    node_id: str
    body: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRecord(Record):
    """A chat about a flow."""

    noun = "chat"
    table = "chats"
    key = ("chat_id",)
    order = "created_at"
    parent = FlowRecord

    chat_id: str
    flow_id: str
    title: str
    body: Json
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRecord(Record):
    """One request in a chat and all that was done about it."""

    noun = "turn"
    table = "turns"
    key = ("turn_id",)
    order = "created_at"
    parent = ChatRecord

    turn_id: str
    chat_id: str
    flow_id: str
    status: str
    body: Json
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRecord(Record):
    """Something that happened, in the order in which it was written. Outlives its flow."""

    noun = "event"
    table = "events"
    key = ("seq",)
    order = "seq"
    append_only = True

    seq: int
    """Given by the store when it is appended; 0 until then."""
    flow_id: str
    kind: str
    data: Json
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingRecord(Record):
    """One setting of one person."""

    noun = "setting"
    table = "settings"
    key = ("name",)
    order = "name"

    name: str
    body: Json
    updated_at: datetime


KINDS: tuple[type[Record], ...] = (
    FlowRecord,
    RevisionRecord,
    SnapshotRecord,
    ChangesetRecord,
    AmendmentRecord,
    RunRecord,
    NodeResultRecord,
    ChatRecord,
    TurnRecord,
    EventRecord,
    SettingRecord,
)
"""All of them, parents before their children."""


def key_of(record: Record) -> tuple[str | int, ...]:
    """Return a record's key, in the order of its kind's key fields."""
    return tuple(getattr(record, name) for name in record.key)
