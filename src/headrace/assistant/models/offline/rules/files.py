"""How people speak of files: reading, matching, stacking, saving; and of charts."""

from __future__ import annotations

from typing import Any

from headrace.assistant.models.offline.grammar import Rule
from headrace.assistant.models.offline.meaning import NOTHING, Cue, Draw, Items, JoinFiles, Role, Stack, UseFile, Write

ON = "(on|by|using|via|over|through|where|with|along|matching [on|by]|based on)"
ABSENT = (
    "[that|which|who|,|and|but] ((do|does|did) not (exist|appear|occur|show up|have a (match|counterpart))|"
    "(are|is|were|was) not [found|listed|included|present|there|contained]|(have|has|with) no (match|counterpart|equivalent|partner|entry|row|"
    "corresponding (row|entry))|(are|is) (missing|absent)|not|missing|without a (match|counterpart)) [by {_w:word}]"
)
PLOT = "(chart|plot|graph|diagram)"
MAKE = "[draw~|make~|create~|plot~|show|show me|give me|add~|as|and|with|build|also|want|need|in|into|to]"
KINDS = {
    "bar": "(bar|column|horizontal bar|vertical bar)",
    "line": "(line|time series)",
    "scatter": "(scatter|point|dot|bubble)",
    "histogram": "(histogram|distribution)",
}
SAVE = "(save~|write~|store~|export~|output|dump|put|as|into|to)"


def join(
    left: str | None,
    right: str | None,
    *,
    on: Items = NOTHING,
    how: str = "inner",
    take: Items = NOTHING,
    of: Any = None,
) -> JoinFiles:
    """Return two tables matched."""
    return JoinFiles(left, right, tuple(on.of), how, take.of, of)


RULES = [
    Rule("intent", "open~ [the file] {path:openfile}", UseFile),
    Rule(
        "intent",
        "(from|in|of|using|use|with|load|read|take|for|import|on|at|inside|within|look at|data|data from|data in|based on|go through) [file|table|data|dataset] [:] {path:file} [file|data|table|dataset] [:]",
        UseFile,
    ),
    Rule("intent", "{path:file} [file|data|table|dataset] [:|,|has the data]", UseFile, 0.02),
    Rule(
        "intent",
        "[now] (use|take|read|switch to|with|on|for|try) {path:file} [file|data|table|dataset] instead [of {_f:file}]",
        lambda path: UseFile(path, instead=True),
    ),
    Rule("intent", "instead of {_f:file} (use|take|read) {path:file}", lambda path: UseFile(path, instead=True)),
    Rule("intent", "same (for|with|on) {path:file}", lambda path: UseFile(path, instead=True)),
    # tables below one another
    Rule("files", "{f:file}", lambda f: Items((f,))),
    Rule("files", "{f:file} (, and|and|,|&|plus|+|with|to|below) {rest:files}", lambda f, rest: Items((f, *rest.of))),
    Rule(
        "intent",
        "(stack~|append~|concatenate~|union|put|combine~|add|glue|pool|merge) [both] {f:files} [together|below each other|under each other|on top of each other|into one [table]|as one [table]]",
        lambda f: Stack(f.of) if len(f.of) > 1 else None,
        0.05,
    ),
    Rule(
        "intent",
        "{f:files} (together|combined|stacked|taken together|in one table)",
        lambda f: Stack(f.of) if len(f.of) > 1 else None,
    ),
    Rule(
        "intent",
        "(both|all) [of] [the|them] [two|three] (file|table|dataset|{_u:unit}) [together|combined|stacked]",
        lambda: Stack(),
    ),
    Rule("intent", "[(put|stack|combine|append|use)] both [of them] (together|combined|stacked)", lambda: Stack()),
    # tables side by side
    Rule("onpair", "{a:column} (=|==|is|equals|with|to|and) {b:column}", lambda a, b: Items(((a, b),)), -0.02),
    Rule("onpair", "{a:column}", lambda a: Items(((a, a),))),
    Rule("onpairs", "{p:onpair}", lambda p: p),
    Rule("onpairs", "{p:onpair} (and|,|, and) {rest:onpairs}", lambda p, rest: Items(p.of + rest.of)),
    Rule("on", f"{ON} [common] [column|the column|key] {{p:onpairs}}", lambda p: p),
    Rule("on", "\\( {p:onpairs} \\)", lambda p: p),
    Rule("joining", "(join~|merge~|match~|combine~|enrich~|connect~|link~|look up|lookup|map~)", lambda: "inner"),
    Rule("joining", "(left join|left outer join|left-join)", lambda: "left"),
    Rule("joining", "(inner join)", lambda: "inner"),
    Rule("joining", "(right join|right outer join)", lambda: "right"),
    Rule("joining", "(full join|full outer join|outer join)", lambda: "full"),
    Rule(
        "intent",
        "{how:joining} {a:file} [table|file] (with|and|to|against|,|by|from|into) {b:file} [table|file] [{on}]",
        lambda how, a, b, on=NOTHING: join(a, b, on=on, how=how),
        -0.1,
    ),
    Rule(
        "intent",
        "{a:file} [table|file] [,|is] {how:joining} (with|to|and|by|against) {b:file} [table|file] [{on}]",
        lambda how, a, b, on=NOTHING: join(a, b, on=on, how=how),
        -0.1,
    ),
    Rule(
        "intent",
        "[and] [then] {how:joining} [it|that|this|them|the result] (with|to|and|against|in)? {b:file} [{on}]".replace(
            "?", ""
        ),
        lambda how, b, on=NOTHING: join(None, b, on=on, how=how),
        0.0,
    ),
    Rule(
        "intent",
        "{how:joining} [both|the two|the] (both|two|file|table|them) [file|table] [{on}]",
        lambda how, on=NOTHING: join(None, None, on=on, how=how),
    ),
    Rule(
        "intent",
        "(add~|look up|get|bring in|take|with|plus|fetch|attach|pull in|append|include|show) {take:columns} (from|of|out of) {b:file} [to {a:file}] [{on}]",
        lambda take, b, a=None, on=NOTHING: join(a, b, on=on, how="left", take=take),
        -0.1,
    ),
    Rule(
        "intent",
        "{take:columns} (from|out of) {b:file} [{on}]",
        lambda take, b, on=NOTHING: join(None, b, on=on, how="left", take=take),
        0.1,
    ),
    Rule(
        "intent",
        "(keep~|include~) [also] [them|those|all|every|the] [{_r:rows}|row|one|even|also|{_w:word}] [also] (even if|even when|also when|although|also if|, even) [it|they|the {_r:rows}|the {_c:column}|{_r:rows}|{_c:column}] (is not|are not|has no|have no|was not|does not have|not) [listed|found|there|a match|in there|match|matched|present|in it|known] [there|in {_f:file}]",
        lambda: join(None, None, how="left"),
        -0.2,
    ),
    # what has no counterpart
    Rule(
        "intent",
        f"[which|list|show|find|all] [different|distinct] {{of:item}} [in|of|from] {{a:file}} {ABSENT} [in|of|to|from] {{b:file}}",
        lambda of, a, b: join(a, b, how="anti", of=of),
        -0.2,
    ),
    Rule(
        "intent",
        f"[which|list|show|find|all] [different|distinct] {{a:file}} {{of:item}} {ABSENT} [in|of|to|from] {{b:file}}",
        lambda of, a, b: join(a, b, how="anti", of=of),
        -0.2,
    ),
    Rule(
        "intent",
        f"[which|list|show|find|all] [different|distinct] {{of:item}} {ABSENT} [in|of|to|from] {{b:file}}",
        lambda of, b: join(None, b, how="anti", of=of),
        -0.1,
    ),
    Rule(
        "intent",
        "(without|with no|that have no|that lack|not matched by) [a] (match|counterpart|entry|row|partner|equivalent) in {b:file}",
        lambda b: join(None, b, how="anti"),
    ),
    # out
    Rule(
        "intent",
        f"[and] [also] {SAVE} [it|them|this|that|(result|table|output|list|everything|rows|data) [as]|all|{{_r:rows}}] [to|as|into|in|under|under the name] [file|the file|a file|new file] [called|named] {{path:newfile}} [file]",
        Write,
        -0.05,
    ),
    Rule("intent", "(save|store|export|write)", lambda: Cue("save"), 0.4),
    Rule(
        "intent",
        f"[and] {SAVE} [it|them|this|that|the result|the table|the output] [back] (over|in place of|on top of) [the original|the input|{{path:file}}] [file]",
        lambda path="": Write(path, overwrite=True),
    ),
    Rule(
        "intent",
        "(overwrite~|replace~) {path:file} [with (it|that|the result)]",
        lambda path: Write(path, overwrite=True),
    ),
    *[Rule("kind", words + " " + PLOT, lambda k=k: k) for k, words in KINDS.items()],
    Rule("kind", "histogram", lambda: "histogram"),
    Rule("kind", "scatterplot", lambda: "scatter"),
    Rule("kind", "barplot", lambda: "bar"),
    Rule("kind", "chart!", lambda: "bar", 0.3),
    Rule(
        "intent",
        f"{MAKE} {{kind}} [of|showing|with|for|out of] [it|that|this|them|the result|the table|those|the same]",
        Draw,
    ),
    Rule(
        "intent",
        f"{MAKE} {{kind}} [of|showing|with] {{y:orderable}} (against|versus|vs|over|by|per|for each|as a function of|and) {{x:item}}",
        Draw,
        -0.05,
    ),
    Rule(
        "intent",
        f"{MAKE} {{kind}} [of|showing|with] {{y:orderable}} over [the] [{{_u:unit}}] time",
        lambda kind, y: Draw(kind, Role("time"), y),
        -0.1,
    ),
    Rule("intent", "(plot~|draw~|show) {y:orderable} over time", lambda y: Draw("line", Role("time"), y), -0.05),
    Rule(
        "intent",
        f"{MAKE} {{kind}} (of|for|showing|over) {{x:column}}",
        lambda kind, x: Draw(kind, x) if kind == "histogram" else None,
        -0.05,
    ),
    Rule(
        "intent",
        "(plot~|draw~|chart!|visualize~|visualise~) {y:orderable} (against|versus|vs|as a function of) {x:item} [as {kind}]",
        lambda y, x, kind="scatter": Draw(kind, x, y),
        -0.05,
    ),
    Rule(
        "intent",
        "(plot~|draw~|visualize~|visualise~) {y:orderable} (over|by|per) {x:item} [as {kind}]",
        lambda y, x, kind="line": Draw(kind, x, y),
        0.1,
    ),
    Rule(
        "intent",
        "(plot~|draw~|chart!|visualize~|visualise~|graph!) [it|that|this|them|the result] [as [a] {kind}]",
        lambda kind="bar": Draw(kind),
        0.1,
    ),
]
