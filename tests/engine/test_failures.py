"""What a person reads when a node fails, and what becomes of the others."""

from __future__ import annotations

import errno
import os
import subprocess
import sys

import duckdb
import pytest

from headrace.engine.cancel import Cancelled
from headrace.engine.events import NodeFinished
from headrace.engine.failures import disk_is_full, failure
from headrace.engine.plan import Task
from tests.lab import chain

ROWS = [(1, "10"), (2, "many"), (3, "30")]


def a_task(node_id: str = "clean") -> Task:
    return Task(node_id, node_id, None, None, {}, {}, None, (), None)


class TestOneNodeFails:
    def flow(self, lab, **more):
        lab.table("t.csv", ["id", "amount"], ROWS)
        return lab.flow(
            {
                "read": ("read_file", {"path": "t.csv", "types": {"amount": "text"}}),
                "cast": ("formula", {"columns": [{"name": "amount", "expression": "CAST(amount AS INTEGER)"}]}),
                "sum": ("aggregate", {"measures": [{"name": "n", "function": "sum", "column": "amount"}]}),
                "save": ("write_file", {"path": "out.csv"}),
                "other": ("limit", {"count": 2}),
                **more,
            },
            "read > cast", "cast > sum", "sum > save", "read > other",
        )  # fmt: skip

    def test_it_says_why_in_plain_words(self, lab):
        diagnostic = lab.run(self.flow(lab)).failed("cast").diagnostic
        assert diagnostic.code == "F601"
        assert diagnostic.severity == "error"
        assert diagnostic.where.node == "cast"
        assert diagnostic.message == (
            "'cast' failed: 'many' of column 'amount' is not a whole number. "
            "Clean the column first, or write TRY_CAST(amount AS INTEGER) in a formula, which leaves such values empty."
        )

    def test_those_that_need_it_are_skipped_and_the_others_go_on(self, lab):
        outcome = lab.run(self.flow(lab))
        assert outcome.status == "failed"
        assert outcome.skipped() == {"sum": "cast", "save": "cast"}
        assert outcome.rows() == {"read": 3, "other": 2}
        assert not (lab.folder / "out.csv").exists()

    def test_in_something_big_the_one_that_breaks_is_to_blame(self, lab, big):
        (lab.folder / "big.csv").hardlink_to(big)
        flow = lab.flow(
            {
                "read": ("read_file", {"path": "big.csv"}),
                "keep": ("filter", {"condition": "id >= 0"}),
                "cast": (
                    "formula",
                    {
                        "columns": [
                            {"name": "n", "expression": "CAST(CASE WHEN id < 100000 THEN '1' ELSE note END AS INTEGER)"}
                        ]
                    },
                ),
                "more": ("formula", {"columns": [{"name": "m", "expression": "n + 1"}]}),
                "sum": ("aggregate", {"measures": [{"name": "total", "function": "sum", "column": "m"}]}),
                "save": ("write_file", {"path": "out.csv"}),
            },
            *chain("read", "keep", "cast", "more", "sum", "save"),
        )
        outcome = lab.run(flow)
        assert outcome.status == "failed"
        assert "'note 10" in outcome.failed("cast").diagnostic.message
        assert outcome.skipped() == {"more": "cast", "sum": "cast", "save": "cast"}
        assert outcome.rows() == {"read": 120_000, "keep": 120_000}

    def test_what_breaks_at_the_end_of_what_nobody_takes_is_found(self, lab, big):
        (lab.folder / "big.csv").hardlink_to(big)
        flow = lab.flow(
            {
                "read": ("read_file", {"path": "big.csv"}),
                "cast": ("formula", {"columns": [{"name": "n", "expression": "CAST(right(note, 6) AS INTEGER)"}]}),
                "big": ("formula", {"columns": [{"name": "n", "expression": "CAST(id + 32000 AS SMALLINT)"}]}),
            },
            "read > big",
        )
        outcome = lab.run(flow)
        assert outcome.failed("big").diagnostic.code == "F601"
        assert outcome.rows()["read"] == 120_000

    @pytest.mark.parametrize("length", [3_000_000, 34_000_000])
    def test_a_line_that_is_too_long_is_told(self, lab, length):
        lab.write("t.csv", "a,b\n" + "1,2\n" * 30_000 + "x" * length + ",2\n" + "1,2\n" * 30_000)
        flow = lab.flow({"read": ("read_file", {"path": "t.csv", "types": {"a": "text"}})})
        assert "of 't.csv' is longer than 2,000,000 characters" in lab.run(flow).failed("read").diagnostic.message

    def test_a_value_that_contradicts_the_head_of_a_file_names_its_column(self, lab):
        rows = [(n, n * 2) for n in range(40_000)] + [("x", 1)]
        lab.table("t.csv", ["id", "amount"], rows)
        flow = lab.flow({"read": ("read_file", {"path": "t.csv"}), "top": ("limit", {"count": 1})}, "read > top")
        outcome = lab.run(flow)
        assert outcome.status == "failed"
        diagnostic = outcome.failed("read").diagnostic
        assert diagnostic.code == "F504"
        assert "id" in diagnostic.message
        assert "'x'" in diagnostic.message
        assert outcome.skipped() == {"top": "read"}


class TestPlansThatCannotWork:
    def test_a_fault_that_the_checks_find_fails_the_node_and_not_the_run_of_others(self, lab):
        lab.table("t.csv", ["id", "amount"], ROWS)
        flow = lab.flow(
            {
                "read": ("read_file", {"path": "t.csv"}),
                "wrong": ("filter", {"condition": "amonut > 1"}),
                "after": ("limit", {"count": 1}),
                "odd": ("filtre", {}),
                "empty": ("limit", {"count": 1}),
                "a": ("limit", {"count": 1}),
                "b": ("limit", {"count": 1}),
            },
            "read > wrong", "wrong > after", "a > b", "b > a",
        )  # fmt: skip
        outcome = lab.run(flow)
        codes = {e.node_id: e.diagnostic.code for e in outcome.events if e.event == "node.failed"}
        assert codes == {"wrong": "F401", "odd": "F201", "empty": "F104", "a": "F101"}
        assert outcome.skipped() == {"after": "wrong", "b": "a"}
        assert outcome.rows() == {"read": 3}

    def test_a_missing_file_is_said_with_its_near_names(self, lab):
        lab.table("orders.csv", ["id"], [(1,)])
        diagnostic = lab.run(lab.flow({"read": ("read_file", {"path": "order.csv"})})).failed("read").diagnostic
        assert diagnostic.code == "F501"
        assert "'orders.csv'" in diagnostic.message
        assert diagnostic.fixes[0].operations[0].values == {"path": "orders.csv"}

    def test_a_file_that_went_between_the_check_and_the_run_fails_clearly(self, lab):
        path = lab.table("orders.csv", ["id"], [(1,)])
        flow = lab.flow({"read": ("read_file", {"path": "orders.csv"})})
        events = lab.events(flow)
        path.unlink()
        (failed,) = [event for event in events if event.event == "node.failed"]
        assert failed.diagnostic.code == "F501"


class TestWriting:
    def flow(self, lab, path="out.csv", **config):
        return lab.flow(
            {
                "t": ("manual_table", {"columns": [{"name": "a", "type": "BIGINT"}], "rows": [[1]]}),
                "save": ("write_file", {"path": path, **config}),
            },
            "t > save",
        )

    def test_a_file_that_is_there_is_not_replaced_unasked(self, lab):
        lab.write("out.csv", "mine")
        outcome = lab.run(self.flow(lab))
        assert outcome.failed("save").diagnostic.code == "F511"
        assert (lab.folder / "out.csv").read_text() == "mine"
        assert lab.run(self.flow(lab, overwrite=True)).status == "succeeded"
        assert (lab.folder / "out.csv").read_text() == "a\n1\n"

    def test_an_input_of_the_run_is_never_replaced(self, lab):
        lab.table("t.csv", ["id", "amount"], ROWS)
        flow = lab.flow(
            {"read": ("read_file", {"path": "t.csv"}), "save": ("write_file", {"path": "t.csv", "overwrite": True})},
            "read > save",
        )
        before = (lab.folder / "t.csv").read_bytes()
        diagnostic = lab.run(flow).failed("save").diagnostic
        assert diagnostic.code == "F512"
        assert "is read by 'read'" in diagnostic.message
        assert (lab.folder / "t.csv").read_bytes() == before

    def test_two_nodes_do_not_write_one_file(self, lab):
        flow = lab.flow(
            {
                "t": ("manual_table", {"columns": [{"name": "a", "type": "BIGINT"}], "rows": [[1]]}),
                "save": ("write_file", {"path": "out.csv", "overwrite": True}),
                "save_2": ("write_file", {"path": "./out.csv", "overwrite": True}),
            },
            "t > save", "t > save_2",
        )  # fmt: skip
        outcome = lab.run(flow)
        assert outcome.failed("save_2").diagnostic.code == "F106"
        assert outcome.rows() == {"t": 1, "save": 1}

    def test_outside_the_folder_nothing_is_written(self, lab, tmp_path):
        outcome = lab.run(self.flow(lab, path="../out.csv"))
        assert outcome.failed("save").diagnostic.code == "F503"
        assert not (tmp_path / "out.csv").exists()

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
    def test_a_folder_that_may_not_be_written_is_named(self, lab):
        (lab.folder / "shut").mkdir(mode=0o500)
        assert lab.run(self.flow(lab, path="shut/out.csv")).failed("save").diagnostic.code in ("F503", "F604")

    def test_a_failing_write_leaves_nothing_behind(self, lab, big):
        (lab.folder / "big.csv").hardlink_to(big)
        flow = lab.flow(
            {
                "read": ("read_file", {"path": "big.csv"}),
                "cast": ("formula", {"columns": [{"name": "n", "expression": "CAST(id AS SMALLINT)"}]}),
                "save": ("write_file", {"path": "out.csv"}),
            },
            *chain("read", "cast", "save"),
        )
        outcome = lab.run(flow)
        assert outcome.failed("cast").diagnostic.code == "F601"
        assert outcome.skipped() == {"save": "cast"}
        assert [path.name for path in lab.folder.iterdir()] == ["big.csv"]


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from tests.lab import Lab, chain

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
lab = Lab(Path(sys.argv[1]), {"threads": 2})
nodes = {"read": ("read_file", {"path": "big.csv"}), "save": ("write_file", {"path": sys.argv[2]})}
outcome = lab.run(lab.flow(nodes, *chain(*nodes)))
print(outcome.status, outcome.failed("save").diagnostic.code, outcome.rows())
"""


class TestFullDisk:
    @pytest.mark.skipif(os.name != "posix", reason="the limit on file sizes is POSIX's")
    @pytest.mark.timeout(20)
    @pytest.mark.slow
    @pytest.mark.parametrize("name", ["out.csv", "out.parquet", "out.jsonl", "out.xlsx"])
    def test_it_is_said_and_nothing_half_written_is_kept(self, lab, big, name):
        (lab.folder / "big.csv").hardlink_to(big)
        call = [sys.executable, "-c", FULL_DISK, str(lab.folder), name]
        told = subprocess.run(call, capture_output=True, text=True, timeout=20, check=False)
        assert told.stdout.strip() == "failed F603 {'read': 120000}", told.stderr[-2000:]
        assert [path.name for path in lab.folder.iterdir()] == ["big.csv"]


class TestLimits:
    def test_too_little_memory_is_said_with_the_limit(self, lab, big):
        (lab.folder / "big.csv").hardlink_to(big)
        wide = {"columns": [{"name": "note", "expression": "repeat(note, 80)"}]}
        nodes = {
            "read": ("read_file", {"path": "big.csv"}),
            "wide": ("formula", wide),
            "sort": ("sort", {"by": [{"column": "note"}]}),
        }
        outcome = lab.run(lab.flow(nodes, *chain(*nodes)), memory_limit="60MB", temp_limit="1MB")
        diagnostic = outcome.failed("sort").diagnostic
        assert diagnostic.code == "F602"
        assert "raise the limit" in diagnostic.message

    def test_with_room_on_disk_little_memory_is_enough(self, lab, big):
        (lab.folder / "big.csv").hardlink_to(big)
        flow = lab.flow(
            {"read": ("read_file", {"path": "big.csv"}), "sort": ("sort", {"by": [{"column": "note"}]})}, "read > sort"
        )
        outcome = lab.run(flow, memory_limit="120MB")
        assert outcome.status == "succeeded"
        assert outcome.rows() == {"read": 120_000, "sort": 120_000}

    def test_the_private_folder_is_gone_afterwards(self, lab, big):
        (lab.folder / "big.csv").hardlink_to(big)
        lab.run(lab.flow({"read": ("read_file", {"path": "big.csv"})}))
        assert list(lab.settings["temp_root"].iterdir()) == []

    def test_without_a_place_for_temporary_files_the_run_fails_clearly(self, lab):
        lab.table("t.csv", ["id", "amount"], ROWS)
        flow = lab.flow({"read": ("read_file", {"path": "t.csv"}), "top": ("limit", {"count": 1})}, "read > top")
        outcome = lab.run(flow, temp_root=lab.folder / "gone")
        assert outcome.status == "failed"
        assert outcome.failed("read").diagnostic.severity == "error"
        assert not any(isinstance(event, NodeFinished) for event in outcome.events)


class TestWords:
    @pytest.mark.parametrize(
        ("error", "code", "says"),
        [
            (OSError(errno.ENOSPC, "No space left on device"), "F603", "disk is full"),
            (duckdb.IOException("IO Error: Could not write file: No space left on device"), "F603", "disk is full"),
            (duckdb.OutOfMemoryException("Out of Memory Error: failed to allocate"), "F602", "more memory"),
            (MemoryError(), "F602", "more memory"),
            (PermissionError(errno.EACCES, "Permission denied", "x"), "F604", "Permission denied"),
            (duckdb.IOException('IO Error: Cannot open file "x": Permission denied'), "F604", "Permission denied"),
            (duckdb.IOException('IO Error: No files found that match the pattern "x.csv"'), "F501", "has gone"),
            (duckdb.IOException("IO Error: Invalid data"), "F504", "Invalid data"),
            (duckdb.ConversionException("Conversion Error: Could not convert string 'a' to INT32\n\nLINE 1: x"), "F601", "not a whole number"),
            (duckdb.OutOfRangeException("Out of Range Error: cannot take logarithm of zero"), "F601", "cannot take logarithm of zero"),
            (RuntimeError("secret detail"), "F605", "err_"),
            (duckdb.InternalException("INTERNAL Error: x"), "F605", "err_"),
        ],
    )  # fmt: skip
    def test_each_kind_of_error_has_its_code_and_three_beats(self, error, code, says):
        diagnostic = failure(a_task(), error)
        assert diagnostic.code == code
        assert says in diagnostic.message
        assert "'clean'" in diagnostic.message
        assert "secret detail" not in diagnostic.message
        assert "LINE 1" not in diagnostic.message
        assert diagnostic.message.count(". ") >= 1
        assert diagnostic.message.endswith(".")

    def test_a_csv_error_names_the_line_the_column_and_the_value(self):
        error = duckdb.ConversionException(
            "Conversion Error: CSV Error on Line: 50002\nOriginal Line: x,3\n"
            'Error when converting column "a". Could not convert string "x" to \'BIGINT\'\n\nColumn a is being converted'
        )
        diagnostic = failure(a_task("read"), error)
        assert diagnostic.code == "F504"
        assert diagnostic.message.startswith("'read' cannot read line 50,002: 'x' in column 'a' is not a whole number.")

    def test_a_ragged_line_says_how_many_values_it_has(self):
        error = duckdb.InvalidInputException(
            "Invalid Input Error: CSV Error on Line: 7\nOriginal Line: 1,3,4\nExpected Number of Columns: 2 Found: 3\nPossible fixes:\n"
        )
        assert "it has 3 values where the other lines have 2 (1,3,4)" in failure(a_task("read"), error).message

    @pytest.mark.parametrize(
        ("type_name", "config", "says"),
        [
            ("aggregate", {"measures": [{"function": "sum", "column": "big n"}]}, "is too large for a whole number of 64 bits."),
            ("formula", {"columns": [{"name": "x", "expression": '"big n" * 2'}]}, f"{2**63 - 1} * 2 is too large"),
            ("formula", {"columns": [{"name": "x", "expression": 'CAST("big n" AS INTEGER)'}]}, "whole number of 32 bits."),
            ("select", {"cast": {"a word": "number"}}, '\'x\' of column \'a word\' is not a number. Clean the column first, or write TRY_CAST("a word" AS DOUBLE)'),
        ],
    )  # fmt: skip
    def test_what_real_data_breaks_on_is_said_in_plain_words(self, lab, type_name, config, says):
        lab.table("t.csv", ["big n", "a word"], [(2**63 - 1, "x"), (2**63 - 1, "y")])
        flow = lab.flow({"read": ("read_file", {"path": "t.csv"}), "n": (type_name, config)}, "read > n")
        assert says in lab.run(flow).failed("n").diagnostic.message

    def test_an_interrupt_is_no_failure(self):
        with pytest.raises(Cancelled):
            failure(a_task(), duckdb.InterruptException("INTERRUPT Error: Interrupted!"))

    def test_a_full_disk_is_told_from_other_errors(self):
        assert disk_is_full(OSError(errno.EDQUOT, "quota"))
        assert not disk_is_full(OSError(errno.EACCES, "no"))
