"""Finding out how a file is written, by a bounded look at its head.

Owns the order of the questions and the memory of the answers: the same file, unchanged, under the same options is looked at once.
Refuses files of which nothing can be made, with every reason in plain words.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from headrace.base.canonical import digest
from headrace.nodes.near import near
from headrace.nodes.spec import Fault, NodeFault

from . import delimited, json_lines, parquet, workbook
from .found import Format, Found, Options
from .head import HEAD_BYTES, LEAST_BYTES, Head, Stamp, file_fault, read_head, stamp

MOST_FILES = 1_000
_REMEMBERED = 256
_ENDINGS: dict[str, Format] = {
    ".jsonl": "json_lines",
    ".ndjson": "json_lines",
    ".json": "json_lines",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
    ".xls": "xlsx",
    ".ods": "xlsx",
}
_TITLES = {
    "csv": "a delimited text file",
    "json_lines": "a file of JSON lines",
    "parquet": "a parquet file",
    "xlsx": "a workbook",
}


def sniff(paths: Sequence[Path], options: Options | None = None) -> Found:
    """Return what the heads of one file, or of several with the same columns, tell. Never reads beyond the head.

    Errors: NodeFault F501-F505 about the files, F303 about the options, F401 about names in `types`.
    """
    if not paths:
        raise NodeFault(file_fault("F501", "There is no file to read. Name one."))
    if len(paths) > MOST_FILES:
        message = (
            f"{len(paths):,} files are more than the {MOST_FILES:,} that can be read as one table. Narrow the pattern."
        )
        raise NodeFault(file_fault("F504", message))
    return _sniff(tuple(stamp(path) for path in paths), options or Options())


@lru_cache(maxsize=_REMEMBERED)
def _sniff(stamps: tuple[Stamp, ...], options: Options) -> Found:
    paths = [each.path for each in stamps]
    budget = max(LEAST_BYTES, HEAD_BYTES // len(paths))
    heads = [read_head(path, budget) for path in paths]
    kinds = {_format(head, options) for head in heads}
    if len(kinds) > 1:
        message = f"The files are of different kinds: {', '.join(sorted(kinds))}. Name files of one kind."
        raise NodeFault(file_fault("F504", message))
    key = digest([[str(each.path), each.size, each.modified_ns] for each in stamps] + [repr(options)])[:10]
    kind = kinds.pop()
    if kind == "csv":
        found = delimited.find(heads, options, key)
    elif kind == "json_lines":
        found = json_lines.find(heads, options, key)
    elif kind == "parquet":
        found = parquet.find(paths, options, key)
    else:
        found = workbook.find(paths, options, key)
    _refuse_unknown_names(found, options)
    return found


def _format(head: Head, options: Options) -> Format:
    """The kind of a file: what its first bytes say, then what its name says, then what its text looks like."""
    real: Format | None = None
    if head.data.startswith(b"PAR1"):
        real = "parquet"
    elif workbook.is_workbook(head.data):
        real = "xlsx"
    wanted = options.format
    if wanted is None:
        return real or _by_name_or_text(head)
    if real and wanted != real:
        message = f"{head.path.name!r} is {_TITLES[real]}, not {_TITLES[wanted]}. Set `format` to auto or {real}."
        raise NodeFault(file_fault("F504", message, "format"))
    if wanted in ("parquet", "xlsx") and not real:
        raise NodeFault(
            file_fault("F504", f"{head.path.name!r} is not {_TITLES[wanted]}. Set `format` to auto.", "format")
        )
    return wanted


def _by_name_or_text(head: Head) -> Format:
    suffixes = [suffix.lower() for suffix in head.path.suffixes if suffix.lower() != ".gz"]
    by_name = _ENDINGS.get(suffixes[-1]) if suffixes else None
    if by_name in ("parquet", "xlsx") and (head.looks_like() or b"\x00" in head.data or by_name == "parquet"):
        really = head.looks_like() or "something else"
        message = f"{head.path.name!r} cannot be read as {_TITLES[by_name]}: it is {really}. Get a fresh copy of it."
        raise NodeFault(file_fault("F504", message))
    start = head.data.removeprefix(b"\xef\xbb\xbf").lstrip()
    return "json_lines" if by_name == "json_lines" or start.startswith(b"{") else "csv"


def _refuse_unknown_names(found: Found, options: Options) -> None:
    names = [column.name for column in found.columns]
    faults = []
    for name, _ in options.types:
        if name not in names:
            close = near(name, names)
            hint = f"Near ones: {', '.join(close)}." if close else f"There are: {', '.join(names[:20])}."
            faults.append(
                Fault(
                    "F401", f"The file has no column {name!r}, to which `types` gives a type. {hint}", ("types", name)
                )
            )
    if faults:
        raise NodeFault(*faults)
