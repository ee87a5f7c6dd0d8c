"""Caps on what runs and looks may use: values that whoever starts the house sets. Enforcing them is the callers'.

What one turn of the assistant may use is in `assistant.budget`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budgets:
    """All caps of a workspace."""

    run_seconds: float = 3_600.0
    """A run is cancelled after that long."""
    runs_at_once: int = 2
    """More wait their turn."""
    runs_waiting: int = 32
    """More are refused."""
    runs_kept: int = 20
    """Runs of a flow whose results stay; older ones lose their rows, then go."""
    preview_rows: int = 100
    """Rows of each node's table that are kept with a run."""
    scratch_seconds: float = 20.0
    """A scratch run is cancelled after that long."""
    scratch_rows: int = 100
    """Rows of the answer that a scratch run gives."""
    search_bytes: int = 64 << 20
    """A file up to that size is looked through whole for a value."""
    search_rows: int = 200_000
    """Rows of a bigger file that are looked through."""
    search_seconds: float = 5.0
    """Looking for values stops after that long with what it has."""
    upload_bytes: int = 2_000_000_000
    """A file that a person brings through the browser; larger ones are put into the data folder by hand."""
    heads_kept: int = 64
    """Flows kept in memory with what is known of them."""
    passing_events_kept: int = 20_000
    """Of the latest events so many; of earlier ones those go at a start that only told of something under way."""
    memory_mb: int = 0
    """What DuckDB may use in a run, MB; 0: its own choice."""
    threads: int = 0
    """Threads that DuckDB may use in a run; 0: as many as there are cores."""
