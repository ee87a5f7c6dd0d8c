"""Changesets that grow: at every moment the same as if they had been staged in one go, whoever looks and from where."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from headrace.base.errors import StaleApproval, StorageFull, WrongState
from headrace.flow.operations import OperationError
from headrace.store.memory import MemoryStore
from headrace.store.records import AmendmentRecord, ChangesetRecord
from headrace.store.sql import open_store
from headrace.workspace.views import ChangesetView
from headrace.workspace.workspace import Workspace
from tests.workspace.conftest import MakeWorkspace
from tests.workspace.flows_for_tests import (
    ANN,
    ASSISTANT,
    BUILD,
    PAID,
    READ,
    TOTALS,
    add,
    configure,
    connect,
    move,
    title,
)
from vectors import amending

BY_ITSELF = ("changeset_id", "amended", "created_at", "updated_at", "titles", "summary", "turn_id")
"""What is a changeset's own, whatever it holds."""


def held(view: ChangesetView) -> dict[str, Any]:
    return view.model_dump(mode="json", exclude=set(BY_ITSELF))


def set_parameter(name: str, value: Any) -> dict[str, Any]:
    return {"op": "set_parameter", "name": name, "parameter": {"name": name, "type": "number", "default": value}}


def something(chance: random.Random, number: int) -> list[dict[str, Any]]:
    """Return operations of which some can be applied."""
    known = ("read", "paid", "totals", *(f"n{n}" for n in range(number)))
    one, other = chance.choice(known), chance.choice(known)
    return chance.choice(
        (
            add(f"n{number}", "limit", one, count=number),
            add(f"n{number}", "filter", one, condition=chance.choice(("amount > 1", "amout > 1", "id = 2"))),
            add(f"n{number}", "limit", count={"$parameter": "most"}),
            [connect(one, other)],
            [configure(one, condition=f"amount > {number % 3}")],
            [configure(one, count=number % 3)],
            [title(one, f"Title {number % 2}")],
            [move(one, number % 2)],
            [set_parameter("most", number % 4)],
            [{"op": "set_name", "name": f"Name {number % 2}"}],
            [{"op": "remove_node", "node_id": one}],
            [{"op": "set_note", "note_id": "n", "note": {"text": f"{number % 3}"}}],
        )
    )


@pytest.mark.parametrize("seed", range(12))
def test_a_draft_that_grew_is_the_one_that_was_staged_at_once(make: MakeWorkspace, tmp_path: Path, seed: int) -> None:
    """[C2] Its patch, digest, columns, diagnostics and words; also for who opens the file anew."""
    chance = random.Random(seed)
    workspace = make(tmp_path / "headrace.db")
    flow_id = workspace.create_flow(ANN, "Sales").flow_id
    workspace.edit(ANN, flow_id, [*BUILD, title("paid", "Paid"), set_parameter("most", 9)])
    staged = workspace.propose(ASSISTANT, flow_id, [title("read", "Orders")])
    for number in range(30):
        try:
            staged = workspace.amend(ASSISTANT, staged.changeset_id, something(chance, number))
        except OperationError:
            continue
        if number % 10 == 0:
            workspace.edit(ANN, flow_id, [{"op": "set_note", "note_id": "mine", "note": {"text": f"{number}"}}])
    staged = workspace.amend(ASSISTANT, staged.changeset_id, [{"op": "set_name", "name": "Grown"}])
    at_once = workspace.propose(ASSISTANT, flow_id, staged.operations)
    assert held(staged) == held(at_once)
    reopened = make(tmp_path / "headrace.db")
    assert reopened.changeset(ANN, staged.changeset_id) == staged
    shown = reopened.flow(ANN, flow_id, changeset_id=staged.changeset_id)
    assert shown == workspace.flow(ANN, flow_id, changeset_id=staged.changeset_id)
    reopened.approve(ANN, staged.changeset_id, digest=staged.digest)
    assert workspace.flow(ANN, flow_id).document == shown.document


def test_an_amendment_costs_what_is_new_in_it(either: Workspace) -> None:
    """The event and the row of the hundredth operation are as large as those of the tenth."""
    flow_id = either.create_flow(ANN, "Sales").flow_id
    staged = either.propose(ASSISTANT, flow_id, READ)
    before = "read"
    for number in range(100, 200):
        either.amend(ASSISTANT, staged.changeset_id, add(f"n{number}", "limit", before, count=5))
        before = f"n{number}"
    sizes = [len(each.model_dump_json()) for each in either.events(ANN) if each.kind == "changeset.amended"]
    assert len(sizes) == 100
    assert max(sizes) < min(sizes) * 1.2


def test_the_kept_story_is_fresh() -> None:
    assert amending.KEPT.read_text(encoding="utf-8") == amending.text(), "run: .venv/bin/python -m vectors.amending"


def test_two_programs_amend_one_draft(make: MakeWorkspace) -> None:
    store = MemoryStore()
    one, two = make(store), make(store)
    flow_id = one.create_flow(ANN, "Sales").flow_id
    staged = one.propose(ASSISTANT, flow_id, READ)
    two.amend(ASSISTANT, staged.changeset_id, PAID)
    last = one.amend(ASSISTANT, staged.changeset_id, TOTALS)
    assert last.amended == 2
    assert last == two.changeset(ANN, staged.changeset_id)
    assert [each["id"] for each in (op["node"] for op in held(last)["operations"] if op["op"] == "add_node")] == [
        "read",
        "paid",
        "totals",
    ]


def test_a_draft_that_another_program_decided_about_is_not_overwritten(make: MakeWorkspace) -> None:
    store = MemoryStore()
    one, two = make(store), make(store)
    flow_id = one.create_flow(ANN, "Sales").flow_id
    staged = one.propose(ASSISTANT, flow_id, READ)
    two.reject(ANN, staged.changeset_id)
    with pytest.raises(WrongState):
        one.amend(ASSISTANT, staged.changeset_id, PAID)
    assert one.changeset(ANN, staged.changeset_id).status == "rejected"


def test_what_could_not_be_kept_is_in_nobodys_memory(make: MakeWorkspace, tmp_path: Path) -> None:
    database = tmp_path / "headrace.db"
    workspace = make(open_store(database, quota_bytes=400_000))
    flow_id = workspace.create_flow(ANN, "Sales").flow_id
    staged = workspace.propose(ASSISTANT, flow_id, READ)
    note = {"op": "set_note", "note_id": "n", "note": {"text": "x" * 19_000}}

    def fill_up() -> None:
        nonlocal staged
        for number in range(100):
            staged = workspace.amend(ASSISTANT, staged.changeset_id, [{**note, "note_id": f"n{number}"}])

    with pytest.raises(StorageFull):
        fill_up()
    assert staged.amended > 1
    assert workspace.changeset(ANN, staged.changeset_id) == staged
    assert make(database).changeset(ANN, staged.changeset_id) == staged


def test_a_draft_on_a_flow_that_moved_is_told_whole(either: Workspace) -> None:
    flow_id = either.create_flow(ANN, "Sales").flow_id
    either.edit(ANN, flow_id, READ)
    staged = either.propose(ASSISTANT, flow_id, PAID)
    either.edit(ANN, flow_id, [title("read", "Orders")])
    amended = either.amend(ASSISTANT, staged.changeset_id, TOTALS)
    last = either.events(ANN)[-1]
    assert (last.kind, last.data["changeset"]["amended"]) == ("changeset.changed", 1)
    assert last.data["changeset"]["digest"] == amended.digest
    with pytest.raises(StaleApproval):
        either.approve(ANN, staged.changeset_id, digest=staged.digest)


def test_files_that_change_under_a_draft_are_told_with_the_next_amendment(either: Workspace, folder: Path) -> None:
    flow_id = either.create_flow(ANN, "Sales").flow_id
    staged = either.propose(ASSISTANT, flow_id, [*READ, *PAID])
    (folder / "orders.csv").write_text("id,amount,region\n1,60,North\n2,70,South\n")
    amended = either.amend(ASSISTANT, staged.changeset_id, [title("paid", "Paid")])
    assert [column.name for column in amended.columns["paid"]["out"]] == ["id", "amount", "region"]
    assert held(amended) == held(either.propose(ASSISTANT, flow_id, amended.operations))


def test_removing_a_flow_takes_its_drafts_along(make: MakeWorkspace) -> None:
    store = MemoryStore()
    workspace = make(store)
    flow_id = workspace.create_flow(ANN, "Sales").flow_id
    staged = workspace.propose(ASSISTANT, flow_id, READ)
    workspace.amend(ASSISTANT, staged.changeset_id, PAID)
    workspace.delete_flow(ANN, flow_id)
    with store.reading() as view:
        assert view.find(ChangesetRecord, ANN.owner) == view.find(AmendmentRecord, ANN.owner) == []
