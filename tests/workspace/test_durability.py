"""Acknowledged means durable: a program that is killed at random moments loses nothing that it was told of."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from headrace.base.actor import LOCAL
from headrace.flow.model import content_hash, document_of, flow_from_document
from headrace.flow.patch import Patch, apply, seal
from headrace.store.records import EventRecord, FlowRecord, RevisionRecord, SnapshotRecord
from headrace.store.sql import open_store
from headrace.workspace.heads import flow_at
from headrace.workspace.workspace import Workspace
from tests.workspace.conftest import MakeWorkspace
from tests.workspace.flows_for_tests import ANN, add

ROOT = Path(__file__).parents[2]
OPERATIONS = 2_000
KILLS = 12


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_nothing_acknowledged_is_lost_and_nothing_is_half_there(make: MakeWorkspace, tmp_path: Path) -> None:
    """[kill -9] 2,000 operations, killed a dozen times in between."""
    database = tmp_path / "kill" / "headrace.db"
    chance = random.Random(7)
    acknowledged: dict[str, int] = {}
    changesets: dict[str, dict[str, Any]] = {}
    done = 0
    while done < OPERATIONS:
        told = list(killed_after(database, tmp_path, count=OPERATIONS // KILLS, seed=done, chance=chance))
        done += len(told)
        for each in told:
            acknowledged[each["flow_id"]] = max(acknowledged.get(each["flow_id"], 0), each["number"])
            changesets |= {each["changeset_id"]: each.get("held", {})} if "changeset_id" in each else {}
        check(database, acknowledged, every_revision=done >= OPERATIONS)
    workspace = make(database)
    for changeset_id, held in changesets.items():
        kept(workspace, changeset_id, held)
    assert max(held.get("amended", 0) for held in changesets.values()) > 10
    for flow_id in acknowledged:
        assert workspace.flow(LOCAL, flow_id).number >= acknowledged[flow_id]


def kept(workspace: Workspace, changeset_id: str, held: dict[str, Any]) -> None:
    """See that a changeset is whole and holds at least what was acknowledged of it."""
    found = workspace.changeset(LOCAL, changeset_id)
    assert len(found.words) == len(found.operations) >= held.get("operations", 1)
    assert found.amended >= held.get("amended", 0)
    assert found.digest == seal(found.patch)
    if found.amended == held.get("amended") and len(found.operations) == held["operations"]:
        assert found.digest == held["digest"]


def killed_after(
    database: Path, folder: Path, *, count: int, seed: int, chance: random.Random
) -> Iterable[dict[str, Any]]:
    """Let the program work, kill it in the middle of something, and yield all that it had acknowledged."""
    command = [sys.executable, "-m", "tests.workspace.acknowledging", str(database), str(folder), str(seed)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        for number, line in enumerate(program.stdout, start=1):
            if line.endswith("\n"):
                yield json.loads(line)
            if number == count:
                time.sleep(chance.random() * 0.01)
                program.kill()
    assert program.returncode == -9


def check(database: Path, acknowledged: dict[str, int], *, every_revision: bool) -> None:
    """See that the database is whole and holds at least what was acknowledged, without a gap."""
    with closing(sqlite3.connect(database)) as plain:
        assert plain.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert plain.execute("PRAGMA foreign_key_check").fetchall() == []
    store = open_store(database)
    with store.reading() as view:
        for flow_id, number in acknowledged.items():
            record = view.get(FlowRecord, "local", flow_id)
            assert record.number >= number
            if every_revision:
                whole(view, record)
            else:
                reopened = flow_at(view, LOCAL, flow_id, number=record.number)
                assert content_hash(reopened) == record.hash
    store.close()


def whole(view: Any, record: FlowRecord) -> None:
    """See that a flow's log leads, patch by patch, to what its head says it is, and that each step was told."""
    where = {"flow_id": record.flow_id}
    log = view.find(RevisionRecord, record.owner, where=where)
    assert [each.number for each in log] == list(range(1, record.number + 1))
    snapshots = {each.number: each.document for each in view.find(SnapshotRecord, record.owner, where=where)}
    flow = flow_from_document(snapshots[0])
    for revision in log:
        flow = apply(flow, Patch.model_validate(revision.patch))
        assert content_hash(flow) == revision.hash
        assert snapshots.get(revision.number) in (None, document_of(flow))
    assert content_hash(flow) == record.hash
    told = [each.data["number"] for each in view.find(EventRecord, record.owner, where=where) if "number" in each.data]
    assert told == list(range(1, record.number + 1))


def test_a_torn_log_loses_its_end_and_nothing_else(make: MakeWorkspace, tmp_path: Path) -> None:
    """[torn] The write-ahead log cut off anywhere, as a power cut may leave it: what is there is whole."""
    database = tmp_path / "headrace.db"
    workspace: Workspace = make(database)
    flow_id = workspace.create_flow(ANN, "Sales").flow_id
    for number in range(25):
        workspace.edit(ANN, flow_id, add(f"n{number}", "limit", count=5))
    log = database.with_name("headrace.db-wal")
    assert log.stat().st_size > 0
    chance = random.Random(3)
    numbers = set()
    for case in range(30):
        folder = tmp_path / f"torn_{case}"
        folder.mkdir()
        shutil.copy(database, folder)
        torn = bytearray(log.read_bytes()[: chance.randrange(log.stat().st_size)])
        if case % 3 == 0:
            torn[-64:] = bytes(len(torn[-64:]))
        (folder / log.name).write_bytes(torn)
        numbers.add(reached(folder / database.name, flow_id))
    assert len(numbers) > 5


def reached(database: Path, flow_id: str) -> int:
    """Return the revision that a torn database is at, having seen that all up to it is whole; -1 before the flow."""
    store = open_store(database)
    with store.reading() as view:
        found = view.find(FlowRecord, "ann", where={"flow_id": flow_id})
        for record in found:
            whole(view, record)
    store.close()
    with closing(sqlite3.connect(database)) as plain:
        assert plain.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    return found[0].number if found else -1
