"""The columns at hand and the words people have for them. Refuses to choose: equally good columns stay candidates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from rapidfuzz.distance import OSA

from headrace.nodes.wordlist import word_set

from .grammar import Match
from .meaning import ColumnRef
from .tokens import Token, fold, lemma

LONGEST = 7
"""Words of a column's name at most."""
GLUE = word_set("of the in a an for at per to and")
ARTICLES = word_set("of the in a an")
"""What may stand between the words of a name that has none of them."""
UNITS = word_set(
    "mm cm m km g kg mg t c f k pct percent usd eur gbp min sec ms s h hr hrs ft in lb lbs mph kmh volts "
    "volt v w l ml mgl kw kwh mb gb o oo n deg"
)
BARE = word_set(
    "number count total sum unit piece first last top average mean median max min maximum minimum per all any each "
    "every new old day days only most least many much same other row rows value values column columns "
    "more less high low highest lowest best worst a an the of in by to and or is not no with from for on "
    "at"
)
"""Words that are too common to mean a column of which they are only a part."""
SHORT = {
    "qty": "quantity",
    "dept": "department",
    "mgr": "manager",
    "no": "number",
    "num": "number",
    "nr": "number",
    "amt": "amount",
    "addr": "address",
    "desc": "description",
    "dob": "birth",
    "tel": "phone",
    "yr": "year",
    "wt": "weight",
    "ht": "height",
    "avg": "average",
    "cnt": "count",
    "pct": "percent",
    "lang": "language",
    "cat": "category",
    "ref": "reference",
    "id": "identifier",
    "fname": "first",
    "lname": "last",
    "cust": "customer",
    "prod": "product",
    "inv": "invoice",
    "acct": "account",
    "src": "source",
    "tmp": "temperature",
    "vol": "volume",
}
ALIKE = tuple(
    frozenset(group.split())
    for group in (
        "weight mass weigh weighed weighing",
        "gender sex",
        "nation country",
        "town city",
        "surname last",
        "zip post postal",
        "phone telephone tel",
        "film movie",
        "salary pay wage earning earn paid",
        "cost price costing",
        "fare price",
        "firm company",
        "manufacturer maker",
        "birth birthday birthdate born",
        "purchase bought",
        "sale sold",
        "death died",
        "origin from",
        "destination dest to",
        "height altitude elevation alt",
        "precipitation rain rainfall",
        "mail email",
        "rating score",
        "duration length runtime last lasting lasted",
    )
)


@dataclass(frozen=True, slots=True)
class Field:
    """A column that a request may speak of."""

    name: str
    kind: str
    """number · text · date · time · bool · other."""
    sources: tuple[str, ...] = ()
    """The files that have it; empty for a column that a node or the request makes."""
    truths: tuple[str, ...] = ()
    """Of a column of yes and no: how yes and no are written."""
    written: str = ""
    """Its name in its file, where a join calls it otherwise."""
    extreme: bool = False
    """`min` in its name is the least and no minutes: there is a `max` beside it."""

    @property
    def words(self) -> tuple[str, ...]:
        """The name's words, folded, in the singular."""
        return words_of(self.name)


def kind_of(type_name: str) -> str:
    """Return what a DuckDB type is to a person."""
    name = type_name.upper()
    if name.startswith(("DATE", "TIMESTAMP")):
        return "date"
    if name.startswith("TIME"):
        return "time"
    if name.startswith("BOOL"):
        return "bool"
    if name.endswith("]") or name.startswith(("STRUCT", "MAP", "BLOB")):
        return "other"
    if name.startswith(("VARCHAR", "CHAR", "TEXT", "ENUM", "UUID", "STRING")):
        return "text"
    return "number"


@lru_cache(maxsize=8192)
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a column's or file's name: `wing_length_mm`, `bodyMass`, `Weight (kg)` fall apart."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])", " ", name)
    return tuple(lemma(word) for word in re.findall(r"[^\W_]+", fold(spaced)))


@lru_cache(maxsize=65536)
def likeness(said: str, written: str) -> float | None:
    """Return how far a said word is from a word of a name: 0 the same, None another word."""
    if said == written:
        return 0.0
    if SHORT.get(written) == said or SHORT.get(said) == written:
        return 0.1
    if len(written) >= 3 and said.startswith(written) and len(said) > len(written) + 1:
        return 0.1
    if len(said) >= 3 and written.startswith(said) and said not in BARE:
        return 0.15
    stem_said, stem_written = stem(said), stem(written)
    if len(stem_said) >= 4 and stem_said == stem_written:
        return 0.1
    if any(said in group and written in group for group in ALIKE):
        return 0.25
    return 0.3 if typo(said, written) else None


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return a word without the endings of verbs and nouns of doing: `hired`, `hire` and `hiring` meet."""
    while (
        len(word) > 4
        and (shorter := re.sub(r"(?:ing|ment|(?<=.{5})ion|tion|ance|ence|ed|er|al|e)$", "", word)) != word
        and len(shorter) > 2
    ):
        word = shorter
    return word[:-1] if len(word) > 3 and (word[-1] == word[-2] or word[-1] == "e") else word


@lru_cache(maxsize=65536)
def typo(said: str, written: str, most: int = 2) -> bool:
    """Return whether a word is a likely slip of the fingers for another one; `most` letters apart, in a short word one."""
    if (
        said == written
        or min(len(said), len(written)) < 4
        or said[0] != written[0]
        or said.isdigit()
        or written.isdigit()
    ):
        return False
    if len(said) == len(written) < 7 and sorted(said) != sorted(written):
        return False  # in a short word another letter makes another word
    return OSA.distance(said, written, score_cutoff=2) <= (1 if len(written) < 8 else most)


GENERIC = word_set("type kind name value code label number id group class level")
"""Words that may follow a column's name without meaning another column: `weather type`."""


def fit(said: Sequence[str], field: Field, *, loose: bool = False, nouns: frozenset[str] = frozenset()) -> float | None:
    """Return how far some words are from a column's name (0 is the name itself); None where they are not for it.

    `loose`: words that add nothing may stand beside it; `nouns` are what the rows are called.
    """
    left = list(field.words)
    units = UNITS - {"min"} if field.extreme else UNITS
    cost = 0.0
    for word in said:
        scored = [(found, at) for at, name in enumerate(left) if (found := likeness(word, name)) is not None]
        if not scored:
            if not loose or not _goes_without_saying(
                word, field, nouns=nouns if word in (said[0], said[-1]) and len(said) > 1 else None
            ):
                return None
            cost += 0.12
            continue
        best, at = min(scored)
        cost += best
        left.pop(at)
    own = [word for word in field.words if word not in units]
    missing = [word for word in left if word not in units and word not in GLUE]
    if missing and all(word in BARE or word in units for word in said):
        return None
    if len(left) == len(field.words) or (own and len(missing) == len(own)):
        return None
    return cost + 0.35 * len(missing)


def _goes_without_saying(word: str, field: Field, *, nouns: frozenset[str] | None) -> bool:
    """Return whether a word adds nothing to a column's name: that it is a date, its file, `type` at the end."""
    if word in ("date", "day", "time") and field.kind == "date":
        return True
    if word in GENERIC:
        return True
    if nouns is None:
        return False
    files = (words_of(source.rsplit("/", 1)[-1].rsplit(".", 1)[0]) for source in field.sources)
    return word in nouns or any(word in words for words in files)


def fit_joined(said: Sequence[str], field: Field) -> float | None:
    """Return how far words are from a name in which they are run together and cut: `rent per square metre`, `rentPerSqm`."""
    joined, name = "".join(said), "".join(word for word in field.words if word not in UNITS) or "".join(field.words)
    if len(name) < 5 or not joined.startswith(name) or len(joined) - len(name) > len(said[-1]) - 3:
        return None  # the name must end within the last word
    return 0.1 if joined == name else 0.2


class Fields:
    """The columns at hand, found by the words of a request."""

    def __init__(self, fields: Iterable[Field], nouns: frozenset[str] = frozenset()) -> None:
        self._nouns = nouns
        by_name: dict[str, Field] = {}
        for field in fields:
            known = by_name.get(field.name)
            if known:
                field = replace(known, sources=tuple(dict.fromkeys(known.sources + field.sources)))
            by_name[field.name] = field
        names = {tuple(field.words) for field in by_name.values()}
        for field in list(by_name.values()):
            if tuple("max" if word == "min" else word for word in field.words) in names - {field.words}:
                by_name[field.name] = replace(field, extreme=True)
        self.all = tuple(by_name.values())
        self._by_name = by_name

    def get(self, name: str) -> Field | None:
        """Return the column of that name."""
        return self._by_name.get(name)

    def ref(self, names: tuple[str, ...], words: str) -> ColumnRef:
        """Return a reference to some of these columns."""
        return ColumnRef(names, words, tuple(self._kind(name) for name in names))

    def _kind(self, name: str) -> str:
        field = self._by_name[name]
        return "flag" if field.truths and field.kind == "text" else field.kind

    def named(self, said: Sequence[str]) -> tuple[float, tuple[str, ...]]:
        """Return the columns that some words fit best, and how well; none where none fits."""
        scored = []
        for field in self.all:
            content = [word for word in said if word not in ARTICLES or word in field.words] or list(said)
            whole = len(content) == len(said)
            costs = (fit(content, field, loose=whole, nouns=self._nouns), fit_joined(said, field))
            best = min((cost for cost in costs if cost is not None), default=None)
            if best is not None:
                scored.append((best, field.name))
        if not scored:
            return 0.0, ()
        best = min(scored)[0]
        return best, tuple(name for cost, name in scored if cost <= best + 0.04)

    def near(self, said: str, limit: int = 3) -> list[str]:
        """Return the columns whose names come nearest to some words, the best first."""
        from_words = words_of(said)
        scored = []
        for field in self.all:
            distance = min((OSA.normalized_distance(a, b) for a in from_words for b in field.words), default=1.0)
            if distance < 0.45:
                scored.append((distance, field.name))
        return [name for _, name in sorted(scored)[:limit]]

    def matches(self, tokens: Sequence[Token], start: int) -> Iterator[Match]:
        """Yield the columns that the words from a token on can mean; longer and nearer readings are both given."""
        token = tokens[start] if start < len(tokens) else None
        if token is None or token.kind in ("file", "date", "decade"):
            return
        if token.kind == "quoted":
            field = next((f for f in self.all if fold(f.name) == fold(token.value)), None)
            if field:
                yield Match(start + 1, self.ref((field.name,), token.value))
            return
        yield from self._spelled_out(tokens, start)
        if token.kind == "mark" or token.word in GLUE or token.kind == "number":
            return
        said: list[str] = []
        for end in range(start + 1, min(start + LONGEST, len(tokens)) + 1):
            last = tokens[end - 1]
            if last.kind not in ("word", "number") or (last.kind == "number" and not isinstance(last.value, int)):
                break
            said += [part for part in (words_of(last.text) if "_" in last.text else (last.lemma,)) if part]
            cost, names = self.named(said)
            if names and last.word not in GLUE:
                words = " ".join(token.text for token in tokens[start:end])
                yield Match(end, self.ref(names, words), cost)

    def _spelled_out(self, tokens: Sequence[Token], start: int) -> Iterator[Match]:
        """Yield columns whose whole name stands there with its marks: `Unemployment Rate (%)`."""
        for field in self.all:
            parts = list(re.findall(r"\w+|[^\w\s]", fold(field.name)))
            if len(parts) < 2 or parts == ["_"]:
                continue
            said = "".join(fold(t.text) for t in tokens[start : start + len(parts) + 2])
            whole = re.sub(r"\s", "", fold(field.name))
            if said.startswith(whole):
                length = 0
                for end in range(start, len(tokens)):
                    length += len(tokens[end].text.replace(" ", ""))
                    if length == len(whole):
                        yield Match(end + 1, self.ref((field.name,), field.name))
                        break
                    if length > len(whole):
                        break
