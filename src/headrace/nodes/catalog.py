"""The node types that there are: looked up by name, found by words.

Owns the discovery of `nodes/library/**` and the search over what node types say of themselves. Keeps no list by hand: a file
put into the library is in the catalog.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator

from headrace.base.errors import Invalid

from . import library
from .near import near
from .search import Hit, Index
from .spec import NodeType

__all__ = ["Catalog", "Hit", "standard_catalog"]


class Catalog:
    """A set of node types. Never changes once it is made, so it may be shared between threads."""

    def __init__(self, types: Iterable[NodeType]) -> None:
        self._types: dict[str, NodeType] = {}
        for node_type in sorted(types, key=lambda each: each.name):
            if node_type.name in self._types:
                raise ValueError(f"two node types are named {node_type.name!r}: give one of them another name")
            self._types[node_type.name] = node_type
        self._index = Index(self._types.values())

    def __contains__(self, name: str) -> bool:
        return name in self._types

    def find(self, name: str) -> NodeType | None:
        """Return the node type of that name, or None."""
        return self._types.get(name)

    def get(self, name: str) -> NodeType:
        """Return the node type of that name.

        Errors: Invalid `unknown_node_type`, naming those that come near.
        """
        found = self._types.get(name)
        if found is not None:
            return found
        close = self.near(name) or [hit.name for hit in self.search(name.replace("_", " "), limit=3)]
        hint = f"Near ones: {', '.join(close)}." if close else f"There are: {', '.join(self._types)}."
        raise Invalid("unknown_node_type", f"There is no node type {name!r}.", hint)

    def unknown(self, name: str) -> str:
        """Return what is said of a node type that there is not: the near ones, else all that there are."""
        close = self.near(name)
        rest = f"Near ones: {', '.join(map(repr, close))}" if close else f"There are: {', '.join(self._types)}"
        return f"There is no node type {name!r}. {rest}. Replace the node by one of them."

    def near(self, name: str, limit: int = 3) -> list[str]:
        """Return the names of node types that are written nearly like this, best first."""
        return near(name, self._types, limit=limit)

    def all(self) -> tuple[NodeType, ...]:
        """Return every node type, by name."""
        return tuple(self._types.values())

    def search(self, words: str, limit: int = 5) -> list[Hit]:
        """Return the node types that answer to some words, best first; typing errors are forgiven."""
        return self._index.search(words, limit)


def standard_catalog() -> Catalog:
    """Return the catalog of everything in `nodes/library`."""
    return Catalog(found() for found in _library_types())


def _library_types() -> Iterator[type[NodeType]]:
    for module_info in pkgutil.walk_packages(library.__path__, f"{library.__name__}."):
        module = importlib.import_module(module_info.name)
        for value in vars(module).values():
            if _is_node_type(value) and value.__module__ == module.__name__:
                yield value


def _is_node_type(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, NodeType) and "name" in vars(value)
