"""Use cases of looking: which files there are, what is in them, where a value stands, what SQL a node is.

Owns the bounds of a look. Nothing is changed, nothing outside the file space is read.
"""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from headrace.base.actor import Actor
from headrace.base.errors import HeadraceError, Invalid, NotFound
from headrace.base.ids import new_id
from headrace.engine.cancel import CancelToken
from headrace.engine.plan import plan
from headrace.engine.results import NodeResult
from headrace.engine.run import run
from headrace.flow.model import flow_from_document
from headrace.nodes.files import FileInfo
from headrace.nodes.spec import NodeFault, Table
from headrace.nodes.sql import node_sql

from .foundation import Foundation, UseCases
from .runs import run_settings
from .views import FileDescription, FoundValue

_MOST_WORDS = 200
_MOST_FILES = 50
_MOST_VALUES = 100
_TEXT = "VARCHAR"
_READ = "file"


class Looking(UseCases):
    """Looking at files and at SQL."""

    def files(self, actor: Actor) -> list[FileInfo]:
        """Return the files that can be read, by path."""
        del actor
        return list(self._house.files.list())

    def describe_file(self, actor: Actor, path: str, options: Mapping[str, Any] | None = None) -> FileDescription:
        """Return what a file's head tells: format, columns with types, some rows, and every decision in words.

        `options` are those of a `read_file` config. Errors: NotFound; Invalid with the F5xx code.
        """
        del actor
        house = self._house
        node_type = house.catalog.get("read_file")
        config = {"path": path, **(options or {})}
        with _faults_raised():
            found = node_type.found(_parsed(node_type, config), house.context)  # ty: ignore[missing-attribute]
        return FileDescription(
            path=path,
            format=found.format,
            columns=found.table().columns,
            sample=found.sample,
            notes=found.notes,
            rows=found.rows,
            sheet=found.sheet,
            sheets=found.sheets,
            files=len(found.sources),
        )

    def find_values(self, actor: Actor, words: Sequence[str], paths: Sequence[str] | None = None) -> list[FoundValue]:
        """Return where words stand as values in text columns of files: column, value as it is stored, rows.

        Case, blanks around a value and a plural `s` make no difference. Without `paths` all files are searched, as far as
        the time for it goes; of a big file only the beginning. A file that cannot be read is passed over.
        """
        wanted = _variants(words[:_MOST_WORDS])
        if not wanted:
            return []
        searched = [each.path for each in self.files(actor)] if paths is None else list(paths)
        token = CancelToken()
        limit = threading.Timer(self._house.budgets.search_seconds, token.cancel)
        limit.daemon = True
        limit.start()
        try:
            return [
                found
                for path in searched[:_MOST_FILES]
                if not token.cancelled
                for found in _search(self._house, path, wanted, token=token)
            ]
        finally:
            limit.cancel()

    def sql(self, actor: Actor, flow_id: str, node_id: str, *, changeset_id: str | None = None) -> str:
        """Return the SQL of a node and all before it, laid out to be read.

        Errors: NotFound; PatchConflict; Invalid where the node is no table or has faults.
        """
        house = self._house
        with house.store.reading() as view:
            head = house.heads.head(view, actor, flow_id)
            judged = house.staged.judged(view, actor, head, changeset_id=changeset_id)
        if node_id not in judged.flow.nodes:
            raise NotFound("no_such_node", f"There is no node {node_id!r} in this flow.", "Name one of its nodes.")
        with _faults_raised():
            return node_sql(judged.flow, node_id, house.catalog, judged.inference, house.context)


@contextmanager
def _faults_raised() -> Generator[None]:
    """Turn the faults of a node into the house's error: here nobody has a place to show them."""
    try:
        yield
    except NodeFault as error:
        raise _as_error(error) from None


def _as_error(error: NodeFault) -> HeadraceError:
    first, *more = error.faults
    if first.code == "F501":
        return NotFound(first.code, first.message)
    return Invalid(first.code, first.message, faults=tuple(each.message for each in (first, *more)))


def _parsed(node_type: Any, config: Mapping[str, Any]) -> Any:
    try:
        return node_type.Config.model_validate(config)
    except ValueError as error:
        raise Invalid("bad_options", f"The file cannot be read that way: {error}", "Leave the options out.") from None


def _variants(words: Iterable[str]) -> dict[str, str]:
    """Every way in which a value may be written that the words mean, and the words it stands for."""
    wanted: dict[str, str] = {}
    for said in words:
        word = " ".join(said.casefold().split())
        if not word:
            continue
        ways = [word, f"{word}s", f"{word}es"]
        ways += [f"{word[:-1]}ies"] if word.endswith("y") else []
        ways += [word[:-1]] if len(word) > 3 and word.endswith("s") else []
        ways += [f"{word[:-3]}y"] if len(word) > 4 and word.endswith("ies") else []
        ways += [word[:-2]] if len(word) > 4 and word.endswith("es") else []
        for way in ways:
            wanted.setdefault(way, said)
    return wanted


def _search(house: Foundation, path: str, wanted: Mapping[str, str], *, token: CancelToken) -> Iterable[FoundValue]:
    """Look through one file: a flow that reads it and, for each text column, filters and counts."""
    source = flow_from_document(_document(path, (), wanted, rows=None))
    known = house.heads.judge.first(source)
    table = known.inference.nodes[_READ].outputs.get("out")
    if not isinstance(table, Table):
        return
    columns = [column.name for column in table.columns if column.type == _TEXT]
    big = _size(house, path) > house.budgets.search_bytes
    rows = house.budgets.search_rows if big else None
    flow = flow_from_document(_document(path, columns, wanted, rows=rows))
    judged = house.heads.judge.first(flow)
    results: dict[str, NodeResult] = {}
    settings = run_settings(
        house, new_id("search"), dry_run=True, deliver=lambda result: results.__setitem__(result.node_id, result)
    )
    for _ in run(plan(flow, house.catalog, judged.inference), settings, token):
        pass
    for number, column in enumerate(columns):
        result = results.get(f"count_{number}")
        for value, count in result.preview if result is not None else ():
            said = wanted.get(" ".join(str(value).casefold().split()))
            if said is not None:
                yield FoundValue(words=said, path=path, column=column, value=str(value), count=int(count))


def _size(house: Foundation, path: str) -> int:
    with _faults_raised():
        return sum(each.stat().st_size for each in house.files.read(path))


def _document(path: str, columns: Sequence[str], wanted: Mapping[str, str], *, rows: int | None) -> dict[str, Any]:
    """The flow that looks through a file."""
    nodes: dict[str, Any] = {_READ: {"type": "read_file", "config": {"path": path}}}
    edges: list[tuple[str, str]] = []
    start = _READ
    if rows is not None:
        nodes["first"] = {"type": "limit", "config": {"count": rows}}
        edges.append((_READ, "first"))
        start = "first"
    values = ", ".join("'" + way.replace("'", "''") + "'" for way in wanted)
    for number, column in enumerate(columns):
        name = '"' + column.replace('"', '""') + '"'
        nodes[f"find_{number}"] = {"type": "filter", "config": {"condition": f"lower(trim({name})) IN ({values})"}}
        count = {"name": "rows counted", "function": "count"}
        nodes[f"count_{number}"] = {"type": "aggregate", "config": {"group_by": [column], "measures": [count]}}
        edges += [(start, f"find_{number}"), (f"find_{number}", f"count_{number}")]
    written = {
        f"{a}.out>{b}.in": {"source": {"node": a, "port": "out"}, "target": {"node": b, "port": "in"}} for a, b in edges
    }
    return {"headrace": 1, "name": "", "nodes": nodes, "edges": written}
