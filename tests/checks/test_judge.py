"""Every code that a check can raise, at its exact place, and fixes that mend what they say they mend."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from headrace.checks.codes import CODES
from headrace.checks.judge import examine
from headrace.flow.model import document_of, flow_from_document
from headrace.flow.operations import AddNode, Connect, Disconnect, RemoveNode, SetConfig, apply_all, operations_from
from headrace.nodes.inference import infer

ORDERS = ("read_file", {"path": "orders.csv"})
LIMIT = ("limit", {"count": 1})
TABLE = ("manual_table", {"columns": [{"name": "a", "type": "text"}], "rows": [["x"]]})


def condition(text: str) -> tuple[str, dict[str, Any]]:
    return ("filter", {"condition": text})


@dataclass
class Case:
    """A flow that raises a code once, at one place; its first fix, if it has one, removes it."""

    code: str
    nodes: dict[str, tuple[str, dict[str, Any]]]
    edges: tuple[str, ...] = ()
    node: str = ""
    port: str = ""
    path: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    fixes: int = 0
    document: dict[str, Any] = field(default_factory=dict)


CASES = [
    Case("F101", {"a": LIMIT, "b": LIMIT, "c": LIMIT}, ("a > b", "b > c", "c > a"), "a", says=("a → b → c → a",), fixes=3),
    Case("F101", {"a": LIMIT}, ("a > a",), "a", says=("a → a",), fixes=1),
    Case("F102", {"f": LIMIT, "s": LIMIT}, ("f > s",), "s", says=("'s'", "'f'")),
    Case("F103", {}, says=("empty", "read_file")),
    Case("F103", {"read": ORDERS}, says=("write_file",)),
    Case("F104", {"read": ORDERS, "f": LIMIT}, (), "f", "in", says=("'in' of 'f'",), fixes=1),
    Case("F104", {"read": ORDERS, "t": TABLE, "f": LIMIT}, (), "f", "in"),
    Case("F104", {"t": TABLE, "j": ("join", {"on": [{"left": "a", "right": "a"}]})}, ("t > j.left",), "j", "right"),
    Case("F105", {"read": ORDERS, "t": TABLE, "f": LIMIT}, ("read > f", "t > f"), "f", "in", says=("'read', 't'", "`union`"), fixes=2),
    Case("F106", {"t": TABLE, "w": ("write_file", {"path": "x.csv"}), "v": ("write_file", {"path": "./x.csv"})}, ("t > w", "t > v"), "w", path=("path",), says=("'v' and 'w'", "'x.csv'"), fixes=1),
    Case("F107", {"read": ORDERS, "t": TABLE, "f": LIMIT}, ("t > f",), "read", fixes=1),
    Case("F201", {"t": TABLE, "f": ("limt", {"count": 1})}, ("t > f",), "f", says=("'limt'", "'limit'"), fixes=1),
    Case("F201", {"f": ("zzzzqqq", {})}, (), "f", says=("There are: aggregate",)),
    Case("F202", {"t": TABLE, "f": LIMIT}, ("t > f.table",), "f", "table", says=("no input 'table'", "'in'"), fixes=2),
    Case("F202", {"t": TABLE, "f": LIMIT}, ("t.rows > f",), "f", "in", says=("no output 'rows'", "'out'"), fixes=2),
    Case("F202", {"t": TABLE, "u": TABLE}, ("t > u",), "u", "in", says=("`manual_table` has none",), fixes=1),
    Case("F203", {"t": TABLE, "w": ("write_file", {"path": "x.csv"}), "f": LIMIT}, ("t > w", "w.file > f"), "f", "in", says=("gives a file", "takes a table"), fixes=1),
    Case("F204", {"t": TABLE}, (), "t", says=("version 9", "version 1"), document={"version": 9}),
    Case("F301", {"t": TABLE, "f": ("filter", {})}, ("t > f",), "f", path=("condition",), says=("'condition' is missing",)),
    Case("F302", {"t": TABLE, "f": ("limit", {"count": 1, "ofset": 2})}, ("t > f",), "f", path=("ofset",), says=("'ofset'", "'offset'"), fixes=2),
    Case("F302", {"t": TABLE, "s": ("sort", {"by": [{"column": "a", "down": True}]})}, ("t > s",), "s", path=("by", "0", "down")),
    Case("F303", {"t": TABLE, "f": ("limit", {"count": -5})}, ("t > f",), "f", path=("count",), says=("-5",)),
    Case("F303", {"t": TABLE, "j": ("union", {"match": "names"})}, ("t > j",), "j", path=("match",), says=("'names'", "position")),
    Case("F304", {"t": TABLE, "f": ("limit", {"count": {"$parameter": "tpo"}})}, ("t > f",), "f", path=("count",), says=("'tpo'", "'top'"), fixes=1, document={"parameters": {"top": {"type": "number", "default": 5}}}),
    Case("F304", {"t": TABLE, "f": ("limit", {"count": {"$parameter": "top"}})}, ("t > f",), "f", path=("count",), says=("no value",), document={"parameters": {"top": {"type": "number"}}}),
    Case("F401", {"read": ORDERS, "f": condition("amonut > 5")}, ("read > f",), "f", path=("condition",), says=("'amonut'", "'amount'"), fixes=1),
    Case("F401", {"read": ORDERS, "s": ("sort", {"by": [{"column": "id"}, {"column": "regoin"}]})}, ("read > s",), "s", path=("by", "1", "column"), says=("'region'",), fixes=1),
    Case("F401", {"read": ORDERS, "c": ("chart", {"kind": "bar", "x": "regoin"})}, ("read > c",), "c", "in", ("x",), fixes=1),
    Case("F402", {"read": ORDERS, "f": condition("amount")}, ("read > f",), "f", path=("condition",), says=("true or false",)),
    Case("F403", {"read": ORDERS, "f": condition("amount > ")}, ("read > f",), "f", path=("condition",)),
    Case("F404", {"read": ORDERS, "f": condition("read_text('x') = 'y'")}, ("read > f",), "f", path=("condition",), says=("'read_text'",)),
    Case("F405", {"read": ORDERS, "f": condition("day > 'yesterday'")}, ("read > f",), "f", path=("condition",), says=("'yesterday'", "date")),
    Case("F406", {"read": ORDERS, "a": ("aggregate", {"group_by": ["region"], "measures": [{"name": "Region", "function": "count"}]})}, ("read > a",), "a", path=("measures", "0", "name"), says=("'Region'",)),
    Case("F501", {"read": ("read_file", {"path": "order.csv"})}, (), "read", path=("path",), says=("'order.csv'", "'orders.csv'"), fixes=1),
    Case("F502", {"read": ("read_file", {"path": "parts"})}, (), "read", path=("path",), says=("folder",)),
    Case("F503", {"read": ("read_file", {"path": "../x.csv"})}, (), "read", path=("path",)),
    Case("F504", {"read": ("read_file", {"path": "broken.parquet"})}, (), "read", path=("path",)),
    Case("F505", {"read": ("read_file", {"path": "empty.csv"})}, (), "read", path=("path",)),
    Case("F510", {"t": TABLE, "w": ("write_file", {"path": "x.csv"})}, ("t > w",), "w", says=("'x.csv'",)),
    Case("F511", {"t": TABLE, "w": ("write_file", {"path": "taken.csv"})}, ("t > w",), "w", path=("path",), says=("'taken.csv'",), fixes=1),
    Case("F512", {"read": ORDERS, "w": ("write_file", {"path": "./orders.csv", "overwrite": True})}, ("read > w",), "w", path=("path",), says=("is read by 'read'",), fixes=1),
]  # fmt: skip


def flow_of(lab, case: Case):
    lab.write("empty.csv", "")
    lab.write("broken.parquet", "PAR1 and no more")
    document = dict(case.document)
    version = document.pop("version", None)
    flow = lab.flow(case.nodes, *case.edges, **document)
    if version is not None:
        whole = document_of(flow)
        nodes = {key: {**node, "version": version} for key, node in whole["nodes"].items()}
        flow = flow_from_document({**whole, "nodes": nodes})
    return flow


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}-{case.node or 'flow'}-{len(case.nodes)}")
class TestEveryCode:
    def test_it_is_raised_at_its_place_in_three_beats(self, lab, case):
        found = [each for each in lab.judge(flow_of(lab, case)) if each.code == case.code]
        assert len(found) == 1, found
        (each,) = found
        assert (each.where.node, each.where.port, each.where.path) == (case.node, case.port, case.path)
        assert each.severity == CODES[case.code].severity
        for words in case.says:
            assert words in each.message
        assert each.message.endswith((".", ")"))
        assert len(each.fixes) >= case.fixes
        assert bool(each.fixes) == bool(case.fixes)

    def test_every_fix_of_it_removes_it(self, lab, case):
        flow = flow_of(lab, case)
        (each,) = [each for each in lab.judge(flow) if each.code == case.code]
        for fix in each.fixes[:2]:
            mended = apply_all(flow, fix.operations)
            left = [other for other in lab.judge(mended) if (other.code, other.where) == (each.code, each.where)]
            assert left == [], (fix.label, left)
            assert (
                operations_from([operation.model_dump(mode="json") for operation in fix.operations]) == fix.operations
            )

    def test_a_run_stops_at_an_error_and_says_the_same(self, lab, case):
        if CODES[case.code].severity != "error" or case.code in ("F101", "F106", "F204", "F512"):
            pytest.skip("said of the whole flow, or found by a run in its own words")
        flow = flow_of(lab, case)
        said = {each.message for each in lab.judge(flow) if each.where.node == case.node}
        diagnostic = lab.run(flow).failed(case.node).diagnostic
        assert diagnostic.code == case.code
        assert set(diagnostic.message.split("\n")) <= said


class TestTheTable:
    def test_every_code_of_a_check_is_raised_by_a_case(self):
        raised = {case.code for case in CASES}
        assert raised == {code for code in CODES if not code.startswith("F6")}

    def test_codes_are_in_order_and_say_what_they_mean(self):
        assert list(CODES) == sorted(CODES)
        for code in CODES.values():
            assert code.title
            assert code.explanation.endswith(".")
            assert code.example.endswith((".", "→"))


class TestOrder:
    def test_findings_come_by_node_then_by_code(self, lab):
        flow = lab.flow({"b": ("filtre", {}), "a": ("limit", {"count": -1, "x": 1}), "c": LIMIT})
        found = [(each.where.node, each.code) for each in lab.judge(flow)]
        assert found == sorted(found)
        assert found[0] == ("", "F103")

    def test_all_faults_of_a_node_are_found_at_once(self, lab):
        flow = lab.flow({"read": ORDERS, "f": condition("amonut > 5 AND regoin = 'x'")}, "read > f")
        messages = [each.message for each in lab.judge(flow) if each.code == "F401"]
        assert len(messages) == 2

    def test_one_cause_is_told_once(self, lab):
        flow = lab.flow(
            {"read": ("read_file", {"path": "gone.csv"}), "f": condition("a > 1"), "s": LIMIT}, "read > f", "f > s"
        )
        assert [each.code for each in lab.judge(flow) if each.severity != "note"] == ["F501"]


class TestLooseTables:
    def test_a_table_behind_the_node_does_not_count(self, lab):
        flow = lab.flow({"f": LIMIT, "g": LIMIT, "read": ORDERS}, "f > g")
        (each,) = [each for each in lab.judge(flow) if each.code == "F104"]
        assert each.fixes[0].operations == (Connect(source="read.out", target="f.in"),)

    def test_a_node_of_a_join_that_lacks_one_side_gets_the_other_table(self, lab):
        flow = lab.flow({"a": TABLE, "b": TABLE, "j": ("join", {"on": [{"left": "a", "right": "a"}]})}, "a > j.left")
        (each,) = [each for each in lab.judge(flow) if each.code == "F104"]
        assert each.fixes[0].operations == (Connect(source="b.out", target="j.right"),)


def batches():
    """Edits of a flow, one after the other."""
    yield [AddNode(node={"id": "f", "type": "filter", "config": {"condition": "amount > 1"}})]
    yield [Connect(source="read", target="f")]
    yield [SetConfig(node_id="f", values={"condition": "amonut > 1"})]
    yield [
        AddNode(node={"id": "s", "type": "sort", "config": {"by": [{"column": "id"}]}}),
        Connect(source="f", target="s"),
    ]
    yield [SetConfig(node_id="f", values={"condition": "amount > 1"})]
    yield [Disconnect(source="read", target="f")]
    yield [
        AddNode(node={"id": "w", "type": "write_file", "config": {"path": "orders.csv"}}),
        Connect(source="s", target="w"),
    ]
    yield [Connect(source="read", target="f")]
    yield [SetConfig(node_id="w", values={"path": "new.csv"})]
    yield [
        AddNode(node={"id": "v", "type": "write_file", "config": {"path": "new.csv"}}),
        Connect(source="f", target="v"),
    ]
    yield [RemoveNode(node_id="read")]
    yield [AddNode(node={"id": "t", "type": "manual_table", "config": {"columns": [{"name": "id", "type": "number"}]}})]
    yield [Connect(source="t", target="f")]
    yield [RemoveNode(node_id="w")]
    yield [RemoveNode(node_id="f")]


class TestFromAPriorJudgement:
    def test_after_every_edit_it_finds_what_a_fresh_look_finds(self, lab):
        context = lab.context
        flow = lab.flow({"read": ORDERS, "alone": TABLE})
        inference = infer(flow, lab.catalog, context)
        judgement = examine(flow, lab.catalog, inference)
        for batch in batches():
            changed = apply_all(flow, batch)
            touched = frozenset(key for key in {*flow.nodes, *changed.nodes} if _differs(flow, changed, key))
            inference = infer(changed, lab.catalog, context, prior=inference, touched=touched)
            judgement = examine(changed, lab.catalog, inference, prior=judgement, touched=touched)
            assert judgement.diagnostics == lab.judge(changed)
            flow = changed

    def test_what_is_found_at_a_node_can_be_asked(self, lab):
        flow = lab.flow({"read": ORDERS, "f": condition("amonut > 1")}, "read > f")
        judgement = examine(flow, lab.catalog, lab.infer(flow))
        assert [each.code for each in judgement.of("f")] == ["F401"]
        assert judgement.of("read") == ()


def _differs(before, after, node_id: str) -> bool:
    return (
        before.nodes.get(node_id) != after.nodes.get(node_id)
        or before.edges_into(node_id) != after.edges_into(node_id)
        or before.edges_from(node_id) != after.edges_from(node_id)
    )
