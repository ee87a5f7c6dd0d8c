"""What a person sees on a terminal: tables, questions, and a line of progress for whatever takes over a second.

Refuses to colour or animate anything that is not a terminal.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
import unicodedata
from collections.abc import Callable, Sequence
from itertools import accumulate
from types import TracebackType
from typing import Any, Self

_AFTER = 1.0
_EVERY = 0.2
_TURNING = "|/-\\"
_WIDEST_CELL = 40
_NAMED = 12


def is_interactive() -> bool:
    """Return whether there is a person to ask."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def ask(question: str) -> bool:
    """Return whether the person says yes; anything unclear is asked again, the end of input means no."""
    while True:
        print(f"{question} [y/n] ", end="", file=sys.stderr, flush=True)
        answer = sys.stdin.readline()
        match answer.strip().lower():
            case "y" | "yes":
                return True
            case "n" | "no":
                return False
        if not answer:
            print(file=sys.stderr)
            return False


class Progress:
    """A line on the error stream that says what is going on, shown after a second and only on a terminal."""

    def __init__(self, words: Callable[[], str]) -> None:
        self._words = words
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._show, name="headrace-progress", daemon=True)

    def __enter__(self) -> Self:
        if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _show(self) -> None:
        seconds = _AFTER
        if self._over.wait(_AFTER):
            return
        turn = 0
        while True:
            width = shutil.get_terminal_size().columns - 1
            line = f"{_TURNING[turn % len(_TURNING)]} {self._words()} {seconds:.0f} s"
            sys.stderr.write(f"\r{plain(line)[:width]}\x1b[K")
            sys.stderr.flush()
            if self._over.wait(_EVERY):
                break
            turn, seconds = turn + 1, seconds + _EVERY
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def plain(text: str) -> str:
    """Return a text without characters that move the cursor or change colours."""
    return "".join(each if each in "\n\t" or unicodedata.category(each)[0] != "C" else "�" for each in text)


def table_lines(
    columns: Sequence[tuple[str, str]], rows: Sequence[Sequence[Any]], *, total: int | None, room: int | None = None
) -> list[str]:
    """Return a table as lines: names, a rule, rows, and how many rows and columns there are where not all are shown.

    `columns` are names with their types; numbers stand to the right. `room` is the width that there is, in letters.
    """
    names = [_cell(name) for name, _ in columns]
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max([_width(name), *(_width(row[place]) for row in cells)]) for place, name in enumerate(names)]
    fits = len(widths) if room is None else _that_fit(widths, room)
    widths, right = widths[:fits], [_is_number(kind) for _, kind in columns[:fits]]
    lines = [_line(names[:fits], widths, right), "  ".join("-" * width for width in widths)]
    lines += [_line(row[:fits], widths, right) for row in cells]
    if total is not None and total != len(rows):
        lines.append(f"… {total - len(rows):,} more of {total:,} rows")
    if left := names[fits:]:
        shown = f"{', '.join(left[:_NAMED])}{', …' if len(left) > _NAMED else ''}"
        lines.append(f"… {len(left)} more column{'' if len(left) == 1 else 's'}: {shown}")
    return lines


def room() -> int | None:
    """Return how wide a line may be, in letters; None where nobody looks at a screen: then nothing is left out."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def _that_fit(widths: Sequence[int], room: int) -> int:
    """How many columns stand beside each other in so much room; at least one."""
    ends = accumulate(width + 2 for width in widths)
    return max(1, sum(end - 2 <= room for end in ends))


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = [
        " " * (width - _width(cell)) + cell if to_right else cell + " " * (width - _width(cell))
        for cell, width, to_right in zip(cells, widths, right, strict=True)
    ]
    return "  ".join(padded).rstrip()


def _cell(value: Any) -> str:
    text = "" if value is None else "yes" if value is True else "no" if value is False else str(value)
    text = plain(text).replace("\n", " ").replace("\t", " ")
    return text if len(text) <= _WIDEST_CELL else text[: _WIDEST_CELL - 1] + "…"


def _width(text: str) -> int:
    return sum(
        2 if unicodedata.east_asian_width(each) in "WF" else 0 if unicodedata.combining(each) else 1 for each in text
    )


def _is_number(kind: str) -> bool:
    return kind.upper().partition("(")[0] in {
        "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT",
        "FLOAT", "DOUBLE", "DECIMAL",
    }  # fmt: skip
