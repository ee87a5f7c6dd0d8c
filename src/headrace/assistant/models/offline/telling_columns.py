"""Settles what parts of a request mean once the columns are known: a name, a unit, pieces.

Refuses to build: it only puts a clearer meaning in the place of an open one, or asks.
"""

from __future__ import annotations

from dataclasses import replace

from .build_figures import quantities
from .conditions import replaced_tests
from .doubts import Unclear, listed
from .meaning import (
    By,
    ColumnRef,
    Cue,
    Figures,
    Keep,
    Measure,
    Number,
    Role,
    Show,
    Test,
    Top,
)
from .tokens import fold, lemma
from .units import dimension, unit_in
from .work import Work

NAME = Role("name")


def tell_columns(work: Work) -> None:
    """Give the parts of a request the meaning that the columns leave. Errors: Unclear."""
    _names(work)
    _ask_which_rows(work)
    _units(work)
    _pieces(work)


def _names(work: Work) -> None:
    """`name`, where no column is called so, is the column of text that the request speaks of: `which makers … ? name and price`."""
    open_shows = [p for p in work.parts if isinstance(p.intent, Show) and NAME in p.intent.items]
    if not open_shows:
        return
    spoken = [item for p in work.parts if isinstance(p.intent, Show) for item in p.intent.items]
    spoken += [key for p in work.parts if isinstance(p.intent, By) for key in p.intent.keys]
    texts = [item for item in spoken if isinstance(item, ColumnRef) and item.only(lambda _, kind: kind == "text")]
    nouns = {lemma(fold(word)) for p in work.parts if p.intent == Cue("rows") for word in work.words(p).split()}
    called = [f for f in work.sketch.columns() if f.kind == "text" and f.words and set(f.words) <= nouns]
    texts += [ColumnRef((f.name,), f.name, ("text",)) for f in called]
    if not texts:
        raise Unclear(f"There is no column “name”; there are {_all(work)}. Which one do you mean?")
    for part in open_shows:
        items = dict.fromkeys(texts[0] if item == NAME else item for item in part.intent.items)
        work.swap(part, replace(part.intent, items=tuple(items)))


def _all(work: Work) -> str:
    return listed(f.name for f in work.sketch.columns())


def _ask_which_rows(work: Work) -> None:
    """`open tickets`, where `opened` is a day: neither the column alone nor all rows are surely meant."""
    parts = [p for p in work.parts if p.intent != Cue("then")]
    match [p.intent for p in parts if isinstance(p.intent, Show)]:
        case [Show(items=(ColumnRef(kinds=("date",)) as item,), only=False)] if len(parts) == 2 and work.cue("rows"):
            raise Unclear(
                f"“{item.words}” comes near the column `{item.names[0]}`. Which rows are meant: those where it is filled, "
                "where it is empty, or all with that column only?"
            )


def _units(work: Work) -> None:
    """`above 60 kg` says its column by the unit, where one column alone has it."""
    for part in list(work.parts):
        match part.intent:
            case Keep(condition=condition):
                work.swap(part, Keep(replaced_tests(condition, lambda test: _by_unit(work, test))))
            case Figures(measures=measures):
                told = (replace(m, of=replaced_tests(m.of, lambda test: _by_unit(work, test))) for m in measures)
                work.swap(part, Figures(tuple(told)))


def _by_unit(work: Work, test: Test) -> Test:
    """Return a comparison without a left side with the one column that is in its unit."""
    match test:
        case Test(left=None, right=Number(unit=unit)) if measure := dimension(unit):
            fields = [f for f in work.sketch.columns() if f.kind == "number"]
            fits = [f for f in fields if dimension(unit_in(f.words)) == measure]
            if len(fits) == 1:
                return replace(test, left=work.ref(fits[0].name))
    return test


def _pieces(work: Work) -> None:
    """`orders of at least 5 pieces` compares each row's quantity where nothing is grouped."""
    fits = quantities(work.sketch.columns())
    if not work.fresh or work.has(By, Figures, Top) or len(fits) != 1:
        return

    def told(test: Test) -> Test:
        units = isinstance(test.left, Measure) and test.left.of == Role("units")
        return replace(test, left=work.ref(fits[0].name)) if units else test

    for part in [p for p in work.parts if isinstance(p.intent, Keep)]:
        work.swap(part, Keep(replaced_tests(part.intent.condition, told)))
