"""Workbooks: which sheet, where its table begins, what its cells are."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter

from headrace.nodes import reading
from headrace.nodes.spec import NodeFault
from tests.nodes.reading.files import Read, fault_of, read_files, write

Cells = Sequence[Sequence[Any]]


def workbook(folder: Path, name: str = "book.xlsx", **sheets: Cells) -> Path:
    path = folder / name
    book = xlsxwriter.Workbook(str(path), {"default_date_format": "yyyy-mm-dd", "strings_to_formulas": False})
    for title, rows in sheets.items():
        sheet = book.add_worksheet(title)
        for number, row in enumerate(rows):
            for place, value in enumerate(row):
                if value is not None:
                    sheet.write(number, place, value)
    book.close()
    return path


def read(folder: Path, rows: Cells, **options: Any) -> Read:
    return read_files([workbook(folder, Table=rows)], **options)


class TestCells:
    def test_every_kind_of_cell(self, tmp_path: Path) -> None:
        got = read(
            tmp_path, [["n", "f", "t", "b", "d"], [1, 1.5, "x", True, date(2012, 3, 4)], [2, 2, None, False, None]]
        )
        assert list(got.types.values()) == ["BIGINT", "DOUBLE", "VARCHAR", "BOOLEAN", "DATE"]
        assert got.rows == [(1, 1.5, "x", True, date(2012, 3, 4)), (2, 2.0, None, False, None)]

    def test_moments_and_times(self, tmp_path: Path) -> None:
        path = tmp_path / "book.xlsx"
        book = xlsxwriter.Workbook(str(path))
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["m", "c"])
        sheet.write_datetime(1, 0, datetime(2012, 3, 4, 10, 30), book.add_format({"num_format": "yyyy-mm-dd hh:mm"}))
        sheet.write_datetime(1, 1, time(10, 30), book.add_format({"num_format": "hh:mm"}))
        book.close()
        assert read_files([path]).rows == [(datetime(2012, 3, 4, 10, 30), time(10, 30))]

    def test_words_for_missing_among_numbers(self, tmp_path: Path) -> None:
        got = read(tmp_path, [["n", "t"], [1, "NA"], ["NA", "x"], ["-", "y"], [2, "z"]])
        assert got.column("n") == [1, None, None, 2]
        assert got.column("t") == ["NA", "x", "y", "z"]
        assert got.notes_about("`n`")

    def test_numbers_among_text_are_text_without_a_fraction(self, tmp_path: Path) -> None:
        got = read(tmp_path, [["t", "u"], [5, 1], ["x", 2]])
        assert got.column("t") == ["5", "x"]

    def test_text_that_looks_like_a_number_stays_text(self, tmp_path: Path) -> None:
        assert read(tmp_path, [["t", "u"], ["01", 1], ["02", 2]]).column("t") == ["01", "02"]

    def test_types_may_be_given_and_cells_that_do_not_fit_are_named(self, tmp_path: Path) -> None:
        path = workbook(tmp_path, Table=[["a", "b"], [1, 2], ["x", 3]])
        assert read_files([path], types=(("b", "VARCHAR"),)).column("b") == ["2", "3"]
        found = reading.sniff([path], reading.Options(types=(("a", "BIGINT"),)))
        with pytest.raises(NodeFault) as caught:
            list(reading.staged_rows(found))
        assert "The cell A3 in column 'a' holds 'x'" in caught.value.faults[0].message


class TestTables:
    def test_empty_rows_and_titles_above_are_left_out(self, tmp_path: Path) -> None:
        got = read(tmp_path, [[], ["Sales of May"], [], ["a", "b", "c"], [1, 2, 3], [], [4, 5, 6]])
        assert got.rows == [(1, 2, 3), (4, 5, 6)]
        assert got.notes_about("above the table")

    def test_empty_columns_before_are_left_out(self, tmp_path: Path) -> None:
        assert read(tmp_path, [[None, None, "a", "b"], [None, None, 1, 2]]).names == ["a", "b"]

    def test_a_first_row_of_data_is_no_header(self, tmp_path: Path) -> None:
        assert read(tmp_path, [["x", 1.5], ["y", 2.5]]).names == ["column_1", "column_2"]

    def test_years_may_be_names(self, tmp_path: Path) -> None:
        assert read(tmp_path, [["country", 2019, 2020], ["x", 1, 2]]).names == ["country", "2019", "2020"]

    def test_names_are_made_different(self, tmp_path: Path) -> None:
        assert read(tmp_path, [["a", "A", None], [1, 2, 3]]).names == ["a", "A_2", "column_3"]

    def test_rows_to_leave_out_and_the_header_may_be_given(self, tmp_path: Path) -> None:
        got = read(tmp_path, [["x", "y"], [1, 2], [3, 4]], skip_rows=1, header=False)
        assert got.rows == [(1, 2), (3, 4)]


class TestSheets:
    def test_the_first_with_a_table_is_read_and_the_others_are_named(self, tmp_path: Path) -> None:
        path = workbook(tmp_path, About=[["Read me"]], Data=[["a", "b"], [1, 2]], More=[["c", "d"], [3, 4]])
        got = read_files([path])
        assert got.rows == [(1, 2)]
        assert got.notes_about("'Data' is read")[0].endswith("'About', 'More' are other sheets.")
        assert got.found.sheets == ("About", "Data", "More")

    def test_it_may_be_given(self, tmp_path: Path) -> None:
        path = workbook(tmp_path, Data=[["a", "b"], [1, 2]], More=[["c", "d"], [3, 4]])
        assert read_files([path], sheet="More").names == ["c", "d"]

    def test_an_unknown_one_is_refused_with_near_ones(self, tmp_path: Path) -> None:
        fault = fault_of(workbook(tmp_path, Data=[["a", "b"], [1, 2]]), sheet="Dta")
        assert (fault.code, fault.path) == ("F303", ("sheet",))
        assert "Near ones: Data" in fault.message

    def test_an_empty_one_is_refused(self, tmp_path: Path) -> None:
        assert fault_of(workbook(tmp_path, Data=[])).code == "F505"


class TestDamage:
    def test_a_cut_off_workbook(self, tmp_path: Path) -> None:
        path = workbook(tmp_path, Data=[["a", "b"], [1, 2]])
        assert fault_of(write(tmp_path, path.read_bytes()[:3000], "cut.xlsx")).code == "F504"

    def test_text_that_is_called_xlsx_is_read_as_text(self, tmp_path: Path) -> None:
        assert read_files([write(tmp_path, "a,b\n1,2\n", "t.xlsx")]).rows == [(1, 2)]

    def test_a_protected_workbook(self, tmp_path: Path) -> None:
        ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 2000
        assert fault_of(write(tmp_path, ole, "secret.xlsx")).code == "F504"

    def test_a_workbook_that_unpacks_to_more_than_memory_is_refused(self, tmp_path: Path) -> None:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("[Content_Types].xml", "x")
            archive.writestr("xl/worksheets/sheet1.xml", "x")
        forged = bytearray(packed.getvalue())
        entry = forged.rindex(b"PK\x01\x02")
        forged[entry + 24 : entry + 28] = (4_000_000_000).to_bytes(4, "little")
        assert "unpacks to 4.0 GB" in fault_of(write(tmp_path, bytes(forged), "bomb.xlsx")).message

    def test_several_workbooks_are_refused(self, tmp_path: Path) -> None:
        paths = [workbook(tmp_path, name, Data=[["a", "b"], [1, 2]]) for name in ("1.xlsx", "2.xlsx")]
        assert fault_of(paths).code == "F504"
