"""Conditions and formulas: what is understood, what is refused, and that what is run is what was written."""

from __future__ import annotations

import contextlib
import time

import duckdb
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from headrace.nodes import expressions, functions
from headrace.nodes.expressions import columns_in, loose_aggregates, parse, sql
from headrace.nodes.spec import NodeFault
from tests.nodes.expression_corpus import AGGREGATES, REFUSED, ROW_BY_ROW, TABLE, WINDOWS

DEPENDS_ON_NOW = ("now()", "today()", "current_")


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    """Return a DuckDB with the table of the corpus."""
    made = duckdb.connect(":memory:")
    made.execute("SET TimeZone = 'UTC'")
    made.execute(f"CREATE TABLE t AS {TABLE}")
    return made


def fault(text: str) -> tuple[str, str]:
    """Return the code and message of the first fault of a text."""
    with pytest.raises(NodeFault) as caught:
        parse(text)
    return caught.value.faults[0].code, caught.value.faults[0].message


def codes(text: str) -> set[str]:
    """Return the codes of the faults of a text; none where it can be read."""
    try:
        parse(text)
    except NodeFault as found:
        return {each.code for each in found.faults}
    return set()


def _rounded(row: tuple[object, ...]) -> str:
    """A row as text, in which the last digits of a float do not count."""
    return repr([float(f"{value:.12g}") if isinstance(value, float) else value for value in row])


class TestReading:
    @pytest.mark.parametrize("text", [*ROW_BY_ROW, *AGGREGATES, *WINDOWS])
    def test_what_is_run_gives_what_was_written(self, connection: duckdb.DuckDBPyConnection, text: str) -> None:
        understood = sql(parse(text))
        written = text.split(" -- ")[0]
        got, expected = (connection.sql(f"SELECT {each} FROM t") for each in (understood, written))
        assert got.types == expected.types
        assert sorted(map(_rounded, got.fetchall())) == sorted(map(_rounded, expected.fetchall()))

    def test_every_allowed_function_is_in_the_corpus(self) -> None:
        corpus = " ".join([*ROW_BY_ROW, *AGGREGATES, *WINDOWS]).lower()
        missing = [name for name in functions.ALLOWED if f"{name}(" not in corpus and name not in corpus.split()]
        assert missing == []

    def test_reading_twice_gives_trees_that_do_not_share(self) -> None:
        first, second = parse("a + 1"), parse("a + 1")
        first.find(expressions.exp.Column).this.set("this", "b")
        assert sql(second) == '"a" + 1'

    def test_names_that_are_words_of_sql_are_columns(self) -> None:
        for word in [
            "date",
            "year",
            "month",
            "count",
            "rank",
            "left",
            "right",
            "order",
            "group",
            "first",
            "index",
            "type",
            "user",
            "time",
            "offset",
            "limit",
            "filter",
            "default",
            "end",
        ]:
            assert columns_in(parse(f"{word} = 1")) == (word,)

    def test_columns_are_told_once_each_in_order(self) -> None:
        assert columns_in(parse('b + a + b + "First Name" + s.x')) == ("b", "a", "First Name", "s")

    def test_aggregates_outside_over_are_told(self) -> None:
        assert loose_aggregates(parse("sum(x) / sum(x) over ()")) == ["sum"]
        assert loose_aggregates(parse("max(x) filter (where flag) over ()")) == []
        assert loose_aggregates(parse("product(i) + list(i)[1]")) == ["product", "array_agg"]

    def test_what_depends_on_the_time_is_told(self) -> None:
        assert expressions.is_volatile(parse("now() > ts"))
        assert expressions.is_volatile(parse("today() > day"))
        assert not expressions.is_volatile(parse("year(day) = 2024"))


class TestRefusing:
    @pytest.mark.parametrize("text", REFUSED)
    def test_nothing_but_a_calculation_is_let_through(self, text: str) -> None:
        code, message = fault(text)
        assert code in ("F403", "F404")
        assert message.endswith(".")
        assert "Traceback" not in message

    def test_an_unknown_function_names_near_ones(self) -> None:
        code, message = fault("rouund(x, 2)")
        assert code == "F404"
        assert "round" in message

    def test_a_function_used_twice_is_one_fault(self) -> None:
        with pytest.raises(NodeFault) as caught:
            parse("rouund(x, 2) + rouund(y, 2)")
        assert len(caught.value.faults) == 1

    @pytest.mark.parametrize(
        ("used", "meant"), [("nvl(a, 1)", "coalesce"), ("to_date(a)", "strptime"), ("average(a)", "avg")]
    )
    def test_functions_of_other_tools_lead_to_ours(self, used: str, meant: str) -> None:
        assert meant in fault(used)[1]

    def test_the_place_of_a_fault_is_named(self) -> None:
        assert "`bar` at character 5" in fault("foo bar")[1]
        assert "`bar` at character 12" in fault("a > 1 and\nb bar")[1].replace("character 13", "character 12")
        assert "at character 1 " in fault("rouund(x)")[1]

    def test_a_quote_that_does_not_end_is_named(self) -> None:
        assert "begins at character 8" in fault("name = 'bob")[1]

    @pytest.mark.parametrize(
        ("text", "hint"),
        [
            ("`a` = 1", '"First Name"'),
            ("[First Name] = 1", '"First Name"'),
            ("a = None", "IS NULL"),
            ("SELECT a FROM t", "without SELECT"),
            ("a > {{limit}}", "write the value"),
            ("if = 1", 'written "if"'),
            ("", "empty"),
            ("a > 1 AND", "missing after"),
        ],
    )
    def test_usual_mistakes_get_their_own_advice(self, text: str, hint: str) -> None:
        assert hint.lower() in fault(text)[1].lower()

    def test_all_refused_functions_are_listed_at_once(self) -> None:
        with pytest.raises(NodeFault) as caught:
            parse("foo(a) + bar(b)")
        assert len(caught.value.faults) == 2

    def test_what_is_too_long_is_refused(self) -> None:
        assert "4,000" in fault("a" * 4_001)[1]

    @pytest.mark.parametrize(
        ("head", "tail"),
        [
            ("(", ")"),
            ("abs(", ")"),
            ("case when a then ", " end"),
            ("not ", ""),
            ("- ", ""),
            ("a + ", ""),
            ("a in (", ")"),
            ("[", "]"),
            ("a between a and ", ""),
            ("a is ", ""),
            ("a ** ", ""),
            ("a -> ", ""),
            ("{'a':", "}"),
            ("interval ", ""),
            ("a like ", ""),
            ("cast(", " as int)"),
            ("a at time zone ", ""),
            ("a over (", ")"),
        ],
    )
    def test_depth_neither_overflows_nor_hangs(self, head: str, tail: str) -> None:
        for times in (35, 300, 2_000):
            text = (head * times + "a" + tail * times)[:4_000]
            started = time.process_time()
            with contextlib.suppress(NodeFault):
                parse(text)
            assert time.process_time() - started < 1.5

    def test_long_chains_that_people_write_are_fine(self) -> None:
        parse(" or ".join(f"a = {n}" for n in range(300)))
        parse(" + ".join(["a"] * 400))

    @given(st.text(max_size=60))
    def test_any_text_is_read_or_refused(self, text: str) -> None:
        assert codes(text) <= {"F403", "F404"}

    @given(
        st.lists(
            st.sampled_from(
                [*"()[]{},.;'\"=<>+-*/%:", "a", "1", "sum", "case", "when", "end", "over", "select", "from", " "]
            ),
            max_size=30,
        )
    )
    @example(["{", ":", "}"])
    def test_any_pieces_are_read_or_refused(self, pieces: list[str]) -> None:
        assert codes(" ".join(pieces)) <= {"F403", "F404"}
