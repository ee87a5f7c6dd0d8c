"""How a command ends badly: in words on the error stream, as one object with `--json`, and always with an exit code.

Refuses to show a traceback: what nobody foresaw is written to a file that is named.
"""

from __future__ import annotations

import json
import logging
import sys
import tempfile
import traceback
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


def tell(error: HeadraceError, *, as_json: bool) -> None:
    """Say what went wrong, every fault of it."""
    lines = [f"headrace: {error.message}"]
    faults = [str(fault) for fault in getattr(error, "faults", ())]
    lines += [f"  - {fault}" for fault in faults if fault != error.message]
    if error.hint:
        lines.append(error.hint)
    print("\n".join(lines), file=sys.stderr)
    if as_json:
        _as_object(error.code, error.message, hint=error.hint, faults=faults)


def tell_unforeseen(error: Exception, *, as_json: bool) -> None:
    """Say that something went wrong by our fault, and where all of it is written down."""
    reference = new_id("err")
    message = f"Something went wrong inside Headrace ({type(error).__name__})."
    hint = _kept(reference, error)
    print(f"headrace: {message}\n{hint}", file=sys.stderr)
    if as_json:
        _as_object("internal", message, hint=hint, faults=[])


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


def _as_object(code: str, message: str, *, hint: str, faults: list[Any]) -> None:
    error = {"code": code, "message": message, "hint": hint, "faults": faults}
    print(json.dumps({"status": "failed", "error": error}, ensure_ascii=False))
