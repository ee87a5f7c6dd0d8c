"""Files made for a test, and what reading them yields: by the real reader, on a real DuckDB."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

from headrace.nodes import reading
from headrace.nodes.spec import Fault, NodeFault


@dataclass(frozen=True)
class Read:
    """A file, read."""

    found: reading.Found
    rows: list[tuple[Any, ...]]
    types: dict[str, str]

    @property
    def names(self) -> list[str]:
        return list(self.types)

    def column(self, name: str) -> list[Any]:
        place = self.names.index(name)
        return [row[place] for row in self.rows]

    def notes_about(self, word: str) -> list[str]:
        return [note for note in self.found.notes if word in note]


def write(folder: Path, content: str | bytes, name: str = "table.csv") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read_files(paths: Sequence[Path], **options: Any) -> Read:
    found = reading.sniff(paths, reading.Options(**options))
    if found.staged:
        stage(found)
    sql = reading.select(found).sql(dialect="duckdb")
    described = database().execute(f"DESCRIBE {sql}").fetchall()
    types = {row[0]: row[1] for row in described}
    assert list(types.items()) == [(column.name, column.type) for column in found.columns]
    return Read(found, database().execute(sql).fetchall(), types)


def read(folder: Path, content: str | bytes, name: str = "table.csv", **options: Any) -> Read:
    return read_files([write(folder, content, name)], **options)


@functools.cache
def database() -> duckdb.DuckDBPyConnection:
    """Return a DuckDB, made once."""
    return duckdb.connect(":memory:")


def stage(found: reading.Found) -> None:
    table = reading.staged_table(found)
    columns = ", ".join(f'"{column.name.replace(chr(34), chr(34) * 2)}" {column.type}' for column in table.columns)
    database().execute(f'CREATE OR REPLACE TABLE "{reading.staged_name(found)}" ({columns})')
    places = ", ".join("?" for _ in table.columns)
    for row in reading.staged_rows(found):
        database().execute(f'INSERT INTO "{reading.staged_name(found)}" VALUES ({places})', list(row))


def faults_of(path: Path | Sequence[Path], **options: Any) -> tuple[Fault, ...]:
    with pytest.raises(NodeFault) as caught:
        reading.sniff([path] if isinstance(path, Path) else path, reading.Options(**options))
    return caught.value.faults


def fault_of(path: Path | Sequence[Path], **options: Any) -> Fault:
    (fault,) = faults_of(path, **options)
    return fault


def failure_of(paths: Sequence[Path], **options: Any) -> Fault:
    """What a run that fails on these files says."""
    found = reading.sniff(paths, reading.Options(**options))
    with pytest.raises(duckdb.Error) as caught:
        database().execute(reading.select(found).sql(dialect="duckdb")).fetchall()
    (fault,) = reading.explain(str(caught.value), found)
    return fault
