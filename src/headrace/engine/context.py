"""What a node type may ask while it runs: the engine's side of `RunContext`.

Owns staging rows and writing files for node types. Refuses a target that this run reads, or that it has written already.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from sqlglot import exp

from headrace.nodes.spec import Fault, NodeFault, Relation, Table

from .cancel import CancelToken
from .database import Database, literal
from .results import RunSettings

_CHECK_EVERY = 1_000


class Files:
    """The files of a run: what it reads and what it has written, so that neither is replaced."""

    def __init__(self) -> None:
        self.read: dict[str, frozenset[Path]] = {}
        """By node id."""
        self.written: dict[Path, str] = {}
        """Which node wrote it."""

    def bytes_of(self, node_id: str) -> int | None:
        """Return the size of all that a node reads, or None where it reads no file."""
        paths = self.read.get(node_id)
        if not paths:
            return None
        with suppress(OSError):
            return sum(path.stat().st_size for path in paths)
        return None

    def all_read(self) -> frozenset[Path]:
        """Return every file that the run reads."""
        return frozenset().union(*self.read.values())


class NodeContext:
    """The `RunContext` of one node in one run."""

    def __init__(
        self, node_id: str, settings: RunSettings, *, files: Files, database: Database | None, cancel: CancelToken
    ) -> None:
        self._node_id = node_id
        self._settings = settings
        self._files = files
        self._database = database
        self._cancel = cancel
        self._staged = 0
        self.dry_run = settings.dry_run
        self.copied: Mapping[str, Any] | None = None
        """DuckDB's account of the last `copy`."""

    def read_paths(self, path: str) -> tuple[Path, ...]:
        """Return the real files that a path or glob means; the run remembers that this node reads them."""
        paths = self._settings.context.read_paths(path)
        self._files.read[self._node_id] = self._files.read.get(self._node_id, frozenset()).union(paths)
        return paths

    def name_of(self, path: Path) -> str:
        """Return what a config writes to mean a real file."""
        return self._settings.context.name_of(path)

    def describe(self, query: exp.Expr, inputs: Iterable[Relation]) -> Table:
        """Return the columns of a query over empty tables; nothing is run."""
        return self._settings.context.describe(query, inputs)

    def write_path(self, path: str, *, overwrite: bool) -> Path:
        """Return where a config's path may be written.

        Errors: NodeFault, where it may not, where this run reads the file, or where another node of it wrote it.
        """
        target = self._settings.files.write(path, overwrite=overwrite)
        for node_id, read in self._files.read.items():
            if target in read:
                raise self._taken(path, f"is read by {node_id!r}", "F512")
        writer = self._files.written.get(target)
        if writer is not None and writer != self._node_id:
            raise self._taken(path, f"was written by {writer!r} in this run", "F106")
        self._files.written[target] = self._node_id
        return target

    def stage(self, name: str, table: Table, rows: Iterable[tuple[Any, ...]]) -> Relation:
        """Load rows into a table and return it as a relation. The cells are Python values of the columns' types."""
        database = self._db()
        self._staged += 1
        relation = Relation(name, table)
        file = database.folder / f"staged-{self._node_id}-{self._staged}.csv"
        try:
            with file.open("w", encoding="utf-8", newline="") as out:
                for number, row in enumerate(rows):
                    if number % _CHECK_EVERY == 0:
                        self._cancel.check()
                    out.write(",".join(_cell(value) for value in row) + "\n")
            database.create("TABLE", relation.name, _reading(file, table))
        finally:
            file.unlink(missing_ok=True)
        return relation

    def query(self, query: exp.Expr, *, limit: int | None = None) -> Iterator[tuple[Any, ...]]:
        """Return the rows of a query, as they are made."""
        sql = query.sql(dialect="duckdb")
        return self._db().stream(sql if limit is None else f"SELECT * FROM ({sql}) LIMIT {int(limit)}")

    def copy(self, query: exp.Expr, target: Path, options: Mapping[str, Any]) -> int:
        """Write a query's rows into a file and return their number; the file is whole, or it is not there."""
        database = self._db()
        with_options = ", ".join(f"{name} {literal(value)}" for name, value in options.items())
        sql = f"COPY ({query.sql(dialect='duckdb')}) TO {literal(str(target))}" + (
            f" ({with_options})" if options else ""
        )
        try:
            answer = database.execute(sql)
        except BaseException:
            with suppress(OSError):
                target.unlink(missing_ok=True)
            raise
        self.copied = database.profile()
        return int(answer[0][0])

    def check_cancelled(self) -> None:
        """Return nothing while the run may go on.

        Errors: Cancelled.
        """
        self._cancel.check()

    def _db(self) -> Database:
        if self._database is None:
            raise RuntimeError("the SELECT of a node type asked for rows; only its load and run may")
        return self._database

    def _taken(self, path: str, why: str, code: str) -> NodeFault:
        return NodeFault(Fault(code=code, path=("path",), message=f"{path!r} {why}. Choose another path."))


def _cell(value: Any) -> str:
    """A value as CSV; nothing at all for null, always quoted otherwise."""
    match value:
        case None:
            return ""
        case bool():
            text = "true" if value else "false"
        case datetime() | date() | time():
            text = value.isoformat()
        case bytes():
            text = "".join(f"\\x{byte:02X}" for byte in value)
        case list() | tuple() | dict():
            text = json.dumps(value, default=str, ensure_ascii=False)
        case _:
            text = str(value)
    return '"' + text.replace('"', '""') + '"'


def _reading(file: Path, table: Table) -> str:
    columns = {column.name: column.type for column in table.columns}
    return (
        f"SELECT * FROM read_csv({literal(str(file))}, columns={literal(columns)}, header=false, auto_detect=false,"
        " delim=',', quote='\"', escape='\"', allow_quoted_nulls=false, new_line='\\n', max_line_size=33554432,"
        " null_padding=false, strict_mode=true)"
    )
