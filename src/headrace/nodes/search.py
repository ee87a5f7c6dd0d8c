"""Finding node types by words: an index over what they say of themselves.

Whole words count by where they stand (a name more than a summary); a word that stands nowhere is taken as a typing error for the
word that it comes nearest. The same words give the same answer, in the same order, every time.
"""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Iterable
from dataclasses import dataclass

from .spec import NodeType
from .wordlist import word_set

_WEIGHTS = (10.0, 8.0, 6.0, 3.0, 1.5)
"""For the name, the title, the synonyms, the phrases and the summary."""
_FILLER = word_set("a an and by can for from how i in into is it me my of on or please the these this to want with you")
_MOST_WORDS = 24
_SHORTEST_MENDED = 4
"""Shorter words are taken as they are: too many words are near them."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A node type that answers to the words."""

    name: str
    title: str
    summary: str
    score: float
    """Higher is better; comparable within one answer only."""


class Index:
    """The words of some node types, in SQLite's full text search."""

    def __init__(self, types: Iterable[NodeType]) -> None:
        self._types = {node_type.name: node_type for node_type in types}
        self._lock = threading.Lock()
        self._words: tuple[str, ...] = ()
        self._database: sqlite3.Connection | None = None

    def search(self, text: str, limit: int) -> list[Hit]:
        """Return the best hits for some words."""
        with self._lock:
            database = self._database or self._fill()
            words = [self._spelled(database, word) for word in self._meaning(text)]
            if not words:
                return []
            query = " OR ".join(map(_asked, dict.fromkeys(words)))
            rows = database.execute(
                f"SELECT name, -bm25(words, {', '.join(map(str, _WEIGHTS))}) AS score FROM words"
                " WHERE words MATCH ? ORDER BY score DESC, name LIMIT ?",
                (query, limit),
            ).fetchall()
        return [self._hit(name, score) for name, score in rows]

    def _hit(self, name: str, score: float) -> Hit:
        node_type = self._types[name]
        return Hit(name, node_type.title, node_type.summary, round(score, 4))

    def _fill(self) -> sqlite3.Connection:
        database = sqlite3.connect(":memory:", check_same_thread=False)
        database.execute(
            "CREATE VIRTUAL TABLE words USING fts5(name, title, synonyms, phrases, summary, tokenize='porter unicode61')"
        )
        for node_type in self._types.values():
            database.execute("INSERT INTO words VALUES (?, ?, ?, ?, ?)", _document(node_type))
        rows = database.execute("SELECT * FROM words").fetchall()
        self._words = tuple(sorted({word for row in rows for text in row for word in _split(text)}))
        self._database = database
        return database

    def _meaning(self, text: str) -> list[str]:
        words = _split(text)[:_MOST_WORDS]
        return [word for word in words if word not in _FILLER] or words

    def _spelled(self, database: sqlite3.Connection, word: str) -> str:
        """The word itself where it is found, else the indexed word that it is probably meant to be."""
        found = database.execute("SELECT 1 FROM words WHERE words MATCH ? LIMIT 1", (_asked(word),)).fetchone()
        if found or len(word) < _SHORTEST_MENDED:
            return word
        from rapidfuzz import process
        from rapidfuzz.distance import DamerauLevenshtein

        best = process.extractOne(word, self._words, scorer=DamerauLevenshtein.normalized_similarity, score_cutoff=0.7)
        return best[0] if best else word


def _asked(word: str) -> str:
    """A word as the index is asked for it: long ones also as the beginning of others."""
    return f'"{word}"*' if len(word) >= _SHORTEST_MENDED else f'"{word}"'


def _document(node_type: NodeType) -> tuple[str, str, str, str, str]:
    phrases = " ".join(re.sub(r"\{[^}]*\}|<\w+>|@ \S+|\W", " ", phrase) for phrase in node_type.phrases)
    name = node_type.name
    return name, node_type.title, " ".join(node_type.synonyms), phrases, node_type.summary


def _split(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())
