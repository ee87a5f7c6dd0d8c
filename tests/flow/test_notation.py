"""The JSON notation: lossless, always the same text, and helpful about text that is not whole."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headrace.base.errors import HeadraceError, Invalid
from headrace.flow.model import Flow, content_hash
from headrace.flow.notation import read_flow_text, write_flow_text
from tests.flow.cases import add, chain, connect, equal, flows, made


@given(flows())
def test_a_text_gives_the_flow_back(flow: Flow):
    """[F6]"""
    text = write_flow_text(flow)
    again = read_flow_text(text)
    assert equal(again, flow)
    assert write_flow_text(again) == text
    assert content_hash(again) == content_hash(flow)


def test_the_same_flow_gives_the_same_text_whatever_way_it_was_made():
    """[F6]"""
    one = made(add("a", u=1, v=2), add("b"), connect("a", "b"))
    other = made(add("b"), add("a", v=2, u=1), connect("a", "b"))
    assert write_flow_text(one) == write_flow_text(other)


@given(st.text(max_size=30))
def test_any_text_gives_a_flow_or_an_error_of_the_house(text: str):
    """[F7]"""
    with suppress(HeadraceError):
        read_flow_text(text)


@given(st.data())
def test_every_cut_of_a_flow_is_noticed(data: st.DataObject):
    """[F7]"""
    text = write_flow_text(chain("abc")).rstrip()
    cut = data.draw(st.integers(0, len(text) - 1))
    with pytest.raises(Invalid) as caught:
        read_flow_text(text[:cut])
    assert caught.value.code == "broken_json"
    if cut:
        assert "line" in caught.value.message


def test_a_cut_text_says_where_it_breaks_off():
    """[F7]"""
    with pytest.raises(Invalid, match="breaks off at line 2, column 9"):
        read_flow_text('{\n  "name"')


def test_a_slip_in_the_middle_says_where():
    """[F7]"""
    with pytest.raises(Invalid, match="not JSON at line 1, column 14"):
        read_flow_text('{"headrace": one}')


def test_an_empty_text_says_that_it_is_empty():
    """[F7]"""
    with pytest.raises(Invalid, match="text is empty"):
        read_flow_text("  \n")


def test_a_key_that_stands_twice_is_refused():
    """[F7]"""
    with pytest.raises(Invalid, match="names a key twice: 'a'") as caught:
        read_flow_text('{"headrace": 1, "nodes": {"a": {"type": "x"}, "a": {"type": "y"}}}')
    assert caught.value.code == "twice"


@pytest.mark.parametrize("text", ["NaN", '{"headrace": 1e999}', "[" * 200_000, "1" * 5000])
def test_what_python_would_read_and_json_does_not_hold_is_refused(text: str):
    """[F7, F8]"""
    with pytest.raises(Invalid):
        read_flow_text(text)


def test_a_byte_order_mark_is_no_obstacle():
    """[F6]"""
    assert equal(read_flow_text("\ufeff" + write_flow_text(chain("ab"))), chain("ab"))
