"""What was found in a file, as one SELECT that DuckDB runs in parallel.

Owns the SQL of reading: every option is explicit, so that the run reads what the check saw. Where only the head was looked at,
whole numbers and dates are read strictly: a later value that does not fit stops the run by name, and is never rounded or cut.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from sqlglot import exp

from headrace.nodes.columns import column as column_named
from headrace.nodes.types import is_whole

from .found import DATE, MOMENT, TEXT, Found, FoundColumn, Reading, Source
from .marks import marker

_LONGEST_DATE = len("2024-12-31")
_ENCODINGS = {"utf-16-le": "utf-16"}


def select(found: Found) -> exp.Query:
    """Return the SELECT that yields the found columns. Staged sources are read from the relation `staged_name(found)`."""
    if found.staged:
        source = exp.to_table(exp.to_identifier(staged_name(found), quoted=True).sql(dialect="duckdb"))
        return _projected(found, source)
    if found.format == "parquet":
        paths = [source.path for source in found.sources]
        return _parquet(found, exp.Table(this=exp.ReadParquet(expressions=[_paths(paths)])))
    groups = _groups(found.sources)
    queries = [_projected(found, exp.Table(this=_reader(found, group))) for group in groups]
    if len(queries) == 1:
        return queries[0]
    together: exp.Query = queries[0]
    for query in queries[1:]:
        together = exp.union(together, query, distinct=False)
    return together


def with_names(query: exp.Query, name_of: Callable[[Path], str]) -> exp.Query:
    """Return a query in which each file that is read goes by another name, for people to read."""
    query = query.copy()
    for reader in query.find_all(exp.ReadCSV, exp.ReadParquet, exp.Anonymous):
        if isinstance(reader, exp.Anonymous) and reader.name != "read_json":
            continue
        paths = reader.this if isinstance(reader, exp.ReadCSV) else reader.expressions[0]
        for path in list(paths.find_all(exp.Literal)):
            real = Path(re.sub(r"\[([*?[])\]", r"\1", path.name))
            path.set("this", _literal_glob(name_of(real)))
    return query


def staged_name(found: Found) -> str:
    """Return the name under which rows that we read ourselves are staged."""
    return f"file_{found.key}"


def written_values(found: Found, source: Source, column: FoundColumn) -> exp.Select:
    """Return the SELECT of one column as it is written in one file, `written`, with the number of its row, `place`."""
    as_text = replace(found, columns=tuple(replace(each, reading=Reading(TEXT)) for each in found.columns))
    place = exp.alias_(exp.Window(this=exp.RowNumber()), "place")
    written = exp.alias_(exp.Trim(this=column_named(column.source)), "written")
    return exp.select(place, written).from_(exp.Table(this=_reader(as_text, [source])))


def is_native(found: Found, column: FoundColumn) -> bool:
    """Return whether DuckDB's reader makes the values of a column itself, in its type."""
    if column.type == TEXT:
        return not column.reading.missing
    if found.staged:
        return found.format == "xlsx"
    return column.reading.native and (found.complete or not _is_strict(column.reading))


def _is_strict(reading: Reading) -> bool:
    return is_whole(reading.type) or reading.type in (DATE, MOMENT)


def _groups(sources: Sequence[Source]) -> list[list[Source]]:
    """Sources that one call can read: written alike, with the same columns in the same order."""
    groups: dict[object, list[Source]] = {}
    for source in sources:
        alike = (source.names, source.encoding, source.dialect, source.gzip, source.array)
        groups.setdefault(alike, []).append(source)
    return list(groups.values())


def _parquet(found: Found, source: exp.Expr) -> exp.Select:
    if found.exact:
        return exp.select(exp.Star()).from_(source)
    values = []
    for column, declared in zip(found.columns, found.declared, strict=True):
        written = column_named(column.name)
        if column.type != declared:
            written = _named(exp.Cast(this=written, to=_data_type(column.type)), column)
        values.append(written)
    return exp.select(*values).from_(source)


def _projected(found: Found, source: exp.Expr) -> exp.Select:
    names = [column.name for column in found.columns]
    as_it_stands = all(each.names == tuple(names) for each in found.sources) and all(
        column.source == column.name and is_native(found, column) for column in found.columns
    )
    query = exp.select(*([exp.Star()] if as_it_stands else [_value(found, column) for column in found.columns]))
    query = query.from_(source)
    if len(names) == 1 and found.format == "csv":
        # In a table of one column a blank line would read as a missing value.
        query = query.where(column_named(names[0]).is_(exp.null()).not_())
    return query


def _reader(found: Found, group: Sequence[Source]) -> exp.Func:
    return _csv_reader(found, group) if found.format == "csv" else _json_reader(found, group)


def _csv_reader(found: Found, group: Sequence[Source]) -> exp.Func:
    first = group[0]
    by_name = {column.name: column for column in found.columns}
    types = [(name, by_name[name].type if is_native(found, by_name[name]) else TEXT) for name in first.names]
    settings: dict[str, exp.Expr] = {
        "auto_detect": exp.false(),
        "delim": _text(first.dialect.delimiter),
        "quote": _text(first.dialect.quote),
        "escape": _text(first.dialect.escape),
        "header": exp.false(),
        "skip": exp.Literal.number(first.dialect.skip),
        "columns": _struct(types),
    }
    if found.missing:
        settings["nullstr"] = exp.Array(expressions=[_text(word) for word in ("", *found.missing)])
    if first.encoding != "utf-8":
        settings["encoding"] = _text(_ENCODINGS.get(first.encoding, first.encoding))
    if first.dialect.mixed_ends:
        settings["strict_mode"] = exp.false()
    if first.gzip:
        settings["compression"] = _text("gzip")
    return exp.ReadCSV(this=_paths([each.path for each in group]), expressions=_settings(settings))


def _json_reader(found: Found, group: Sequence[Source]) -> exp.Func:
    types = [(column.source, column.type if is_native(found, column) else TEXT) for column in found.columns]
    settings: dict[str, exp.Expr] = {
        "format": _text("array" if group[0].array else "newline_delimited"),
        "columns": _struct(types),
    }
    if group[0].gzip:
        settings["compression"] = _text("gzip")
    arguments = [_paths([each.path for each in group]), *_settings(settings)]
    return exp.Anonymous(this="read_json", expressions=arguments)


def _settings(settings: dict[str, exp.Expr]) -> list[exp.Expr]:
    return [exp.EQ(this=exp.column(name), expression=value) for name, value in settings.items()]


def _struct(types: Sequence[tuple[str, str]]) -> exp.Struct:
    pairs = [exp.PropertyEQ(this=_text(name), expression=_text(column_type)) for name, column_type in types]
    return exp.Struct(expressions=pairs)


def _paths(paths: Sequence[Path]) -> exp.Expr:
    written = [_text(_literal_glob(path)) for path in paths]
    return written[0] if len(written) == 1 else exp.Array(expressions=written)


def _literal_glob(path: Path | str) -> str:
    """A path that DuckDB takes as it stands: its letters for globs are put in brackets."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in str(path))


def _value(found: Found, column: FoundColumn) -> exp.Expr:
    written = column_named(column.source)
    if is_native(found, column):
        return written if column.source == column.name else _named(written, column)
    reading = column.reading
    filled = written
    if reading.blank_is_missing or reading.missing or reading.padded:
        filled = exp.Trim(this=written.copy())
        for word in ("", *reading.missing) if reading.blank_is_missing else reading.missing:
            filled = exp.Nullif(this=filled, expression=_text(word))
    if reading.type == TEXT:
        return _named(_text_kept(written, reading), column)
    plain = _converted(filled, reading, strict=not found.complete)
    if found.complete:
        return _named(plain, column)
    return _named(_strictly(filled, plain, column=column, found=found), column)


def _text_kept(written: exp.Expr, reading: Reading) -> exp.Expr:
    kept = written
    for word in reading.missing:
        kept = exp.Nullif(this=kept, expression=_text(word))
    return kept


def _converted(filled: exp.Expr, reading: Reading, *, strict: bool) -> exp.Expr:
    cast = exp.TryCast if strict else exp.Cast
    target = _data_type(reading.type)
    if reading.date_format:
        parse = "try_strptime" if strict else "strptime"
        moment = exp.Anonymous(this=parse, expressions=[filled.copy(), _text(reading.date_format)])
        return moment if reading.type == MOMENT else cast(this=moment, to=target)
    if reading.in_utc:
        zoned = cast(this=filled.copy(), to=_data_type("TIMESTAMPTZ"))
        return cast(this=exp.AtTimeZone(this=zoned, zone=_text("UTC")), to=target)
    value = filled.copy()
    if reading.number.thousands:
        value = exp.Anonymous(this="replace", expressions=[value, _text(reading.number.thousands), _text("")])
    if reading.number.decimal != ".":
        value = exp.Anonymous(this="replace", expressions=[value, _text(reading.number.decimal), _text(".")])
    if _is_nested(reading.type):
        value = cast(this=value, to=_data_type("JSON"))
    return cast(this=value, to=target)


def _is_nested(column_type: str) -> bool:
    return column_type.endswith("[]") or column_type.startswith("STRUCT(")


def _data_type(column_type: str) -> exp.DataType:
    return exp.DataType.build(column_type, dialect="duckdb")


def _strictly(filled: exp.Expr, plain: exp.Expr, *, column: FoundColumn, found: Found) -> exp.Expr:
    """The value, or an end of the run that names the column and what stands there."""
    message = exp.DPipe(this=_text(marker(found, column)), expression=filled.copy(), safe=True)
    stop = exp.Anonymous(this="error", expressions=[message])
    there = exp.case().when(filled.copy().is_(exp.null()).not_(), stop)
    fits = exp.func("COALESCE", plain, there)
    changed = _silently_changed(filled, column.reading)
    return exp.case().when(changed, stop.copy()).else_(fits) if changed is not None else fits


def _silently_changed(filled: exp.Expr, reading: Reading) -> exp.Expr | None:
    """The condition under which DuckDB's cast would drop a part of the value: a fraction, a time of day, an offset.

    Kept cheap: it is asked of every row.
    """
    if is_whole(reading.type):
        return _has(filled, reading.number.decimal)
    if reading.date_format or reading.in_utc:
        return None
    if reading.type == DATE:
        length = exp.Anonymous(this="length", expressions=[filled.copy()])
        return exp.GT(this=length, expression=exp.Literal.number(_LONGEST_DATE))
    if reading.type == MOMENT:
        behind = exp.and_(_letter(filled, -6).eq(_text("-")), _letter(filled, -3).eq(_text(":")))
        return exp.or_(_has(filled, "+"), behind)
    return None


def _has(value: exp.Expr, letter: str) -> exp.Expr:
    return exp.Anonymous(this="contains", expressions=[value.copy(), _text(letter)])


def _letter(value: exp.Expr, place: int) -> exp.Expr:
    return exp.Anonymous(this="substr", expressions=[value.copy(), exp.Literal.number(place), exp.Literal.number(1)])


def _named(value: exp.Expr, column: FoundColumn) -> exp.Expr:
    return exp.alias_(value, exp.to_identifier(column.name, quoted=True))


def _text(value: str) -> exp.Literal:
    return exp.Literal.string(value)
