"""How results and errors are told to an agent: compact, complete as to what changed, with the next move named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from headrace.base.errors import HeadraceError, Invalid
from headrace.flow.diagnostic import Diagnostic

from .spec import ToolResult, clip


def refusal(error: HeadraceError) -> ToolResult:
    """Return an error as a result that says what is wrong and what to do next."""
    lines = [f"Not done ({error.code}): {error.message}"]
    if isinstance(error, Invalid):
        lines += [f"- {fault}" for fault in error.faults]
    if error.hint:
        lines.append(f"Next: {error.hint}")
    data = {"code": error.code, "message": error.message, "hint": error.hint}
    return ToolResult(clip("\n".join(lines)), data=data, summary=error.message, failed=True)


def diagnostic_lines(diagnostics: Iterable[Diagnostic]) -> list[str]:
    """Return one line a diagnostic, its fixes beneath it as operations that can be sent back as they are."""
    lines: list[str] = []
    for found in diagnostics:
        place = ".".join((found.where.node or "flow", *found.where.path))
        lines.append(f"{found.severity} {found.code} at {place}: {found.message}")
        for fix in found.fixes:
            operations = [op.model_dump(mode="json", exclude_defaults=True) for op in fix.operations]
            lines.append(f"  fix “{fix.label}”: {operations}")
    return lines


def columns_text(columns: Sequence[Mapping[str, str]]) -> str:
    """Return columns as `name TYPE, name TYPE`."""
    return ", ".join(f"{column['name']} {column['type']}" for column in columns)


def table_text(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return a small table as lines of values between bars, the form that models read best per token."""
    head = " | ".join(columns)
    return "\n".join([head, *(" | ".join(_cell(value) for value in row) for row in rows)])


def _cell(value: Any) -> str:
    if value is None:
        return "∅"
    text = str(value).replace("\n", "⏎")
    return text if len(text) <= 60 else text[:59] + "…"
