"""The command line: finds the command, hands over to its module, and turns every ending into words and an exit code.

A command's module is imported when it is chosen. Exit codes: 0 done, 1 refused or needs an answer, 2 wrong usage,
3 failed, 130 stopped by the keyboard.
"""

from __future__ import annotations

import argparse
import gc
import logging
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from io import TextIOWrapper
from typing import NoReturn

from headrace import __version__
from headrace.base.errors import HeadraceError

from .arguments import COMMANDS, declare
from .ending import FAILED, WRONG_USAGE, Kept, Usage, code_of, tell, tell_stopped, tell_unforeseen

_OBJECTS_A_ROUND = 100_000
INTERRUPTED = 130
BROKEN_PIPE = 141


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with a call in the house's three beats."""

    def error(self, message: str) -> NoReturn:
        raise Usage(f"{message[:1].upper()}{message[1:]}.", f"`{self.prog} --help` says what it takes.")


def command() -> NoReturn:
    """End the process with the exit code of the call that started it.

    The interpreter is not taken apart piece by piece: that costs 0.3 s, and all that is open has been closed by then.
    """
    code = main()
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def main(arguments: Sequence[str] | None = None) -> int:
    """Return the exit code of a call."""
    # While modules load there is much new and nothing to throw away; looking for it costs a tenth of the start.
    gc.set_threshold(_OBJECTS_A_ROUND)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a letter is no reason to fail
    words = list(sys.argv[1:] if arguments is None else arguments)
    said = {"as_json": "--json" in words, "command": words[0] if words else ""}
    kept = Kept()
    log = logging.getLogger("headrace")
    log.addHandler(kept)
    try:
        code = _call(words, kept)
        sys.stdout.flush()
    except HeadraceError as error:
        tell(error, **said)
        return code_of(error)
    except KeyboardInterrupt:
        tell_stopped(**said)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has gone; nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except Exception as error:
        tell_unforeseen(error, **said)
        return FAILED
    finally:
        log.removeHandler(kept)
        kept.tell()
    return code


def _call(words: list[str], kept: Kept) -> int:
    chosen = next((word for word in words if not word.startswith("-")), None)
    if chosen is not None and chosen not in COMMANDS and words[0] == chosen:
        raise _unknown(chosen)
    parser = _Parser(
        prog="headrace",
        description="A visual flow builder for tables, with an assistant that builds, edits, checks and runs flows with you.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="store_true", help="say which version this is")
    commands = parser.add_subparsers(dest="command", title="commands", parser_class=_Parser)
    for name, summary in COMMANDS.items():
        description = f"{summary[:1].upper()}{summary[1:]}."
        declare(name, commands.add_parser(name, help=summary, description=description, allow_abbrev=False))
    parser.set_defaults(kept=kept)
    try:
        options = parser.parse_args(words)
    except SystemExit as done:  # after --help
        return int(done.code or 0)
    if options.version:
        print(f"headrace {__version__}")
        return 0
    if options.command is None:
        parser.print_help(sys.stderr)
        return WRONG_USAGE
    return import_module(f"headrace.cli.{options.command}").call(options)


def _unknown(word: str) -> Usage:
    near = get_close_matches(word, COMMANDS, n=1, cutoff=0.5)
    known = ", ".join(COMMANDS)
    hint = f"Did you mean `headrace {near[0]}`?" if near else "`headrace --help` says what each does."
    return Usage(f"There is no command {word!r}. There are: {known}.", hint)
