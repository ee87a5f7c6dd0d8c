"""The run's DuckDB is shut in."""

from __future__ import annotations

import duckdb
import pytest

from headrace.engine.cancel import Cancelled, CancelToken
from headrace.engine.counts import flowed
from headrace.engine.database import literal, opened
from headrace.engine.results import RunSettings


@pytest.fixture
def settings(lab):
    return RunSettings(run_id="run_1", context=lab.context, files=lab.files, temp_root=lab.settings["temp_root"])


class TestShutIn:
    def test_it_reads_what_the_plan_names_and_nothing_else(self, lab, settings):
        named, other = lab.write("a.csv", "x\n1\n"), lab.write("b.csv", "x\n2\n")
        with opened(settings, CancelToken(), reads=[named], folders=[]) as database:
            assert database.execute(f"SELECT * FROM read_csv('{named}')") == [(1,)]
            for sql in (
                f"SELECT * FROM read_csv('{other}')",
                "SELECT * FROM read_text('/etc/hostname')",
                f"SELECT * FROM glob('{lab.folder}/*')",
                f"COPY (SELECT 1) TO '{lab.folder}/c.csv'",
                f"ATTACH '{lab.folder}/d.db'",
                "INSTALL httpfs",
                "LOAD httpfs",
                "SELECT * FROM 'https://example.com/x.csv'",
            ):
                with pytest.raises(duckdb.Error):
                    database.execute(sql)
        assert sorted(path.name for path in lab.folder.iterdir()) == ["a.csv", "b.csv"]

    def test_its_configuration_is_locked(self, settings):
        with opened(settings, CancelToken(), reads=[], folders=[]) as database:
            for sql in ("SET enable_external_access = true", "SET threads = 8", "SET lock_configuration = false"):
                with pytest.raises(duckdb.Error, match=r"lock|cannot"):
                    database.execute(sql)

    def test_python_variables_are_no_tables(self, settings):
        secret = [1]  # noqa: F841 - DuckDB looks names up among the caller's variables, unless told not to.
        with opened(settings, CancelToken(), reads=[], folders=[]) as database, pytest.raises(duckdb.CatalogException):
            database.execute("SELECT * FROM secret")

    def test_it_writes_in_the_folders_that_it_was_given(self, lab, settings):
        with opened(settings, CancelToken(), reads=[], folders=[lab.folder]) as database:
            database.execute(f"COPY (SELECT 1 AS a) TO '{lab.folder}/c.csv'")
        assert (lab.folder / "c.csv").read_text() == "a\n1\n"


class TestStreams:
    def test_other_statements_may_run_while_rows_are_taken(self, settings):
        with opened(settings, CancelToken(), reads=[], folders=[]) as database:
            database.create("TABLE", "t", "SELECT range AS a FROM range(10000)")
            rows = database.stream("SELECT a FROM t")
            assert next(rows) == (0,)
            assert database.execute("SELECT count(*) FROM t") == [(10_000,)]
            assert sum(1 for _ in rows) == 9_999

    def test_they_stop_when_the_run_is_cancelled(self, settings):
        token = CancelToken()
        with opened(settings, token, reads=[], folders=[]) as database:
            rows = database.stream("SELECT a.range FROM range(100000) a, range(1000) b")
            next(rows)
            token.cancel()
            with pytest.raises((Cancelled, duckdb.InterruptException)):
                list(rows)


class TestLiterals:
    @pytest.mark.parametrize("value", [True, False, 0, -5, 1.5, "it's", ["a", "b"], {"k'": ["v"]}])
    def test_they_mean_the_python_value(self, value):
        assert duckdb.sql(f"SELECT {literal(value)}").fetchall() == [(value,)]


class TestCounts:
    def profile(self, settings, sql: str):
        with opened(settings, CancelToken(), reads=[settings.files.roots[0] / "t.csv"], folders=[]) as database:
            database.execute(sql)
            return database.profile()

    @pytest.fixture
    def csv(self, lab):
        path = lab.table("t.csv", ["a", "b"], [(n, n % 3) for n in range(1000)])
        return f"read_csv('{path}', columns={{'a': 'BIGINT', 'b': 'BIGINT'}}, header=true, auto_detect=false)"

    def test_rows_read_and_rows_left_are_told_apart(self, settings, csv):
        found = flowed(
            self.profile(settings, f"CREATE TABLE x AS SELECT b, sum(a) FROM {csv} WHERE a >= 100 GROUP BY b")
        )
        assert (found.read, found.left) == (1000, 900)
        assert 0 <= found.share <= 1

    def test_a_condition_that_is_never_true_is_not_guessed_at(self, settings, csv):
        assert flowed(self.profile(settings, f"CREATE TABLE x AS SELECT b FROM {csv} WHERE false")) is None

    def test_two_sources_are_not_guessed_at(self, settings, csv):
        sql = f"CREATE TABLE x AS SELECT count(*) FROM {csv} t JOIN {csv} u USING (a)"
        assert flowed(self.profile(settings, sql)) is None
