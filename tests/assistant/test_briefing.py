"""What a model sees of the files: names as SQL writes them, values of text columns, how dates and numbers were read."""

from __future__ import annotations

from pathlib import Path

from headrace.assistant.briefing import MOST, brief
from headrace.assistant.instructions import instructions
from headrace.assistant.sharing import Gate
from headrace.base.actor import LOCAL
from headrace.nodes.catalog import standard_catalog
from headrace.tools.catalog import standard_tools
from tests.tools.bench_of_tools import Bench


def _brief(folder: Path) -> str:
    bench = Bench(folder)
    return Gate().briefing(brief(bench.workspace, LOCAL, bench.flow_id), MOST)


def test_text_columns_come_with_values_as_they_are_written(tmp_path: Path) -> None:
    text = _brief(tmp_path)
    assert "region VARCHAR ('North', 'South', 'West')" in text
    assert "amount DOUBLE," in text


def test_a_name_that_sql_must_quote_is_quoted(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("First Name,age\nAda,36\n", encoding="utf-8")
    assert "\"First Name\" VARCHAR ('Ada'), age BIGINT" in _brief(tmp_path)


def test_how_a_file_was_read_is_said_where_it_could_change_a_result(tmp_path: Path) -> None:
    (tmp_path / "days.csv").write_text("day,n\n01/13/2012,1\n02/01/2012,2\n", encoding="utf-8")
    assert "month/day/year" in _brief(tmp_path)


def test_a_file_that_cannot_be_read_does_not_hide_the_others(tmp_path: Path) -> None:
    (tmp_path / "broken.parquet").write_bytes(b"no parquet at all")
    text = _brief(tmp_path)
    assert "broken.parquet: cannot be read" in text
    assert "orders.csv: order_id BIGINT" in text


def test_many_wide_files_stay_within_the_cap(tmp_path: Path) -> None:
    head = ",".join(f"a_rather_long_column_name_{n}" for n in range(200))
    for n in range(9):
        (tmp_path / f"wide_{n}.csv").write_text(f"{head}\n{','.join(['text'] * 200)}\n", encoding="utf-8")
    assert len(_brief(tmp_path)) <= MOST


def test_what_every_turn_sends_stays_under_four_thousand_five_hundred_tokens() -> None:
    import json

    catalogue = json.dumps([[tool.name, tool.summary, tool.schema()] for tool in standard_tools()])
    assert (len(instructions(standard_catalog())) + len(catalogue)) / 4 < 4_500
