"""What the words of a request can refer to: the columns, row nouns, files and values at hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .fields import Fields


@dataclass(frozen=True, slots=True)
class Known:
    """What the words of a request can refer to."""

    fields: Fields
    rows: frozenset[str]
    paths: tuple[str, ...]
    values: tuple[tuple[str, str, Any], ...] = ()
    """(words folded, column, value as stored)."""
