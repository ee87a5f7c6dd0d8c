"""Tables on a screen: what fits is shown, and what does not is counted and named."""

from __future__ import annotations

from headrace.cli.screen import table_lines

COLUMNS = [("name", "VARCHAR"), ("amount", "BIGINT"), ("a long remark", "VARCHAR")]
ROWS = [["Ann", 12, "fine"], ["Zoë", 7, None]]


def test_a_table_that_fits_is_shown_whole() -> None:
    assert table_lines(COLUMNS, ROWS, total=2, room=80) == table_lines(COLUMNS, ROWS, total=2)


def test_columns_that_do_not_fit_are_named_and_no_line_is_wider_than_the_screen() -> None:
    lines = table_lines(COLUMNS, ROWS, total=5, room=20)
    assert lines == [
        "name  amount",
        "----  ------",
        "Ann       12",
        "Zoë        7",
        "… 3 more of 5 rows",
        "… 1 more column: a long remark",
    ]


def test_one_column_is_shown_however_narrow_the_screen_is() -> None:
    assert table_lines(COLUMNS, ROWS, total=2, room=1)[0] == "name"


def test_many_columns_that_do_not_fit_are_named_up_to_a_dozen() -> None:
    columns = [(f"c{number}", "BIGINT") for number in range(100)]
    last = table_lines(columns, [[1] * 100], total=1, room=20)[-1]
    assert last.startswith("… 95 more columns: c5, ")
    assert last.endswith(", c16, …")
