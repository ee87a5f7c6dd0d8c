"""What each command takes on the command line. Light, so that help and wrong usage are answered before anything is loaded."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from headrace.base.data_kinds import DATA_KINDS

COMMANDS = {
    "build": "say what you want; the flow is drafted, shown, applied and run",
    "run": "run a flow",
    "check": "check a flow without running it",
    "diff": "say what differs between two flows",
    "show": "show a flow as an outline, JSON, Mermaid or SQL",
    "nodes": "list the node types, or find those that fit some words",
    "serve": "serve the web app on this machine",
}
"""Every command with what it does; the module of that name beside this one carries it out."""


def declare(name: str, parser: argparse.ArgumentParser) -> None:
    """Declare what a command takes."""
    _DECLARED[name](parser)


def _build(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("request", metavar="REQUEST", nargs="?", help="what you want, in your words")
    add("--then", metavar="REQUEST", action="append", default=[], help="what you want next; may be given again")
    _files(parser, "files or folders to read; without it, this folder")
    add("--flow", metavar="FLOW.json", help="begin with this flow instead of an empty one")
    add("--model", metavar="NAME", help="offline, or the name or base address of an OpenAI-compatible model")
    _share(parser)
    add(
        "--show-briefing",
        action="store_true",
        help="print what the model would be told beside the request; send nothing",
    )
    add("--approve", action="store_true", help="apply the change without asking")
    add("--run", action="store_true", help="run the flow afterwards, files that it writes included")
    add("--out", metavar="RESULT", help="keep the table that answers: csv, parquet or jsonl, by the name")
    add("--save", metavar="FLOW.json", help="save the flow as it then is")
    add("--json", action="store_true", help="print one object instead of words")


def _run(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("flow", metavar="FLOW.json", help="a flow file")
    add("--to", metavar="NODE", help="run up to this node; without it, everything")
    add("--out", metavar="FILE", help="keep the answering table: csv, parquet or jsonl, by the name")
    _files(parser, "files or folders that the flow reads, besides this folder and the flow's")
    add("--json", action="store_true", help="print one object: {status, run, charts, files}")


def _check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("flow", metavar="FLOW.json", help="a flow file")
    _files(parser, "files or folders that the flow reads, besides this folder and the flow's")
    parser.add_argument("--json", action="store_true", help="print one object: {ok, diagnostics}")


def _diff(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("before", metavar="A.json", help="a flow file")
    parser.add_argument("after", metavar="B.json", help="another; the words say what leads from A to B")
    parser.add_argument("--json", action="store_true", help="print one object: {same, changes, patch, digest}")


def _show(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    forms = ("outline", "json", "mermaid", "sql")
    add("flow", metavar="FLOW.json", help="a flow file")
    add("--as", dest="form", choices=forms, default="outline", help="the notation; an outline unless it is said")
    add("--node", metavar="NODE", help="with --as sql: the node to show; without it, every last table")
    _files(parser, "files or folders that the flow reads, besides this folder and the flow's")


def _nodes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", metavar="WORDS", nargs="*", help="what it should do, in your words")
    parser.add_argument("--json", action="store_true", help="print a list of objects, configs' schemas included")


def _serve(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--host", metavar="HOST", help="where to listen; 127.0.0.1 unless HEADRACE_HOST says otherwise")
    add("--port", metavar="PORT", type=_port, help="8765 unless HEADRACE_PORT says otherwise; 0: any that is free")
    add("--data", metavar="DIR", type=Path, help="the data folder; .headrace here unless HEADRACE_DATA says otherwise")
    _share(parser)


def _files(parser: argparse.ArgumentParser, words: str) -> None:
    parser.add_argument("--files", metavar="PATH", nargs="+", action="extend", default=[], help=words)


def _share(parser: argparse.ArgumentParser) -> None:
    words = "what of your data a model behind an address is told; rows on this machine and columns elsewhere, unless HEADRACE_SHARE says otherwise"
    parser.add_argument("--share", choices=DATA_KINDS, help=words)


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"{text!r} is not a port; name a number from 0 to 65535")
    return int(text)


_DECLARED: dict[str, Callable[[argparse.ArgumentParser], None]] = {
    "build": _build,
    "run": _run,
    "check": _check,
    "diff": _diff,
    "show": _show,
    "nodes": _nodes,
    "serve": _serve,
}
