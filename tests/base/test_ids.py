"""Names for things: random for records, readable for nodes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headrace.base.ids import new_id, slug, unused


class TestIds:
    def test_no_two_are_alike(self) -> None:
        made = {new_id("run") for _ in range(2_000)}
        assert len(made) == 2_000
        assert all(re.fullmatch(r"run_[0-9a-z]{16}", each) for each in made)

    @pytest.mark.parametrize(
        ("text", "expected"),
        [("Orders (2024).csv", "orders_2024_csv"), ("Größe", "groe"), ("2024", "n_2024"), ("日本", "node"), ("", "node"), ("_a_", "a")],
    )  # fmt: skip
    def test_a_slug_can_be_read(self, text: str, expected: str) -> None:
        assert slug(text) == expected

    @given(st.text(max_size=200))
    def test_a_slug_of_anything_is_one_and_stays_it(self, text: str) -> None:
        made = slug(text)
        assert re.fullmatch(r"[a-z][a-z0-9_]{0,49}", made)
        assert slug(made) == made

    @given(st.sets(st.sampled_from(["a", "a_2", "a_3", "b"])))
    def test_a_name_that_is_taken_is_counted_on(self, taken: set[str]) -> None:
        assert unused("a", taken) not in taken
        assert ("a" in taken) or unused("a", taken) == "a"
