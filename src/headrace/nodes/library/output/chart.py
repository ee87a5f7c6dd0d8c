"""The node type `chart`: a table as a bar, line or scatter chart or a histogram."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from headrace.nodes import spec
from headrace.nodes.charts import FORMATS, Axes, Drawing, draw, gather, render
from headrace.nodes.files import writing
from headrace.nodes.near import near
from headrace.nodes.spec import (
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
        "[draw~|make~|create~|plot~|show|show me|give me|add~|as|and|with|build|also|want|need|in|into|to] {kind:kind} [of|showing|with|for|out of] [it|that|this|them|the result|the table|those|the same]",
        "[draw~|make~|create~|plot~|show|show me|give me|add~|as|and|with|build|also|want|need|in|into|to] {kind:kind} [of|showing|with] {y:orderable} (against|versus|vs|over|by|per|for each|as a function of|and) {x:item} @ -0.05",
        "[draw~|make~|create~|plot~|show|show me|give me|add~|as|and|with|build|also|want|need|in|into|to] {kind:alone} (of|for|showing|over) {x} @ -0.05",
        "(plot~|draw~|chart!|visualize~|visualise~|graph!) [it|that|this|them|the result] [as [a] {kind:kind}] @ 0.1",
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
        axes = _axes(config, relation)
        points = gather(axes, context, bins=config.bins)
        drawing = Drawing(
            kind=config.kind,
            x=axes.x.name,
            x_type=axes.x.type,
            y=axes.y.name if axes.y else None,
            series=axes.series.name if axes.series else None,
            title=config.title,
            horizontal=config.horizontal,
            notes=points.notes,
            bin_width=points.bin_width,
        )
        drawn = draw(drawing, points.rows)
        value = {"spec": drawn, "type": config.kind, "x": drawing.x, "y": drawing.y, "series": drawing.series}
        summary = f"{config.kind} chart, {len(drawn['data']['values']):,} points"
        if config.path:
            summary = _write_picture(config, drawn, context)
        return Produced(outputs={"chart": value}, rows=len(points.rows), summary=summary)


def _path_faults(config: Config, context: Context) -> tuple[Fault, ...]:
    try:
        if config.path:
            context.write_path(config.path, overwrite=config.overwrite)
    except NodeFault as fault:
        return fault.faults
    return ()


def _axes(config: Config, relation: Relation) -> Axes:
    """The columns that the config names, as the table spells them; they are known to be there."""
    table = relation.table
    return Axes(
        kind=config.kind,
        relation=relation,
        x=table.column(config.x) or table.columns[0],
        y=table.column(config.y) if config.y and config.kind != "histogram" else None,
        series=table.column(config.series) if config.series else None,
    )


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
