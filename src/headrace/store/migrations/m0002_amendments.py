"""What changesets hold moves into a table of its own, a row an amendment. Frozen: a change of layout is a new migration."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, text

TITLE = "amendments of changesets"

_JSON = {"sqlite": "JSON", "postgresql": "JSONB"}
_WHOLE = {"sqlite": "INTEGER", "postgresql": "BIGINT"}
_GIVEN = {"sqlite": ":body", "postgresql": "CAST(:body AS JSONB)"}
_TABLE = """CREATE TABLE amendments (
    owner TEXT NOT NULL, changeset_id TEXT NOT NULL, number {whole} NOT NULL, body {json} NOT NULL,
    PRIMARY KEY (owner, changeset_id, number),
    FOREIGN KEY (owner, changeset_id) REFERENCES changesets (owner, changeset_id) ON DELETE CASCADE)"""
_STAYS = (
    "base_revision",
    "base_hash",
    "author",
    "summary",
    "conflicts",
    "revision",
    "landed",
    "replaced_by",
)
_MOVES = ("operations", "words", "columns", "diagnostics", "introduced")


def upgrade(connection: Connection) -> None:
    """Make the table, and of each changeset one amendment that holds all that it held."""
    dialect = connection.dialect.name
    connection.exec_driver_sql(_TABLE.format(json=_JSON[dialect], whole=_WHOLE[dialect]))
    given = _GIVEN[dialect]
    add = text(f"INSERT INTO amendments VALUES (:owner, :changeset_id, 0, {given})")
    stay = text(f"UPDATE changesets SET body = {given} WHERE owner = :owner AND changeset_id = :changeset_id")
    keys = connection.exec_driver_sql("SELECT owner, changeset_id FROM changesets").fetchall()
    for owner, changeset_id in keys:
        key = {"owner": owner, "changeset_id": changeset_id}
        one = text("SELECT body FROM changesets WHERE owner = :owner AND changeset_id = :changeset_id")
        body = _read(connection.execute(one, key).scalar_one())
        held = {name: body[name] for name in _MOVES if name in body}
        held |= {"whole": True, "patch": body.get("patch", {}).get("changes", [])}
        connection.execute(add, {**key, "body": json.dumps(held, separators=(",", ":"))})
        rest = {name: body[name] for name in _STAYS if name in body} | {"amended": 0}
        connection.execute(stay, {**key, "body": json.dumps(rest, separators=(",", ":"))})


def _read(body: Any) -> dict[str, Any]:
    return json.loads(body) if isinstance(body, str | bytes) else body
