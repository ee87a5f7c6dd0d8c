"""One byte string per JSON value."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headrace.base.canonical import canonical, digest, same

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


class TestCanonical:
    @given(JSON)
    def test_a_value_and_its_json_have_the_same_bytes(self, value: Any) -> None:
        assert canonical(json.loads(json.dumps(value))) == canonical(value)

    @given(JSON, JSON)
    def test_values_are_the_same_exactly_where_their_digests_are(self, one: Any, other: Any) -> None:
        assert same(one, other) == (digest(one) == digest(other))

    def test_the_order_of_keys_does_not_show(self) -> None:
        assert canonical({"b": 1, "a": [2.0, -0.0]}) == canonical({"a": (2, 0), "b": 1.0}) == b'{"a":[2,0],"b":1}'

    @pytest.mark.parametrize(("one", "other"), [(False, 0), (True, 1), ("1", 1), (None, ""), ([], {}), (None, False)])
    def test_what_json_tells_apart_is_not_the_same(self, one: Any, other: Any) -> None:
        assert not same(one, other)

    @pytest.mark.parametrize("value", [math.nan, math.inf, [-math.inf]])
    def test_what_json_cannot_hold_is_refused(self, value: Any) -> None:
        with pytest.raises(ValueError, match=r".+"):
            canonical(value)
