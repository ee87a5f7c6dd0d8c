"""Who does something: a person, the assistant for a person, or a token for a person."""

from __future__ import annotations

from typing import Literal

from .value import Value


class Actor(Value):
    """Who acts, and for whom. Every record belongs to an owner; every call names its actor."""

    owner: str
    """The person whose records these are; `local` where nobody logs in."""
    kind: Literal["person", "assistant", "token"] = "person"
    name: str = ""
    """Which assistant or token it is; empty for the person."""

    @property
    def author(self) -> str:
        """The text that stands in a revision: `local`, `assistant for local`, `token ci for local`."""
        if self.kind == "person":
            return self.owner
        return " ".join(part for part in (self.kind, self.name, "for", self.owner) if part)


LOCAL = Actor(owner="local")
"""The one person of an installation without log-in."""


def assistant_for(actor: Actor) -> Actor:
    """Return the assistant that works for the person behind an actor."""
    return Actor(owner=actor.owner, kind="assistant")
