"""What each command does when all is well."""

from __future__ import annotations

import json

import pytest

from headrace.cli.main import COMMANDS
from tests.cli.terminal import MEASURE, Terminal

# The first call in a process loads what the command needs, which takes its time on a busy machine.
pytestmark = pytest.mark.timeout(20)


class TestMain:
    def test_help_names_every_command(self, terminal: Terminal) -> None:
        said = terminal.call("--help")
        assert said.code == 0
        assert all(command in said.out for command in COMMANDS)

    @pytest.mark.parametrize("command", COMMANDS)
    def test_every_command_explains_itself(self, terminal: Terminal, command: str) -> None:
        said = terminal.call(command, "--help")
        assert said.code == 0
        assert f"headrace {command}" in said.out

    def test_an_unknown_command_names_the_near_one(self, terminal: Terminal) -> None:
        said = terminal.call("biuld", "x")
        assert said.code == 2
        assert "Did you mean `headrace build`?" in said.err

    def test_nothing_at_all_shows_what_there_is(self, terminal: Terminal) -> None:
        said = terminal.call()
        assert (said.code, said.out) == (2, "")
        assert "serve" in said.err

    @pytest.mark.parametrize(
        "words", [("run",), ("run", "a.json", "--nope"), ("show", "a.json", "--as", "pdf"), ("--port",)]
    )
    def test_wrong_usage_is_told_apart_from_failure(self, terminal: Terminal, words: tuple[str, ...]) -> None:
        said = terminal.call(*words)
        assert (said.code, said.out) == (2, "")
        assert "--help" in said.err

    def test_the_version_is_told(self, terminal: Terminal) -> None:
        assert terminal.call("--version").out.startswith("headrace ")


class TestRun:
    def test_a_flow_runs_and_shows_the_answering_table(self, terminal: Terminal) -> None:
        said = terminal.call("run", terminal.totals())
        assert said.code == 0
        assert [line.split() for line in said.out.splitlines()[2:5]] == [
            ["coffee", "20.0"],
            ["tea", "14.5"],
            ["cake", "8.25"],
        ]

    def test_json_is_one_object(self, terminal: Terminal) -> None:
        told = terminal.call("run", terminal.totals(), "--json").json()
        assert told["status"] == "ran"
        assert told["run"]["rows"] == 3
        assert [column["name"] for column in told["run"]["columns"]] == ["product", "total"]

    @pytest.mark.parametrize("name", ["result.csv", "result.parquet", "result.jsonl"])
    def test_the_answer_is_kept_by_the_names_ending(self, terminal: Terminal, name: str) -> None:
        said = terminal.call("run", terminal.totals(), "--out", name)
        assert said.code == 0
        kept = (terminal.folder / name).read_bytes()
        assert {"csv": b"product,total", "parquet": b"PAR1", "jsonl": b'{"product"'}[name.rsplit(".")[-1]] in kept

    def test_an_answer_is_kept_whole_outside_the_working_folder_too(self, terminal: Terminal, tmp_path_factory) -> None:
        elsewhere = tmp_path_factory.mktemp("elsewhere") / "result.csv"
        rows = "n\n" + "".join(f"{number}\n" for number in range(5000))
        terminal.write("numbers.csv", rows)
        flow = terminal.flow({"numbers": ("read_file", {"path": "numbers.csv"})})
        assert terminal.call("run", flow, "--out", str(elsewhere)).code == 0
        assert elsewhere.read_text() == rows

    def test_it_can_stop_at_a_node(self, terminal: Terminal) -> None:
        told = terminal.call("run", terminal.totals(), "--to", "totals", "--json").json()
        assert told["run"]["answer"] == "totals"
        assert "most" not in told["run"]["nodes"]

    def test_files_and_charts_are_told(self, terminal: Terminal) -> None:
        terminal.write("orders.csv", "product,amount\ntea,1\ncake,2\n")
        flow = terminal.flow(
            {
                "orders": ("read_file", {"path": "orders.csv"}),
                "drawn": ("chart", {"kind": "bar", "x": "product", "y": "amount"}),
                "kept": ("write_file", {"path": "copy.csv"}),
            },
            "orders.out>drawn.in",
            "orders.out>kept.in",
        )
        told = terminal.call("run", flow, "--json").json()
        assert told["charts"] == [{"node": "drawn", "type": "bar", "x": "product", "y": "amount", "series": None}]
        assert told["files"] == ["copy.csv"]
        assert (terminal.folder / "copy.csv").read_text() == "product,amount\ntea,1\ncake,2\n"

    def test_named_files_are_found_wherever_they_are(self, terminal: Terminal) -> None:
        terminal.write("far/away/orders.csv", "product,amount\ntea,1\n")
        flow = terminal.flow({"orders": ("read_file", {"path": "orders.csv"})})
        assert terminal.call("run", flow, "--files", "far/away/orders.csv").code == 0


class TestCheck:
    def test_a_good_flow_passes(self, terminal: Terminal) -> None:
        assert terminal.call("check", terminal.totals()).code == 0

    def test_a_fault_is_told_with_its_place_and_a_way_out(self, terminal: Terminal) -> None:
        terminal.write("orders.csv", "product,amount\ntea,1\n")
        flow = terminal.flow(
            {
                "orders": ("read_file", {"path": "orders.csv"}),
                "totals": ("aggregate", {"group_by": ["prodct"], "measures": [MEASURE]}),
            },
            "orders.out>totals.in",
        )
        said = terminal.call("check", flow)
        assert said.code == 1
        assert "F401 at totals.group_by" in said.out
        assert "fix: " in said.out
        told = terminal.call("check", flow, "--json").json()
        assert told["ok"] is False
        assert any(each["fixes"] for each in told["diagnostics"])


class TestDiff:
    def test_two_flows_are_told_apart_in_words(self, terminal: Terminal) -> None:
        before = terminal.totals()
        after = terminal.flow({"orders": ("read_file", {"path": "orders.csv"})}, name="after.json")
        said = terminal.call("diff", before, after)
        assert said.code == 0
        assert "Remove most" in said.out
        assert terminal.call("diff", before, after, "--json").json()["same"] is False

    def test_a_flow_is_the_same_as_itself(self, terminal: Terminal) -> None:
        flow = terminal.totals()
        assert terminal.call("diff", flow, flow).out == "The two flows are the same.\n"
        assert terminal.call("diff", flow, flow, "--json").json()["changes"] == []


class TestShow:
    @pytest.mark.parametrize(
        ("form", "expected"),
        [("outline", "total DOUBLE"), ("json", '"group_by": ['), ("mermaid", "flowchart LR"), ("sql", "GROUP BY")],
    )
    def test_every_notation(self, terminal: Terminal, form: str, expected: str) -> None:
        said = terminal.call("show", terminal.totals(), "--as", form)
        assert said.code == 0
        assert expected in said.out

    def test_sql_ends_at_tables_and_names_files_as_the_flow_does(self, terminal: Terminal) -> None:
        terminal.write("a.csv", "n\n1\n")
        nodes = {"read": ("read_file", {"path": "a.csv"}), "save": ("write_file", {"path": "b.csv"})}
        said = terminal.call("show", terminal.flow(nodes, "read.out>save.in"), "--as", "sql")
        assert said.out.startswith("-- read\n")
        assert "'a.csv'" in said.out
        assert str(terminal.folder) not in said.out

    def test_json_is_the_files_own_notation(self, terminal: Terminal) -> None:
        flow = terminal.totals()
        shown = terminal.call("show", flow, "--as", "json").out
        terminal.write("again.json", shown)
        assert terminal.call("show", "again.json", "--as", "json").out == shown
        assert terminal.call("diff", flow, "again.json").out == "The two flows are the same.\n"


class TestNodes:
    def test_all_are_listed_and_found_by_words(self, terminal: Terminal) -> None:
        assert "write_file" in terminal.call("nodes").out
        assert terminal.call("nodes", "put", "in", "order").out.startswith("sort")
        found = terminal.call("nodes", "join", "--json").json()
        assert found[0]["name"] == "join"
        assert "config_schema" in found[0]

    def test_words_that_fit_nothing_say_so(self, terminal: Terminal) -> None:
        said = terminal.call("nodes", "zzzqqqxxx")
        assert said.code == 1
        assert "No node type" in said.out


def test_every_json_is_a_single_line_that_can_be_read(terminal: Terminal) -> None:
    flow = terminal.totals()
    for words in (("run", flow), ("check", flow), ("diff", flow, flow), ("nodes",)):
        lines = terminal.call(*words, "--json").out.splitlines()
        assert len(lines) == 1
        json.loads(lines[0])
