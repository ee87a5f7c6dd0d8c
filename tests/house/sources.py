"""The files of this working copy as the house tests see them: what is, or would be, under version control."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGE = ROOT / "src" / "headrace"
NOT_OURS = {
    ".git",
    ".venv",
    ".make",
    "node_modules",
    "__pycache__",
    "static",
    ".hypothesis",
    ".pytest_cache",
    ".ruff_cache",
}


@cache
def kept_files() -> tuple[Path, ...]:
    """Return every file that is under version control or would be with the next `git add`, sorted."""
    git = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if git.returncode:  # an unpacked archive
        found = [path for path in ROOT.rglob("*") if not NOT_OURS & set(path.relative_to(ROOT).parts)]
    else:
        found = [ROOT / name for name in git.stdout.decode().split("\0") if name]
    return tuple(sorted(path for path in found if path.is_file()))


def name_of(path: Path) -> str:
    """Return a file's name as people write it: from the root, with slashes."""
    return path.relative_to(ROOT).as_posix()


def kept(*suffixes: str, under: str = "") -> list[Path]:
    """Return the kept files under a folder that end in one of the suffixes; generated ones are left out."""
    return [
        path
        for path in kept_files()
        if path.suffix in suffixes and name_of(path).startswith(under) and ".gen." not in path.name
    ]


def text_of(path: Path) -> str:
    """Return a kept file's text."""
    return path.read_text(encoding="utf-8")


Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef


def definitions(text: str) -> Iterator[tuple[str, Definition, ast.AST]]:
    """Yield each class and function of a Python text: its dotted name, itself, and what it stands in."""
    pending: list[tuple[str, ast.AST]] = [("", ast.parse(text))]
    while pending:
        outer, node = pending.pop(0)
        for child in ast.iter_child_nodes(node):
            name = outer
            if isinstance(child, Definition):
                name = f"{outer}.{child.name}".lstrip(".")
                yield name, child, node
            pending.append((name, child))
