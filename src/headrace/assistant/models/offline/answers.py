"""Answers questions about data and flows: which thrown-away run gives the figures, and the sentence around them.

A figure in a reply is always one that a run returned. Nothing here changes the flow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .doubts import Unclear, listed
from .fields import Field
from .meaning import ColumnRef, Question
from .sketch import Piece
from .sql_words import quoted
from .work import Work

HELP = (
    "I read everyday requests about tables, in English: filtering, sorting, the top few, counts, totals and averages per group, "
    "shares, changes, new columns from arithmetic, joining and stacking files, missing values, duplicates, charts, and writing the "
    "result to a file. Ask for example: “average price per category, highest first”."
)


COUNT = {"name": "rows counted", "function": "count"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the run that answers it: nodes behind the table asked about; none where no run is needed."""

    question: Question
    nodes: tuple[Piece, ...] = ()
    fields: tuple[Field, ...] = ()
    subject: str = "the table"


def asked(work: Work, question: Question, *, subject: str) -> Asked:
    """Return a question with the nodes whose run answers it. Errors: Unclear."""
    fields = work.sketch.columns()
    about = [work.field(ref) for ref in question.items if isinstance(ref, ColumnRef)]
    if question.about == "period" and not about:
        about = _dates(fields)
    about = about or list(fields)
    names = [f.name for f in about]
    missing = [{"name": n, "expression": f"count(*) FILTER (WHERE {quoted(n)} IS NULL)"} for n in names]
    place = f"row_number() OVER (PARTITION BY {', '.join(map(quoted, names))} ORDER BY {quoted(names[0])})"
    needed: dict[str, list[tuple[str, dict[str, Any]]]] = {
        "rows": [_figures([COUNT])],
        "distinct": [_figures([{"name": "values", "function": "count_distinct", "column": names[0]}])],
        "values": [_figures([COUNT], names[:1]), ("sort", {"by": [{"column": COUNT["name"], "descending": True}]})],
        "range": [_figures(_ends(about))],
        "period": [_figures(_ends(about))],
        "duplicates": [
            ("formula", {"columns": [{"name": "place among equals", "expression": place}]}),
            ("filter", {"condition": '"place among equals" > 1'}),
            _figures([COUNT]),
        ],
        "missing": [_figures(missing)],
    }
    if question.about not in needed:
        raise Unclear("That I cannot look up in a table. What shall be counted, or of which column?")
    nodes = [work.sketch.piece(type_name, config) for type_name, config in needed[question.about]]
    return Asked(question, tuple(nodes), tuple(about), subject)


def _figures(measures: list[dict[str, Any]], group_by: list[str] | None = None) -> tuple[str, dict[str, Any]]:
    return "aggregate", {"group_by": group_by or [], "measures": measures}


def _ends(about: Sequence[Field]) -> list[dict[str, Any]]:
    return [{"name": f"{word} {f.name}", "function": word, "column": f.name} for f in about for word in ("min", "max")]


def _dates(fields: Sequence[Field]) -> list[Field]:
    dates = [f for f in fields if f.kind == "date"] or [f for f in fields if f.kind == "number" and "year" in f.words]
    if not dates:
        raise Unclear(
            f"There is no column with dates; there are {listed(f.name for f in fields)}. Which column do you mean?"
        )
    return dates


def told(asking: Asked, data: Mapping[str, Any]) -> str:
    """Return the answer in words, with the figures as the run returned them."""
    rows = data.get("rows") or []
    first = rows[0] if rows else []
    names = [f.name for f in asking.fields]
    match asking.question.about:
        case "rows":
            return f"{asking.subject[0].upper()}{asking.subject[1:]} has {figure(first[0])} rows."
        case "distinct":
            return f"There are {figure(first[0])} different values of `{names[0]}`."
        case "values":
            total = data.get("total") or len(rows)
            shown = ", ".join(f"{shown_value(row[0])} ({figure(row[1])})" for row in rows)
            more = f" and {total - len(rows)} more" if total > len(rows) else ""
            return f"`{names[0]}` has {figure(total)} different values, with their number of rows: {shown}{more}."
        case "duplicates":
            if not first[0]:
                return f"No: {asking.subject} has no duplicate rows. 0 would go."
            return f"Yes: {figure(first[0])} surplus duplicate rows would go if every row were kept once."
        case "missing":
            pairs = zip(names, first, strict=False)
            gaps = [
                f"`{name}` is missing in {figure(count)} rows." for name, count in pairs if count or len(names) == 1
            ]
            return " ".join(gaps) or f"Nothing is missing in {asking.subject}."
    word = "covers" if asking.question.about == "period" else "goes from"
    ends = zip(names, first[::2], first[1::2], strict=False)
    return " ".join(f"`{name}` {word} {shown_value(low)} to {shown_value(high)}." for name, low, high in ends)


def without_run(work: Work, question: Question) -> str | None:
    """Return the answer to a question that needs no run; None where one is needed."""
    fields = work.sketch.columns()
    match question.about:
        case "columns":
            names = ", ".join(f"`{f.name}` ({f.kind})" for f in fields)
            return f"There are {len(fields)} columns: {names}."
        case "type":
            return _type(work, question)
        case "flow":
            pieces = enumerate([*work.sketch.main, *work.sketch.sinks], 1)
            return "\n".join(["The flow does this:", *(f"{at}. {piece.title} ({piece.type})" for at, piece in pieces)])
        case "help":
            return HELP
    return None


def _type(work: Work, question: Question) -> str:
    if not question.items:
        raise Unclear("Of which column shall I say what it is?")
    field = work.field(question.items[0])
    file = next((work.sketch.facts[p] for p in field.sources if p in work.sketch.facts), None)
    examples: list[str] = []
    if file:
        at = [c.name for c in file.columns].index(field.written or field.name)
        examples = list(dict.fromkeys(str(row[at]) for row in file.rows if row[at] is not None))[:4]
    given = f" Examples: {', '.join(examples)}." if examples else ""
    if field.kind == "number":
        return f"Yes, `{field.name}` is a number and can be summed.{given}"
    several = " Some values hold several entries separated by commas." if any("," in e for e in examples) else ""
    return f"No, `{field.name}` is not a number: it is {field.kind}, so it cannot be summed.{several}{given}"


def figure(value: Any) -> str:
    """Return a number as people read it: in twelve digits, so that no sum ends in 0.0799999999998."""
    if isinstance(value, bool) or value is None:
        return shown_value(value)
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def shown_value(value: Any) -> str:
    """Return a value for a sentence."""
    if value is None:
        return "(missing)"
    text = str(value)
    return text.removesuffix(" 00:00:00").removesuffix("T00:00:00")
