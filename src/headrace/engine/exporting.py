"""A table of a run, written whole to a file that was named when the run was started."""

from __future__ import annotations

import time
from pathlib import Path

from headrace.nodes.columns import quoted
from headrace.nodes.files import writing
from headrace.nodes.spec import Fault, NodeFault

from .database import Database, literal
from .made import Made
from .settling import Settling

_FORMATS = {
    ".csv": "FORMAT csv, HEADER true",
    ".tsv": "FORMAT csv, HEADER true, DELIMITER '\t'",
    ".parquet": "FORMAT parquet",
    ".json": "FORMAT json",
    ".jsonl": "FORMAT json",
    ".ndjson": "FORMAT json",
}


def export(database: Database, settling: Settling, *, made: Made, target: Path) -> int:
    """Write a table to a file, whole or not at all, and return the number of its rows. What is there is replaced.

    Errors: NodeFault, where the file's name does not say a format; whatever DuckDB or the system raises.
    """
    options = _FORMATS.get(target.suffix.lower())
    if options is None:
        message = f"{target.name!r} does not say what to write: end it in {', '.join(_FORMATS)}."
        raise NodeFault(Fault(code="F303", message=message))
    columns = ", ".join(quoted(column) for column in made.table.names())
    started = time.perf_counter()
    with writing(target, overwrite=True) as temporary:
        sql = f"COPY (SELECT {columns} FROM {quoted(made.task.relation)}) TO {literal(str(temporary))} ({options})"
        rows = int(database.execute(sql)[0][0])
    settling.through(made, database.profile(), time.perf_counter() - started, rows=rows)
    return rows
