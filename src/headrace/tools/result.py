"""How results and errors are told to an agent: compact, complete as to what changed, with the next move named.

Owns which diagnostics and errors quote the data they are about.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from headrace.base.data_kinds import DataKind
from headrace.base.errors import HeadraceError, Invalid
from headrace.flow.diagnostic import Diagnostic
from headrace.flow.operations import OperationError
from headrace.workspace.views import NodeRunView

from .spec import Passage, ToolResult

_QUOTING = ("F504", "F601")
"""Codes whose messages quote what stands in a file or a row."""
_QUOTING_AT = ("types", "date_format", "rows", "")
"""Config fields at which F303 quotes it too; the empty one: it is not known which field is meant."""


def refusal(error: HeadraceError) -> ToolResult:
    """Return an error as a result that says what is wrong and what to do next."""
    faults = _faults(error)
    message = error.message.replace(faults[0], "").strip() if faults else error.message
    lines = [f"Not done ({error.code}): {message or 'nothing was changed.'}", *(f"- {fault}" for fault in faults)]
    if error.hint and not isinstance(error, OperationError):
        lines.append(f"Next: {error.hint}")
    data = {"code": error.code, "message": error.message, "hint": error.hint}
    told = Passage("\n".join(lines), _kind_of(error.code), f"Not done ({error.code}): {_KEPT_BACK}")
    return ToolResult.of([told], data=data, summary=error.message, failed=True)


def _faults(error: HeadraceError) -> tuple[str, ...]:
    """Return every single thing that an error names, each with what to do about it."""
    if isinstance(error, OperationError):
        return tuple(" ".join(filter(None, (fault.message, fault.hint))) for fault in error.faults)
    return error.faults if isinstance(error, Invalid) else ()


def diagnostic_passages(diagnostics: Iterable[Diagnostic]) -> list[Passage]:
    """Return a passage a diagnostic: one line, its fixes beneath it as operations that can be sent back as they are."""
    passages: list[Passage] = []
    for found in diagnostics:
        place = ".".join((found.where.node or "flow", *found.where.path))
        head = f"{found.severity} {found.code} at {place}: "
        lines = [head + found.message]
        for fix in found.fixes:
            operations = [{"op": op.op} | op.model_dump(mode="json", exclude_defaults=True) for op in fix.operations]
            lines.append(f"  fix “{fix.label}”: {json.dumps(operations, ensure_ascii=False)}")
        kind = _kind_of(found.code, (*found.where.path, "whole")[0])
        passages.append(Passage("\n".join(lines), kind, head + _KEPT_BACK))
    return passages


_KEPT_BACK = "what is wrong quotes the data, which is not shared with you; the user can see it."


def _kind_of(code: str, field: str = "") -> DataKind:
    """Return what a diagnostic or an error tells of the data; `field` is the config field that it is about."""
    return "values" if code in _QUOTING or (code == "F303" and field in _QUOTING_AT) else "columns"


def columns_text(columns: Sequence[Mapping[str, str]]) -> str:
    """Return columns as `name TYPE, "other name" TYPE`, the names as SQL needs them."""
    return ", ".join(f"{in_sql(column['name'])} {column['type']}" for column in columns)


def in_sql(name: str) -> str:
    """Return a column's name as an expression must write it: in double quotes where it is not a plain word."""
    return name if re.fullmatch(r"[^\W\d]\w*", name) else '"' + name.replace('"', '""') + '"'


def table_passage(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Passage:
    """Return a small table as lines of values between bars, the form that models read best per token."""
    head = " | ".join(columns)
    return Passage("\n".join([head, *(" | ".join(_cell(value) for value in row) for row in rows)]), "rows")


def row_counts(nodes: Mapping[str, NodeRunView]) -> str:
    """Return how many rows each node gave, where that is known: `read 1,704, only_2007 142`."""
    return ", ".join(f"{node_id} {node.rows:,}" for node_id, node in nodes.items() if node.rows is not None)


def _cell(value: Any) -> str:
    if value is None:
        return "∅"
    text = str(value).replace("\n", "⏎")
    return text if len(text) <= 60 else text[:59] + "…"
