"""What may be done without asking: one table, read by everybody who acts for somebody.

Owns the decision, not the asking. A person's own action is never looked up here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

from headrace.nodes.spec import Effect

Autonomy = Literal["review", "step", "live", "auto"]
"""How much rope a chat gives: stage and review, ask for each batch, land each batch at once, do not ask."""
Column = Literal["edit", "run", "save", "send", "spend"]
"""What is about to be done with a node of some effect: put it into the flow, run it, write a file, send, spend."""
Decision = Literal["do", "stage", "ask", "refuse"]

OFFERED: tuple[Autonomy, ...] = ("review",)
"""What a chat can be set to today."""

# A letter for each autonomy, in the order review, step, live, auto: d(o), s(tage), a(sk), r(efuse).
# Putting a node into the flow does nothing by itself; code that is put there lands only by a person's hand.
# Agreeing to edits never covers running, saving, sending or spending; code is refused until it can run isolated.
_TABLE: dict[Effect, dict[Column, str]] = {
    Effect.PURE: {"edit": "sadd", "run": "dadd", "save": "aaad", "send": "aaaa", "spend": "aaaa"},
    Effect.READS: {"edit": "sadd", "run": "dadd", "save": "aaad", "send": "aaaa", "spend": "aaaa"},
    Effect.WRITES: {"edit": "sadd", "run": "aaad", "save": "aaad", "send": "aaaa", "spend": "aaaa"},
    Effect.SENDS: {"edit": "sadd", "run": "aaaa", "save": "aaaa", "send": "aaaa", "spend": "aaaa"},
    Effect.SPENDS: {"edit": "sadd", "run": "aaaa", "save": "aaaa", "send": "aaaa", "spend": "aaaa"},
    Effect.EXECUTES: {"edit": "saaa", "run": "rrrr", "save": "rrrr", "send": "rrrr", "spend": "rrrr"},
}
_LETTERS: dict[str, Decision] = {"d": "do", "s": "stage", "a": "ask", "r": "refuse"}
_STRICTNESS: tuple[Decision, ...] = ("do", "stage", "ask", "refuse")


def decide(effect: Effect, autonomy: Autonomy, column: Column) -> Decision:
    """Return what the table says for one node."""
    return _LETTERS[_TABLE[effect][column][get_args(Autonomy).index(autonomy)]]


def decide_all(effects: Iterable[Effect], autonomy: Autonomy, column: Column) -> Decision:
    """Return the strictest decision over the effects of several nodes; `do` for none."""
    decisions = [decide(effect, autonomy, column) for effect in effects]
    return max(decisions, key=_STRICTNESS.index, default="do")
