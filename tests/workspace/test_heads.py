"""Heads: snapshots, what another program committed, and two that commit at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from headrace.base.errors import WrongState
from headrace.flow.model import flow_from_document
from headrace.flow.patch import Patch, apply
from headrace.store.memory import MemoryStore
from headrace.store.records import RevisionRecord, SnapshotRecord
from headrace.workspace.budgets import Budgets
from headrace.workspace.heads import Head, Move
from headrace.workspace.workspace import Workspace
from tests.workspace.conftest import MakeWorkspace
from tests.workspace.flows_for_tests import ANN, READ, add, configure, move, title


def kept(store: MemoryStore, flow_id: str) -> tuple[int, int]:
    """Bytes of all patches and of all snapshots of a flow."""
    with store.reading() as view:
        patches = view.find(RevisionRecord, "ann", where={"flow_id": flow_id})
        snapshots = view.find(SnapshotRecord, "ann", where={"flow_id": flow_id})
    return sum(len(str(each.patch)) for each in patches), sum(len(str(each.document)) for each in snapshots)


class TestSnapshots:
    def test_they_weigh_no_more_than_a_few_times_the_patches(self, make: MakeWorkspace) -> None:
        store = MemoryStore()
        workspace = make(store)
        flow_id = workspace.create_flow(ANN, "Sales").flow_id
        workspace.edit(ANN, flow_id, [each for n in range(20) for each in add(f"n{n}", "read_file", path="orders.csv")])
        for n in range(60):
            workspace.edit(ANN, flow_id, [move("n1", n)])
        patches, snapshots = kept(store, flow_id)
        assert snapshots < 3 * patches
        with store.reading() as view:
            assert 2 <= len(view.find(SnapshotRecord, "ann", where={"flow_id": flow_id})) < 15

    def test_a_flow_is_opened_from_the_last_and_what_came_after(self, make: MakeWorkspace, tmp_path: Path) -> None:
        path = tmp_path / "headrace.db"
        first = make(path)
        flow_id = first.create_flow(ANN, "Sales").flow_id
        for n in range(30):
            first.edit(ANN, flow_id, add(f"n{n}", "read_file", path="orders.csv"))
        before = first.flow(ANN, flow_id)
        first.close()
        assert make(path).flow(ANN, flow_id) == before


class TestTwoPrograms:
    @pytest.fixture
    def pair(self, make: MakeWorkspace, tmp_path: Path) -> tuple[Workspace, Workspace]:
        path = tmp_path / "headrace.db"
        return make(path), make(path)

    def test_each_sees_what_the_other_committed(self, pair: tuple[Workspace, Workspace]) -> None:
        one, two = pair
        flow_id = one.create_flow(ANN, "Sales").flow_id
        for n in range(4):
            pair[n % 2].edit(ANN, flow_id, add(f"n{n}", "read_file", path="orders.csv"))
        assert one.flow(ANN, flow_id) == two.flow(ANN, flow_id)
        assert one.flow(ANN, flow_id).number == 4

    def test_the_slower_of_two_is_told_so_and_loses_nothing(self, pair: tuple[Workspace, Workspace]) -> None:
        one, two = pair
        flow_id = one.create_flow(ANN, "Sales").flow_id
        heads = one._house.heads
        with one._house.store.reading() as view:
            stale = heads.head(view, ANN, flow_id)
        two.edit(ANN, flow_id, READ)
        with one._house.store.transaction() as tx, pytest.raises(WrongState) as caught:
            heads.move(tx, ANN, stale, move=_empty_move(stale), now=one._house.now())
        assert caught.value.code == "head_moved"
        one.edit(ANN, flow_id, [title("read", "Orders")])
        assert one.flow(ANN, flow_id).number == 2


class TestMemory:
    def test_a_head_that_is_older_than_what_is_known_is_not_remembered(self, workspace: Workspace) -> None:
        flow_id = workspace.create_flow(ANN, "Sales").flow_id
        heads = workspace._house.heads
        with workspace._house.store.reading() as view:
            old = heads.head(view, ANN, flow_id)
        workspace.edit(ANN, flow_id, READ)
        heads.put(old)
        assert workspace.flow(ANN, flow_id).number == 1

    def test_flows_that_are_not_kept_in_memory_are_read_again(self, make: MakeWorkspace) -> None:
        workspace = make(budgets=Budgets(heads_kept=1))
        flows = [workspace.create_flow(ANN, name).flow_id for name in "abc"]
        for flow_id in flows:
            workspace.edit(ANN, flow_id, READ)
        assert [workspace.flow(ANN, flow_id).number for flow_id in flows] == [1, 1, 1]

    def test_a_database_that_was_put_back_is_believed(self, make: MakeWorkspace) -> None:
        """A copy from before: the head in memory is of a flow that is no more."""
        workspace = make(store := MemoryStore())
        flow_id = workspace.create_flow(ANN, "Sales").flow_id
        before = store._state
        workspace.edit(ANN, flow_id, READ)
        store._state = before
        assert workspace.flow(ANN, flow_id).number == 0
        workspace.edit(ANN, flow_id, add("other", "limit", count=1))
        make(store).edit(ANN, flow_id, READ)
        assert set(workspace.flow(ANN, flow_id).document["nodes"]) == {"other", "read"}

    def test_another_life_at_the_same_number_is_told_apart(self, make: MakeWorkspace) -> None:
        workspace = make(store := MemoryStore())
        flow_id = workspace.create_flow(ANN, "Sales").flow_id
        before = store._state
        workspace.edit(ANN, flow_id, READ)
        store._state = before
        make(store).edit(ANN, flow_id, add("other", "limit", count=1))
        assert set(workspace.flow(ANN, flow_id).document["nodes"]) == {"other"}


def test_of_very_many_diagnostics_the_gravest_are_shown(workspace: Workspace) -> None:
    flow_id = workspace.create_flow(ANN, "Sales").flow_id
    workspace.edit(ANN, flow_id, [each for n in range(230) for each in add(f"n{n}", "limit", count=1)])
    found = workspace.flow(ANN, flow_id).diagnostics
    assert len(found) == 200
    assert {each.severity for each in found} == {"error"}


def _empty_move(head: Head) -> Move:
    return Move(patch=Patch(), after=head.judged, author="ann")


def test_files_that_change_are_noticed_without_an_edit(workspace: Workspace, folder: Path) -> None:
    flow_id = workspace.create_flow(ANN, "Sales").flow_id
    workspace.edit(ANN, flow_id, [*READ, *add("paid", "filter", "read", condition="price > 1")])
    assert [each.code for each in workspace.flow(ANN, flow_id).diagnostics] == ["F103", "F401"]
    (folder / "orders.csv").write_text("price\n1.5\n2.5\n")
    assert [each.code for each in workspace.flow(ANN, flow_id).diagnostics] == ["F103"]
    (folder / "orders.csv").unlink()
    assert "F501" in [each.code for each in workspace.flow(ANN, flow_id).diagnostics]


def test_who_replays_the_events_ends_where_the_flow_is(either: Workspace) -> None:
    made = either.create_flow(ANN, "Sales")
    columns = dict(made.columns)
    flow = flow_from_document(made.document)
    either.edit(ANN, made.flow_id, READ)
    either.edit(ANN, made.flow_id, add("paid", "filter", "read", condition="amount > 5"))
    either.edit(ANN, made.flow_id, [configure("read", path="customers.csv")])
    either.edit(ANN, made.flow_id, [{"op": "remove_node", "node_id": "paid"}])
    either.undo(ANN, made.flow_id)
    diagnostics = [each.model_dump(mode="json") for each in made.diagnostics]
    for event in either.events(ANN, flow_id=made.flow_id):
        if event.kind == "revision.committed":
            flow = apply(flow, Patch.model_validate(event.data["patch"]))
            columns = {**columns, **event.data["columns"]}
            news = event.data["diagnostics"]
            diagnostics = diagnostics if news is None else news
    now = either.flow(ANN, made.flow_id).model_dump(mode="json")
    assert flow == flow_from_document(now["document"])
    assert {node: columns[node] for node in now["document"]["nodes"]} == now["columns"]
    assert diagnostics == now["diagnostics"]
