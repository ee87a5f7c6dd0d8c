"""From what goes wrong in a run to what a person reads: one plain diagnostic, no traceback, no SQL.

Owns the translation of DuckDB's and the system's errors. What nobody foresaw is logged whole and shown as an id.
"""

from __future__ import annotations

import errno
import logging
import os
import re

import duckdb

from headrace.base.ids import new_id
from headrace.flow.diagnostic import Diagnostic, Where
from headrace.nodes.columns import written
from headrace.nodes.findings import failure_of
from headrace.nodes.spec import NodeFault

from .cancel import Cancelled
from .plan import Task

_log = logging.getLogger(__name__)

_TYPES = {
    "TINYINT": "a whole number", "SMALLINT": "a whole number", "INTEGER": "a whole number", "BIGINT": "a whole number",
    "INT8": "a whole number", "INT16": "a whole number", "INT32": "a whole number", "INT64": "a whole number",
    "HUGEINT": "a whole number", "INT128": "a whole number", "DOUBLE": "a number", "FLOAT": "a number",
    "DECIMAL": "a number", "DATE": "a date", "TIME": "a time", "TIMESTAMP": "a date with a time",
    "TIMESTAMP WITH TIME ZONE": "a date with a time", "BOOLEAN": "true or false", "BOOL": "true or false",
}  # fmt: skip
_SPELLED = {
    "INT8": "TINYINT",
    "INT16": "SMALLINT",
    "INT32": "INTEGER",
    "INT64": "BIGINT",
    "INT128": "HUGEINT",
    "BOOL": "BOOLEAN",
}
"""What DuckDB calls otherwise in its errors than in its SQL."""
_CSV_LINE = re.compile(r"CSV Error on Line: (\d+)")
_CSV_COLUMN = re.compile(
    r'Error when converting column "(.*?)"\. Could not convert string "(.*?)" to \'(.*?)\'', re.DOTALL
)
_CSV_WIDTH = re.compile(r"Expected Number of Columns: (\d+) Found: (\d+)")
_CSV_ORIGINAL = re.compile(r"Original Line: (.*)")
_CAST = re.compile(r"Could not convert string ['\"](.*?)['\"] to ['\"]?([A-Z0-9 ]+)", re.DOTALL)
_CAST_COLUMN = re.compile(r"when casting from source column ([^\n]+)")
_RANGE = re.compile(
    r"Type \w+ with value (?P<value>\S+) can't be cast because the value is out of range for the destination type (?P<type>\w+)"
)
_OVERFLOW = re.compile(r"Overflow in \w+ of (?P<type>\w+) \((?P<value>.*?)\)")
_PREFIX = re.compile(r"^[A-Z][A-Za-z/ ]* Error: ")
_ADVICE = re.compile(
    r"\n\s*(LINE \d+:|Possible (solutions|fixes):|Candidate functions:|This limit was set|See also).*", re.DOTALL
)
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_LONGEST = 400


def failure(task: Task, error: Exception, *, memory_limit: str | None = None) -> Diagnostic:
    """Return why a node failed, in words.

    Errors: Cancelled, where the failure is only that the run was told to stop.
    """
    if isinstance(error, Cancelled | duckdb.InterruptException):
        raise Cancelled from error
    if isinstance(error, NodeFault):
        return failure_of(task.node_id, error, task.raw_config)
    code, message = _explained(task, error, memory_limit)
    return Diagnostic(code=code, severity="error", where=Where(node=task.node_id), message=message)


def is_of_the_data(error: Exception) -> bool:
    """Return whether an error comes of the values that were computed on, so that whoever computes on them is to blame."""
    return isinstance(error, duckdb.Error) and not isinstance(
        error,
        duckdb.InterruptException | duckdb.OutOfMemoryException | duckdb.PermissionException | duckdb.FatalException,
    )


def disk_is_full(error: BaseException) -> bool:
    """Return whether an error says that the disk or a quota is full."""
    if isinstance(error, OSError) and error.errno in _FULL:
        return True
    return isinstance(error, duckdb.Error) and any(os.strerror(number) in str(error) for number in _FULL)


def _explained(task: Task, error: Exception, memory_limit: str | None) -> tuple[str, str]:
    name = repr(task.node_id)
    text = str(error)
    if disk_is_full(error):
        return (
            "F603",
            f"The disk is full: {name} could not write all it has to. Nothing half-written was kept. Free some space and run again.",
        )
    if isinstance(error, duckdb.OutOfMemoryException | MemoryError):
        return "F602", _memory(name, text, memory_limit)
    if isinstance(error, PermissionError | duckdb.PermissionException) or "Permission denied" in text:
        return (
            "F604",
            f"{name} may not use a file that it needs: {_plain(text)} Choose another place, or change its permissions.",
        )
    if (line := _CSV_LINE.search(text)) is not None:
        return "F504", _csv(name, int(line[1]), text)
    if (
        isinstance(error, FileNotFoundError)
        or "No such file or directory" in text
        or "No files found that match" in text
    ):
        return "F501", f"A file that {name} reads has gone: {_plain(text)} Put it back, or choose another."
    if isinstance(error, duckdb.IOException | OSError):
        return "F504", f"{name} could not read or write a file: {_plain(text)} Check the file and run again."
    if isinstance(error, duckdb.Error) and not isinstance(error, duckdb.InternalException | duckdb.FatalException):
        return "F601", _data(name, text)
    reference = new_id("err")
    _log.error("node %s broke down (%s)", task.node_id, reference, exc_info=error)
    return (
        "F605",
        f"{name} broke down for a reason that is not in the flow (id {reference}). The log has the details; try again, or report it.",
    )


def _memory(name: str, text: str, memory_limit: str | None) -> str:
    if "max_temp_directory_size" in text:
        short = "more space for temporary files than a run may use"
    else:
        short = (
            f"more memory than the {memory_limit} that a run may use" if memory_limit else "more memory than there is"
        )
    return f"{name} needed {short}. Filter rows or drop columns earlier, or raise the limit."


def _csv(name: str, line: int, text: str) -> str:
    where = f"{name} cannot read line {line:,}"
    if (cell := _CSV_COLUMN.search(text)) is not None:
        column, value, kind = cell.groups()
        return (
            f"{where}: {_short(value)!r} in column {column!r} is not {_kind(kind)}. "
            f"Mend the line, read {column!r} as text (`types`), or name {_short(value)!r} in `null_values`."
        )
    if (width := _CSV_WIDTH.search(text)) is not None:
        expected, found = width.groups()
        original = _CSV_ORIGINAL.search(text)
        shown = f" ({_short(original[1])})" if original else ""
        return f"{where}: it has {found} values where the other lines have {expected}{shown}. Mend the line, or set the `delimiter`."
    return f"{where}: {_plain(text.split(chr(10), 1)[-1])} Mend the line and run again."


def _data(name: str, text: str) -> str:
    if (cast := _CAST.search(text)) is not None:
        value, kind = cast[1], cast[2].strip()
        column = _CAST_COLUMN.search(text)
        of = f" of column {column[1]!r}" if column else ""
        example = f"TRY_CAST({written(column[1]) if column else 'name'} AS {_SPELLED.get(kind, kind)})"
        way = f"Clean the column first, or write {example} in a formula, which leaves such values empty."
        return f"{name} failed: {_short(value)!r}{of} is not {_kind(kind)}. {way}"
    if (wide := _RANGE.search(text) or _OVERFLOW.search(text)) is not None:
        way = "Convert to DOUBLE before, with `cast` in a select node or CAST(name AS DOUBLE) in a formula."
        return f"{name} failed: {wide['value']} is too large for {_size(wide['type'])}. {way}"
    return f"{name} failed: {_plain(text)} Look at the values that arrive, or make the expression allow for them."


def _size(kind: str) -> str:
    return f"a whole number of {kind[3:]} bits" if kind.startswith("INT") and kind[3:].isdigit() else _kind(kind)


def _kind(written: str) -> str:
    bare = written.split("(")[0].strip()
    return _TYPES.get(bare, f"of type {written}")


def _plain(text: str) -> str:
    """DuckDB's sentence without its prefix, the SQL and the advice for people who write SQL."""
    sentence = " ".join(_ADVICE.sub("", _PREFIX.sub("", text)).split())
    return _short(sentence, _LONGEST).rstrip(".!") + "."


def _short(text: str, longest: int = 80) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
