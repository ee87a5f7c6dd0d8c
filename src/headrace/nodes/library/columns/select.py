"""Select: which columns, in which order, of which type, by which name."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from sqlglot import exp

from headrace.nodes.casts import read_type
from headrace.nodes.columns import column, exact, identifier, refuse_doubles, type_of
from headrace.nodes.spec import Column, Config, Context, Fault, Holds, Inputs, NodeFault, Slot, Table, TableNode


class SelectConfig(Config):
    """What becomes of the columns. All names are those of the input; renaming comes last."""

    keep: Annotated[tuple[str, ...] | None, Field(min_length=1), Holds(Slot.COLUMNS)] = None
    """The columns to keep, in this order; None: all that are not dropped."""
    drop: Annotated[tuple[str, ...], Holds(Slot.COLUMNS)] = ()
    """The columns to leave out."""
    first: Annotated[tuple[str, ...], Holds(Slot.COLUMNS)] = ()
    """Columns to move to the front, in this order; the others follow as they are."""
    cast: Annotated[dict[str, str], Field(default_factory=dict), Holds(Slot.CASTS)]
    """Columns to turn into another type: `{"zip": "text", "day": "date", "price": "DECIMAL(12, 2)"}`."""
    rename: Annotated[dict[str, str], Field(default_factory=dict), Holds(Slot.RENAMES)]
    """Columns to call otherwise, old name to new name: `{"qty": "quantity"}`."""


class Select(TableNode):
    """Keep, drop, reorder, convert and rename columns."""

    name = "select"
    title = "Select columns"
    summary = "Keeps, drops, reorders, converts and renames the columns of a table."
    area = "columns"
    synonyms = (
        "columns",
        "fields",
        "keep columns",
        "drop columns",
        "remove columns",
        "rename",
        "reorder",
        "convert",
        "cast",
        "change type",
        "call it",
    )
    phrases = (
        "(only|keep~|keep only|just|select~|select only|return~|return only|output|display only|restricted to|pick~|show only|reduce~ to|the (column|field)|column|field) [column|field] [:] {keep:items} @ 0.05",
        "[only|just] {keep:items} (only|are enough|is enough|will do|suffice|nothing else|[column|field] only|is all [i need]|are all i need|and nothing else|columns)",
        "[only] (with|including|having) [the|only] (column|field) {keep:items} @ 0.1",
        "(drop~|remove~|delete~|throw out|throw away|exclude~|ignore~|leave out|skip~|discard~|get rid of|filter out|eliminate~|omit~|take out|strip [out]) [column|field] {drop} [column|field|too|as well] @ 0.05",
        "(give me|make|show|want|need) table (of|with) {keep:items}",
        "(without|no|hide) [the] (column|field) {drop}",
        "without the! {drop} @ -0.2",
        "(without|hide) {drop} (column|field)",
        "everything (except|but) [the] [column] {drop} @ 0.3",
        "(move|put|bring) {first} (first|to the front|to the start|at the front)",
        "rename~ [column|field] {rename}",
        "call [column] {rename:newly} @ 0.1",
        "{rename:becoming}",
        "(convert~|turn|cast|change) {cast}",
    )
    Config = SelectConfig

    def select(self, config: SelectConfig, inputs: Inputs, context: Context) -> exp.Query:
        """Return `SELECT a, CAST(b AS …) AS c …`."""
        del context
        (arrived,) = inputs["in"]
        listed = [
            exp.Alias(this=value, alias=identifier(new)) if isinstance(value, exp.Cast) or new != old else value
            for old, new, value in _columns(config, arrived.table)
        ]
        return exp.select(*listed).from_(arrived.as_table())

    def table(self, config: SelectConfig, inputs: Inputs, context: Context) -> Table:
        """Return the chosen columns under their new names."""
        (arrived,) = inputs["in"]
        columns, faults = [], []
        for old, new, value in _columns(config, arrived.table):
            known = arrived.table.column(old)
            kind = known.type if known else ""
            if isinstance(value, exp.Cast):
                try:
                    kind = type_of(value, arrived, context, path=("cast", _written(config.cast, old)))
                except NodeFault as fault:
                    faults += fault.faults
            columns.append(Column(name=new, type=kind))
        if faults:
            raise NodeFault(*faults)
        return Table(columns=tuple(columns))


def _columns(config: SelectConfig, table: Table) -> list[tuple[str, str, exp.Expr]]:
    """Each output column: its old name, its new name, its value."""
    names = _chosen(config, table)
    renamed = dict(zip(exact(((old, ("rename", old)) for old in config.rename), table), config.rename, strict=True))
    casts = dict(zip(exact(((old, ("cast", old)) for old in config.cast), table), config.cast, strict=True))
    lost = [
        (key, place) for place, chosen in (("rename", renamed), ("cast", casts)) for key in chosen if key not in names
    ]
    if lost:
        raise NodeFault(
            *(
                Fault(
                    "F401",
                    f"{key!r} is not kept, so it cannot be changed. Keep it, or take it out of {place!r}.",
                    (place, key),
                )
                for key, place in lost
            )
        )
    out = []
    for old in names:
        value: exp.Expr = column(old)
        if old in casts:
            key = casts[old]
            value = exp.Cast(this=value, to=read_type(config.cast[key], path=("cast", key)))
        out.append((old, config.rename[renamed[old]] if old in renamed else old, value))
    refuse_doubles([(new, ("rename", renamed[old]) if old in renamed else ("keep",)) for old, new, _ in out])
    return out


def _chosen(config: SelectConfig, table: Table) -> list[str]:
    asked = [(name, ("keep", str(place))) for place, name in enumerate(config.keep or ())]
    asked += [(name, ("drop", str(place))) for place, name in enumerate(config.drop)]
    asked += [(name, ("first", str(place))) for place, name in enumerate(config.first)]
    found = exact(asked, table)
    kept = found[: len(config.keep or ())] or table.names()
    dropped = set(found[len(config.keep or ()) : len(found) - len(config.first)])
    first = [name for name in found[len(found) - len(config.first) :] if name not in dropped]
    names = list(dict.fromkeys([*first, *(name for name in kept if name not in dropped)]))
    if not names:
        raise NodeFault(Fault("F303", "No column would be left. Keep at least one.", ("drop",)))
    return names


def _written(keys: dict[str, str], name: str) -> str:
    """The key by which a config names a column, which may differ in case."""
    return next((key for key in keys if key == name), next((k for k in keys if k.casefold() == name.casefold()), name))
