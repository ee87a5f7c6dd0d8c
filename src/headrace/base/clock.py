"""The time, as an argument: the system's clock in the product, a frozen one in tests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Anything that knows the time."""

    def now(self) -> datetime:
        """Return the present moment, in UTC with its zone."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Return the present moment, in UTC."""
        return datetime.now(UTC)


class FrozenClock:
    """A clock for tests: it stands still until it is moved."""

    def __init__(self, at: datetime = datetime(2026, 1, 1, tzinfo=UTC)) -> None:
        self._at = at

    def now(self) -> datetime:
        """Return the moment at which the clock stands."""
        return self._at

    def forward(self, seconds: float) -> None:
        """Move the clock on by so many seconds."""
        self._at += timedelta(seconds=seconds)
