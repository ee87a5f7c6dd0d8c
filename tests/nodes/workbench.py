"""A place to try node types on: real DuckDB, tables by hand, and the product's own binder for typing."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import pytest
from sqlglot import exp

from headrace.nodes.binder import Binder
from headrace.nodes.catalog import Catalog, standard_catalog
from headrace.nodes.context import StandardContext
from headrace.nodes.files import FileSpace
from headrace.nodes.spec import Column, Fault, Inputs, NodeFault, Relation, Table, TableNode


@functools.cache
def catalog() -> Catalog:
    """Return the standard catalog, made once."""
    return standard_catalog()


@functools.cache
def binder() -> Binder:
    """Return a binder, made once."""
    return Binder()


def context(folder: Path | None = None) -> StandardContext:
    """Return a context over a folder; without one, over a folder that is not there."""
    return StandardContext(FileSpace([folder or Path("/nonexistent")]), binder())


def table(**columns: str) -> Table:
    """Return a table of columns: `table(a="BIGINT", b="VARCHAR")`."""
    return Table(columns=tuple(Column(name=name, type=kind) for name, kind in columns.items()))


@dataclass
class Result:
    """What a node put out."""

    names: list[str]
    types: list[str]
    rows: list[tuple[Any, ...]]


@dataclass
class Workbench:
    """Tables in a DuckDB, and nodes run on them."""

    connection: duckdb.DuckDBPyConnection = field(default_factory=lambda: duckdb.connect(":memory:"))

    def put(self, name: str, sql: str) -> Relation:
        """Make a table of a query and return it as a relation."""
        self.connection.execute(f'CREATE OR REPLACE TABLE "{name}" AS {sql}')
        return self.relation(name)

    def values(self, name: str, columns: Mapping[str, str], rows: Iterable[Sequence[Any]]) -> Relation:
        """Make a table of rows and return it as a relation."""
        listed = ", ".join(f'"{column}" {kind}' for column, kind in columns.items())
        self.connection.execute(f'CREATE OR REPLACE TABLE "{name}" ({listed})')
        given = [tuple(row) for row in rows]
        if given:
            marks = ", ".join("?" * len(columns))
            self.connection.executemany(f'INSERT INTO "{name}" VALUES ({marks})', given)
        return self.relation(name)

    def relation(self, name: str) -> Relation:
        """Return a table as a relation."""
        found = self.connection.execute(f'DESCRIBE "{name}"').fetchall()
        return Relation(name, Table(columns=tuple(Column(name=row[0], type=row[1]) for row in found)))

    def run(self, type_name: str, config: Mapping[str, Any], *arrived: Relation, **ports: Relation) -> Result:
        """Run a node of that type on relations and return what it put out; its typing is checked against it."""
        node_type, inputs = _node(type_name, arrived, ports)
        parsed = node_type.Config.model_validate(config)
        typed = node_type.table(parsed, inputs, context())
        result = self.query(node_type.select(parsed, inputs, context()))
        assert list(typed.names()) == result.names
        assert [column.type for column in typed.columns] == result.types
        return result

    def query(self, query: exp.Expr) -> Result:
        """Return the rows of a query."""
        done = self.connection.sql(query.sql(dialect="duckdb"))
        return Result(list(done.columns), [str(kind) for kind in done.types], done.fetchall())


def faults(type_name: str, config: Mapping[str, Any], *arrived: Relation, **ports: Relation) -> tuple[Fault, ...]:
    """Return the faults that typing a node gives; fails where it gives none."""
    node_type, inputs = _node(type_name, arrived, ports)
    with pytest.raises(NodeFault) as caught:
        node_type.table(node_type.Config.model_validate(config), inputs, context())
    for fault in caught.value.faults:
        assert fault.path or fault.port, f"no place: {fault}"
        assert fault.message.endswith(".")
    return caught.value.faults


def typed(type_name: str, config: Mapping[str, Any], *arrived: Relation, **ports: Relation) -> Table:
    """Return the columns that a node would put out."""
    node_type, inputs = _node(type_name, arrived, ports)
    return node_type.table(node_type.Config.model_validate(config), inputs, context())


def _node(type_name: str, arrived: Sequence[Relation], ports: Mapping[str, Relation]) -> tuple[TableNode, Inputs]:
    node_type = catalog().get(type_name)
    assert isinstance(node_type, TableNode)
    inputs: dict[str, tuple[Relation, ...]] = {port: (relation,) for port, relation in ports.items()}
    if arrived:
        inputs["in"] = tuple(arrived)
    return node_type, inputs
