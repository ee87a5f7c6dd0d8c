"""Files of JSON records: one a line, or one array of them.

Owns the types of nested values. Refuses what is no record, naming the line; keys that come only after the head are not read, and
a note says so.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from headrace.nodes.columns import quoted
from headrace.nodes.spec import Fault, NodeFault

from . import dates
from .encodings import decode
from .found import DATE, DECIMAL, MARKED_UTF8, MOMENT, TEXT, TRUTH, WHOLE, Found, FoundColumn, Options, Reading, Source
from .head import HEAD_BYTES, HEAD_LINES, Head, file_fault
from .names import named

_SAMPLE = 20
_MOST_LEVELS = 20
_MOST_KEYS = 1_000


@dataclass(slots=True)
class _Seen:
    """All that one key held."""

    kinds: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    fields: dict[str, _Seen] = field(default_factory=dict)
    items: _Seen | None = None


def find(heads: Sequence[Head], options: Options, key: str) -> Found:
    """Return what the heads of JSON files tell.

    Errors: NodeFault F303, F504, F505.
    """
    seen = _Seen()
    sources: list[Source] = []
    sample: list[dict[str, Any]] = []
    notes: list[str] = []
    count = 0
    for head in heads:
        text, encoding, said = decode(head, options.encoding)
        notes += [note for note in said if note not in notes]
        array = text.lstrip().startswith("[")
        records, complete = _records(text, head, array=array)
        for each in records:
            _look(each, seen, 0)
        count += len(records)
        sample += records[: _SAMPLE - len(sample)]
        marked = head.data.startswith(b"\xef\xbb\xbf")
        sources.append(
            Source(head.path, (), MARKED_UTF8 if marked else encoding, complete=complete, gzip=head.gzip, array=array)
        )
    if not seen.fields:
        raise NodeFault(
            file_fault("F504", f"{heads[0].path.name!r} holds no records with keys. Each line must be an object.")
        )
    if len(seen.fields) > _MOST_KEYS:
        message = f"{heads[0].path.name!r} has records with {len(seen.fields):,} different keys: no table of columns."
        raise NodeFault(file_fault("F504", message))
    columns = _columns(seen, options, notes)
    complete = all(source.complete for source in sources)
    if not complete:
        notes.append(f"Keys that occur only after the first {count:,} records are not read.")
    names = tuple(column.name for column in columns)
    return Found(
        format="json_lines",
        sources=tuple(
            Source(each.path, names, each.encoding, each.dialect, each.complete, each.gzip, each.array)
            for each in sources
        ),
        columns=columns,
        key=key,
        notes=tuple(notes),
        sample=tuple(tuple(shown(each.get(column.source)) for column in columns) for each in sample),
        rows=count if complete else None,
    )


def _records(text: str, head: Head, *, array: bool) -> tuple[list[dict[str, Any]], bool]:
    records, complete = _array_records(text, head) if array else _line_records(text, head)
    if not records and complete:
        raise NodeFault(file_fault("F505", f"{head.path.name!r} holds no records. Choose a file that holds a table."))
    if not records:
        message = f"The first record of {head.path.name!r} is longer than {HEAD_BYTES:,} characters: this is no table of rows."
        raise NodeFault(file_fault("F504", message))
    return records, complete


def _line_records(text: str, head: Head) -> tuple[list[dict[str, Any]], bool]:
    lines = text.split("\n")
    if not head.complete:
        lines.pop()  # it may be cut off
    records = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        if len(records) == HEAD_LINES:
            return records, False
        records.append(record(line, f"Line {number} of {head.path.name!r}"))
    return records, head.complete


def record(line: str, where: str) -> dict[str, Any]:
    """Return the record that a line holds.

    Errors: NodeFault F504 where it holds none.
    """
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        message = f"{where} is no JSON: {error.msg.lower()} at column {error.colno}. Mend that line."
        raise NodeFault(file_fault("F504", message)) from None
    except RecursionError:
        raise NodeFault(file_fault("F504", f"{where} is nested too deeply to be a row of a table.")) from None
    if not isinstance(value, dict):
        message = f'{where} is no record such as {{"name": "Ada"}}. Each line must be an object.'
        raise NodeFault(file_fault("F504", message))
    return value


def _array_records(text: str, head: Head) -> tuple[list[dict[str, Any]], bool]:
    decoder = json.JSONDecoder()
    place = text.index("[") + 1
    records: list[dict[str, Any]] = []
    while True:
        while place < len(text) and text[place] in " \t\r\n,":
            place += 1
        if place < len(text) and text[place] == "]":
            return records, head.complete
        where = f"Record {len(records) + 1} of {head.path.name!r}"
        try:
            value, place = decoder.raw_decode(text, place)
        except json.JSONDecodeError as error:
            if not head.complete:
                return records, False
            message = f"{where} is no JSON: {error.msg.lower()}. Mend it."
            raise NodeFault(file_fault("F504", message)) from None
        except RecursionError:
            raise NodeFault(file_fault("F504", f"{where} is nested too deeply to be a row of a table.")) from None
        if not isinstance(value, dict):
            raise NodeFault(file_fault("F504", f"{where} is no object with keys, so it is no row of a table."))
        records.append(value)
        if len(records) == HEAD_LINES:
            return records, False


def _look(value: Any, seen: _Seen, level: int) -> None:
    match value:
        case None:
            return
        case bool():
            seen.kinds.add("truth")
        case int():
            seen.kinds.add("whole" if -(2**63) <= value < 2**63 else "huge")
        case float():
            seen.kinds.add("decimal")
        case str():
            seen.kinds.add("text")
            if len(seen.texts) < HEAD_LINES:
                seen.texts.add(value)
        case dict() if level < _MOST_LEVELS:
            seen.kinds.add("record")
            for name, item in value.items():
                _look(item, seen.fields.setdefault(name, _Seen()), level + 1)
        case list() if level < _MOST_LEVELS:
            seen.kinds.add("list")
            seen.items = seen.items or _Seen()
            for item in value:
                _look(item, seen.items, level + 1)
        case _:
            seen.kinds.add("deep")


def _type(seen: _Seen) -> str:
    kinds = seen.kinds
    if kinds == {"whole"}:
        return WHOLE
    if kinds and kinds <= {"whole", "decimal", "huge"}:
        return DECIMAL
    if kinds == {"truth"}:
        return TRUTH
    if kinds == {"text"}:
        return _text_type(seen.texts)
    if kinds == {"list"} and seen.items is not None:
        return f"{_type(seen.items)}[]"
    if kinds == {"record"} and seen.fields and len({name.casefold() for name in seen.fields}) == len(seen.fields):
        fields = ", ".join(f"{quoted(name)} {_type(each)}" for name, each in seen.fields.items())
        return f"STRUCT({fields})"
    return "JSON" if kinds & {"record", "list", "deep"} else TEXT


def _text_type(texts: Iterable[str]) -> str:
    values = frozenset(texts)
    if all(values) and dates.are_iso_dates(values):
        return DATE
    if all(values) and dates.iso_moments(values) in ("plain", "utc"):
        return MOMENT
    return TEXT


def _columns(seen: _Seen, options: Options, notes: list[str]) -> tuple[FoundColumn, ...]:
    keys = _keys(seen, notes)
    given = named(keys, len(keys))
    notes += given.notes
    declared = dict(options.types)
    columns = []
    for name, key in zip(given.names, keys, strict=True):
        column_type = declared.get(name) or _spelled(_type(seen.fields[key]))
        if len(seen.fields[key].kinds - {"deep"}) > 1 and column_type in (TEXT, "JSON"):
            notes.append(f"`{name}` holds values of several kinds and is read as text.")
            column_type = TEXT
        columns.append(FoundColumn(name, key, _reading(name, column_type, seen.fields[key], options=options)))
    return tuple(columns)


def _keys(seen: _Seen, notes: list[str]) -> list[str]:
    """The keys that can be columns: DuckDB does not tell apart two that differ in case alone."""
    keys: dict[str, str] = {}
    for key in seen.fields:
        if key.casefold() in keys:
            notes.append(f"The key `{key}` is not read, since it differs from `{keys[key.casefold()]}` in case alone.")
        else:
            keys[key.casefold()] = key
    return list(keys.values())


def _spelled(column_type: str) -> str:
    """A type as DuckDB itself writes it: it quotes names inside a record where it must."""
    if "STRUCT(" not in column_type:
        return column_type
    import duckdb

    return str(duckdb.type(column_type))


def _reading(name: str, column_type: str, seen: _Seen, *, options: Options) -> Reading:
    if column_type not in (DATE, MOMENT) or "text" not in seen.kinds:
        return Reading(column_type)
    texts = frozenset(seen.texts)
    if dates.are_iso_dates(texts) or dates.iso_moments(texts) is not None:
        return Reading(column_type)
    wanted = dates.from_words(options.date_format) if options.date_format else None
    fitting = dates.formats_that_fit(texts, (wanted,) if wanted else dates.FORMATS)
    if len(fitting) != 1:
        message = (
            f"`{name}` holds values such as {sorted(texts)[0]!r}. Set `date_format` to say how its dates are written."
        )
        raise NodeFault(Fault("F303", message, ("date_format",)))
    return Reading(column_type, date_format=fitting[0])


def shown(value: Any) -> str | None:
    """Return a value as text: a string as it is, everything else as JSON."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)
