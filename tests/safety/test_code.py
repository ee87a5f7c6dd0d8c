"""What the product's code may do at all: nothing evaluates text, and each way out of the process has one named home.

A new module that opens, connects, starts or loads something fails here until it is listed with its reason.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import headrace

PACKAGE = Path(headrace.__file__).parent

NEVER_CALLED = frozenset({"eval", "exec", "compile", "__import__", "breakpoint", "input"})
"""Builtins that turn text into deeds, or wait for a keyboard."""
NEVER_IMPORTED = frozenset(
    [
        "pickle",
        "cPickle",
        "marshal",
        "shelve",
        "dill",
        "cloudpickle",
        "joblib",
        "ctypes",
        "cffi",
        "code",
        "codeop",
        "runpy",
        "pdb",
        "imp",
        "pty",
        "telnetlib",
        "ftplib",
        "smtplib",
        "poplib",
        "imaplib",
        "nntplib",
        "xmlrpc",
        "socketserver",
        "http.server",
        "http.client",
        "urllib.request",
        "urllib3",
        "requests",
        "httpx",
        "aiohttp",
        "websockets",
        "websocket",
        "paramiko",
        "multiprocessing",
        "subprocess",
        "commands",
        "webbrowser",
        "xml.etree",
        "xml.sax",
        "xml.dom",
        "lxml",
        "yaml",
        "toml",
        "jinja2",
        "mako",
    ]
)
"""Loading objects from bytes, starting programs, calling out by a way that the egress client does not guard."""

IMPORTED_BY: dict[str, dict[str, str]] = {
    "socket": {
        "web/address.py": "asks for this machine's own name",
        "cli/serve.py": "listens on the port that the person named",
    },
    "httpx2": {"nodes/egress.py": "the one client that sends"},
    "openai": {"assistant/models/compatible.py": "speaks to a model through that client"},
    "importlib": {
        "nodes/catalog.py": "walks the library of node types",
        "cli/main.py": "loads the chosen command's module",
    },
    "pkgutil": {"nodes/catalog.py": "walks the library of node types"},
    "duckdb": {
        "nodes/binder.py": "binds queries on empty tables, shut in",
        "nodes/declared.py": "writes types as DuckDB does",
        "nodes/reading": "looks at the heads of files that the resolver gave",
        "engine": "runs, shut in to the run's files",
        "workspace/searching.py": "knows DuckDB's errors",
    },
    "sqlite3": {
        "nodes/search.py": "a search index in memory",
        "store/sql.py": "the database",
        "store/failures.py": "the database's errors in words",
    },
    "sqlalchemy": {"store": "the database"},
    "uvicorn": {"cli/serve.py": "serves"},
    "vl_convert": {"nodes/charts/picture.py": "draws charts, with no address allowed"},
    "python_calamine": {"nodes/reading/workbook.py": "reads workbooks"},
    "xlsxwriter": {"nodes/sheets.py": "writes workbooks"},
    "zipfile": {"nodes/reading/workbook.py": "looks at the parts of a workbook; extracts nothing"},
    "gzip": {"nodes/reading": "reads packed text"},
    "shutil": {
        "app.py": "copies the sample's data",
        "engine/database.py": "removes a run's own folder",
        "cli/screen.py": "asks how wide the terminal is",
        "workspace/receiving.py": "removes its own folder of parts",
    },
    "tempfile": {
        "engine": "a run's own folder",
        "cli/ending.py": "where an error is written down",
        "workspace/receiving.py": "parts of a file on their way in",
    },
    "fcntl": {"app.py": "locks the data folder"},
}
"""Modules that may be imported only where it says, each with its reason."""

CONNECTED_BY: dict[str, str] = {
    "nodes/binder.py": "empty tables in memory",
    "nodes/reading": "heads of files that the resolver gave",
    "nodes/search.py": "a search index in memory",
    "engine/database.py": "a run's own database, shut in to the run's files",
    "store/sql.py": "the database of the data folder",
}
"""Modules that may open a database, each with its reason."""

OPENED_BY: dict[str, str] = {
    "app.py": "the lock of the data folder, and the sample",
    "cli/flow_files.py": "flow files that the person named",
    "cli/running.py": "looks whether the file for the answer can be written",
    "cli/ending.py": "writes errors down",
    "cli/main.py": "the null device, once the reader has gone",
    "engine/context.py": "stages rows for the database in the run's own folder",
    "assistant/models/offline/rules/__init__.py": "the grammar, files of the package itself",
    "workspace/receiving.py": "a file on its way into the data folder, before the resolver puts it there",
    "nodes/files.py": "puts a finished file in its place",
    "nodes/library/output/chart.py": "draws into the file that the resolver gave",
    "nodes/reading": "looks at files that the resolver gave",
    "nodes/sheets.py": "removes a workbook that was not finished",
    "store/sql.py": "the database's file",
    "engine/database.py": "the run's own folder",
}
"""Modules that may open, make, move or remove files, each with its reason."""
OPENS = frozenset(
    {"open", "read_text", "write_text", "read_bytes", "write_bytes", "unlink", "touch", "mkdir", "rmdir", "rmtree"}
    | {"copy2", "copyfile", "symlink_to", "hardlink_to", "mkdtemp", "makedirs", "fdopen", "NamedTemporaryFile"}
)


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Give every module of the product with its place in the package."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if "static" not in path.parts:
            yield path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def may(place: str, homes: dict[str, str]) -> bool:
    """Return whether a module is one of these, or lies in a room of these."""
    return any(place == home or place.startswith(f"{home}/") for home in homes)


def imports(tree: ast.Module) -> Iterator[str]:
    """Give every module that is imported, wherever it stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def calls(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """Give the name of everything that is called, and whether it is called on something."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                yield node.func.id, False
            elif isinstance(node.func, ast.Attribute):
                yield node.func.attr, True


def faults(place: str, tree: ast.Module) -> list[str]:
    """Return what a module does and may not."""
    found: list[str] = []
    for name, on_something in calls(tree):
        if name in NEVER_CALLED and not on_something:
            found.append(f"{place} calls {name}()")
        if name in OPENS and not may(place, OPENED_BY):
            found.append(f"{place} calls {name}(), which opens, makes or removes files")
        if name in ("connect", "create_engine") and not may(place, CONNECTED_BY):
            found.append(f"{place} calls {name}()")
        if name in ("system", "popen", "fork", "execv", "execve", "spawnv", "posix_spawn", "startfile"):
            found.append(f"{place} calls {name}()")
    for name in imports(tree):
        parts = name.split(".")
        heads = {".".join(parts[:length]) for length in range(1, len(parts) + 1)}
        if heads & NEVER_IMPORTED:
            found.append(f"{place} imports {name}")
        found += [f"{place} imports {name}" for head in heads & IMPORTED_BY.keys() if not may(place, IMPORTED_BY[head])]
    return sorted(set(found))


def test_no_module_does_what_it_may_not() -> None:
    found = [fault for place, tree in modules() for fault in faults(place, tree)]
    assert not found, "\n".join(found)


def test_every_home_that_is_listed_is_there() -> None:
    """A list that names what is gone lets the next one in unseen."""
    homes = {home for listed in (*IMPORTED_BY.values(), CONNECTED_BY, OPENED_BY) for home in listed}
    assert [home for home in sorted(homes) if not (PACKAGE / home).exists()] == []


def test_every_import_that_is_listed_is_made() -> None:
    made = {(place, name.split(".")[0]) for place, tree in modules() for name in imports(tree)}
    idle = [
        f"{home} no longer imports {name}"
        for name, listed in IMPORTED_BY.items()
        for home in listed
        if not any(found == name and may(place, {home: ""}) for place, found in made)
    ]
    assert not idle, "\n".join(idle)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("eval('1')", "x.py calls eval()"),
        ("def f():\n    import subprocess", "x.py imports subprocess"),
        ("from urllib.request import urlopen", "x.py imports urllib.request"),
        ("from urllib import request", "x.py imports urllib.request"),
        ("import httpx2", "x.py imports httpx2"),
        ("open('a')", "x.py calls open(), which opens, makes or removes files"),
        ("Path('a').write_text('b')", "x.py calls write_text(), which opens, makes or removes files"),
        ("import os\nos.system('x')", "x.py calls system()"),
        ("import socket", "x.py imports socket"),
        ("import duckdb\nduckdb.connect()", "x.py calls connect()"),
    ],
)
def test_a_planted_deed_is_found(text: str, expected: str) -> None:
    assert expected in faults("x.py", ast.parse(text))
    assert faults("x.py", ast.parse("import re\nre.compile('x')\nfrom urllib.parse import urlsplit")) == []
