"""The offline planner: from what is known to the next decision. Pure; the same situation gives the same decision.

Owns the order of the questions it asks itself: is it English, which file, what do the words mean, is a word left over, is it
a question or a change. Acts only when every word that carries meaning has found its place; else it asks one question.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Any

from headrace.nodes.catalog import Catalog

from . import leftover
from .answers import asked, figure, told, without_run
from .build import build
from .doubts import Refusal, Unclear
from .facts import Subject, foreign, relevant, subject_of, values_to_ask
from .meaning import (
    By,
    Cannot,
    Cue,
    Draw,
    Figures,
    JoinFiles,
    Keep,
    Order,
    Question,
    Share,
    Show,
    Stack,
    Top,
    Unique,
    UseFile,
    Write,
)
from .phrases import words_of
from .reading import Understood
from .rules import grammar_of
from .settling import settle
from .situation import Call, Decision, Outcome, Part, Situation
from .sketch import Piece, Sketch
from .work import Work, stems

READ = "I read everyday English requests about tables"
LOOKED_UP = (Top, By, Figures, Keep, Show, Order, Cue)
"""What a question for one row can consist of."""
ASKING = ("what", "how", "which", "is", "are", "does", "do", "can", "who", "when", "from when", "tell")


class Planner:
    """Answers situations with decisions, in the words of one catalogue of node types."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._grammar = grammar_of(catalog)
        self._words = self._grammar.words() | words_of(catalog)

    def answer(self, situation: Situation) -> Decision:
        """Return the next decision."""
        language = foreign(situation.request)
        if language:
            return Decision(
                "decline", reply=f"This looks like {language}. {READ} in English only; please say it in English."
            )
        if not situation.request.strip():
            return Decision("ask", reply="What shall be done with the data?")
        paths = relevant(situation)
        words = values_to_ask(situation, paths)
        if situation.values is None and words:
            return Decision("need", calls=(Call("find_values", {"words": words, "paths": list(paths)}),))
        subject = subject_of(situation, paths, grammar=self._grammar, words=self._words)
        try:
            return self._decide(situation, subject)
        except Unclear as unclear:
            return Decision("ask", reply=unclear.question, account=_mended(subject))
        except Refusal as refusal:
            return Decision("decline", reply=refusal.reason)

    # --- deciding ---------------------------------------------------------------------------------------------------

    def _decide(self, situation: Situation, subject: Subject) -> Decision:
        reading = subject.reading
        for part in reading.understood:
            if isinstance(part.intent, Cannot):
                return Decision("decline", reply=_cannot(reading.words(part), part.intent.what))
        if reading.left_over:
            return Decision(
                "ask",
                reply=leftover.question(subject, self._catalog, situation.files),
                account=leftover.placed(reading),
            )
        intents = [
            part
            for part in reading.understood
            if not (isinstance(part.intent, Cue) and part.intent.kind in ("rows", "then", "note"))
        ]
        if not intents:
            return Decision("ask", reply=f"I found nothing to do in that. {READ}; what shall be done with the data?")
        work = Work(Sketch(situation), list(reading.understood), reading.words, stems(subject.known.rows))
        work.fresh = not work.sketch.main
        work.continues = not work.fresh and situation.request.strip().casefold().startswith(("then", "and then"))
        settle(work)
        questions = work.take(Question)
        rest = [p for p in work.parts if not isinstance(p.intent, Cue)]
        if len({part.intent.about for part in questions}) > 1:
            raise Unclear(f"I answer one question at a time: “{'” or “'.join(map(work.words, questions))}”?")
        if questions and all(isinstance(p.intent, UseFile | Keep | JoinFiles | Stack) for p in rest):
            return self._answer(situation, work, questions[0], subject=subject)
        return self._change(situation, work, questions, subject=subject)

    def _change(self, situation: Situation, work: Work, questions: list[Understood], *, subject: Subject) -> Decision:
        scalar = _is_scalar_question(situation, work)
        if scalar == "count" and not work.fresh:
            _refuse_other_rows(situation, work)
        single = _asks(situation.request) and any(
            isinstance(p.intent, Top) and (p.intent.count or 1) == 1 for p in work.parts
        )
        # a question about a flow that is there is answered beside it: the flow stays as it is
        single_only = single and all(isinstance(p.intent, LOOKED_UP) for p in work.parts)
        build(work, subject.guess)
        account = tuple(part for _, part in sorted(work.account, key=lambda pair: pair[0])) + _mended(subject)
        if scalar == "count" or ((scalar or single_only) and situation.flow.nodes):
            return self._scalar(situation, work, account)
        operations = work.sketch.operations()
        if not operations:
            return Decision("answer", reply="The flow is like that already; nothing to change.", account=account)
        name = "edit_flow"
        edit = Call(name, {"operations": operations, "summary": situation.request.strip()[:120]})
        done = next((o for o in situation.outcomes if o.call.tool == name), None)
        if done is None:
            return Decision("act", calls=(edit,), account=account)
        errors = [d for d in done.data.get("diagnostics", ()) if d.get("severity") == "error"]
        if done.failed or errors:
            reason = done.message or "; ".join(str(error.get("message", "")) for error in errors[:3])
            return Decision(
                "ask",
                reply=f"I drafted this, but the check refuses it: {reason} What shall it be instead?",
                account=account,
            )
        empty = _emptied(work, done.data.get("trial", {}))
        if empty:
            return Decision("ask", reply=empty, account=account)
        looked = self._look(situation, work, questions, scalar=bool(scalar) or (single and not work.has(By)))
        if isinstance(looked, Decision):
            return looked
        return Decision(
            "answer",
            reply=" ".join(filter(None, ("Done; the change is ready for you to review.", looked))),
            account=account,
        )

    def _look(self, situation: Situation, work: Work, questions: list[Understood], *, scalar: bool) -> Decision | str:
        """Return the run that the reply needs figures from, or the words made of it."""
        if not questions and not scalar:
            return ""
        nodes: tuple[Piece, ...] = ()
        asking = None
        if questions:
            asking = asked(work, questions[0].intent, subject="the result")
            if not asking.nodes:
                return without_run(work, questions[0].intent) or ""
            nodes = asking.nodes
        call = _scratch(work, nodes)
        outcome = _outcome(situation, call)
        if outcome is None:
            return Decision("act", calls=(call,))
        if outcome.failed:
            return f"It could not be run to tell the figure: {outcome.message}"
        return told(asking, outcome.data) if asking else _one_row(outcome.data)

    def _answer(self, situation: Situation, work: Work, question: Understood, *, subject: Subject) -> Decision:
        """Answer a question about the data or the flow; the flow stays as it is."""
        if question.intent.about == "help":
            return Decision("answer", reply=without_run(work, question.intent) or "")
        path = subject.named[0] if subject.named and subject.named[0] not in work.sketch.paths() else None
        if path:
            work.sketch.main.clear()
        if question.intent.about != "key":
            build(work, path or subject.guess)
        plain = without_run(work, question.intent)
        part = Part(work.words(question), f"a question about {_subject(work)}")
        if plain is not None:
            return Decision("answer", reply=plain, account=(part,))
        asking = asked(work, question.intent, subject=_subject(work))
        call = _scratch(work, asking.nodes)
        outcome = _outcome(situation, call)
        if outcome is None:
            return Decision("need", calls=(call,))
        if outcome.failed:
            return Decision("decline", reply=f"The data could not be read for that: {outcome.message}")
        return Decision("answer", reply=told(asking, outcome.data), account=(part,))

    def _scalar(self, situation: Situation, work: Work, account: tuple[Part, ...]) -> Decision:
        call = _scratch(work, ())
        outcome = _outcome(situation, call)
        if outcome is None:
            return Decision("need", calls=(call,))
        if outcome.failed:
            return Decision("decline", reply=f"That could not be computed: {outcome.message}")
        return Decision("answer", reply=_one_row(outcome.data), account=account)


def _mended(subject: Subject) -> tuple[Part, ...]:
    return tuple(Part(written, f"read as “{taken}”", assumed=True) for written, taken in subject.mended)


def _cannot(words: str, what: str) -> str:
    return (
        f"“{words}”: I cannot {what}; that is outside of what flows do here. What I can do: read tables, filter, sort, group, compute, join, draw charts, "
        "and write the result to a new file, which you can then use elsewhere."
    )


def _emptied(work: Work, rows: Mapping[str, int | None]) -> str:
    """Return the question about a part that lets no row through, as the trial run showed; empty where every part does."""
    for before, piece in itertools.pairwise(work.sketch.main):
        if rows.get(before.node_id) and rows.get(piece.node_id) == 0:
            words = piece.title or piece.node_id
            return (
                f"I drafted this, but “{words}” lets none of {figure(rows[before.node_id])} rows through. "
                "Shall it stay like that, or what is meant instead?"
            )
    return ""


def _is_scalar_question(situation: Situation, work: Work) -> str:
    """Return whether one figure is asked for and nothing to keep: `count`, another `figure`, or nothing."""
    intents = [p.intent for p in work.parts if isinstance(p.intent, Figures)]
    if len(intents) != 1 or work.has(By, Show, Share):
        return ""
    if work.has(Draw, Write, Top, Unique, JoinFiles, Stack) or not _asks(situation.request):
        return ""
    counts = all(m.function in ("count", "count_distinct", "number of") for m in intents[0].measures)
    return "count" if counts else "figure"


def _refuse_other_rows(situation: Situation, work: Work) -> None:
    """Ask where the rows of a file are meant that the flow does not read: its result would be passed off for them.

    Errors: Unclear.
    """
    words = set(re.findall(r"\w+", situation.request.casefold()))
    here = {path.rsplit("/", 1)[-1] for path in work.sketch.paths()}
    for file in situation.files:
        name = file.path.rsplit("/", 1)[-1]
        if name.rsplit(".", 1)[0].casefold() in words and name not in here:
            raise Unclear(
                f"Shall I count the rows of `{file.path}`, or those of the flow's result? Name the file whole."
            )


def _asks(request: str) -> bool:
    text = request.strip().casefold()
    return text.endswith("?") or text.startswith(ASKING) or "?" in text


def _subject(work: Work) -> str:
    paths = work.sketch.paths()
    return f"`{paths[0]}`" if len(work.sketch.main) == 1 and paths else "the result"


def _scratch(work: Work, nodes: Sequence[Piece]) -> Call:
    """Return the call that runs the sketch, with some more nodes behind it, and throws it away."""
    kept = work.sketch.main[:]
    work.sketch.main += nodes
    sinks, work.sketch.sinks = work.sketch.sinks, []
    pieces = list(work.sketch.pieces())
    edges = [f"{source}>{target}" for source, target in work.sketch.edges()]
    end = work.sketch.main[-1].node_id
    work.sketch.main, work.sketch.sinks = kept, sinks
    made = [{"id": p.node_id, "type": p.type, "config": p.config, "title": p.title} for p in pieces]
    return Call("scratch_run", {"nodes": made, "edges": edges, "to": end, "limit": 20})


def _outcome(situation: Situation, call: Call) -> Outcome | None:
    return next(
        (o for o in situation.outcomes if o.call.tool == call.tool and dict(o.call.arguments) == dict(call.arguments)),
        None,
    )


def _one_row(data: Any) -> str:
    """Return the figures of a single row as a sentence."""
    names, rows = [column["name"] for column in data.get("columns", ())], data.get("rows") or []
    if len(rows) != 1:
        return f"The result has {figure(data.get('total') or len(rows))} rows."
    return (
        "; ".join(f"{name.replace('_', ' ')}: {figure(value)}" for name, value in zip(names, rows[0], strict=False))
        + "."
    )
