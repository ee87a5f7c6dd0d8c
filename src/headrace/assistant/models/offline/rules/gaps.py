"""How people speak of gaps and of duplicates: rows that lack something, values to fill in, each thing once."""

from __future__ import annotations

from headrace.assistant.models.offline.grammar import Rule
from headrace.assistant.models.offline.meaning import (
    NOTHING,
    ColumnRef,
    DropMissing,
    Fill,
    Items,
    Role,
    Unique,
    UseNode,
)

from .conditions import MISSING
from .figures import DIFFERENT
from .rows import REMOVE

RULES = [
    # gaps
    Rule("gap", "(missing|empty|blank|null|na) [value|cell|entry|one|field]", lambda: True),
    Rule("gap", "(null|blank|gap|na|nan|hole)", lambda: True),
    Rule("incomplete", "(incomplete|partial|patchy) [rows|row|record|entry|one|line|{_r:rows}]", lambda: DropMissing()),
    Rule(
        "incomplete",
        f"[every|all|any] (row|record|entry|line|{{_r:rows}}|that|one) (where|with|that have|that has|in which|containing|having|when|if) (anything|any value|something|any field|a value|any column|any cell|any) [is|are|has] {MISSING} [value|values|cell|cells|field|fields]",
        lambda: DropMissing(),
    ),
    Rule(
        "incomplete",
        "[every|all|any] (row|record|entry|line|{_r:rows}|one) (with|that have|containing|having) [any|a|some] {_g:gap} [in any column|anywhere|in it]",
        lambda: DropMissing(),
        0.05,
    ),
    Rule(
        "incomplete",
        "[every|all|any] [row|record|entry|line|{_r:rows}|one] [with|that have|containing|having|of] [any|a|some] {_g:gap} (in|for|of) {items:columns}",
        lambda items: DropMissing(items.of),
        0.05,
    ),
    Rule("intent", f"{REMOVE} {{x:incomplete}}", lambda x: x, -0.1),
    Rule("intent", f"{REMOVE} [all|any|the] {{_g:gap}}", lambda: DropMissing((Role("last"),)), 0.1),
    Rule("intent", "(only|keep [only]|just) complete [row|record|entry|{_r:rows}|one]", lambda: DropMissing()),
    Rule("filling", "(mean|average) [value|of the column|of that column|{_c:column}]", lambda: Items(("mean", None))),
    Rule("filling", "median [value|of the column|{_c:column}]", lambda: Items(("median", None))),
    Rule("filling", "(minimum|min) [value]", lambda: Items(("min", None))),
    Rule("filling", "(maximum|max) [value]", lambda: Items(("max", None))),
    Rule(
        "filling",
        "(previous|preceding|last|prior) [known|valid] [value|one|row|entry|reading]",
        lambda: Items(("previous", None)),
    ),
    Rule("filling", "(next|following) [known|valid] [value|one|row]", lambda: Items(("next", None))),
    Rule("filling", "{v:number}", lambda v: Items(("value", v))),
    Rule("filling", "{v:text}", lambda v: Items(("value", v)), 0.05),
    Rule(
        "intent",
        "(replace~|fill~|substitute~|impute~|set|fill in|filling in) [in] [all|every|any] {_g:gap} [in|of|for] [{items:columns}] (with|by|to|using|as|from) {v:filling}",
        lambda v, items=NOTHING: Fill(v.of[0], items.of, v.of[1]),
    ),
    Rule(
        "intent",
        "(replace~|fill~|substitute~|impute~|set) [all|every|any] (missing|empty|blank|null|unknown) {items:columns} [value] (with|by|to|using|as|from) {v:filling}",
        lambda v, items: Fill(v.of[0], items.of, v.of[1]),
        -0.05,
    ),
    Rule(
        "intent",
        "fill~ [in] {items:columns} [gap] (with|by|using|from) {v:filling} [where [it is] missing]",
        lambda v, items: Fill(v.of[0], items.of, v.of[1]),
        0.1,
    ),
    Rule(
        "intent",
        "use {v:filling} (for|where) [the] {_g:gap} [in|of|for] [{items:columns}]",
        lambda v, items=NOTHING: Fill(v.of[0], items.of, v.of[1]),
    ),
    # each once
    Rule(
        "intent",
        "(remove~|drop~|delete~|without|no|eliminate~|get rid of|skip~) [any|all|exact|the] (duplicate|duplicates|double|duplicate row|repeated row|duplicate entry|repetition|repeat) [row|{_r:rows}|entry]",
        lambda: Unique(),
        -0.1,
    ),
    Rule(
        "intent",
        "((remove|drop|delete) duplicates|deduplicate~|dedupe~) [it|them|the rows|{_r:rows}] (by|on|per|in) {items:columns}",
        lambda items: first_of(items),
        -0.2,
    ),
    Rule(
        "intent",
        "(deduplicate|dedupe|deduplicated) [it|them|the rows|{_r:rows}] [(by|on) {items:columns}]",
        lambda items=NOTHING: Unique(items.of),
    ),
    Rule("intent", f"{DIFFERENT} (row|{{_r:rows}})", lambda: Unique()),
    Rule(
        "intent",
        f"{DIFFERENT} {{a:columns}} (with|and) [their|its|the] {{b:columns}}",
        lambda a, b: Unique(a.of + b.of),
        0.1,
    ),
    Rule(
        "intent",
        f"{DIFFERENT} [values|value|combination|pair] [of] {{items:columns}} [value|combination|pair]",
        lambda items: Unique(items.of),
        0.15,
    ),
    Rule(
        "intent",
        f"(each|every) [{DIFFERENT}] [name|one|of them|{{_c:column}}] (once|only once|just once|one time)",
        lambda: Unique(),
    ),
    Rule("intent", "(one row|a single row|once) per {items:columns}", lambda items: Unique(items.of), 0.1),
    Rule(
        "intent",
        "which {items:columns} (combination|pair) [(exist|are there|occur|appear|there are)] [in {_f:file}]",
        lambda items: Unique(items.of),
    ),
    Rule("intent", "[all] {items:columns} (combination|pair)", lambda items: Unique(items.of), 0.05),
]


def first_of(items: Items) -> UseNode | None:
    """Return the node that keeps the first whole row of each combination of some columns."""
    names = tuple(ref.names[0] for ref in items.of if isinstance(ref, ColumnRef) and len(ref.names) == 1)
    return UseNode("distinct", (("columns", names),)) if len(names) == len(items.of) else None
