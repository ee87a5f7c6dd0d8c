"""What the offline planner is told, and what it can decide. Values only: no tool is called here, nothing is read.

The planner is asked again after every round: the wrapper fills a `Situation` with what is known so far, carries out
the calls of the `Decision`, adds their outcomes, and asks again, until the decision carries no calls.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from headrace.flow.model import EMPTY, Flow
from headrace.nodes.spec import Column


@dataclass(frozen=True, slots=True)
class FileFacts:
    """A table file as far as it was looked at."""

    path: str
    """As a `read_file` config writes it."""
    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...] = ()
    """Sample rows as JSON values, in the columns' order."""
    notes: tuple[str, ...] = ()
    """What was decided while reading: date formats, null words, decimal marks."""


@dataclass(frozen=True, slots=True)
class ValueFound:
    """Words of the request that stand in the data."""

    words: str
    """As they were asked for."""
    path: str
    column: str
    value: Any
    """As it is stored."""
    count: int = 0
    """Rows that hold it, as far as they were looked at."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool to call, by the catalogue's name, with its arguments."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call of this turn answered. The planner reads from `data`:

    - an edit tool: `diagnostics`, a list of `{code, severity, message, where: {node}}`;
    - `scratch_run`: `columns`, a list of `{name, type}`; `rows`, lists of JSON values; `total`, the number of rows.
    """

    call: Call
    data: Mapping[str, Any] = field(default_factory=dict)
    failed: bool = False
    message: str = ""
    """Why it failed, in plain words."""


@dataclass(frozen=True, slots=True)
class Situation:
    """Everything the planner may go by."""

    request: str
    earlier: tuple[str, ...] = ()
    """The person's earlier requests of this chat, oldest first."""
    files: tuple[FileFacts, ...] = ()
    """The files at hand, described."""
    unreadable: Mapping[str, str] = field(default_factory=dict)
    """Files at hand that could not be described: path -> why."""
    flow: Flow = EMPTY
    """The flow before this turn's edits."""
    columns: Mapping[str, tuple[Column, ...]] = field(default_factory=dict)
    """The columns of each node's table output in that flow, as inferred without running."""
    values: tuple[ValueFound, ...] | None = None
    """Answers of `find_values` in this turn; None while it has not been asked."""
    outcomes: tuple[Outcome, ...] = ()
    """Every other call of this turn with what it answered, in order."""


@dataclass(frozen=True, slots=True)
class Part:
    """One clause of the request and what it became."""

    words: str
    became: str
    assumed: bool = False
    """True: the request leaves it open, and this is what was taken."""


Kind = Literal["need", "act", "answer", "ask", "decline"]


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do next: calls to make, or a reply that ends the turn."""

    kind: Kind
    """`need` facts first · `act` on the flow · `answer` done, say so · `ask` one question · `decline` with the reason."""
    calls: tuple[Call, ...] = ()
    """Only for `need` and `act`: to be carried out in this order; then ask the planner again."""
    reply: str = ""
    """Only where there are no calls: the text for the person, without the account."""
    account: tuple[Part, ...] = ()
    """Clause by clause what became of the request; shown below the reply."""

    def text(self) -> str:
        """Return the whole reply for the person: the text, then the account, one line a clause."""
        lines = [self.reply] if self.reply else []
        if self.account:
            lines.append("How I read it:")
        lines += [f"- “{part.words}” → {part.became}{' (assumed)' if part.assumed else ''}" for part in self.account]
        return "\n".join(lines)
