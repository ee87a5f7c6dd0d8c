"""How values and files may be spelled in a request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .fields import likeness, stem, typo, words_of
from .tokens import Token, fold


def said_words(tokens: Sequence[Token]) -> Iterable[str]:
    """Return the forms under which some tokens may stand in the data: as written, and in the singular."""
    if len(tokens) == 1 and tokens[0].kind == "quoted":
        return (fold(tokens[0].value),)
    written = ""
    for before, token in zip((None, *tokens), tokens, strict=False):
        text = token.word if token.possessive else fold(token.text)
        joint = "" if before is None or before.end == token.start else "-" if token.hyphen else " "
        written += joint + text
    singular = " ".join(token.lemma for token in tokens)
    return tuple(dict.fromkeys((written, " ".join(token.word for token in tokens), singular)))


KIN = {
    "woman": "female",
    "man": "male",
    "african": "africa",
    "american": "america",
    "asian": "asia",
    "european": "europe",
    "canadian": "canada",
    "german": "germany",
    "italian": "italy",
    "indian": "india",
    "australian": "australia",
    "brazilian": "brazil",
    "norwegian": "norway",
    "spanish": "spain",
    "french": "france",
    "british": "united kingdom",
    "japanese": "japan",
    "chinese": "china",
}
"""What a word says of a thing, as data writes it."""


def otherwise(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Return other forms under which a word may stand in the data: `African` as Africa, `snowed` as snow."""
    if len(tokens) != 1 or tokens[0].kind != "word":
        return ()
    word = tokens[0].lemma
    root = stem(tokens[0].word) if tokens[0].word.endswith(("ed", "ing", "y")) else ""
    return tuple(form for form in (KIN.get(word, ""), root if len(root) > 2 and root != word else "") if form)


def files_named(said: Sequence[str], paths: Iterable[str], *, part: bool) -> list[str]:
    """Return the files whose name the words are: all of its words, or with `part` some of them."""
    found = []
    for path in paths:
        stem_words = list(words_of(path.replace("\\", "/").rsplit("/", 1)[-1].rsplit(".", 1)[0]))
        left = list(stem_words)
        for word in said:
            hit = next((w for w in left if likeness(word, w) is not None and not typo(word, w)), None)
            if hit is None:
                break
            left.remove(hit)
        else:
            if part or not left:
                found.append(path)
    return found
