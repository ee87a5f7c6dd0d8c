"""Types of columns: numbers, dates, missing words and codes, each decision said; what is not decided stays text."""

from __future__ import annotations

from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import pytest

from headrace.nodes import reading
from tests.nodes.reading.files import Read, fault_of, faults_of, read, write


def read_column(folder: Path, *values: str, name: str = "x", **options: Any) -> Read:
    """A file with a column of these values, semicolons between, and a second one of words."""
    lines = [f"{name};other", *(f'"{value}";word' for value in values)]
    return read(folder, "\n".join(lines) + "\n", **options)


class TestNumbers:
    @pytest.mark.parametrize(
        ("values", "kind", "expected"),
        [
            (["1", "-2", "0"], "BIGINT", [1, -2, 0]),
            (["1", "2.5"], "DOUBLE", [1.0, 2.5]),
            ([".5", "1e3", "-1.5E-2"], "DOUBLE", [0.5, 1000.0, -0.015]),
            ([" 1 ", "2  "], "BIGINT", [1, 2]),
            (["9223372036854775", "1"], "BIGINT", [9223372036854775, 1]),
            (["1,5", "2"], "DOUBLE", [1.5, 2.0]),
            (["0,125", "0,250"], "DOUBLE", [0.125, 0.25]),
            (["1234,567"], "DOUBLE", [1234.567]),
            (["1,234,567", "12"], "BIGINT", [1234567, 12]),
            (["1.234,5", "12"], "DOUBLE", [1234.5, 12.0]),
            (["1.234.567", "12"], "BIGINT", [1234567, 12]),
            (["1,234.5", "12"], "DOUBLE", [1234.5, 12.0]),
            (["1 234 567", "-1 000"], "BIGINT", [1234567, -1000]),
            (["1\u00a0234", "12"], "BIGINT", [1234, 12]),
            (["1'234'567"], "BIGINT", [1234567]),
        ],
    )
    def test_numbers_are_read_as_they_are_written(
        self, tmp_path: Path, values: list[str], kind: str, expected: list[Any]
    ) -> None:
        got = read_column(tmp_path, *values)
        assert got.types["x"] == kind
        assert got.column("x") == expected

    def test_thousands_padded_with_blanks_are_read(self, tmp_path: Path) -> None:
        got = read(tmp_path, 'a,b,c\n"23,288  ",9.7,x\n"999  ",1.2,y\n')
        assert got.column("a") == [23288, 999]
        assert got.notes_about("separates thousands in `a`")

    def test_among_commas_a_comma_in_a_number_separates_thousands(self, tmp_path: Path) -> None:
        assert read(tmp_path, 'a,b\n"1,234",x\n"5,678",y\n').column("a") == [1234, 5678]

    def test_a_number_that_may_be_either_stays_text_and_is_said(self, tmp_path: Path) -> None:
        got = read_column(tmp_path, "1,234", "5,678")
        assert got.types["x"] == "VARCHAR"
        assert "Set `decimal` or `thousands`" in got.notes_about("`x`")[0]

    @pytest.mark.parametrize(
        ("options", "expected"), [({"decimal": ","}, [1.234, 5.678]), ({"thousands": ","}, [1234, 5678])]
    )
    def test_a_person_may_decide(self, tmp_path: Path, options: dict[str, str], expected: list[float]) -> None:
        assert read_column(tmp_path, "1,234", "5,678", **options).column("x") == expected

    def test_another_column_may_decide(self, tmp_path: Path) -> None:
        got = read(tmp_path, "a;b\n1,234;0,5\n2,345;7,25\n")
        assert got.rows == [(1.234, 0.5), (2.345, 7.25)]
        got = read(tmp_path, "a;b\n1,234;0.5\n2,345;7.25\n", "other.csv")
        assert got.rows == [(1234, 0.5), (2345, 7.25)]

    def test_files_that_mix_marks_are_read_column_by_column(self, tmp_path: Path) -> None:
        assert read(tmp_path, "a;b\n1,5;2.5\n0,25;3.75\n").rows == [(1.5, 2.5), (0.25, 3.75)]

    @pytest.mark.parametrize("values", [["01", "02"], ["007", "12"], ["+4912345", "+33123"]])
    def test_codes_stay_text(self, tmp_path: Path, values: list[str]) -> None:
        got = read_column(tmp_path, *values)
        assert got.column("x") == values
        assert "leading zeros" in got.notes_about("`x`")[0]

    @pytest.mark.parametrize("name", ["zip", "Post Code", "Postal code", "phone", "Home Phone", "phone_number", "ISBN"])
    def test_digits_that_are_codes_by_their_name_stay_text(self, tmp_path: Path, name: str) -> None:
        assert read_column(tmp_path, "22041", "37150", name=name).column(name) == ["22041", "37150"]

    @pytest.mark.parametrize("name", ["phones sold", "zipped", "code", "market cap"])
    def test_other_names_do_not_turn_numbers_to_text(self, tmp_path: Path, name: str) -> None:
        assert read_column(tmp_path, "3", "4", name=name).column(name) == [3, 4]

    def test_numbers_longer_than_a_number_holds_stay_text(self, tmp_path: Path) -> None:
        assert read_column(tmp_path, "12345678901234567890").column("x") == ["12345678901234567890"]

    def test_numbers_up_to_the_largest_are_numbers(self, tmp_path: Path) -> None:
        values = [str(2**63 - 1), str(-(2**63)), "0"]
        assert read_column(tmp_path, *values).column("x") == [2**63 - 1, -(2**63), 0]
        assert read_column(tmp_path, str(2**63)).column("x") == [str(2**63)]

    @pytest.mark.parametrize("value", ["12 kg", "$5", "5%", "1-2", "1.2.3", "12:30h", "(5)", "1,23,4"])
    def test_everything_else_is_text(self, tmp_path: Path, value: str) -> None:
        assert read_column(tmp_path, value, "x").column("x") == [value, "x"]


class TestDates:
    @pytest.mark.parametrize(
        ("values", "expected"),
        [
            (["2012-03-04", "2013-12-31"], [date(2012, 3, 4), date(2013, 12, 31)]),
            (["2012/3/4"], [date(2012, 3, 4)]),
            (["02/13/2012", "01/02/2012"], [date(2012, 2, 13), date(2012, 1, 2)]),
            (["13/02/2012", "01/02/2012"], [date(2012, 2, 13), date(2012, 2, 1)]),
            (["3/31/2012", "1/2/2012"], [date(2012, 3, 31), date(2012, 1, 2)]),
            (["31.12.2012", "1.2.2012"], [date(2012, 12, 31), date(2012, 2, 1)]),
            (["1.2.2012"], [date(2012, 2, 1)]),
            (["Jan 1 2000", "May 2 2001"], [date(2000, 1, 1), date(2001, 5, 2)]),
            (["January 1, 2000"], [date(2000, 1, 1)]),
            (["May 1, 2000"], [date(2000, 5, 1)]),
            (["1 Jan 2000", "31 DEC 1999"], [date(2000, 1, 1), date(1999, 12, 31)]),
            (["01-Jan-2000"], [date(2000, 1, 1)]),
            (["2012-03-04 10:00", "2012-03-05 11:30"], [datetime(2012, 3, 4, 10), datetime(2012, 3, 5, 11, 30)]),
            (["2013-07-02T00:00:00Z"], [datetime(2013, 7, 2)]),
            (["2013-07-02T00:00:00+02:00"], [datetime(2013, 7, 1, 22)]),
            (["02/13/2012 3:05 PM"], [datetime(2012, 2, 13, 15, 5)]),
            (["11:38:36", "9:05:00"], [time(11, 38, 36), time(9, 5)]),
            (["11:38"], [time(11, 38)]),
        ],
    )
    def test_dates_are_read_as_they_are_written(self, tmp_path: Path, values: list[str], expected: list[Any]) -> None:
        assert read_column(tmp_path, *values).column("x") == expected

    def test_the_value_that_decides_is_named(self, tmp_path: Path) -> None:
        got = read_column(tmp_path, "02/13/2012", "01/02/2012")
        assert got.notes_about("`x`") == ["`x` is read as month/day/year, because '02/13/2012' occurs."]

    def test_dates_that_may_be_either_stay_text_and_are_said(self, tmp_path: Path) -> None:
        got = read_column(tmp_path, "01/02/2012", "03/04/2012")
        assert got.column("x") == ["01/02/2012", "03/04/2012"]
        assert "month/day/year or day/month/year" in got.notes_about("`x`")[0]

    @pytest.mark.parametrize(
        ("written", "expected"),
        [
            ("%m/%d/%Y", date(2012, 1, 2)),
            ("MM/DD/YYYY", date(2012, 1, 2)),
            ("month/day/year", date(2012, 1, 2)),
            ("DD/MM/YYYY", date(2012, 2, 1)),
            ("%d/%m/%Y", date(2012, 2, 1)),
            ("%-d/%-m/%Y", date(2012, 2, 1)),
        ],
    )
    def test_a_person_may_decide(self, tmp_path: Path, written: str, expected: date) -> None:
        assert read_column(tmp_path, "01/02/2012", date_format=written).column("x") == [expected]

    def test_a_format_that_is_none_is_refused(self, tmp_path: Path) -> None:
        fault = fault_of(write(tmp_path, "x,y\n01/02/2012,a\n"), date_format="banana")
        assert (fault.code, fault.path) == ("F303", ("date_format",))

    @pytest.mark.parametrize("value", ["2012-02-30", "13/13/2012", "Foo 1 2000", "2012-13-01"])
    def test_what_is_no_date_stays_text(self, tmp_path: Path, value: str) -> None:
        assert read_column(tmp_path, value).column("x") == [value]

    def test_columns_may_have_formats_of_their_own(self, tmp_path: Path) -> None:
        got = read(tmp_path, "a,b,c\n12/31/2012,31.12.2012,2012-12-31\n")
        assert got.rows == [(date(2012, 12, 31),) * 3]


class TestTruths:
    def test_true_and_false_are_read(self, tmp_path: Path) -> None:
        assert read_column(tmp_path, "true", "FALSE", "True").column("x") == [True, False, True]

    @pytest.mark.parametrize("values", [["yes", "no"], ["Y", "N"], ["t", "f"]])
    def test_other_words_stay_text(self, tmp_path: Path, values: list[str]) -> None:
        assert read_column(tmp_path, *values).column("x") == values


class TestMissing:
    def test_empty_values_are_missing_in_every_column(self, tmp_path: Path) -> None:
        got = read(tmp_path, 'a,b,c\n,,\n1,"",2012-01-01\n')
        assert got.rows == [(None, None, None), (1, None, date(2012, 1, 1))]

    @pytest.mark.parametrize("word", ["NA", "N/A", "NaN", "null", "NULL", "#N/A"])
    def test_words_for_missing_are_missing_among_numbers_and_words(self, tmp_path: Path, word: str) -> None:
        got = read(tmp_path, f"n,sex\n1,male\n{word},{word}\n2.5,female\n")
        assert got.rows == [(1.0, "male"), (None, None), (2.5, "female")]
        assert "otherwise holds numbers" in got.notes_about("`n`")[0]
        assert got.notes_about("`sex`") == [f"`{word}` is taken as missing in `sex`."]

    def test_na_among_codes_of_two_letters_is_a_code(self, tmp_path: Path) -> None:
        got = read(tmp_path, "code,n\nAW,1\nNA,NA\nDE,3\nFR,NA\n")
        assert got.rows == [("AW", 1), ("NA", None), ("DE", 3), ("FR", None)]
        assert "kept as text" in got.notes_about("`code`")[0]

    def test_na_beside_codes_and_words_is_missing_only_among_the_words(self, tmp_path: Path) -> None:
        got = read(tmp_path, "code,word\nAW,long\nNA,NA\nDE,longer\nFR,x\n")
        assert got.column("code") == ["AW", "NA", "DE", "FR"]
        assert got.column("word") == ["long", None, "longer", "x"]

    @pytest.mark.parametrize("word", ["-", "--", "?", "None", "n.a.", "#DIV/0!"])
    def test_marks_are_missing_among_numbers_alone(self, tmp_path: Path, word: str) -> None:
        got = read(tmp_path, f"n,t\n1,a\n{word},{word}\n2,b\n")
        assert got.rows == [(1, "a"), (None, word), (2, "b")]

    def test_values_that_are_only_blanks_are_missing_among_numbers(self, tmp_path: Path) -> None:
        assert read_column(tmp_path, "1", "   ", "3").column("x") == [1, None, 3]

    def test_a_person_may_name_the_words(self, tmp_path: Path) -> None:
        got = read(tmp_path, "n,t\n1,NA\n-9,x\n2,-9\n", null_values=("-9",))
        assert got.rows == [(1, "NA"), (None, "x"), (2, None)]

    def test_a_person_may_say_that_there_are_none(self, tmp_path: Path) -> None:
        assert read(tmp_path, "n,t\n1,NA\n2,b\n", null_values=()).column("t") == ["NA", "b"]


class TestDeclaredTypes:
    def test_a_type_that_is_given_is_used(self, tmp_path: Path) -> None:
        got = read(tmp_path, "a,b,c\n1,2,3\n", types=(("a", "VARCHAR"), ("b", "DOUBLE"), ("c", "DECIMAL(10,2)")))
        assert got.types == {"a": "VARCHAR", "b": "DOUBLE", "c": "DECIMAL(10,2)"}

    def test_the_form_of_numbers_is_still_found(self, tmp_path: Path) -> None:
        got = read(tmp_path, 'a,b\n"1,234.5",x\n"2",y\n', types=(("a", "DECIMAL(10,2)"),))
        assert [float(value) for value in got.column("a")] == [1234.5, 2.0]

    def test_the_form_of_dates_is_still_found(self, tmp_path: Path) -> None:
        assert read(tmp_path, "a,b\n02/13/2012,x\n", types=(("a", "TIMESTAMP"),)).column("a") == [datetime(2012, 2, 13)]

    def test_dates_that_may_be_either_are_asked_for(self, tmp_path: Path) -> None:
        fault = fault_of(write(tmp_path, "a,b\n01/02/2012,x\n"), types=(("a", "DATE"),))
        assert (fault.code, fault.path) == ("F303", ("date_format",))
        assert [each.value for each in fault.suggestions] == ["%m/%d/%Y", "%d/%m/%Y"]

    def test_values_that_are_no_numbers_are_named(self, tmp_path: Path) -> None:
        fault = fault_of(write(tmp_path, "a,b\n1,x\nmany,y\n"), types=(("a", "BIGINT"),))
        assert (fault.code, fault.path) == ("F303", ("types", "a"))
        assert "'many'" in fault.message
        assert read(tmp_path, "a,b\n01,x\n2.5,y\n", types=(("a", "DOUBLE"),)).column("a") == [1.0, 2.5]

    def test_unknown_columns_are_all_named(self, tmp_path: Path) -> None:
        faults = faults_of(write(tmp_path, "price,b\n1,x\n"), types=(("prize", "DOUBLE"), ("zzz", "DOUBLE")))
        assert [fault.code for fault in faults] == ["F401", "F401"]
        assert "Near ones: price" in faults[0].message


def test_samples_are_the_written_values_with_missing_ones_as_none(tmp_path: Path) -> None:
    found = read(tmp_path, "n,t\n1,a\nNA,\n").found
    assert found.sample == (("1", "a"), (None, None))
    assert found.rows == 2


def test_an_unchanged_file_is_looked_at_once(tmp_path: Path) -> None:
    path = write(tmp_path, "n,t\n1,a\n")
    first = reading.sniff([path])
    assert reading.sniff([path]) is first
    write(tmp_path, "n,t\n1.5,a\n2,b\n")
    assert reading.sniff([path]).columns[0].type == "DOUBLE"
