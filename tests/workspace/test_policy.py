"""Every cell of the policy table."""

from __future__ import annotations

from typing import get_args

import pytest

from headrace.nodes.spec import Effect
from headrace.workspace.policy import OFFERED, Autonomy, Column, decide, decide_all

# effect, column: review, step, live, auto
CELLS = """
pure     edit : stage  ask    do     do
pure     run  : do     ask    do     do
pure     save : ask    ask    ask    do
pure     send : ask    ask    ask    ask
pure     spend: ask    ask    ask    ask
reads    edit : stage  ask    do     do
reads    run  : do     ask    do     do
reads    save : ask    ask    ask    do
reads    send : ask    ask    ask    ask
reads    spend: ask    ask    ask    ask
writes   edit : stage  ask    do     do
writes   run  : ask    ask    ask    do
writes   save : ask    ask    ask    do
writes   send : ask    ask    ask    ask
writes   spend: ask    ask    ask    ask
sends    edit : stage  ask    do     do
sends    run  : ask    ask    ask    ask
sends    save : ask    ask    ask    ask
sends    send : ask    ask    ask    ask
sends    spend: ask    ask    ask    ask
spends   edit : stage  ask    do     do
spends   run  : ask    ask    ask    ask
spends   save : ask    ask    ask    ask
spends   send : ask    ask    ask    ask
spends   spend: ask    ask    ask    ask
executes edit : stage  ask    ask    ask
executes run  : refuse refuse refuse refuse
executes save : refuse refuse refuse refuse
executes send : refuse refuse refuse refuse
executes spend: refuse refuse refuse refuse
"""


def cells() -> dict[tuple[str, str, str], str]:
    found = {}
    for line in CELLS.strip().splitlines():
        place, decisions = line.split(":")
        effect, column = place.split()
        for autonomy, decision in zip(get_args(Autonomy), decisions.split(), strict=True):
            found[effect, column, autonomy] = decision
    return found


EXPECTED = cells()


@pytest.mark.parametrize("effect", list(Effect))
@pytest.mark.parametrize("column", get_args(Column))
@pytest.mark.parametrize("autonomy", get_args(Autonomy))
def test_every_cell_says_what_is_written_down(effect: Effect, column: Column, autonomy: Autonomy) -> None:
    assert decide(effect, autonomy, column) == EXPECTED[effect.value, column, autonomy]


def test_only_review_is_offered() -> None:
    assert OFFERED == ("review",)


def test_agreeing_to_edits_covers_nothing_else() -> None:
    for effect in (Effect.WRITES, Effect.SENDS, Effect.SPENDS, Effect.EXECUTES):
        assert decide(effect, "live", "run") != "do"


def test_of_several_the_strictest_counts() -> None:
    assert decide_all([Effect.PURE, Effect.WRITES], "review", "run") == "ask"
    assert decide_all([Effect.PURE, Effect.EXECUTES, Effect.WRITES], "auto", "run") == "refuse"
    assert decide_all([], "review", "run") == "do"
