"""Looking at files and at SQL."""

from __future__ import annotations

from pathlib import Path

import pytest
import xlsxwriter

from headrace.base.errors import Invalid, NotFound
from headrace.workspace.budgets import Budgets
from headrace.workspace.workspace import Workspace
from tests.workspace.conftest import MakeWorkspace
from tests.workspace.flows_for_tests import ANN, BUILD, configure


class TestFiles:
    def test_they_are_listed(self, workspace: Workspace) -> None:
        assert [each.path for each in workspace.files(ANN)] == ["customers.csv", "orders.csv"]

    def test_a_file_is_described(self, workspace: Workspace) -> None:
        found = workspace.describe_file(ANN, "orders.csv")
        assert [(each.name, each.type) for each in found.columns] == [
            ("id", "BIGINT"),
            ("customer", "VARCHAR"),
            ("amount", "BIGINT"),
            ("day", "DATE"),
        ]
        assert found.sample[0] == ("1", "Bob", "10", "2026-01-01")
        assert found.format == "csv"

    def test_it_is_described_as_it_is_to_be_read(self, workspace: Workspace) -> None:
        found = workspace.describe_file(ANN, "orders.csv", {"types": {"id": "text"}})
        assert found.columns[0].type == "VARCHAR"
        with pytest.raises(Invalid) as caught:
            workspace.describe_file(ANN, "orders.csv", {"nonsense": 1})
        assert caught.value.code == "bad_options"

    def test_a_file_that_is_not_there_names_those_that_are(self, workspace: Workspace) -> None:
        with pytest.raises(NotFound, match="orders"):
            workspace.describe_file(ANN, "order.csv")
        with pytest.raises(Invalid) as caught:
            workspace.describe_file(ANN, "../../etc/passwd")
        assert caught.value.code == "F503"


class TestFindingValues:
    def found(self, workspace: Workspace, *words: str, paths: list[str] | None = None) -> list[tuple[object, ...]]:
        return [
            (each.words, each.path, each.column, each.value, each.count)
            for each in workspace.find_values(ANN, words, paths).values
        ]

    def test_a_word_is_found_where_it_stands_as_it_is_stored(self, workspace: Workspace) -> None:
        assert self.found(workspace, "norway", "ann") == [
            ("ann", "customers.csv", "customer", "Ann", 1),
            ("norway", "customers.csv", "country", "Norway", 2),
            ("ann", "orders.csv", "customer", "Ann", 4),
        ]

    def test_phrases_plurals_blanks_and_case_make_no_difference(self, workspace: Workspace, folder: Path) -> None:
        (folder / "animals.csv").write_text('kind,n\nGentoo Penguin,1\n" adelie ",2\nFoxes,3\nPony,4\n')
        asked = ("gentoo  penguins", "Adelies", "fox", "ponies", "it's")
        assert [(words, value) for words, _, _, value, _ in self.found(workspace, *asked, paths=["animals.csv"])] == [
            ("Adelies", " adelie "),
            ("fox", "Foxes"),
            ("gentoo  penguins", "Gentoo Penguin"),
            ("ponies", "Pony"),
        ]

    def test_columns_may_be_called_anything(self, workspace: Workspace, folder: Path) -> None:
        (folder / "odd.csv").write_text('value,place,"a ""b"""\nx,y,z\nx,x,x\n')
        assert [(column, count) for _, _, column, _, count in self.found(workspace, "x", paths=["odd.csv"])] == [
            ("value", 2),
            ("place", 1),
            ('a "b"', 1),
        ]

    def test_workbooks_and_old_encodings_are_searched_too(self, workspace: Workspace, folder: Path) -> None:
        book = xlsxwriter.Workbook(folder / "book.xlsx")
        sheet = book.add_worksheet()
        for number, row in enumerate([["name", "n"], ["Ann", 1], ["Bob", 2], ["Ann", 3]]):
            sheet.write_row(number, 0, row)
        book.close()
        (folder / "old.csv").write_bytes("name,n\nÅsa,1\n“Ann”,2\nann,3\n".encode("cp1252"))
        assert self.found(workspace, "ann", "åsa", paths=["book.xlsx", "old.csv"]) == [
            ("ann", "book.xlsx", "name", "Ann", 2),
            ("ann", "old.csv", "name", "ann", 1),
            ("åsa", "old.csv", "name", "Åsa", 1),
        ]

    def test_a_file_of_figures_holds_no_words(self, workspace: Workspace, folder: Path) -> None:
        (folder / "n.csv").write_text("a,b\n1,2\n")
        assert self.found(workspace, "1", paths=["n.csv"]) == []

    def test_nothing_is_found_of_nothing(self, workspace: Workspace) -> None:
        assert self.found(workspace) == []
        assert self.found(workspace, "  ", "Zebra") == []

    def test_a_file_that_cannot_be_read_is_passed_over(self, workspace: Workspace, folder: Path) -> None:
        (folder / "a_broken.csv").write_bytes(b"\x00\x01\x02" * 100)
        assert self.found(workspace, "Chile", paths=["a_broken.csv", "none.csv", "../x", "customers.csv"]) == [
            ("Chile", "customers.csv", "country", "Chile", 1)
        ]

    def test_of_a_big_file_the_beginning_is_searched(self, make: MakeWorkspace, folder: Path) -> None:
        (folder / "big.csv").write_text("a,name\n" + "1,Ann\n" * 500 + "1,Bob\n" * 500)
        workspace = make(budgets=Budgets(search_bytes=1_000, search_rows=600))
        assert self.found(workspace, "ann", "bob", paths=["big.csv"]) == [
            ("ann", "big.csv", "name", "Ann", 500),
            ("bob", "big.csv", "name", "Bob", 100),
        ]

    def test_what_was_not_looked_at_for_lack_of_time_is_named(self, make: MakeWorkspace) -> None:
        found = make(budgets=Budgets(search_seconds=0.0)).find_values(ANN, ["ann"])
        assert found.values in ((), found.values[:1])
        assert "orders.csv" in " ".join(found.notes)

    @pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
    def test_what_was_found_before_the_time_was_up_is_given_with_a_note(
        self, make: MakeWorkspace, folder: Path, encoding: str
    ) -> None:
        (folder / "long.csv").write_bytes(("a,name\n" + "1,Ann\n2,Zoë\n" * 2_000_000).encode(encoding))
        for seconds in (0.1, 0.2, 0.4, 0.8, 1.6):  # the first in which this machine gets anywhere
            budgets = Budgets(search_seconds=seconds, search_bytes=1 << 30, search_rows=1 << 30)
            found = make(budgets=budgets).find_values(ANN, ["ann"], ["long.csv"])
            if found.values:
                break
        assert [(each.column, each.value) for each in found.values] == [("name", "Ann")]
        whole = found.values[0].count == 2_000_000
        assert found.notes == (() if whole else ("Only the beginning was looked at of long.csv.",))

    def test_a_file_that_was_looked_at_whole_needs_no_note(self, workspace: Workspace) -> None:
        assert workspace.find_values(ANN, ["ann"]).notes == ()


class TestSql:
    def test_a_node_shows_its_sql(self, workspace: Workspace) -> None:
        flow_id = workspace.create_flow(ANN, "Sales").flow_id
        workspace.edit(ANN, flow_id, BUILD)
        assert '"amount" > 50' in workspace.sql(ANN, flow_id, "totals")
        staged = workspace.propose(ANN, flow_id, [configure("paid", condition="amount > 70")])
        assert '"amount" > 70' in workspace.sql(ANN, flow_id, "totals", changeset_id=staged.changeset_id)

    def test_what_has_none_says_why(self, workspace: Workspace) -> None:
        flow_id = workspace.create_flow(ANN, "Sales").flow_id
        workspace.edit(ANN, flow_id, [*BUILD, configure("paid", condition="amout > 50")])
        with pytest.raises(Invalid, match="amout"):
            workspace.sql(ANN, flow_id, "paid")
        with pytest.raises(NotFound):
            workspace.sql(ANN, flow_id, "nothing")
