"""A canary outside every allowed folder, traps inside one, and a watch on what the process does meanwhile."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WORD = "canary_7f3a9c"
"""Stands in the canary file; where it turns up, something has read it."""


@dataclass(frozen=True, slots=True)
class Place:
    """A files folder with traps in it, and a folder beside it that nobody may reach."""

    files: Path
    outside: Path
    state: dict[Path, Any] = field(default_factory=dict)

    def assert_untouched(self) -> None:
        """Check that nothing outside was changed, made or removed, and that the traps are as they were."""
        assert _state(self.outside) == self.state
        assert sorted(path.name for path in self.files.iterdir() if path.suffix == ".part") == []


def place_in(folder: Path) -> Place:
    """Return a place with a canary, links to it, a pipe, a socket and hidden files."""
    files, outside, sibling = folder / "files", folder / "outside", folder / "files-sibling"
    for each in (files / "sub", files / ".hidden", outside, sibling):
        each.mkdir(parents=True)
    (files / "orders.csv").write_text("id,amount\n1,2\n2,3\n")
    for secret in (
        outside / "canary.csv",
        sibling / "canary.csv",
        files / ".hidden.csv",
        files / ".hidden" / "canary.csv",
        files / "sub" / ".hidden.csv",
    ):
        secret.write_text(f"id,{WORD}\n1,{WORD}\n")
    (files / "link_to_canary.csv").symlink_to(outside / "canary.csv")
    (files / "link_to_outside").symlink_to(outside)
    os.mkfifo(files / "pipe.csv")
    with socket.socket(socket.AF_UNIX) as bound:
        here = os.open(".", os.O_RDONLY)
        try:  # the path of a socket may not be long
            os.chdir(files)
            bound.bind("socket.csv")
        finally:
            os.fchdir(here)
            os.close(here)
    return Place(files, outside, _state(outside))


def _state(folder: Path) -> dict[Path, Any]:
    return {
        path: (path.stat().st_ino, path.stat().st_mtime_ns, path.read_bytes() if path.is_file() else b"")
        for path in (folder, *folder.rglob("*"))
    }


_STARTS = (
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.fork",
    "os.forkpty",
    "os.posix_spawn",
    "os.spawn",
    "pty.spawn",
)
_CONNECTS = (
    "socket.connect",
    "socket.getaddrinfo",
    "socket.gethostbyname",
    "socket.sendto",
    "socket.bind",
    "urllib.Request",
)
_CHANGES = (
    "os.remove",
    "os.rename",
    "os.mkdir",
    "os.rmdir",
    "os.link",
    "os.symlink",
    "os.truncate",
    "shutil.rmtree",
    "os.chmod",
)
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_seen: list[tuple[str, tuple[Any, ...]]] | None = None
_hooked = False


@contextmanager
def watched() -> Iterator[list[tuple[str, tuple[Any, ...]]]]:
    """Give a list that fills with every process started, connection made and file written or changed meanwhile."""
    global _seen, _hooked
    if not _hooked:
        sys.addaudithook(_hear)
        _hooked = True
    _seen = found = []
    try:
        yield found
    finally:
        _seen = None


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    if _seen is None:
        return
    if (
        event in (*_STARTS, *_CONNECTS, *_CHANGES)
        or (event == "open" and isinstance(arguments[2], int) and arguments[2] & _WRITING)
        or (event == "import" and arguments[0] in ("pickle", "marshal"))
    ):
        _seen.append((event, arguments))
