"""Conditions and formulas: SQL expressions in DuckDB's dialect, read into trees that hold nothing but what is allowed.

A positive list twice over: of kinds of tree nodes here, of function names in `functions`. Refuses statements, sub-selects, table
functions, lambdas and everything else that is not a calculation over the columns of one row or its group. What reaches
DuckDB is written anew from the tree, so only what was understood is run. Nothing is evaluated here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import sqlglot
from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.errors import ParseError, TokenError
from sqlglot.tokens import Token, TokenType

from . import functions
from .spec import Fault, NodeFault
from .wordlist import word_set

MAX_LENGTH = 4_000
MAX_DEPTH = 32
"""Brackets and CASEs inside one another; the parser recurses some twenty frames for each."""
MAX_CHAIN = 500
"""Terms of one chain such as `a + b + …`; DuckDB itself stops at 1,000."""
EXAMPLE = "amount > 100 AND status = 'paid'"

Path = tuple[str, ...]

_ALLOWED_KINDS = word_set(
    # What a value is made of.
    "Column Identifier Literal RawString Boolean Null Paren Tuple Neg Not And Or Xor Add Sub Mul Div IntDiv Mod Pow DPipe"
    " BitwiseAnd BitwiseOr BitwiseXor BitwiseNot BitwiseLeftShift BitwiseRightShift"
    " EQ NEQ GT GTE LT LTE NullSafeEQ NullSafeNEQ Is In Between Like ILike NotLike SimilarTo Glob Escape RegexpLike RegexpFullMatch"
    " Case If Cast TryCast DataType DataTypeParam Interval IntervalSpan Var Extract AtTimeZone Collate Bracket Slice Array"
    " Distinct Star Order Ordered Window WindowSpec Filter Where IgnoreNulls RespectNulls WithinGroup Anonymous AnonymousAggFunc"
    " Coalesce Nullif Greatest Least"
    # Numbers.
    " Abs Acos Asin Atan Atan2 Cbrt Ceil Cos Degrees Exp Factorial Floor Gcd IsInf IsNan Ln Log Pi Radians Round Sign Sin Sqrt"
    " Tan Trunc"
    # Text.
    " Ascii Unicode Chr Concat ConcatWs Contains EndsWith Format Left Length Levenshtein Lower Pad MD5 StrPosition RegexpExtract"
    " RegexpExtractAll RegexpReplace RegexpSplit Repeat Replace Reverse Right Split SplitPart StartsWith StripAccents Substring"
    " Translate Trim Upper JarowinklerSimilarity SHA2 ArrayToString StringToArray"
    # Dates.
    " CurrentDate CurrentTimestamp Date DateAdd DateBin DateDiff DateSub DateFromParts DateTrunc TimestampTrunc Day Dayname"
    " DayOfMonth DayOfWeek DayOfWeekIso DayOfYear Hour LastDay Minute Month Monthname Quarter Second StrToTime StrToDate"
    " TimeFromParts TimestampFromParts TimeToStr TimeToUnix ToDays UnixToTime UnixSeconds UnixMillis Week WeekOfYear Year"
    # Lists and structs.
    " ArrayConcat ArrayContains ArrayContainsAll ArrayOverlaps ArrayDistinct ArrayMax ArrayMin ArrayReverse ArraySize"
    " ArraySlice ArraySort ArrayUniqueAgg List SortArray StructExtract Typeof"
    # Aggregates and windows.
    " AnyValue ApproxDistinct ApproxQuantile ArgMax ArgMin ArrayAgg Avg BitwiseAndAgg BitwiseOrAgg LogicalAnd LogicalOr Corr"
    " Count CountIf CovarPop CovarSamp First GroupConcat Kurtosis Last Max Median Min Mode PercentileCont PercentileDisc Quantile"
    " RegrIntercept RegrR2 RegrSlope Skewness Stddev StddevPop StddevSamp Sum Variance VariancePop CumeDist DenseRank"
    " FirstValue Lag LastValue Lead NthValue Ntile PercentRank Rank RowNumber"
)
_SYNTAX = word_set(
    "all and any as between by case cast collate distinct else end escape exclude extract filter from group if in interval is"
    " like ilike not null on or order over partition preceding following range rows similar then to try_cast using values when"
    " where within glob"
    # Types that may be written with a size.
    " bit char character decimal dec numeric nvarchar text time timestamp varchar bpchar string float"
)
_TYPE_WORDS = word_set(
    "decimal dec numeric varchar char character nvarchar bpchar string text float bit time timestamp"
)


@dataclass(frozen=True, slots=True)
class _Read:
    """What reading a text gave: a tree, or what is wrong with it."""

    tree: exp.Expr | None
    faults: tuple[Fault, ...] = ()


def parse(text: str, *, path: Path = ()) -> exp.Expr:
    """Return a text as a tree that is the caller's to change.

    Errors: NodeFault F403 (cannot be read), F404 (a function or a kind of expression that is not allowed), at `path`.
    """
    read = _read(text)
    if read.tree is None:
        raise NodeFault(*(Fault(f.code, f.message, path, suggestions=f.suggestions) for f in read.faults))
    return read.tree.copy()


def columns_in(tree: exp.Expr) -> tuple[str, ...]:
    """Return the names of the columns in a tree as they are written, each once, in order; of `a.b` it is `a`."""
    return tuple(dict.fromkeys(column.parts[0].name for column in tree.find_all(exp.Column, bfs=False)))


def has_window(tree: exp.Expr) -> bool:
    """Return whether a window function stands in the tree."""
    return tree.find(exp.Window) is not None


def loose_aggregates(tree: exp.Expr) -> list[str]:
    """Return the names of the aggregates that stand in a tree outside any OVER, as they were written."""
    return [called(node) for node in tree.walk() if is_aggregate(node) and not _is_windowed(node)]


def is_aggregate(node: exp.Expr) -> bool:
    """Return whether a tree node is a call of an aggregate function."""
    return called(node) in functions.AGGREGATE


def is_volatile(tree: exp.Expr) -> bool:
    """Return whether the value depends on when it is asked for."""
    return any(called(node) in functions.VOLATILE for node in tree.walk())


def called(node: exp.Expr) -> str:
    """Return the lower-case name of the function that a tree node calls; empty where it calls none."""
    if isinstance(node, exp.Anonymous | exp.AnonymousAggFunc):
        return str(node.name).lower()
    if isinstance(node, exp.Func):
        known = [name.lower() for name in type(node).sql_names() if name.lower() in functions.ALLOWED]
        return _CALLED.get(type(node).__name__) or (known[0] if known else type(node).sql_name().lower())
    return ""


_CALLED = {
    "ArrayAgg": "array_agg",
    "GroupConcat": "string_agg",
    "LogicalAnd": "bool_and",
    "LogicalOr": "bool_or",
    "VariancePop": "var_pop",
    "Quantile": "quantile",
    "PercentileCont": "quantile_cont",
    "PercentileDisc": "quantile_disc",
    "ApproxDistinct": "approx_count_distinct",
    "CurrentDate": "current_date",
    "CurrentTimestamp": "current_timestamp",
    "BitwiseAndAgg": "bit_and",
    "BitwiseOrAgg": "bit_or",
}


def sql(tree: exp.Expr) -> str:
    """Return a tree as DuckDB reads it, names quoted, without comments."""
    return tree.sql(dialect=DuckDB, identify=True, comments=False)


@lru_cache(maxsize=4_096)
def _read(text: str) -> _Read:
    """Read a text; kept by text, faults included."""
    try:
        tokens = _tokens(text)
        _refuse_deep(tokens)
        _refuse_calls(tokens)
        tree = _parsed(text)
        _refuse_kinds(tree)
        return _Read(tree)
    except NodeFault as fault:
        return _Read(None, fault.faults)
    except RecursionError:
        return _Read(None, (_too_deep(),))


def _fault(code: str, message: str) -> NodeFault:
    return NodeFault(Fault(code, message))


def _tokens(text: str) -> Sequence[Token]:
    if len(text) > MAX_LENGTH:
        raise _fault(
            "F403",
            f"The expression has {len(text):,} characters; the most is {MAX_LENGTH:,}. Split it over several formula nodes.",
        )
    if not text.strip():
        raise _fault("F403", f"The expression is empty. Write one such as {EXAMPLE}.")
    if "\0" in text:
        raise _fault("F403", "The expression holds a character that cannot be read (NUL). Take it out.")
    if "{{" in text or "${" in text:
        raise _fault(
            "F403", "The expression holds a placeholder in braces, and nothing is filled in here. Write the value."
        )
    try:
        return sqlglot.tokenize(text, read=DuckDB)
    except TokenError as error:
        raise _fault("F403", _unfinished(text)) from error


def _unfinished(text: str) -> str:
    for quote, what in (("'", "a text in single quotes"), ('"', "a name in double quotes")):
        if text.count(quote) % 2:
            at = text.rfind(quote) + 1
            return f"The expression cannot be read: {what} begins at character {at} and does not end. Close it with {quote}."
    return f"The expression {_short(text)} cannot be read: a quote or a comment in it does not end. Close it."


def _refuse_deep(tokens: Sequence[Token]) -> None:
    depth = deepest = signs = 0
    for token in tokens:
        if token.token_type in _OPENING:
            depth += 1
        elif token.token_type in _CLOSING:
            depth -= 1
        deepest = max(deepest, depth)
        signs = signs + 1 if token.token_type in _SIGNS else 0
        if signs > MAX_DEPTH:
            raise NodeFault(_too_deep())
    if deepest > MAX_DEPTH:
        raise NodeFault(_too_deep())
    counts = Counter(token.token_type for token in tokens)
    if any(counts[kind] > MAX_CHAIN for kind in _CHAINING) or any(counts[kind] > MAX_DEPTH for kind in _COSTLY):
        raise NodeFault(_too_deep())


def _too_deep() -> Fault:
    return Fault(
        "F403",
        f"The expression is nested too deeply: at most {MAX_DEPTH} brackets or CASEs inside one another, and"
        f" {MAX_CHAIN} terms in a chain. Split it over several formula nodes, or write a list with IN.",
    )


_OPENING = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE, TokenType.CASE})
_CLOSING = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE, TokenType.END})
_SIGNS = frozenset({TokenType.NOT, TokenType.DASH, TokenType.PLUS, TokenType.TILDE})
_CHAINING = tuple(
    getattr(TokenType, name)
    for name in [
        "PLUS",
        "DASH",
        "STAR",
        "SLASH",
        "DPIPE",
        "DCOLON",
        "EQ",
        "GT",
        "LT",
        "IS",
        "AND",
        "OR",
        "NOT",
        "DOT",
        "DSTAR",
        "CARET",
        "MOD",
        "DIV",
    ]
)
_COSTLY = (TokenType.L_BRACKET, TokenType.ARROW)
"""The parser's time grows with the square of these."""


def _refuse_calls(tokens: Sequence[Token]) -> None:
    faults = []
    refused: set[str] = set()  # a name that is used ten times is one fault
    for before, token, after in _neighbours(tokens):
        if token.text.lower() == "if" and token.token_type is not TokenType.IDENTIFIER and not _opens(after):
            faults.append(
                Fault("F403", 'IF is written as if(condition, then, else). A column of that name is written "if".')
            )
        if token.text == "~" and token.token_type is not TokenType.STRING:
            # DuckDB means a full match by it and PostgreSQL a partial one, so it is better said in words.
            faults.append(Fault("F404", "`~` is not allowed. Write regexp_matches(name, 'pattern')."))
        if not _opens(after):
            continue
        name = token.text.lower()
        if token.token_type is TokenType.IDENTIFIER:
            faults.append(
                Fault("F404", f"{token.text!r} in double quotes is a column; a function is written without quotes.")
            )
        elif (
            not _is_word(token)
            or name in functions.ALLOWED
            or (name in _TYPE_WORDS and before is not None and before.text.lower() in ("::", "as"))
        ):
            continue
        elif (name not in _SYNTAX or name in _TYPE_WORDS) and name not in refused:
            refused.add(name)
            faults.append(Fault("F404", _not_allowed(name, token)))
    if faults:
        raise NodeFault(*faults)


def _neighbours(tokens: Sequence[Token]) -> Iterator[tuple[Token | None, Token, Token | None]]:
    for place, token in enumerate(tokens):
        before = tokens[place - 1] if place else None
        yield before, token, tokens[place + 1] if place + 1 < len(tokens) else None


def _opens(token: Token | None) -> bool:
    return token is not None and token.token_type is TokenType.L_PAREN


def _is_word(token: Token) -> bool:
    return bool(re.fullmatch(r"\w+", token.text)) and token.token_type not in (TokenType.STRING, TokenType.NUMBER)


def _not_allowed(name: str, token: Token) -> str:
    close = functions.nearest(name)
    meant = f" Near ones: {', '.join(close)}." if close else ""
    if name in ("select", "exists"):
        return (
            f"{name.upper()} at character {token.start + 1} is not allowed: an expression calculates with the columns of its own"
            " table. Use a join to bring in another table."
        )
    return (
        f"{name!r} at character {token.start + 1} is not a function that may be used here.{meant}"
        " See the list of functions in docs/reference/expressions.md."
    )


_UNREADABLE = (ParseError, TokenError, AttributeError, TypeError, ValueError, LookupError)
"""What the parser raises for what it cannot read: it stumbles over some texts, such as `{:}`, instead of refusing them."""


def _parsed(text: str) -> exp.Expr:
    try:
        # Read as a condition: this entry of the grammar knows no statements and no commands.
        return sqlglot.parse_one(text, read=DuckDB, into=exp.Condition)
    except _UNREADABLE as error:
        raise _fault("F403", _unreadable(text, error)) from error


def _unreadable(text: str, error: Exception) -> str:
    first = error.errors[0] if isinstance(error, ParseError) and error.errors else {}
    stands = first.get("highlight") or ""
    at = _offset(text, first.get("line") or 1, first.get("col") or 1) - len(stands) + 1
    end = at + len(stands) - 1 >= len(text.rstrip())
    if end and re.search(r"missing|Expecting|Expected", str(first.get("description", ""))):
        place = f"something is missing after {_short(text[-20:])}"
    elif stands:
        place = f"{_short(stands)} at character {at} does not fit there"
    else:
        place = "it is not an expression"
    return f"The expression cannot be read: {place}.{_advice(text)} An example: {EXAMPLE}."


def _offset(text: str, line: int, column: int) -> int:
    """The place in the whole text of a place in one of its lines."""
    return sum(len(before) + 1 for before in text.split("\n")[: line - 1]) + column


def _advice(text: str) -> str:
    if "`" in text:
        return ' A name with blanks or signs goes in double quotes: "First Name".'
    if re.search(r"\[[A-Za-z_][^\]]*\]", text):
        return ' A column name stands alone or in double quotes, not in brackets: "First Name".'
    if re.match(r"\s*select\b", text, re.IGNORECASE):
        return " Write the expression alone, without SELECT."
    return ""


def _refuse_kinds(tree: exp.Expr) -> None:
    # A kind that is refused is looked at no deeper: one fault for each place.
    faults = [
        Fault("F404", message)
        for node in tree.walk(prune=lambda node: bool(_refusal(node)))
        if (message := _refusal(node))
    ]
    if faults:
        raise NodeFault(*dict.fromkeys(faults))
    _refuse_written(tree)


def _refusal(node: exp.Expr) -> str:
    """Why a tree node may not stand where it stands; empty where it may."""
    kind = type(node).__name__
    message = _wrong_place(node)
    return message or ("" if kind in _ALLOWED_KINDS else _not_a_value(node, kind))


def _wrong_place(node: exp.Expr) -> str | None:
    if isinstance(node, exp.Star) and not isinstance(node.parent, exp.Count):
        return "`*` may only stand in count(*). Name the columns."
    if isinstance(node, exp.Where) and not isinstance(node.parent, exp.Filter):
        return "WHERE may only stand in FILTER (WHERE …). Use a filter node for the rest."
    if isinstance(node, exp.Identifier) and not node.quoted and node.name.lower() == "none":
        return "None is not SQL: write IS NULL for a missing value."
    if isinstance(node, exp.Column) and not isinstance(node.this, exp.Identifier):
        return f"{_short(node.sql(dialect=DuckDB))} is not allowed in an expression. Name the columns."
    if isinstance(node, exp.Anonymous) and node.name.lower() not in functions.ALLOWED:
        return f"{node.name!r} is not a function that may be used here."
    return None


def _not_a_value(node: exp.Expr, kind: str) -> str:
    written = _short(node.sql(dialect=DuckDB, comments=False))
    match kind:
        case "Select" | "Subquery" | "Exists" | "Union" | "Any" | "All":
            return f"{written} is a query inside an expression, which is not allowed. Use a join to bring in another table."
        case "Alias" | "Aliases":
            return (
                f"{written} gives a name inside an expression. Write the expression alone; its name has its own field."
            )
        case "Placeholder" | "Parameter":
            return f"{written} is a placeholder; nothing is filled in here. Write the value."
        case "Lambda" | "JSONExtract" | "JSONExtractScalar" | "Comprehension":
            return f"{written} uses ->, which is not allowed. For a field of a record write name.field."
        case _:
            return f"{written} is not allowed in an expression. An example of one: {EXAMPLE}."


def _refuse_written(tree: exp.Expr) -> None:
    """Look once more at what will reach DuckDB: every call in it is an allowed one."""
    for _, token, after in _neighbours(sqlglot.tokenize(sql(tree), read=DuckDB)):
        if after is None or after.token_type is not TokenType.L_PAREN or token.token_type is TokenType.IDENTIFIER:
            continue
        name = token.text.lower()
        if not _is_word(token) or name in functions.ALLOWED or name in _SYNTAX:
            continue
        raise _fault("F404", f"{name!r} is not a function that may be used here.")


def _is_windowed(node: exp.Expr) -> bool:
    above = node.parent
    while isinstance(above, exp.Filter | exp.IgnoreNulls | exp.RespectNulls | exp.WithinGroup):
        above = above.parent
    return isinstance(above, exp.Window)


def _short(text: str, most: int = 40) -> str:
    flat = " ".join(text.split())
    return f"`{flat}`" if len(flat) <= most else f"`{flat[: most - 1]}…`"
