"""What pydantic found, in the house's words: one sentence a fault, with the place as a person would write it.

Owns the wording of unreadable input for the whole room. Refuses to show pydantic's own types or links.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

_SHOWN = 12
_COMPARED = 1_000
"""So many names are compared letter by letter at most; beyond, those with the same first letter go first."""


def sentences(error: ValidationError, root: str = "") -> list[str]:
    """Return one sentence for each thing that a validation found, beginning with its place."""
    found = error.errors(include_url=False, include_context=True, include_input=True)
    return [_sentence(dict(item), root) for item in found]


def near(name: str, known: Iterable[str], limit: int = 3) -> list[str]:
    """Return the known names that come nearest to a name that is not among them, nearest first."""
    every = sorted(known)
    if len(every) > _COMPARED:
        every = sorted(every, key=lambda other: other[:1].casefold() != name[:1].casefold())[:_COMPARED]
    by_folded = {other.casefold(): other for other in every}
    return [by_folded[hit] for hit in difflib.get_close_matches(name.casefold(), by_folded, n=limit, cutoff=0.6)]


def listed(names: Iterable[str], limit: int = _SHOWN) -> str:
    """Return names as words: `a, b, c`, the rest as a number, `none` where there are none."""
    every = list(names)
    if not every:
        return "none"
    rest = len(every) - limit
    return ", ".join(every[:limit]) + (f" and {rest} more" if rest > 0 else "")


def instead(name: str, known: Iterable[str], what: str) -> str:
    """Return a hint that helps after an unknown name: the near misses, or what there is."""
    every = sorted(known)
    hits = near(name, every)
    if hits:
        return f"Did you mean {' or '.join(repr(hit) for hit in hits)}?"
    return f"{what}: {listed(every)}."


def printable(text: str) -> str:
    """Return a text with a mark for each character that cannot be printed, such as a terminal's escapes."""
    return text if text.isprintable() else "".join(letter if letter.isprintable() else "�" for letter in text)


def _sentence(item: dict[str, Any], root: str) -> str:
    place = _place(item["loc"], root)
    context = item.get("ctx") or {}
    match item["type"]:
        case "missing":
            return f"{place} is missing; give it a value."
        case "extra_forbidden":
            return f"{place} is not known here; take it out."
        case "string_pattern_mismatch":
            return f"{place} is {_shown(item['input'])}; {_pattern(str(context.get('pattern')))}."
        case "string_too_long" | "too_long":
            return f"{place} is too long; at most {context.get('max_length')} fit."
        case "value_error":
            return f"{place}: {context.get('error')}."
        case "literal_error" | "enum":
            return f"{place} is {_shown(item['input'])}; it must be {context.get('expected')}."
        case "union_tag_invalid":
            return _unknown_tag(place, context)
        case "union_tag_not_found":
            return f"{place} does not say which it is; give it the key {context.get('discriminator')}."
        case "model_type" | "dict_type" | "model_attributes_type":
            return f"{place} is {_shown(item['input'])}; it must be an object."
        case "list_type" | "tuple_type":
            return f"{place} is {_shown(item['input'])}; it must be a list."
        case "finite_number" | "less_than_equal" | "greater_than_equal" | "greater_than":
            return f"{place} is {_shown(item['input'])}; {_lower_first(item['msg'])}."
        case _:
            return f"{place} is {_shown(item['input'])}; {_lower_first(item['msg'])}."


def _unknown_tag(place: str, context: dict[str, Any]) -> str:
    tag = str(context.get("tag"))
    known = [part.strip(" '") for part in str(context.get("expected_tags")).split(",")]
    return f"{place} is called {tag[:60]!r}, which is not known. {instead(tag, known, 'There are')}"


def _pattern(pattern: str) -> str:
    if "#" in pattern:
        return "it must be a colour's name or #rrggbb"
    allowed = "letters, digits, '_', '-' and '.'" if "_." in pattern else "letters, digits, '_' and '-'"
    longest = int(pattern.rsplit(",", 1)[-1].split("}")[0]) + 1
    return f"it must begin with a letter and hold only {allowed}, at most {longest} of them"


def _place(location: tuple[int | str, ...], root: str) -> str:
    place = root
    for part in location:
        place += f"[{part}]" if isinstance(part, int) else f".{part}" if place else str(part)
    return printable(place[:200]) or "the value"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "…"


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
