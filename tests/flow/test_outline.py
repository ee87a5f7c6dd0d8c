"""The outline: compact, deterministic, honest about what it leaves out, and safe to hand to a model."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from headrace.base.errors import HeadraceError
from headrace.flow.model import EMPTY, Flow, document_of, flow_from_document
from headrace.flow.outline import Limits, node_line, outline, value_text
from tests.flow.cases import add, chain, connect, flows, json_values, made

SALES = made(
    {"op": "set_name", "name": "Sales"},
    {"op": "set_parameter", "name": "least", "parameter": {"type": "number", "default": 10, "description": "euros"}},
    add("orders", "read_file", path="orders.csv"),
    add("people", "read_file", path="people.csv"),
    add("paid", "filter", "Paid only", condition="amount > 10"),
    add("both", "join", how="left", on=[{"left": "person", "right": "id"}]),
    add("bars", "chart", kind="bar"),
    connect("orders", "paid"),
    connect("paid", "both.left"),
    connect("people", "both.right"),
    connect("both", "bars"),
    {"op": "set_note", "note_id": "n", "note": {"text": "ask\nAnna"}},
)
COLUMNS = {
    "orders": [("id", "BIGINT"), ("person", "BIGINT"), ("amount", "DOUBLE"), ("the day", "DATE")],
    "paid": [("id", "BIGINT"), ("person", "BIGINT"), ("amount", "DOUBLE"), ("the day", "DATE")],
    "people": [("id", "BIGINT"), ("name", "VARCHAR")],
}


def test_an_outline_reads_from_the_sources_on():
    """[T1]"""
    assert outline(SALES, COLUMNS).splitlines() == [
        'flow "Sales": 5 nodes, 4 edges',
        "parameter least: number = 10  euros",
        'orders: read_file  path: orders.csv  => id BIGINT, person BIGINT, amount DOUBLE, "the day" DATE',
        "paid: filter “Paid only” <- orders  condition: amount > 10  => same columns as orders",
        "people: read_file  path: people.csv  => id BIGINT, name VARCHAR",
        'both: join <- left=paid, right=people  how: left  on: [{"left": "person", "right": "id"}]',
        "bars: chart <- both  kind: bar",
        "note n: ask Anna",
    ]


def test_an_empty_flow_says_so():
    """[T1]"""
    assert outline(EMPTY) == "flow: empty"


def test_what_is_left_out_is_counted():
    """[T1]"""
    flow = chain([f"n{i:03}" for i in range(50)])
    lines = outline(flow, limits=Limits(nodes=13)).splitlines()
    assert len(lines) == 15
    assert lines[-1] == "… 37 more nodes"
    wide = outline(flow, {"n000": [(f"c{i}", "BIGINT") for i in range(30)]}, Limits(columns=2)).splitlines()[1]
    assert wide.endswith("=> c0 BIGINT, c1 BIGINT, … 28 more columns")


def test_a_long_config_is_cut_and_can_be_had_whole():
    """[T1]"""
    flow = made(add("a", condition="x" * 500))
    assert len(outline(flow).splitlines()[1]) < 300
    assert outline(flow).endswith("…")
    assert "x" * 500 in node_line(flow, "a")


def test_a_focus_shows_a_node_and_its_neighbours():
    """[T1]"""
    lines = outline(SALES, focus=["paid", "nobody"]).splitlines()
    assert [line.partition(":")[0] for line in lines[2:-1]] == ["orders", "paid", "both", "… 2 more nodes"]


def test_a_circle_is_marked():
    """[T1]"""
    document = document_of(chain("ab"))
    document["edges"]["b.out>a.in"] = {"source": {"node": "b", "port": "out"}, "target": {"node": "a", "port": "in"}}
    assert outline(flow_from_document(document)).count("(in or behind a circle)") == 2


@given(flows(), st.integers(1, 4), st.integers(40, 400))
def test_the_limits_hold_and_the_count_is_honest(flow: Flow, nodes: int, text: int):
    """[T1]"""
    told = outline(flow, limits=Limits(nodes=nodes, text=text))
    lines = [line for line in told.splitlines() if not line.startswith(("flow", "parameter", "note ", "…"))]
    rest = next((int(line.split()[1]) for line in told.splitlines() if line.endswith(("more node", "more nodes"))), 0)
    assert len(lines) <= nodes
    assert len(lines) + rest == len(flow.nodes)
    assert told == outline(flow_from_document(document_of(flow)), limits=Limits(nodes=nodes, text=text))


@given(st.text(max_size=30), json_values)
@example("\x85\u2028\u202e\x1b", None)
def test_no_text_of_a_flow_begins_a_line_of_its_own(text: str, value: Any):
    """[T1]"""
    with suppress(HeadraceError):  # what cannot be in a flow cannot be in an outline
        flow = made(add("a", "filter", text, u=text, v=value), {"op": "set_name", "name": text})
        told = outline(flow).splitlines()
        assert len(told) == 2
        assert all(line.isprintable() for line in told)


@given(st.text(max_size=8) | json_values)
def test_a_value_that_reads_as_json_is_that_json(value: Any):
    """[T1]"""
    told = value_text(value)
    try:
        read = json.loads(told)
    except ValueError:
        assert told == value
    else:
        assert json.dumps(read) == json.dumps(value)
