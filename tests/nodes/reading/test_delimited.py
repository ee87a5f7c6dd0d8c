"""Delimited text: dialects, headers, encodings, and several files as one table."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.nodes.reading.files import fault_of, read, read_files, write


class TestDialect:
    @pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
    def test_every_usual_delimiter_is_found(self, tmp_path: Path, delimiter: str) -> None:
        got = read(tmp_path, f"name{delimiter}n\nAda{delimiter}1\nBob{delimiter}2\n")
        assert got.types == {"name": "VARCHAR", "n": "BIGINT"}
        assert got.rows == [("Ada", 1), ("Bob", 2)]

    def test_commas_inside_quotes_and_decimal_commas_do_not_split(self, tmp_path: Path) -> None:
        got = read(tmp_path, 'place;x\n"Oslo, Norway";1,25\n"Rome; Italy";2,5\n')
        assert got.rows == [("Oslo, Norway", 1.25), ("Rome; Italy", 2.5)]

    def test_a_delimiter_that_is_given_is_used(self, tmp_path: Path) -> None:
        assert read(tmp_path, "a:b\n1:2\n", delimiter=":").rows == [(1, 2)]

    def test_blank_lines_are_left_out_anywhere(self, tmp_path: Path) -> None:
        got = read(tmp_path, "\n\na,b\n\n1,x\n\n\n2,y\n\n")
        assert got.rows == [(1, "x"), (2, "y")]

    def test_blank_lines_in_a_table_of_one_column_are_no_rows(self, tmp_path: Path) -> None:
        assert read(tmp_path, "n\n\n1\nNA\n\n2\n").rows == [(1,), (None,), (2,)]
        assert read(tmp_path, "w\n\nx\nNA\n\ny\n").rows == [("x",), (None,), ("y",)]

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_every_end_of_line_is_read(self, tmp_path: Path, end: str) -> None:
        assert read(tmp_path, end.join(["a,b", "1,x", "2,y", ""])).rows == [(1, "x"), (2, "y")]

    def test_both_ends_of_line_in_one_file_are_read(self, tmp_path: Path) -> None:
        assert read(tmp_path, "a,b\r\n1,x\n2,y\r\n").rows == [(1, "x"), (2, "y")]

    def test_quoted_values_may_hold_lines_and_quotes(self, tmp_path: Path) -> None:
        got = read(tmp_path, '"a\nb",c\n1,"x\ny ""z"""\n2,w\n')
        assert got.names == ["a\nb", "c"]
        assert got.rows == [(1, 'x\ny "z"'), (2, "w")]

    def test_quotes_escaped_by_a_backslash_are_read(self, tmp_path: Path) -> None:
        assert read(tmp_path, 'a,b\n1,"say \\"hi\\""\n2,x\n').rows == [(1, 'say "hi"'), (2, "x")]

    def test_single_quotes_are_found(self, tmp_path: Path) -> None:
        got = read(tmp_path, "a,b\n'x, y',1\n'z',2\n'w',3\n")
        assert got.rows == [("x, y", 1), ("z", 2), ("w", 3)]

    def test_lines_above_the_table_are_left_out_and_said(self, tmp_path: Path) -> None:
        got = read(tmp_path, "Report of May\nmade by us\na,b,c\n1,2,3\n4,5,6\n")
        assert got.rows == [(1, 2, 3), (4, 5, 6)]
        assert got.notes_about("above") == ["2 lines above the table are left out."]

    def test_rows_to_leave_out_may_be_given(self, tmp_path: Path) -> None:
        assert read(tmp_path, "x,y\n1,2\na,b\n3,4\n", skip_rows=2).rows == [(3, 4)]

    def test_a_spare_delimiter_at_every_end_is_no_column_of_values(self, tmp_path: Path) -> None:
        assert read(tmp_path, "a,b\n1,2,\n3,4,\n").column("b") == [2, 4]
        assert read(tmp_path, "a,b,\n1,2\n3,4\n").rows == [(1, 2), (3, 4)]


class TestHeader:
    def test_a_first_line_of_data_is_no_header(self, tmp_path: Path) -> None:
        got = read(tmp_path, "Ada,1\nBob,2\n")
        assert got.names == ["column_1", "column_2"]
        assert got.rows == [("Ada", 1), ("Bob", 2)]
        assert got.notes_about("first line holds data")

    def test_years_may_be_names(self, tmp_path: Path) -> None:
        assert read(tmp_path, "country,2019,2020\nOslo,1,2\n").names == ["country", "2019", "2020"]

    def test_a_table_of_words_has_a_header(self, tmp_path: Path) -> None:
        assert read(tmp_path, "carrier,name\nAA,American\n").names == ["carrier", "name"]

    @pytest.mark.parametrize(("header", "count"), [(True, 1), (False, 2)])
    def test_it_may_be_given(self, tmp_path: Path, header: bool, count: int) -> None:
        assert len(read(tmp_path, "a,b\nc,d\n", header=header).rows) == count

    def test_names_that_occur_twice_get_a_number(self, tmp_path: Path) -> None:
        got = read(tmp_path, "a,A,a,b\n1,2,3,4\n")
        assert got.names == ["a", "A_2", "a_3", "b"]
        assert len(got.notes_about("more than once")) == 2

    def test_empty_names_are_filled(self, tmp_path: Path) -> None:
        got = read(tmp_path, "a,,column_2\n1,2,3\n")
        assert got.names == ["a", "column_2_2", "column_2"]
        assert got.notes_about("no name")

    def test_blanks_around_names_are_dropped(self, tmp_path: Path) -> None:
        assert read(tmp_path, " a , b\n1,2\n").names == ["a", "b"]

    def test_a_header_alone_is_a_table_without_rows(self, tmp_path: Path) -> None:
        got = read(tmp_path, "a,b\n")
        assert got.types == {"a": "VARCHAR", "b": "VARCHAR"}
        assert got.rows == []
        assert got.notes_about("no rows")


class TestEncoding:
    @pytest.mark.parametrize(
        "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1", "cp1252"]
    )
    def test_letters_come_out_right(self, tmp_path: Path, encoding: str) -> None:
        got = read(tmp_path, "name,n\r\nMüller,1\r\nJosé,2\r\n".encode(encoding))
        assert got.names == ["name", "n"]
        assert got.rows == [("Müller", 1), ("José", 2)]

    def test_a_marked_utf_16_file_of_the_other_order_is_read(self, tmp_path: Path) -> None:
        got = read(tmp_path, b"\xfe\xff" + "name,n\nMüller,1\n".encode("utf-16-be"))
        assert got.rows == [("Müller", 1)]

    def test_windows_quotes_are_read_as_windows_wrote_them(self, tmp_path: Path) -> None:
        got = read(tmp_path, "name,price\n“Café”,5\n€uro,6\n".encode("cp1252"))
        assert got.column("name") == ["“Café”", "€uro"]
        assert got.types["price"] == "BIGINT"
        assert got.notes_about("Windows-1252")

    def test_it_may_be_given(self, tmp_path: Path) -> None:
        got = read(tmp_path, "name,n\nŁódź,1\n".encode("cp1250"), encoding="windows-1250")
        assert got.rows == [("Łódź", 1)]

    def test_an_unknown_one_is_refused(self, tmp_path: Path) -> None:
        fault = fault_of(write(tmp_path, "a,b\n1,2\n"), encoding="klingon")
        assert (fault.code, fault.path) == ("F303", ("encoding",))

    def test_utf_8_with_a_damaged_place_is_refused_by_line(self, tmp_path: Path) -> None:
        damaged = "name,n\nMüller,1\nJosé,2\n".encode() + b"bad\xff,3\n"
        fault = fault_of(write(tmp_path, damaged))
        assert fault.code == "F504"
        assert "0xff in line 4" in fault.message

    def test_gzipped_text_is_read(self, tmp_path: Path) -> None:
        got = read(tmp_path, gzip.compress(b"a,b\n1,x\n"), "table.csv.gz")
        assert got.rows == [(1, "x")]


class TestSeveral:
    def test_files_with_the_same_columns_are_one_table(self, tmp_path: Path) -> None:
        paths = [write(tmp_path, "a,b\n1,x\n", "1.csv"), write(tmp_path, "a,b\n2,y\n", "2.csv")]
        assert read_files(paths).rows == [(1, "x"), (2, "y")]

    def test_columns_meet_by_name_and_not_by_place(self, tmp_path: Path) -> None:
        paths = [write(tmp_path, "a,b\n1,x\n", "1.csv"), write(tmp_path, "B;a\ny;2\n", "2.csv")]
        assert read_files(paths).rows == [(1, "x"), (2, "y")]

    def test_types_follow_from_all_of_them(self, tmp_path: Path) -> None:
        paths = [write(tmp_path, "a,b\n1,x\n", "1.csv"), write(tmp_path, "a,b\n2.5,y\n", "2.csv")]
        assert read_files(paths).column("a") == [1.0, 2.5]

    def test_other_columns_are_refused_by_name(self, tmp_path: Path) -> None:
        paths = [write(tmp_path, "a,b\n1,x\n", "1.csv"), write(tmp_path, "a,c\n2,y\n", "2.csv")]
        fault = fault_of(paths)
        assert fault.code == "F504"
        assert "'2.csv' lacks b and has c besides" in fault.message

    def test_names_of_files_may_hold_letters_of_globs(self, tmp_path: Path) -> None:
        assert read(tmp_path, "a,b\n1,x\n", "it's [1] *?.csv").rows == [(1, "x")]


class TestRefusals:
    def test_rows_of_another_length_are_named_by_their_place(self, tmp_path: Path) -> None:
        fault = fault_of(write(tmp_path, "a,b,c\n1,2,3\n4,5\n6,7,8,9\n1,1,1\n1,1,1\n"))
        assert fault.code == "F504"
        assert "Row 3 of 'table.csv' has 2 fields, but the table has 3 columns (1 more rows like it)" in fault.message

    @pytest.mark.parametrize("content", ["\n\n\n", "   \n\t\n" * 0 + "\n"])
    def test_nothing_but_blank_lines_is_empty(self, tmp_path: Path, content: str) -> None:
        assert fault_of(write(tmp_path, content)).code == "F505"

    @pytest.mark.parametrize(
        "start",
        [b"\x89PNG\r\n\x1a\n", b"PK\x03\x04zip", b"SQLite format 3\x00", b"%PDF-1.7\n", b"\x00\x01\x02\x03" * 50],
    )
    def test_binary_data_is_no_table(self, tmp_path: Path, start: bytes) -> None:
        fault = fault_of(write(tmp_path, start + bytes(range(256)) * 20))
        assert fault.code == "F504"

    def test_a_delimiter_of_several_letters_is_refused(self, tmp_path: Path) -> None:
        assert fault_of(write(tmp_path, "a,b\n1,2\n"), delimiter="::").path == ("delimiter",)

    def test_a_quote_that_is_left_open_is_refused(self, tmp_path: Path) -> None:
        fault = fault_of(write(tmp_path, 'a,b\n1,"x\n' + "2,y\n" * 300_000))
        assert fault.code == "F504"


class TestLinesThatAreNoRows:
    @pytest.mark.parametrize(("mark", "line"), [(";", "sep=;"), ("|", "SEP=|"), (":", "sep=:"), (",", "\r\nsep=,")])
    def test_the_line_that_tells_spreadsheets_the_delimiter_is_obeyed(
        self, tmp_path: Path, mark: str, line: str
    ) -> None:
        rows = [["name", "n"], ["a", "1"], ["b", "2"]]
        got = read(tmp_path, "\r\n".join([line, *(mark.join(row) for row in rows)]) + "\r\n")
        assert got.names == ["name", "n"]
        assert got.rows == [("a", 1), ("b", 2)]

    def test_a_column_may_be_called_so(self, tmp_path: Path) -> None:
        assert read(tmp_path, "sep=x,b\n1,2\n").names == ["sep=x", "b"]

    @pytest.mark.parametrize("above", ["# one", "# one\n# two", "A title"])
    def test_lines_above_are_left_out_however_few_rows_follow(self, tmp_path: Path, above: str) -> None:
        assert read(tmp_path, f"{above}\na,b\n1,2\n").rows == [(1, 2)]

    @pytest.mark.parametrize("end", ["", "\n", ",2\n", ",2\r\n\r\n"])
    def test_a_last_line_without_end_is_told_and_never_passed_over(self, tmp_path: Path, end: str) -> None:
        path = write(tmp_path, "a,b\n" + "1,2\n" * 300_000 + "x" * 34_000_000 + end)
        assert "last line of 'table.csv' is longer" in fault_of([path]).message

    def test_a_long_last_line_is_a_row(self, tmp_path: Path) -> None:
        got = read(tmp_path, "a,b\n" + "1,2\n" * 300_000 + "x" * 1_000_000 + ",2\n", types=(("a", "VARCHAR"),))
        assert len(got.rows) == 300_001
