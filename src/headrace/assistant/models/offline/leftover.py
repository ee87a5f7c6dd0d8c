"""Says what could not be placed in a request: the words, what comes near them, and one question. Guesses nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from headrace.nodes.catalog import Catalog
from headrace.nodes.spec import NodeType
from headrace.nodes.wordlist import word_set

from .doubts import listed
from .facts import Subject
from .fields import Field, Fields, kind_of
from .meaning import Cue
from .reading import Reading
from .situation import FileFacts, Part
from .tokens import Token, fold, lemma

MOST_COLUMNS = 30
LEADING = word_set("per by each every for of in on with from than")
"""In front of what cannot be placed these say nothing of it."""
DOES = {
    "Keep": "a condition",
    "By": "groups or an order",
    "Figures": "a figure to compute",
    "Show": "columns to show",
    "Order": "an order",
    "Top": "the first few",
    "UseFile": "the file to read",
    "JoinFiles": "files to match",
    "Write": "a file to write",
    "Draw": "a chart",
    "Question": "a question",
    "Derive": "a new column",
    "Share": "a share of the whole",
    "Round": "rounding",
    "Unique": "each once",
    "Omit": "columns to drop",
    "Rename": "new names",
    "DropMissing": "gaps to drop",
    "Fill": "gaps to fill",
    "Swap": "something to replace",
}


def question(subject: Subject, catalog: Catalog, files: Sequence[FileFacts]) -> str:
    """Return one question about the first words that found no place, with what comes near."""
    run = _first_run(subject.reading)
    phrase = " ".join(token.text for token in run)
    columns = [f.name for f in subject.known.fields.all if f.sources]
    if not columns:
        return f"I cannot place “{phrase}”, and there is no file whose columns I could look at. Which file do you mean?"
    there = f"There is no column or value called that; there are {listed(columns[:MOST_COLUMNS])}."
    elsewhere = _elsewhere(run, subject, files)
    if elsewhere:
        return f"I cannot place “{phrase}”. {elsewhere}"
    near = subject.known.fields.near(phrase)
    if near:
        return f"I cannot place “{phrase}”. {there} Did you mean {listed(near, 'or')}?"
    meant = [node_type for node_type in catalog.all() if _speaks_of(node_type, run)][:3]
    if meant:
        named = ", or ".join(f"{each.title} ({each.summary.rstrip('.')})" for each in meant)
        return f"I cannot place “{phrase}” here. It sounds like {named}. {there} Which columns or figures shall it be about?"
    hits = [hit.title for hit in catalog.search(phrase, 2)]
    nearest = f" The nearest things that I can do are {listed(hits)}." if hits else ""
    return f"I cannot place “{phrase}”. {there}{nearest} What do you mean by it?"


def placed(reading: Reading) -> tuple[Part, ...]:
    """Return what was understood of a request that cannot be acted on as a whole."""
    parts = [p for p in reading.understood if not isinstance(p.intent, Cue)]
    return tuple(
        Part(reading.words(p), f"{DOES.get(type(p.intent).__name__, 'understood')} (nothing is done yet)")
        for p in parts
    )


def _elsewhere(run: list[Token], subject: Subject, files: Sequence[FileFacts]) -> str:
    """Return where the words are a column of another file, and by what the two could be matched."""
    here = {source for f in subject.known.fields.all for source in f.sources}
    names = {f.name for f in subject.known.fields.all if f.sources}
    for file in files:
        if file.path in here:
            continue
        fields = Fields([Field(column.name, kind_of(column.type), (file.path,)) for column in file.columns])
        for end in range(len(run), 0, -1):
            _, found = fields.named([token.lemma for token in run[:end]])
            keys = [column.name for column in file.columns if column.name in names]
            if len(found) == 1:
                on = f" on `{keys[0]}`" if len(keys) == 1 else ""
                return f"`{found[0]}` is a column of `{file.path}`. Shall that be joined{on}? Say “join with {file.path}{on.replace('`', '')}” first."
    return ""


def _first_run(reading: Reading) -> list[Token]:
    """Return the first words that are left over, with those that follow at once."""
    run = [reading.left_over[0]]
    for token in reading.left_over[1:]:
        if token.start - run[-1].end > 1:
            break
        run.append(token)
    while len(run) > 1 and run[0].word in LEADING:
        run.pop(0)
    return run


def _speaks_of(node_type: NodeType, run: list[Token]) -> bool:
    words = {
        lemma(word) for text in (node_type.title, *node_type.synonyms) for word in re.findall(r"[a-z]+", fold(text))
    }
    return any(token.lemma in words for token in run)
