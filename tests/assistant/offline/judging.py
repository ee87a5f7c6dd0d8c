"""Judges what came of a request against what its author expects: the rows of a query over the same files, or words."""

from __future__ import annotations

import itertools
import math
import re
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import duckdb

from .bench_of_requests import Conversation, Turn

TABLES = Path(__file__).parent / "tables"
READERS = {
    # yes and no stay words
    ".csv": "read_csv('{}', auto_type_candidates=['BIGINT', 'DOUBLE', 'DATE', 'TIMESTAMP', 'VARCHAR'])",
    ".jsonl": "read_json('{}')",
    ".parquet": "read_parquet('{}')",
}


def judge(case: dict[str, Any]) -> tuple[str, str]:
    """Return what came of all turns of a case: `right`, `asked` or `wrong`, and why."""
    folder = TABLES / case.get("folder", "")
    conversation = Conversation(folder, case["files"])
    files = [folder / path for path in case["files"]]
    for number, turn in enumerate(case["turns"], 1):
        verdict, why = _turn(conversation, turn, files)
        if verdict != "right":
            return verdict, f"turn {number}: {why}"
    return "right", ""


def _turn(conversation: Conversation, expected: dict[str, Any], files: list[Path]) -> tuple[str, str]:
    done = conversation.say(expected["say"])
    kind, reply = done.decision.kind, done.decision.text()
    kinds = expected.get("kind_any") or [expected.get("kind", "sql")]
    if kinds == ["any"]:
        return "right", ""
    if kind in ("ask", "decline"):
        if "ask" in kinds:
            return ("right", "") if all(w in reply.casefold() for w in expected.get("words", [])) else ("asked", reply)
        return "asked", reply
    if kinds == ["ask"]:
        return "wrong", f"did not ask: {reply} {list(conversation.document['nodes'].values())}"
    return (
        _facts(expected, files, reply=reply)
        or _outputs(conversation, expected)
        or _table(conversation, expected, files)
        or ("right", "")
    )


def _facts(expected: dict[str, Any], files: list[Path], *, reply: str) -> tuple[str, str] | None:
    head = reply.split("How I read it:")[0]
    numbers = {float(n.replace(",", "")) for n in re.findall(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?", head)}
    wanted = list(expected.get("facts", []))
    if "facts_sql" in expected:
        wanted.append(float(_query(expected["facts_sql"], files)[1][0][0]))
    for number in wanted:
        if not any(math.isclose(number, n, rel_tol=1e-9) for n in numbers):
            return "wrong", f"lacks {number}: {reply}"
    if "facts_any" in expected and not any(word.casefold() in head.casefold() for word in expected["facts_any"]):
        return "wrong", f"lacks {expected['facts_any']}: {reply}"
    return None


def _outputs(conversation: Conversation, expected: dict[str, Any]) -> tuple[str, str] | None:
    if "writes" in expected and expected["writes"] not in conversation.writes():
        return "wrong", f"does not write {expected['writes']}"
    if "chart" in expected:
        charts = conversation.charts()
        if (
            not charts
            or charts[0]["kind"] != expected["chart"]["type"]
            or charts[0]["x"] != expected["chart"].get("x", charts[0]["x"])
        ):
            return "wrong", f"charts: {charts}"
    return None


def _table(conversation: Conversation, expected: dict[str, Any], files: list[Path]) -> tuple[str, str] | None:
    if "sql" not in expected:
        return None
    _, gold = _query(expected["sql"], files)
    names, rows = conversation.table()
    why = compare(names, rows, gold, expected)
    return ("wrong", f"{why} | {conversation.document['nodes']}") if why else None


def _query(sql: str, files: list[Path]) -> tuple[list[str], list[tuple[Any, ...]]]:
    with duckdb.connect() as connection:
        for path in files:
            connection.execute(f"CREATE VIEW {path.stem} AS FROM {READERS[path.suffix].format(path)}")
        found = connection.execute(sql)
        return [column[0] for column in found.description or ()], found.fetchall()


def compare(
    names: list[str], rows: list[tuple[Any, ...]], gold: list[tuple[Any, ...]], expected: dict[str, Any]
) -> str:
    """Return why a result is not the expected one; empty where it is. Columns are found by their content."""
    if len(rows) != len(gold):
        return f"{len(rows)} rows instead of {len(gold)}; columns {names}"
    width = len(gold[0]) if gold else len(names)
    if expected.get("exact") and len(names) != width:
        return f"columns {names} instead of {width}"
    wanted = expected.get("names")
    if wanted and [n for n in names if n in wanted] != wanted:
        return f"columns {names} instead of {wanted}"
    tolerance = expected.get("tol", 1e-9)
    for scale in expected.get("scale", [1]):
        gold_columns = _columns(gold, width, scale)
        candidates = [
            [at for at in range(len(names)) if _same(_sorted(column), _sorted([row[at] for row in rows]), tolerance)]
            for column in gold_columns
        ]
        if any(not found for found in candidates):
            missing = [at for at, found in enumerate(candidates) if not found]
            reason = f"no column like {[gold_columns[at][:4] for at in missing]}; {names} {rows[:3]}"
            continue
        for chosen in itertools.islice(itertools.product(*candidates), 300):
            if len(set(chosen)) < len(chosen):
                continue
            mine = [tuple(_plain(row[at]) for at in chosen) for row in rows]
            theirs = [tuple(_plain(column[at]) for column in gold_columns) for at in range(len(gold))]
            if _same_rows(mine, theirs, tolerance) and _in_order(mine, theirs, expected.get("order", []), tolerance):
                return ""
        reason = f"rows or order differ; {names} {rows[:4]}"
    return reason


def _columns(gold: list[tuple[Any, ...]], width: int, scale: float) -> list[list[Any]]:
    columns = [[row[at] for row in gold] for at in range(width)]
    if scale == 1:
        return columns
    return [
        [v * scale if at == width - 1 and isinstance(v, int | float) else v for v in column]
        for at, column in enumerate(columns)
    ]


def _plain(value: Any) -> Any:
    if isinstance(value, datetime) and value.time() == datetime.min.time():
        return value.date().isoformat()
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    if isinstance(value, bool):
        return str(value).lower()
    if value is None or isinstance(value, str):
        return value
    return float(value) if not isinstance(value, list | dict) else str(value)


def _key(value: Any) -> tuple[int, Any]:
    value = _plain(value)
    if value is None:
        return 0, 0
    return (1, round(value, 6)) if isinstance(value, float) else (2, str(value))


def _sorted(column: list[Any]) -> list[Any]:
    return sorted((_plain(v) for v in column), key=_key)


def _alike(a: Any, b: Any, tolerance: float) -> bool:
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=tolerance, abs_tol=1e-9)
    return bool(a == b)


def _same(a: list[Any], b: list[Any], tolerance: float) -> bool:
    return all(_alike(x, y, tolerance) for x, y in zip(a, b, strict=True))


def _same_rows(mine: list[Any], theirs: list[Any], tolerance: float) -> bool:
    order = sorted(mine, key=lambda row: [_key(v) for v in row])
    gold = sorted(theirs, key=lambda row: [_key(v) for v in row])
    return all(_same(list(a), list(b), tolerance) for a, b in zip(order, gold, strict=True))


def _in_order(mine: list[Any], theirs: list[Any], order: list[int], tolerance: float) -> bool:
    return all(_alike(a[at], b[at], tolerance) for at in order for a, b in zip(mine, theirs, strict=True))


__all__ = ["TABLES", "Turn", "compare", "judge"]
