"""The store in SQL: SQLite in a file of the data folder. Owns connections, transactions and durability.

Refuses to hold a rule of the house: owners, keys, parents and the head's number are all it looks at. The reasons for
its settings are in docs/decisions/0004-store.md.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock, get_ident
from typing import Any

from sqlalchemy import Engine, create_engine, event

from .failures import translated
from .migrations.runner import MIGRATIONS, migrate
from .protocol import from_text, to_text
from .queries import SqlView

_BUSY_MS = 5_000


class SqlStore:
    """A store behind SQLAlchemy. One transaction at a time, any number of readers beside it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._writing = Lock()
        self._writer: int | None = None

    @contextmanager
    def reading(self) -> Generator[SqlView]:
        """Return a view that stays as it was at its first question."""
        with translated(), self._engine.connect() as connection:
            yield SqlView(connection)

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Generator[SqlView]:
        """Return a transaction; see the protocol."""
        if self._writer == get_ident():
            raise RuntimeError("A transaction is open in this thread already")
        with self._writing:
            self._writer = get_ident()
            try:
                with translated(), self._engine.connect() as connection:
                    _set_durability(connection, durable)
                    with connection.execution_options(headrace_writes=True).begin():
                        yield SqlView(connection)
            finally:
                self._writer = None

    def close(self) -> None:
        """Let go of every connection; the write-ahead log is folded into the file."""
        self._engine.dispose()


def open_store(path: Path, *, quota_bytes: int | None = None, migrations: Any = MIGRATIONS) -> SqlStore:
    """Return the store in a SQLite file, made or brought up to date first.

    `quota_bytes` caps the file's size; beyond it writing answers StorageFull, as a full disk does.
    A copy of an older database is put beside it as `NAME.before-N`, where N is the layout it had.
    Errors: WrongState (a newer database, somebody else's), Unavailable (damaged, cannot be written), StorageFull.
    """
    with translated():
        _make_private(path)
        engine = create_engine(
            f"sqlite:///{path}",
            json_serializer=to_text,
            json_deserializer=from_text,
            pool_size=8,
            max_overflow=24,
            connect_args={"timeout": _BUSY_MS / 1000, "check_same_thread": False},
        )
        event.listen(engine, "connect", lambda connection, _: _prepare(connection, quota_bytes))
        event.listen(engine, "begin", _begin)
        try:
            with engine.connect().execution_options(headrace_writes=True) as connection, connection.begin():
                migrate(connection, migrations=migrations, put_aside=lambda version: _copy(path, version))
        except BaseException:
            engine.dispose()
            raise
    return SqlStore(engine)


def _make_private(path: Path) -> None:
    """Make the file, for its owner alone, before SQLite would make it for everybody."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        wrapped = sqlite3.OperationalError(str(error))
        full = error.errno in (28, 122)  # ENOSPC, EDQUOT
        wrapped.sqlite_errorcode = sqlite3.SQLITE_FULL if full else sqlite3.SQLITE_CANTOPEN
        raise wrapped from error


def _copy(path: Path, version: int) -> None:
    """Put a copy of the database aside: whole or not at all."""
    target = path.with_name(f"{path.name}.before-{version}")
    fresh = path.with_name(f"{target.name}.part")
    fresh.unlink(missing_ok=True)
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as source, closing(sqlite3.connect(fresh)) as copy:
        source.backup(copy)
    fresh.replace(target)


def _prepare(connection: Any, quota_bytes: int | None) -> None:
    # The driver's own idea of when a transaction begins leaves DDL and reads outside; we say BEGIN ourselves.
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "foreign_keys=ON", "synchronous=FULL", f"busy_timeout={_BUSY_MS}"):
        connection.execute(f"PRAGMA {pragma}")
    if quota_bytes is not None:
        page = connection.execute("PRAGMA page_size").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count={max(1, quota_bytes // page)}")


def _begin(connection: Any) -> None:
    # IMMEDIATE takes the write lock at once: no transaction can read, then lose the right to write.
    writes = connection.get_execution_options().get("headrace_writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _set_durability(connection: Any, durable: bool) -> None:
    if connection.dialect.name == "sqlite":
        connection.connection.driver_connection.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
