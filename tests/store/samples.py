"""One record of each kind, for whatever owner: what the store's tests are fed with."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from headrace.store.records import (
    AmendmentRecord,
    ChangesetRecord,
    ChatRecord,
    EventRecord,
    FlowRecord,
    NodeResultRecord,
    Record,
    RevisionRecord,
    RunRecord,
    SettingRecord,
    SnapshotRecord,
    TurnRecord,
)

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def flow(owner: str = "ann", flow_id: str = "flow_1", *, number: int = 0, minute: int = 0) -> FlowRecord:
    at = NOON + timedelta(minutes=minute)
    return FlowRecord(
        owner=owner,
        flow_id=flow_id,
        name="Sales",
        number=number,
        hash="h0",
        snapshot_bytes=10,
        patch_bytes=0,
        created_at=at,
        updated_at=at,
    )


def revision(owner: str = "ann", number: int = 1, flow_id: str = "flow_1") -> RevisionRecord:
    return RevisionRecord(
        owner=owner,
        flow_id=flow_id,
        number=number,
        hash=f"h{number}",
        patch={"changes": [{"kind": "added", "path": ["nodes", "a"], "after": {"é": [1, None, True, 0.5]}}]},
        author=owner,
        approved_by=None,
        message="",
        reverts=None,
        changeset_id=None,
        created_at=NOON,
    )


def event(owner: str = "ann", flow_id: str = "flow_1", kind: str = "flow.created", **data: object) -> EventRecord:
    return EventRecord(owner=owner, seq=0, flow_id=flow_id, kind=kind, data=data, created_at=NOON)


def run(owner: str = "ann", run_id: str = "run_1", *, flow_id: str = "flow_1", minute: int = 0) -> RunRecord:
    at = NOON + timedelta(minutes=minute)
    return RunRecord(
        owner=owner,
        run_id=run_id,
        flow_id=flow_id,
        number=1,
        changeset_id=None,
        status="running",
        body={},
        created_at=at,
        updated_at=at,
    )


def one_of_each(owner: str = "ann") -> list[Record]:
    """Return a record of every kind, parents first."""
    times = {"created_at": NOON, "updated_at": NOON}
    return [
        flow(owner),
        revision(owner),
        SnapshotRecord(owner=owner, flow_id="flow_1", number=1, document={"nodes": {}}, created_at=NOON),
        ChangesetRecord(
            owner=owner, changeset_id="set_1", flow_id="flow_1", turn_id=None, status="proposed", body={}, **times
        ),
        AmendmentRecord(owner=owner, changeset_id="set_1", number=0, body={"words": ["Add a"]}),
        run(owner),
        NodeResultRecord(owner=owner, run_id="run_1", node_id="a", body={"rows": 3}),
        ChatRecord(owner=owner, chat_id="chat_1", flow_id="flow_1", title="", body={}, **times),
        TurnRecord(
            owner=owner, turn_id="turn_1", chat_id="chat_1", flow_id="flow_1", status="running", body={}, **times
        ),
        replace(event(owner), seq=1),
        SettingRecord(owner=owner, name="theme", body={"value": "dark"}, updated_at=NOON),
    ]
