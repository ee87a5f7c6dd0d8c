"""One word an idea, everywhere a person reads: code, interface and documents."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch

import pytest

from tests.house.sources import ROOT, kept, name_of, text_of

RULES = tomllib.loads((ROOT / "tests" / "house" / "words.toml").read_text())
INSTEAD: dict[str, str] = RULES["instead"]
READ = ("src/", "web/src/", "web/index.html", "docs/", "README.md", "AGENTS.md")
SUFFIXES = (".py", ".ts", ".tsx", ".css", ".html", ".md")
# camelCase and snake_case fall apart into their words.
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
NAMES_OF_PEOPLE = ("synonyms", "phrases")


def peoples_words(text: str) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of each list of words that people say: a node type's synonyms and phrases."""
    for node in ast.walk(ast.parse(text)):
        targets = [node.target] if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [])
        if any(isinstance(target, ast.Name) and target.id in NAMES_OF_PEOPLE for target in targets):
            yield node.lineno, node.end_lineno or node.lineno


def without_allowed(name: str, line: str) -> str:
    """Return a line with every phrase blanked that the rules allow in this file."""
    for rule in RULES["allowed"]:
        if fnmatch(name, rule["files"]):
            line = re.sub(rule["phrase"], lambda found: " " * len(found[0]), line, flags=re.IGNORECASE)
    return line


def faults_of(name: str, text: str) -> list[str]:
    """Return each refused word of a file with its line and what to say instead."""
    skipped = (
        [line for first, last in peoples_words(text) for line in range(first, last + 1)] if name.endswith(".py") else []
    )
    faults = []
    for number, line in enumerate(text.splitlines(), start=1):
        if number in skipped or not any(word in line.lower() for word in INSTEAD):
            continue
        for found in WORD.finditer(without_allowed(name, line)):
            word = found[0].lower()
            word = word if word in INSTEAD else word.removesuffix("s")
            if word in INSTEAD:
                faults.append(f"{name}:{number}: {found[0]!r}; say {INSTEAD[word]}: {line.strip()[:90]}")
    return faults


def test_no_refused_word_is_used() -> None:
    files = [path for path in kept(*SUFFIXES) if name_of(path).startswith(READ)]
    faults = [fault for path in files for fault in faults_of(name_of(path), text_of(path))]
    assert not faults, "\n".join(
        [*faults, "Where a word has another meaning, tests/house/words.toml may allow the phrase."]
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("src/headrace/flow/a.py", '"""Runs the workflow."""'),
        ("src/headrace/flow/a.py", "def runPipeline(): ..."),
        ("src/headrace/flow/a.py", "next_step = 1"),
        ("src/headrace/flow/a.py", "class ChatSession: ..."),
        ("web/src/canvas/A.tsx", "const linkColor = 1;"),
        ("web/src/canvas/A.tsx", "<p>Add a block</p>"),
        ("docs/architecture.md", "The graph has components."),
    ],
)
def test_a_planted_word_is_found(name: str, text: str) -> None:
    assert faults_of(name, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("src/headrace/flow/a.py", "import pydantic_graph"),
        ("src/headrace/nodes/library/a.py", 'class A:\n    synonyms = (\n        "graph",\n        "plot",\n    )\n'),
        ("web/src/ui/A.tsx", 'export const A = () => <div className="block p-2" />;'),
        ("web/src/ui/A.tsx", "// The components of the frame."),
        (
            "src/headrace/base/a.py",
            '"""Every wire type of the house; a symlink is refused; it would block the loop."""',
        ),
    ],
)
def test_a_word_that_belongs_to_others_may_stand(name: str, text: str) -> None:
    assert faults_of(name, text) == []
