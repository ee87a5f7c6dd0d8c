"""What every use case stands on: the parts of the house, handed in once. Owns nothing, decides nothing but who may."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from headrace.base.actor import Actor
from headrace.base.clock import Clock
from headrace.base.errors import Refused
from headrace.nodes.catalog import Catalog
from headrace.nodes.files import FileSpace
from headrace.nodes.spec import Context
from headrace.store.protocol import Store

from .budgets import Budgets
from .events import Bell
from .heads import Heads
from .runner import Runner
from .staged import StagedFlows


@dataclass(frozen=True, slots=True, kw_only=True)
class Foundation:
    """The parts that the use cases share."""

    store: Store
    catalog: Catalog
    files: FileSpace
    context: Context
    """What node types may ask while they are typed."""
    clock: Clock
    heads: Heads
    staged: StagedFlows
    runner: Runner
    bell: Bell
    budgets: Budgets

    def now(self) -> datetime:
        """Return the present moment, UTC."""
        return self.clock.now()


class UseCases:
    """Base of the groups of use cases that the workspace is made of."""

    def __init__(self, foundation: Foundation) -> None:
        self._house = foundation


def require_person(actor: Actor, what: str) -> None:
    """Raise Refused when it is not a person who acts.

    `what` completes the sentence "Only a person may …".
    """
    if actor.kind != "person":
        raise Refused(
            "persons_only",
            f"Only a person may {what}; {actor.author!r} is none.",
            "Propose the change and let the person approve it.",
        )
