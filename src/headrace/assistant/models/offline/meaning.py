"""What parts of a request can mean: small frozen values that the grammar builds and `build` turns into nodes.

References to columns, values and times keep their candidates: whether two fit is decided where more is known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

Direction = Literal["up", "down", "best", "worst"]


# --- references -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ColumnRef:
    """Words for a column, with the columns that fit them equally well."""

    names: tuple[str, ...]
    words: str
    kinds: tuple[str, ...] = ()
    """What each of the columns holds: number, text, date, …"""

    def only(self, fits: Callable[[str, str], bool]) -> ColumnRef | None:
        """Return the candidates whose name and kind fit; None where none does."""
        kept = [(name, kind) for name, kind in zip(self.names, self.kinds, strict=True) if fits(name, kind)]
        return ColumnRef(tuple(n for n, _ in kept), self.words, tuple(k for _, k in kept)) if kept else None


@dataclass(frozen=True, slots=True)
class Role:
    """A column by what it is: `share`, `change`, `count`, `result`."""

    name: str


@dataclass(frozen=True, slots=True)
class ValueRef:
    """Words that stand in the data: (column, value as stored) for each place that holds them."""

    options: tuple[tuple[str, Any], ...]
    words: str


@dataclass(frozen=True, slots=True)
class Number:
    """A number as said."""

    value: float
    percent: bool = False
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """A text that the person quoted or wrote out."""

    value: str


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of time. `year` is the first year of a decade; a month, quarter or day may lack its year."""

    unit: Literal["year", "decade", "quarter", "month", "day", "weekday", "weekend"]
    year: int | None = None
    number: int | None = None
    """Of the quarter, month or weekday (Monday is 1)."""
    day: date | None = None
    sure: bool = True
    """False: month and day may be the other way round."""


@dataclass(frozen=True, slots=True)
class TimePart:
    """A part of a date: `month` of which column; None where the request does not say."""

    unit: str
    column: ColumnRef | None = None


@dataclass(frozen=True, slots=True)
class Items:
    """Several things in a row, in a rule's hands."""

    of: tuple[Any, ...]


NOTHING = Items(())


@dataclass(frozen=True, slots=True)
class Formula:
    """Arithmetic over columns: nested (operator, left, right) with references, numbers and formulas as leaves."""

    operator: str
    left: Any
    right: Any


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure over rows. `of` is a column, a formula, a row noun (`Rows`) or None."""

    function: str
    of: Any = None
    words: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Rows:
    """A noun for what a row is: `orders`. `known` is False where nothing in the data is called so."""

    words: str
    known: bool = True


@dataclass(frozen=True, slots=True)
class Superlative:
    """`heaviest`, `latest`: which way, and of which column; None: of whatever is ordered (`highest`)."""

    direction: Direction
    of: ColumnRef | None
    words: str


# --- conditions -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Test:
    """Something compared with something. `left` None: what the values or the context say."""

    left: Any
    op: str
    right: Any = None


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite of a condition."""

    of: Any


@dataclass(frozen=True, slots=True)
class Either:
    """One of several conditions."""

    of: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Both:
    """All of several conditions."""

    of: tuple[Any, ...]


# --- intents: what the request wants done -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep the rows that meet a condition."""

    condition: Any


@dataclass(frozen=True, slots=True)
class By:
    """`by X`: groups where figures are asked for, an order where not. `sure`: it can only be groups."""

    keys: tuple[Any, ...]
    sure: bool = False
    adds: bool = False


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures to compute."""

    measures: tuple[Measure, ...]


@dataclass(frozen=True, slots=True)
class Show:
    """Columns named, in order: to be kept (`only`), or mentioned."""

    items: tuple[Any, ...]
    only: bool = False


@dataclass(frozen=True, slots=True)
class Omit:
    """Columns to be dropped."""

    items: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Rename:
    """Columns renamed: (what, new name)."""

    pairs: tuple[tuple[Any, str], ...]


@dataclass(frozen=True, slots=True)
class Order:
    """An order: (what, direction or None) each; no keys: the order there is, or the figure there is."""

    keys: tuple[tuple[Any, Direction | None], ...] = ()
    direction: Direction | None = None


@dataclass(frozen=True, slots=True)
class Top:
    """The first or last rows of an order. `count` None: one, or all that share the place of `noun`."""

    count: int | None
    by: Any = None
    direction: Direction | None = None
    noun: Any = None


@dataclass(frozen=True, slots=True)
class Derive:
    """A new column; without a name it gets one."""

    name: str
    formula: Any


@dataclass(frozen=True, slots=True)
class Share:
    """Each row's part of the whole. `of` None: of the figure there is."""

    of: Any = None
    percent: bool = True
    places: int | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """The change to the row before. `relative`: as a part of the row before."""

    of: Any = None
    relative: bool = False
    percent: bool = False


@dataclass(frozen=True, slots=True)
class Rolling:
    """A figure over the last `count` rows (None: over all so far)."""

    function: str
    count: int | None
    of: Any = None


@dataclass(frozen=True, slots=True)
class Round:
    """Figures rounded to some places. `of` None: the last figure."""

    places: int
    of: Any = None


@dataclass(frozen=True, slots=True)
class DropMissing:
    """Rows dropped where something is missing; no items: where anything is."""

    items: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Fill:
    """Missing values replaced; no items: wherever the value fits."""

    method: str
    items: tuple[Any, ...] = ()
    value: Any = None


@dataclass(frozen=True, slots=True)
class Unique:
    """Each row once, or each combination of some columns once (`items`)."""

    items: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Convert:
    """Columns given another type."""

    items: tuple[Any, ...]
    to: str


@dataclass(frozen=True, slots=True)
class UseFile:
    """Read this file. `instead`: of the one that is read now."""

    path: str
    instead: bool = False


@dataclass(frozen=True, slots=True)
class JoinFiles:
    """Two tables matched by key. `left` or `right` None: the table there is. `take`: columns to add, all when empty."""

    left: str | None
    right: str | None
    on: tuple[tuple[Any, Any], ...] = ()
    how: str = "inner"
    take: tuple[Any, ...] = ()
    of: Any = None
    """What is looked for in the other file, for anti joins."""


@dataclass(frozen=True, slots=True)
class Stack:
    """Tables put below one another; no paths: all files at hand."""

    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Write:
    """The result written to a file."""

    path: str
    overwrite: bool = False


@dataclass(frozen=True, slots=True)
class Draw:
    """A chart of the result."""

    kind: str
    x: Any = None
    y: Any = None


@dataclass(frozen=True, slots=True)
class Question:
    """Something asked about the data or the flow."""

    about: str
    items: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Swap:
    """Something there is replaced by something else: `X instead of Y`, `change Y to X`. `old` None: found by kind."""

    new: Any
    old: Any = None


@dataclass(frozen=True, slots=True)
class Reverse:
    """The order turned round."""


@dataclass(frozen=True, slots=True)
class Remove:
    """A part of the flow taken out: by node type, or by the column that it speaks of."""

    what: str
    column: Any = None


@dataclass(frozen=True, slots=True)
class CallIt:
    """The last figure renamed."""

    name: str


@dataclass(frozen=True, slots=True)
class Cue:
    """A word that says how the request relates to what is there: `instead`, `also`, `then`, `new`."""

    kind: str


@dataclass(frozen=True, slots=True)
class UseNode:
    """A node type asked for by one of its own phrases, with the config that the phrase fills: (field, value) each."""

    type: str
    config: tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Cannot:
    """Something that no node type and no tool does."""

    what: str
