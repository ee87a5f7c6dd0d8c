"""From what is wrong with a node to what is shown: a `Fault` becomes a `Diagnostic`, a suggestion becomes a fix.

Shared by the checks, which find faults, and by runs, which fail of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from headrace.flow.diagnostic import Diagnostic, Fix, Where
from headrace.flow.operations import SetConfig

from .spec import Fault, NodeFault, Suggestion

_MOST_FIXES = 5


def diagnostic_of(node_id: str, fault: Fault, config: Mapping[str, Any]) -> Diagnostic:
    """Return the diagnostic of a fault of a node; each suggestion that fits the config becomes a fix."""
    fixes = (_fix(node_id, suggestion, config) for suggestion in fault.suggestions[:_MOST_FIXES])
    return Diagnostic(
        code=fault.code,
        severity=fault.severity,
        where=Where(node=node_id, port=fault.port, path=fault.path),
        message=fault.message,
        fixes=tuple(fix for fix in fixes if fix is not None),
    )


def failure_of(node_id: str, error: NodeFault, config: Mapping[str, Any]) -> Diagnostic:
    """Return one diagnostic for all the faults that kept a node from running; the first error gives it its code."""
    errors = [fault for fault in error.faults if fault.severity == "error"] or list(error.faults)
    first = diagnostic_of(node_id, errors[0], config)
    if len(errors) == 1:
        return first
    return first.model_copy(update={"message": "\n".join(dict.fromkeys(fault.message for fault in errors))})


def with_value(config: Mapping[str, Any], path: Sequence[str], value: Any) -> dict[str, Any] | None:
    """Return the top-level config key of a path with `value` put at the path: `{key: whole new value}`; None: no such place."""
    if not path:
        return dict(value) if isinstance(value, Mapping) else None
    key, *rest = path
    if not rest:
        return {key: value}
    if key not in config:
        return None
    try:
        return {key: _put(config[key], rest, value)}
    except (KeyError, IndexError, ValueError, TypeError):
        return None


def _fix(node_id: str, suggestion: Suggestion, config: Mapping[str, Any]) -> Fix | None:
    values = with_value(config, suggestion.path, suggestion.value)
    if values is None:
        return None
    return Fix(label=suggestion.label, operations=(SetConfig(node_id=node_id, values=values),))


def _put(old: Any, path: Sequence[str], value: Any) -> Any:
    if not path:
        return value
    key, *rest = path
    if isinstance(old, list | tuple):
        place = int(key)
        items = list(old)
        items[place] = _put(items[place], rest, value)
        return items
    if isinstance(old, Mapping):
        return {**old, key: _put(old[key] if rest else None, rest, value)}
    raise TypeError(f"nothing can be put into {old!r} at {key!r}")
