"""How people say what to compute: figures, groups, shares, changes, new columns, rounding."""

from __future__ import annotations

from typing import Any

from headrace.assistant.models.offline.fields import words_of
from headrace.assistant.models.offline.grammar import Rule
from headrace.assistant.models.offline.meaning import (
    By,
    Change,
    ColumnRef,
    Convert,
    Derive,
    Figures,
    Formula,
    Items,
    Keep,
    Measure,
    Number,
    Order,
    Role,
    Rolling,
    Round,
    Rows,
    Share,
    Superlative,
    Test,
    TimePart,
)

from .conditions import TIME_WORDS, figure, listed

FUNCTIONS = {
    "mean": "(average|mean|avg|averaged|typical)",
    "sum": "(total|sum [of]|summed|sum up|add up|adding up|overall|combined)",
    "median": "median",
    "min": "(minimum|min|lowest|smallest|least)",
    "max": "(maximum|max|highest|largest|biggest|greatest|peak)",
    "std": "(standard deviation|std|stdev|spread)",
}
COUNT = "(number of|count [of]|counts of|counting|how many|no of|# [of]|amount of|quantity of|tally [of])"
EXIST = "[(are|were) there|do we have|did we have|exist|there are|do i have]"
DIFFERENT = "(different|distinct|unique|individual)"
BETWEEN = "(, and|,|and|&|as well as|, plus|plus|/|;|¶)"
PER = (
    "(per|for each|for every|by each|in each|in every|of each|of every|at each|at every|from each|each|every|within each|group~ [it|them|the rows|everything|{_r:rows}] by|grouped per|"
    "broken down by|broken down per|"
    "on each|across|with each|for all|separately for|separately by|further by)"
)
PREVIOUS = "(previous|prior|preceding|last|year before|month before|day before|one before|row before|before|earlier)"
ADD = "(add~|calculate~|compute~|create~|make~|insert~|append~|derive~|work out|need|want|give me|show|with|include|introduce)"


def measure(function: str) -> Any:
    """Return a builder for a figure over a column or formula."""
    return lambda c: figure(function, c)


def dated(function: str, of: ColumnRef) -> Measure | None:
    """Return the first or last date: `first order date of each customer`."""
    dates = of.only(lambda _, kind: kind == "date")
    return Measure(function, dates, of.words) if dates else None


def measures(functions: Items, c: Any) -> Items | None:
    """Return one figure per function: `lightest, heaviest and average body mass`."""
    made = tuple(figure(f, c) for f in functions.of)
    return Items(made) if len(made) > 1 and None not in made else None


def extreme(adjective: Superlative) -> str:
    """Return the function of a superlative: the heaviest is a maximum."""
    return "max" if adjective.direction == "down" else "min"


def numbered(of: ColumnRef) -> Measure | None:
    """Return the number of something that a column holds; yes and no are not counted so."""
    kept = of.only(lambda _, kind: kind not in ("bool", "flag", "date"))
    return Measure("number of", kept, of.words) if kept else None


def part_of(condition: Any, *, percent: bool) -> Figures:
    """Return which part of the rows meets a condition: `share of paid orders`."""
    return Figures(
        (Measure("percent where" if percent else "share where", condition, "percent" if percent else "share"),)
    )


def counted_where(rows: Any, condition: Any) -> Items:
    """Return rows counted under a condition: `number of paid orders`."""
    noun = rows if isinstance(rows, Rows) else Rows("rows")
    return Items((Figures((Measure("count", noun, noun.words),)), Keep(condition)))


def spoken(adjective: Superlative) -> Measure | None:
    """Return the figure of an adjective that says its column itself: `the heaviest`."""
    of = (
        adjective.of.only(lambda name, kind: kind == "number" and not TIME_WORDS & set(words_of(name)))
        if adjective.of
        else None
    )
    return Measure(extreme(adjective), of, adjective.words) if of else None


def by(keys: Items, *, sure: bool, adds: bool = False) -> By:
    """Return groups or an order."""
    return By(keys.of, sure=sure, adds=adds)


def arithmetic(operator: str) -> Any:
    """Return a builder for a formula of two parts."""
    return lambda a, b: Formula(operator, a, b)


def ratio_of_two(_: Any = None) -> Formula:
    """Return the last two figures, one divided by the other."""
    return Formula("/", Role("first of two"), Role("second of two"))


RULES = [
    Rule("role", "(moving|rolling|running) (average|mean|sum|total|median)", lambda: Role("rolling")),
    *[Rule("aggregate", words, lambda f=f: f) for f, words in FUNCTIONS.items()],
    Rule("aggregate", "{s:superlative}", lambda s: extreme(s), 0.1),
    Rule("aggregates", "{a:aggregate}", lambda a: Items((a,))),
    Rule("aggregates", f"{{a:aggregate}} {BETWEEN} {{rest:aggregates}}", lambda a, rest: Items((a, *rest.of))),
    # one figure
    *[Rule("measure", f"{words} [of] [all] {{c:column}}", measure(f)) for f, words in FUNCTIONS.items()],
    *[Rule("measure", f"{words} [of] {{c:formula}}", measure(f)) for f, words in FUNCTIONS.items()],
    *[Rule("measure", f"{words} [of] {{c:business}}", measure(f), 0.05) for f, words in FUNCTIONS.items()],
    *[Rule("measure", f"{words} [of] {{c:role}}", measure(f), 0.1) for f, words in FUNCTIONS.items()],
    *[
        Rule("measure", f"{{c:column}} [,|\\(] {words} [\\)]", measure(f), 0.25)
        for f, words in FUNCTIONS.items()
        if f != "sum"
    ],
    Rule(
        "measure",
        "{s:superlative} {c:column}",
        lambda s, c: figure(extreme(s), c) if s.of is None or set(s.of.names) & set(c.names) else None,
        0.1,
    ),
    Rule("measure", "{adjective:superlative}", spoken, 0.6),
    Rule("measure", f"{COUNT} {{r:rows}} {EXIST}", lambda r: Measure("count", r, r.words)),
    Rule("measure", f"{COUNT} {DIFFERENT} {{c:column}} {EXIST}", lambda c: Measure("count_distinct", c, c.words)),
    Rule(
        "measure",
        f"{COUNT} {DIFFERENT} {{r:rows}} \\( {{c:column}} \\)",
        lambda r, c: Measure("count_distinct", c, r.words),
    ),
    Rule("measure", f"{COUNT} {DIFFERENT} {{r:rows}} {EXIST}", lambda r: Measure("count_distinct", r, r.words), 0.05),
    Rule("measure", f"{COUNT} {{c:column}} {EXIST}", lambda c: numbered(c), 0.15),
    Rule(
        "measure",
        f"{COUNT} {{c:column}} (were|was|are|is|got) {{_d:happened}}",
        lambda c: Measure("number of", c, c.words),
        0.15,
    ),
    Rule("measure", f"{DIFFERENT} {{c:column}} [count]", lambda c: Measure("count_distinct", c, c.words), 0.5),
    Rule("measure", f"{{c:column}} {DIFFERENT} count", lambda c: Measure("count_distinct", c, c.words)),
    *[
        Rule("measure", f"{words} (number of|amount of|count of) {{c:column}}", measure(f), 0.05)
        for f, words in FUNCTIONS.items()
    ],
    Rule("measure", "(first|earliest) {c:column}", lambda c: dated("min", c), -0.02),
    Rule("measure", "(last|latest|most recent) {c:column}", lambda c: dated("max", c), -0.02),
    Rule(
        "measure",
        "{c:column} (sold|ordered|bought|purchased|borrowed|booked|produced|shipped|delivered)",
        lambda c: figure("sum", c),
    ),
    Rule("measures", "{c:column} range", lambda c: measures(Items(("min", "max")), c)),
    Rule("measures", "range of {c:column}", lambda c: measures(Items(("min", "max")), c)),
    Rule("measure", "how much {c:column}", measure("sum")),
    Rule("measure", "how (often|many times)", lambda: Measure("count", Rows("times"), "how often")),
    Rule("measure", "how many", lambda: Measure("count", Rows("rows"), "how many"), 0.4),
    Rule(
        "measure",
        "(count!|row count|frequency|number of times|headcount)",
        lambda: Measure("count", Rows("rows"), "count"),
        0.3,
    ),
    Rule("measure", "{r:rows} count", lambda r: Measure("count", r, r.words), 0.1),
    Rule("measure", "{c:business}", measure("sum"), 0.3),
    Rule("measure", "{r:rows} sold", lambda r: Measure("count", r, r.words), 0.3),
    Rule("measures", "{m:measure}", lambda m: Items((m,))),
    Rule("measures", "{functions:aggregates} [of] {c:column}", lambda functions, c: measures(functions, c)),
    Rule(
        "measures",
        "{c:column} [:|\\(|,|statistics|stats|statistics :|stats :] {functions:aggregates} [\\)]",
        lambda functions, c: measures(functions, c),
        0.1,
    ),
    Rule(
        "intent",
        f"{COUNT} [the] {{f:flag}} {{r:rows}} {EXIST}",
        lambda f, r: counted_where(r, Test(f.of[0], "in", (f.of[1],))),
    ),
    Rule(
        "intent",
        f"{COUNT} {{r:rows}} [that|who] [are|were|have|had|is] {{f:flag}}",
        lambda r, f: counted_where(r, Test(f.of[0], "in", (f.of[1],))),
    ),
    Rule(
        "intent",
        f"{COUNT} [the] {{v:values}} [{{r:rows}}|one] {EXIST}",
        lambda v, r=None: counted_where(r, listed(v)),
        -0.05,
    ),
    Rule(
        "intent",
        "count only {c:condition}",
        lambda c: Items((Figures((Measure("count", Rows("only"), "count only"),)), Keep(c))),
        -0.2,
    ),
    Rule("intent", "{m:measures}", lambda m: Figures(m.of)),
    Rule(
        "intent",
        "{m:measures} (as|called|named|and call it|= ) {name:newname}",
        lambda m, name: Figures((_named(m.of[0], name),)) if len(m.of) == 1 else None,
        0.1,
    ),
    # parts of dates
    Rule("unit", "(year|yr)", lambda: "year"),
    Rule("unit", "quarter", lambda: "quarter"),
    Rule("unit", "month", lambda: "month"),
    Rule(
        "unit", "(calendar month|month of the year|month of year|month name|name of the month)", lambda: "month of year"
    ),
    Rule("unit", "week", lambda: "week"),
    Rule("unit", "(day|calendar day)", lambda: "day", 0.05),
    Rule("unit", "(weekday|day of the week|day of week|week day|name of the day|day name)", lambda: "weekday"),
    Rule("unit", "(hour [of the day]|hour of day)", lambda: "hour"),
    Rule("unit", "decade", lambda: "decade"),
    Rule("timepart", "date", lambda: TimePart("day"), 0.3),
    Rule("timepart", "[calendar] {u:unit}", lambda u: TimePart(u), 0.1),
    Rule("timepart", "{u:unit} (of|from|in) {c:column}", lambda u, c: TimePart(u, c)),
    Rule("timepart", "{c:column} {u:unit}", lambda c, u: TimePart(u, c), 0.15),
    Rule("timepart", "{c:done} {u:unit}", lambda c, u: TimePart(u, c), 0.2),
    # groups
    Rule("key", "{c:column}", lambda c: c),
    Rule("key", "{t:timepart}", lambda t: t),
    Rule("key", "{r:rows}", lambda r: r, 1.2),
    Rule("keys", "{k:key} [separately]", lambda k: Items((k,))),
    Rule(
        "keys",
        "{k:key} (, and|and|,|&|+|/|x|then|, then|and then) [by|per|for each|each|of each|in each] {rest:keys}",
        lambda k, rest: Items((k, *rest.of)),
        -0.02,
    ),
    Rule(
        "keys",
        "{k:key} (by|per|for each|each|of each|in each) {rest:keys}",
        lambda k, rest: Items((k, *rest.of)),
        -0.02,
    ),
    Rule("keys", "combination of {rest:keys}", lambda rest: rest),
    Rule("keys", "{rest:pairs} (combination|pair|combo)", lambda rest: rest),
    Rule("pairs", "{k:key} (and|/|,|x) {j:key}", lambda k, j: Items((k, j))),
    Rule("intent", f"{PER} {{keys}} [first]", lambda keys: by(keys, sure=True)),
    Rule("intent", f"{{c:done}} {PER} {{u:unit}}", lambda c, u: By((TimePart(u, c),), sure=True), -0.05),
    Rule("intent", "{c:done} by {u:unit}", lambda c, u: By((TimePart(u, c),), sure=True), -0.05),
    Rule("formula", "{c:column} in thousands", lambda c: Formula("/", c, Number(1000))),
    Rule("formula", "{c:column} in millions", lambda c: Formula("/", c, Number(1_000_000))),
    Rule(
        "intent",
        "rank~ {noun:column} by {x:measure}",
        lambda noun, x: Items((By((noun,), sure=True), Order(((x, "down"),)))),
        -0.1,
    ),
    Rule("intent", "by {keys}", lambda keys: by(keys, sure=False)),
    Rule(
        "intent",
        "[further] (split~|break~|breaking|divide~|separate~) [it|that|this|them|everything] [down|up|further] (by|per|into|on) {keys} [too|also|as well]",
        lambda keys: by(keys, sure=True, adds=True),
        -0.05,
    ),
    Rule("intent", "(and|,) (per|by|for each) {keys} (too|also|as well)", lambda keys: by(keys, sure=True, adds=True)),
    Rule("intent", "monthly", lambda: By((TimePart("month"),), sure=True), 0.3),
    Rule("intent", "(yearly|annual|annually)", lambda: By((TimePart("year"),), sure=True), 0.3),
    Rule("intent", "daily", lambda: By((TimePart("day"),), sure=True), 0.3),
    Rule("intent", "weekly", lambda: By((TimePart("week"),), sure=True), 0.3),
    Rule("intent", "quarterly", lambda: By((TimePart("quarter"),), sure=True), 0.3),
    # arithmetic in words; in signs it is a terminal
    Rule("formula", "(ratio of|ratio between) {a:operand} (to|and|over) {b:operand}", arithmetic("/")),
    Rule(
        "formula",
        "(difference|gap) [in days] (between|of) {a:operand} and {b:operand}",
        lambda a, b: Formula("difference", a, b),
    ),
    Rule("formula", "(product of) {a:operand} and {b:operand}", arithmetic("*")),
    Rule("formula", "(sum of|total of) {a:column} and {b:column}", arithmetic("+")),
    Rule("formula", "(divide~) {a:operand} (by|through) {b:operand}", arithmetic("/")),
    Rule("formula", "multiply~ {a:operand} (by|with|and) {b:operand}", arithmetic("*")),
    Rule("formula", "subtract~ {b:operand} from {a:operand}", arithmetic("-")),
    Rule(
        "formula",
        "(number of|how many) {u:unit} (between|from) {a:column} (and|to|until) {b:column}",
        lambda u, a, b: Formula(f"{u}s between", a, b),
    ),
    Rule(
        "formula",
        "{u:unit} (between|from) {a:column} (and|to|until) {b:column}",
        lambda u, a, b: Formula(f"{u}s between", a, b),
    ),
    Rule("formula", "(divide the two|the one divided by the other|one by the other)", ratio_of_two),
    Rule(
        "intent",
        f"[{ADD}] [new] [column|field|with] [called|named|for] {{name:newname}} (=|as|being|: =|:=|is|which is|that is|equal to|defined as) {{f:formula}}",
        lambda name, f: Derive(name, f),
        -0.1,
    ),
    Rule(
        "intent",
        f"[{ADD}] [new] [column|field] [with|for] {{f:formula}} [(as|called|named|and call it) {{name:newname}}]",
        lambda f, name="": Derive(name, f),
        0.1,
    ),
    Rule("intent", "{f:formula} so [that] i get {_m:measure} [per {_r:rows}]", lambda f: Derive("", f)),
    Rule(
        "intent",
        "{m:measure} \\( {f:formula} \\)",
        lambda m, f: Figures((Measure("sum" if m.function == "sum" else m.function, f, m.words),)),
    ),
    Rule("intent", "{name:newname} \\( {f:formula} \\)", lambda name, f: Derive(name, f), 0.2),
    Rule("intent", "{f:formula} , averaged", lambda f: Figures((Measure("mean", f, ""),)), 0.1),
    # shares
    Rule(
        "intent",
        "[what] {p:fraction} of [the|all] [the] {v:values} {_r:rows}",
        lambda p, v: part_of(listed(v), percent=p),
        -0.1,
    ),
    Rule(
        "intent",
        "[what] {p:fraction} of [the|all] [the] {f:flag} {_r:rows}",
        lambda p, f: part_of(Test(f.of[0], "in", (f.of[1],)), percent=p),
        -0.1,
    ),
    Rule(
        "intent",
        "[what] {p:fraction} of [the|all] [the] ({_r:rows}|{_c:column}) [is|are|was|were|that are|has|have] {c:condition}",
        lambda p, c: part_of(c, percent=p),
        -0.1,
    ),
    Rule(
        "whole",
        "(of|in) [the|all|overall|grand|whole|world|entire|sum] [overall|grand|whole|entire] (total|everything|whole|sum|overall)",
        lambda: None or Role("whole"),
    ),
    Rule("whole", "of [all] [the|overall|total|grand|whole|entire] [overall|total] {c:column}", lambda c: c, 0.1),
    Rule(
        "whole",
        "of [all] [the|overall|total|grand|whole|entire|world] [overall|total] [{_r:rows}|world|total]",
        lambda: Role("whole"),
        0.05,
    ),
    Rule("fraction", "(share|proportion|fraction|part)", lambda: False),
    Rule(
        "fraction",
        "(percentage|percent|% |pct|percentage share|share in percent|share in %|percent share|% share)",
        lambda: True,
    ),
    Rule(
        "intent",
        "[as|in] [its|their|each|each one] [{_c:column}] {p:fraction} {of:whole} [in (percent|%)]",
        lambda p, of: Share(_whole(of), percent=p),
    ),
    Rule(
        "intent",
        "[add~|with|plus|and|show|include] [each|every] {_c:column} {p:fraction} {of:whole}",
        lambda p, of: Share(_whole(of), percent=p),
        -0.1,
    ),
    Rule(
        "intent",
        "(add~|with|plus|show|include|as|in) [a|the] {p:fraction} [{of:whole}] [in (percent|%)] [column]",
        lambda p, of=None: Share(_whole(of), percent=p),
        0.05,
    ),
    Rule(
        "intent",
        "(add~|with|plus|show|include|as|in|and) [a|the] {_p:fraction} [{of:whole}] in (percent|%)",
        lambda of=None: Share(_whole(of)),
        -0.05,
    ),
    Rule(
        "intent",
        "[the] (change|difference|growth) (in|of) {m:measure} [from (year|month|row|week|day) to (year|month|row|week|day)]",
        lambda m: Items((Figures((m,)), Change())),
        -0.1,
    ),
    # changes from row to row
    Rule(
        "intent",
        f"[absolute] (change|difference|increase|growth|delta|gain) [rate] (to|from|since|against|over|compared to|compared with|versus|vs|relative to|on) {PREVIOUS} [{{_u:unit}}|{{_r:rows}}|value|one] [before]",
        lambda: Change(),
    ),
    Rule(
        "intent",
        f"(growth|growth rate|percentage change|percent change|% change|change in percent|change in %|relative change) [(to|from|since|against|over|compared to|compared with|versus|vs|relative to|on) {PREVIOUS} [{{_u:unit}}|{{_r:rows}}|value|one]] [in (percent|%)]",
        lambda: Change(relative=True),
        0.02,
    ),
    Rule(
        "intent",
        f"(change|difference|growth|increase) (to|from|against|over|compared to|compared with|versus|vs) {PREVIOUS} [{{_u:unit}}|{{_r:rows}}|one|value] [,] (in|as a) (percent|%|percentage)",
        lambda: Change(relative=True, percent=True),
        -0.05,
    ),
    Rule(
        "intent",
        "({a:unit} over {b:unit}|{a:unit} on {b:unit}) (change|difference)",
        lambda a, b: Change() if a == b else None,
    ),
    Rule(
        "intent",
        "({a:unit} over {b:unit}|{a:unit} on {b:unit}) [growth rate|rate of growth|growth|% change|percentage change|percent change|change in percent|change in %|change , in percent]",
        lambda a, b: Change(relative=True) if a == b else None,
        0.02,
    ),
    Rule(
        "intent",
        "({a:unit} over {b:unit}|{a:unit} on {b:unit}) change in (percent|%)",
        lambda a, b: Change(relative=True, percent=True) if a == b else None,
    ),
    # windows
    Rule(
        "intent",
        "{n:count} [{_u:unit}|{_r:rows}|row|point|period] (moving|rolling|trailing|running) {f:aggregate} [of {c:column}]",
        lambda n, f, c=None: Rolling(f, n, c),
    ),
    Rule(
        "intent",
        "{n:count} [{_u:unit}|{_r:rows}|row|point|period] (moving|rolling|trailing|running) {f:aggregate} of [the] {v:values} {c:column}",
        lambda n, f, v, c: Items((Keep(listed(v)), Rolling(f, n, c))),
        0.1,
    ),
    Rule(
        "intent",
        "{f:aggregate} [of] [the] {v:values} {c:column}",
        lambda f, v, c: Items((Keep(listed(v)), Figures((m,)))) if (m := figure(f, c)) else None,
        0.2,
    ),
    Rule(
        "intent",
        "(moving|rolling|trailing|running) {f:aggregate} [of {c:column}] (over|of|across) [the] [last] {n:count} [{_u:unit}|{_r:rows}|row|point|period|value]",
        lambda n, f, c=None: Rolling(f, n, c),
    ),
    Rule(
        "intent", "(running|cumulative|cumulated) (total|sum) [of {c:column}]", lambda c=None: Rolling("sum", None, c)
    ),
    Rule("intent", "(running|cumulative) {c:column}", lambda c: Rolling("sum", None, c), 0.1),
    # rounding, types
    Rule(
        "places",
        "{n:count} (decimal|decimal place|digit|place|dp|decimal digit) [after the (decimal|point)]",
        lambda n: n,
    ),
    Rule(
        "places",
        "(full|whole|nearest whole|round) (number|gram|euro|dollar|unit|percent|minute|day|{_r:rows}|value|{_u:word})",
        lambda: 0,
    ),
    Rule(
        "places",
        "(integer|nearest integer|no decimal|zero decimal|nearest whole number|nothing after the decimal point)",
        lambda: 0,
    ),
    Rule(
        "intent",
        "[and] round~ [it|them|that|those|off|all|everything|the result|the results|the values|{of:column}|{of:role}|{of:measure}] [off] [to|at] {places}",
        lambda places, of=None: Round(places, of),
        -0.05,
    ),
    Rule("intent", "(with|to|,|in) [only] {places}", lambda places: Round(places), 0.1),
    Rule("intent", "{places}", lambda places: Round(places), 0.3),
    Rule("type", "(number|numeric|integer|decimal|float)", lambda: "DOUBLE"),
    Rule("type", "(text|string)", lambda: "VARCHAR"),
    Rule("type", "date", lambda: "DATE"),
    Rule(
        "intent",
        "(convert~|turn|cast|change) {items:columns} (to|into|as) [a] {to:type}",
        lambda items, to: Convert(items.of, to),
    ),
]


def _named(made: Measure, name: str) -> Measure:
    return Measure(made.function, made.of, made.words, name)


def _whole(of: Any) -> Any:
    return of if isinstance(of, ColumnRef) else None
