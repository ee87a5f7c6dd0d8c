"""What begins at a place of a request, for every symbol that is no template: columns, values, numbers, files, names.

Terminals give every reading that the words allow, each with a cost; which one is meant the cover decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from .arithmetic import Arithmetic
from .degrees import Degrees
from .fields import Field, likeness, stem, words_of
from .grammar import Chart, Match
from .known import Known
from .meaning import Items, Number, Role, Rows, Text, ValueRef
from .naming import files_named, otherwise, said_words
from .times import periods
from .tokens import SCALES, Token, fold
from .vocabulary import (
    DONE,
    FILLERS,
    GROUPING,
    IRREGULAR_DONE,
    LOUD,
    NO_NAMES,
    ROLES,
    SOLD,
    UNIT_WORDS,
)


class Terminals:
    """What begins at a place of the request, for every symbol that is no template."""

    chart: Chart

    def __init__(self, tokens: Sequence[Token], known: Known) -> None:
        self.tokens = tokens
        self.known = known
        self._degrees = Degrees(tokens, known)
        self._values: dict[str, list[tuple[str, Any]]] = {}
        for words, column, value in known.values:
            self._values.setdefault(words, []).append((column, value))
        self._longest = max((len(words.split()) + words.count("-") for words in self._values), default=0) + 3

    def table(self) -> dict[str, Any]:
        """Return the terminals by symbol."""
        return {
            "column": self.columns,
            "done": self.done,
            "value": self.value,
            "values": self.value_list,
            "scalar": self.scalar,
            "scalars": self.scalar_list,
            "text": self.text,
            "number": self.number,
            "count": self.count,
            "quoted": self.quoted,
            "newname": self.newname,
            "anyname": self.anyname,
            "rows": self.rows,
            "file": self.file,
            "filepart": self.file_part,
            "newfile": self.newfile,
            "openfile": lambda at: self.file(at) if self.tokens[at : at + 1] and self.tokens[at].kind == "file" else (),
            "word": self.word,
            "happened": self.happened,
            "flag": self.flag,
            "flags": self.flags,
            "undone": self.undone,
            "undoneflag": self.undone_flag,
            "everyrow": self.every_row,
            "role": self.role,
            "period": lambda at: periods(self.tokens, at),
            "formula": lambda at: Arithmetic(self.chart, self.tokens).formulas(at),
            "operand": lambda at: Arithmetic(self.chart, self.tokens).operands(at),
            "columns": self.column_list,
        } | self._degrees.table()

    def _token(self, at: int) -> Token | None:
        return self.tokens[at] if at < len(self.tokens) else None

    # --- references -------------------------------------------------------------------------------------------------

    def columns(self, at: int) -> Iterator[Match]:
        """Yield columns, also `column X`, `X column`, `whatever (X)`."""
        token = self._token(at)
        if token is None:
            return
        lead = at + 1 if token.reads("column", "field") else at
        for match in self.known.fields.matches(self.tokens, lead):
            if match.end == lead + 1 and match.cost >= 0.3 and self.tokens[lead].lemma in self.known.rows:
                match = Match(
                    match.end, match.meaning, match.cost + 0.6
                )  # `orders` are rows before they are `order_id`
            yield match
            after = self._token(match.end)
            if after is not None and after.reads("column", "field", "variable"):
                yield Match(match.end + 1, match.meaning, match.cost)
            gloss = self._gloss(match.end)
            if gloss is not None and set(gloss.meaning.names) & set(match.meaning.names):
                yield gloss
        for length in (1, 2, 3):
            words = self.tokens[at : at + length]
            if not words:
                return
            gloss = self._gloss(at + length)
            if gloss is not None and all(word.kind == "word" and word.word not in FILLERS | LOUD for word in words):
                yield Match(gloss.end, gloss.meaning, 0.3)
                after = self._token(gloss.end)
                if after is not None and after.reads("column", "field"):
                    yield Match(gloss.end + 1, gloss.meaning, 0.3)

    def _gloss(self, at: int) -> Match | None:
        """Return the column that stands in brackets at a place: `altitude (alt)`."""
        token = self._token(at)
        if token is None or token.word != "(":
            return None
        for match in self.known.fields.matches(self.tokens, at + 1):
            after = self._token(match.end)
            if after is not None and after.word == ")":
                return Match(match.end + 1, match.meaning, match.cost)
        return None

    def done(self, at: int) -> Iterator[Match]:
        """Yield the column that a verb form speaks of: `hired`, `shipped`, `born`."""
        token = self._token(at)
        if token is None or token.kind != "word" or not (token.word.endswith("ed") or token.word in IRREGULAR_DONE):
            return
        names = tuple(
            field.name
            for field in self.known.fields.all
            if any(stem(token.word) == stem(word) or (likeness(token.word, word) or 1) <= 0.25 for word in field.words)
        )
        if names:
            dates = tuple(name for name in names if (field := self.known.fields.get(name)) and field.kind == "date")
            yield Match(at + 1, self.known.fields.ref(dates or names, token.text), 0.05)

    def undone(self, at: int) -> Iterator[Match]:
        """Yield the column of a verb form that says it did not happen: `unreturned`."""
        for field in self._undone(at):
            if not field.truths:
                yield Match(at + 1, self.known.fields.ref((field.name,), self.tokens[at].text), 0.1)

    def undone_flag(self, at: int) -> Iterator[Match]:
        """Yield the column of yes and no that such a form denies: `unpaid`."""
        for field in self._undone(at):
            if field.truths:
                ref = self.known.fields.ref((field.name,), self.tokens[at].text)
                yield Match(at + 1, Items((ref, *(Text(truth) for truth in field.truths))), 0.1)

    def _undone(self, at: int) -> list[Field]:
        token = self._token(at)
        if token is None or token.kind != "word" or not token.word.startswith("un") or len(token.word) < 6:
            return []
        rest = stem(token.word[2:])
        return [f for f in self.known.fields.all if any(stem(word) == rest for word in f.words)]

    def every_row(self, at: int) -> Iterator[Match]:
        """Yield `every order` where it means all of them, and not `for every order`."""
        token = self._token(at)
        if (
            token is not None
            and token.word in ("each", "every")
            and (at == 0 or self.tokens[at - 1].word not in GROUPING)
        ):
            for match in self.rows(at + 1):
                yield Match(match.end, match.meaning, match.cost)

    def flag(self, at: int) -> Iterator[Match]:
        """Yield columns that hold yes and no: `remote employees`, `with breakfast`."""
        for match in self.known.fields.matches(self.tokens, at):
            flags = match.meaning.only(lambda name, _: bool((field := self.known.fields.get(name)) and field.truths))
            if flags is not None and len(flags.names) == 1:
                field = self.known.fields.get(flags.names[0])
                assert field is not None
                yield Match(match.end, Items((flags, *(Text(truth) for truth in field.truths))), match.cost)

    def flags(self, at: int) -> Iterator[Match]:
        """Yield such columns in the plural, which speaks of rows: `no-shows`."""
        yield from (m for m in self.flag(at) if self.tokens[m.end - 1].word != self.tokens[m.end - 1].lemma)

    def rows(self, at: int) -> Iterator[Match]:
        """Yield nouns for rows, with an adjective of general meaning before them passed over."""
        token = self._token(at)
        if token is None or token.kind != "word":
            return
        things = ("one", "entry") if self._degrees.counts_units() else ("one", "entry", "piece", "unit")
        if token.lemma in self.known.rows or token.lemma in things:
            cost = (
                0.3
                if self.known.fields.named((token.lemma,))[0] == 0.0 and self.known.fields.named((token.lemma,))[1]
                else 0.0
            )
            yield Match(at + 1, Rows(token.text), cost)
            after = self._token(at + 1)
            if after is not None and after.lemma in self.known.rows:
                yield Match(at + 2, Rows(f"{token.text} {after.text}"), cost)

    def column_list(self, at: int) -> Iterator[Match]:
        """Yield one or more columns: `a, b and c`; also all that some words fit, where their number is said."""
        token = self._token(at)
        said_number = (
            token.value
            if token is not None and token.kind == "number"
            else {"both": 2, "all": 0}.get(token.word if token else "", -1)
        )
        if said_number in (0, 2, 3, 4):
            for match in self.chart.at("column", at + 1):
                told = match.end > at + 1 and self.tokens[match.end - 1].reads("column", "field")
                if told and len(match.meaning.names) == (said_number or len(match.meaning.names)):
                    refs = tuple(self.known.fields.ref((name,), match.meaning.words) for name in match.meaning.names)
                    yield Match(match.end, Items(refs), match.cost)
        yield from self._listed("column", at, {",", "and", "&", "/", "+", "plus", ";", "¶"})

    def _listed(self, symbol: str, at: int, separators: set[str]) -> Iterator[Match]:
        """Yield lists of a symbol; the longest readings first."""
        for match in self.chart.at(symbol, at):
            yield Match(match.end, Items((match.meaning,)), match.cost)
            place = match.end
            while place < len(self.tokens) and self.tokens[place].word in separators and place < match.end + 2:
                place += 1
            if place > match.end:
                while place < len(self.tokens) and self.tokens[place].word in ("the", "a"):
                    place += 1
                more = self.column_list(place) if symbol == "column" else self._listed(symbol, place, separators)
                for rest in more:
                    yield Match(rest.end, Items((match.meaning, *rest.meaning.of)), match.cost + rest.cost)

    def value(self, at: int) -> Iterator[Match]:
        """Yield words that stand in the data."""
        token = self._token(at)
        if token is None or not self._values:
            return
        for end in range(at + 1, min(at + self._longest, len(self.tokens)) + 1):
            said = said_words(self.tokens[at:end])
            options = next((self._values[form] for form in said if form in self._values), None)
            if options:
                words = self.tokens[at].text if end == at + 1 else " ".join(t.text for t in self.tokens[at:end])
                yield Match(end, ValueRef(tuple(dict.fromkeys(options)), words), 0.1)
        for form in otherwise(self.tokens[at : at + 1]):
            if form in self._values:
                yield Match(at + 1, ValueRef(tuple(dict.fromkeys(self._values[form])), token.text), 0.3)
        yield from self._glossed_value(at)

    def _glossed_value(self, at: int) -> Iterator[Match]:
        """Yield the value that stands in brackets behind words of no other meaning: `Apple (AAPL)`."""
        for length in (1, 2, 3):
            opening = self._token(at + length)
            if opening is None or opening.word != "(":
                continue
            words = self.tokens[at : at + length]
            if all(word.kind == "word" and word.word not in FILLERS | LOUD for word in words):
                for match in self.chart.at("value", at + length + 1):
                    closing = self._token(match.end)
                    if closing is not None and closing.word == ")":
                        yield Match(match.end + 1, match.meaning, 0.3)

    def value_list(self, at: int) -> Iterator[Match]:
        """Yield one or more values: `A, B or C`."""
        yield from self._listed("value", at, {",", "and", "or", "&", "/", "nor"})

    def scalar(self, at: int) -> Iterator[Match]:
        """Yield a value, a quoted text, a number or a truth."""
        yield from self.chart.at("value", at)
        yield from self.chart.at("quoted", at)
        yield from self.chart.at("number", at)
        token = self._token(at)
        if token is not None and token.word in ("true", "false", "yes", "no"):
            yield Match(at + 1, Text(token.word), 0.3)

    def scalar_list(self, at: int) -> Iterator[Match]:
        """Yield one or more scalars."""
        yield from self._listed("scalar", at, {",", "and", "or", "&", "/", "nor"})

    # --- plain things -----------------------------------------------------------------------------------------------

    def quoted(self, at: int) -> Iterator[Match]:
        """Yield a quoted text."""
        token = self._token(at)
        if token is not None and token.kind == "quoted":
            yield Match(at + 1, Text(token.value), 0.1)

    def text(self, at: int) -> Iterator[Match]:
        """Yield a quoted text or a single word taken as it is written."""
        yield from self.chart.at("quoted", at)
        token = self._token(at)
        if token is not None and token.kind == "word" and token.word not in FILLERS:
            yield Match(at + 1, Text(token.text), 0.3)

    def number(self, at: int) -> Iterator[Match]:
        """Yield numbers with their sign, scale, percent and unit."""
        token = self._token(at)
        if token is None:
            return
        if token.word in ("-", "minus") and (after := self._token(at + 1)) is not None and after.kind == "number":
            yield from (Match(m.end, replace(m.meaning, value=-m.meaning.value), m.cost) for m in self.number(at + 1))
            return
        if (
            token.word in ("a", "an", "one")
            and (after := self._token(at + 1)) is not None
            and after.lemma in ("hour", "day", "minute", "year", "week", "month")
        ):
            yield Match(at + 2, Number(1, unit=after.lemma))
        if token.kind != "number":
            return
        value, end = token.value, at + 1
        after = self._token(end)
        if after is not None and after.word in SCALES and (after.word != "k" or after.start == token.end):
            value, end = value * SCALES[after.word], end + 1
            after = self._token(end)
        if after is not None and (after.word in ("%", "percent", "pct") or after.lemma == "percent"):
            yield Match(end + 1, Number(value, percent=True))
            return
        if after is not None and after.kind == "word" and (after.lemma in UNIT_WORDS or after.word in UNIT_WORDS):
            yield Match(end + 1, Number(value, unit=after.lemma), 0.01)
        yield Match(end, Number(value))

    def count(self, at: int) -> Iterator[Match]:
        """Yield a whole number."""
        token = self._token(at)
        if token is not None and token.kind == "number" and isinstance(token.value, int) and token.value < 1_000_000:
            yield Match(at + 1, token.value)

    def newname(self, at: int) -> Iterator[Match]:
        """Yield a name for something new: quoted, one word, or a few."""
        token = self._token(at)
        if token is None or token.kind not in ("word", "quoted"):
            return
        if token.kind == "quoted":
            yield Match(at + 1, token.value)
            return
        for length in (1, 2, 3):
            words = self.tokens[at : at + length]
            if len(words) == length and all(w.kind == "word" and w.word not in LOUD | NO_NAMES for w in words):
                yield Match(at + length, "_".join(w.text for w in words), 0.15 * (length - 1))

    def anyname(self, at: int) -> Iterator[Match]:
        """Yield a name where one must follow: any word will do."""
        yield from self.newname(at)
        token = self._token(at)
        if token is not None and token.kind == "word" and token.word in NO_NAMES and token.word not in LOUD:
            yield Match(at + 1, token.text, 0.1)

    def word(self, at: int) -> Iterator[Match]:
        """Yield any word."""
        token = self._token(at)
        if token is not None and token.kind == "word":
            yield Match(at + 1, token.word, 0.1)

    def happened(self, at: int) -> Iterator[Match]:
        """Yield a verb form that says that something took place, and is no value of the data."""
        token = self._token(at)
        if token is not None and token.word in self._values:
            return
        if (
            token is not None
            and token.kind == "word"
            and (token.word.endswith("ed") or token.word in SOLD | DONE | IRREGULAR_DONE)
        ):
            yield Match(at + 1, token.word)

    def file(self, at: int) -> Iterator[Match]:
        """Yield a file at hand: by its name, or by all the words of its name, or by some and the word `file`."""
        token = self._token(at)
        if token is None:
            return
        if token.kind == "file":
            path = next(
                (p for p in self.known.paths if fold(p) == token.word or fold(p).endswith("/" + token.word)), None
            )
            if path:
                yield Match(at + 1, path)
            return
        if token.kind not in ("word", "quoted"):
            return
        for length in (1, 2, 3, 4):
            words = self.tokens[at : at + length]
            said = [part for t in words for part in (words_of(t.text) if "_" in t.text else (t.lemma,))]
            if len(words) == length and all(t.kind in ("word", "number") for t in words):
                after = self._token(at + length)
                told = after is not None and after.reads("file", "table", "data", "dataset", "sheet")
                fits = files_named(said, self.known.paths, part=told)
                if len(fits) == 1:
                    yield Match(at + length, fits[0], 0.25 if not told else 0.1)

    def file_part(self, at: int) -> Iterator[Match]:
        """Yield the one file of several that a word of its name tells apart: `January` of two months."""
        token = self._token(at)
        if token is not None and token.kind in ("word", "number") and len(self.known.paths) > 1:
            fits = files_named([token.lemma], self.known.paths, part=True)
            if len(fits) == 1:
                yield Match(at + 1, fits[0])

    def newfile(self, at: int) -> Iterator[Match]:
        """Yield a file name, known or not."""
        token = self._token(at)
        if token is not None and token.kind == "file":
            yield Match(at + 1, token.value)

    def role(self, at: int) -> Iterator[Match]:
        """Yield a word for a column by what it is: `the share`, `that`."""
        token = self._token(at)
        if token is not None and token.word == "name" and not self.known.fields.named(("name",))[1]:
            yield Match(at + 1, Role("name"), 0.1)
        if token is not None and token.word in ("date", "time") and not self.known.fields.named((token.word,))[1]:
            yield Match(at + 1, Role("time"), 0.1)
        if token is not None and token.kind == "word" and (role := ROLES.get(token.word) or ROLES.get(token.lemma)):
            yield Match(at + 1, Role(role), 0.1)
