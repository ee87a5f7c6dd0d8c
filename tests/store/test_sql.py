"""What only a store on a disk can do wrong: layouts, damage, a full disk, two programs at once."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from sqlalchemy import create_engine, inspect

from headrace.base.errors import StorageFull, Unavailable, WrongState
from headrace.store.migrations.runner import MIGRATIONS
from headrace.store.records import FlowRecord, RunRecord
from headrace.store.sql import open_store
from headrace.store.tables import METADATA, TABLES
from tests.store import samples


def later_layout(statement: str) -> ModuleType:
    made = ModuleType("m0002_test")
    made.TITLE = "a test's layout"
    made.upgrade = lambda connection: connection.exec_driver_sql(statement)
    return made


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "headrace.db"


def fill(path: Path) -> None:
    store = open_store(path)
    with store.transaction() as tx:
        tx.add(samples.flow())
    store.close()


class TestOpening:
    def test_a_new_file_is_for_its_owner_alone(self, path: Path) -> None:
        open_store(path).close()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600

    def test_what_was_kept_is_there_again(self, path: Path) -> None:
        fill(path)
        store = open_store(path)
        with store.reading() as view:
            assert view.get(FlowRecord, "ann", "flow_1") == samples.flow()
        store.close()

    def test_it_is_durable_and_keeps_children_with_parents(self, path: Path) -> None:
        store = open_store(path)
        with store.transaction() as tx:
            pragma = {
                name: tx._connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
            }
        assert pragma == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5000}
        with store.transaction(durable=False) as tx:
            assert tx._connection.exec_driver_sql("PRAGMA synchronous").scalar() == 1
        store.close()

    def test_a_damaged_file_is_named_as_such_and_left_alone(self, path: Path) -> None:
        path.parent.mkdir()
        path.write_bytes(b"this is no database" * 500)
        with pytest.raises(Unavailable) as caught:
            open_store(path)
        assert caught.value.code == "store_damaged"
        assert path.read_bytes() == b"this is no database" * 500

    def test_a_folder_where_the_file_should_be_is_refused_in_words(self, path: Path) -> None:
        path.mkdir(parents=True)
        with pytest.raises(Unavailable, match="cannot be opened"):
            open_store(path)

    def test_somebody_elses_database_is_left_alone(self, path: Path) -> None:
        path.parent.mkdir()
        with closing(sqlite3.connect(path)) as other:
            other.execute("CREATE TABLE recipes (name TEXT)")
        with pytest.raises(WrongState, match="recipes") as caught:
            open_store(path)
        assert caught.value.code == "not_headrace"
        with closing(sqlite3.connect(path)) as other:
            assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("recipes",)]


class TestMigrating:
    def test_the_layout_is_what_the_records_say(self, path: Path) -> None:
        open_store(path).close()
        engine = create_engine(f"sqlite:///{path}")
        found = inspect(engine)
        fresh = create_engine("sqlite://")
        METADATA.create_all(fresh)
        declared = inspect(fresh)
        for table in TABLES.values():
            columns = {c["name"]: (str(c["type"]), c["nullable"]) for c in declared.get_columns(table.name)}
            columns.update({"seq": ("INTEGER", True)} if table.name == "events" else {})
            assert {c["name"]: (str(c["type"]), c["nullable"]) for c in found.get_columns(table.name)} == columns
            assert found.get_pk_constraint(table.name) == declared.get_pk_constraint(table.name)
            assert found.get_foreign_keys(table.name) == declared.get_foreign_keys(table.name)
        engine.dispose()
        fresh.dispose()

    def test_a_second_opening_does_nothing(self, path: Path) -> None:
        fill(path)
        open_store(path).close()
        assert [p.name for p in path.parent.iterdir() if "before" in p.name] == []

    def test_an_older_database_is_put_aside_and_brought_up_to_date(self, path: Path) -> None:
        fill(path)
        open_store(path, migrations=(*MIGRATIONS, later_layout("ALTER TABLE flows ADD COLUMN color TEXT"))).close()
        with closing(sqlite3.connect(path)) as now:
            assert now.execute("SELECT name, color FROM flows").fetchall() == [("Sales", None)]
            numbers = [(number,) for number in range(1, len(MIGRATIONS) + 2)]
            assert now.execute("SELECT number FROM schema_version").fetchall() == numbers
        with closing(sqlite3.connect(f"{path}.before-{len(MIGRATIONS)}")) as copy:
            assert copy.execute("SELECT name FROM flows").fetchall() == [("Sales",)]
            assert "color" not in copy.execute("SELECT sql FROM sqlite_master WHERE name = 'flows'").fetchone()[0]
        assert not path.with_name(f"{path.name}.before-{len(MIGRATIONS)}.part").exists()

    def test_a_migration_that_fails_leaves_the_old_layout_whole(self, path: Path) -> None:
        fill(path)
        broken = later_layout("ALTER TABLE nothing ADD COLUMN color TEXT")
        good = later_layout("ALTER TABLE flows ADD COLUMN color TEXT")
        with pytest.raises(Exception, match="nothing"):
            open_store(path, migrations=(*MIGRATIONS, good, broken))
        store = open_store(path)
        with store.reading() as view:
            assert view.get(FlowRecord, "ann", "flow_1") == samples.flow()
        store.close()

    def test_a_database_from_a_newer_program_is_refused_and_left_alone(self, path: Path) -> None:
        fill(path)
        open_store(path, migrations=(*MIGRATIONS, later_layout("CREATE TABLE later (x INTEGER)"))).close()
        before = path.read_bytes()
        known = len(MIGRATIONS)
        with pytest.raises(
            WrongState, match=f"layout {known + 1}; this Headrace knows layouts up to {known}"
        ) as caught:
            open_store(path)
        assert caught.value.code == "newer_database"
        assert "Update Headrace" in caught.value.hint
        assert path.read_bytes() == before


class TestFullDisk:
    def test_nothing_is_half_written_and_it_works_again_with_space(self, path: Path) -> None:
        store = open_store(path, quota_bytes=400_000)
        with store.transaction() as tx:
            tx.add(samples.flow())
        kept = 0

        def fill_up() -> None:
            nonlocal kept
            for number in range(1, 200):
                with store.transaction() as tx:
                    tx.advance(samples.flow(number=number), expected=number - 1)
                    tx.add(replace(samples.revision(number=number), patch={"text": "x" * 10_000}))
                kept = number

        with pytest.raises(StorageFull, match="nothing was written"):
            fill_up()
        assert kept > 1
        with store.reading() as view:
            assert view.get(FlowRecord, "ann", "flow_1").number == kept
        store.close()
        roomy = open_store(path)
        with roomy.transaction() as tx:
            tx.advance(samples.flow(number=kept + 1), expected=kept)
        with closing(sqlite3.connect(path)) as check:
            assert check.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        roomy.close()


class TestTwoPrograms:
    def test_a_held_database_is_said_to_be_held(self, path: Path) -> None:
        store = open_store(path)
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            with store.transaction() as tx:  # one pooled connection, then taught to be impatient
                tx._connection.exec_driver_sql("PRAGMA busy_timeout=50")
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(Unavailable) as caught, store.transaction():
                pass
            assert caught.value.code == "store_busy"
            with store.reading() as view:
                assert view.find(RunRecord, "ann") == []
        store.close()


def test_the_store_in_memory_needs_no_database_library() -> None:
    code = "import headrace.store.memory, sys; print(sorted({'sqlalchemy', 'sqlite3'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
