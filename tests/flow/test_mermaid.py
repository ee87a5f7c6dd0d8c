"""Mermaid text: complete, and no label can become syntax."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from headrace.flow.mermaid import mermaid
from headrace.flow.model import Flow
from tests.flow.cases import add, chain, connect, flows, made


def test_a_flow_reads_from_left_to_right():
    """[T3]"""
    flow = made(
        add("z", "read_file"), add("j", "join", "Both"), connect("z", "j.left"), add("c"), connect("j.chart", "c")
    )
    assert mermaid(flow).splitlines() == [
        "flowchart LR",
        '  n0["z<br/>read_file"]',
        '  n1["Both<br/>join"]',
        '  n2["c<br/>filter"]',
        '  n1 -->|"chart"| n2',
        '  n0 -->|"left"| n1',
    ]


@given(flows())
def test_every_node_and_edge_is_there(flow: Flow):
    """[T3]"""
    assert len(mermaid(flow).splitlines()) == 1 + len(flow.nodes) + len(flow.edges)


@given(st.text(st.characters(codec="utf-8"), max_size=40))
def test_a_label_holds_nothing_but_text(title: str):
    """[T3]"""
    lines = mermaid(made({"op": "set_title", "node_id": "a", "title": title}, on=chain("ab"))).splitlines()
    assert len(lines) == 4
    label = re.fullmatch(r'  n0\["(.*)<br/>filter"\]', lines[1])
    assert label
    assert not re.search(r'["<>&`\[\]{}|;\\]', re.sub(r"#\d+;", "", label[1]))


def test_a_title_of_syntax_stays_a_title():
    """[T3]"""
    flow = made({"op": "set_title", "node_id": "a", "title": '"]; click a "javascript:x" %%'}, on=chain("a"))
    assert '"];' not in mermaid(flow)
    assert "#34;#93;#59; click a" in mermaid(flow)
