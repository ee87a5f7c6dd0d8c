"""How many rows went through what flowed, and who is to blame when it breaks.

The count comes from DuckDB's own account of the statement that did the work; where that does not tell, from a count.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from headrace.nodes.columns import quoted

from .counts import Flowed, flowed
from .database import Database
from .failures import is_of_the_data
from .made import Made

COUNT_BYTES = 256 << 20
"""A source of more bytes is not read again only to count its rows."""


class Settling:
    """Finds out what is told of each table, and says when it is known."""

    def __init__(self, database: Database, done: Callable[[Made], None]) -> None:
        self._database = database
        self._told = done

    def done(self, made: Made) -> None:
        """Note that all is known of a table."""
        if not made.settled:
            made.settled = True
            self._told(made)

    def through(
        self,
        made: Made,
        profile: Mapping[str, Any] | None,
        seconds: float,
        *,
        rows: int | None = None,
        whole: bool = True,
    ) -> None:
        """Note that everything that flows up to `made` went into a statement; its profile, and how long it took.

        `rows`: how many came out at the end, where that is known. `whole`: False, where the statement may have stopped early.
        """
        account = flowed(profile) if profile else None
        chain = made.chain
        seconds *= account.share if account else 0.5
        self._count(chain, account, rows=rows, affordable=whole or made.source_bytes <= COUNT_BYTES)
        if chain:
            chain[0].seconds += seconds
        for each in chain:
            self.done(each)

    def drain(self, made: Made) -> None:
        """Let everything flow through that goes into nothing, every column of it, so that what is wrong in it is found."""
        started = time.perf_counter()
        values = "count(*), count(COLUMNS(*))" if made.table.columns else "count(*)"
        rows = self._database.execute(f"SELECT {values} FROM {quoted(made.task.relation)}")[0][0]
        self.through(made, self._database.profile(), time.perf_counter() - started, rows=int(rows))

    def to_blame(self, made: Made, error: Exception) -> Made | None:
        """Return what in a chain breaks by itself, the first of it; None: whoever took it is to blame."""
        if not is_of_the_data(error):
            return None
        for each in made.chain:
            if each.settled:
                continue
            try:
                self._database.execute(f"SELECT count(COLUMNS(*)) FROM {quoted(each.task.relation)}")
            except Exception as again:
                if not is_of_the_data(again):
                    raise
                return each
        return None

    def _count(self, chain: tuple[Made, ...], account: Flowed | None, *, rows: int | None, affordable: bool) -> None:
        """Give each table of a chain its rows: those before the one that leaves rows out, and those from it on."""
        if not chain:
            return
        place = next((n for n, each in enumerate(chain) if each.narrows), len(chain))
        first, rest = chain[:place], chain[place:]
        if rest:
            left = rows if rows is not None else account.left if account else self._ask(rest[0], affordable)
            for each in rest:
                each.rows = left
        if first:
            base = chain[0].base
            read = base.rows if base is not None else account.read if account else None
            if read is None and not rest:
                read = rows if rows is not None else account.left if account else None
            if read is None:
                read = self._ask(first[0], affordable)
            for each in first:
                each.rows = read
        for each in chain:
            if each.rows is None:
                each.summary = "rows not counted: only the first were needed"

    def _ask(self, made: Made, affordable: bool) -> int | None:
        if not affordable:
            return None
        return int(self._database.execute(f"SELECT count(*) FROM {quoted(made.task.relation)}")[0][0])
