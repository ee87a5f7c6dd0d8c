"""Claims in a reply that nothing shows: words that something was done, held against the records of what the turn's tools did.

Owns one short list of words (English). It marks, and takes nothing out: what cannot be shown is said to be unverified.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from headrace.nodes.wordlist import word_set
from headrace.tools.spec import Record

_SHOWN_BY: dict[tuple[str, ...], str] = {
    ("edit",): "built created added changed updated removed renamed replaced inserted drafted staged edited "
    "fixed mended repaired corrected resolved",
    ("run",): "ran reran executed tested",
    ("check", "run"): "checked verified validated confirmed",
    ("edit", "check", "run"): "done finished completed",
    # No tool does these: a person applies and runs for good.
    (): "applied saved wrote written exported stored sent emailed mailed uploaded published deployed scheduled deleted",
}
_WORDS = {word: kinds for kinds, words in _SHOWN_BY.items() for word in words.split()} | {"run": ("run",)}
_MEND = word_set("fixed mended repaired corrected resolved")
"""These are only shown by an edit that leaves nothing to mend."""
_OF_A_FLOW = word_set("applied written stored sent deleted added created changed removed renamed replaced")
"""After "is" and "are" these tell what a flow does: a filter is applied."""
_SAID = re.compile(
    rf"(?:\b(?P<before>is|are|the|an?|your|this|each|every|was|were|have|has|been)\s+|['’]ve\s+)?\b(?P<word>{'|'.join(_WORDS)})\b",
    re.IGNORECASE,
)
_NAMES = ("the", "a", "an", "your", "this", "each", "every")
_NO_CLAIM = re.compile(
    r"\b(?:not|no|nothing|never|none|cannot|without|will|would|can|could|should|shall|may|might|must|to be|once|when|if|until|"
    r"unless|before|after|yet)\b|n['’]t\b|\?\s*$",
    re.IGNORECASE,
)
"""A sentence with one of these says what is not so, or not yet."""
_QUOTED = re.compile(r"`[^`]*`|“[^”]*”|\"[^\"\n]*\"")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")


def unshown(reply: str, records: Iterable[Record]) -> tuple[str, ...]:
    """Return the words of a reply which say that something was done and which no record of the turn bears out, each once."""
    latest: dict[str, Record] = {record.kind: record for record in records}
    found: dict[str, None] = {}
    for sentence in _SENTENCE.split(_QUOTED.sub("…", reply)):
        if _NO_CLAIM.search(sentence):
            continue
        for said in _SAID.finditer(sentence):
            word = said["word"].lower()
            if _is_claim(word, (said["before"] or "").lower(), whole=said[0]) and not _is_shown(word, latest):
                found[word] = None
    return tuple(found)


def _is_claim(word: str, before: str, *, whole: str) -> bool:
    """Whether a word tells of something done: not in `a saved flow`, `a filter is applied`, `run it`."""
    if word == "run":
        return before not in ("", *_NAMES, "is", "are") or whole[:1] in "'’"
    return before not in _NAMES and not (before in ("is", "are") and word in _OF_A_FLOW)


def _is_shown(word: str, latest: dict[str, Record]) -> bool:
    shown = [latest[kind] for kind in _WORDS[word] if kind in latest]
    return bool(shown) and (word not in _MEND or shown[0].ok)
