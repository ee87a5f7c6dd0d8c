"""Runs: started, watched, cancelled, kept within bounds; and runs that are thrown away."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from headrace.base.errors import BadRequest, Invalid, NotFound, Refused, StorageFull, Unavailable
from headrace.nodes.binder import Binder
from headrace.nodes.catalog import Catalog
from headrace.nodes.files import FileSpace
from headrace.nodes.spec import ActionNode, Config, Context, Effect, Fault, Inputs
from headrace.store.memory import MemoryStore
from headrace.workspace.budgets import Budgets
from headrace.workspace.views import RunView
from headrace.workspace.workspace import Workspace
from tests.workspace.conftest import MakeWorkspace
from tests.workspace.flows_for_tests import ANN, ASSISTANT, BUILD, READ, add, configure

WRITE = add("save", "write_file", "totals", path="totals.csv")


def long_flow(workspace: Workspace, folder: Path) -> str:
    """A flow of some 10^9 pairs: its run ends only by being cancelled."""
    (folder / "numbers.csv").write_text("n\n" + "\n".join(str(n) for n in range(60_000)))
    flow_id = workspace.create_flow(ANN, "Long").flow_id
    operations = [
        *add("left", "read_file", path="numbers.csv"),
        *add("right", "formula", "left", columns=[{"name": "one", "expression": "1"}]),
        *add("pairs", "join", how="inner", on=[{"left": "one", "right": "one"}]),
        {"op": "connect", "source": "right", "target": "pairs.left"},
        {"op": "connect", "source": "right", "target": "pairs.right"},
        *add("sorted", "sort", "pairs", by=[{"column": "n", "descending": True}]),
        *add("sums", "aggregate", "sorted", measures=[{"name": "x", "function": "sum", "column": "n"}]),
    ]
    workspace.edit(ANN, flow_id, operations)
    return flow_id


def until_told(workspace: Workspace, flow_id: str, kind: str) -> None:
    """Wait until something of a kind was told."""
    seen = 0
    while told := workspace.wait_for_events(ANN, seen, flow_id=flow_id, timeout=3):
        if any(each.kind == kind for each in told):
            return
        seen = told[-1].seq


def built(workspace: Workspace, *more: object) -> str:
    flow_id = workspace.create_flow(ANN, "Sales").flow_id
    workspace.edit(ANN, flow_id, [*BUILD, *more])
    return flow_id


def ran(workspace: Workspace, flow_id: str, **options: object) -> RunView:
    started = workspace.run(ANN, flow_id, **options)
    return workspace.wait(ANN, started.run_id, 5)


class Python(ActionNode):
    """A node type that runs code, as none of the product does yet."""

    name = "python"
    title = "Python"
    summary = "Runs code."
    area = "output"
    effects = frozenset({Effect.EXECUTES})
    Config = Config

    def examine(self, config: Any, inputs: Inputs, context: Context) -> tuple[Fault, ...]:
        return ()


@pytest.fixture
def make_with(folder: Path, binder: Binder) -> Iterator[Callable[[Catalog], Workspace]]:
    made: list[Workspace] = []

    def one(catalog: Catalog) -> Workspace:
        made.append(Workspace(MemoryStore(), catalog, FileSpace([folder]), binder=binder))
        return made[-1]

    yield one
    for workspace in made:
        workspace.close()


class TestRunning:
    def test_it_gives_the_right_table(self, either: Workspace) -> None:
        done = ran(either, built(either))
        assert (done.status, done.answer, done.number) == ("succeeded", "totals", 1)
        assert list(done.nodes) == ["read", "paid", "totals"]
        assert [each.rows for each in done.nodes.values()] == [12, 7, 3]
        table = either.preview(ANN, done.run_id, "totals")
        assert [column.name for column in table.columns] == ["customer", "total"]
        assert sorted(table.rows) == [("Ann", 270), ("Bob", 170), ("Cy", 190)]
        assert (table.kept, table.total) == (3, 3)
        assert either.preview(ANN, done.run_id, "read", offset=10, limit=5).rows[0][0] == 11

    def test_it_is_told_from_start_to_end(self, either: Workspace) -> None:
        flow_id = built(either)
        done = ran(either, flow_id)
        told = [each for each in either.events(ANN, flow_id=flow_id) if each.kind.startswith(("run.", "node."))]
        assert [each.kind for each in told] == ["run.started", *["node.started", "node.finished"] * 3, "run.finished"]
        assert {each.data["run_id"] for each in told} == {done.run_id}
        assert told[-1].data["status"] == "succeeded"
        assert told[-1].data["answer"] == "totals"

    def test_up_to_one_node(self, either: Workspace) -> None:
        done = ran(either, built(either), to="paid")
        assert (list(done.nodes), done.answer) == (["read", "paid"], "paid")
        with pytest.raises(NotFound):
            either.run(ANN, done.flow_id, to="nothing")

    def test_a_failing_node_is_named_and_the_rest_is_skipped(self, either: Workspace) -> None:
        flow_id = built(either)
        either.edit(ANN, flow_id, [configure("paid", condition="amout > 5")])
        done = ran(either, flow_id)
        assert done.status == "failed"
        assert [each.status for each in done.nodes.values()] == ["succeeded", "failed", "skipped"]
        assert "amout" in done.nodes["paid"].diagnostic.message
        assert done.nodes["totals"].because == "paid"
        with pytest.raises(NotFound):
            either.preview(ANN, done.run_id, "nothing")
        assert either.preview(ANN, done.run_id, "paid").rows == ()

    def test_what_is_asked_meanwhile_and_afterwards_is_the_same(self, either: Workspace) -> None:
        done = ran(either, built(either))
        assert either.run_view(ANN, done.run_id) == done
        assert either.runs(ANN, done.flow_id) == [done.model_copy(update={"nodes": {}})]

    def test_whole_tables_go_to_files_that_a_person_named(self, either: Workspace, tmp_path: Path) -> None:
        ran(either, built(either), exports={"totals": tmp_path / "out.csv"})
        assert (tmp_path / "out.csv").read_text().splitlines()[0] == "customer,total"


class TestEffects:
    def test_a_persons_run_writes(self, workspace: Workspace, folder: Path) -> None:
        done = ran(workspace, built(workspace, *WRITE))
        assert (folder / "totals.csv").exists()
        assert done.nodes["save"].outputs["file"]["rows"] == 3

    def test_a_staged_flow_only_says_what_it_would_do(self, workspace: Workspace, folder: Path) -> None:
        flow_id = built(workspace)
        staged = workspace.propose(ASSISTANT, flow_id, WRITE)
        done = ran(workspace, flow_id, changeset_id=staged.changeset_id)
        assert (done.status, done.dry_run, done.changeset_id) == ("succeeded", True, staged.changeset_id)
        assert "would" in done.nodes["save"].summary
        assert not (folder / "totals.csv").exists()

    def test_so_does_a_run_that_the_assistant_asks_for(self, workspace: Workspace, folder: Path) -> None:
        flow_id = built(workspace, *WRITE)
        started = workspace.run(ASSISTANT, flow_id)
        done = workspace.wait(ANN, started.run_id, 5)
        assert (done.status, done.dry_run) == ("succeeded", True)
        assert "A person must start" in done.note
        assert not (folder / "totals.csv").exists()

    def test_the_assistant_may_run_what_only_reads(self, workspace: Workspace) -> None:
        done = workspace.wait(ANN, workspace.run(ASSISTANT, built(workspace)).run_id, 5)
        assert (done.status, done.dry_run, done.note) == ("succeeded", False, "")

    def test_what_executes_code_is_refused(self, make_with: Callable[[Catalog], Workspace], catalog: Catalog) -> None:
        workspace = make_with(Catalog([*catalog.all(), Python()]))
        flow_id = workspace.create_flow(ANN, "Code").flow_id
        workspace.edit(ANN, flow_id, [*READ, *add("code", "python", "read")])
        with pytest.raises(Refused):
            workspace.run(ASSISTANT, flow_id)

    def test_a_node_type_that_is_not_there_fails_and_does_nothing(self, workspace: Workspace) -> None:
        flow_id = workspace.create_flow(ANN, "Odd").flow_id
        workspace.edit(ANN, flow_id, add("odd", "no_such_type"))
        done = workspace.wait(ANN, workspace.run(ASSISTANT, flow_id).run_id, 5)
        assert (done.status, done.nodes["odd"].diagnostic.code) == ("failed", "F201")


class TestAnswer:
    """Of several tables that nothing takes from, the one that was changed last answers."""

    def answer(self, workspace: Workspace, flow_id: str) -> str | None:
        answer = workspace.answering(ANN, flow_id)
        assert ran(workspace, flow_id).answer == answer
        return answer

    def test_of_an_edit_the_node_furthest_down_answers(self, workspace: Workspace) -> None:
        flow_id = built(workspace)
        workspace.edit(ANN, flow_id, add("a_few", "limit", "paid", count=2))
        assert self.answer(workspace, flow_id) == "a_few"
        workspace.edit(ANN, flow_id, [configure("totals", group_by=[])])
        assert self.answer(workspace, flow_id) == "totals"

    def test_of_a_changeset_the_last_operation_counts(self, workspace: Workspace) -> None:
        flow_id = built(workspace)
        more = [
            *add("z_last", "limit", "paid", count=2),
            *add("a_last", "limit", "paid", count=3),
            {"op": "set_note", "note_id": "n", "note": {"text": "!"}},
        ]
        staged = workspace.propose(ASSISTANT, flow_id, more)
        started = workspace.run(ANN, flow_id, changeset_id=staged.changeset_id)
        assert started.answer == "a_last"
        workspace.approve(ANN, staged.changeset_id, digest=staged.digest)
        assert self.answer(workspace, flow_id) == "a_last"

    def test_a_parameter_counts_as_a_change_of_the_nodes_that_refer_to_it(self, workspace: Workspace) -> None:
        flow_id = built(workspace)

        def most(count: int) -> dict[str, Any]:
            parameter = {"name": "most", "type": "number", "default": count}
            return {"op": "set_parameter", "name": "most", "parameter": parameter}

        few = add("few", "limit", "paid", count={"$parameter": "most"})
        workspace.edit(ANN, flow_id, [most(2), *few])
        workspace.edit(ANN, flow_id, [configure("totals", group_by=[])])
        assert self.answer(workspace, flow_id) == "totals"
        workspace.edit(ANN, flow_id, [most(3)])
        assert self.answer(workspace, flow_id) == "few"
        workspace.edit(ANN, flow_id, [configure("totals", group_by=["customer"])])
        staged = workspace.propose(ASSISTANT, flow_id, [most(4)])
        assert workspace.run(ANN, flow_id, changeset_id=staged.changeset_id).answer == "few"

    def test_up_to_a_table_that_table_answers(self, workspace: Workspace) -> None:
        assert workspace.answering(ANN, built(workspace), to="paid") == "paid"

    def test_of_an_empty_flow_nothing_does(self, workspace: Workspace) -> None:
        assert workspace.answering(ANN, workspace.create_flow(ANN, "Empty").flow_id) is None


class TestCancelling:
    def test_it_stops_within_a_second_and_says_so(self, either: Workspace, folder: Path) -> None:
        flow_id = long_flow(either, folder)
        started = either.run(ANN, flow_id)
        until_told(either, flow_id, "node.started")
        either.cancel(ANN, started.run_id)
        done = either.wait(ANN, started.run_id, 2)
        assert done.status == "cancelled"
        assert either.events(ANN, flow_id=flow_id)[-1].data["status"] == "cancelled"
        assert either.cancel(ANN, started.run_id) == done

    def test_a_run_that_waits_is_cancelled_at_once(self, make: MakeWorkspace, folder: Path) -> None:
        workspace = make(budgets=Budgets(runs_at_once=1))
        flow_id = long_flow(workspace, folder)
        first = workspace.run(ANN, flow_id)
        second = workspace.run(ANN, flow_id)
        workspace.cancel(ANN, second.run_id)
        assert workspace.wait(ANN, second.run_id, 2).status == "cancelled"
        assert not workspace.run_view(ANN, first.run_id).over

    def test_time_is_capped(self, make: MakeWorkspace, folder: Path) -> None:
        workspace = make(budgets=Budgets(run_seconds=0.2))
        done = ran(workspace, long_flow(workspace, folder))
        assert done.status == "cancelled"
        assert "Stopped after 0.2 s" in done.note

    def test_deleting_the_flow_stops_its_runs(self, either: Workspace, folder: Path) -> None:
        flow_id = long_flow(either, folder)
        started = either.run(ANN, flow_id)
        either.delete_flow(ANN, flow_id)
        with pytest.raises(NotFound):
            either.run_view(ANN, started.run_id)
        assert either.events(ANN, flow_id=flow_id)[-1].kind == "flow.deleted"

    def test_closing_the_house_stops_everything(self, make: MakeWorkspace, folder: Path, tmp_path: Path) -> None:
        path = tmp_path / "headrace.db"
        workspace = make(path)
        flow_id = long_flow(workspace, folder)
        started = workspace.run(ANN, flow_id)
        workspace.close()
        assert not [each.name for each in threading.enumerate() if each.name.startswith("headrace-")]
        again = make(path)
        assert again.recover() == 0
        assert again.run_view(ANN, started.run_id).status == "cancelled"


class TestBounds:
    def test_too_many_at_once_are_refused_and_leave_no_record(self, make: MakeWorkspace, folder: Path) -> None:
        workspace = make(budgets=Budgets(runs_at_once=1, runs_waiting=2))
        flow_id = long_flow(workspace, folder)
        assert (workspace.budgets.runs_waiting, "sort" in workspace.catalog) == (2, True)
        started = [workspace.run(ANN, flow_id).run_id for _ in range(2)]
        with pytest.raises(Unavailable, match="Too many runs"):
            workspace.run(ANN, flow_id)
        assert {each.run_id for each in workspace.runs(ANN, flow_id)} == set(started)

    def test_only_the_last_runs_are_kept(self, make: MakeWorkspace, clock) -> None:
        workspace = make(budgets=Budgets(runs_kept=3))
        flow_id = built(workspace)
        done = []
        for _ in range(5):
            clock.forward(1)
            done.append(ran(workspace, flow_id).run_id)
        assert [each.run_id for each in workspace.runs(ANN, flow_id)] == done[:1:-1]
        with pytest.raises(NotFound):
            workspace.run_view(ANN, done[0])

    def test_previews_are_bounded(self, make: MakeWorkspace, folder: Path) -> None:
        (folder / "orders.csv").write_text("id,customer,amount,day\n" + "1,Ann,60,2026-01-01\n" * 5_000)
        workspace = make(budgets=Budgets(preview_rows=10))
        done = ran(workspace, built(workspace))
        table = workspace.preview(ANN, done.run_id, "paid", limit=1_000)
        assert (len(table.rows), table.kept, table.total) == (10, 10, 5_000)

    def test_a_full_disk_ends_the_run_and_says_so(self, workspace: Workspace) -> None:
        flow_id = built(workspace)
        store = workspace._house.store
        ordinary = store.transaction
        writer = threading.get_ident()

        def full(*, durable: bool = True):
            if threading.get_ident() != writer:
                raise StorageFull("storage_full", "The disk is full; nothing was written.")
            return ordinary(durable=durable)

        store.transaction = full
        done = ran(workspace, flow_id)
        store.transaction = ordinary
        assert done.status == "failed"
        assert "The disk is full" in done.note


class TestThrownAway:
    def test_a_question_is_answered_and_nothing_is_kept(self, either: Workspace) -> None:
        flow_id = built(either)
        before = either.events(ANN)
        top = add("top", "sort", "totals", by=[{"column": "total", "descending": True}])
        found = either.scratch(ASSISTANT, flow_id=flow_id, operations=top)
        assert (found.status, found.answer) == ("succeeded", "top")
        assert found.table.rows == (("Ann", 270), ("Cy", 190), ("Bob", 170))
        assert either.events(ANN) == before
        assert either.runs(ANN, flow_id) == []

    def test_a_document_will_do(self, workspace: Workspace) -> None:
        document = workspace.flow(ANN, built(workspace)).document
        found = workspace.scratch(ANN, document=document, to="paid", rows=2)
        assert (len(found.table.rows), found.table.total) == (2, 7)
        with pytest.raises(BadRequest):
            workspace.scratch(ANN, flow_id="flow_1", document=document)

    def test_a_staged_flow_will_do(self, workspace: Workspace) -> None:
        flow_id = built(workspace)
        staged = workspace.propose(ASSISTANT, flow_id, [configure("paid", condition="amount > 100")])
        assert workspace.scratch(ANN, flow_id=flow_id, changeset_id=staged.changeset_id, to="paid").table.total == 2

    def test_effects_are_never_done(self, workspace: Workspace, folder: Path) -> None:
        found = workspace.scratch(ANN, flow_id=built(workspace, *WRITE))
        assert found.status == "succeeded"
        assert not (folder / "totals.csv").exists()

    def test_what_is_wrong_comes_back_as_data(self, workspace: Workspace) -> None:
        found = workspace.scratch(ANN, flow_id=built(workspace), operations=[configure("paid", condition="amout > 1")])
        assert found.status == "failed"
        assert "amout" in found.nodes["paid"].diagnostic.message
        assert "F401" in [each.code for each in found.diagnostics]

    def test_time_is_capped(self, workspace: Workspace, folder: Path) -> None:
        found = workspace.scratch(ANN, flow_id=long_flow(workspace, folder), seconds=0.2)
        assert found.status == "cancelled"
        assert "0.2 s" in found.note


class TestProfiles:
    def test_a_table_in_figures(self, either: Workspace) -> None:
        flow_id = built(either)
        figures = either.profile(ANN, flow_id, "paid")
        amount = next(each for each in figures.columns if each.name == "amount")
        assert (figures.rows, amount.nulls, amount.distinct, amount.min, amount.max) == (7, 0, 7, 60, 120)
        assert [each.name for each in either.profile(ANN, flow_id, "paid", columns=["Customer"]).columns] == [
            "customer"
        ]

    def test_of_what_gives_no_table_the_reason_is_told(self, either: Workspace) -> None:
        flow_id = built(either, *WRITE)
        either.edit(ANN, flow_id, [configure("paid", condition="amout > 1")])
        with pytest.raises(Invalid, match="amout"):
            either.profile(ANN, flow_id, "totals")
        with pytest.raises(NotFound):
            either.profile(ANN, flow_id, "nothing")
