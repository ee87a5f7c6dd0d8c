"""What a database's errors mean to the house. Refuses to swallow: what it does not know goes on as it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, IntegrityError

from headrace.base.errors import HeadraceError, StorageFull, Unavailable

_FULL = StorageFull, "storage_full", "The disk is full; nothing was written.", "Free some space and try again."
_BUSY = Unavailable, "store_busy", "The database is held by another program.", "Try again in a moment."
_LOCKED_OUT = (
    Unavailable,
    "store_unwritable",
    "The database cannot be opened or written.",
    "Check that the data folder exists and that you may write in it.",
)
_BROKEN = (
    Unavailable,
    "store_damaged",
    "The database file is damaged or is no database.",
    "Put the latest copy in its place; the file itself was not touched.",
)
_DEVICE = Unavailable, "store_io", "The disk under the database does not answer as it should.", "Check the disk."
_MEANINGS = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_READONLY: _LOCKED_OUT,
    sqlite3.SQLITE_CANTOPEN: _LOCKED_OUT,
    sqlite3.SQLITE_PERM: _LOCKED_OUT,
    sqlite3.SQLITE_CORRUPT: _BROKEN,
    sqlite3.SQLITE_NOTADB: _BROKEN,
    sqlite3.SQLITE_IOERR: _DEVICE,
}
_FOREIGN_KEY = ("SQLITE_CONSTRAINT_FOREIGNKEY", "23503")


@contextmanager
def translated() -> Generator[None]:
    """Turn the database errors of a block into the house's own."""
    try:
        yield
    except DBAPIError as error:
        meaning = meaning_of(error.orig)
        if meaning is None:
            raise
        raise meaning from error
    except sqlite3.Error as error:
        meaning = meaning_of(error)
        if meaning is None:
            raise
        raise meaning from error


def meaning_of(error: BaseException | None) -> HeadraceError | None:
    """Return the house's error for a driver's, or None where it has no meaning of its own."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None and code & 0xFF in _MEANINGS:
        kind, name, message, hint = _MEANINGS[code & 0xFF]
        return kind(name, message, hint)
    if getattr(error, "sqlstate", None) == "53100":
        kind, name, message, hint = _FULL
        return kind(name, message, hint)
    return None


def is_foreign_key(error: IntegrityError) -> bool:
    """Return whether a constraint failed because a parent is missing (and not because a key is taken)."""
    name = getattr(error.orig, "sqlite_errorname", None) or getattr(error.orig, "sqlstate", None)
    return name in _FOREIGN_KEY
