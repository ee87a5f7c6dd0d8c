"""The names that columns get: none empty, no two alike, said where they differ from the file's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ColumnNames:
    """One name a column, in order, and a note for each name that is not the file's own."""

    names: tuple[str, ...]
    notes: tuple[str, ...] = ()


def named(written: Sequence[str], width: int) -> ColumnNames:
    """Return `width` different names made of the written ones; blanks around them are dropped.

    An empty name becomes `column_3`; a second `price` (in whatever case) becomes `price_2`.
    """
    cells = [cell.replace("\ufeff", "").replace("\x00", "").strip() for cell in written[:width]]
    cells += [""] * (width - len(cells))
    taken: set[str] = set()
    wanted = {cell.casefold() for cell in cells}
    names, notes = [], []
    for place, cell in enumerate(cells, start=1):
        name = cell or f"column_{place}"
        if name.casefold() in taken or (not cell and name.casefold() in wanted):
            stem, nth = name, 2
            while f"{stem}_{nth}".casefold() in taken | wanted:
                nth += 1
            name = f"{stem}_{nth}"
        taken.add(name.casefold())
        names.append(name)
        if not cell and any(cells):
            notes.append(f"Column {place} has no name and is called `{name}`.")
        elif cell and name != cell:
            notes.append(f"The name `{cell}` occurs more than once; column {place} is called `{name}`.")
    return ColumnNames(tuple(names), tuple(notes))
