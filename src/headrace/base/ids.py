"""Names for things: random ids for records, readable slugs for nodes."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Container


def new_id(prefix: str) -> str:
    """Return a fresh random id such as `run_k3v9…` (80 random bits, lower-case base 32)."""
    alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
    return f"{prefix}_" + "".join(secrets.choice(alphabet) for _ in range(16))


def slug(text: str) -> str:
    """Return a node id made of a text: lower-case ASCII letters, digits and `_`, at most 48, never empty."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:48].strip("_")
    if not name:
        return "node"
    return name if name[0].isalpha() else f"n_{name}"


def unused(name: str, taken: Container[str]) -> str:
    """Return `name`, or `name_2`, `name_3` … : the first that is not taken."""
    if name not in taken:
        return name
    number = 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"
