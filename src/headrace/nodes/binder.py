"""What columns a query would give, found by DuckDB on empty tables.

Owns one in-memory DuckDB that can reach no file and no network and whose settings are locked. Nothing is run on data; only
literals are tried against the types that they are compared with.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any

import duckdb
from sqlglot import exp

from . import binding, comparisons, expressions
from .columns import quoted
from .spec import Column, Fault, NodeFault, Relation, Table

_MOST_TABLES = 512
_MOST_REMEMBERED = 8_192
_SETTINGS: dict[str, str | float | list[str]] = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "memory_limit": "256MB",
    "threads": "1",
}

_SAMPLES = (
    "'2000-01-01 01:00:00'",
    "1",
    "'[]'",
    "'{}'",
    "'1 day'",
    "'00000000-0000-0000-0000-000000000000'",
    "'01:00:00'",
    "'1'",
)
"""Among these is one that can be read as a value of whatever type."""
_NO_WAY = "Unimplemented type for cast"

Schema = tuple[Column, ...]
_Answer = Table | tuple[Fault, ...]


class Binder:
    """Types queries. One may be shared by all threads; answers are remembered by query and schemas."""

    def __init__(self) -> None:
        self._connection = duckdb.connect(":memory:", config=_SETTINGS)
        # Without this, a table name that is not found is looked up among the caller's Python variables.
        self._connection.execute("SET python_enable_replacements = false")
        self._connection.execute("SET TimeZone = 'UTC'")
        self._connection.execute("SET lock_configuration = true")
        self._lock = threading.Lock()
        self._tables: OrderedDict[Schema, str] = OrderedDict()
        self._made = 0
        self._tried: dict[str, bool] = {}
        self._samples: dict[str, str] = {}
        self._answers: OrderedDict[tuple[str, tuple[tuple[str, Schema], ...]], _Answer] = OrderedDict()

    def close(self) -> None:
        """Let the database go."""
        with self._lock:
            self._connection.close()

    def describe(self, query: exp.Expr, relations: Iterable[Relation]) -> Table:
        """Return the columns of a query over empty tables of the relations' columns.

        Errors: NodeFault F401, F402, F405, without a path: the caller knows which part of its config the query came from.
        """
        arriving = {relation.name: relation for relation in relations}
        text = expressions.sql(query)
        key = (text, tuple((name, relation.table.columns) for name, relation in arriving.items()))
        with self._lock:
            answer = self._answers.get(key)
            if answer is None:
                answer = self._ask(query, text, tuple(arriving.values()))
                self._answers[key] = answer
                if len(self._answers) > _MOST_REMEMBERED:
                    self._answers.popitem(last=False)
            else:
                self._answers.move_to_end(key)
        if isinstance(answer, Table):
            return answer
        raise NodeFault(*answer)

    def fits(self, text: str, type_name: str) -> bool:
        """Return whether a text can be read as a value of a type."""
        with self._lock:
            return self._fits(text, type_name)

    def _ask(self, query: exp.Expr, text: str, relations: Sequence[Relation]) -> _Answer:
        try:
            table = self._bind(text, relations)
        except duckdb.Error as error:
            return (binding.fault_of(error, query, relations),)
        type_of = self._typed(query, relations)
        tries = comparisons.Tries(type_of=type_of, fits=self._fits, converts=self._converts, compares=self._compares)
        faults = tuple(comparisons.faults_in(query, tries))
        return faults or table

    def _bind(self, text: str, relations: Sequence[Relation]) -> Table:
        names = [f"{quoted(relation.name)} AS (FROM {self._table(relation.table.columns)})" for relation in relations]
        around = f"WITH {', '.join(names)} " if names else ""
        bound = self._connection.sql(f"{around}SELECT * FROM ({text})")
        return Table(
            columns=tuple(
                Column(name=name, type=str(kind)) for name, kind in zip(bound.columns, bound.types, strict=True)
            )
        )

    def _typed(self, query: exp.Expr, relations: Sequence[Relation]) -> comparisons.TypeOf:
        """A way to ask for the type of a part of a query that has been bound; None where it has none of its own."""

        by_alias = {table.alias_or_name: table.name for table in query.find_all(exp.Table)}

        def type_of(part: exp.Expr) -> str | None:
            if isinstance(part, exp.Column):
                meant = [each for each in relations if not part.table or each.name == by_alias.get(part.table)]
                known = {column.type for each in meant if (column := each.table.column(part.name)) is not None}
                return known.pop() if len(known) == 1 else None
            if not isinstance(query, exp.Select) or not relations:
                return None
            asked = exp.select(exp.alias_(part.copy(), "value", quoted=True)).from_(relations[0].as_table())
            try:
                return self._bind(expressions.sql(asked), relations).columns[0].type
            except duckdb.Error:
                return None

        return type_of

    def _table(self, schema: Schema) -> str:
        """The name of an empty table with these columns; the least recently used one gives way when there are many."""
        name = self._tables.get(schema)
        if name is not None:
            self._tables.move_to_end(schema)
            return name
        self._made += 1
        name = f"empty_{self._made}"
        columns = ", ".join(f"{quoted(column.name)} {column.type}" for column in schema)
        self._connection.execute(f"CREATE TABLE {name} ({columns or '__headrace_none INTEGER'})")
        self._tables[schema] = name
        if len(self._tables) > _MOST_TABLES:
            _, oldest = self._tables.popitem(last=False)
            self._connection.execute(f"DROP TABLE {oldest}")
        return name

    def _converts(self, source: str, target: str) -> bool:
        """Whether DuckDB has a conversion; tried on one value, because binding alone does not tell."""
        return self._works(f"CAST({self._sample(source)} AS {target})")

    def _compares(self, one: str, other: str) -> bool:
        """Whether values of two types can be compared; tried on two values, because binding alone does not tell."""
        return self._works(f"{self._sample(one)} = {self._sample(other)}")

    def _works(self, expression: str) -> bool:
        known = self._tried.get(expression)
        if known is None:
            try:
                self._worked_out(expression)
                known = True
            except duckdb.Error as error:
                known = _NO_WAY not in str(error)
            self._remember(expression, known)
        return known

    def _sample(self, type_name: str) -> str:
        """A value of a type, as SQL; NULL, which is always well, where none is found."""
        sample = self._samples.get(type_name)
        if sample is None:
            casts = (f"CAST({each} AS {type_name})" for each in _SAMPLES)
            sample = next((each for each in casts if self._is_true(f"({each}) IS NOT NULL", otherwise=False)), "NULL")
            if len(self._samples) < _MOST_REMEMBERED:
                self._samples[type_name] = sample
        return sample

    def _fits(self, text: str, type_name: str) -> bool:
        literal = "'" + text.replace("'", "''") + "'"
        return self._is_true(f"TRY_CAST({literal} AS {type_name}) IS NOT NULL", otherwise=True)

    def _is_true(self, expression: str, *, otherwise: bool) -> bool:
        """Whether a calculation without columns gives true; `otherwise` where it cannot be done at all. Remembered."""
        known = self._tried.get(expression)
        if known is None:
            try:
                known = bool(self._worked_out(expression))
            except duckdb.Error:
                known = otherwise
            self._remember(expression, known)
        return known

    def _worked_out(self, expression: str) -> Any:
        # Rows that are not all fetched keep their transaction open, and the next error would end every later question.
        return self._connection.execute(f"SELECT {expression}").fetchall()[0][0]

    def _remember(self, expression: str, known: bool) -> None:
        if len(self._tried) < _MOST_REMEMBERED:
            self._tried[expression] = known
