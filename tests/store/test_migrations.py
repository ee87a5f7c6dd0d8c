"""What a database of an older layout holds is there after an update, under the new one."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from headrace.store.migrations import m0001_first
from headrace.store.records import AmendmentRecord, ChangesetRecord
from headrace.store.sql import open_store

AT = "2026-01-01T12:00:00.000000+00:00"
OLD = {
    "changeset_id": "set_1",
    "flow_id": "flow_1",
    "base_revision": 0,
    "base_hash": "h0",
    "status": "proposed",
    "author": "assistant for ann",
    "summary": "Name it",
    "operations": [{"op": "set_name", "name": "Sales"}],
    "words": ["Call the flow “Sales”"],
    "patch": {"changes": [{"kind": "changed", "path": ["name"], "before": "Old", "after": "Sales"}]},
    "digest": "0" * 64,
    "changes": ["Call the flow “Sales”"],
    "diagnostics": [],
    "introduced": [],
    "columns": {"a": {"out": [{"name": "id", "type": "BIGINT"}]}},
    "conflicts": [],
    "revision": None,
    "landed": None,
    "replaced_by": None,
    "turn_id": None,
    "created_at": AT,
    "updated_at": AT,
}


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database of the first layout with one changeset."""
    path = tmp_path / "headrace.db"
    open_store(path, migrations=(m0001_first,)).close()
    with closing(sqlite3.connect(path)) as plain, plain:
        plain.execute("INSERT INTO flows VALUES ('ann','flow_1','Old',0,'h0',2,0,?,?)", (AT, AT))
        plain.execute(
            "INSERT INTO changesets VALUES ('ann','set_1','flow_1',NULL,'proposed',?,?,?)", (json.dumps(OLD), AT, AT)
        )
    return path


def test_a_changeset_of_the_first_layout_becomes_one_amendment(database: Path) -> None:
    store = open_store(database)
    with store.reading() as view:
        record = view.get(ChangesetRecord, "ann", "set_1")
        rows = view.find(AmendmentRecord, "ann", where={"changeset_id": "set_1"})
    store.close()
    stays = ("base_revision", "base_hash", "author", "summary", "conflicts", "revision", "landed", "replaced_by")
    assert record.body == {**{name: OLD[name] for name in stays}, "amended": 0}
    moved = {name: OLD[name] for name in ("operations", "words", "columns", "diagnostics", "introduced")}
    assert [each.body for each in rows] == [{**moved, "whole": True, "patch": OLD["patch"]["changes"]}]
    assert [each.number for each in rows] == [0]


def test_the_database_of_the_first_layout_is_put_aside(database: Path) -> None:
    open_store(database).close()
    with closing(sqlite3.connect(f"{database}.before-1")) as copy:
        assert json.loads(copy.execute("SELECT body FROM changesets").fetchone()[0]) == OLD
