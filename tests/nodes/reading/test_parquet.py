"""Parquet: declared columns, several files, damage."""

from __future__ import annotations

from pathlib import Path

import duckdb

from tests.nodes.reading.files import fault_of, read_files, write


def parquet(folder: Path, sql: str, name: str = "t.parquet") -> Path:
    duckdb.execute(f"COPY ({sql}) TO '{folder / name}' (FORMAT parquet)")
    return folder / name


def test_columns_are_those_that_the_file_declares(tmp_path: Path) -> None:
    path = parquet(tmp_path, "SELECT 1::SMALLINT AS a, 'x' AS b, [1, 2] AS c, DATE '2012-01-01' AS d")
    got = read_files([path])
    assert list(got.types.values()) == ["SMALLINT", "VARCHAR", "INTEGER[]", "DATE"]
    assert got.found.rows == 1
    assert got.found.sample == (("1", "x", "[1, 2]", "2012-01-01"),)


def test_types_may_be_given(tmp_path: Path) -> None:
    path = parquet(tmp_path, "SELECT 1 AS a, '5' AS b")
    assert read_files([path], types=(("b", "BIGINT"),)).rows == [(1, 5)]


def test_files_with_the_same_columns_are_one_table(tmp_path: Path) -> None:
    paths = [
        parquet(tmp_path, "SELECT 1 AS a, 'x' AS b", "1.parquet"),
        parquet(tmp_path, "SELECT 2 AS a, 'y' AS b", "2.parquet"),
    ]
    got = read_files(paths)
    assert got.rows == [(1, "x"), (2, "y")]
    assert got.found.rows == 2


def test_files_with_other_columns_are_refused(tmp_path: Path) -> None:
    paths = [parquet(tmp_path, "SELECT 1 AS a", "1.parquet"), parquet(tmp_path, "SELECT 'x' AS a, 2 AS b", "2.parquet")]
    assert "differs from '1.parquet' in a, b" in fault_of(paths).message


def test_a_cut_off_file_is_refused(tmp_path: Path) -> None:
    path = parquet(tmp_path, "SELECT * FROM range(10000)")
    fault = fault_of(write(tmp_path, path.read_bytes()[:-20], "cut.parquet"))
    assert fault.code == "F504"
    assert "damaged or cut off" in fault.message


def test_a_file_without_rows_has_its_columns(tmp_path: Path) -> None:
    assert read_files([parquet(tmp_path, "SELECT 1 AS a WHERE false")]).types == {"a": "INTEGER"}
