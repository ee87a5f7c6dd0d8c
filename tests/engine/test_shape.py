"""What a SELECT does to the rows of its input."""

from __future__ import annotations

import pytest
from sqlglot import parse_one

from headrace.engine.shape import shape_of, takes_part, uses


def shape(sql: str):
    return shape_of(parse_one(sql, dialect="duckdb"))


class TestShape:
    @pytest.mark.parametrize(
        ("sql", "row_by_row", "keeps_all"),
        [
            ('SELECT * FROM "t"', True, True),
            ("SELECT a, upper(b) AS b FROM t", True, True),
            ("SELECT * EXCLUDE (a) FROM t", True, True),
            ("SELECT * REPLACE (a + 1 AS a) FROM t", True, True),
            ("SELECT list_sum(a) AS s, CASE WHEN b THEN 1 END AS c FROM t", True, True),
            ("SELECT * FROM t WHERE a > 1", True, False),
            ("SELECT * FROM read_csv('x')", True, True),
            ("SELECT sum(a) FROM t", False, False),
            ("SELECT string_agg(a, ',') FROM t", False, False),
            ("SELECT regr_slope(a, b) FROM t", False, False),
            ("SELECT a, sum(b) OVER () AS s FROM t", False, False),
            ("SELECT row_number() OVER () FROM t", False, False),
            ("SELECT a FROM t WHERE row_number() OVER () = 1", False, False),
            ("SELECT unnest(a) FROM t", False, False),
            ("SELECT DISTINCT a FROM t", False, False),
            ("SELECT a FROM t GROUP BY a", False, False),
            ("SELECT * FROM t ORDER BY a", False, False),
            ("SELECT * FROM t LIMIT 1", False, False),
            ("SELECT * FROM t QUALIFY row_number() OVER () = 1", False, False),
            ("SELECT * FROM t JOIN u USING (a)", False, False),
            ("SELECT * FROM t, u", False, False),
            ("SELECT * FROM (SELECT * FROM t)", False, False),
            ("SELECT (SELECT max(a) FROM t) FROM t", False, False),
            ("SELECT * FROM t UNION ALL SELECT * FROM u", False, False),
            ("WITH x AS (SELECT 1) SELECT * FROM x", False, False),
            ("SELECT * FROM t USING SAMPLE 10", False, False),
        ],
    )
    def test_only_what_looks_at_one_row_at_a_time_flows(self, sql, row_by_row, keeps_all):
        found = shape(sql)
        assert (found.row_by_row, found.keeps_all) == (row_by_row, keeps_all)

    def test_a_plain_limit_says_how_many_rows_it_must_see(self):
        assert (shape("SELECT * FROM t LIMIT 5 OFFSET 3").limit, shape("SELECT * FROM t LIMIT 5").only_limits) == (
            8,
            True,
        )
        assert not shape("SELECT a FROM t LIMIT 5").only_limits
        assert not shape("SELECT * FROM t WHERE a LIMIT 5").only_limits
        assert not shape("SELECT * FROM t ORDER BY a LIMIT 5").only_limits
        assert shape("SELECT * FROM t LIMIT 5 + 1").limit is None

    def test_a_sort_is_known(self):
        assert shape("SELECT * FROM t ORDER BY a, row_number() OVER ()").sorts
        assert not shape("SELECT * FROM t WHERE a ORDER BY a").sorts
        assert not shape("SELECT * FROM t ORDER BY a LIMIT 1").sorts

    def test_how_often_and_how_much_of_a_relation_is_read(self):
        twice = parse_one('SELECT * FROM "t" AS a JOIN "t" AS b USING (x)', dialect="duckdb")
        assert uses(twice, "t") == 2
        assert takes_part(twice)
        assert not takes_part(parse_one("SELECT a, sum(b) FROM t GROUP BY a", dialect="duckdb"))
