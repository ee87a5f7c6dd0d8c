"""The node type `write_file`: a table into a file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Annotated, Any, Literal

from pydantic import Field
from sqlglot import exp

from headrace.nodes import spec
from headrace.nodes.files import writing
from headrace.nodes.sheets import MOST_COLUMNS, write_sheet
from headrace.nodes.spec import (
    Context,
    Effect,
    Fault,
    Holds,
    Inputs,
    NodeFault,
    Port,
    Produced,
    Relation,
    RunContext,
    Slot,
)

_ENDINGS = {
    ".csv": "csv",
    ".txt": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "json_lines",
    ".ndjson": "json_lines",
    ".json": "json_lines",
    ".xlsx": "xlsx",
}
_COPY: dict[str, dict[str, Any]] = {
    "csv": {"FORMAT": "csv", "HEADER": True},
    "parquet": {"FORMAT": "parquet"},
    "json_lines": {"FORMAT": "json"},
}


class Config(spec.Config):
    """What `write_file` is told."""

    path: Annotated[str, Holds(Slot.WRITE_PATH)] = Field(min_length=1, examples=["result.csv", "out/orders.parquet"])
    """The file to write, in the working folder."""
    format: Annotated[Literal["auto", "csv", "parquet", "json_lines", "xlsx"], Holds(Slot.CHOICE)] = "auto"
    """What kind of file to write; `auto` goes by its name."""
    overwrite: Annotated[bool, Holds(Slot.FLAG)] = False
    """Whether a file that is there already may be replaced."""
    delimiter: Annotated[str | None, Holds(Slot.TEXT)] = Field(default=None, min_length=1, max_length=1, examples=[";"])
    """csv: the character between values. Left out: a comma, or a tab for .tsv."""


class WriteFile(spec.ActionNode):
    """A table goes into a file, whole or not at all."""

    name = "write_file"
    title = "Write file"
    summary = "Writes a table to a file: csv, parquet, JSON lines or xlsx."
    area = "output"
    synonyms = ("save", "export", "store", "output file", "download", "write csv", "write excel", "to parquet")
    phrases = (
        "[and] (export~|save~|write~) {path}",
        "[and] (save~|write~|store~|export~) [it|them|this|that|everything|{_:rows}] (as|in|to) (csv|parquet|excel|json|json lines) [file|format] [,|:|named|called|to|in|as] {path} @ -0.1",
        "[and] [also] (save~|write~|store~|export~|output|dump|put|as|into|to) [it|them|this|that|(result|table|output|list|everything|rows|data) [as]|all|{_:rows}] [to|as|into|in|under|under the name] [file|the file|a file|new file] [called|named] {path} [file] @ -0.05",
    )
    inputs = (Port(name="in", type="table"),)
    outputs = (Port(name="file", type="file"),)
    effects = frozenset({Effect.WRITES})
    Config = Config

    def examine(self, config: Config, inputs: Inputs, context: Context) -> tuple[Fault, ...]:
        """Return what speaks against writing: a name that tells no format, a table too wide for a sheet."""
        faults = tuple(_faults(config, inputs["in"][0])) if inputs.get("in") else ()
        return (*faults, *_path_faults(config, context))

    def run(self, config: Config, inputs: Inputs, context: RunContext) -> Produced:
        """Write the table, or say what would be written."""
        relation = inputs["in"][0]
        if faults := tuple(_faults(config, relation)):
            raise NodeFault(*faults)
        target = context.write_path(config.path, overwrite=config.overwrite)
        query = exp.select(exp.Star()).from_(relation.as_table())
        name = PurePath(config.path).as_posix()
        if context.dry_run:
            counting = exp.select(exp.Count(this=exp.Star())).from_(relation.as_table())
            rows = next(iter(context.query(counting)))[0]
            return _produced(name, rows, None, summary=f"would write {name}, {_rows(rows)}")
        with writing(target, overwrite=config.overwrite) as part:
            rows = _write(config, relation, query, part=part, context=context)
            size = part.stat().st_size
        return _produced(name, rows, size, summary=f"wrote {name}, {_rows(rows)}")


def _path_faults(config: Config, context: Context) -> tuple[Fault, ...]:
    try:
        context.write_path(config.path, overwrite=config.overwrite)
    except NodeFault as fault:
        return fault.faults
    return ()


def format_of(config: Config) -> str | None:
    """Return the format that is written, or None where neither the config nor the file's name tells it."""
    return config.format if config.format != "auto" else _ENDINGS.get(PurePath(config.path).suffix.lower())


def _faults(config: Config, relation: Relation) -> Iterable[Fault]:
    kind = format_of(config)
    if kind is None:
        message = (
            f"The name {config.path!r} does not tell which kind of file to write. "
            "End it in .csv, .parquet, .jsonl or .xlsx, or set `format`."
        )
        yield Fault("F303", message, ("path",))
    if config.delimiter is not None and kind not in ("csv", None):
        yield Fault("F303", f"A delimiter means nothing in {kind}. Leave it out, or write csv.", ("delimiter",))
    if kind == "xlsx" and len(relation.table.columns) > MOST_COLUMNS:
        message = f"A sheet holds {MOST_COLUMNS:,} columns, the table has {len(relation.table.columns):,}. Write csv or parquet."
        yield Fault("F303", message, ("format",))


def _write(config: Config, relation: Relation, query: exp.Query, *, part: Path, context: RunContext) -> int:
    kind = format_of(config) or "csv"
    if kind == "xlsx":
        return write_sheet(part, relation.table, context.query(query), check=context.check_cancelled)
    options = dict(_COPY[kind])
    suffix = PurePath(config.path).suffix.lower()
    if kind == "csv":
        options["DELIMITER"] = config.delimiter or ("\t" if suffix in (".tsv", ".tab") else ",")
    if suffix == ".json" and config.format == "auto":
        options["ARRAY"] = True
    return context.copy(query, part, options)


def _produced(name: str, rows: int, size: int | None, *, summary: str) -> Produced:
    return Produced(outputs={"file": {"path": name, "rows": rows, "bytes": size}}, rows=rows, summary=summary)


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"
