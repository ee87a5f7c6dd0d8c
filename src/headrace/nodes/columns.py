"""Names in a config met with the columns that arrive: what each means, and what was probably meant where there is none.

Every unknown name of a config is listed at once, each with the config that would mend it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import sqlglot
from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.tokens import TokenType

from . import expressions
from .expressions import Path
from .near import near
from .spec import Context, Fault, NodeFault, Relation, Suggestion, Table

_MOST_LISTED = 12


def identifier(name: str) -> exp.Identifier:
    """Return a name, quoted."""
    return exp.to_identifier(name, quoted=True)


def quoted(name: str) -> str:
    """Return a name as a DuckDB identifier, as text, that means exactly it."""
    return '"' + name.replace('"', '""') + '"'


def column(name: str, relation: str = "") -> exp.Column:
    """Return a reference to a column, quoted; with `relation`, to that relation's column."""
    return exp.Column(this=identifier(name), table=identifier(relation) if relation else None)


def bind(text: str, table: Table, *, path: Path) -> exp.Expr:
    """Return an expression over a table's columns, each named exactly as the table names it.

    `a.b` is the field b of the record a. Errors: NodeFault F401 (every unknown column), F403, F404, at `path`.
    """
    tree = expressions.parse(text, path=path)
    unknown: dict[str, Fault] = {}
    for place in list(tree.find_all(exp.Column)):
        parts = [part.name for part in place.parts]
        known = table.column(parts[0])
        if known is None:
            unknown.setdefault(".".join(parts), _unknown_in_text(parts, text, table, path=path))
            continue
        bound: exp.Expr = column(known.name)
        for field in parts[1:]:
            bound = exp.StructExtract(this=bound, expression=exp.Literal.string(field))
        if place is tree:
            tree = bound
        else:
            place.replace(bound)
    if unknown:
        raise NodeFault(*unknown.values())
    return tree


def exact(names: Iterable[tuple[str, Path]], table: Table, *, port: str = "") -> tuple[str, ...]:
    """Return the columns of a table that some names mean, as the table names them.

    Errors: NodeFault F401 for every name that is not there, at its path.
    """
    found: list[str] = []
    faults: list[Fault] = []
    for name, path in names:
        known = table.column(name)
        if known is not None:
            found.append(known.name)
        else:
            faults.append(unknown_column(name, table, path=path, port=port))
    if faults:
        raise NodeFault(*faults)
    return tuple(found)


def unknown_column(name: str, table: Table, *, path: Path, port: str = "") -> Fault:
    """Return the fault of a config that names a column that is not there, with the near ones as ways out."""
    close = near(name, table.names())
    return Fault(
        "F401",
        f"There is no column {name!r}{f' at {port!r}' if port else ''}.{_meant(close)} {listed(table)}",
        path,
        port,
        tuple(Suggestion(f'Use column "{other}"', path, other) for other in close),
    )


def refuse_doubles(names: Sequence[tuple[str, Path]]) -> None:
    """Check that no two output columns have one name; case does not tell names apart, as in DuckDB.

    Errors: NodeFault F406 at the later one.
    """
    seen: dict[str, str] = {}
    faults = []
    for name, path in names:
        if name.casefold() in seen:
            faults.append(
                Fault(
                    "F406", f"Two columns would be named {seen[name.casefold()]!r}. Give {name!r} another name.", path
                )
            )
        elif not name.strip():
            faults.append(Fault("F303", "A column needs a name. Give it one.", path))
        seen.setdefault(name.casefold(), name)
    if faults:
        raise NodeFault(*faults)


def listed(table: Table) -> str:
    """Return the columns of a table as a sentence for a message."""
    names = table.names()
    if not names:
        return "The table has no columns."
    shown = ", ".join(names[:_MOST_LISTED])
    more = f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
    return f"The columns are {shown}{more}."


def type_of(tree: exp.Expr, relation: Relation, context: Context, *, path: Path) -> str:
    """Return the type of a value that is worked out from one row of a relation (windows allowed).

    Errors: NodeFault F402, F405 at `path`.
    """
    query = exp.select(exp.alias_(tree.copy(), "value", quoted=True)).from_(relation.as_table())
    try:
        return context.describe(query, (relation,)).columns[0].type
    except NodeFault as fault:
        raise at(path, fault) from fault


def at(path: Path, fault: NodeFault) -> NodeFault:
    """Return a fault whose parts that have no place are at `path`."""
    return NodeFault(
        *(
            part if part.path else Fault(part.code, part.message, path, part.port, part.suggestions, part.severity)
            for part in fault.faults
        )
    )


def written(name: str) -> str:
    """Return a column's name as it is written in an expression: bare where it can be, else in double quotes."""
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        try:
            tree = expressions.parse(name)
        except NodeFault:
            tree = None
        if isinstance(tree, exp.Column) and tree.name == name:
            return name
    return expressions.sql(identifier(name))


def _unknown_in_text(parts: Sequence[str], text: str, table: Table, *, path: Path) -> Fault:
    name = ".".join(parts)
    last = table.column(parts[-1]) if len(parts) > 1 else None
    close = [last.name] if last else near(parts[0], table.names())
    suggestions = [Suggestion(f'Use column "{other}"', path, _replaced(text, parts, written(other))) for other in close]
    message = f"There is no column {name!r}.{_meant(close)}"
    if len(parts) == 1 and _is_quoted(text, name):
        message += f" Double quotes are for column names; a text is written {_as_text(name)}."
        suggestions.append(
            Suggestion(f"Take it as the text {_as_text(name)}", path, _replaced(text, parts, _as_text(name)))
        )
    return Fault("F401", f"{message} {listed(table)}", path, suggestions=tuple(suggestions))


def _meant(close: Sequence[str]) -> str:
    if not close:
        return ""
    return f" Did you mean {' or '.join(f'{other!r}' for other in close)}?"


def _as_text(name: str) -> str:
    return "'" + name.replace("'", "''") + "'"


def _is_quoted(text: str, name: str) -> bool:
    tokens = sqlglot.tokenize(text, read=DuckDB)
    return any(token.token_type is TokenType.IDENTIFIER and token.text == name for token in tokens)


def _replaced(text: str, parts: Sequence[str], by: str) -> str:
    """The text with every mention of a name (`a` or `t.a`) replaced."""
    tokens = sqlglot.tokenize(text, read=DuckDB)
    width = 2 * len(parts) - 1
    wanted = [part for pair in zip(parts, "." * len(parts), strict=True) for part in pair][:width]
    out, at_character, place = [], 0, 0
    while place < len(tokens):
        window = tokens[place : place + width]
        after = tokens[place + width] if place + width < len(tokens) else None
        names_it = [token.text for token in window] == wanted and window[0].token_type is not TokenType.STRING
        if names_it and not (after and after.token_type is TokenType.L_PAREN):
            out += [text[at_character : window[0].start], by]
            at_character = window[-1].end + 1
            place += width
        else:
            place += 1
    return "".join([*out, text[at_character:]])
