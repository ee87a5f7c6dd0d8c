"""Why the planner does not act: what it must ask first, and what it cannot do. Raised while building, told by the planner."""

from __future__ import annotations

from collections.abc import Iterable


class Unclear(Exception):
    """The request can mean two things, or lacks one; `question` asks the person for exactly that."""

    def __init__(self, question: str) -> None:
        self.question = question
        super().__init__(question)


class Refusal(Exception):
    """The request is understood and is not possible; `reason` says why and what is."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


def listed(names: Iterable[str], last: str = "and") -> str:
    """Return names as a list in a sentence."""
    quoted = [f"`{name}`" for name in names]
    return f" {last} ".join([", ".join(quoted[:-1]), quoted[-1]]) if len(quoted) > 1 else "".join(quoted)
