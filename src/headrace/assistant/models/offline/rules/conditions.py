"""How people say which rows they mean: comparisons, values, periods, what is missing, and their opposites."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from headrace.assistant.models.offline.fields import words_of
from headrace.assistant.models.offline.grammar import Rule
from headrace.assistant.models.offline.meaning import (
    Both,
    ColumnRef,
    Either,
    Formula,
    Items,
    Keep,
    Measure,
    Not,
    Number,
    Period,
    Role,
    Rows,
    Show,
    Superlative,
    Test,
    Text,
    ValueRef,
)
from headrace.nodes.wordlist import word_set

BE = "(is|are|was|were|be|being|been|equals|equal to|= [=]|has|have|had|of|at|named|called|stands at|lies)"
THAT = (
    "(whose|where|with|having|if|when|for which|of which|in which|on which|(that|which|who) [(have|has|had)]|"
    "(that|which|who) (is|are|was|were) [(in|from|of)]|being|of|from|in|on|at|by|for|to)"
)
MISSING = "(missing|empty|blank|null|na|nan|unknown|absent|not [(been|yet)] (known|given|recorded|specified|available|filled [in]|there|set|noted|entered))"
PRESENT = "(not (missing|empty|blank|null)|known|given|recorded|present|available|filled [in]|there|specified)"
DROP = (
    "(drop~|remove~|exclude~|delete~|omit~|ignore~|ignoring|skip~|leave out|leaving out|left out|throw out|throw away|take out|get rid of|"
    "discard~|filter out|filtering out|eliminate~|without|except [for]|excluding|apart from|other than|besides|"
    "but not|not counting|do not (count|include|want|show|use)|no more)"
)
ROWS = "[any|every|all|each|those|these|the] [{_r:rows}|anything|everything|those|ones|one|that] [{_r:rows}]"
HAPPENED = (
    "[(released|published|made|built|produced|founded|placed|started|dated|recorded|taken|held|booked|created|opened|"
    "joined|happened|bought|sold|played|measured|taking place|issued|launched|starting|done|set|registered|read)]"
)
SUMMED = frozenset({"sum", "mean", "median", "std"})
KEYS = word_set("id no code key zip postcode")
"""Columns of numbers that only tell things apart are not summed."""
MORE = "(more|above|over|higher|greater|longer|larger|older|bigger|up|heavier|taller|better)"
FEWER = "(less|fewer|below|under|lower|smaller|shorter|younger|lighter)"
TIME_WORDS = word_set("year season month quarter day week date yr")


def compare(op: str, right: Any) -> Test:
    """Return a comparison whose left side is still to come."""
    return Test(None, op, right)


def with_left(left: Any, test: Test | None) -> Test | None:
    """Return a comparison with its left side, where it has none yet and a column of the right kind is there."""
    if test is None or test.left is not None:
        return None
    if isinstance(left, ColumnRef):
        left = left.only(lambda name, kind: comparable(name, kind, test))
    elif any(isinstance(value, Text | ValueRef | Period) for value in compared(test)):
        return None  # figures are numbers
    return Test(left, test.op, test.right) if left is not None else None


def compared(test: Test) -> tuple[Any, ...]:
    """Return what stands on the right of a comparison."""
    right = test.right
    return right.of if isinstance(right, Items) else right if isinstance(right, tuple) else (right,)


def comparable(name: str, kind: str, test: Test) -> bool:
    """Return whether a column can stand on the left of a comparison."""
    if test.op in ("starts", "ends", "contains"):
        return kind == "text"
    for value in compared(test):
        if isinstance(value, Period) and not (kind == "date" or TIME_WORDS & set(words_of(name))):
            return False
        if isinstance(value, ValueRef) and name not in {column for column, _ in value.options}:
            return False
        if isinstance(value, Number) and test.op != "in" and kind != "number":
            return False
        if isinstance(value, ColumnRef) and kind not in value.kinds and "flag" not in (kind, *value.kinds):
            return False
        if isinstance(value, Text) and kind not in ("text", "date", "bool", "flag"):
            return False
    return True


def degree(adjective: Superlative, right: Any) -> Test | None:
    """Return what `heavier than 4000` compares: the columns that the adjective speaks of."""
    return with_left(adjective.of, compare(">" if adjective.direction == "down" else "<", right))


def figure(function: str, of: Any) -> Measure | None:
    """Return a figure over something, where it holds what the function is of."""
    words = getattr(of, "words", "")
    if isinstance(of, ColumnRef) and function not in ("count", "count_distinct", "number of"):
        kinds = ("number", "date", "time") if function in ("min", "max") else ("number",)
        of = of.only(lambda name, kind: kind in kinds and not (function in SUMMED and KEYS & set(words_of(name))))
    return Measure(function, of, words) if of is not None else None


def times(op: str, right: Any) -> Test:
    """Return a comparison with how often something occurs."""
    return Test(Measure("count", Rows("times")), op, right)


def counted(test: Test, rows: Rows) -> Test:
    """Return a comparison with a number of rows: `more than 5 orders`."""
    return Test(Measure("count", rows, rows.words), test.op, test.right)


def listed(items: Items) -> Test:
    """Return the condition that something is one of several."""
    return Test(None, "in", items.of)


def same_year(periods: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return periods with the year that is only said of the last: `from January to March 2024`."""
    year = periods[-1].year or (periods[-1].day.year if periods[-1].day else None)
    return tuple(replace(p, year=year) if p.year is None and p.unit in ("month", "quarter") else p for p in periods)


def both(first: Any, second: Any) -> Both:
    """Return two conditions as one."""
    return Both(
        (*(first.of if isinstance(first, Both) else (first,)), *(second.of if isinstance(second, Both) else (second,)))
    )


def either(first: Any, second: Any) -> Either:
    """Return one of two conditions."""
    return Either((first, *(second.of if isinstance(second, Either) else (second,))))


def known_rows(rows: Any, test: Test) -> Test | None:
    """Return a comparison with a number of rows, where the noun is for rows."""
    return counted(test, rows) if isinstance(rows, Rows) else None


COMPARISONS = [
    (
        ">",
        "(more than|over|above|greater than|higher than|larger than|bigger than|exceeding|exceeds|exceed|beyond|> |upwards of|in excess of|better than|later than)",
    ),
    (
        ">=",
        "(at least|no less than|not less than|no fewer than|not fewer than|a minimum of|minimum [of]|> =|>=|≥|not (under|below))",
    ),
    ("<", "(less than|fewer than|under|below|lower than|smaller than|beneath|<|short of)"),
    ("<=", "(at most|no more than|not more than|up to|a maximum of|maximum [of]|< =|<=|≤|not (over|above))"),
]

RULES = [
    *[Rule("cmp", words, lambda op=op: op) for op, words in COMPARISONS],
    # what a thing is compared with
    Rule("bound", "{cmp} {n:number}", lambda cmp, n: compare(cmp, n)),
    Rule("bound", "{cmp} {v:quoted}", lambda cmp, v: compare(cmp, v)),
    Rule("bound", f"{{n:number}} or {MORE}", lambda n: compare(">=", n)),
    Rule("bound", "{n:number} (+|and (more|over|above|up))", lambda n: compare(">=", n)),
    Rule("bound", f"{{n:number}} or {FEWER}", lambda n: compare("<=", n)),
    Rule("bound", "between {a:number} and {b:number}", lambda a, b: compare("between", Items((a, b)))),
    Rule("bound", "from {a:number} (to|through|up to) {b:number}", lambda a, b: compare("between", Items((a, b)))),
    Rule("bound", "{a:number} (to|-|–) {b:number}", lambda a, b: compare("between", Items((a, b))), 0.1),
    Rule("bound", "{cmp} {c:column}", lambda cmp, c: compare(cmp, c), 0.1),
    Rule("bound", "(exactly|precisely) {n:number}", lambda n: compare("=", n)),
    Rule("bound", "not {n:number}", lambda n: compare("!=", n), 0.1),
    # times
    Rule("when", "(in|during|for|on|of|from|within|throughout|dating from|at) {p:period}", lambda p: compare("in", p)),
    Rule("when", "{p:period}", lambda p: compare("in", p), 0.15),
    Rule(
        "when",
        "(since|from|starting [in|from|with|on]|as of|beginning [in|with]) {p:period} [on|onwards|onward|forward|and later]",
        lambda p: compare(">=", p),
        0.02,
    ),
    Rule("when", "[only] from {p:period} (on|onwards|onward|forward)", lambda p: compare(">=", p)),
    Rule("when", "[in|from] {p:period} (or|and) (later|after|newer|onwards|following)", lambda p: compare(">=", p)),
    Rule("when", "[in|from] {p:period} (or|and) (earlier|before|older)", lambda p: compare("<=", p)),
    Rule("when", "(after|later than|past|>) {p:period}", lambda p: compare(">", p)),
    Rule("when", "(>=|≥|not before|no earlier than) {p:period}", lambda p: compare(">=", p)),
    Rule("when", "(before|prior to|earlier than|older than|<) {p:period}", lambda p: compare("<", p)),
    Rule(
        "when",
        "(until|till|up to|through|by the end of|no later than|<=|≤|not after) {p:period}",
        lambda p: compare("<=", p),
    ),
    Rule("when", "between {a:period} and {b:period}", lambda a, b: compare("between", Items(same_year((a, b))))),
    Rule(
        "when",
        "[from] {a:period} (to|until|till|through|-|–|up to) {b:period}",
        lambda a, b: compare("between", Items(same_year((a, b)))),
    ),
    Rule(
        "when",
        "[in|for|during] [spring|summer|autumn|fall|winter] [month|year|day] {items:periods}",
        lambda items: Test(None, "in", same_year(items.of)) if len(items.of) > 1 else None,
    ),
    Rule("periods", "{p:period}", lambda p: Items((p,))),
    Rule("periods", "{p:period} (, and|, or|,|and|or|&) {rest:periods}", lambda p, rest: Items((p, *rest.of))),
    # what is said of a column
    Rule("test", f"[that] [{BE}] {{t:bound}}", lambda t: t),
    Rule("test", f"[{BE}] {{t:when}}", lambda t: t, 0.02),
    Rule("test", f"{BE} [either|one of|among|in] {{v:scalars}}", lambda v: listed(v)),
    Rule(
        "test",
        "[is|are|was|were|has|have|does] (not|other than|different from|!=|<>|! =) [equal to|be|in|one of] {v:scalars}",
        lambda v: Not(listed(v)),
    ),
    Rule("test", "[that] (start~|begin~|beginning) with {v:text}", lambda v: compare("starts", v)),
    Rule("test", "[that] (end~) (with|in|on) {v:text}", lambda v: compare("ends", v)),
    Rule(
        "test",
        "[that] (contain~|include~|including|mention~) {v:text} [in it|in them]",
        lambda v: compare("contains", v),
        0.1,
    ),
    Rule("test", "(with|has|having|have) {v:quoted} [in it|in them]", lambda v: compare("contains", v), 0.1),
    Rule("test", "(do|does|did) not (contain|include|mention) {v:text}", lambda v: Not(compare("contains", v))),
    Rule("test", f"[is|are|was|were|has|have] {MISSING}", lambda: compare("null", None)),
    Rule("test", f"[is|are|was|were|has|have] {PRESENT}", lambda: compare("not null", None), 0.05),
    Rule("test", "[is|are|was|were] (negative|below zero)", lambda: compare("<", Number(0))),
    Rule("test", "[is|are|was|were] (positive|above zero)", lambda: compare(">", Number(0))),
    Rule(
        "test",
        "[that] [has|have] (shrunk|shrank|fell|fallen|decreased|declined|dropped|went down|gone down|got smaller|sank)",
        lambda: compare("<", Number(0)),
        0.3,
    ),
    Rule(
        "test",
        "[that] [has|have] (grew|grown|rose|risen|increased|went up|gone up|got bigger)",
        lambda: compare(">", Number(0)),
        0.3,
    ),
    # conditions
    Rule("fact", "{c:column} {t:test}", lambda c, t: _applied(c, t)),
    Rule("fact", "{m:measure} {t:test}", lambda m, t: _applied(m, t), 0.25),
    Rule("fact", "{r:role} {t:test}", lambda r, t: _applied(r, t), 0.1),
    Rule("fact", "{c:column} [: ] {v:scalars}", lambda c, v: with_left(c, listed(v)), 0.2),
    Rule("fact", "{v:values} {c:column}", lambda v, c: with_left(c, listed(v)), 0.2),
    Rule("fact", "{v:values}", lambda v: listed(v)),
    Rule(
        "fact",
        "[with|has|have|including|(who|that|which) (is|are|work)] {f:flag}",
        lambda f: Test(f.of[0], "in", (f.of[1],)),
        0.15,
    ),
    Rule("fact", "(not|non|without|no|excluding) {f:flag}", lambda f: Test(f.of[0], "in", (f.of[2],)), -0.05),
    Rule("fact", "{f:flag} {_r:rows}", lambda f: Test(f.of[0], "in", (f.of[1],)), 0.05),
    Rule("fact", "{c:column} (whose|with) (name|value|title) {t:test}", lambda c, t: _applied(c, t)),
    Rule(
        "fact",
        "{a:done} {t:bound} (after|later than|from) [being|they were|it was|the|having been] {b:done}",
        lambda a, t, b: Test(Formula("days between", b, a), t.op, t.right),
    ),
    Rule("fact", "{c:undone}", lambda c: Test(c, "null")),
    Rule("fact", "{f:undoneflag}", lambda f: Test(f.of[0], "in", (f.of[2],))),
    Rule("fact", "not {_d:happened} (by|in|from|at|for|on|to|with) {v:values}", lambda v: Not(listed(v))),
    Rule("fact", "{_d:happened} (by|in|from|at|for|with) {v:values}", lambda v: listed(v)),
    Rule("fact", "(not|non) {v:values}", lambda v: Not(listed(v))),
    Rule("fact", "{c:column} not {v:values}", lambda c, v: Not(with_left(c, listed(v)))),
    Rule("fact", "{n:number} {c:column}", lambda n, c: with_left(c, compare("=", n)), 0.2),
    Rule("fact", "{t:bound} {c:column}", lambda t, c: with_left(c, t), 0.1),
    Rule("fact", "{t:bound} of {c:column}", lambda t, c: with_left(c, t)),
    Rule("fact", "{t:bound} {m:measure}", lambda t, m: with_left(m, t), 0.3),
    Rule(
        "fact",
        "(occur~|occurring|appear~|exist~|happen~|sold|borrowed|used|listed|bought|ordered|seen) {t:bound} times",
        lambda t: times(t.op, t.right),
    ),
    Rule("manyrows", f"{{n:number}} {{r:rows}} or {MORE}", lambda n, r: counted(compare(">=", n), r)),
    Rule("manyrows", f"{{n:number}} {{r:rows}} or {FEWER}", lambda n, r: counted(compare("<=", n), r)),
    Rule("manyrows", "{t:bound} {r:rows}", lambda t, r: known_rows(r, t), 0.05),
    Rule("manyrows", "{t:bound} (times|occurrences|entries|in number)", lambda t: times(t.op, t.right)),
    Rule("fact", "{m:manyrows}", lambda m: m),
    Rule(
        "intent",
        "[which] {c:column} [that|who|which] (with|having|have|has|had|appear~|occur~|{_d:happened}) {m:manyrows}",
        lambda c, m: Items((Show((c,)), Keep(m))) if set(c.kinds) == {"text"} else None,
        -0.1,
    ),
    Rule("fact", f"{{n:number}} {{c:column}} or {MORE}", lambda n, c: with_left(c, compare(">=", n))),
    Rule("fact", f"{{n:number}} {{c:column}} or {FEWER}", lambda n, c: with_left(c, compare("<=", n))),
    Rule(
        "fact",
        "{t:bound} [of] {c:column} (in total|altogether|overall|in all|combined|together)",
        lambda t, c: with_left(figure("sum", c), t),
    ),
    Rule("fact", "{t:bound}", lambda t: t, 0.9),
    Rule(
        "fact",
        "{c:column} [with] {t:bound}",
        lambda c, t: t if set(c.kinds) == {"text"} and t.left is None and not isinstance(t.right, ColumnRef) else None,
        0.4,
    ),
    Rule("fact", "{a:comparative} than {n:number}", lambda a, n: degree(a, n), 0.02),
    Rule(
        "fact",
        "{a:comparative} than {n:number} \\( {c:column} \\)",
        lambda a, n, c: with_left(c, compare(">" if a.direction == "down" else "<", n)),
    ),
    Rule("fact", "{t:bound} \\( {c:column} \\)", lambda t, c: with_left(c, t)),
    Rule(
        "fact",
        "[that|which] [do|does|did|have|has|are|is|were|was] (no|not [have|having] [a|an|any]|without [a|an|any]|with no|lack~|lacking|missing) {c:column} [at all|recorded|given|known|value|set]",
        lambda c: Test(c, "null"),
    ),
    Rule("fact", "[there is] no {c:column} [recorded|given|known|value|set]", lambda c: Test(c, "null")),
    Rule(
        "fact",
        "[that|which|who] [have|has|were|was|are|is] (not|never|not yet|yet to be) [been] {c:done}",
        lambda c: Test(c, "null"),
    ),
    Rule("fact", "(that|which|who) (were|was|have been|has been|are) {c:done}", lambda c: Test(c, "not null"), 0.4),
    Rule(
        "fact",
        "(with|have|has|having|that have|that has) (a|an|any) {c:column} [recorded|given|known|value]",
        lambda c: Test(c, "not null"),
        0.8,
    ),
    Rule("fact", f"{HAPPENED} {{t:when}}", lambda t: t),
    Rule("fact", "{c:done} {t:when}", lambda c, t: _applied(c, t)),
    Rule(
        "fact",
        "from {a:value} to {b:value}",
        lambda a, b: Both((Test(Role("from"), "in", (a,)), Test(Role("to"), "in", (b,)))),
    ),
    Rule("fact", "(from|leaving|departing) {a:value}", lambda a: Test(Role("from"), "in", (a,)), 0.1),
    Rule("fact", "(to|going to|arriving [in|at]|towards) {b:value}", lambda b: Test(Role("to"), "in", (b,)), 0.1),
    Rule("fact", "(south|west) of {c:column} {n:number}", lambda c, n: with_left(c, compare("<", n))),
    Rule("fact", "(north|east) of {c:column} {n:number}", lambda c, n: with_left(c, compare(">", n))),
    Rule(
        "fact",
        "(it|they|which|that) (shrank|shrunk|fell|decreased|declined|dropped|went down|lost)",
        lambda: Test(Role("change"), "<", Number(0)),
        0.05,
    ),
    Rule(
        "fact",
        "(it|they|which|that) (grew|rose|increased|went up|gained)",
        lambda: Test(Role("change"), ">", Number(0)),
        0.05,
    ),
    Rule("atom", "{c:fact}", lambda c: c),
    Rule("atom", f"{THAT} {{c:fact}}", lambda c: c, 0.01),
    Rule("condition", "{c:atom}", lambda c: c),
    Rule("condition", "{first:atom} or {second:condition}", either),
    Rule("condition", "either {first:atom} or {second:condition}", either),
    Rule("condition", "[both] {a:atom} and {b:condition}", lambda a, b: both(a, b), 0.1),
    # intents
    Rule("intent", "{condition}", Keep),
    Rule("intent", "filter~ [it|them|the rows|the table|{_r:rows}] [by|on|to|for|where|with] {condition}", Keep, -0.1),
    Rule(
        "intent",
        f"(only|only keep|keep only|only show|show only|just) {ROWS} [{{_c:column}}] {{condition}} [only]",
        Keep,
        -0.05,
    ),
    Rule("intent", "{condition} (only|ones|one|rows) [only|ones]", Keep, -0.05),
    Rule("intent", f"{DROP} {ROWS} {{c:condition}} [rows|ones|{{_r:rows}}] [out]", lambda c: Keep(Not(c))),
    Rule("intent", f"leave {ROWS} {{c:condition}} [ones|{{_r:rows}}] out", lambda c: Keep(Not(c))),
    Rule(
        "intent",
        "all [the] {column} (but|except) {v:values}",
        lambda column, v: Keep(Not(with_left(column, listed(v)))),
    ),
]


def _applied(left: Any, test: Any) -> Any:
    if isinstance(test, Not):
        inner = _applied(left, test.of)
        return Not(inner) if inner else None
    return with_left(left, test)
