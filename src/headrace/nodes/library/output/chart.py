"""The node type `chart`: a table as a bar, line or scatter chart or a histogram."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field
from sqlglot import exp

from headrace.nodes import spec
from headrace.nodes.charts import FORMATS, Drawing, draw, render
from headrace.nodes.charts.drawing import MOST_BARS, MOST_POINTS, MOST_SERIES
from headrace.nodes.files import writing
from headrace.nodes.near import near
from headrace.nodes.spec import (
    Column,
    Context,
    Effect,
    Fault,
    Holds,
    Inputs,
    NodeFault,
    Port,
    Produced,
    Relation,
    RunContext,
    Slot,
    Suggestion,
)
from headrace.nodes.types import in_words, is_number, is_temporal

_BINS = 24


class Config(spec.Config):
    """What `chart` is told."""

    kind: Annotated[Literal["bar", "line", "scatter", "histogram"], Holds(Slot.CHOICE)] = "bar"
    """How the table is drawn."""
    x: Annotated[str, Holds(Slot.COLUMN)] = Field(min_length=1, examples=["month"])
    """The column along the horizontal axis; of a histogram, the numbers that are counted."""
    y: Annotated[str | None, Holds(Slot.COLUMN)] = Field(default=None, examples=["revenue"])
    """The column of numbers to draw. Left out for bars and lines: the number of rows."""
    series: Annotated[str | None, Holds(Slot.COLUMN)] = Field(default=None, examples=["region"])
    """The column whose values get a colour each."""
    title: Annotated[str | None, Holds(Slot.TEXT)] = None
    """The title. Left out: made of the columns' names."""
    horizontal: Annotated[bool | None, Holds(Slot.FLAG)] = None
    """bar: whether bars lie. Left out: they lie where their labels are long."""
    bins: Annotated[int | None, Holds(Slot.COUNT)] = Field(default=None, ge=1, le=200)
    """histogram: about how many bins."""
    path: Annotated[str | None, Holds(Slot.WRITE_PATH)] = Field(default=None, examples=["revenue.png"])
    """A file to write the picture to, as svg or png by its name. Left out: none is written."""
    overwrite: Annotated[bool, Holds(Slot.FLAG)] = False
    """Whether a picture that is there already may be replaced."""


class Chart(spec.ActionNode):
    """A table becomes a Vega-Lite specification with its data in it, and on request a picture."""

    name = "chart"
    title = "Chart"
    summary = "Draws a table as a bar, line or scatter chart or a histogram."
    area = "output"
    synonyms = (
        "plot",
        "graph",
        "diagram",
        "visualize",
        "picture",
        "bars",
        "column chart",
        "line chart",
        "scatter plot",
        "histogram",
    )
    phrases = (
        "(draw|plot|show|make|create|add|give) [me] [a|an] {kind} (chart|plot|diagram) [of] {y} (by|per|for each|over) {x}",
        "[a|an] {kind} (chart|plot|diagram) (of|with|showing) {y} (by|per|for each|over|against|versus) {x}",
        "(plot|draw|chart|visualize) {y} (by|per|over|against|versus) {x} [as] [a|an] [{kind}] [chart]",
        "[a|an] {kind} (chart|plot|diagram) (of|from) (that|it|this)",
        "[a] histogram of {x}",
        "(colored|coloured|split) by {series}",
        "with [the] title {title}",
    )
    inputs = (Port(name="in", type="table"),)
    outputs = (Port(name="chart", type="chart"),)
    effects = frozenset({Effect.PURE, Effect.WRITES})
    Config = Config

    def effects_of(self, config: Config) -> frozenset[Effect]:
        """Return that a chart writes only where it is told a path."""
        return frozenset({Effect.WRITES if config.path else Effect.PURE})

    def examine(self, config: Config, inputs: Inputs, context: Context) -> tuple[Fault, ...]:
        """Return unknown columns and columns of a type that cannot be drawn so."""
        faults = tuple(_faults(config, inputs["in"][0])) if inputs.get("in") else ()
        return (*faults, *_path_faults(config, context))

    def run(self, config: Config, inputs: Inputs, context: RunContext) -> Produced:
        """Draw the chart; write its picture where a path is given."""
        relation = inputs["in"][0]
        faults = tuple(_faults(config, relation))
        if faults:
            raise NodeFault(*faults)
        names = _Names(config, relation)
        drawing, rows = (
            _histogram_rows(config, names, context) if config.kind == "histogram" else _rows(config, names, context)
        )
        drawn = draw(drawing, rows)
        value = {
            "spec": drawn,
            "type": config.kind,
            "x": names.x.name,
            "y": names.y.name if names.y else None,
            "series": names.series.name if names.series else None,
        }
        summary = f"{config.kind} chart, {len(drawn['data']['values']):,} points"
        if config.path:
            summary = _write_picture(config, drawn, context)
        return Produced(outputs={"chart": value}, rows=len(rows), summary=summary)


def _path_faults(config: Config, context: Context) -> tuple[Fault, ...]:
    try:
        if config.path:
            context.write_path(config.path, overwrite=config.overwrite)
    except NodeFault as fault:
        return fault.faults
    return ()


class _Names:
    """The columns that the config names, as the table spells them."""

    def __init__(self, config: Config, relation: Relation) -> None:
        table = relation.table
        self.source = relation
        self.x = table.column(config.x) or Column(name=config.x, type="VARCHAR")
        self.y = table.column(config.y) if config.y and config.kind != "histogram" else None
        self.series = table.column(config.series) if config.series else None

    def chosen(self) -> exp.Select:
        """Return the SELECT of x, y and series, in the table's order."""
        y = _column(self.y) if self.y else exp.Literal.number(1)
        columns = [_as(_column(self.x), "x"), _as(y, "y")]
        if self.series:
            columns.append(_as(_column(self.series), "series"))
        return exp.select(*columns).from_(self.source.as_table())


def _faults(config: Config, relation: Relation) -> Iterable[Fault]:
    table = relation.table
    for key in ("x", "y", "series"):
        wanted = getattr(config, key)
        if wanted and table.column(wanted) is None:
            close = near(wanted, table.names())
            hint = f"Near ones: {', '.join(close)}." if close else f"There are: {', '.join(table.names()[:20])}."
            yield Fault(
                "F401",
                f"There is no column {wanted!r} to draw. {hint}",
                (key,),
                port="in",
                suggestions=tuple(Suggestion(f"Use column `{name}`", (key,), name) for name in close),
            )
    x, y = table.column(config.x), table.column(config.y or "")
    if config.kind == "histogram" and x is not None and not is_number(x.type):
        message = f"A histogram counts numbers, but {x.name!r} is {in_words(x.type)}. Draw a bar chart of it, or choose a number."
        yield Fault("F402", message, ("x",), port="in", suggestions=(Suggestion("Draw bars", ("kind",), "bar"),))
    if config.kind != "histogram" and y is not None and not is_number(y.type):
        numbers = [column.name for column in table.columns if is_number(column.type)]
        hint = f"Columns of numbers: {', '.join(numbers[:10])}." if numbers else "The table has no column of numbers."
        message = f"The height of a chart is a number, but {y.name!r} is {in_words(y.type)}. {hint}"
        yield Fault("F402", message, ("y",), port="in")
    if config.kind == "scatter":
        if config.y is None:
            yield Fault("F301", "A scatter chart needs `y`, a second column of numbers. Name one.", ("y",))
        if x is not None and not (is_number(x.type) or is_temporal(x.type)):
            message = f"A scatter chart needs numbers or dates along `x`, but {x.name!r} is {in_words(x.type)}. Draw bars instead."
            yield Fault("F402", message, ("x",), port="in", suggestions=(Suggestion("Draw bars", ("kind",), "bar"),))
    if config.path and Path(config.path).suffix.lower().lstrip(".") not in FORMATS:
        message = f"A picture cannot be written to {config.path!r}: its name must end in .svg or .png."
        yield Fault("F303", message, ("path",))


def _rows(config: Config, names: _Names, context: RunContext) -> tuple[Drawing, list[tuple[Any, ...]]]:
    query: exp.Query = names.chosen()
    notes: list[str] = []
    if names.y is None:
        query = _counted(names, query)
    total = _one(context, exp.select(exp.Count(this=exp.Star())).from_(query.subquery("drawn")))
    if total > MOST_POINTS:
        query, note = _thinned(config, query, total)
        notes.append(note)
    rows = list(context.query(query, limit=MOST_POINTS))
    _refuse_crowds(config, names, rows)
    drawing = _drawing(config, names, notes)
    return drawing, rows


def _counted(names: _Names, query: exp.Select) -> exp.Select:
    """Rows counted: along numbers and dates in their order, other values by how often they occur."""
    keys = [exp.column("x")] + ([exp.column("series")] if names.series else [])
    amount = exp.Count(this=exp.Star())
    columns = [exp.column("x"), _as(amount, "y"), *keys[1:]]
    counted = exp.select(*columns).from_(query.subquery("chosen")).group_by(*[key.copy() for key in keys])
    if is_number(names.x.type) or is_temporal(names.x.type):
        order = [exp.Ordered(this=key.copy(), nulls_first=False) for key in keys]
    else:
        order = [exp.Ordered(this=amount.copy(), desc=True)] + [
            exp.Ordered(this=key.copy(), nulls_first=False) for key in keys
        ]
    return counted.order_by(*order)


def _thinned(config: Config, query: exp.Query, total: int) -> tuple[exp.Query, str]:
    """Fewer points than there are, evenly spread over the table, and the note that says so.

    Errors: NodeFault F402 for bars: leaving some out would tell something else.
    """
    if config.kind == "bar":
        message = (
            f"A bar chart of {total:,} rows shows nothing: at most {MOST_POINTS:,} can be drawn. "
            f"Aggregate by {config.x!r} first, or keep the top rows with a limit."
        )
        raise NodeFault(Fault("F402", message, ("x",), port="in"))
    every = math.ceil(total / MOST_POINTS)
    numbered = exp.select(exp.Star(), _as(exp.Window(this=exp.RowNumber()), "place")).from_(query.subquery("drawn"))
    shown = [exp.column("x"), exp.column("y")] + ([exp.column("series")] if config.series else [])
    kept = exp.select(*shown).from_(numbered.subquery("numbered"))
    place = exp.Mod(this=exp.column("place"), expression=exp.Literal.number(every))
    thinned = kept.where(place.eq(exp.Literal.number(1))).order_by(exp.column("place"))
    return thinned, f"One row in {every:,} of {total:,} is drawn."


def _refuse_crowds(config: Config, names: _Names, rows: list[tuple[Any, ...]]) -> None:
    if config.kind == "bar" and (bars := len({row[0] for row in rows})) > MOST_BARS:
        message = (
            f"{names.x.name!r} has {bars:,} different values; at most {MOST_BARS} bars can be told apart. "
            "Keep the top rows with a limit, or draw a line or a histogram."
        )
        raise NodeFault(Fault("F402", message, ("x",), port="in"))
    if names.series and (colours := len({row[2] for row in rows})) > MOST_SERIES:
        message = (
            f"{names.series.name!r} has {colours:,} different values; at most {MOST_SERIES} colours can be told apart. "
            "Filter it, or leave `series` out."
        )
        raise NodeFault(Fault("F402", message, ("series",), port="in"))


def _drawing(config: Config, names: _Names, notes: Iterable[str], *, step: float | None = None) -> Drawing:
    return Drawing(
        kind=config.kind,
        x=names.x.name,
        x_type=names.x.type,
        y=names.y.name if names.y else None,
        series=names.series.name if names.series else None,
        title=config.title,
        horizontal=config.horizontal,
        notes=tuple(notes),
        bin_step=step,
    )


def _histogram_rows(config: Config, names: _Names, context: RunContext) -> tuple[Drawing, list[tuple[Any, ...]]]:
    number = exp.Cast(this=exp.column("x"), to=exp.DataType.build("DOUBLE"))
    finite = exp.Anonymous(this="isfinite", expressions=[number.copy()])
    chosen = names.chosen().subquery("chosen")
    ends = exp.select(exp.Min(this=number.copy()), exp.Max(this=number.copy()), exp.Count(this=number.copy()))
    lowest, highest, counted = next(iter(context.query(ends.from_(chosen.copy()).where(finite.copy()))))
    if not counted:
        return _drawing(config, names, ("There are no numbers to count.",), step=1.0), []
    step = _nice_step(highest - lowest, config.bins or _BINS)
    start = exp.Mul(
        this=exp.Floor(this=exp.Paren(this=exp.Div(this=number.copy(), expression=exp.Literal.number(step)))),
        expression=exp.Literal.number(step),
    )
    keys = [_as(start, "x")] + ([exp.column("series")] if names.series else [])
    columns = [keys[0], _as(exp.Count(this=exp.Star()), "y"), *keys[1:]]
    groups = [exp.Literal.number(1)] + ([exp.Literal.number(3)] if names.series else [])
    query = exp.select(*columns).from_(chosen).where(finite).group_by(*groups).order_by(*[g.copy() for g in groups])
    rows = list(context.query(query, limit=MOST_POINTS))
    _refuse_crowds(config, names, rows)
    return _drawing(config, names, (), step=step), rows


def _nice_step(span: float, bins: int) -> float:
    """The width of a bin: 1, 2, 2.5 or 5 times a power of ten, so that about `bins` cover the span."""
    if span <= 0:
        return 1.0
    rough = span / bins
    power = 10.0 ** math.floor(math.log10(rough))
    return float(f"{next(step for step in (1, 2, 2.5, 5, 10) if step * power >= rough * 0.999) * power:.12g}")


def _write_picture(config: Config, drawn: dict[str, Any], context: RunContext) -> str:
    target = context.write_path(config.path or "", overwrite=config.overwrite)
    name = os.fspath(config.path or "")
    if context.dry_run:
        return f"would write {name}"
    kind = target.suffix.lower().lstrip(".")
    context.check_cancelled()
    with writing(target, overwrite=config.overwrite) as part:
        part.write_bytes(render(drawn, "png" if kind == "png" else "svg"))
    return f"wrote {name}"


def _one(context: RunContext, query: exp.Query) -> Any:
    return next(iter(context.query(query)))[0]


def _column(column: Column | None) -> exp.Column:
    return exp.column(exp.to_identifier(column.name if column else "", quoted=True))


def _as(value: exp.Expr, name: str) -> exp.Expr:
    return exp.alias_(value, exp.to_identifier(name))
