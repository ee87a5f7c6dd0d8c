"""Files that a person brings: in parts, whole or not at all, and never over another one unasked."""

from __future__ import annotations

from pathlib import Path

import pytest

from headrace.base.errors import Invalid, NotFound, Refused, WrongState
from headrace.workspace.budgets import Budgets
from headrace.workspace.workspace import Workspace
from tests.workspace.conftest import MakeWorkspace
from tests.workspace.flows_for_tests import ANN, ASSISTANT, BOB

CSV = b"a,b\n1,2\n3,4\n"


def send(workspace: Workspace, path: str, content: bytes = CSV, *, overwrite: bool = False) -> str:
    upload_id = workspace.receive(ANN, path, overwrite=overwrite).upload_id
    for at in range(0, len(content), 5):
        workspace.receive_part(ANN, upload_id, content[at : at + 5], at=at)
    return workspace.receive_whole(ANN, upload_id).path


def folder(workspace: Workspace) -> Path:
    return workspace._house.files.write_root


class TestReceiving:
    def test_the_parts_of_a_file_become_the_file(self, workspace: Workspace) -> None:
        assert send(workspace, "in/small.csv") == "in/small.csv"
        assert (folder(workspace) / "in" / "small.csv").read_bytes() == CSV
        assert [each.name for each in workspace.describe_file(ANN, "in/small.csv").columns] == ["a", "b"]

    def test_an_empty_file_can_be_brought(self, workspace: Workspace) -> None:
        assert send(workspace, "none.csv", b"") == "none.csv"

    def test_nothing_is_seen_before_it_is_whole(self, workspace: Workspace) -> None:
        before = sorted(folder(workspace).rglob("*"))
        upload_id = workspace.receive(ANN, "new.csv").upload_id
        workspace.receive_part(ANN, upload_id, CSV, at=0)
        assert sorted(folder(workspace).rglob("*")) == before

    def test_a_file_that_is_there_is_replaced_only_when_that_was_said(self, workspace: Workspace) -> None:
        before = (folder(workspace) / "orders.csv").read_bytes()
        with pytest.raises(WrongState, match="there already") as caught:
            send(workspace, "orders.csv")
        assert caught.value.code == "file_exists"
        assert (folder(workspace) / "orders.csv").read_bytes() == before
        send(workspace, "orders.csv", overwrite=True)
        assert (folder(workspace) / "orders.csv").read_bytes() == CSV

    def test_a_file_that_appears_meanwhile_is_left_alone(self, workspace: Workspace) -> None:
        upload_id = workspace.receive(ANN, "late.csv").upload_id
        (folder(workspace) / "late.csv").write_text("mine\n")
        with pytest.raises(WrongState, match="there already"):
            workspace.receive_whole(ANN, upload_id)
        assert (folder(workspace) / "late.csv").read_text() == "mine\n"

    @pytest.mark.parametrize(
        "path", ["../out.csv", "/etc/out.csv", "~/out.csv", ".hidden.csv", "a/../../b.csv", "a:b.csv"]
    )
    def test_no_path_leads_out_of_the_folder(self, workspace: Workspace, path: str) -> None:
        with pytest.raises(Invalid) as caught:
            workspace.receive(ANN, path)
        assert caught.value.code == "F503"

    @pytest.mark.parametrize("path", ["photo.png", "run.sh", "page.html", "orders", "a.csv.exe"])
    def test_what_no_node_reads_is_refused(self, workspace: Workspace, path: str) -> None:
        with pytest.raises(Invalid, match="no table"):
            workspace.receive(ANN, path)

    def test_a_part_out_of_turn_is_refused_and_says_what_is_due(self, workspace: Workspace) -> None:
        upload_id = workspace.receive(ANN, "new.csv").upload_id
        workspace.receive_part(ANN, upload_id, CSV, at=0)
        with pytest.raises(WrongState, match="12 bytes have arrived"):
            workspace.receive_part(ANN, upload_id, CSV, at=0)
        assert workspace.receive_part(ANN, upload_id, CSV, at=12).size == 24

    def test_a_file_may_not_grow_without_end(self, make: MakeWorkspace) -> None:
        workspace = make(budgets=Budgets(upload_bytes=10))
        upload_id = workspace.receive(ANN, "new.csv").upload_id
        with pytest.raises(Invalid, match="larger than"):
            workspace.receive_part(ANN, upload_id, CSV, at=0)
        with pytest.raises(NotFound):
            workspace.receive_whole(ANN, upload_id)

    def test_what_was_left_half_sent_makes_room(self, workspace: Workspace) -> None:
        first, *rest = [workspace.receive(ANN, f"{n}.csv").upload_id for n in range(9)]
        with pytest.raises(NotFound):
            workspace.receive_whole(ANN, first)
        assert workspace.receive_whole(ANN, rest[-1]).path == "8.csv"

    def test_only_a_person_brings_files_and_only_his_own(self, workspace: Workspace) -> None:
        with pytest.raises(Refused):
            workspace.receive(ASSISTANT, "new.csv")
        upload_id = workspace.receive(ANN, "new.csv").upload_id
        with pytest.raises(NotFound):
            workspace.receive_part(BOB, upload_id, CSV, at=0)
