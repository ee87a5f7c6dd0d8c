"""How people say what is shown and in which order: sorting, the first few, columns kept or dropped, gaps, duplicates."""

from __future__ import annotations

from typing import Any

from headrace.assistant.models.offline.grammar import Rule
from headrace.assistant.models.offline.meaning import (
    ColumnRef,
    Items,
    Measure,
    Omit,
    Order,
    Rename,
    Role,
    Rows,
    Show,
    Superlative,
    Top,
)

from .figures import BETWEEN

REMOVE = "(drop~|remove~|delete~|throw out|throw away|exclude~|ignore~|leave out|skip~|discard~|get rid of|filter out|eliminate~|omit~|take out|strip [out])"
SORT = "(sort~|order!|ordered|ordering|arrange~|rank~|sequence~|reorder~|resort~)"
THEM = "[it|{_f:file}|them|these|those|this|that|everything|(result|table|rows|row|list|output|data|file|lot) [{_r:rows}]|{_r:rows}]"
DOWN = (
    "(descending|desc|decreasing|downwards|in descending order|in decreasing order|descending order|[from] high to low|[from] highest to lowest|[from] large to small|"
    "[from] largest to smallest|[from] biggest to smallest|[from] big to small|[from] most to least|[from] new to old|[from] newest to oldest|[from] latest to earliest|z to a|from z to a|"
    "(high|highest|largest|biggest|greatest|most|newest|latest|big|large|top|max|most recent) (first|on top|at the top|up top|at top))"
)
UP = (
    "(ascending|asc|increasing|upwards|in ascending order|in increasing order|ascending order|[from] low to high|[from] lowest to highest|[from] small to large|"
    "[from] smallest to largest|[from] smallest to biggest|[from] least to most|[from] old to new|[from] oldest to newest|[from] earliest to latest|a to z|from a to z|"
    "(low|lowest|smallest|least|fewest|earliest|small) (first|on top|at the top|up top))"
)
FIRST = "(first|on top|at the top|up top|to start with|come first|leading)"
FREQUENT = "(active|frequent|common|popular|often|frequently|commonly)"


def by_adjective(adjective: Superlative, key: Any = None, *, turned: bool = False) -> Order:
    """Return an order that an adjective names: `heaviest first`."""
    direction = adjective.direction if not turned else ("up" if adjective.direction == "down" else "down")
    if isinstance(key, ColumnRef) and set(key.kinds) == {"text"}:
        key = None  # the largest of texts is meant by the figure beside it
    of = key if key is not None else adjective.of
    return Order(((of, direction),)) if of is not None else Order((), direction)


def often(direction: Any = "down") -> Order:
    """Return the order by how often something occurs."""
    return Order(((Measure("count", Rows("times")), direction),))


def best(count: int | None, *, by: Any = None, direction: Any = None, noun: Any = None) -> Top:
    """Return the first few rows; an adjective that says its column is the order."""
    if isinstance(by, Superlative):
        return Top(count, by.of, by.direction, noun)
    return Top(count, by, direction, noun)


def adjective_then(count: int | None, s: Superlative, *, noun: Any = None, by: Any = None) -> Top:
    """Return the first few rows by an adjective and perhaps a figure: `the 5 biggest makers by number of planes`."""
    if (
        by is None
        and s.of is None
        and isinstance(noun, ColumnRef)
        and (figure := noun.only(lambda _, kind: kind == "number"))
    ):
        return Top(count, figure, s.direction, figure)  # `the 5 highest salaries`
    if by is None:
        return best(count, by=s, noun=noun)
    return Top(count, by, s.direction, noun)


RULES = [
    Rule(
        "intent",
        f"[and] {SORT} {THEM} by (it|this|that|that column|the new column)",
        lambda: Order(((Role("it"), None),)),
        -0.05,
    ),
    Rule(
        "intent",
        f"[and] {SORT} {THEM} by (it|this|that|that column|the new column) [in] {{d:direction}}",
        lambda d: Order(((Role("it"), d),)),
        -0.05,
    ),
    Rule("direction", "([from] best to worst|best (first|on top|at the top|up top))", lambda: "best"),
    Rule("direction", "([from] worst to best|worst (first|on top|at the top|up top))", lambda: "worst"),
    Rule("direction", DOWN, lambda: "down"),
    Rule("direction", UP, lambda: "up"),
    Rule("orderable", "{x:column}", lambda x: x),
    Rule("orderable", "{x:measure}", lambda x: x, 0.05),
    Rule("orderable", "{x:timepart}", lambda x: x, 0.1),
    Rule("orderable", "{x:role}", lambda x: x, 0.15),
    Rule("orderable", "{x:formula}", lambda x: x, 0.1),
    Rule("sortkey", "{x:orderable} [,|\\(|in] [{d:direction}] [order] [\\)]", lambda x, d=None: Items((x, d))),
    Rule("sortkey", "{x:orderable} [,|\\(] {s:superlative} (first|on top) [\\)]", lambda x, s: Items((x, s.direction))),
    Rule("sortkey", "{d:direction} {x:orderable}", lambda d, x: Items((x, d)), 0.1),
    Rule("sortkeys", "{k:sortkey}", lambda k: Items((k,))),
    Rule(
        "sortkeys",
        "{k:sortkey} (, and then|and then|, then|then|, and|and|,|then by|within that) [by|on] {rest:sortkeys}",
        lambda k, rest: Items((k, *rest.of)),
        -0.02,
    ),
    Rule(
        "intent",
        f"[and] {SORT} {THEM} [alphabetically|in order] (by|on|according to|after) {{keys:sortkeys}}",
        lambda keys: ordered(keys),
    ),
    Rule("intent", f"[and] {SORT} {THEM} [in] {{direction}} [order]", lambda direction: Order((), direction)),
    Rule(
        "intent",
        f"[and] {SORT} {THEM} [in] {{d:direction}} [order] (by|on) {{x:orderable}}",
        lambda d, x: Order(((x, d),)),
    ),
    Rule("intent", f"[and] {SORT} {{keys:sortkeys}}", lambda keys: ordered(keys), 0.3),
    Rule("intent", "{d:direction}", lambda d: Order((), d), 0.1),
    Rule(
        "intent",
        "{x:orderable} {d:direction}",
        lambda x, d: Order(((x, d),)) if getattr(x, "kinds", ("number",)) != ("text",) else None,
        0.35,
    ),
    Rule("intent", "in [the] (order of|sequence of) {keys:sortkeys}", lambda keys: ordered(keys)),
    Rule("intent", "in [{d:direction}] {x:orderable} order", lambda x, d=None: Order(((x, d),))),
    Rule(
        "intent",
        f"[and] [{SORT}] {THEM} (alphabetically|in alphabetical order|alphabetical|from a to z) [(by|on|of) {{x:column}}]",
        lambda x=None: Order(((x or Role("label"), "up"),)),
        -0.05,
    ),
    Rule(
        "intent",
        f"[and] [{SORT}] {THEM} (chronologically|in chronological order|in date order|in time order|by time)",
        lambda: Order(((Role("time"), "up"),)),
        -0.05,
    ),
    Rule("intent", "{s:superlative} {x:orderable} " + FIRST, lambda s, x: by_adjective(s, x)),
    Rule("intent", "{adjective:superlative} [{_r:rows}|one|ones|person] " + FIRST, by_adjective),
    Rule(
        "intent",
        "[with] {s:superlative} {x:orderable} (last|at the bottom)",
        lambda s, x: by_adjective(s, x, turned=True),
    ),
    Rule("intent", "{s:superlative} [{_r:rows}|one|ones] (last|at the bottom)", lambda s: by_adjective(s, turned=True)),
    Rule("intent", f"most {FREQUENT} [{{_r:rows}}] [first|on top]", often, 0.1),
    Rule("intent", f"least {FREQUENT} first", lambda: often("up")),
    Rule(
        "intent",
        "{a:weekday} first [, {_b:weekday} last]",
        lambda a: Order(((Role("weekday"), "up"),)) if a == 1 else None,
    ),
    Rule("weekday", "{p:period}", lambda p: p.number if p.unit == "weekday" else None),
    # the first few
    Rule(
        "intent",
        "[{n:count}] [{noun}] (has|have|had|with|that has|that have) [the] (most|highest number of|largest number of|greatest number of) {r:rows}",
        lambda r, n=None, noun=None: Top(n, Measure("count", r, r.words), "down", noun),
        -0.05,
    ),
    Rule(
        "intent",
        "[{n:count}] [{noun}] (has|have|had|with|that has|that have) [the] (fewest|least|lowest number of|smallest number of) {r:rows}",
        lambda r, n=None, noun=None: Top(n, Measure("count", r, r.words), "up", noun),
        -0.05,
    ),
    Rule(
        "intent",
        "[{n:count}] {noun} [that] (sold|sell~|is sold|are sold) [the] (best|most)",
        lambda noun, n=None: Top(n, Measure("sum", Role("units")), "down", noun),
    ),
    Rule(
        "intent",
        "[{n:count}] {noun:column} (has|have|had|with|holds|hold|contains|keeps|got|that has|that have) [the] (most|highest total|largest total) {c:column}",
        lambda noun, c, n=None: summed(n, c, noun),
    ),
    Rule(
        "intent",
        "[{n:count}] {noun:column} (has|have|had|with|holds|hold|contains|keeps|got|that has|that have) [the] (least|lowest total|smallest total) {c:column}",
        lambda noun, c, n=None: summed(n, c, noun, down=False),
    ),
    Rule(
        "intent",
        "{s:superlative} (figure|data|number|row|entry|record|result|state|status) [of|for]",
        lambda s: best(None, by=s) if s.of else None,
    ),
    Rule(
        "intent",
        "[{noun}] {_d:happened} [the] most {r:rows}",
        lambda r, noun=None: Top(None, Measure("count", r, r.words), "down", noun),
    ),
    Rule(
        "intent",
        "[{noun}] {_d:happened} [the] (fewest|least) {r:rows}",
        lambda r, noun=None: Top(None, Measure("count", r, r.words), "up", noun),
    ),
    Rule("intent", "busiest {t:timepart}", lambda t: Top(None, Measure("count", Rows("times")), "down", t), -0.3),
    Rule("intent", "busiest {noun}", lambda noun: Top(None, Measure("count", Rows("times")), "down", noun)),
    Rule(
        "intent",
        "{noun} (is|are|was|were) [the] busiest",
        lambda noun: Top(None, Measure("count", Rows("times")), "down", noun),
    ),
    Rule(
        "intent",
        "who (got|gets|has|had|achieved|scored|reached|holds|made) [the] {s:superlative} {x:orderable}",
        lambda s, x: Top(None, x, s.direction),
        -0.05,
    ),
    Rule("intent", "[who] {c:column} [the] (most|best)", lambda c: paid(None, c, None), 0.1),
    Rule("intent", "[who] {c:column} [the] (least|worst)", lambda c: paid(None, c, None, down=False), 0.1),
    Rule("noun", "{x:rows}", lambda x: x),
    Rule("noun", "{x:column}", lambda x: x, 0.1),
    Rule("noun", "[one|ones|result|entry]", lambda: None),
    Rule(
        "intent",
        "[only] (last|latest|most recent) {n:count} [{noun}] by {x:orderable}",
        lambda n, x, noun=None: Top(n, x, "down", noun),
        -0.02,
    ),
    Rule(
        "ranking", "(by|in terms of|according to|ranked by|based on|measured by|in|on|for) {x:orderable}", lambda x: x
    ),
    Rule("ranking", "with [the] (most|highest|largest|biggest|greatest|best) {x:orderable}", lambda x: x),
    Rule(
        "ranking", "with [the] (most|highest|largest|biggest|greatest) {r:rows}", lambda r: Measure("count", r, r.words)
    ),
    Rule(
        "intent",
        "[show] [only] top {n:count} [{noun}] [{by:ranking}]",
        lambda n, noun=None, by=None: best(n, by=by, noun=noun, direction="down"),
    ),
    Rule(
        "intent",
        "[only] bottom {n:count} [{noun}] [{by:ranking}]",
        lambda n, noun=None, by=None: best(n, by=by, noun=noun, direction="up"),
    ),
    Rule(
        "intent",
        "{s:superlative} {n:count} [{noun}] [{by:ranking}]",
        lambda s, n, noun=None, by=None: adjective_then(n, s, noun=noun, by=by),
    ),
    Rule(
        "intent",
        "{n:count} {s:superlative} [{noun}] [{by:ranking}]",
        lambda s, n, noun=None, by=None: adjective_then(n, s, noun=noun, by=by),
    ),
    Rule(
        "intent",
        "{s:superlative} {noun:rows} [{by:ranking}]",
        lambda s, noun, by=None: adjective_then(None, s, noun=noun, by=by),
        0.05,
    ),
    Rule(
        "intent",
        "{s:superlative} {c:column}",
        lambda s, c: Top(None, s.of, s.direction, c) if s.of and not set(s.of.names) & set(c.names) else None,
        0.05,
    ),
    Rule(
        "intent",
        "[{n:count}] [{noun}] [(has|have|had)] (with|has|have|had|that has|that have|that had) [the] {s:superlative} {x:orderable}",
        lambda s, x, n=None, noun=None: Top(n, x, s.direction, noun),
        0.05,
    ),
    Rule(
        "intent",
        "[{n:count}] {noun} (is|are|was|were) [the] {s:superlative}",
        lambda s, n=None, noun=None: best(n, by=s, noun=noun) if s.of else None,
        0.05,
    ),
    Rule(
        "intent",
        f"[top] [{{n:count}}] most {FREQUENT} {{noun}}",
        lambda n=None, noun=None: Top(n, Measure("count", Rows("times")), "down", noun),
    ),
    Rule(
        "intent",
        f"[top] [{{n:count}}] least {FREQUENT} {{noun}}",
        lambda n=None, noun=None: Top(n, Measure("count", Rows("times")), "up", noun),
    ),
    Rule("intent", "[top] {n:count} [(most|best)] {how:traded} {noun}", lambda n, how, noun: Top(n, how, "down", noun)),
    Rule(
        "intent",
        "[top] [{n:count}] (best|highest|most|top) {by:done} {noun}",
        lambda by, noun, n=None: paid(n, by, noun),
        -0.05,
    ),
    Rule(
        "intent",
        "[top] [{n:count}] (worst|lowest|least) {by:done} {noun}",
        lambda by, noun, n=None: paid(n, by, noun, down=False),
        -0.05,
    ),
    Rule(
        "intent", "(most|best) {how:traded} {noun} [top {n:count}]", lambda how, noun, n=None: Top(n, how, "down", noun)
    ),
    Rule(
        "intent",
        "[only] [show|keep] first {n:count} [row|{_r:rows}|line|entry|result|record] [only]",
        lambda n: Top(n),
        -0.02,
    ),
    Rule(
        "intent",
        "[only] last {n:count} [row|{_r:rows}|line|entry|result|record] [only]",
        lambda n: Top(n, Role("position"), "down"),
        0.0,
    ),
    Rule(
        "intent",
        "(limit~ [[it|this|that|them] to]|limited to|at most|no more than|max|only) {n:count} [row|{_r:rows}|line|entry|result|record]",
        lambda n: Top(n),
        0.1,
    ),
    Rule("intent", "{n:count} (row|line|record) [only]", lambda n: Top(n), 0.1),
    # columns
    Rule("item", "{x:column}", lambda x: x),
    Rule("item", "{x:timepart}", lambda x: x, 0.15),
    Rule("item", "{x:role}", lambda x: x, 0.2),
    Rule("item", "{x:measure}", lambda x: x, 0.25),
    Rule("items", "{x:item}", lambda x: Items((x,))),
    Rule(
        "items",
        "{x:item} [also|both] (, and|,|and|&|as well as|, plus|plus|+|/|;|¶) [also] {rest:items}",
        lambda x, rest: Items((x, *rest.of)),
        -0.01,
    ),
    Rule("intent", "[with] {items}", lambda items: Show(items.of), 0.5),
    Rule(
        "intent",
        "(only|keep~|keep only|just|select~|select only|return~|return only|output|display only|restricted to|pick~|show only|reduce~ to|the (column|columns|field|fields)|column|field) [column|columns|field|fields] [:] {items}",
        lambda items: Show(items.of, only=True),
        0.05,
    ),
    Rule(
        "intent",
        "[only|just] {items} (only|are enough|is enough|will do|suffice|nothing else|[columns|fields] only|is all [i need]|are all i need|and nothing else|columns)",
        lambda items: Show(items.of, only=True),
        0.0,
    ),
    Rule(
        "intent",
        "[only] (with|including|having) [the|only] (column|field) {items}",
        lambda items: Show(items.of, only=True),
        0.1,
    ),
    Rule(
        "intent",
        "(move|put|bring) {items:columns} (first|to the front|to the start|at the front)",
        lambda items: Show((Role("first"), *items.of)),
    ),
    Rule(
        "intent",
        f"{REMOVE} [column|columns|field|fields] {{items:columns}} [column|columns|field|fields|too|as well]",
        lambda items: Omit(items.of),
        0.05,
    ),
    Rule("intent", "(without|no|hide) [the] (column|field) {items:columns}", lambda items: Omit(items.of)),
    Rule("intent", "(without|hide) {items:columns} (column|columns|field|fields)", lambda items: Omit(items.of)),
    Rule("intent", "everything (except|but) [the] [column] {items:columns}", lambda items: Omit(items.of), 0.3),
    Rule("renaming", "{c:column} (to|as|into|->|=>|→) {name:newname}", lambda c, name: Items(((c, name),))),
    Rule("renaming", "{c:role} (to|as|into|->|→) {name:newname}", lambda c, name: Items(((c, name),)), 0.2),
    Rule("renamings", "{r:renaming}", lambda r: r),
    Rule("renamings", f"{{r:renaming}} {BETWEEN} [rename~] {{rest:renamings}}", lambda r, rest: Items(r.of + rest.of)),
    Rule("intent", "rename~ [column|the column|field] {r:renamings}", lambda r: Rename(r.of)),
    Rule("intent", "call [column] {c:column} {name:newname}", lambda c, name: Rename(((c, name),)), 0.1),
    Rule(
        "intent",
        "{c:column} (should be called|should be named|renamed to|becomes) {name:newname}",
        lambda c, name: Rename(((c, name),)),
    ),
]


def paid(count: int | None, by: ColumnRef, noun: Any, *, down: bool = True) -> Top | None:
    """Return the first few by a column that a verb form names: `the 3 best paid employees`."""
    of = by.only(lambda _, kind: kind == "number")
    return Top(count, of, "down" if down else "up", noun) if of else None


def summed(count: int | None, of: ColumnRef, noun: ColumnRef, *, down: bool = True) -> Top | None:
    """Return the first few of something by a total: `which warehouse has the most stock`."""
    total = of.only(lambda _, kind: kind == "number")
    text = noun.only(lambda _, kind: kind == "text")
    return Top(count, Measure("sum", total, of.words), "down" if down else "up", text) if total and text else None


def ordered(keys: Items) -> Order:
    """Return an order from sort keys."""
    return Order(tuple((key.of[0], key.of[1]) for key in keys.of))
