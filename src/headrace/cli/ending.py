"""How a command ends badly: in words on the error stream, as one object with `--json`, and always with an exit code.

Refuses to show a traceback: what nobody foresaw is written to a file that is named.
"""

from __future__ import annotations

import json
import logging
import sys
import tempfile
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

from headrace.base.errors import HeadraceError
from headrace.base.ids import new_id

DONE = 0
REFUSED = 1
WRONG_USAGE = 2
FAILED = 3


class Usage(HeadraceError):
    """The command was called in a way that it does not take."""

    status: ClassVar[int] = 400

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__("wrong_usage", message, hint)


def code_of(error: HeadraceError) -> int:
    """Return the exit code that an error means."""
    if isinstance(error, Usage):
        return WRONG_USAGE
    return REFUSED if error.status == 403 else FAILED


EMPTY: Mapping[str, Mapping[str, Any]] = {
    "build": {
        "reply": "", "changeset": None, "revision": None, "flow": None, "run": None, "charts": [], "files": [],
        "usage": {"rounds": 0, "tokens": 0, "ms": 0}, "turns": [],
    },
    "run": {"run": None, "charts": [], "files": []},
    "check": {"ok": False, "diagnostics": []},
}  # fmt: skip
"""What the one object of a command holds when the command came to nothing."""


def tell(error: HeadraceError, *, as_json: bool, command: str = "") -> None:
    """Say what went wrong, every fault of it."""
    lines = [f"headrace: {error.message}"]
    faults = [str(fault) for fault in getattr(error, "faults", ())]
    lines += [f"  - {fault}" for fault in faults if fault != error.message]
    if error.hint:
        lines.append(error.hint)
    print("\n".join(lines), file=sys.stderr)
    if as_json:
        status = "refused" if code_of(error) == REFUSED else "failed"
        told = {"code": error.code, "message": error.message, "hint": error.hint, "faults": faults}
        _as_object(command, told, status=status)


def tell_stopped(*, as_json: bool, command: str = "") -> None:
    """Say that the keyboard stopped the command."""
    print("\nStopped.", file=sys.stderr)
    if as_json:
        _as_object(command, {"code": "stopped", "message": "Stopped.", "hint": "", "faults": []})


def tell_unforeseen(error: Exception, *, as_json: bool, command: str = "") -> None:
    """Say that something went wrong by our fault, and where all of it is written down."""
    reference = new_id("err")
    message = f"Something went wrong inside Headrace ({type(error).__name__})."
    hint = _kept(reference, error)
    print(f"headrace: {message}\n{hint}", file=sys.stderr)
    if as_json:
        _as_object(command, {"code": "internal", "message": message, "hint": hint, "faults": []})


class Kept(logging.Handler):
    """Takes what the house logs in place of the terminal: errors go whole into a file, which is named."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.path: Path | None = None
        self._at_once = False

    def keep_in(self, path: Path) -> None:
        """From now on keep errors in this file, and name it with each: for a command that runs for long."""
        self.path, self._at_once = path, True

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record down."""
        when = datetime.now(UTC).isoformat(timespec="seconds")
        self.path = _write_down(f"{when} {self.format(record)}", self.path)
        if self._at_once:
            self._name_it(f"{record.getMessage()[:200]}; ")

    def tell(self) -> None:
        """Say where errors were written down, if there were any and nobody was told yet."""
        if self.path is not None and not self._at_once:
            self._name_it("")

    def _name_it(self, what: str) -> None:
        print(f"headrace: something went wrong inside: {what}{self.path} holds all of it.", file=sys.stderr, flush=True)


def _kept(reference: str, error: Exception) -> str:
    text = "".join(traceback.format_exception(error))
    path = _write_down(text, Path(tempfile.gettempdir()) / f"headrace-{reference}.txt")
    return f"Please report it with the file {path}." if path else "It could not be written down."


def _write_down(text: str, path: Path | None) -> Path | None:
    path = path or Path(tempfile.gettempdir()) / f"headrace-{new_id('err')}.txt"
    try:
        with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"{text}\n")
    except OSError:
        return None
    return path


def _as_object(command: str, error: dict[str, Any], *, status: str = "failed") -> None:
    """Print the command's one object, empty but for what went wrong."""
    empty = EMPTY.get(command, {})
    reply = {"reply": error["message"]} if "reply" in empty else {}
    print(json.dumps({"status": status, **empty, **reply, "error": error}, ensure_ascii=False))
