"""Texts that came from outside, made such that they can be kept, sent and shown."""

from __future__ import annotations


def whole_letters(text: str) -> str:
    """Return a text without halves of letters (lone surrogates), which no file, message or page can hold."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
