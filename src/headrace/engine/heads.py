"""The first rows of what flows: the same query, over little.

A head is only looked at: it is never what a following table is made of.
"""

from __future__ import annotations

from sqlglot import exp

from headrace.nodes.columns import identifier

HEAD_ROWS = 2_048
"""Rows of a source through which what flows is looked at."""
_BUFFER = 4 << 20
"""Bytes of csv that are read at once for a head; DuckDB's own choice is 32 MiB for each thread."""


def head_of_source(query: exp.Query) -> exp.Query:
    """Return the query of a source's first rows, told to read little."""
    query = query.copy()
    for reader in query.find_all(exp.ReadCSV):
        given = {
            option.this.name.lower() for option in reader.expressions if isinstance(option, exp.EQ | exp.PropertyEQ)
        }
        if not given & {"buffer_size", "max_line_size"}:
            size = exp.EQ(this=exp.column("buffer_size"), expression=exp.Literal.number(_BUFFER))
            reader.append("expressions", size)
    return exp.select("*").from_(query.subquery("source")).limit(HEAD_ROWS, copy=False)


def over(query: exp.Query, relation: str, other: str) -> exp.Query:
    """Return a query that reads another table in the place, and under the name, of a relation."""
    query = query.copy()
    for place in list(query.find_all(exp.Table)):
        if place.name == relation:
            place.replace(exp.alias_(exp.Table(this=identifier(other)), relation, table=True, quoted=True))
    return query
