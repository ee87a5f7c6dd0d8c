"""One byte string per JSON value, so that values are compared and hashed as JSON holds them.

Python's `==` is not enough: it holds `False == 0`, which JSON does not.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any


def canonical(value: Any) -> bytes:
    """Return the canonical JSON bytes of a plain JSON value.

    Keys are sorted; a whole float is written as an integer, as JavaScript does.
    Errors: ValueError on NaN or an infinity.
    """
    text = json.dumps(_plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "surrogatepass")


def same(a: Any, b: Any) -> bool:
    """Return whether two plain JSON values are the same JSON value."""
    if a is b:
        return True
    if type(a) is type(b) is str:
        return a == b
    return canonical(a) == canonical(b)


def digest(value: Any) -> str:
    """Return the sha256 of a plain JSON value's canonical bytes, as 64 hex digits."""
    return hashlib.sha256(canonical(value)).hexdigest()


def _plain(value: Any) -> Any:
    match value:
        case dict():
            return {key: _plain(item) for key, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case float() if value.is_integer():
            return int(value)
        case _:
            return value
