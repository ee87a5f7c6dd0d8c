"""DuckDB's types in plain words, and which kind of value each is."""

from __future__ import annotations

import re
from typing import Literal

from .wordlist import word_set

Family = Literal["number", "text", "date", "time", "moment", "flag", "list", "record", "bytes", "other"]

_WHOLE = word_set("TINYINT SMALLINT INTEGER BIGINT HUGEINT UTINYINT USMALLINT UINTEGER UBIGINT UHUGEINT BIGNUM")
_BROKEN = frozenset({"FLOAT", "DOUBLE"})
_WORDS: dict[Family, str] = {
    "text": "text",
    "date": "a date",
    "time": "a time of day",
    "moment": "a date and time",
    "flag": "true or false",
    "list": "a list",
    "record": "a record",
    "bytes": "bytes",
}
_MOST_SHOWN = 60


def family(type_name: str) -> Family:
    """Return which kind of value a type holds."""
    name = type_name.upper()
    if name.endswith("]"):
        return "list"
    head = re.match(r"[A-Z_]+", name)
    match head.group() if head else name:
        case "DECIMAL" | "INTEGER_LITERAL":
            return "number"
        case word if word in _WHOLE or word in _BROKEN:
            return "number"
        case "VARCHAR" | "STRING_LITERAL" | "ENUM" | "JSON" | "UUID":
            return "text"
        case "DATE":
            return "date"
        case "TIME":
            return "time"
        case "TIMESTAMP" | "TIMESTAMPTZ" | "TIMESTAMP_S" | "TIMESTAMP_MS" | "TIMESTAMP_NS":
            return "moment"
        case "BOOLEAN":
            return "flag"
        case "STRUCT" | "MAP" | "UNION":
            return "record"
        case "BLOB" | "BIT":
            return "bytes"
        case _:
            return "other"


def in_words(type_name: str) -> str:
    """Return a type in words, with DuckDB's own name where it says more: `a number (DECIMAL(10,2))`."""
    if type_name.endswith("_LITERAL"):
        return "a number" if family(type_name) == "number" else "text"
    shown = type_name if len(type_name) <= _MOST_SHOWN else f"{type_name[: _MOST_SHOWN - 1]}…"
    kind = family(type_name)
    if kind == "number":
        return f"{'a whole number' if is_whole(type_name) else 'a number'} ({shown})"
    if kind == "other":
        return "a missing value" if type_name == '"NULL"' else f"a value of type {shown}"
    return f"{_WORDS[kind]} ({shown})"


def is_number(type_name: str) -> bool:
    """Return whether a type holds numbers."""
    return family(type_name) == "number"


def is_whole(type_name: str) -> bool:
    """Return whether a type holds whole numbers."""
    return type_name.upper() in _WHOLE


def is_text(type_name: str) -> bool:
    """Return whether a type holds text."""
    return family(type_name) == "text"


def is_temporal(type_name: str) -> bool:
    """Return whether a type holds dates, times or both."""
    return family(type_name) in ("date", "time", "moment")
