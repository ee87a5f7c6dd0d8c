"""What a database's errors mean to the house, also those of a database that is not here."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import DBAPIError, IntegrityError

from headrace.base.errors import StorageFull, Unavailable
from headrace.store.failures import is_foreign_key, meaning_of, translated
from headrace.store.tables import Moment


class PostgresError(Exception):
    def __init__(self, sqlstate: str) -> None:
        self.sqlstate = sqlstate


def sqlite_error(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("…")
    error.sqlite_errorcode = code
    return error


def test_a_full_disk_is_a_full_disk_everywhere() -> None:
    for error in (PostgresError("53100"), sqlite_error(sqlite3.SQLITE_FULL)):
        assert isinstance(meaning_of(error), StorageFull)


def test_extended_codes_mean_what_their_family_means() -> None:
    assert isinstance(meaning_of(sqlite_error(sqlite3.SQLITE_IOERR_WRITE)), Unavailable)


def test_what_has_no_meaning_goes_on_as_it_is() -> None:
    strange = DBAPIError("SELECT 1", {}, sqlite_error(sqlite3.SQLITE_MISMATCH))
    for error in (strange, sqlite_error(sqlite3.SQLITE_MISMATCH)):
        with pytest.raises(type(error)), translated():
            raise error


def test_a_missing_parent_is_told_from_a_taken_key() -> None:
    assert is_foreign_key(IntegrityError("", {}, PostgresError("23503")))
    assert not is_foreign_key(IntegrityError("", {}, PostgresError("23505")))


def test_moments_are_utc_in_any_database() -> None:
    noon = datetime(2026, 1, 1, 14, tzinfo=timezone(timedelta(hours=2)))
    there = Moment().process_bind_param(noon, postgresql.dialect())
    assert there == noon
    assert Moment().process_result_value(there, postgresql.dialect()) == datetime(2026, 1, 1, 12, tzinfo=UTC)
