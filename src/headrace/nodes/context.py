"""What node types may ask while they are typed: the files that a path means, the columns that a query gives."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sqlglot import exp

from .binder import Binder
from .files import FileSpace
from .spec import Relation, Table


class StandardContext:
    """The `Context` of the product: one file space, one binder. May be shared between threads."""

    def __init__(self, files: FileSpace, binder: Binder) -> None:
        self.files = files
        self.binder = binder

    def read_paths(self, path: str) -> tuple[Path, ...]:
        """Return the real files that a path or a pattern means.

        Errors: NodeFault F501, F502, F503.
        """
        return self.files.read(path)

    def write_path(self, path: str, *, overwrite: bool) -> Path:
        """Return where a path may be written; nothing is made.

        Errors: NodeFault F502, F503, F511.
        """
        return self.files.write(path, overwrite=overwrite)

    def name_of(self, path: Path) -> str:
        """Return what a config writes to mean a real file."""
        return self.files.name_of(path)

    def describe(self, query: exp.Expr, inputs: Iterable[Relation]) -> Table:
        """Return the columns of a query over empty tables of the inputs' columns.

        Errors: NodeFault F401, F402, F405.
        """
        return self.binder.describe(query, inputs)
