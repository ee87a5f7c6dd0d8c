"""Cuts a request into tokens that know their place in the text. Knows English spelling, not tables.

Refuses to interpret: a token is a word, a number, a quoted text, a file name, a date or a mark.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import Any, Literal

from headrace.nodes.wordlist import words

Kind = Literal["word", "number", "quoted", "file", "date", "decade", "mark"]

CONTRACTIONS = {
    "whats": "what is",
    "wheres": "where is",
    "hows": "how is",
    "lets": "let us",
    "dont": "do not",
    "doesnt": "does not",
    "isnt": "is not",
    "arent": "are not",
    "cant": "can not",
    "cannot": "can not",
    "didnt": "did not",
    "wasnt": "was not",
    "havent": "have not",
    "hasnt": "has not",
    "im": "i am",
    "ive": "i have",
    "id": "id",
}
IRREGULAR = {
    "people": "person",
    "men": "man",
    "women": "woman",
    "children": "child",
    "data": "data",
    "series": "series",
    "species": "species",
    "indices": "index",
    "feet": "foot",
    "analyses": "analysis",
    "was": "was",
    "has": "has",
    "does": "does",
    "is": "is",
    "this": "this",
    "its": "its",
    "his": "his",
    "as": "as",
    "us": "us",
    "plus": "plus",
    "minus": "minus",
    "versus": "versus",
    "gas": "gas",
    "bus": "bus",
    "less": "less",
    "movies": "movie",
    "cookies": "cookie",
    "ties": "tie",
}
SMALL = {
    word: value
    for value, word in enumerate(
        words(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
            "sixteen seventeen eighteen nineteen twenty"
        )
    )
}
SMALL |= {"dozen": 12, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100}
SCALES = {"thousand": 1_000, "k": 1_000, "million": 1_000_000, "mio": 1_000_000, "billion": 1_000_000_000}
EXTENSIONS = "csv|tsv|txt|parquet|xlsx|xls|jsonl|ndjson|json"

_PATTERN = re.compile(
    rf"""
    (?P<quoted>"[^"\n]*"|“[^”\n]*”|„[^“”\n]*[“”]|`[^`\n]*`|(?<![\w])'[^'\n]+'(?!\w)|‘[^’\n]*’(?!\w))
  | (?P<file>[\w][\w./\\-]*\.(?:{EXTENSIONS})\b)
  | (?P<iso>\d{{4}}-\d{{2}}(?:-\d{{2}})?(?!\d))
  | (?P<slashed>\d{{1,2}}[/.]\d{{1,2}}[/.]\d{{4}})
  | (?P<decade>'?\d{{1,3}}0['’]?s\b)
  | (?P<number>(?:[$€£]\s?)?(?:\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?:st|nd|rd|th)?(?=\D|$))
  | (?P<word>[^\W\d][\w]*(?:['’](?:s|t|re|ve|d|ll|m)\b)?|_\w+)
  | (?P<mark><=|>=|!=|<>|==|\*\*|[-+*/×÷=<>()%:;,.?!&|•²\[\]#]|→|–|—)
  | (?P<newline>\n[ \t]*(?:[-*•][ \t]+|\d+[.)][ \t]+)?)
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the request."""

    text: str
    word: str
    """Folded; of a contraction or a typing error, what is meant."""
    lemma: str
    """The word in the singular."""
    kind: Kind
    value: Any
    """A number, the text inside quotes, a path, a date or the first year of a decade."""
    start: int
    end: int
    possessive: bool = False
    hyphen: bool = False
    """A hyphen joins it to the token before."""

    @property
    def capitals(self) -> bool:
        """Whether it is written in capitals throughout, as a code is: `CAN`."""
        return self.kind == "word" and len(self.text) > 1 and self.text.isupper()

    def reads(self, *words: str) -> bool:
        """Return whether it is one of these words, in the singular or the plural."""
        return self.kind == "word" and (self.word in words or self.lemma in words)


@lru_cache(maxsize=4096)
def lemma(word: str) -> str:
    """Return a folded word in the singular."""
    if word in IRREGULAR:
        return IRREGULAR[word]
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def fold(text: str) -> str:
    """Return a text without case and accents."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(sign for sign in plain if not unicodedata.combining(sign)).casefold().replace("’", "'")


def tokenize(text: str, paths: Iterable[str] = ()) -> list[Token]:
    """Return the tokens of a request, in order. `paths`: file names that may hold spaces or lack a known ending."""
    text = re.sub(r"\b[eE]-(?=mails?\b)", "e", text)
    known = sorted({path for path in paths if path}, key=len, reverse=True)
    files = re.compile("|".join(rf"(?<!\w){re.escape(path)}(?!\w)" for path in known), re.IGNORECASE) if known else None
    tokens: list[Token] = []
    at = 0
    while at < len(text):
        found = files.match(text, at) if files else None
        if found:
            tokens.append(_token(text, found.span(), kind="file", value=found[0]))
            at = found.end()
            continue
        match = _PATTERN.match(text, at)
        if match is None:
            if not text[at].isspace():
                tokens.append(_token(text, (at, at + 1), kind="mark", value=None))
            at += 1
            continue
        tokens.extend(_made(match, text))
        at = match.end()
    return [
        replace(t, hyphen=True)
        if t.start and text[t.start - 1] == "-" and text[t.start - 2 : t.start - 1].isalnum()
        else t
        for t in tokens
    ]


def _token(
    text: str, span: tuple[int, int], *, kind: Kind, value: Any, word: str | None = None, owned: bool = False
) -> Token:
    raw = text[span[0] : span[1]]
    folded = word if word is not None else fold(raw)
    return Token(raw, folded, lemma(folded), kind, value, *span, owned)


def _made(match: re.Match[str], text: str) -> list[Token]:
    kind, raw, span = match.lastgroup or "", match[0], match.span()
    match kind:
        case "quoted" if re.search(rf"\.(?:{EXTENSIONS})$", raw[1:-1], re.IGNORECASE):
            return [_token(text, span, kind="file", value=raw[1:-1], word=fold(raw[1:-1]))]
        case "quoted":
            return [_token(text, span, kind="quoted", value=raw[1:-1])]
        case "file":
            return [_token(text, span, kind="file", value=raw)]
        case "iso":
            year, month, *day = (int(part) for part in raw.split("-"))
            whole = _date(year, month, day[0] if day else 1)
            return [_token(text, span, kind="date", value=(whole, "day" if day else "month"))] if whole else []
        case "slashed":
            first, second, year = (int(part) for part in re.split(r"[/.]", raw))
            whole = _date(year, first, second) or _date(year, second, first)
            sure = first > 12 or second > 12 or first == second
            return [_token(text, span, kind="date", value=(whole, "day" if sure else "unsure"))] if whole else []
        case "decade":
            year = int(re.sub(r"\D", "", raw))
            return [_token(text, span, kind="decade", value=year if year > 99 else 1900 + year)]
        case "number":
            digits = re.sub(r"[^\d.]|(?<=\d)(?:st|nd|rd|th)$", "", raw)
            return [_token(text, span, kind="number", value=float(digits) if "." in digits else int(digits))]
        case "newline":
            return [_token(text, span, kind="mark", value=None, word="¶")]
        case "mark":
            around = text[max(span[0] - 1, 0) : span[1] + 1]
            if raw == "-" and re.fullmatch(r"\w-\w", around) and not re.fullmatch(r"\d-\d", around):
                return []  # a hyphen inside a compound
            return [_token(text, span, kind="mark", value=None)]
    return _words(text, span)


def _words(text: str, span: tuple[int, int]) -> list[Token]:
    """Return a word, or the words of a contraction, or a number written out."""
    folded = fold(text[span[0] : span[1]])
    if folded.endswith("'s") and folded[:-2] not in ("what", "who", "where", "how", "that", "it", "there", "let"):
        return [_token(text, span, kind="word", value=None, word=folded[:-2], owned=True)]
    folded = re.sub(r"n't$", " not", folded)
    folded = re.sub(r"'(?:s|re|m)$", " is", folded)
    folded = re.sub(r"'(?:ve|d|ll)$", "", folded)
    expanded = CONTRACTIONS.get(folded, {"ca not": "can not", "wo not": "will not"}.get(folded, folded)).split()
    made = []
    for word in expanded:
        number = SMALL.get(word)
        if number is not None and word != "second":
            made.append(_token(text, span, kind="number", value=number, word=word))
        else:
            made.append(_token(text, span, kind="word", value=None, word=word))
    return made


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
