"""The column types that a person can give: DuckDB's names, and plain words for them.

Owns the words. Refuses types that it does not know, naming those that come near.
"""

from __future__ import annotations

import re

from headrace.nodes.near import near
from headrace.nodes.spec import Fault, NodeFault

_WORDS = {
    "text": "VARCHAR",
    "string": "VARCHAR",
    "str": "VARCHAR",
    "varchar": "VARCHAR",
    "char": "VARCHAR",
    "number": "DOUBLE",
    "decimal number": "DOUBLE",
    "float": "DOUBLE",
    "real": "FLOAT",
    "double": "DOUBLE",
    "whole number": "BIGINT",
    "whole": "BIGINT",
    "int": "INTEGER",
    "integer": "BIGINT",
    "bigint": "BIGINT",
    "smallint": "SMALLINT",
    "tinyint": "TINYINT",
    "hugeint": "HUGEINT",
    "decimal": "DECIMAL(18,3)",
    "numeric": "DECIMAL(18,3)",
    "bool": "BOOLEAN",
    "boolean": "BOOLEAN",
    "true or false": "BOOLEAN",
    "date": "DATE",
    "day": "DATE",
    "time": "TIME",
    "datetime": "TIMESTAMP",
    "date and time": "TIMESTAMP",
    "moment": "TIMESTAMP",
    "timestamp": "TIMESTAMP",
}
_SIZED = re.compile(r"(?:decimal|numeric)\s*\(\s*(\d{1,2})\s*(?:,\s*(\d{1,2})\s*)?\)")
_WHOLE = frozenset(
    ["TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"]
)


def known_type(written: str, path: tuple[str, ...]) -> str:
    """Return the type as DuckDB writes it.

    Errors: NodeFault F303 at `path`, with the near ones, where it is not known.
    """
    words = re.sub(r"[\s_]+", " ", written).strip().lower()
    if words in _WORDS:
        return _WORDS[words]
    sized = _SIZED.fullmatch(words)
    if sized and 1 <= int(sized[1]) <= 38 and int(sized[2] or 0) <= int(sized[1]):
        return f"DECIMAL({int(sized[1])},{int(sized[2] or 0)})"
    close = near(words, _WORDS) or ["text", "number", "whole number", "date", "timestamp", "boolean"]
    message = f"There is no column type {written!r}. Near ones: {', '.join(close)}."
    raise NodeFault(Fault("F303", message, path))


def is_whole(column_type: str) -> bool:
    """Return whether this type, as DuckDB writes it, holds whole numbers."""
    return column_type in _WHOLE
