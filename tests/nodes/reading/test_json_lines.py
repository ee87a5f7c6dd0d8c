"""JSON records: types of nested values, keys that are absent, and records that are none."""

from __future__ import annotations

import json
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.nodes.reading.files import Read, fault_of, read, write


def read_records(folder: Path, *records: dict[str, Any], **options: Any) -> Read:
    return read(folder, "\n".join(json.dumps(record) for record in records) + "\n", "t.jsonl", **options)


class TestTypes:
    def test_plain_values(self, tmp_path: Path) -> None:
        record = {"n": 1, "f": 1.5, "t": "x", "b": True, "d": "2012-03-04", "m": "2012-03-04T10:00:00Z", "z": None}
        got = read_records(tmp_path, record)
        assert got.rows == [(1, 1.5, "x", True, date(2012, 3, 4), datetime(2012, 3, 4, 10), None)]

    def test_keys_that_are_absent_are_missing(self, tmp_path: Path) -> None:
        assert read_records(tmp_path, {"a": 1}, {"b": "x"}, {}).rows == [(1, None), (None, "x"), (None, None)]

    def test_whole_and_broken_numbers_are_numbers(self, tmp_path: Path) -> None:
        assert read_records(tmp_path, {"a": 1}, {"a": 2.5}).column("a") == [1.0, 2.5]

    def test_digits_in_quotes_stay_text(self, tmp_path: Path) -> None:
        assert read_records(tmp_path, {"a": "1"}, {"a": "NA"}).column("a") == ["1", "NA"]

    def test_nested_values_become_records_and_lists(self, tmp_path: Path) -> None:
        got = read_records(tmp_path, {"a": {"x": 1, "y z": ["p"]}, "b": [1, 2]}, {"a": {"x": 2}, "b": []})
        assert got.types == {"a": 'STRUCT(x BIGINT, "y z" VARCHAR[])', "b": "BIGINT[]"}
        assert got.rows == [({"x": 1, "y z": ["p"]}, [1, 2]), ({"x": 2, "y z": None}, [])]

    def test_values_of_several_kinds_are_text(self, tmp_path: Path) -> None:
        got = read_records(tmp_path, {"a": 1}, {"a": "x"}, {"a": True})
        assert got.column("a") == ["1", "x", "true"]
        assert got.notes_about("several kinds")

    def test_types_may_be_given(self, tmp_path: Path) -> None:
        got = read_records(tmp_path, {"a": 1, "d": "02/13/2012"}, types=(("a", "VARCHAR"), ("d", "DATE")))
        assert got.rows == [("1", date(2012, 2, 13))]

    def test_of_keys_that_differ_in_case_alone_the_first_is_read_and_the_other_said(self, tmp_path: Path) -> None:
        got = read_records(tmp_path, {"a": 1, "A": 2})
        assert got.rows == [(1,)]
        assert got.notes_about("case alone")

    def test_huge_numbers_do_not_break_it(self, tmp_path: Path) -> None:
        assert read_records(tmp_path, {"a": 2**70}).types == {"a": "DOUBLE"}


class TestForms:
    def test_one_array_of_records(self, tmp_path: Path) -> None:
        assert read(tmp_path, '[{"a": 1},\n {"a": 2}]', "t.json").rows == [(1,), (2,)]

    def test_blank_lines_are_left_out(self, tmp_path: Path) -> None:
        assert read(tmp_path, '{"a": 1}\n\n{"a": 2}\n\n', "t.jsonl").rows == [(1,), (2,)]

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
    def test_every_encoding_is_read(self, tmp_path: Path, encoding: str) -> None:
        content = '{"n": 1, "t": "Müller", "s": {"x": 1.5}, "l": [1], "d": "2012-01-01"}\n'.encode(encoding)
        got = read(tmp_path, content, "t.jsonl")
        assert got.rows == [(1, "Müller", {"x": 1.5}, [1], date(2012, 1, 1))]


class TestRefusals:
    @pytest.mark.parametrize("line", ["{broken", "[1, 2]", "5", '{"a": 1} extra'])
    def test_a_line_that_is_no_record_is_named(self, tmp_path: Path, line: str) -> None:
        fault = fault_of(write(tmp_path, '{"a": 1}\n' + line + "\n", "t.jsonl"))
        assert fault.code == "F504"
        assert "Line 2 of 't.jsonl'" in fault.message

    @pytest.mark.parametrize("content", ["[1, 2]", '[{"a": 1}, nonsense]', '[{"a": 1}'])
    def test_an_array_of_other_things_is_refused(self, tmp_path: Path, content: str) -> None:
        assert fault_of(write(tmp_path, content, "t.json")).code == "F504"

    @pytest.mark.parametrize("content", ["\n", "[]"])
    def test_nothing_is_empty(self, tmp_path: Path, content: str) -> None:
        assert fault_of(write(tmp_path, content, "t.json")).code == "F505"

    def test_deep_nesting_is_no_crash(self, tmp_path: Path) -> None:
        deep = '{"a": ' + "[" * 5000 + "]" * 5000 + "}\n"
        path = write(tmp_path, deep, "t.jsonl")
        try:
            read(tmp_path, deep, "t.jsonl")
        except Exception:
            assert fault_of(path).code == "F504"
