"""What the head cannot tell: files that contradict it later, files without an end of line, things that are no files."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from headrace.nodes import reading
from tests.nodes.reading.files import failure_of, fault_of, read, read_files, write

ROWS = 60_000
"""More than the head holds."""


def long_file(folder: Path, header: str, row: str, *last: str) -> Path:
    lines = [header, *(row.replace("#", str(number % 900 + 100)) for number in range(ROWS)), *last]
    return write(folder, "\n".join(lines) + "\n")


class TestLaterValues:
    def test_a_long_file_is_read_whole(self, tmp_path: Path) -> None:
        path = long_file(tmp_path, "a,b,c,d,e", "#,2012-03-04,2012-03-04 10:00:00,x,1.5")
        got = read_files([path])
        assert not got.found.complete
        assert got.found.rows is None
        assert list(got.types.values()) == ["BIGINT", "DATE", "TIMESTAMP", "VARCHAR", "DOUBLE"]
        assert len(got.rows) == ROWS

    def test_padded_values_of_a_long_file_are_read(self, tmp_path: Path) -> None:
        got = read_files([long_file(tmp_path, "a,b,c", "2012-03-04 , # , x")])
        assert list(got.types.values()) == ["DATE", "BIGINT", "VARCHAR"]
        assert len(got.rows) == ROWS

    @pytest.mark.parametrize(
        ("row", "last", "column"),
        [
            ("#,x", "5.7,x", "a"),
            ("#,x", "foo,x", "a"),
            ("#,x", "NA,x", "a"),
            ("#.5,x", "many,x", "a"),
            ("2012-03-04,#", "2012-03-04 10:00:00,1", "a"),
            ("2012-03-04,#", "soon,1", "a"),
            ("2012-03-04 10:00:00,#", "2012-03-04 10:00:00+02:00,1", "a"),
            ("2012-03-04 10:00:00,#", "2012-03-04 10:00:00-05:00,1", "a"),
            ("12/31/2012,#", "31/12/2012,1", "a"),
            ('"1,#",x', '"1,234.5",x', "a"),
            ("11:30,#", "lunch,1", "a"),
            ("true,#", "maybe,1", "a"),
        ],
    )
    def test_a_later_value_that_does_not_fit_stops_the_run_by_name(
        self, tmp_path: Path, row: str, last: str, column: str
    ) -> None:
        fault = failure_of([long_file(tmp_path, "a,b", row, last)])
        assert fault.code == "F504"
        assert fault.path == ("types", column)
        assert f"Column {column!r} was read as" in fault.message
        assert repr(last.rsplit(",", 1)[0].strip('"')) in fault.message
        assert f"in row {ROWS + 1:,} of 'table.csv'" in fault.message or f"in line {ROWS + 2:,}" in fault.message

    def test_the_line_is_named_where_the_reader_knows_it(self, tmp_path: Path) -> None:
        fault = failure_of([long_file(tmp_path, "a,b", "#.5,x", "many,x")])
        assert f"in line {ROWS + 2:,}" in fault.message

    def test_a_later_row_of_another_length_stops_the_run_by_line(self, tmp_path: Path) -> None:
        fault = failure_of([long_file(tmp_path, "a,b", "#,x", "1,2,3")])
        assert f"Line {ROWS + 2:,} of 'table.csv' has 3 fields" in fault.message

    def test_the_way_out_that_is_named_works(self, tmp_path: Path) -> None:
        path = long_file(tmp_path, "a,b", "#,x", "NA,x")
        assert read_files([path], null_values=("NA",)).rows[-1] == (None, "x")
        assert read_files([path], types=(("a", "VARCHAR"),)).rows[-1] == ("NA", "x")

    def test_words_for_missing_that_the_head_shows_are_missing_to_the_end(self, tmp_path: Path) -> None:
        path = long_file(tmp_path, "a,b\nNA,y", "#,x", "NA,x")
        assert read_files([path]).rows[-1] == (None, "x")

    def test_later_letters_of_another_encoding_stop_the_run(self, tmp_path: Path) -> None:
        path = long_file(tmp_path, "a,b", "#,a text that is long enough")
        path.write_bytes(path.read_bytes() + "1,Müller\n".encode("latin-1"))
        assert "Set `encoding`" in failure_of([path]).message

    def test_later_json_values_that_do_not_fit_stop_the_run(self, tmp_path: Path) -> None:
        lines = ['{"a": 1, "b": "x"}'] * ROWS
        path = write(tmp_path, "\n".join([*lines, '{"a": 5.7, "b": "x"}']), "t.jsonl")
        assert "'5.7'" in failure_of([path]).message
        path = write(tmp_path, "\n".join([*lines, '{"a": 5.7, "b"']), "t.jsonl")
        assert failure_of([path]).code == "F504"

    def test_failures_of_others_are_not_claimed(self, tmp_path: Path) -> None:
        found = read(tmp_path, "a,b\n1,2\n").found
        assert reading.explain("Conversion Error: Could not convert string 'x' to INT32", found) == ()


class TestBounds:
    def test_a_gigabyte_of_one_line_is_refused_quickly_and_in_little_memory(self, tmp_path: Path) -> None:
        path = tmp_path / "long.csv"
        with path.open("wb") as file:
            file.write(b"a" * 2_000_000)
            file.truncate(1 << 30)
        before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
        assert fault_of(path).code == "F504"
        assert time.perf_counter() - started < 1
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000

    def test_a_gigabyte_of_one_json_line_is_refused_quickly(self, tmp_path: Path) -> None:
        path = tmp_path / "long.jsonl"
        with path.open("wb") as file:
            file.write(b'{"a": "' + b"a" * 2_000_000)
            file.truncate(1 << 30)
        assert "longer than 1,000,000" in fault_of(path).message

    def test_too_many_files_are_refused(self, tmp_path: Path) -> None:
        assert fault_of([tmp_path / f"{number}.csv" for number in range(1_001)]).code == "F504"


class TestNoFiles:
    def test_what_is_not_there(self, tmp_path: Path) -> None:
        assert fault_of(tmp_path / "none.csv").code == "F501"

    def test_an_empty_file(self, tmp_path: Path) -> None:
        assert fault_of(write(tmp_path, "")).code == "F505"

    def test_a_folder(self, tmp_path: Path) -> None:
        assert fault_of(tmp_path).code == "F502"

    def test_a_pipe_is_refused_without_waiting(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe.csv")
        assert fault_of(tmp_path / "pipe.csv").code == "F502"

    def test_a_device(self) -> None:
        assert fault_of(Path("/dev/zero")).code == "F502"

    def test_none_at_all(self) -> None:
        assert fault_of([]).code == "F501"


class TestKinds:
    def test_what_a_file_is_counts_for_more_than_its_name(self, tmp_path: Path) -> None:
        import duckdb

        duckdb.execute(f"COPY (SELECT 1 AS a) TO '{tmp_path / 'table.csv'}' (FORMAT parquet)")
        assert read_files([tmp_path / "table.csv"]).rows == [(1,)]
        assert fault_of(tmp_path / "table.csv", format="csv").path == ("format",)

    def test_text_that_is_called_parquet_is_refused(self, tmp_path: Path) -> None:
        assert fault_of(write(tmp_path, "a,b\n1,2\n", "t.parquet")).code == "F504"
        assert fault_of(write(tmp_path, "a,b\n1,2\n"), format="parquet").path == ("format",)

    def test_json_records_are_found_in_a_file_of_any_name(self, tmp_path: Path) -> None:
        assert read(tmp_path, '{"a": 1}\n{"a": 2}\n', "data.txt").rows == [(1,), (2,)]

    def test_files_of_different_kinds_are_refused(self, tmp_path: Path) -> None:
        paths = [write(tmp_path, "a,b\n1,2\n", "a.csv"), write(tmp_path, '{"a": 1}\n', "a.jsonl")]
        assert fault_of(paths).code == "F504"


def test_looking_at_a_file_imports_no_database() -> None:
    """Listing the columns of a text file must stay cheap for the command line."""
    program = "import sys, headrace.nodes.reading; raise SystemExit('duckdb' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
