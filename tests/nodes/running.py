"""A place to run actions and sources on: a real folder and a real DuckDB, without the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb
from sqlglot import exp

from headrace.nodes.context import StandardContext
from headrace.nodes.files import FileSpace
from headrace.nodes.spec import Column, Inputs, Relation, Table
from tests.nodes.workbench import binder, catalog


class HandContext(StandardContext):
    """A `RunContext` over one folder and one connection."""

    def __init__(self, folder: Path, *, dry_run: bool = False) -> None:
        super().__init__(FileSpace([folder]), binder())
        self.folder = folder
        self.connection = duckdb.connect(":memory:")
        self.dry_run = dry_run
        self.cancelled: Callable[[], bool] = lambda: False

    def put(self, name: str, sql: str) -> Inputs:
        """Make a table of a query and return it as what arrives at `in`."""
        self.connection.execute(f'CREATE OR REPLACE TABLE "{name}" AS {sql}')
        found = self.connection.execute(f'DESCRIBE "{name}"').fetchall()
        columns = tuple(Column(name=row[0], type=row[1]) for row in found)
        return {"in": (Relation(name, Table(columns=columns)),)}

    def stage(self, name: str, table: Table, rows: Iterable[tuple[Any, ...]]) -> Relation:
        listed = ", ".join(f'"{column.name}" {column.type}' for column in table.columns)
        self.connection.execute(f'CREATE OR REPLACE TABLE "{name}" ({listed})')
        marks = ", ".join("?" * len(table.columns))
        given = [list(row) for row in rows]
        if given:
            self.connection.executemany(f'INSERT INTO "{name}" VALUES ({marks})', given)
        return Relation(name, table)

    def query(self, query: exp.Expr, *, limit: int | None = None) -> Iterator[tuple[Any, ...]]:
        sql = query.sql(dialect="duckdb")
        cursor = self.connection.cursor()
        cursor.execute(sql if limit is None else f"SELECT * FROM ({sql}) LIMIT {limit}")
        while row := cursor.fetchone():
            yield row

    def copy(self, query: exp.Expr, target: Path, options: Mapping[str, Any]) -> int:
        said = ", ".join(f"{key} '{value}'" for key, value in options.items())
        done = self.connection.execute(f"COPY ({query.sql(dialect='duckdb')}) TO '{target}' ({said})").fetchone()
        assert done is not None
        return int(done[0])

    def check_cancelled(self) -> None:
        if self.cancelled():
            raise InterruptedError


def configured(type_name: str, config: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return a node type and its config, parsed."""
    node_type = catalog().get(type_name)
    return node_type, node_type.Config.model_validate(config)
