"""Answers questions about data and flows: which thrown-away run gives the figures, and the sentence around them.

A figure in a reply is always one that a run returned. Nothing here changes the flow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .doubts import Unclear, listed
from .expressions import which
from .fields import Field, fit
from .meaning import ColumnRef, Question
from .sketch import Piece
from .sql_words import quoted
from .work import Work

HELP = (
    "I read everyday requests about tables, in English: filtering, sorting, the top few, counts, totals and averages per group, "
    "shares, changes, new columns from arithmetic, joining and stacking files, missing values, duplicates, charts, and writing the "
    "result to a file. Ask for example: “average price per category, highest first”."
)


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
    nodes: list[Piece] = []

    def aggregate(measures: list[dict[str, Any]], group_by: list[str] | None = None) -> None:
        nodes.append(work.sketch.piece("aggregate", {"group_by": group_by or [], "measures": measures}, name="answer"))

    match question.about:
        case "rows":
            aggregate([{"name": "rows", "function": "count"}])
        case "distinct":
            aggregate([{"name": "values", "function": "count_distinct", "column": about[0].name}])
        case "values":
            aggregate([{"name": "rows counted", "function": "count"}], [about[0].name])
            nodes.append(
                work.sketch.piece("sort", {"by": [{"column": "rows counted", "descending": True}]}, name="most_first")
            )
        case "range":
            aggregate(_ends(about))
        case "period":
            about = about or _dates(fields)
            aggregate(_ends(about))
        case "duplicates":
            names = ", ".join(quoted(f.name) for f in fields)
            text = f"row_number() OVER (PARTITION BY {names} ORDER BY {quoted(fields[0].name)})"
            nodes.append(
                work.sketch.piece(
                    "formula", {"columns": [{"name": "place among equals", "expression": text}]}, name="number"
                )
            )
            nodes.append(work.sketch.piece("filter", {"condition": '"place among equals" > 1'}, name="surplus"))
            aggregate([{"name": "surplus", "function": "count"}])
        case "missing":
            about = about or list(fields)
            aggregate(
                [{"name": f.name, "expression": f"count(*) FILTER (WHERE {quoted(f.name)} IS NULL)"} for f in about]
            )
    return Asked(question, tuple(nodes), tuple(about or fields), subject)


def _ends(about: Sequence[Field]) -> list[dict[str, Any]]:
    return [
        {"name": f"{word} {f.name}", "function": word[:3]} | {"column": f.name}
        for f in about
        for word in ("min", "max")
    ]


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
    subject = asking.subject
    match asking.question.about:
        case "rows":
            return f"{subject[0].upper()}{subject[1:]} has {figure(first[0])} rows."
        case "distinct":
            return f"There are {figure(first[0])} different values of `{names[0]}`."
        case "values":
            total = data.get("total") or len(rows)
            shown = ", ".join(f"{shown_value(row[0])} ({figure(row[1])})" for row in rows)
            more = f" and {total - len(rows)} more" if total > len(rows) else ""
            return f"`{names[0]}` has {figure(total)} different values, with their number of rows: {shown}{more}."
        case "range" | "period":
            pairs = [(names[at], first[2 * at], first[2 * at + 1]) for at in range(len(names))]
            word = "covers" if asking.question.about == "period" else "goes from"
            if word == "covers":
                return " ".join(
                    f"`{name}` covers {shown_value(low)} to {shown_value(high)}." for name, low, high in pairs
                )
            return " ".join(
                f"`{name}` goes from {shown_value(low)} to {shown_value(high)}." for name, low, high in pairs
            )
        case "duplicates":
            count = first[0]
            if not count:
                return f"No: {subject} has no duplicate rows. 0 would go."
            return f"Yes: {figure(count)} surplus duplicate rows would go if every row were kept once."
        case "missing":
            some = [f"`{name}` {figure(value)}" for name, value in zip(names, first, strict=False) if value]
            if len(names) == 1:
                return f"`{names[0]}` is missing in {figure(first[0])} rows."
            return f"Missing values: {', '.join(some)}." if some else f"Nothing is missing in {subject}."
    return ""


def without_run(work: Work, question: Question) -> str | None:
    """Return the answer to a question that needs no run; None where one is needed."""
    fields = work.sketch.columns()
    match question.about:
        case "columns":
            names = ", ".join(f"`{f.name}` ({f.kind})" for f in fields)
            return f"There are {len(fields)} columns: {names}."
        case "type":
            return _type(work, question)
        case "key":
            return _key(work)
        case "flow":
            lines = [
                f"{at}. {piece.title or piece.node_id} ({piece.type})"
                for at, piece in enumerate([*work.sketch.main, *work.sketch.sinks], 1)
            ]
            return "\n".join(["The flow does this:", *lines])
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


def _key(work: Work) -> str:
    files = list(work.sketch.facts.values())
    if len(files) != 2:
        raise Unclear("Which two files shall be joined?")
    left, right = ([Field(c.name, c.type, (f.path,)) for c in f.columns] for f in files)
    same = [(a.name, b.name) for a in left for b in right if a.name.casefold() == b.name.casefold()]
    alike = same or [(a.name, b.name) for a in left for b in right if (fit(a.words, b) or 9) <= 0.5]
    if not alike:
        raise Unclear(
            f"`{files[0].path}` and `{files[1].path}` share no column name. Which columns hold the same thing?"
        )
    if len(alike) > 1:
        raise Unclear(which("the key", [Field(a, "text") for a, _ in alike]))
    a, b = alike[0]
    return (
        f"On `{a}`: both files have it." if a == b else f"On `{a}` of `{files[0].path}` and `{b}` of `{files[1].path}`."
    )


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
