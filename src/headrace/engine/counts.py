"""How many rows flowed through what was not kept, read off DuckDB's own account of the statement that they flowed into.

It costs nothing: the figures are of the very run. Refuses to guess: an account of another form than expected gives None,
and the rows are counted by a query instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_PASSING = frozenset({"PROJECTION", "FILTER"})
_FULL_READS = frozenset({"READ_CSV", "READ_CSV_AUTO", "READ_JSON", "READ_JSON_AUTO", "READ_NDJSON", "READ_NDJSON_AUTO"})
"""Readers that nothing is pushed down into, so that what leaves them is all that there is."""


@dataclass(frozen=True, slots=True)
class Flowed:
    """The rows of the one chain in a statement."""

    read: int | None
    """Rows that the source gave; None: it was told to leave some out, and does not say how many there were."""
    left: int
    """Rows at the end of the chain, after whatever leaves rows out."""
    share: float
    """The part of the statement's work that was spent on the chain, between 0 and 1."""


def flowed(profile: Mapping[str, Any]) -> Flowed | None:
    """Return the rows of the chain in the statement of a profile, or None where there is more than one, or it is not clear."""
    operators = list(_operators(profile))
    leaves = [path for path in operators if not path[-1].get("children")]
    if len(leaves) != 1:
        return None
    path = leaves[0]
    scan = path[-1]
    if scan.get("operator_type") != "TABLE_SCAN":
        return None
    chain = [scan]
    for operator in reversed(path[:-1]):
        if operator.get("operator_type") not in _PASSING:
            break
        chain.append(operator)
    info = scan.get("extra_info") or {}
    whole = info.get("Function") in _FULL_READS and not any("Filters" in key for key in info)
    work = sum(float(path[-1].get("operator_timing") or 0) for path in operators)
    spent = sum(float(operator.get("operator_timing") or 0) for operator in chain)
    return Flowed(
        read=int(scan["operator_cardinality"]) if whole else None,
        left=int(chain[-1]["operator_cardinality"]),
        share=spent / work if work > 0 else 0.5,
    )


def _operators(
    node: Mapping[str, Any], above: tuple[Mapping[str, Any], ...] = ()
) -> Iterator[tuple[Mapping[str, Any], ...]]:
    """Every operator, each as the path that leads to it from the root."""
    path = (*above, node)
    if "operator_type" in node:
        yield path
    for child in node.get("children") or ():
        yield from _operators(child, path)
