"""What a request is about: its language, its files, the words to look for in the data, and its best reading.

Of several files none is taken silently: the one named, the one the flow reads, the only one, or the one whose columns alone
make sense of the words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from headrace.nodes.wordlist import word_set

from .fields import Field, Fields, kind_of, words_of
from .grammar import Grammar
from .known import Known
from .naming import otherwise, said_words
from .reading import Reading, mend, read
from .situation import FileFacts, Situation
from .sketch import Sketch
from .tokens import Token, fold, lemma, tokenize
from .vocabulary import FILLERS, LOUD, NO_NAMES, NOT_ASKED, row_nouns

LANGUAGES = {
    "German": word_set(
        "der die das und nach mit je für ist nicht den dem ein eine bitte zeige alle ohne nur sortiere "
        "anzahl wie viele welche als oder pro von"
    ),
    "French": word_set(
        "le la les et des est une pour avec sans par dans quelle quel combien montre trier plus du qui sont au aux"
    ),
    "Spanish": word_set(
        "el los las y de por para con sin en una cuantos cual muestra ordena solo cambia mejor todas menos "
        "del cuál según"
    ),
    "Portuguese": word_set(
        "o os as e do da dos das por para com sem em uma quantos mostre ordem só partir inverte filmes a"
    ),
    "Italian": word_set("il gli le e di per con senza una quanti mostra ordina solo del della che sono quale"),
    "Dutch": word_set("de het een en van voor met zonder per hoeveel toon sorteer alleen alle niet welke zijn"),
}
ENGLISH = FILLERS | NOT_ASKED | LOUD
MOST_PHRASES = 150
LONGEST_PHRASE = 4
MOST_FILES = 12
INNER = word_set("of the and de la le du von van in on at for &")


@dataclass(frozen=True, slots=True)
class Subject:
    """A request read: against which columns, with which guess of a file."""

    reading: Reading
    known: Known
    guess: str | None
    named: tuple[str, ...]
    mended: tuple[tuple[str, str], ...]


def foreign(request: str) -> str | None:
    """Return the language of a request that is not English, as far as its small words tell."""
    letters = [sign for sign in request if sign.isalpha()]
    if letters and sum(ord(sign) > 0x24F for sign in letters) > len(letters) * 0.3:
        return "another language"
    words = re.findall(r"[^\W\d_]+", re.sub(r'["“„].*?["”]', " ", request).casefold())
    if len(words) < 2:
        return None
    english = sum(word in ENGLISH or lemma(word) in ENGLISH for word in words)
    scores = {name: sum(word in small for word in words) for name, small in LANGUAGES.items()}
    best = max(scores, key=lambda name: scores[name])
    return best if scores[best] >= 2 and scores[best] > english else None


def named_files(situation: Situation, tokens: Sequence[Token]) -> list[str]:
    """Return the files that a request names: by path, or by all the words of their name in a row."""
    found = []
    for token in tokens:
        if token.kind == "file":
            found += [
                f.path for f in situation.files if fold(f.path) == token.word or fold(f.path).endswith("/" + token.word)
            ]
    lemmas = [token.lemma for token in tokens if token.kind in ("word", "number", "quoted")]
    for file in situation.files:
        stem = words_of(file.path.replace("\\", "/").rsplit("/", 1)[-1].rsplit(".", 1)[0])
        if any(tuple(lemmas[at : at + len(stem)]) == stem for at in range(len(lemmas))):
            found.append(file.path)
    return list(dict.fromkeys(found))


def relevant(situation: Situation) -> tuple[str, ...]:
    """Return the files whose columns and values matter: those named and those read, else all that are at hand."""
    tokens = tokenize(situation.request, [file.path for file in situation.files])
    read_now = Sketch(situation).paths()
    named = named_files(situation, tokens)
    chosen = list(dict.fromkeys([*read_now, *named]))
    known = {file.path for file in situation.files}
    chosen = [path for path in chosen if path in known]
    return tuple(chosen or list(known and [file.path for file in situation.files])[:MOST_FILES])


def values_to_ask(situation: Situation, paths: Sequence[str]) -> tuple[str, ...]:
    """Return the phrases of a request that may stand in the data."""
    if not paths:
        return ()
    tokens = tokenize(situation.request, [file.path for file in situation.files])
    phrases: list[str] = []
    for at, token in enumerate(tokens):
        if token.kind == "quoted":
            phrases.append(token.value)
            continue
        for end in range(at + 1, min(at + LONGEST_PHRASE, len(tokens)) + 1):
            run = tokens[at:end]
            if any(t.kind not in ("word", "number") and t.word not in ".&-'" for t in run) or run[0].kind == "mark":
                break
            plain = [t for t in run if t.kind == "word" and (_is_plain(t) or _is_letter(t, run))]
            ends = (run[0], run[-1])
            if not plain or any(t.word in INNER | FILLERS | LOUD for t in ends if t.kind == "word" and t not in plain):
                continue
            phrases.append(next(iter(said_words(run))))
            phrases += otherwise(run)
    return tuple(dict.fromkeys(phrases))[:MOST_PHRASES]


def _is_plain(token: Token) -> bool:
    if token.capitals:
        return True  # CAN is a country where `can` is none
    return token.word not in NOT_ASKED and token.lemma not in NOT_ASKED


def _is_letter(token: Token, run: Sequence[Token]) -> bool:
    """Return whether a capital letter ends a name: `Dock A`."""
    return len(run) > 1 and token is run[-1] and len(token.text) == 1 and token.text.isupper()


def subject_of(situation: Situation, paths: Sequence[str], *, grammar: Grammar, words: frozenset[str]) -> Subject:
    """Return the best reading of a request: of the files named, or of the one file that makes sense of it."""
    tokens = tokenize(situation.request, [file.path for file in situation.files])
    named = named_files(situation, tokens)
    files = [file for file in situation.files if file.path in paths]
    settled = bool(named) or bool(situation.flow.nodes) or len(files) <= 1
    groups = [files] if settled else [[file] for file in files]
    readings = [_read(situation, group, tokens=tokens, grammar=grammar, words=words) for group in groups] or [
        _read(situation, [], tokens=tokens, grammar=grammar, words=words)
    ]
    order = sorted(range(len(readings)), key=lambda at: readings[at][0].cost)
    best = readings[order[0]]
    tied = len(order) > 1 and readings[order[1]][0].cost - best[0].cost < 0.3
    guess = named[0] if named else (groups[order[0]][0].path if groups and groups[order[0]] and not tied else None)
    return Subject(best[0], best[1], guess, tuple(named), best[2])


def _read(
    situation: Situation,
    files: Sequence[FileFacts],
    *,
    tokens: Sequence[Token],
    grammar: Grammar,
    words: frozenset[str],
) -> tuple[Reading, Known, tuple[tuple[str, str], ...]]:
    fields = [
        Field(column.name, kind_of(column.type), (file.path,), truths=_truths(file, at))
        for file in files
        for at, column in enumerate(file.columns)
    ]
    names = {field.name for field in fields}
    for columns in situation.columns.values():
        fields += [Field(column.name, kind_of(column.type)) for column in columns if column.name not in names]
    fields += [Field(name, "number") for name in new_names(tokens) if name not in names]
    paths = tuple(file.path for file in situation.files)
    wanted = {file.path for file in files}
    texts = {field.name for field in fields if field.kind in ("text", "bool")}
    values = tuple(
        (fold(v.words), v.column, v.value) for v in situation.values or () if v.path in wanted and v.column in texts
    )
    nouns = row_nouns(files)
    known = Known(Fields(fields, nouns), nouns, paths, tuple(dict.fromkeys(values)))
    ways = [(read(made, known, grammar), tuple(mended)) for made, mended in mend(tokens, known, words)]
    best = min(ways, key=lambda way: way[0].cost)
    return best[0], known, best[1]


def _truths(file: FileFacts, at: int) -> tuple[str, ...]:
    """Return how a column writes yes and no, where it holds nothing else."""
    if kind_of(file.columns[at].type) == "bool":
        return "true", "false"
    seen = {str(row[at]).casefold(): str(row[at]) for row in file.rows if at < len(row) and row[at] is not None}
    for yes, no in (("yes", "no"), ("y", "n"), ("true", "false")):
        if seen and set(seen) <= {yes, no}:
            return seen.get(yes, yes), seen.get(no, no)
    return ()


def new_names(tokens: Sequence[Token]) -> list[str]:
    """Return the names that a request gives to something new: before `=`, after `called`."""
    found = []
    for at, token in enumerate(tokens):
        if token.word in ("=", ":=") and at:
            before = at - 1
            run: list[Token] = []
            while (
                before >= 0
                and tokens[before].kind in ("word", "quoted")
                and tokens[before].word not in NO_NAMES
                and len(run) < 3
            ):
                run.insert(0, tokens[before])
                before -= 1
            if run:
                found.append(run[0].value if run[0].kind == "quoted" else "_".join(t.text for t in run))
        if token.word == "to" and at + 1 < len(tokens) and any(t.word.startswith("renam") for t in tokens[:at]):
            found.append(tokens[at + 1].value if tokens[at + 1].kind == "quoted" else tokens[at + 1].text)
        if token.word == "as" and at and "_" in tokens[at - 1].text:
            found.append(tokens[at - 1].text)
        if token.word in ("called", "named", "call", "as") and at + 1 < len(tokens):
            after = tokens[at + 1]
            if "_" in after.text or (token.word in ("called", "named") and after.kind in ("word", "quoted")):
                found.append(after.value if after.kind == "quoted" else after.text)
    return found
