"""How much one turn may use. The user sets it, the program enforces it; what was staged stays when it is used up."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """Caps on one turn."""

    rounds: int = 24
    """Answers of the model."""
    tool_calls: int = 60
    tokens: int = 400_000
    """Read and written together."""
    seconds: float = 600.0
    bad_calls: int = 3
    """Times that a model may repeat a call whose arguments cannot be read."""
    failures: int = 6
    """Calls that may fail one after the other."""
