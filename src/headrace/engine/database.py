"""The run's own DuckDB: one in memory, shut in, told what it may touch before its configuration is locked.

Owns the connection, its cursors and its private folder for temporary files. Refuses every file that the plan does not name.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import threading
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb

from headrace.nodes.columns import quoted

from .cancel import CancelToken
from .results import RunSettings

_BATCH = 2_048


class Database:
    """A connection that can be interrupted, and cursors on the same tables."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, cancel: CancelToken, folder: Path) -> None:
        self._connection = connection
        self._cancel = cancel
        self._cursors: list[duckdb.DuckDBPyConnection] = []
        self._lock = threading.Lock()
        self.folder = folder
        """The run's private folder; it goes when the run does."""

    def execute(self, sql: str) -> list[tuple[Any, ...]]:
        """Return all rows of a statement; for statements whose answer is small.

        Errors: Cancelled; whatever DuckDB raises.
        """
        self._cancel.check()
        return self._connection.execute(sql).fetchall()

    def profile(self) -> Mapping[str, Any]:
        """Return DuckDB's account of the statement that ran last: a tree of operators with the rows that left each."""
        return json.loads(self._connection.get_profiling_information("json"))

    def stream(self, sql: str) -> Iterator[tuple[Any, ...]]:
        """Return the rows of a query as they are made; other statements may run in between.

        Errors: Cancelled; whatever DuckDB raises.
        """
        self._cancel.check()
        cursor = self._connection.cursor()
        with self._lock:
            self._cursors.append(cursor)
        try:
            cursor.execute(sql)
            while rows := cursor.fetchmany(_BATCH):
                yield from rows
                self._cancel.check()
        finally:
            with self._lock:
                self._cursors.remove(cursor)
            cursor.close()

    def create(self, kind: str, name: str, sql: str) -> int | None:
        """Make a `TABLE` or `VIEW` of a query and return the number of its rows; None for a view."""
        answer = self.execute(f"CREATE OR REPLACE {kind} {quoted(name)} AS {sql}")
        return int(answer[0][0]) if kind == "TABLE" else None

    def drop(self, kind: str, name: str) -> None:
        """Let go of a `TABLE` or `VIEW`."""
        self._connection.execute(f"DROP {kind} IF EXISTS {quoted(name)}")

    def progress(self) -> float | None:
        """Return how much of the statement that runs now is done, between 0 and 1; None where DuckDB cannot tell."""
        with suppress(duckdb.Error):
            percent = self._connection.query_progress()
            if percent > 0:
                return min(percent / 100, 1.0)
        return None

    def interrupt(self) -> None:
        """Make whatever statement runs now stop; from any thread."""
        with self._lock:
            busy = (self._connection, *self._cursors)
        for connection in busy:
            with suppress(duckdb.Error):
                connection.interrupt()


@contextmanager
def opened(
    settings: RunSettings, cancel: CancelToken, *, reads: Iterable[Path], folders: Iterable[Path]
) -> Generator[Database]:
    """Return the run's database, for as long as the `with` lasts. `reads`: files it may read; `folders`: where it may write.

    Errors: OSError, where no folder for temporary files can be made.
    """
    folder = Path(tempfile.mkdtemp(prefix="headrace-run-", dir=settings.temp_root))
    try:
        connection = duckdb.connect(":memory:")
        try:
            _shut_in(connection, settings, folder, reads=reads, folders=folders)
            database = Database(connection, cancel, folder)
            with cancel.waking(database.interrupt):
                yield database
        finally:
            connection.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _shut_in(
    connection: duckdb.DuckDBPyConnection,
    settings: RunSettings,
    folder: Path,
    *,
    reads: Iterable[Path],
    folders: Iterable[Path],
) -> None:
    options: dict[str, Any] = {
        # Without this, a table name that is not found is looked up among the caller's Python variables.
        "python_enable_replacements": False,
        "autoinstall_known_extensions": False,
        "TimeZone": "UTC",
        "temp_directory": str(folder / "spill"),
        "enable_progress_bar": True,
        "enable_progress_bar_print": False,
        "enable_profiling": "no_output",
        "custom_profiling_settings": json.dumps(
            dict.fromkeys(("OPERATOR_CARDINALITY", "OPERATOR_TYPE", "OPERATOR_TIMING", "EXTRA_INFO"), "true")
        ),
        "allowed_paths": sorted({str(path) for path in reads}),
        "allowed_directories": sorted({str(path) for path in (*folders, folder)}),
    }
    if settings.threads is not None:
        options["threads"] = settings.threads
    if settings.memory_limit is not None:
        options["memory_limit"] = settings.memory_limit
    if settings.temp_limit is not None:
        options["max_temp_directory_size"] = settings.temp_limit
    # The order matters: what is allowed must be said before access is shut, and nothing after the lock.
    options |= {"enable_external_access": False, "lock_configuration": True}
    connection.execute("; ".join(f"SET {name} = {literal(value)}" for name, value in options.items()))


def literal(value: Any) -> str:
    """Return a Python value as a DuckDB literal."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return str(value)
        case list() | tuple():
            return "[" + ", ".join(literal(item) for item in value) + "]"
        case dict():
            return "{" + ", ".join(f"{literal(str(key))}: {literal(item)}" for key, item in value.items()) + "}"
        case _:
            return "'" + str(value).replace("'", "''") + "'"
