"""Runs the migrations. Owns the table `schema_version`; refuses a database that it does not know or that is newer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from types import ModuleType

from sqlalchemy import Connection, inspect

from headrace.base.errors import WrongState

from . import m0001_first, m0002_amendments

MIGRATIONS: tuple[ModuleType, ...] = (m0001_first, m0002_amendments)
"""In order; number n stands at place n - 1 and is never altered after its release."""


def version_of(connection: Connection) -> int:
    """Return the number of the last migration that a database has seen, 0 for an empty one.

    Errors: WrongState `not_headrace` for somebody else's database.
    """
    names = inspect(connection).get_table_names()
    if "schema_version" in names:
        return int(connection.exec_driver_sql("SELECT max(number) FROM schema_version").scalar_one() or 0)
    if names:
        raise WrongState(
            "not_headrace",
            f"The database holds {len(names)} tables ({', '.join(names[:5])}) and no Headrace layout.",
            "Name another data folder, or move that database away.",
        )
    return 0


def require_known(version: int, *, latest: int) -> None:
    """Raise WrongState `newer_database` when a database was written by a newer program."""
    if version > latest:
        raise WrongState(
            "newer_database",
            f"The database has layout {version}; this Headrace knows layouts up to {latest}.",
            "Update Headrace, or open the copy that was put aside before the update (its name ends in `.before-N`).",
        )


def migrate(
    connection: Connection,
    *,
    migrations: Sequence[ModuleType] = MIGRATIONS,
    put_aside: Callable[[int], None] | None = None,
) -> int:
    """Bring a database up to date inside the caller's transaction; return how many migrations ran.

    `put_aside(version)` is called before the first one when there is anything to lose.
    Errors: WrongState.
    """
    version = version_of(connection)
    require_known(version, latest=len(migrations))
    due = migrations[version:]
    if not due:
        return 0
    if version and put_aside is not None:
        put_aside(version)
    if not version:
        connection.exec_driver_sql(
            "CREATE TABLE schema_version (number INTEGER PRIMARY KEY, title TEXT NOT NULL, applied_at TEXT NOT NULL)"
        )
    for number, migration in enumerate(due, start=version + 1):
        migration.upgrade(connection)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        title = str(migration.TITLE).replace("'", "''")
        connection.exec_driver_sql(f"INSERT INTO schema_version VALUES ({number}, '{title}', '{now}')")
    return len(due)
