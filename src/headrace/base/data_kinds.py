"""What a text can tell of the data of a user: the words for it, from the least to the most. Decides nothing."""

from __future__ import annotations

from typing import Literal, get_args

DataKind = Literal["columns", "values", "rows"]
"""Names, types and counts · single values · whole rows."""
DATA_KINDS: tuple[DataKind, ...] = get_args(DataKind)
