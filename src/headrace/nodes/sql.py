"""A flow of tables as SQL: one chain of CTEs, one for each node, each named after its node.

Owns the chain and the order of rows along it. Runs nothing.

For whoever runs a chain: DuckDB binds a CTE anew inside each that reads it, so time grows with the square of the depth, and beyond
some 900 nodes it refuses. `DEEPEST` is the depth up to which a chain costs next to nothing. To run a deeper one, keep the
results in between as tables and give them as `given`: the chain then begins there. A kept table holds its rows in order,
so nothing else has to be carried over.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from headrace.base.errors import Invalid, NotFound
from headrace.base.ids import unused
from headrace.flow.model import Flow
from headrace.flow.order import order

from .catalog import Catalog
from .columns import column, identifier
from .inference import Inference
from .order import Ordered, carry, terms
from .reading import with_names
from .spec import Context, Relation, TableNode

DEEPEST = 64


def flow_query(
    flow: Flow,
    node_id: str,
    *,
    catalog: Catalog,
    inference: Inference,
    context: Context,
    given: Mapping[str, Relation] | None = None,
) -> exp.Select:
    """Return the SELECT whose rows are a node's table, in order; `given`: nodes whose tables exist already.

    Errors: NotFound where there is no such node; Invalid `no_table` where it, or one that it takes from, has no table;
    NodeFault from a node type.
    """
    chain = _Chain(flow, catalog=catalog, inference=inference, context=context, given=given or {})
    return chain.to(node_id)


def node_sql(flow: Flow, node_id: str, *, catalog: Catalog, inference: Inference, context: Context) -> str:
    """Return a node's table as SQL for people to read: files go by their names in the flow, not by their places on this machine.

    Errors: as `flow_query`.
    """
    query = flow_query(flow, node_id, catalog=catalog, inference=inference, context=context)
    return with_names(query, context.name_of).sql(dialect="duckdb", pretty=True, comments=False)


class _Chain:
    """The CTEs that lead to one node."""

    def __init__(
        self, flow: Flow, *, catalog: Catalog, inference: Inference, context: Context, given: Mapping[str, Relation]
    ) -> None:
        self._flow = flow
        self._catalog = catalog
        self._inference = inference
        self._context = context
        self._made: dict[str, Ordered] = {node_id: Ordered(relation) for node_id, relation in given.items()}
        # Case does not tell names apart in DuckDB, so `A` and `a` may not both be names in one chain.
        self._taken = {relation.name.casefold() for relation in given.values()}
        self._queries: list[tuple[str, exp.Query]] = []

    def to(self, node_id: str) -> exp.Select:
        if node_id not in self._flow.nodes:
            raise NotFound("no_such_node", f"There is no node {node_id!r} in this flow.", "Name one that is.")
        needed = self._needed(node_id)
        for each in order(self._flow).sequence:
            if each in needed:
                self._add(each)
        last = self._made.get(node_id)
        if last is None:
            raise self._no_table(node_id)
        query = exp.select(*[column(name) for name in last.relation.table.names()]).from_(last.relation.as_table())
        if last.order:
            query.order_by(*terms(last.order), copy=False)
        for name, each in self._queries:
            query = query.with_(identifier(name), as_=each, copy=False)
        return query

    def _needed(self, node_id: str) -> set[str]:
        """The node and all that it takes from, no further than what is given."""
        needed: set[str] = set()
        waiting = [node_id]
        while waiting:
            each = waiting.pop()
            if each not in needed and each not in self._made:
                needed.add(each)
                waiting += [edge.source.node for edge in self._flow.edges_into(each)]
        return needed

    def _add(self, node_id: str) -> None:
        node_type = self._catalog.find(self._flow.nodes[node_id].type)
        typing = self._inference.nodes.get(node_id)
        table = self._inference.table(node_id)
        if not isinstance(node_type, TableNode) or typing is None or typing.config is None or table is None:
            raise self._no_table(node_id)
        arriving: dict[str, Ordered] = {}
        inputs: dict[str, tuple[Relation, ...]] = {port.name: () for port in node_type.inputs}
        for edge in self._flow.edges_into(node_id):
            source = self._made[edge.source.node]
            arriving[source.relation.name] = source
            inputs[edge.target.port] = (*inputs[edge.target.port], source.relation)
        carried = carry(node_type.select(typing.config, inputs, self._context), arriving)
        self._queries.append((self._name(node_id), carried.query))
        self._made[node_id] = Ordered(Relation(self._queries[-1][0], table), carried.order)

    def _name(self, node_id: str) -> str:
        name = (
            unused(node_id, self._taken)
            if node_id.casefold() not in self._taken
            else unused(f"{node_id}_2", self._taken)
        )
        self._taken.add(name.casefold())
        return name

    def _no_table(self, node_id: str) -> Invalid:
        typing = self._inference.nodes.get(node_id)
        faults = tuple(fault.message for fault in typing.faults) if typing else ()
        why = faults[0] if faults else "it is not a table, or something that it needs is missing."
        return Invalid(
            "no_table", f"{node_id!r} has no SQL: {why}", "Mend what the diagnostics say and ask again.", faults=faults
        )
