"""Operations in plain words."""

from __future__ import annotations

from typing import Any

import pytest

from headrace.flow.operations import describe, describe_all, operations_from
from headrace.flow.words import value_words
from tests.flow.cases import add, connect, made

FLOW = made(
    add("orders", "read_file", "Read orders", path="o.csv"),
    add("sorted", "sort", by=[{"column": "amount", "descending": True}], keep=True),
    connect("orders", "sorted"),
    {"op": "set_note", "note_id": "n", "note": {"text": "x"}},
    {"op": "set_parameter", "name": "p", "parameter": {"type": "number"}},
)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        (add("paid", "filter", "Paid only", condition="paid"), "Add filter “Paid only”: condition paid"),
        (add("limit", "limit"), "Add limit"),
        ({"op": "remove_node", "node_id": "orders"}, "Remove “Read orders”"),
        (
            {"op": "replace_node", "node_id": "sorted", "type": "fill_missing", "config": {"method": "mean"}},
            "Make sorted a fill missing: method mean",
        ),
        ({"op": "set_title", "node_id": "sorted", "title": "Best"}, "Call sorted “Best”"),
        ({"op": "set_title", "node_id": "orders", "title": ""}, "Call “Read orders” by its type again"),
        (
            {"op": "set_config", "node_id": "sorted", "values": {"by": [{"column": "date"}]}},
            "Change sorted: by amount descending → date",
        ),
        ({"op": "set_config", "node_id": "sorted", "values": {"nulls_first": True}}, "Change sorted: nulls first yes"),
        ({"op": "unset_config", "node_id": "sorted", "keys": ["keep"]}, "Change sorted: no keep"),
        (connect("orders", "sorted.left"), "Connect “Read orders” to sorted (left)"),
        ({"op": "disconnect", "source": "orders", "target": "sorted"}, "Disconnect “Read orders” from sorted"),
        (
            {"op": "insert_between", "source": "orders", "target": "sorted", "node": {"id": "d", "type": "distinct"}},
            "Add distinct (d) between “Read orders” and sorted",
        ),
        ({"op": "move_nodes", "positions": {"sorted": {"x": 0, "y": 0}}}, "Move sorted"),
        ({"op": "set_note", "note_id": "n", "note": {"text": "two\nlines"}}, "Change a note: two lines"),
        ({"op": "set_note", "note_id": "m", "note": {"text": "new"}}, "Add a note: new"),
        ({"op": "set_note", "note_id": "n", "note": None}, "Remove the note n"),
        (
            {"op": "set_parameter", "name": "q", "parameter": {"type": "date", "default": "2026-01-31"}},
            "Add the parameter q: a date, 2026-01-31 unless given",
        ),
        ({"op": "set_parameter", "name": "p", "parameter": None}, "Remove the parameter p"),
        ({"op": "set_name", "name": "Sales"}, "Call the flow “Sales”"),
        ({"op": "set_name", "name": ""}, "Take the flow's name away"),
    ],
)
def test_each_operation_is_a_plain_sentence(written: dict[str, Any], words: str):
    """[T2]"""
    (operation,) = operations_from([written])
    assert describe(operation, FLOW) == words


def test_a_batch_is_told_of_the_flow_as_it_becomes():
    """[T2]"""
    batch = operations_from([add("paid", "filter", "Paid only"), connect("orders", "paid")])
    assert describe_all(batch, FLOW) == ["Add filter “Paid only”", "Connect “Read orders” to “Paid only”"]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "nothing"),
        (False, "no"),
        (1.5, "1.5"),
        ("", "empty text"),
        ([], "nothing"),
        ({"$parameter": "p"}, "the parameter p"),
        ({"$secret": "key"}, "the secret key"),
        ([{"name": "total", "function": "sum", "column": "amount"}], "total = sum(amount)"),
        ([{"name": "n", "function": "count"}], "n = count()"),
        ([{"name": "vat", "expression": "amount * 0.2"}], "vat = amount * 0.2"),
        ([{"name": "id", "type": "BIGINT"}, {"name": "day", "type": "DATE"}], "id BIGINT, day DATE"),
        ([{"left": "id", "right": "id"}, {"left": "a", "right": "b"}], "id, a = b"),
        ({"old": "new"}, "old → new"),
        ({"any_thing": 1, "other": True}, "any thing 1, other yes"),
        ("x" * 100, "x" * 79 + "…"),
    ],
)
def test_config_values_are_written_as_people_write_them(value: Any, words: str):
    """[T2]"""
    assert value_words(value) == words


def test_what_a_terminal_would_obey_is_left_out():
    """[T2]"""
    (operation,) = operations_from([{"op": "set_title", "node_id": "sorted", "title": "a\x1b[31m\u2028b\u202ec\x85"}])
    assert describe(operation, FLOW) == "Call sorted “a [31m b c”"
