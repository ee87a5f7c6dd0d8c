"""The product does not know the request set by which it is judged.

The set lies beside the working copy, not in it; `request_set.json` keeps hashes of its case ids, file names, column names and requests, so
that the test holds where the set is not. Remake it after the set changed: `python -m tests.house.test_eval_honesty`.
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.sources import ROOT, kept, name_of, text_of

REQUESTS = ROOT.parent / "shared" / "requests"
HASHES = ROOT / "tests" / "house" / "request_set.json"
JUDGED = ("src/", "web/src/")
SUFFIXES = (".py", ".ts", ".tsx", ".json", ".md", ".txt", ".toml", ".sql", ".csv")
TOKEN = re.compile(r"[\w-]+(?:\.\w+)?")
LONGEST_NAME = 4  # words in one file name


def hashed(text: str) -> str:
    """Return a short hash of a text, ignoring case and spacing."""
    return hashlib.sha256(" ".join(text.casefold().split()).encode()).hexdigest()[:16]


def is_telling(name: str) -> bool:
    """Return whether a column or file name is one that nobody writes by chance."""
    return len(name) > 5 and ("_" in name or re.search(r"[a-z][A-Z]", name) is not None)


def column_names() -> Iterator[str]:
    """Yield the telling column names of the set's text files."""
    for path in (REQUESTS / "data").glob("*.csv"):
        head = path.read_text(encoding="utf-8-sig").splitlines()[0]
        yield from filter(is_telling, next(csv.reader([head], delimiter=";" if ";" in head else ",")))


def telling_names() -> set[str]:
    """Return everything in the set that the product could only have from the set."""
    cases = [json.loads(line) for line in (REQUESTS / "cases.jsonl").read_text().splitlines()]
    files = {path.name for path in (REQUESTS / "data").iterdir() if path.suffix and path.suffix not in (".md", ".py")}
    files |= {name for case in cases for name in case["files"]}
    stems = {Path(name).stem for name in files}
    turns = {turn for case in cases for turn in case["turns"] if len(turn.split()) > LONGEST_NAME}
    return {case["id"] for case in cases} | files | set(filter(is_telling, stems)) | turns | set(column_names())


def known_hashes() -> dict[str, int]:
    """Return the hashes of the set's telling names, each with its number of words."""
    if (REQUESTS / "cases.jsonl").exists():
        return {hashed(name): len(name.split()) for name in telling_names()}
    if HASHES.exists():
        return json.loads(HASHES.read_text())
    pytest.skip(f"neither the request set nor {name_of(HASHES)} is here")


def pieces(text: str, lengths: set[int]) -> Iterator[str]:
    """Yield every run of words of a text that could be a name of the set, and every quoted text whole."""
    for line in text.splitlines():
        tokens = TOKEN.findall(line)
        for length in range(1, LONGEST_NAME + 1):
            yield from (" ".join(tokens[at : at + length]) for at in range(len(tokens) - length + 1))
        words = line.strip().strip("\"',()[]").split()
        for length in filter(lambda n: n > LONGEST_NAME, lengths):
            yield from (" ".join(words[at : at + length]).strip("\"',()[]") for at in range(len(words) - length + 1))


def told(name: str, text: str, hashes: dict[str, int]) -> list[str]:
    """Return what a file of the product says that it can only have from the request set."""
    lengths = set(hashes.values())
    return sorted({f"{name}: {piece!r}" for piece in pieces(text, lengths) if hashed(piece) in hashes})


def test_the_product_names_no_case_file_column_or_request_of_the_set() -> None:
    hashes = known_hashes()
    files = [path for path in kept(*SUFFIXES) if name_of(path).startswith(JUDGED)]
    faults = [fault for path in files for fault in told(name_of(path), text_of(path), hashes)]
    assert not faults, "\n".join(["The product knows the request set by name:", *faults])


def test_the_kept_hashes_are_those_of_the_set() -> None:
    if not (REQUESTS / "cases.jsonl").exists():
        pytest.skip("the request set is not here")
    assert json.loads(HASHES.read_text()) == known_hashes(), "python -m tests.house.test_eval_honesty remakes them"


def test_a_planted_name_is_found() -> None:
    hashes = {hashed("q0a1b2c"): 1, hashed("bird notes.csv"): 2, hashed("the mean weight of every bird here"): 7}
    for planted in ('if case == "q0a1b2c":', 'open("Bird  notes.csv")', 'return "the mean weight of every bird here"'):
        assert told("src/a.py", planted, hashes), planted
    assert told("src/a.py", 'return "the mean weight"', hashes) == []


if __name__ == "__main__":
    HASHES.write_text(json.dumps(dict(sorted(known_hashes().items())), indent=0) + "\n")
