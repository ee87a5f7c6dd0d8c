"""Ways through a flow: each node after what it takes from, and a search for circles that is right and cheap."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from headrace.flow.model import EMPTY, Flow, document_of, flow_from_document
from headrace.flow.order import a_way, downstream, leads_to, order, upstream
from tests.flow.cases import add, chain, connect, flows, ids, made


@given(flows())
def test_each_node_comes_after_all_that_it_takes_from(flow: Flow):
    ways = order(flow)
    assert ways.circular == ()
    assert sorted(ways.sequence) == sorted(flow.nodes)
    place = {node_id: at for at, node_id in enumerate(ways.sequence)}
    assert all(place[edge.source.node] < place[edge.target.node] for edge in flow.edges.values())


@given(flows(), ids, ids)
def test_the_ways_agree_with_each_other(flow: Flow, a: str, b: str):
    """[O3, O4]"""
    if a not in flow.nodes or b not in flow.nodes:
        return
    assert leads_to(flow, a, b) == (b in downstream(flow, [a])) == (a in upstream(flow, [b]))
    way = a_way(flow, a, b)
    assert bool(way) == leads_to(flow, a, b)
    pairs = {(edge.source.node, edge.target.node) for edge in flow.edges.values()}
    assert all(pair in pairs for pair in pairwise(way))


@given(st.permutations(list("abcd")))
def test_among_nodes_that_could_come_next_the_first_by_id_does(names: list[str]):
    assert order(made(*(add(name) for name in names))).sequence == ("a", "b", "c", "d")


def test_what_lies_on_or_behind_a_circle_has_no_place():
    document = document_of(made(add("z"), connect("c", "z"), on=chain("abc")))
    document["edges"]["c.out>b.in"] = {"source": {"node": "c", "port": "out"}, "target": {"node": "b", "port": "in"}}
    ways = order(flow_from_document(document))
    assert ways.sequence == ("a",)
    assert ways.circular == ("b", "c", "z")


def test_two_edges_between_the_same_nodes_count_once():
    flow = made(add("a"), add("j", "join"), connect("a", "j.left"), connect("a", "j.right"))
    assert order(flow).sequence == ("a", "j")
    assert order(EMPTY).sequence == ()
