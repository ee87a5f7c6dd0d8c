"""The JSON notation of a flow: what stands in a `.json` file. Lossless both ways; for the same flow always the same text.

Refuses text that is not whole JSON, that names a key twice, or that a newer program wrote.
"""

from __future__ import annotations

import json
from typing import Any

from headrace.base.errors import Invalid

from .model import Flow, document_of, flow_from_document


def write_flow_text(flow: Flow) -> str:
    """Return the flow as JSON text: two spaces a level, keys sorted, one newline at the end."""
    document = document_of(flow)
    head = {"headrace": document.pop("headrace"), "name": document.pop("name")}
    body = json.loads(json.dumps(document, sort_keys=True))
    return json.dumps({**head, **body}, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def read_flow_text(text: str) -> Flow:
    """Return the flow that a JSON text holds.

    Errors: Invalid: `broken_json` with line and column, `twice` where a key is named twice, or what `flow_from_document` says.
    """
    return flow_from_document(_read_json(text.removeprefix("\ufeff")))


def _read_json(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise _broken(text, error) from None
    except RecursionError:
        raise Invalid("broken_json", "This text is nested too deeply to be a flow.", "Open another file.") from None
    except ValueError as error:
        raise Invalid(
            "broken_json", f"This text is not JSON that can be read: {error}.", "Mend it and try again."
        ) from None


def _broken(text: str, error: json.JSONDecodeError) -> Invalid:
    where = f"line {error.lineno}, column {error.colno}"
    if not text.strip():
        return Invalid("broken_json", "The text is empty; a flow was expected.", "Open another file.")
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        message = f"The text breaks off at {where}: it is cut short, not a whole flow."
        return Invalid("broken_json", message, "Get a whole copy of the file; nothing was changed.")
    message = f"The text is not JSON at {where}: {error.msg[:1].lower() + error.msg[1:]}."
    return Invalid("broken_json", message, "Mend it there and try again; nothing was changed.")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = sorted({key for key in keys if keys.count(key) > 1})
        named = ", ".join(repr(key[:60]) for key in twice[:5])
        raise Invalid(
            "twice", f"An object in this text names a key twice: {named}.", "Keep one of the two and try again."
        )
    return read


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")
