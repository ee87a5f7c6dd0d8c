"""What a check found: a value, never raised."""

from __future__ import annotations

from typing import Literal

from headrace.base.value import Value

from .operations import Operation

Severity = Literal["error", "warning", "note"]


class Where(Value):
    """The place in the flow; an empty field means: the whole of what the others name."""

    node: str = ""
    port: str = ""
    path: tuple[str, ...] = ()
    """Into the node's config: `("by", "0", "column")`."""


class Fix(Value):
    """A way out that can be applied as it is."""

    label: str
    """What it does, in words for a button: `Use column "amount"`."""
    operations: tuple[Operation, ...]


class Diagnostic(Value):
    """One finding about a flow."""

    code: str
    """Stable, such as `F203`; docs/reference/diagnostics.md lists them."""
    severity: Severity
    where: Where = Where()
    message: str
    """What is wrong, what exists or was expected, what to do next."""
    fixes: tuple[Fix, ...] = ()
