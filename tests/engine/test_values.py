"""Cells that are safe to show: bounded, plain JSON."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal

import duckdb
import pytest

from headrace.engine.values import LONGEST, json_value, preview_columns, preview_rows, quoted
from headrace.nodes.spec import Column, Table


def previewed(expression: str):
    """Return what a preview shows of an expression's value."""
    with duckdb.connect() as connection:
        relation = connection.sql(f'SELECT {expression} AS "the ""value"""')
        table = Table(columns=(Column(name=relation.columns[0], type=str(relation.types[0])),))
        rows = relation.query("r", f"SELECT {preview_columns(table)} FROM r").fetchall()
    ((value,),) = preview_rows(rows)
    json.dumps(value, allow_nan=False)
    return value


class TestPreviews:
    @pytest.mark.parametrize(
        ("expression", "shown"),
        [
            ("NULL", None),
            ("true", True),
            ("42", 42),
            ("9007199254740993", "9007199254740993"),
            ("170141183460469231731687303715884105727::HUGEINT", "170141183460469231731687303715884105727"),
            ("sum(3::BIGINT)", 3),
            ("18446744073709551615::UBIGINT", "18446744073709551615"),
            ("1.5::DOUBLE", 1.5),
            ("'nan'::DOUBLE", "NaN"),
            ("'-inf'::DOUBLE", "-Infinity"),
            ("'inf'::FLOAT", "Infinity"),
            ("12.30::DECIMAL(9,2)", "12.30"),
            ("DATE '2026-01-31'", "2026-01-31"),
            ("DATE 'infinity'", "infinity"),
            ("TIMESTAMP '2026-01-31 10:20:30.5'", "2026-01-31 10:20:30.5"),
            ("TIMESTAMP '294247-01-01'", "294247-01-01 00:00:00"),
            ("TIME '10:20:30'", "10:20:30"),
            ("INTERVAL 3 DAY", "3 days"),
            ("'plain'", "plain"),
            ("'a\\x00b'::BLOB", "<3 bytes>"),
            ("repeat('x', 1000000)::BLOB", "<1,000,000 bytes>"),
            ("[1, 2, NULL]", "[1, 2, NULL]"),
            ("{'a': 1, 'b': 'x'}", "{'a': 1, 'b': x}"),
            ("MAP {'k': 1}", "{k=1}"),
            ("uuid '6b9ac3a4-3b1c-4b3f-8f63-000000000000'", "6b9ac3a4-3b1c-4b3f-8f63-000000000000"),
            ("'101'::BIT", "101"),
        ],
    )
    def test_every_type_is_shown_as_json(self, expression, shown):
        assert previewed(expression) == shown

    def test_a_moment_with_a_zone_needs_no_zone_library(self):
        assert previewed("TIMESTAMPTZ '2026-01-31 10:20:30+00'").startswith("2026-01-31")

    def test_long_text_is_cut_with_a_mark(self):
        assert previewed("repeat('ä', 1000)") == "ä" * (LONGEST - 1) + "…"
        assert previewed(f"repeat('ä', {LONGEST})") == "ä" * LONGEST

    def test_a_huge_text_or_list_never_reaches_python_whole(self):
        assert len(previewed("repeat('x', 50000000)")) == LONGEST
        assert len(previewed("range(1000000)")) == LONGEST


class TestJson:
    @pytest.mark.parametrize(
        ("cell", "shown"),
        [
            (Decimal("1.10"), "1.10"),
            (date(2026, 1, 31), "2026-01-31"),
            (b"abc", "<3 bytes>"),
            ({"a": float("nan")}, {"a": "NaN"}),
            ((1, [2**60]), [1, [str(2**60)]]),
            ({1: None}, {"1": None}),
        ],
    )
    def test_what_json_lacks_becomes_text(self, cell, shown):
        assert json_value(cell) == shown

    def test_long_lists_are_cut(self):
        assert len(json_value(list(range(1000)))) == LONGEST

    def test_a_name_is_quoted_whatever_it_holds(self):
        assert quoted('a"b') == '"a""b"'
