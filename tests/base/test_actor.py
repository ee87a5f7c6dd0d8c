"""Who acts for whom, and the time."""

from __future__ import annotations

from datetime import UTC

import pytest
from pydantic import ValidationError

from headrace.base.actor import LOCAL, Actor, assistant_for
from headrace.base.clock import FrozenClock, SystemClock


def test_an_author_says_who_it_was_and_for_whom() -> None:
    assert LOCAL.author == "local"
    assert assistant_for(LOCAL).author == "assistant for local"
    assert Actor(owner="ada", kind="token", name="ci").author == "token ci for ada"


def test_values_are_frozen_and_know_their_fields() -> None:
    with pytest.raises(ValidationError):
        LOCAL.owner = "eve"  # type: ignore[misc]
    with pytest.raises(ValidationError):
        Actor.model_validate({"owner": "ada", "admin": True})


def test_clocks_tell_utc_and_a_frozen_one_moves_when_it_is_moved() -> None:
    clock = FrozenClock()
    before = clock.now()
    assert clock.now() == before
    clock.forward(1.5)
    assert (clock.now() - before).total_seconds() == 1.5
    assert SystemClock().now().tzinfo is UTC
