"""What a run tells while it goes on: small frozen values, in the order in which things happen.

Refuses to carry data: rows travel in a `NodeResult`, which is handed over just before the event that names it.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from headrace.base.value import Value
from headrace.flow.diagnostic import Diagnostic

RunStatus = Literal["succeeded", "failed", "cancelled"]


class RunStarted(Value):
    """The run has begun; every node of its plan will finish, fail or be skipped, unless the run is cancelled."""

    event: Literal["run.started"] = "run.started"
    run_id: str
    nodes: tuple[str, ...]
    """The node ids of the plan, in the order in which they run."""


class NodeStarted(Value):
    """Work on a node has begun."""

    event: Literal["node.started"] = "node.started"
    node_id: str


class NodeProgress(Value):
    """A node that takes over a second is still at work."""

    event: Literal["node.progress"] = "node.progress"
    node_id: str
    fraction: float | None = None
    """Between 0 and 1, of the query that runs now; None: it cannot be told."""


class NodeFinished(Value):
    """A node is done."""

    event: Literal["node.finished"] = "node.finished"
    node_id: str
    rows: int | None = None
    """Rows that came out (of an action: rows that it took in); None: not counted, the summary says why."""
    columns: int | None = None
    ms: int
    """Milliseconds of wall-clock time that the node's own part took."""
    bytes: int | None = None
    """Size of the files that were read or written; None for what stays in memory."""
    cached: bool = False
    """The result was there already and nothing was computed."""
    summary: str = ""
    """One line for people: `1,204 rows, 7 columns`, `wrote out.csv, 1,204 rows`."""


class NodeFailed(Value):
    """A node could not be run."""

    event: Literal["node.failed"] = "node.failed"
    node_id: str
    diagnostic: Diagnostic


class NodeSkipped(Value):
    """A node was not run, because of what happened to another."""

    event: Literal["node.skipped"] = "node.skipped"
    node_id: str
    because: str
    """The id of the node that failed."""


class RunFinished(Value):
    """The run is over; no event of it follows."""

    event: Literal["run.finished"] = "run.finished"
    status: RunStatus
    ms: int


RunEvent = Annotated[
    RunStarted | NodeStarted | NodeProgress | NodeFinished | NodeFailed | NodeSkipped | RunFinished,
    Field(discriminator="event"),
]
