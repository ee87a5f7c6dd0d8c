"""The state of one request being turned into a sketch: the sketch, what its made columns are, and the account so far."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from .doubts import Unclear
from .expressions import Here, measure_key
from .fields import Field, stem
from .meaning import ColumnRef, Cue, Measure, Rows
from .reading import Understood
from .situation import Part
from .sketch import Piece, Sketch
from .sql_words import quoted


@dataclass(slots=True)
class Work:
    """What the builders share."""

    sketch: Sketch
    parts: list[Understood]
    """The request's intents that are not dealt with yet, in order."""
    words: Callable[[Understood], str]
    nouns: frozenset[str]
    roles: dict[str, str] = field(default_factory=dict)
    percents: set[str] = field(default_factory=set)
    account: list[tuple[int, Part]] = field(default_factory=list)
    guess: str | None = None
    """The file to read where the request names none."""
    asked: frozenset[type] = frozenset()
    """The kinds of intents that the request began with."""
    pending: list[Understood] = field(default_factory=list)
    """New columns whose own columns are not there yet."""
    made: list[str] = field(default_factory=list)
    """Columns that this request made, in order."""
    fresh: bool = True
    """The flow was empty, or is begun anew."""
    compared: list[str] = field(default_factory=list)
    """Columns of numbers that the request's conditions compare."""
    kept: list[str] = field(default_factory=list)
    """Columns that belong to what is asked for beside those that are listed."""
    continues: bool = False
    """The request begins with `then`: an order is added to the one that is there."""
    hidden: list[str] = field(default_factory=list)
    """Columns that only serve an order and are dropped at the end."""

    def __post_init__(self) -> None:
        for piece in self.sketch.main:
            self._remember(piece)

    # --- intents ----------------------------------------------------------------------------------------------------

    def take(self, *kinds: type) -> list[Understood]:
        """Return the intents of some kinds, in order, and take them off the list."""
        found = [part for part in self.parts if isinstance(part.intent, kinds)]
        self.parts = [part for part in self.parts if not isinstance(part.intent, kinds)]
        return found

    def has(self, *kinds: type) -> bool:
        """Return whether an intent of some kinds is left."""
        return any(isinstance(part.intent, kinds) for part in self.parts)

    def cue(self, kind: str) -> bool:
        """Return whether a word such as `instead` or `also` stands in the request."""
        return any(isinstance(part.intent, Cue) and part.intent.kind == kind for part in self.parts)

    def swap(self, part: Understood, intent: Any) -> None:
        """Put another meaning in the place of a part's."""
        self.parts[self.parts.index(part)] = Understood(intent, part.start, part.end)

    def add(self, part: Understood, intent: Any) -> None:
        """Add a meaning that a part has beside its own, at its place in the request."""
        self.parts.append(Understood(intent, part.start, part.end))
        self.parts.sort(key=lambda each: each.start)

    def tell(self, part: Understood | str, became: str, *, assumed: bool = False) -> None:
        """Note in the account what became of a part of the request."""
        words, place = (part, 10_000) if isinstance(part, str) else (self.words(part), part.start)
        self.account.append((place, Part(words, became, assumed)))

    def assume(self, part: Understood | str, assumed: Iterable[str]) -> None:
        """Note in the account what was taken for granted, each once."""
        for words in dict.fromkeys(assumed):
            self.tell(part, words, assumed=True)

    # --- pieces -----------------------------------------------------------------------------------------------------

    def put(self, type_name: str, config: dict[str, Any], *, at: int | None = None, **more: Any) -> Piece:
        """Put a new piece into the main path, at its end where no place is said."""
        piece = self.sketch.piece(type_name, config, **more)
        self.sketch.main.insert(len(self.sketch.main) if at is None else at, piece)
        return piece

    def formula(self, name: str, expression: str, at: int, *, kind: str = "number", role: str = "figure") -> None:
        """Put a formula for one column into the main path and remember the column; a `time …` is no figure."""
        self.put("formula", {"columns": [{"name": name, "expression": expression}]}, at=at, makes={name: kind})
        self.made.append(name)
        self.roles[role] = name
        if not role.startswith("time "):
            self.roles["figure"] = name
        else:
            self.roles.pop("figure", None)

    # --- columns ----------------------------------------------------------------------------------------------------

    def here(self, upto: int | None = None) -> Here:
        """Return the columns behind a place; behind the last piece by default."""
        return Here(self.sketch.columns(upto), dict(self.roles), self.nouns, frozenset(self.percents))

    def earliest(self, make: Callable[[Here], Any], *, start: int | None = None) -> tuple[int, Any, list[str]] | None:
        """Return the first place at which something can be made, what it is there, and what was taken for granted."""
        doubt: Unclear | None = None
        for at in range(self.sketch.after_sources() if start is None else start, len(self.sketch.main) + 1):
            here = self.here(at)
            try:
                made = make(here)
            except Unclear as unclear:
                doubt = doubt or unclear
                continue
            if made is not None:
                return at, made, here.assumed
        if doubt:
            raise doubt
        return None

    def field(self, ref: Any, upto: int | None = None) -> Field:
        """Return the column that a reference means at a place. Errors: Unclear where there is none or more than one."""
        found = self.here(upto).find(ref)
        if found is None:
            raise Unclear(self.absent(ref, upto))
        return found

    def absent(self, ref: Any, upto: int | None = None) -> str:
        """Return the question about a column that is not there (any more)."""
        names = ", ".join(f"`{f.name}`" for f in self.sketch.columns(upto)) or "none"
        words = getattr(ref, "words", "") or getattr(ref, "name", "") or "that"
        return f"At this point there is no column “{words}”; there are {names}. Which one do you mean?"

    def ref(self, name: str) -> ColumnRef:
        """Return a reference to a column of numbers by its name."""
        return ColumnRef((name,), name, ("number",))

    def unused(self, name: str, upto: int | None = None) -> str:
        """Return a name that no column has."""
        return unlike(name, (f.name for f in self.sketch.columns(upto)))

    # --- what the flow holds already --------------------------------------------------------------------------------

    def _remember(self, piece: Piece) -> None:
        if piece.type == "aggregate":
            for measure in piece.config.get("measures", ()):
                self.remember(measure)
        if piece.type == "formula":
            for column in piece.config.get("columns", ()):
                self._remember_formula(column["name"], column["expression"])
        if piece.type == "select":
            renames = piece.config.get("rename", {})
            self.roles = {role: renames.get(name, name) for role, name in self.roles.items()}
            self.percents |= {new for old, new in renames.items() if old in self.percents}

    def _remember_formula(self, name: str, expression: str) -> None:
        if "date_trunc('" in expression or re.match(r"(year|month|quarter|hour|dayname)\(", expression):
            self.roles[f"time {time_unit(expression)}"] = name
            return
        if name in self.roles.values() and quoted(name) in expression:
            return  # rounded in place
        self.roles["second of two"] = self.roles.get("figure", "")
        self.roles["figure"] = name
        if "OVER ()" in expression:
            self.roles["share"] = name
        elif "lag(" in expression:
            self.roles["change"] = name
        if "100.0 *" in expression:
            self.percents.add(name)

    def remember(self, measure: dict[str, Any]) -> None:
        """Remember a figure of an aggregate node under what it is."""
        name = measure["name"]
        function = measure.get("function") or "figure"
        of = ColumnRef((measure["column"],), "", ("number",)) if measure.get("column") else Rows("rows")
        self.roles[measure_key(Measure(function, of))] = name
        self.roles[function] = name
        self.roles["first of two"] = self.roles.get("figure", "")
        self.roles["second of two"] = name
        self.roles["figure"] = name


def unlike(name: str, taken: Iterable[str]) -> str:
    """Return a name that is not taken: `name`, or `name_2`, `name_3` …"""
    there = {each.casefold() for each in taken}
    tries = itertools.chain((name,), (f"{name}_{number}" for number in itertools.count(2)))
    return next(each for each in tries if each.casefold() not in there)


def time_unit(expression: str) -> str:
    """Return the unit of time that a formula takes out of a date."""
    found = re.search(r"date_trunc\('(\w+)'", expression) or re.match(r"(\w+)\(", expression)
    unit = found[1] if found else ""
    return {"dayname": "weekday"}.get(unit, unit)


def stems(words: Iterable[str]) -> frozenset[str]:
    """Return the stems of words."""
    return frozenset(stem(word) for word in words)
