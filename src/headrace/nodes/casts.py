"""Types as people and configs write them: DuckDB's names, and plain words for the usual ones."""

from __future__ import annotations

import re

from sqlglot import exp
from sqlglot.errors import ParseError, TokenError

from .near import near
from .spec import Fault, NodeFault, Suggestion

PLAIN = {
    "text": "VARCHAR",
    "string": "VARCHAR",
    "number": "DOUBLE",
    "decimal number": "DOUBLE",
    "whole number": "BIGINT",
    "integer": "BIGINT",
    "int": "BIGINT",
    "date": "DATE",
    "time": "TIME",
    "datetime": "TIMESTAMP",
    "date and time": "TIMESTAMP",
    "timestamp": "TIMESTAMP",
    "bool": "BOOLEAN",
    "boolean": "BOOLEAN",
    "true or false": "BOOLEAN",
}
"""Plain word -> DuckDB's type."""
_KNOWN = ("text", "number", "whole number", "date", "time", "datetime", "boolean", "DECIMAL(12, 2)")
_KINDS = frozenset(
    {
        exp.DType.VARCHAR,
        exp.DType.TEXT,
        exp.DType.DOUBLE,
        exp.DType.FLOAT,
        exp.DType.DECIMAL,
        exp.DType.TINYINT,
        exp.DType.SMALLINT,
        exp.DType.INT,
        exp.DType.BIGINT,
        exp.DType.INT128,
        exp.DType.UTINYINT,
        exp.DType.USMALLINT,
        exp.DType.UINT,
        exp.DType.UBIGINT,
        exp.DType.BOOLEAN,
        exp.DType.DATE,
        exp.DType.TIME,
        exp.DType.TIMESTAMP,
        exp.DType.TIMESTAMPTZ,
        exp.DType.TIMESTAMPNTZ,
        exp.DType.TIMESTAMP_S,
        exp.DType.TIMESTAMP_MS,
        exp.DType.TIMESTAMP_NS,
        exp.DType.UUID,
        exp.DType.ARRAY,
        exp.DType.LIST,
        exp.DType.INTERVAL,
    }
)
_LONGEST = 100
_SPELLING = re.compile(
    r"(\w+|double precision|timestamp with time zone)(\s*\(\s*\d+\s*(,\s*\d+\s*)?\))?(\[\d{0,4}\])*",
    re.IGNORECASE | re.ASCII,
)


def read_type(text: str, *, path: tuple[str, ...]) -> exp.DataType:
    """Return a type as a tree.

    Errors: NodeFault F303 at `path` where there is no such type.
    """
    words = " ".join(text.split()).casefold()
    name = PLAIN.get(words, text)
    try:
        spelled = len(text) <= _LONGEST and _SPELLING.fullmatch(name.strip())
        built = exp.DataType.build(name, dialect="duckdb") if spelled else None
    except (ParseError, TokenError, ValueError, RecursionError):
        built = None
    if built is None or any(part.this not in _KINDS for part in built.find_all(exp.DataType)):
        close = near(text, _KNOWN, limit=1)
        message = f"There is no type {text[:_LONGEST]!r}. Types are {', '.join(_KNOWN)}."
        suggestions = tuple(Suggestion(f"Use {other}", path, other) for other in close)
        raise NodeFault(Fault("F303", message, path, suggestions=suggestions))
    return built
