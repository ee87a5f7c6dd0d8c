"""`headrace check`: what is wrong with a flow, without running it. Files are looked at, nothing is opened elsewhere."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

from headrace.app import workspace_in_memory
from headrace.base.actor import LOCAL
from headrace.flow.diagnostic import Diagnostic
from headrace.flow.model import document_of

from .ending import DONE, REFUSED
from .flow_files import read_flow, space_for
from .screen import plain


def call(options: argparse.Namespace) -> int:
    """Carry the command out and return its exit code: 1 where the flow has errors."""
    flow = read_flow(options.flow)
    workspace = workspace_in_memory(space_for(options.files, options.flow))
    view = workspace.create_flow(LOCAL, flow.name, document_of(flow))
    errors = sum(each.severity == "error" for each in view.diagnostics)
    if options.json:
        found = [each.model_dump(mode="json") for each in view.diagnostics]
        print(json.dumps({"ok": not errors, "diagnostics": found}, ensure_ascii=False))
    else:
        print(plain("\n".join([*diagnostic_lines(view.diagnostics), _verdict(view.diagnostics)])))
    return REFUSED if errors else DONE


def diagnostic_lines(diagnostics: Sequence[Diagnostic]) -> list[str]:
    """Return diagnostics as lines for people: code, place, message, and the ways out beneath."""
    lines: list[str] = []
    for found in diagnostics:
        place = ".".join(part for part in (found.where.node, *found.where.path) if part) or "the flow"
        lines.append(f"{found.severity} {found.code} at {place}: {found.message}")
        lines += [f"    fix: {fix.label}" for fix in found.fixes]
    return lines


def _verdict(diagnostics: Sequence[Diagnostic]) -> str:
    counts = [
        f"{number} {severity}{'' if number == 1 else 's'}"
        for severity in ("error", "warning", "note")
        if (number := sum(each.severity == severity for each in diagnostics))
    ]
    return f"Found {', '.join(counts)}." if counts else "No problems found."
