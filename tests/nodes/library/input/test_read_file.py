"""`read_file` as a node: what it says without running, what it yields, whose failure it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest
from pydantic import ValidationError

from headrace.nodes.spec import NodeFault, Table
from tests.nodes.running import HandContext, configured


def table_of(context: HandContext, **config: Any) -> Table:
    node_type, parsed = configured("read_file", config)
    return node_type.table(parsed, {}, context)


def rows_of(context: HandContext, **config: Any) -> list[tuple[Any, ...]]:
    node_type, parsed = configured("read_file", config)
    node_type.load(parsed, context)
    return list(context.query(node_type.select(parsed, {}, context)))


def faults_of(context: HandContext, **config: Any) -> tuple[Any, ...]:
    with pytest.raises(NodeFault) as caught:
        table_of(context, **config)
    return caught.value.faults


def test_columns_are_known_without_running(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("name,n\nAda,1\n")
    table = table_of(HandContext(tmp_path), path="a.csv")
    assert [(column.name, column.type) for column in table.columns] == [("name", "VARCHAR"), ("n", "BIGINT")]


def test_a_pattern_reads_several_files(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        (tmp_path / f"part{number}.csv").write_text(f"n\n{number}\n")
    assert rows_of(HandContext(tmp_path), path="part*.csv") == [(1,), (2,), (3,)]


def test_options_of_the_config_are_heeded(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("junk\nx:1.234,5:01/02/2012:-9\n")
    config = {
        "path": "a.txt",
        "format": "csv",
        "delimiter": ":",
        "header": False,
        "decimal": ",",
        "thousands": ".",
        "date_format": "DD/MM/YYYY",
        "null_values": ["-9"],
        "skip_rows": 1,
        "types": {"column_4": "whole number"},
    }
    (row,) = rows_of(HandContext(tmp_path), **config)
    assert (row[0], row[1], str(row[2]), row[3]) == ("x", 1234.5, "2012-02-01", None)


def test_rows_that_duckdb_cannot_read_are_staged(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("name,n,day\n“Ada”,1,12/31/2012\n".encode("cp1252"))
    ((name, number, day),) = rows_of(HandContext(tmp_path), path="a.csv")
    assert (name, number, str(day)) == ("“Ada”", 1, "2012-12-31")


def test_near_names_of_a_missing_file_are_named(tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text("a\n1\n")
    (fault,) = faults_of(HandContext(tmp_path), path="order.csv")
    assert fault.code == "F501"
    assert "orders.csv" in fault.message


def test_every_unknown_type_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    faults = faults_of(HandContext(tmp_path), path="a.csv", types={"a": "numbre", "b": "blob of things"})
    assert [(fault.code, fault.path) for fault in faults] == [("F303", ("types", "a")), ("F303", ("types", "b"))]


@pytest.mark.parametrize(
    "config",
    [
        {"path": ""},
        {"path": "a.csv", "delimiter": "ab"},
        {"path": "a.csv", "thousands": "5"},
        {"path": "a.csv", "skip_rows": -1},
    ],
)
def test_configs_that_mean_nothing_are_refused(config: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        configured("read_file", config)


def test_a_failed_run_is_explained_in_the_words_of_the_file(tmp_path: Path) -> None:
    rows = "\n".join(["a,b", *["1,some words to fill the line"] * 60_000, "x,y"])
    (tmp_path / "a.csv").write_text(rows + "\n")
    context = HandContext(tmp_path)
    node_type, parsed = configured("read_file", {"path": "a.csv"})
    with pytest.raises(duckdb.Error) as caught:
        list(context.query(node_type.select(parsed, {}, context)))
    (fault,) = node_type.explain(str(caught.value), parsed, context)
    assert fault.code == "F504"
    assert "'a' was read as whole numbers" in fault.message
    assert fault.suggestions[0].value == {"a": "text"}
    assert node_type.explain("Conversion Error: of somebody else", parsed, context) == ()
