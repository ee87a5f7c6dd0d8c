"""`write_file`: what is written reads back alike, whole or not at all, and nothing is replaced unasked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
import python_calamine

from headrace.nodes import reading
from headrace.nodes.spec import Column, Inputs, NodeFault, Produced, Relation, Table
from tests.nodes.running import HandContext, configured

ALL_KINDS = """
    SELECT 1::BIGINT AS n, 1.5::DOUBLE AS f, 'é, "x"' AS t, DATE '2012-03-04' AS d, TIMESTAMP '2012-03-04 10:30:00' AS m,
           TIME '10:30:00' AS c, true AS b
    UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL
"""


def write(context: HandContext, inputs: Inputs, **config: Any) -> Produced:
    node_type, parsed = configured("write_file", config)
    return node_type.run(parsed, inputs, context)


def faults_of(context: HandContext, inputs: Inputs, **config: Any) -> tuple[Any, ...]:
    with pytest.raises(NodeFault) as caught:
        write(context, inputs, **config)
    return caught.value.faults


class TestFormats:
    @pytest.mark.parametrize("ending", ["csv", "tsv", "txt", "parquet", "jsonl", "ndjson", "json", "xlsx"])
    def test_what_is_written_reads_back(self, tmp_path: Path, ending: str) -> None:
        context = HandContext(tmp_path)
        produced = write(context, context.put("t", ALL_KINDS), path=f"out.{ending}")
        found = reading.sniff([tmp_path / f"out.{ending}"])
        assert [column.name for column in found.columns] == ["n", "f", "t", "d", "m", "c", "b"]
        assert found.rows in (2, 1)  # a sheet has no row without any value
        types = [column.type for column in found.columns]
        clock = "VARCHAR" if ending in ("json", "jsonl", "ndjson") else "TIME"
        assert types == ["BIGINT", "DOUBLE", "VARCHAR", "DATE", "TIMESTAMP", clock, "BOOLEAN"]
        assert produced.rows == 2
        assert produced.summary == f"wrote out.{ending}, 2 rows"
        size = (tmp_path / f"out.{ending}").stat().st_size
        assert produced.outputs["file"] == {"path": f"out.{ending}", "rows": 2, "bytes": size}

    def test_a_tsv_has_tabs_and_a_delimiter_may_be_given(self, tmp_path: Path) -> None:
        context = HandContext(tmp_path)
        inputs = context.put("t", "SELECT 1 AS a, 2 AS b")
        write(context, inputs, path="out.tsv")
        write(context, inputs, path="out.csv", delimiter=";")
        assert (tmp_path / "out.tsv").read_text() == "a\tb\n1\t2\n"
        assert (tmp_path / "out.csv").read_text() == "a;b\n1;2\n"

    def test_json_is_an_array_and_jsonl_is_lines(self, tmp_path: Path) -> None:
        context = HandContext(tmp_path)
        inputs = context.put("t", "SELECT * FROM range(3) t(n)")
        write(context, inputs, path="out.json")
        write(context, inputs, path="out.jsonl")
        assert json.loads((tmp_path / "out.json").read_text()) == [{"n": 0}, {"n": 1}, {"n": 2}]
        assert (tmp_path / "out.jsonl").read_text() == '{"n":0}\n{"n":1}\n{"n":2}\n'

    def test_the_format_may_be_given(self, tmp_path: Path) -> None:
        context = HandContext(tmp_path)
        write(context, context.put("t", "SELECT 1 AS a"), path="out.dat", format="parquet")
        assert (tmp_path / "out.dat").read_bytes().startswith(b"PAR1")

    def test_the_order_of_rows_is_kept(self, tmp_path: Path) -> None:
        context = HandContext(tmp_path)
        inputs = context.put("t", "SELECT 50000 - i AS n FROM range(50000) t(i)")
        write(context, inputs, path="out.csv")
        numbers = [int(line) for line in (tmp_path / "out.csv").read_text().splitlines()[1:]]
        assert numbers == list(range(50_000, 0, -1))

    def test_a_name_that_tells_nothing_is_refused(self, tmp_path: Path) -> None:
        context = HandContext(tmp_path)
        (fault,) = faults_of(context, context.put("t", "SELECT 1 AS a"), path="out.dat")
        assert (fault.code, fault.path) == ("F303", ("path",))

    def test_a_delimiter_for_parquet_is_refused(self, tmp_path: Path) -> None:
        context = HandContext(tmp_path)
        (fault,) = faults_of(context, context.put("t", "SELECT 1 AS a"), path="out.parquet", delimiter=";")
        assert fault.path == ("delimiter",)


class TestSheets:
    def cells(self, path: Path) -> list[list[Any]]:
        return python_calamine.CalamineWorkbook.from_path(str(path)).get_sheet_by_index(0).to_python()

    def test_text_never_becomes_a_formula_or_a_link(self, tmp_path: Path) -> None:
        context = HandContext(tmp_path)
        texts = ["=1+1", "@x", "+1", "http://example.com", "{=A1}", "0012", "1e5"]
        values = ", ".join(f"('{text}')" for text in texts)
        write(context, context.put("t", f"SELECT * FROM (VALUES {values}) v(a)"), path="out.xlsx")
        assert [row[0] for row in self.cells(tmp_path / "out.xlsx")[1:]] == texts
        import zipfile

        sheet = zipfile.ZipFile(tmp_path / "out.xlsx").read("xl/worksheets/sheet1.xml")
        assert b"<f>" not in sheet
        assert b"hyperlink" not in sheet

    def test_values_that_a_sheet_has_no_kind_for_become_text(self, tmp_path: Path) -> None:
        context = HandContext(tmp_path)
        sql = """SELECT 9007199254740993::BIGINT AS huge, DATE '1812-01-01' AS old, [1, 2] AS list, {'a': 1} AS record,
                        'nan'::DOUBLE AS nothing, INTERVAL 1 DAY AS span, 12.50::DECIMAL(9,2) AS money,
                        99999999999999.99::DECIMAL(16,2) AS fortune"""
        write(context, context.put("t", sql), path="out.xlsx")
        row = self.cells(tmp_path / "out.xlsx")[1]
        assert row == [
            "9007199254740993",
            "1812-01-01",
            "[1, 2]",
            '{"a": 1}',
            "nan",
            "1 day, 0:00:00",
            12.5,
            "99999999999999.99",
        ]

    def test_a_text_longer_than_a_cell_is_refused_and_nothing_is_left(self, tmp_path: Path) -> None:
        context = HandContext(tmp_path)
        (fault,) = faults_of(context, context.put("t", "SELECT repeat('x', 40000) AS a"), path="out.xlsx")
        assert fault.code == "F303"
        assert list(tmp_path.iterdir()) == []

    def test_a_table_wider_than_a_sheet_is_refused_before_it_runs(self, tmp_path: Path) -> None:
        context = HandContext(tmp_path)
        wide = Table(columns=tuple(Column(name=f"c{number}", type="BIGINT") for number in range(16_385)))
        node_type, parsed = configured("write_file", {"path": "out.xlsx"})
        (fault,) = node_type.examine(parsed, {"in": (Relation("t", wide),)}, context)
        assert fault.code == "F303"


class TestPlaces:
    def test_a_file_that_is_there_is_kept(self, tmp_path: Path) -> None:
        (tmp_path / "out.csv").write_text("precious")
        context = HandContext(tmp_path)
        inputs = context.put("t", "SELECT 1 AS a")
        (fault,) = faults_of(context, inputs, path="out.csv")
        assert fault.code == "F511"
        node_type, parsed = configured("write_file", {"path": "out.csv"})
        assert [each.code for each in node_type.examine(parsed, inputs, context)] == ["F511"]
        assert (tmp_path / "out.csv").read_text() == "precious"

    def test_it_is_replaced_where_that_is_said(self, tmp_path: Path) -> None:
        (tmp_path / "out.csv").write_text("old")
        context = HandContext(tmp_path)
        write(context, context.put("t", "SELECT 1 AS a"), path="out.csv", overwrite=True)
        assert (tmp_path / "out.csv").read_text() == "a\n1\n"

    def test_folders_are_made(self, tmp_path: Path) -> None:
        context = HandContext(tmp_path)
        write(context, context.put("t", "SELECT 1 AS a"), path="deep/er/out.csv")
        assert (tmp_path / "deep/er/out.csv").exists()

    def test_places_outside_are_refused_when_checked_and_when_run(self, tmp_path: Path) -> None:
        context = HandContext(tmp_path)
        inputs = context.put("t", "SELECT 1 AS a")
        node_type, parsed = configured("write_file", {"path": "../out.csv"})
        assert [fault.code for fault in node_type.examine(parsed, inputs, context)] == ["F503"]
        assert faults_of(context, inputs, path="../out.csv")[0].code == "F503"

    @pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl", "xlsx"])
    def test_a_failing_query_leaves_nothing_behind(self, tmp_path: Path, ending: str) -> None:
        context = HandContext(tmp_path)
        inputs = context.put("t", "SELECT 1 AS a")
        context.connection.execute(
            "CREATE OR REPLACE VIEW t2 AS SELECT CASE WHEN i = 60000 THEN error('boom') ELSE i END AS a FROM range(70000) r(i)"
        )
        relation = inputs["in"][0]
        failing: Inputs = {"in": (type(relation)("t2", relation.table),)}
        with pytest.raises(duckdb.Error):
            write(context, failing, path=f"out.{ending}")
        assert list(tmp_path.iterdir()) == []

    def test_a_cancelled_sheet_leaves_nothing_behind(self, tmp_path: Path) -> None:
        context = HandContext(tmp_path)
        inputs = context.put("t", "SELECT * FROM range(2000) r(i)")
        context.cancelled = lambda: True
        with pytest.raises(InterruptedError):
            write(context, inputs, path="out.xlsx")
        assert list(tmp_path.iterdir()) == []

    def test_a_dry_run_says_what_would_be_written_and_writes_nothing(self, tmp_path: Path) -> None:
        context = HandContext(tmp_path, dry_run=True)
        produced = write(context, context.put("t", "SELECT * FROM range(1204) r(i)"), path="new/out.parquet")
        assert produced.summary == "would write new/out.parquet, 1,204 rows"
        assert list(tmp_path.iterdir()) == []
