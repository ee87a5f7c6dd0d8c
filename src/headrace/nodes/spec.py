"""What a node type says about itself, once, for everybody who asks.

From these classes come the form, the tool schema, the offline planner's words, the checks, the docs and the search index.
Refuses to know the flow document: a node type sees its config and what arrives at its ports, nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol

from pydantic import BaseModel, ConfigDict
from sqlglot import exp

from headrace.base.value import Value

PortType = Literal["table", "text", "messages", "record", "list", "number", "file", "model", "tool", "chart", "any"]


class Effect(StrEnum):
    """What running a node may do to the world; the policy table is written in these words."""

    PURE = "pure"
    READS = "reads"
    WRITES = "writes"
    SENDS = "sends"
    SPENDS = "spends"
    EXECUTES = "executes"


class Port(Value):
    """A place on a node where edges end or begin."""

    name: str
    type: PortType
    title: str = ""
    required: bool = True
    """For an input: the node cannot run while nothing is connected."""
    many: bool = False
    """For an input: takes any number of edges, in the order of their ids."""


class Column(Value):
    """A column of a table: its name and its type as DuckDB writes it (`BIGINT`, `DECIMAL(13,2)`, `VARCHAR[]`)."""

    name: str
    type: str


class Table(Value):
    """What is known of a table without running: its columns, in order."""

    columns: tuple[Column, ...]

    def names(self) -> tuple[str, ...]:
        """Return the column names, in order."""
        return tuple(column.name for column in self.columns)

    def column(self, name: str) -> Column | None:
        """Return the column of that name (exact first, then ignoring case, as DuckDB does), or None."""
        for column in self.columns:
            if column.name == name:
                return column
        folded = name.casefold()
        return next((c for c in self.columns if c.name.casefold() == folded), None)


class Slot(StrEnum):
    """What a config field holds, beyond its JSON type: the form's widget and the planner's way to fill it."""

    COLUMN = "column"  # one existing column of the input table
    COLUMNS = "columns"  # several existing columns
    NEW_COLUMN = "new_column"  # a name that the node makes
    CONDITION = "condition"  # a SQL expression that is true or false
    EXPRESSION = "expression"  # a SQL expression of any type
    SORT_KEYS = "sort_keys"  # list of {column, descending}
    MEASURES = "measures"  # list of {name, function, column | expression}
    FORMULAS = "formulas"  # list of {name, expression}
    RENAMES = "renames"  # map old name -> new name
    CASTS = "casts"  # map column -> type
    KEY_PAIRS = "key_pairs"  # list of {left, right}
    CHOICE = "choice"  # one of the field's Literal values
    COUNT = "count"  # a whole number
    NUMBER = "number"
    TEXT = "text"
    FLAG = "flag"
    VALUE = "value"  # a literal of the column's type
    READ_PATH = "read_path"  # a file, or a glob of files, to read
    WRITE_PATH = "write_path"  # a file to write
    ROWS = "rows"  # rows typed by hand
    HEADER = "header"  # list of {name, type}: columns declared by hand


@dataclass(frozen=True, slots=True)
class Holds:
    """The mark on a config field that says what it holds: `Annotated[str, Holds(Slot.COLUMN)]`."""

    slot: Slot
    port: str = "in"
    """The input port whose columns are meant."""

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        """Put the mark into the JSON schema as `x-slot` and `x-port`, where the form finds it."""
        marked = handler(schema)
        marked.update({"x-slot": self.slot.value, "x-port": self.port})
        return marked


class Config(BaseModel):
    """Base of every node type's config: frozen, unknown keys refused, the docstring under a field describes it."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


@dataclass(frozen=True, slots=True)
class Relation:
    """A table by the name under which SQL can reach it, with its columns."""

    name: str
    table: Table

    def as_table(self) -> exp.Table:
        """Return the sqlglot node that names this relation in a FROM."""
        return exp.Table(this=exp.to_identifier(self.name, quoted=True))


Inputs = Mapping[str, tuple[Relation, ...]]
"""What arrives, by port name; a port without `many` has at most one."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a node as it is configured. `checks` turns it into a diagnostic, the engine into a failure."""

    code: str
    """A diagnostic code: F2xx types, F3xx config, F4xx columns and expressions, F5xx files."""
    message: str
    path: tuple[str, ...] = ()
    """Into the config."""
    port: str = ""
    suggestions: tuple[Suggestion, ...] = ()
    severity: Literal["error", "warning", "note"] = "error"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A value that would mend a fault: set the config at `path` to `value`."""

    label: str
    path: tuple[str, ...]
    value: Any


class NodeFault(Exception):
    """A node cannot be typed or run; `faults` lists every reason at once."""

    def __init__(self, *faults: Fault) -> None:
        self.faults = faults
        super().__init__("; ".join(fault.message for fault in faults))


class Context(Protocol):
    """What a node type may ask of the house while it is being typed: read-only, bounded, no network."""

    def read_paths(self, path: str) -> tuple[Path, ...]:
        """Return the real files that a config's path or glob means, through the one resolver.

        Errors: NodeFault (F5xx) where nothing is there, it is a directory, or it lies outside the allowed roots.
        """
        ...

    def write_path(self, path: str, *, overwrite: bool) -> Path:
        """Return where a config's path may be written, through the one resolver; nothing is made.

        Errors: NodeFault (F5xx) where it exists and may not be replaced, or lies outside; in a run also where it is an input of it.
        """
        ...

    def name_of(self, path: Path) -> str:
        """Return what a config writes to mean a real file."""
        ...

    def describe(self, query: exp.Expr, inputs: Iterable[Relation]) -> Table:
        """Return the columns of a query over empty tables of the inputs' columns; nothing is run.

        Errors: NodeFault (F4xx) with near misses where DuckDB cannot bind it.
        """
        ...


class RunContext(Context, Protocol):
    """What a node type may ask while it runs."""

    dry_run: bool
    """True: effects are described, not done."""

    def stage(self, name: str, table: Table, rows: Iterable[tuple[Any, ...]]) -> Relation:
        """Load rows into a temporary table and return it as a relation (for sources that SQL cannot read)."""
        ...

    def query(self, query: exp.Expr, *, limit: int | None = None) -> Iterator[tuple[Any, ...]]:
        """Return the rows of a query, in batches behind an iterator; stops when the run is cancelled."""
        ...

    def copy(self, query: exp.Expr, target: Path, options: Mapping[str, Any]) -> int:
        """Write a query's rows with DuckDB's COPY into a file and return their number."""
        ...

    def check_cancelled(self) -> None:
        """Raise when the run was cancelled; long loops call it."""
        ...


@dataclass(frozen=True, slots=True)
class Produced:
    """What a node that is not a SELECT made."""

    outputs: Mapping[str, Any] = field(default_factory=dict)
    """Port name -> JSON value: a chart's spec, a file's `{path, rows, bytes}`."""
    rows: int | None = None
    summary: str = ""
    """One line for people: `wrote out.csv, 1,204 rows`."""


class NodeType:
    """Base of all node types. A subclass is stateless: everything is a class attribute or a pure method.

    `phrases` are templates of how people ask for it; the offline planner reads requests by them (docs/decisions/0010). A slot is
    named after a config field or a port, `{by}`, or says what may stand there, `{condition:unless}`; a slot such as `{_:rows}` is
    passed over. `(sort|order)` is a choice, `[it|them]` one that may be left out, `sort~` any form of a verb, `<them>` a shared
    piece. A phrase that is far-fetched ends in a cost, ` @ 0.3`: it is taken only where no plainer one fits.
    """

    name: ClassVar[str]
    version: ClassVar[int] = 1
    title: ClassVar[str]
    summary: ClassVar[str]
    """One plain line: what it does to what."""
    area: ClassVar[Literal["input", "rows", "columns", "combine", "summarize", "output"]]
    synonyms: ClassVar[tuple[str, ...]] = ()
    phrases: ClassVar[tuple[str, ...]] = ()
    inputs: ClassVar[tuple[Port, ...]] = (Port(name="in", type="table"),)
    outputs: ClassVar[tuple[Port, ...]] = (Port(name="out", type="table"),)
    effects: ClassVar[frozenset[Effect]] = frozenset({Effect.PURE})
    Config: ClassVar[type[Config]]

    def effects_of(self, config: Any) -> frozenset[Effect]:
        """Return what running a node of this config may do: `effects`, or less where the config says so."""
        del config
        return self.effects

    def migrate(self, config: dict[str, Any], version: int) -> dict[str, Any]:
        """Return a config of an older version of this type as the present version writes it."""
        del version
        return config


class TableNode(NodeType):
    """A node type that is one SELECT over its inputs."""

    def select(self, config: Any, inputs: Inputs, context: Context) -> exp.Query:
        """Return the SELECT, over the relations' names. Pure: sources may look at the head of a file, nothing more.

        Errors: NodeFault.
        """
        raise NotImplementedError

    def table(self, config: Any, inputs: Inputs, context: Context) -> Table:
        """Return the output columns without running. By default: what DuckDB binds `select` to on empty tables."""
        relations = [relation for arrived in inputs.values() for relation in arrived]
        return context.describe(self.select(config, inputs, context), relations)

    def load(self, config: Any, context: RunContext) -> Relation | None:
        """Stage what `select` reads, under the name that `select` uses, where SQL alone cannot read the source (xlsx).

        Return that relation, or None: `select` is enough. The engine calls it before the SELECT runs, never to show SQL.
        """
        del config, context
        return None

    def explain(self, error: str, config: Any, context: Context) -> tuple[Fault, ...]:
        """Return what a failure of the database in a run says in this node's words; () when it is not this node's."""
        del error, config, context
        return ()


class ActionNode(NodeType):
    """A node type that does something with what arrives: writes it, draws it."""

    def examine(self, config: Any, inputs: Inputs, context: Context) -> tuple[Fault, ...]:
        """Return what is wrong with the config against the columns that arrive; nothing is run."""
        raise NotImplementedError

    def run(self, config: Any, inputs: Inputs, context: RunContext) -> Produced:
        """Do it, or with `context.dry_run` say what would be done.

        Errors: NodeFault.
        """
        raise NotImplementedError
