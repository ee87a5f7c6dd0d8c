"""What DuckDB says of a query on empty tables, in words for the person who wrote the config."""

from __future__ import annotations

import threading

import pytest
import sqlglot
from sqlglot import exp

from headrace.nodes.binder import Binder
from headrace.nodes.spec import Fault, NodeFault, Relation, Table
from tests.nodes.workbench import binder, table

ORDERS = Relation(
    "orders",
    table(
        id="BIGINT",
        amount="DOUBLE",
        day="DATE",
        at="TIMESTAMP",
        name="VARCHAR",
        paid="BOOLEAN",
        tags="VARCHAR[]",
        who="STRUCT(age INTEGER, city VARCHAR)",
        price="DECIMAL(8,2)",
        kind="ENUM('a', 'b')",
        key="UUID",
    ),
)


def query(text: str) -> exp.Expr:
    """Return a query as a tree."""
    return sqlglot.parse_one(text, dialect="duckdb")


def fault(text: str) -> Fault:
    """Return the one fault of a query over the orders."""
    with pytest.raises(NodeFault) as caught:
        binder().describe(query(text), [ORDERS])
    (found,) = caught.value.faults
    assert found.message.endswith(".")
    assert "Binder Error" not in found.message
    assert "Candidate" not in found.message
    return found


class TestDescribing:
    def test_types_are_duckdbs_own(self) -> None:
        found = binder().describe(query("SELECT *, price * 2 AS double, tags[1] AS tag FROM orders"), [ORDERS])
        assert found.columns[: len(ORDERS.table.columns)] == ORDERS.table.columns
        assert [column.type for column in found.columns[-2:]] == ["DECIMAL(18,2)", "VARCHAR"]

    def test_odd_names_are_names(self) -> None:
        odd = Relation('a "b" c', table(**{'x "y"': "BIGINT", "select": "VARCHAR", "ü ñ": "DATE"}))
        found = binder().describe(exp.select("*").from_(odd.as_table()), [odd])
        assert found == odd.table

    def test_several_relations_are_seen(self) -> None:
        other = Relation("other", table(id="BIGINT", x="DATE"))
        found = binder().describe(query("SELECT o.amount, x FROM orders o JOIN other USING (id)"), [ORDERS, other])
        assert found.names() == ("amount", "x")

    def test_a_table_without_columns_is_no_reason_to_fail(self) -> None:
        binder().describe(query("SELECT 1 AS one FROM nothing"), [Relation("nothing", Table(columns=()))])

    def test_many_schemas_are_bounded(self) -> None:
        made = Binder()
        for number in range(700):
            relation = Relation("t", table(**{f"c{number}": "BIGINT"}))
            assert made.describe(query("SELECT * FROM t"), [relation]).names() == (f"c{number}",)
        made.close()

    def test_many_threads_may_ask_at_once(self) -> None:
        made, wrong = Binder(), []

        def ask(number: int) -> None:
            for turn in range(30):
                relation = Relation("t", table(**{f"c{number}_{turn % 7}": "BIGINT"}))
                if made.describe(query("SELECT *, 1 AS x FROM t"), [relation]).names() != (
                    f"c{number}_{turn % 7}",
                    "x",
                ):
                    wrong.append((number, turn))

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []


class TestFaults:
    def test_an_unknown_column_names_near_ones(self) -> None:
        found = fault("SELECT amuont FROM orders")
        assert found.code == "F401"
        assert "'amount'" in found.message

    @pytest.mark.parametrize(
        ("text", "code", "words"),
        [
            ("sum(name)", "F402", ["sum()", "name is text (VARCHAR)", "numbers", "CAST(name AS DOUBLE)"]),
            ("name + 1", "F402", ["'+'", "text (VARCHAR)"]),
            ("upper(id)", "F402", ["upper()", "a whole number (BIGINT)", "takes text"]),
            ("name > 5", "F405", ["name is text", "a number", "CAST(name AS DOUBLE)"]),
            ("day > 2020", "F402", ["day is a date", "year(day)"]),
            ("date_trunc('month', name)", "F402", ["date_trunc()", "dates"]),
            ("CASE WHEN paid THEN name ELSE id END", "F402", ["mixes", "name is text"]),
            ("who.phone", "F401", ["'phone'", "age"]),
            ("lag(id)", "F402", ["OVER (ORDER BY"]),
            ("sum(sum(id))", "F402", ["inside an aggregate"]),
        ],
    )
    def test_wrong_kinds_say_what_each_is(self, text: str, code: str, words: list[str]) -> None:
        found = fault(f"SELECT {text} FROM orders")
        assert found.code == code
        for word in words:
            assert word in found.message

    def test_a_column_that_is_neither_grouped_nor_measured_is_told(self) -> None:
        assert "group by" in fault("SELECT name, sum(id) FROM orders").message

    @pytest.mark.parametrize(
        "text",
        [
            "day > 'yesterday'",
            "day = '2024-13-01'",
            "day BETWEEN '2024-01-01' AND 'x'",
            "at < 'noon'",
            "id = 'x'",
            "id IN ('1', 'b')",
            "price <> 'a lot'",
            "paid = 'maybe'",
            "year(day) = '20x'",
            "'x' = amount",
            "CAST('x' AS INTEGER) = id",
            "tags = 'a'",
            "key = 'not a key'",
            "amount = name",
            "lower(name) > id",
            "name IN (id, 3)",
            "day = name",
            "CASE WHEN day > 'soon' THEN 1 END = 1",
            "CASE id WHEN 'x' THEN paid END",
            "nullif(amount, 'n/a') = 1",
            "nullif(day, '') > current_date",
            "coalesce(amount, 'none') > 1",
            "CASE WHEN paid THEN amount ELSE '' END > 1",
            "if(paid, day, 'never') = day",
            "greatest(id, 'x') = 1",
            "least(day, 'x') = day",
            "id + 'x' = 2",
            "paid QUALIFY lag(id, 1, 'x') OVER () = 1",
            "tags[1] = 5",
            "1 = 'x'",
        ],
    )
    def test_text_that_is_no_such_value_is_found_before_it_runs(self, text: str) -> None:
        assert fault(f"SELECT * FROM orders WHERE {text}").code == "F405"

    @pytest.mark.parametrize(
        "text", ["day = 5", "at = 2024", "day IN (1, 2)", "day <> 1.5", "CASE day WHEN 1 THEN paid END"]
    )
    def test_a_number_beside_a_date_is_found_before_it_runs(self, text: str) -> None:
        found = fault(f"SELECT * FROM orders WHERE {text}")
        assert found.code == "F402"
        assert "in quotes: '2024-03-31" in found.message

    @pytest.mark.parametrize("text", ["NOT name", "name AND paid", "paid OR kind"])
    def test_text_is_not_true_or_false(self, text: str) -> None:
        found = fault(f"SELECT * FROM orders WHERE {text}")
        assert found.code == "F402"
        assert "true or false is expected" in found.message

    @pytest.mark.parametrize(
        ("text", "way"),
        [
            (
                "id LIKE '1%'",
                "LIKE cannot be used with a whole number (BIGINT) and text (id is a whole number (BIGINT)).",
            ),
            ("id LIKE '1%'", "Convert it first: CAST(id AS VARCHAR)."),
            ("date_trunc('week', name)", "CAST(name AS DATE) or strptime(name, '%d.%m.%Y')"),
            ("date_diff('day', name, day)", "Convert the text first: CAST(name AS DATE)"),
            ("to_days(amount)", "It takes whole numbers. Convert it first: CAST(amount AS BIGINT)."),
            ("day + amount", "CAST(amount AS INTEGER)"),
            ("name + name", "To put texts together write ||."),
            ("date_part('fortnight', day)", "no part 'fortnight'"),
            ("regexp_matches(name, '[')", "a ] is missing"),
        ],
    )
    def test_the_way_out_is_a_conversion_that_helps(self, text: str, way: str) -> None:
        assert way in fault(f"SELECT {text} AS value FROM orders").message

    def test_a_fault_of_whatever_kind_leaves_the_binder_as_it_was(self) -> None:
        made = Binder()
        wrong = ["day = 'x'", "CAST('x' AS INTEGER) = id", "date_trunc('nope', day) = day", "regexp_matches(name, '[')"]
        for text in wrong:
            with pytest.raises(NodeFault) as caught:
                made.describe(query(f"SELECT * FROM orders WHERE {text}"), [ORDERS])
            assert "transaction" not in str(caught.value)
            assert made.describe(query(f"SELECT *, '{len(text)}' AS x FROM orders"), [ORDERS]).names()[-1] == "x"
        made.close()

    @pytest.mark.parametrize(
        "text",
        [
            "day > '2024-03-31'",
            "day BETWEEN '2024-01-01' AND '2024-02-01'",
            "at >= '2024-01-01'",
            "id = '12'",
            "price < '12.50'",
            "paid = 'true'",
            "name = '5'",
            "name IN ('a', 'b')",
            "kind = 'zzz'",
            "name = kind",
            "name IS NULL OR NULL",
            "TRY_CAST(name AS INTEGER) = id",
            "TRY_CAST('x' AS INTEGER) = id",
            "key = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'",
            "NOT name = 'x' AND day = current_date",
            "day = at",
            "amount = id",
            "paid = 1",
            "NOT paid AND id",
            "nullif(name, '') = 'x'",
            "coalesce(name, 'none') = 'x'",
            "coalesce(kind, 'a') = 'a'",
            "coalesce(amount, '0') > 1",
            "CASE WHEN paid THEN 'yes' ELSE 'no' END = 'yes'",
            "CASE id WHEN 1 THEN 'one' WHEN 2.5 THEN 'other' END = 'one'",
            "day + 1 > current_date",
            "paid QUALIFY lag(name, 1, '') OVER () = ''",
        ],
    )
    def test_there_are_no_false_alarms(self, text: str) -> None:
        binder().describe(query(f"SELECT * FROM orders WHERE {text}"), [ORDERS])


class TestShutIn:
    @pytest.mark.parametrize(
        "text",
        [
            "SELECT * FROM read_csv('/etc/passwd')",
            "SELECT * FROM read_text('/etc/passwd')",
            "SELECT * FROM '/etc/passwd'",
            "SELECT * FROM glob('/etc/*')",
            "SELECT getenv('HOME')",
            "SELECT * FROM ORDERS_PY",
        ],
    )
    def test_nothing_outside_can_be_reached(self, text: str) -> None:
        ORDERS_PY = [1]  # noqa: F841, N806 (DuckDB would find it by its name)
        with pytest.raises(NodeFault):
            binder().describe(query(text), [])

    def test_its_settings_cannot_be_changed(self) -> None:
        for text in ("SET enable_external_access = true", "SET lock_configuration = false"):
            with pytest.raises(NodeFault):
                binder().describe(query(text), [])

    def test_nothing_large_is_made_by_asking(self) -> None:
        found = binder().describe(query("SELECT repeat('x', 10000000000) AS big"), [])
        assert found.columns[0].type == "VARCHAR"
