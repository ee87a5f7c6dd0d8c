"""What is known without running: columns, configs, faults, and that an edit costs what it changes."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from headrace.flow.model import EMPTY, Flow
from headrace.flow.operations import apply_all, operations_from
from headrace.nodes.inference import Inference, infer
from headrace.nodes.spec import Relation, Table
from tests.nodes.workbench import binder, catalog, context

SOURCE = {"columns": [{"name": "a", "type": "BIGINT"}, {"name": "b", "type": "VARCHAR"}], "rows": [[1, "x"]]}


class Counting:
    """A context that counts what it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def read_paths(self, path: str) -> tuple[Path, ...]:
        return context().read_paths(path)

    def describe(self, query: exp.Expr, inputs: Iterable[Relation]) -> Table:
        self.asked += 1
        return binder().describe(query, inputs)


def edit(flow: Flow, *operations: dict[str, Any]) -> Flow:
    """Return a flow after some operations."""
    return apply_all(flow, operations_from(list(operations)))


def add(node_id: str, kind: str, /, **config: Any) -> dict[str, Any]:
    """Return the operation that adds a node."""
    return {"op": "add_node", "node": {"id": node_id, "type": kind, "config": config}}


def connect(source: str, target: str) -> dict[str, Any]:
    """Return the operation that connects two ports."""
    return {"op": "connect", "source": source, "target": target}


def chain(length: int) -> Flow:
    """Return a source and so many filters behind it."""
    operations = [add("n0", "manual_table", **SOURCE)]
    for place in range(1, length + 1):
        operations += [add(f"n{place}", "filter", condition=f"a <> {place}"), connect(f"n{place - 1}", f"n{place}")]
    return edit(EMPTY, *operations)


def known(flow: Flow, **more: Any) -> Inference:
    """Return what is known of a flow."""
    return infer(flow, catalog(), context(), **more)


def columns(of: Inference, node_id: str) -> list[tuple[str, str]] | None:
    """Return the columns of a node as pairs, or None."""
    found = of.table(node_id)
    return None if found is None else [(column.name, column.type) for column in found.columns]


class TestTyping:
    def test_columns_follow_from_config_and_inputs(self) -> None:
        flow = edit(
            chain(1),
            add("f", "formula", columns=[{"name": "c", "expression": "a * 1.5"}]),
            add("g", "aggregate", group_by=["b"], measures=[{"name": "n", "function": "count"}]),
            connect("n1", "f"),
            connect("f", "g"),
        )
        of = known(flow)
        assert columns(of, "f") == [("a", "BIGINT"), ("b", "VARCHAR"), ("c", "DECIMAL(21,1)")]
        assert columns(of, "g") == [("b", "VARCHAR"), ("n", "BIGINT")]
        assert all(not typing.faults for typing in of.nodes.values())

    def test_a_fault_is_told_once_and_not_again_by_those_behind(self) -> None:
        flow = edit(chain(3), {"op": "set_config", "node_id": "n2", "values": {"condition": "nope = 1"}})
        of = known(flow)
        assert [fault.code for fault in of.nodes["n2"].faults] == ["F401"]
        assert of.nodes["n3"].faults == ()
        assert columns(of, "n3") is None
        assert of.nodes["n3"].config is not None

    def test_a_config_that_cannot_be_read_lists_every_fault(self) -> None:
        flow = edit(EMPTY, add("l", "limit", cuont=3, offset="many"))
        faults = known(flow).nodes["l"].faults
        assert {(fault.code, fault.path) for fault in faults} == {
            ("F301", ("count",)),
            ("F302", ("cuont",)),
            ("F303", ("offset",)),
        }
        assert "Did you mean 'count'?" in next(fault.message for fault in faults if fault.code == "F302")

    def test_unknown_types_newer_versions_and_missing_inputs_are_left_to_the_checks(self) -> None:
        flow = edit(
            EMPTY,
            add("x", "no_such_type"),
            {"op": "add_node", "node": {"id": "y", "type": "limit", "version": 99, "config": {"count": 1}}},
            add("z", "limit", count=1),
        )
        of = known(flow)
        assert [(of.nodes[name].faults, dict(of.nodes[name].outputs)) for name in "xyz"] == [((), {})] * 3

    def test_an_edge_from_or_to_a_port_that_is_not_there_puts_nothing_out(self) -> None:
        flow = edit(
            chain(1),
            add("f", "limit", count=1),
            connect("n1.nope", "f"),
            add("g", "limit", count=1),
            connect("n1", "g.nope"),
        )
        of = known(flow)
        assert columns(of, "f") is None
        assert columns(of, "g") is None

    def test_a_node_that_acts_tells_what_it_puts_out(self) -> None:
        flow = edit(chain(1), add("c", "chart", kind="bar", x="b", y="nope"), connect("n1", "c"))
        typing = known(flow).nodes["c"]
        assert typing.outputs == {"chart": "chart"}
        assert [fault.code for fault in typing.faults] == ["F401"]

    def test_nodes_in_a_circle_are_not_typed(self) -> None:
        from headrace.flow.model import flow_from_document

        node = {"type": "limit", "config": {"count": 1}}
        circle = {
            "headrace": 1,
            "name": "",
            "nodes": {"a": node, "b": node},
            "edges": {
                "a.out>b.in": {"source": {"node": "a", "port": "out"}, "target": {"node": "b", "port": "in"}},
                "b.out>a.in": {"source": {"node": "b", "port": "out"}, "target": {"node": "a", "port": "in"}},
            },
        }
        assert dict(known(flow_from_document(circle)).nodes) == {}


class TestParameters:
    def flow(self) -> Flow:
        return edit(
            chain(1),
            {"op": "set_parameter", "name": "top", "parameter": {"name": "top", "type": "number", "default": 3}},
            add("l", "limit", count={"$parameter": "top"}),
            connect("n1", "l"),
        )

    def test_they_are_put_in_before_the_config_is_read(self) -> None:
        of = known(self.flow())
        assert of.nodes["l"].config == catalog().get("limit").Config(count=3)

    def test_an_unknown_one_names_near_ones(self) -> None:
        flow = edit(self.flow(), {"op": "set_config", "node_id": "l", "values": {"count": {"$parameter": "tpo"}}})
        (fault,) = known(flow).nodes["l"].faults
        assert (fault.code, fault.path) == ("F304", ("count",))
        assert "'top'" in fault.message

    def test_one_without_a_value_is_told(self) -> None:
        flow = edit(self.flow(), {"op": "set_parameter", "name": "top", "parameter": {"name": "top", "type": "number"}})
        assert [fault.code for fault in known(flow).nodes["l"].faults] == ["F304"]

    def test_a_secret_may_not_stand_in_a_table_node(self) -> None:
        flow = edit(self.flow(), {"op": "set_config", "node_id": "n1", "values": {"condition": {"$secret": "key"}}})
        assert [fault.code for fault in known(flow).nodes["n1"].faults] == ["F303"]

    def test_another_value_types_the_nodes_that_mention_it_again(self) -> None:
        before = self.flow()
        prior = known(before)
        after = edit(
            before,
            {"op": "set_parameter", "name": "top", "parameter": {"name": "top", "type": "number", "default": -1}},
        )
        of = known(after, prior=prior, touched=frozenset())
        assert [fault.code for fault in of.nodes["l"].faults] == ["F303"]
        assert of.nodes["n1"] is prior.nodes["n1"]


class TestCost:
    def test_an_edit_that_changes_no_columns_types_one_node(self) -> None:
        before = chain(200)
        prior = known(before)
        after = edit(before, {"op": "set_config", "node_id": "n5", "values": {"condition": "a = 77"}})
        counting = Counting()
        of = infer(after, catalog(), counting, prior=prior, touched=frozenset({"n5"}))
        assert counting.asked == 1
        assert of.nodes["n6"] is prior.nodes["n6"]

    def test_nothing_different_gives_the_very_same(self) -> None:
        flow = chain(3)
        prior = known(flow)
        assert known(flow, prior=prior, touched=frozenset({"n1", "n2"})) is prior

    def test_changed_columns_are_followed_as_far_as_they_matter(self) -> None:
        before = edit(
            chain(1),
            add("f", "formula", columns=[{"name": "c", "expression": "a"}]),
            add("s", "select", keep=["a"]),
            *[add(f"m{n}", "filter", condition=f"a > {n}") for n in range(5)],
            connect("n1", "f"),
            connect("f", "s"),
            connect("s", "m0"),
            *[connect(f"m{n}", f"m{n + 1}") for n in range(4)],
        )
        prior = known(before)
        after = edit(
            before,
            {"op": "set_config", "node_id": "f", "values": {"columns": [{"name": "c", "expression": "a * 2.5"}]}},
        )
        of = known(after, prior=prior, touched=frozenset({"f"}))
        assert columns(of, "f") != columns(prior, "f")
        assert of.nodes["s"] is prior.nodes["s"]
        assert of.nodes["m0"] is prior.nodes["m0"]

    def test_an_edit_in_a_long_chain_costs_what_it_changes(self) -> None:
        length = 500
        before = chain(length)
        prior = known(before)
        after = edit(before, {"op": "set_config", "node_id": "n50", "values": {"condition": "a = 77"}})
        started = time.process_time()
        for _ in range(10):
            infer(after, catalog(), context(), prior=prior, touched=frozenset({"n50"}))
        assert (time.process_time() - started) / 10 < 0.01

    def test_columns_that_change_at_the_head_of_a_long_chain_reach_its_end(self) -> None:
        before = chain(600)
        prior = known(before)
        wider = {"columns": [*SOURCE["columns"], {"name": "c", "type": "DATE"}], "rows": []}
        after = edit(before, {"op": "set_config", "node_id": "n0", "values": wider})
        of = known(after, prior=prior, touched=frozenset({"n0"}))
        assert columns(of, "n600") == [("a", "BIGINT"), ("b", "VARCHAR"), ("c", "DATE")]


CHOICES: list[tuple[str, dict[str, Any]]] = [
    ("filter", {"condition": "a > 1"}),
    ("filter", {"condition": "c > 1"}),
    ("limit", {"count": 3}),
    ("limit", {}),
    ("select", {"keep": ["a"]}),
    ("select", {"rename": {"a": "c"}}),
    ("formula", {"columns": [{"name": "c", "expression": "a + 1"}]}),
    ("aggregate", {"group_by": ["a"], "measures": [{"function": "count"}]}),
    ("union", {}),
    ("manual_table", SOURCE),
    ("nonsense", {}),
]


def step(flow: Flow, luck: random.Random) -> tuple[Flow, set[str]]:
    """Return a flow after some change, and the nodes that it touches."""
    ids = sorted(flow.nodes)
    what = luck.random()
    if not ids or what < 0.35:
        node_id = next(name for at in itertools.count(luck.randrange(9)) if (name := f"n{at}") not in flow.nodes)
        kind, config = luck.choice(CHOICES)
        return edit(flow, add(node_id, kind, **config)), {node_id}
    one, other = luck.choice(ids), luck.choice(ids)
    if what < 0.65:
        try:
            return edit(flow, connect(one, other)), {other}
        except Exception:
            return flow, set()
    if what < 0.85:
        kind, config = luck.choice(CHOICES)
        return edit(flow, {"op": "replace_node", "node_id": one, "type": kind, "config": config}), {one}
    behind = {edge.target.node for edge in flow.edges_from(one)}
    return edit(flow, {"op": "remove_node", "node_id": one}), {one, *behind}


class TestAgain:
    @given(st.integers(0, 2**32))
    def test_step_by_step_comes_to_the_same_as_from_nothing(self, seed: int) -> None:
        luck = random.Random(seed)
        flow, of = EMPTY, known(EMPTY)
        for _ in range(20):
            touched: set[str] = set()
            for _ in range(luck.randint(1, 3)):
                flow, more = step(flow, luck)
                touched |= more
            of = known(flow, prior=of, touched=frozenset(touched))
        assert dict(of.nodes) == dict(known(flow).nodes)
