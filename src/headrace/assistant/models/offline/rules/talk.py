"""How people ask about data and flows, change their mind, and ask for what is not on offer."""

from __future__ import annotations

from headrace.assistant.models.offline.grammar import Rule
from headrace.assistant.models.offline.meaning import CallIt, Cannot, Cue, Measure, Not, Question, Remove, Reverse, Swap

from .conditions import listed

PART = {
    "filter": "(filter|condition|restriction|criterion)",
    "sort": "(sorting|sort!|sort order|ordering|order!)",
    "limit": "(limit|top {_n:count}|top|cap)",
    "join": "(join!|lookup|merge|match)",
    "chart": "(chart|plot|diagram|graph)",
    "write_file": "(export|output file|saving|file output|write)",
    "aggregate": "(grouping|aggregation|summary|groups)",
    "distinct": "(deduplication|distinct)",
    "formula": "(formula|calculation|calculated column)",
    "select": "(column selection|selection)",
}
UNDO = "(drop~|remove~|delete~|forget~|without|undo|skip|take out|get rid of|lose|cancel|leave out|no more|never mind|nevermind)"
LOOK = "(what|which|tell me|show me|list|give me|name)"
THERE = "[(are|is) (there|in|inside|in there)|(do|does) (i|we|it|the file|{_f:file}) have|(does|do) (it|{_f:file}) (have|contain)|exist|occur|in it]"

NOTE = (
    "[note|note that] [the] [{_f:file}|{_r:rows}] [the|in] [the] [file|data|numbers|dates|columns|date|it] [there|here|in it|in there] [(is|are|has|have|uses|use|come|comes) [in]] [with|a|the] "
    "(us style|us dates|us date format|us format|us style dates|american dates|american style|european dates|european style|uk dates|iso dates|"
    "us!|month / day / year|mm / dd / yyyy|m / d / y|day / month / year|dd / mm / yyyy|month day year|month first|day first|decimal comma|decimal point|thousands separator|"
    "semicolon [as separator]|tab separated|comma separated) [format|style|separated] [and (decimal comma|semicolon|thousands separator|us dates)] [\\( (mm / dd / yyyy|dd / mm / yyyy|month / day / year) \\)]"
    "|(take|use|leave|keep) [the] {_c:column} as (it is|they are|it|its|is) [written|is|are|it is]"
    "|(blank|empty|null|missing|no value) (when|where|while|until) [it is] (incomplete|not complete|there are fewer|too few|not enough) [row|value|month]"
    "|(full|complete|whole) (window|period) only|only (full|complete) (window|period)"
    "|(empty|blank|null|missing|none|no value) [in|for] [the] first [{_u:unit}|{_r:rows}|one]"
    "|(current|this) {_u:unit} and [the] {_n:count} (before|previous|preceding) [it]|(current|this) {_u:unit} and [the] {_n:count} [{_w:unit}] before [it]|this one and [the] {_n:count} before"
)
"""Remarks about how the data is written or how a moving figure begins: what is done anyway."""

IMPOSSIBLE = {
    "send messages or e-mail": "(send~|email!|emailing|mail!|notify|forward|share it with)",
    "train or apply prediction models": "(predict~|forecast~|train a|train!|classify|cluster~|extrapolate~|regression)",
    "delete, move or change files on disk": "(delete the file|delete {_f:file}|remove {_f:file}|erase~|wipe~|delete all files|move {_f:file}|rename {_f:file})",
    "look things up on the internet": "(download~|google|scrape~|upload~|web search|search the web|look up online|from the internet|crawl~)",
    "schedule or repeat runs": "(schedule~|every morning|every night|every hour|remind~)",
    "translate or write texts": "(translate~|summarize the text|paraphrase~|write a (poem|story|letter|report|essay|email))",
    "print on paper": "(print out|printer)",
    "talk to databases or other programs": "(into (postgres|mysql|snowflake|salesforce|google sheets|the database)|connect to)",
    "guess what is not in the data": "(guess~|estimate the missing|geocode~)",
}

RULES = [
    *[
        Rule(
            "intent",
            f"[please] {words} [{{_r:rows}}|it|this|everybody|everyone]",
            lambda what=what: Cannot(what),
            -0.02,
        )
        for what, words in IMPOSSIBLE.items()
    ],
    # questions about a file or a table
    Rule(
        "rowquestion",
        "how many (row|record|line|entry|observation|{_r:rows}) [(are|is) (there|in it|left|in there|included)|(do|does|did) (it|this|that|{_f:file}|the file|the result|the table|we|i) (have|contain|hold|give)|in it|remain|remaining|in total|is that|are that] [overall|in all|in total]",
        lambda: Question("rows"),
    ),
    Rule(
        "rowquestion",
        "(tell me|say|report|give me) [the] (number of|total number of|how many) (row|record|line|entry|{_r:rows}) [there are|it has]",
        lambda: Question("rows"),
        -0.2,
    ),
    Rule(
        "rowquestion",
        "[tell me|say|and|what is|report] [the] (number of|row|total number of) (row|record|line|entry|count|person|{_r:rows})",
        lambda: Question("rows"),
        0.2,
    ),
    Rule(
        "rowquestion",
        "how (big|large|long) is (it|this|that|the file|the table|the result|{_f:file})",
        lambda: Question("rows"),
    ),
    Rule("intent", "[and] [tell me] {q:rowquestion}", lambda q: q, 0.08),
    Rule(
        "intent",
        f"{LOOK} [is|are|of] [the|all] (column|field|variable|header) [names|name|called] {THERE}",
        lambda: Question("columns"),
    ),
    Rule(
        "intent",
        f"what (is|are|does) [in|inside|there in] {{_f:file}} [contain|look like|have|about] {THERE}",
        lambda: Question("columns"),
    ),
    Rule(
        "intent",
        "(describe|summarize|summarise|profile|explain|what is in|show me what is in) [the file|the data|the table|the dataset|{_f:file}|it]",
        lambda: Question("columns"),
        0.1,
    ),
    Rule(
        "intent",
        "(what|which) (type|kind of data|data type) (is|has|does) [the column] {c:column} [have]",
        lambda c: Question("type", (c,)),
    ),
    Rule(
        "intent",
        "(is|are) [the column] {c:column} [a|an|stored as|really] (number|numeric|text|string|date)",
        lambda c: Question("type", (c,)),
    ),
    Rule(
        "intent",
        "(can|could) (i|we|you) (sum|add up|average|calculate with|total) [the column] {c:column}",
        lambda c: Question("type", (c,)),
    ),
    Rule("intent", "is (it|that) [a|an] (number|numeric|text|string|date) [column]", lambda: Question("type")),
    Rule(
        "intent",
        f"{LOOK} [are|is] [the|all] [{{_d:different}}] [values|value] [of|in|for|does] {{c:column}} {THERE}",
        lambda c: Question("values", (c,)),
        0.75,
    ),
    Rule(
        "intent",
        f"(what|which|tell me) [are|is] [all|the] (different|distinct|unique|possible|existing) [values|value] [of|in|for] {{c:column}} {THERE}",
        lambda c: Question("values", (c,)),
        0.0,
    ),
    Rule(
        "intent",
        "(what|which) {c:column} (are there|exist|occur|do we have|appear|can be found)",
        lambda c: Question("values", (c,)),
        -0.05,
    ),
    Rule(
        "intent",
        "(what|which) [values|value] (does|do|can) {c:column} (have|take|contain|hold)",
        lambda c: Question("values", (c,)),
    ),
    Rule(
        "intent",
        "how many (different|distinct|unique) {c:column} [are there|do we have|exist|occur|in all|in total]",
        lambda c: Question("distinct", (c,)),
        -0.02,
    ),
    Rule(
        "intent",
        "(what|which) (period|time|time span|date range|range of dates|time range|time frame|timeframe|dates|years|span) (does|do|is|are) (it|{_f:file}|the data|the file|this|{_r:rows}|covered) (cover|span|go|include|run|by it)",
        lambda: Question("period"),
    ),
    Rule(
        "intent",
        "(what|which) (period|time span|date range|time range|time frame|timeframe) [is|are] (covered|in it|there|does it cover)",
        lambda: Question("period"),
    ),
    Rule(
        "intent",
        "from (when|which date|what date|which day) (to|until|till) (when|which date|what date|which day) (do|does|is|are) (it|the data|{_f:file}|{_r:rows}|this) (go|cover|run|reach|span|from)",
        lambda: Question("period"),
    ),
    Rule(
        "intent",
        "[what is|what are] [the] first and last (day|date|{c:column}) [in it|covered|of it]",
        lambda c=None: Question("period", (c,) if c else ()),
    ),
    Rule(
        "intent",
        "[what is|what are] [the] (range|minimum and maximum|min and max|lowest and highest|smallest and largest) (of|in) {c:column}",
        lambda c: Question("range", (c,)),
        -0.05,
    ),
    Rule(
        "intent",
        "(are|is|does|do) (there|it|{_f:file}|the file|the data|the table) [have|contain|any|include] [any|some|exact] (duplicate|duplicates|double|exact duplicate|duplicated) [row|record|entry|{_r:rows}]",
        lambda: Question("duplicates"),
        -0.05,
    ),
    Rule(
        "intent",
        "[how many] (surplus|duplicate|duplicated|extra|redundant|repeated) (one|row|record|entry|{_r:rows}|duplicate) [(are|is) there|would go [if [i|we] (removed|drop|dropped|remove) (duplicates|them)]|exist|does it have|do we have|would be removed]",
        lambda: Question("duplicates"),
        0.0,
    ),
    Rule(
        "intent",
        "how many duplicates [are there|exist|do we have|does it have|would go]",
        lambda: Question("duplicates"),
    ),
    Rule(
        "intent",
        "[are there] [how many] (missing|empty|blank|null) value [are there|exist|do we have|does it have|are] [in (it|{_f:file}|each column|every column|the columns)]",
        lambda: Question("missing"),
        0.1,
    ),
    Rule("intent", "(which|what) column have [any] (missing|empty|blank|null) value", lambda: Question("missing")),
    Rule("intent", "(where is|where are|is there|are there) [any] (data|value) missing", lambda: Question("missing")),
    Rule(
        "intent",
        "how many (missing|empty|blank|null) {c:column} [are there|value]",
        lambda c: Question("missing", (c,)),
        -0.05,
    ),
    # about the flow
    Rule("intent", "(what|how) (does|do) (the|this|my|it) [flow] [do|work]", lambda: Question("flow")),
    Rule(
        "intent",
        "(explain|describe|summarize|show me|walk me through) (the|this|my) flow",
        lambda: Question("flow"),
        -0.1,
    ),
    Rule("intent", "(show me|what is|give me) [the] (sql|query)", lambda: Question("flow")),
    Rule(
        "intent",
        "(which|what) column (do|must|should|can) i [have to|need to] (join|match|merge|use) [it|{_f:file}|them] [on|with|by] [{_g:file}] [on|with|by]",
        lambda: Question("key"),
        -0.1,
    ),
    Rule(
        "intent",
        "on which column (do|must|should|can) i [have to] (join|match|merge) [{_f:file}|them]",
        lambda: Question("key"),
        -0.1,
    ),
    Rule("intent", "(what can you do|help!|what can i ask|how does this work)", lambda: Question("help")),
    # another mind
    Rule("thing", "{x:orderable}", lambda x: x),
    Rule("thing", "{v:values}", lambda v: listed(v)),
    Rule("thing", "{t:when}", lambda t: t, 0.1),
    Rule("thing", "{n:number}", lambda n: n, 0.1),
    Rule("thing", "{a:aggregate}", lambda a: Measure(a), 0.05),
    Rule("thing", "{n:count} {_u:unit}", lambda n: n, 0.05),
    Rule("thing", "{n:count} {_r:rows}", lambda n: n, 0.05),
    Rule("thing", "{k:kind}", lambda k: k, 0.05),
    Rule(
        "intent",
        "[use|take|show|want|make [it|that|them]|better|rather|try] [by|per|for|in|with|of] {new:thing} (instead|rather)",
        lambda new: Swap(new),
        -0.05,
    ),
    Rule(
        "intent",
        "[use|take|show|want|make [it|that|them]|sort by|rank~ [it|them] by|order by|group by] [by|per|for] {new:thing} (instead of|rather than|not|and not|in place of) [by|per|for] {old:thing}",
        Swap,
        -0.1,
    ),
    Rule(
        "intent",
        "instead of {old:thing} [use|take|show|want|by|per] {new:thing}",
        lambda old, new: Swap(new, old),
        -0.1,
    ),
    Rule(
        "intent",
        "(change|replace|swap|switch|exchange) [by|per] {old:thing} (to|with|by|for|into) [by|per] {new:thing}",
        lambda old, new: Swap(new, old),
        -0.1,
    ),
    Rule("intent", "(not|no) {old:thing} [,] (but|rather) {new:thing}", lambda old, new: Swap(new, old), -0.1),
    Rule(
        "intent",
        "i meant [by|per|for] {new:thing} [(not|rather than|instead of) [by|per|for] {old:thing}]",
        lambda new, old=None: Swap(new, old),
        -0.1,
    ),
    Rule(
        "intent",
        "[the] same [thing|but|again|flow|table|analysis] (for|with|in|by|per|but for|but with|but by|but only for) {new:thing} [instead]",
        lambda new: Swap(new),
        -0.1,
    ),
    Rule(
        "intent",
        "[make|set] (make|set|change|turn|raise|lower|increase|reduce|cut) (it|that|this|them|the limit|the number|the top|the threshold|the filter|the cutoff) [to|into] [be] [a|top|the top] {new:thing}",
        lambda new: Swap(new),
        -0.1,
    ),
    Rule("intent", "(how|what) about [by|per|for|in|with] {new:thing}", lambda new: Swap(new), 0.0),
    Rule(
        "intent", "[better|rather] all {_c:column} (but|except|without) {v:values}", lambda v: Swap(Not(listed(v))), 0.0
    ),
    Rule(
        "intent",
        "(the other way [round|around]|other way [round|around]|in reverse|reverse~ [it|that|them|the order|the sorting|the sort]|invert~ [it|the order]|(flip~|turn) [it|that|the order] [around|round]|opposite order|in the opposite order|backwards|reversed|reverse order)",
        Reverse,
    ),
    Rule(
        "intent",
        "[and] (sort|order) [it|that|them] (the other way [round|around]|in reverse|backwards|reversed|in the opposite order|the opposite way|in reverse order)",
        Reverse,
        -0.05,
    ),
    Rule("intent", "reverse the (order|sort order|sorting)", Reverse, -0.05),
    *[
        Rule("intent", f"{UNDO} [the|that] [{{_w:word}}] {words} [again|please]", lambda w=what: Remove(w), -0.05)
        for what, words in PART.items()
    ],
    Rule(
        "intent",
        f"{UNDO} [the|that] {{c:column}} (filter|condition|restriction|criterion|limit)",
        lambda c: Remove("filter", c),
        -0.1,
    ),
    Rule(
        "intent",
        f"{UNDO} [the|that] {{v:values}} (filter|condition|restriction|criterion)",
        lambda v: Remove("filter", listed(v)),
        -0.1,
    ),
    Rule(
        "intent",
        "(show|include|all|give me|back to|take) [all|every|the] [{_r:rows}] (again|back)",
        lambda: Remove("filter"),
        0.2,
    ),
    Rule("intent", f"{UNDO} [the|that] (last|latest) (change|one|part)", lambda: Remove("last")),
    Rule(
        "intent",
        "[and] (call|name|rename|label) (it|that|this|the column|the result|the new column|the last column|the figure) [to|as] {name:newname}",
        CallIt,
        -0.1,
    ),
    # how it relates to what is there
    Rule(
        "intent",
        "[all|every] [the] [{_r:rows}] (of|in|from|for) (that!|this!|the same|those!) (year|month|day|week|quarter|decade|period|{_c:column}|{_r:rows}|{_v:values})",
        lambda: Cue("back"),
        -0.1,
    ),
    Rule("intent", f"({NOTE})", lambda: Cue("note"), 0.0),
    Rule("intent", "\\( {_n:note} [and|,|;] [{_m:note}] \\)", lambda: Cue("note"), -0.1),
    Rule("note", f"({NOTE})", lambda: True),
    Rule(
        "intent",
        "[but|and|while] [leave|keep|keeping|leaving] [the] (original|input|source) [file|data|one|{_f:file}] [(has|have|needs|must|should) to stay|stays|must stay|should stay|untouched|unchanged|intact|alone] [as it is|as is|untouched|unchanged|intact|alone|the way it is]",
        lambda: Cue("note"),
        -0.3,
    ),
    Rule(
        "intent",
        "(do not|without) (change|touch|overwrite|modify|changing|touching|overwriting|modifying) [the] (original|input|source) [file|data|one]",
        lambda: Cue("note"),
        -0.3,
    ),
    Rule("intent", "in the (list|file|data|table|dataset)", lambda: Cue("note"), 0.0),
    Rule("intent", "{_r:rows} [ones]", lambda: Cue("rows"), -0.6),
    Rule("intent", "{_r:everyrow}", lambda: Cue("rows"), -0.5),
    Rule("intent", "(instead|rather|actually instead)", lambda: Cue("instead"), 0.02),
    Rule(
        "intent",
        "(also|too|as well|additionally|in addition|besides that|on top of that|add|plus|together with)",
        lambda: Cue("also"),
        0.12,
    ),
    Rule(
        "intent",
        "(then|after that|afterwards|next|finally|of those|from that|from those|based on that)",
        lambda: Cue("then"),
        0.05,
    ),
    Rule(
        "intent",
        "(start over|from scratch|new flow|forget everything|start again|begin again|new table|start a new one)",
        lambda: Cue("new"),
        0.0,
    ),
    Rule("intent", "(only|just one number|one number|single number|just the number)", lambda: Cue("only"), 0.12),
]
