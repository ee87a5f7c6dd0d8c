"""For random tables and configs: the columns told without running are the columns that running gives.

A config may be refused; it may never be accepted and then fail, nor give other columns than were told.
"""

from __future__ import annotations

from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headrace.nodes.spec import NodeFault
from tests.nodes.expression_corpus import AGGREGATES, ROW_BY_ROW, TABLE, WINDOWS
from tests.nodes.workbench import Workbench

BENCH = Workbench()
TYPES = {
    "TINYINT": "(i % 100)::TINYINT",
    "INTEGER": "(i * 7 % 5)::INTEGER",
    "BIGINT": "i::BIGINT",
    "HUGEINT": "i::HUGEINT",
    "DOUBLE": "i / 3",
    "FLOAT": "(i / 3)::FLOAT",
    "DECIMAL(9,2)": "(i * 1.25)::DECIMAL(9, 2)",
    "VARCHAR": "'v' || (i % 4)",
    "BOOLEAN": "i % 2 = 0",
    "DATE": "(DATE '2024-01-01' + i::INTEGER)",
    "TIME": "TIME '10:00:00' + to_minutes(i::INTEGER)",
    "TIMESTAMP": "TIMESTAMP '2024-01-01 10:00:00' + to_hours(i)",
    "INTERVAL": "to_days(i::INTEGER)",
    "VARCHAR[]": "['a', 'b']",
    "STRUCT(a INTEGER)": "{'a': i::INTEGER}",
    "BLOB": "'ab'::BLOB",
    "UUID": "('00000000-0000-0000-0000-00000000000' || (i % 10))::UUID",
    "ENUM('v0', 'v1')": "('v' || (i % 2))::ENUM('v0', 'v1')",
}
NAMES = ["a", "B", "c d", "select", "é", "__x", "name"]

tables = st.lists(st.sampled_from(sorted(TYPES)), min_size=1, max_size=len(NAMES)).map(tuple)
columns = st.sampled_from([*NAMES, "A", "nope"])
sort_keys = st.lists(
    st.fixed_dictionaries(
        {"column": columns}, optional={"descending": st.booleans(), "nulls": st.sampled_from(["first", "last"])}
    ),
    max_size=2,
)
some_columns = st.lists(columns, min_size=1, max_size=3)
new_names = st.sampled_from(["a", "b", "x", "new one", "c d"])
TEXTS = [
    "{0} = ?",
    "{0} BETWEEN ? AND {1}",
    "{0} IN ({1}, ?)",
    "{0} + ?",
    "coalesce({0}, ?)",
    "nullif({0}, ?)",
    "greatest({0}, ?)",
    "CASE {0} WHEN ? THEN {1} END",
    "CASE WHEN {0} IS NULL THEN ? ELSE {1} END",
    "if({0} IS NULL, {1}, ?)",
    "lag({0}, 1, ?) OVER (ORDER BY {1})",
]
"""Where a text may have to become something else; what it cannot become is to be found beforehand."""
pieces = st.sampled_from(
    [
        "{0}",
        "{0} + {1}",
        "{0} || {1}",
        "coalesce({0}, {1})",
        "{0} = {1}",
        "{0} > 3",
        "{0} > 'v1'",
        "{0} IS NULL",
        "CASE WHEN {0} IS NULL THEN {1} END",
        "lag({0}) OVER (ORDER BY {1})",
        "sum({0}) OVER (PARTITION BY {1})",
        "row_number() OVER ()",
        "CAST({0} AS VARCHAR)",
        "TRY_CAST({0} AS DOUBLE)",
        "length({0})",
        "year({0})",
        "{0} / {1}",
        "{0} IN ({1}, NULL)",
        "max({0})",
        "greatest({0}, {1})",
        "round({0}, 1)",
        "{0}[1]",
        "first_value({0}) OVER (PARTITION BY {1})",
        "{0} = 5",
        "{0} IN (1, 2)",
        "CASE {0} WHEN 5 THEN {1} END",
        *(piece.replace("?", "'q?'") for piece in TEXTS),
    ]
)
quoted = columns.map(lambda name: f'"{name}"')
expressions = st.builds(lambda piece, one, two: piece.format(one, two), pieces, quoted, quoted)
functions = st.sampled_from(["count", "count_distinct", "sum", "mean", "median", "min", "max", "std", "first", "last"])
measures = st.one_of(
    st.fixed_dictionaries({"name": new_names, "function": functions, "column": columns}),
    st.fixed_dictionaries({"name": new_names, "expression": expressions}),
    st.just({"function": "count"}),
)
CONFIGS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "filter": st.fixed_dictionaries({"condition": expressions}),
    "sort": st.fixed_dictionaries({"by": sort_keys}),
    "limit": st.fixed_dictionaries({"count": st.integers(0, 5), "offset": st.integers(0, 5)}),
    "distinct": st.fixed_dictionaries({}, optional={"columns": some_columns, "keep_first_by": sort_keys}),
    "select": st.fixed_dictionaries(
        {},
        optional={
            "keep": some_columns,
            "drop": some_columns,
            "first": some_columns,
            "cast": st.dictionaries(
                columns, st.sampled_from(["text", "number", "date", "BOOLEAN", "time", "zzz"]), max_size=2
            ),
            "rename": st.dictionaries(columns, new_names, max_size=2),
        },
    ),
    "formula": st.fixed_dictionaries(
        {
            "columns": st.lists(
                st.fixed_dictionaries({"name": new_names, "expression": expressions}), min_size=1, max_size=3
            )
        }
    ),
    "fill_missing": st.fixed_dictionaries(
        {"method": st.sampled_from(["value", "mean", "median", "min", "max", "previous", "next", "drop_rows"])},
        optional={
            "columns": some_columns,
            "value": st.one_of(st.integers(-3, 3), st.booleans(), st.sampled_from(["v1", "2024-02-03"]), st.just(0.5)),
            "order_by": sort_keys,
        },
    ),
    "aggregate": st.fixed_dictionaries(
        {"group_by": st.lists(columns, max_size=2), "measures": st.lists(measures, max_size=3)}
    ),
    "join": st.fixed_dictionaries(
        {
            "how": st.sampled_from(["inner", "left", "right", "full", "semi", "anti"]),
            "on": st.lists(st.fixed_dictionaries({"left": columns, "right": columns}), min_size=1, max_size=2),
        }
    ),
    "union": st.fixed_dictionaries({"match": st.sampled_from(["name", "position"]), "distinct": st.booleans()}),
}
FAILS_ONLY_ON_DATA = (duckdb.ConversionException, duckdb.OutOfRangeException, duckdb.InvalidInputException)
"""What depends on the values: a text that is no number, a sum that does not fit."""


def arrange(name: str, kinds: tuple[str, ...]) -> Any:
    """Return a relation of some columns of those types, with a missing value in each."""
    listed = ", ".join(
        f'CASE WHEN i % 4 <> {place % 4} THEN {TYPES[kind]} END AS "{column}"'
        for place, (column, kind) in enumerate(zip(NAMES, kinds, strict=False))
    )
    return BENCH.put(name, f"SELECT {listed} FROM range(5) t(i)")


def what_happens(type_name: str, config: dict[str, Any], arrived: list[Any], ports: dict[str, Any]) -> str:
    """Run a node and return why that failed for its data; "" where it did not, or was refused beforehand."""
    try:
        BENCH.run(type_name, config, *arrived, **ports)
    except (NodeFault, ValueError):
        return ""
    except FAILS_ONLY_ON_DATA as error:
        return str(error)
    return ""


@pytest.mark.parametrize("type_name", sorted(CONFIGS))
@given(data=st.data())
def test_columns_told_are_columns_given(type_name: str, data: st.DataObject) -> None:
    one = arrange("one", data.draw(tables))
    ports: dict[str, Any] = {}
    arrived: list[Any] = [one]
    if type_name in ("join", "union"):
        other = arrange("other", data.draw(tables))
        arrived, ports = ([], {"left": one, "right": other}) if type_name == "join" else ([one, other], {})
    said = what_happens(type_name, data.draw(CONFIGS[type_name]), arrived, ports)
    assert "Unimplemented" not in said
    assert "q?" not in said


@pytest.mark.parametrize("expression", [*ROW_BY_ROW, *WINDOWS])
def test_every_expression_has_the_type_that_it_is_told_to_have(expression: str) -> None:
    relation = BENCH.put("corpus", TABLE)
    BENCH.run("formula", {"columns": [{"name": "value", "expression": expression}]}, relation)


@pytest.mark.parametrize("expression", AGGREGATES)
def test_every_aggregate_has_the_type_that_it_is_told_to_have(expression: str) -> None:
    relation = BENCH.put("corpus", TABLE)
    BENCH.run("aggregate", {"group_by": ["flag"], "measures": [{"name": "value", "expression": expression}]}, relation)
