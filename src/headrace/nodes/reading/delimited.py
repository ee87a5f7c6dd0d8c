"""Delimited text files (csv, tsv and their like), one or several with the same columns.

Owns the joining of what several heads tell. Refuses files whose columns differ, naming the first that does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from headrace.nodes.spec import NodeFault

from .columns import Judged, judge
from .dialect import Rows, rows_of
from .encodings import decode
from .found import Found, FoundColumn, Options, Source
from .head import LONGEST_LINE, Head, ends_in_line_of, file_fault

_SAMPLE = 20


def find(heads: Sequence[Head], options: Options, key: str) -> Found:
    """Return what the heads of delimited files tell.

    Errors: NodeFault F303, F504, F505.
    """
    notes: list[str] = []
    sources: list[Source] = []
    tables: list[Rows] = []
    for head in heads:
        text, encoding, said = decode(head, options.encoding)
        table = rows_of(text, head, options)
        _refuse_endless_end(head)
        names = _spelled(table.names, sources)
        sources.append(Source(head.path, names, encoding, table.dialect, not table.cut, gzip=head.gzip))
        tables.append(table)
        notes += [note for note in (*said, *table.notes) if note not in notes]
    _refuse_other_columns(sources)
    names = sources[0].names
    judged = judge(_distinct(sources, tables), options, delimiter=sources[0].dialect.delimiter)
    if len(names) == 1:
        judged = _told_from_blank_lines(judged)
    columns = tuple(FoundColumn(name, name, reading) for name, reading in zip(names, judged.readings, strict=True))
    if all(not table.rows for table in tables):
        notes.append("The file has a header and no rows.")
    complete = all(source.complete for source in sources)
    return Found(
        format="csv",
        sources=tuple(sources),
        columns=columns,
        key=key,
        missing=judged.missing,
        notes=(*notes, *judged.notes),
        sample=_sample(tables[0], columns, judged.missing),
        rows=sum(len(table.rows) for table in tables) if complete else None,
    )


def _refuse_endless_end(head: Head) -> None:
    """Refuse a file whose last line has no end: DuckDB passes over one that is longer than what it reads at once."""
    if not head.complete and not head.gzip and not ends_in_line_of(head.path, LONGEST_LINE):
        message = (
            f"The last line of {head.path.name!r} is longer than {LONGEST_LINE:,} characters, so it is no row of a table. "
            "Check that the file is whole, or get a fresh copy of it."
        )
        raise NodeFault(file_fault("F504", message))


def _spelled(names: tuple[str, ...], sources: Sequence[Source]) -> tuple[str, ...]:
    """The names as the first file spells them, where only the case differs."""
    known = {name.casefold(): name for name in sources[0].names} if sources else {}
    return tuple(known.get(name.casefold(), name) for name in names)


def _told_from_blank_lines(judged: Judged) -> Judged:
    """In a table of one column a blank line is no row, but a word for missing is one: so the column itself names the words."""
    reading = judged.readings[0]
    own = replace(reading, missing=tuple(sorted({*reading.missing, *judged.missing})))
    return Judged((own,), (), judged.notes)


def _refuse_other_columns(sources: Sequence[Source]) -> None:
    first = sources[0]
    expected = {name.casefold() for name in first.names}
    for source in sources[1:]:
        there = {name.casefold() for name in source.names}
        if there == expected:
            continue
        lacking = [name for name in first.names if name.casefold() not in there]
        extra = [name for name in source.names if name.casefold() not in expected]
        parts = [f"lacks {', '.join(lacking)}"] if lacking else []
        parts += [f"has {', '.join(extra)} besides"] if extra else []
        message = (
            f"The files do not have the same columns: {source.path.name!r} {' and '.join(parts)}, "
            f"compared with {first.path.name!r}. Read them apart and join them with a union."
        )
        raise NodeFault(file_fault("F504", message))


def _distinct(sources: Sequence[Source], tables: Sequence[Rows]) -> dict[str, frozenset[str]]:
    values: dict[str, set[str]] = {name: set() for name in sources[0].names}
    for source, table in zip(sources, tables, strict=True):
        for name, column in zip(source.names, zip(*table.rows, strict=False), strict=False):
            values[name].update(column)
    return {name: frozenset(each - {""}) for name, each in values.items()}


def _sample(table: Rows, columns: Sequence[FoundColumn], missing: Sequence[str]) -> tuple[tuple[str | None, ...], ...]:
    absent = {"", *missing}
    return tuple(
        tuple(
            None if value in absent or value.strip() in column.reading.missing else value
            for value, column in zip(row, columns, strict=False)
        )
        for row in table.rows[:_SAMPLE]
    )
