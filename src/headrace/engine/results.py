"""What a run keeps of a node: bounded, plain, ready to be stored and shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import Field

from headrace.base.value import Value
from headrace.nodes.files import FileSpace
from headrace.nodes.spec import Context, Table


class ColumnProfile(Value):
    """A column in figures."""

    name: str
    type: str
    nulls: int
    distinct: int
    """Different values apart from null; approximate (within some percent) from 1,000 on."""
    min: Any = None
    max: Any = None
    """Null for types without an order; long text is cut."""
    mean: float | None = None
    """Of numbers only."""
    top: tuple[tuple[Any, int], ...] = ()
    """The most frequent values and how often each occurs, at most ten, the most frequent first."""


class NodeResult(Value):
    """What came out of a node."""

    node_id: str
    table: Table | None = None
    """The columns; None for a node whose result is not a table."""
    preview: tuple[tuple[Any, ...], ...] = ()
    """The first rows, as JSON values in the order of the columns."""
    rows: int | None = None
    """Rows in all; None: not counted, because only the first were needed."""
    outputs: Mapping[str, Any] = Field(default_factory=dict)
    """Of an action, by port: a chart's spec, a file's path, rows and bytes."""
    profile: tuple[ColumnProfile, ...] | None = None
    """Where it was asked for."""


def _forget(result: NodeResult) -> None:
    del result


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What a run is given besides its plan."""

    run_id: str
    context: Context
    """What node types may ask while they are typed; the run asks the same one."""
    files: FileSpace
    """The one resolver of paths."""
    deliver: Callable[[NodeResult], None] = _forget
    """Is handed each node's result, from the thread that takes the events, just before the event that says it is done."""
    dry_run: bool = False
    """True: nothing outside is changed; what would be done is said."""
    preview_rows: int = 100
    profiles: frozenset[str] = frozenset()
    """Ids of table nodes whose columns are to be profiled."""
    exports: Mapping[str, Path] = field(default_factory=dict)
    """Table nodes whose whole result is written to a file: csv, parquet or json lines, by the file's name."""
    threads: int | None = None
    """None: all cores."""
    memory_limit: str | None = None
    """As DuckDB writes it, such as `2GB`; None: four fifths of the machine's."""
    temp_limit: str | None = None
    """The most that may be put on disk while memory is short; None: what the disk has free."""
    temp_root: Path | None = None
    """Where the private folder for temporary files is made; None: the system's."""
