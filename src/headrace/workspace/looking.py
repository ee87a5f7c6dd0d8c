"""Use cases of looking: which files there are, what is in them, where a value stands, what SQL a node is.

Owns the bounds of a look. Nothing is changed, nothing outside the file space is read.
"""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from headrace.base.actor import Actor
from headrace.base.errors import HeadraceError, Invalid, NotFound
from headrace.engine.cancel import CancelToken
from headrace.nodes.files import FileInfo
from headrace.nodes.spec import NodeFault
from headrace.nodes.sql import node_sql

from .foundation import UseCases
from .searching import Search, search, variants
from .views import FileDescription, FoundValues

_MOST_WORDS = 200
_MOST_FILES = 50
_NAMED = 5


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

    def find_values(self, actor: Actor, words: Sequence[str], paths: Sequence[str] | None = None) -> FoundValues:
        """Return where words stand as values in text columns of files: column, value as it is stored, rows.

        Case, blanks around a value and a plural `s` make no difference. Without `paths` all files are searched, as far as
        the time for it goes; of a big file only the beginning. What was not looked at is said. A file that cannot be read
        is passed over.
        """
        wanted = variants(words[:_MOST_WORDS])
        if not wanted:
            return FoundValues()
        asked = [each.path for each in self.files(actor)] if paths is None else list(dict.fromkeys(paths))
        token = CancelToken()
        limit = threading.Timer(self._house.budgets.search_seconds, token.cancel)
        limit.daemon = True
        limit.start()
        searched: dict[str, Search] = {}
        try:
            for path in asked[:_MOST_FILES]:
                if token.cancelled:
                    break
                searched[path] = search(self._house, path, wanted, token=token)
        finally:
            limit.cancel()
        return FoundValues(
            values=tuple(value for each in searched.values() for value in each.values),
            notes=tuple(_left_out(asked, searched)),
        )

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
            return node_sql(
                judged.flow, node_id, catalog=house.catalog, inference=judged.inference, context=house.context
            )


def _left_out(asked: Sequence[str], searched: Mapping[str, Search]) -> Iterator[str]:
    """Say which files were looked at in part, and which not at all: what is not found there may be there."""
    if parts := [path for path, found in searched.items() if not found.whole]:
        yield f"Only the beginning was looked at of {_listed(parts)}."
    if rest := [path for path in asked if path not in searched]:
        yield f"Not looked at, for lack of time: {_listed(rest)}. Name fewer files."


def _listed(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    return ", ".join(paths[:_NAMED]) + more


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
