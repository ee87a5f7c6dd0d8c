"""Bad input is answered clearly, and nothing is lost: one test for each kind."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.terminal import ORDERS, Terminal

BIG = 1_000_000_000

# The first call in a process loads what the command needs, which takes its time on a busy machine.
pytestmark = pytest.mark.timeout(20)


def says(terminal: Terminal, *words: str, code: int, every: tuple[str, ...]) -> None:
    """Check how a call ends and that what it says holds every one of these."""
    said = terminal.call(*words)
    assert said.code == code, said
    shown = said.out + said.err
    assert not [each for each in every if each not in shown], shown


def test_a_flow_file_that_is_missing_names_those_that_are_there(terminal: Terminal) -> None:
    terminal.totals()
    says(terminal, "run", "flwo.json", code=3, every=("'flwo.json'", "'flow.json'"))


def test_a_data_file_that_is_missing_names_the_near_one(terminal: Terminal) -> None:
    terminal.write("orders_2025.csv", ORDERS)
    flow = terminal.totals("orders_2052.csv")
    says(terminal, "check", flow, code=1, every=("F501", "'orders_2052.csv'", "orders_2025.csv"))
    says(terminal, "run", flow, code=3, every=("orders failed", "'orders_2052.csv'"))


def test_a_file_named_with_files_that_is_missing(terminal: Terminal) -> None:
    says(terminal, "build", "sum it", "--files", "nowhere.csv", code=3, every=("'nowhere.csv'",))


def test_an_empty_data_file(terminal: Terminal) -> None:
    terminal.write("empty.csv", "")
    says(terminal, "check", terminal.totals("empty.csv"), code=1, every=("F505", "empty"))


def test_an_empty_flow_file(terminal: Terminal) -> None:
    says(terminal, "run", terminal.write("flow.json", ""), code=3, every=("empty",))


def test_a_flow_without_nodes(terminal: Terminal) -> None:
    says(terminal, "run", terminal.flow({}), code=3, every=("no nodes",))


def test_a_folder_in_place_of_a_file(terminal: Terminal) -> None:
    (terminal.folder / "folder").mkdir()
    says(terminal, "run", "folder", code=3, every=("'folder' is a folder",))
    says(terminal, "check", terminal.totals("folder"), code=1, every=("F502", "folder"))
    says(terminal, "run", terminal.totals(), "--out", "folder", code=2, every=("folder",))
    (terminal.folder / "x.csv").mkdir()
    says(terminal, "run", terminal.totals(), "--out", "x.csv", code=2, every=("is a folder",))


@pytest.mark.timeout(20)
def test_a_gigabyte_of_one_line(terminal: Terminal) -> None:
    path = terminal.folder / "long.csv"
    with path.open("wb") as file:
        file.write(b"a" * 4_000_000)
        file.truncate(BIG)
    flow = terminal.totals("long.csv")
    began = time.process_time()
    says(terminal, "check", flow, code=1, every=("F504", "'long.csv'"))
    assert time.process_time() - began < 2


def test_a_binary_file_as_csv(terminal: Terminal) -> None:
    terminal.write("picture.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 40)
    says(terminal, "check", terminal.totals("picture.csv"), code=1, every=("F504", "'picture.csv'"))


def test_a_header_without_rows_is_a_table_without_rows(terminal: Terminal) -> None:
    terminal.write("header.csv", "product,amount\n")
    flow = terminal.flow({"orders": ("read_file", {"path": "header.csv"})})
    told = terminal.call("run", flow, "--json").json()
    assert told["run"]["rows"] == 0
    assert [column["name"] for column in told["run"]["columns"]] == ["product", "amount"]


def test_column_names_that_come_twice_are_told_apart(terminal: Terminal) -> None:
    terminal.write("twice.csv", "name,name,amount\na,b,1\n")
    told = terminal.call("run", terminal.flow({"orders": ("read_file", {"path": "twice.csv"})}), "--json").json()
    names = [column["name"] for column in told["run"]["columns"]]
    assert len(set(names)) == 3
    assert names[0] == "name"


def test_an_unknown_column_names_the_near_ones(terminal: Terminal) -> None:
    terminal.write("orders.csv", ORDERS)
    flow = terminal.flow(
        {"orders": ("read_file", {"path": "orders.csv"}), "few": ("filter", {"condition": "amuont > 5"})},
        "orders.out>few.in",
    )
    says(terminal, "check", flow, code=1, every=("F401", "'amuont'", "amount"))
    says(terminal, "run", flow, code=3, every=("few failed", "amount"))


def test_a_wrong_type_says_what_it_is(terminal: Terminal) -> None:
    terminal.write("orders.csv", ORDERS)
    flow = terminal.flow(
        {"orders": ("read_file", {"path": "orders.csv"}), "few": ("filter", {"condition": "product > 5"})},
        "orders.out>few.in",
    )
    says(terminal, "check", flow, code=1, every=("product",))


def test_a_wrong_value_in_a_config(terminal: Terminal) -> None:
    flow = terminal.flow({"few": ("limit", {"count": "many"})})
    says(terminal, "check", flow, code=1, every=("F303", "few.count"))


def test_a_circle(terminal: Terminal) -> None:
    flow = terminal.flow({"a": ("limit", {"count": 1}), "b": ("limit", {"count": 1})}, "a.out>b.in", "b.out>a.in")
    says(terminal, "check", flow, code=1, every=("F101",))
    says(terminal, "run", flow, code=3, every=("a", "b"))


def test_an_unknown_node_type_names_the_near_one(terminal: Terminal) -> None:
    says(terminal, "check", terminal.flow({"a": ("fitler", {})}), code=1, every=("F201", "'fitler'", "filter"))


def test_a_config_with_an_unknown_key(terminal: Terminal) -> None:
    flow = terminal.flow({"a": ("limit", {"count": 1, "cuont": 2})})
    says(terminal, "check", flow, code=1, every=("F302", "cuont"))


def test_a_flow_from_a_newer_version(terminal: Terminal) -> None:
    says(terminal, "run", terminal.flow({}, headrace=99), code=3, every=("'flow.json'", "99"))


def test_a_flow_file_that_is_cut_short_says_where(terminal: Terminal) -> None:
    text = (terminal.folder / terminal.totals()).read_text()
    flow = terminal.write("flow.json", text[: len(text) // 2])
    says(terminal, "run", flow, code=3, every=("cut short", "line 1"))
    assert (terminal.folder / flow).read_text() == text[: len(text) // 2]


def test_a_flow_file_that_is_something_else(terminal: Terminal) -> None:
    says(terminal, "check", terminal.write("flow.json", "[1, 2]"), code=3, every=("'flow.json'",))
    says(terminal, "check", terminal.write("flow.json", b"\xff\xfe\x00"), code=3, every=("not text",))
    bad = '{"headrace": 1, "nodes": {"A B": {}}, "edges": {"x": 1}, "extra": 1}'
    said = terminal.call("check", terminal.write("flow.json", bad))
    assert said.code == 3
    assert said.err.count("\n  - ") >= 3


def test_an_occupied_port_names_a_free_one(terminal: Terminal) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        says(terminal, "serve", "--port", str(port), code=2, every=(str(port), "taken", "--port"))
    assert not (terminal.folder / ".headrace").exists()


def test_a_port_and_a_host_that_are_none(terminal: Terminal) -> None:
    says(terminal, "serve", "--port", "99999", code=2, every=("'99999'",))
    says(terminal, "serve", "--port", "0", "--host", "203.0.113.7", code=2, every=("203.0.113.7",))


def test_a_host_for_others_without_a_token(terminal: Terminal) -> None:
    says(terminal, "serve", "--port", "0", "--host", "0.0.0.0", code=1, every=("HEADRACE_TOKEN",))
    assert not (terminal.folder / ".headrace").exists()


def unwritable(folder: Path) -> str:
    """Return a folder that nobody may write to, root not either."""
    if os.geteuid() == 0:
        return "/proc/self"
    locked = folder / "locked"
    locked.mkdir(mode=0o500)
    return str(locked)


def test_a_folder_that_may_not_be_written_to(terminal: Terminal) -> None:
    locked = unwritable(terminal.folder)
    flow = terminal.totals()
    said = terminal.call("run", flow, "--out", f"{locked}/result.csv")
    assert said.code in (2, 3)
    assert f"{locked}/result.csv" in said.err
    assert "cannot be written" in said.err
    saved = terminal.call("build", "sort it", "--flow", flow, "--save", f"{locked}/flow.json", "--approve")
    assert saved.code in (2, 3)
    assert "cannot be written" in saved.err
    data = terminal.call("serve", "--port", "0", "--data", f"{locked}/data")
    assert data.code == 3
    assert "--data" in data.err


def test_a_data_folder_that_is_a_file(terminal: Terminal) -> None:
    terminal.write("file", "x")
    said = terminal.call("serve", "--port", "0", "--data", "file")
    assert said.code in (1, 3)
    assert "--data" in said.err


def test_an_ending_of_out_that_says_nothing(terminal: Terminal) -> None:
    says(terminal, "run", terminal.totals(), "--out", "result.doc", code=2, every=(".csv", "result.doc"))


def test_an_input_is_never_overwritten_by_out(terminal: Terminal) -> None:
    flow = terminal.totals()
    for name in ("orders.csv", "./orders.csv", str(terminal.folder / "orders.csv")):
        says(terminal, "run", flow, "--out", name, code=2, every=("never overwritten",))
    (terminal.folder / "alias.csv").symlink_to("orders.csv")
    says(terminal, "run", flow, "--out", "alias.csv", code=2, every=("never overwritten",))
    assert (terminal.folder / "orders.csv").read_text() == ORDERS


def test_an_unknown_node_to_run_to(terminal: Terminal) -> None:
    says(terminal, "run", terminal.totals(), "--to", "nowhere", code=2, every=("'nowhere'", "most"))


def test_no_request(terminal: Terminal) -> None:
    says(terminal, "build", code=2, every=("request",))
    says(terminal, "build", "  ", code=2, every=("request",))


def test_an_unknown_model(terminal: Terminal) -> None:
    terminal.write("orders.csv", ORDERS)
    says(terminal, "build", "sum it", "--model", "gpt-99", code=3, every=("'gpt-99'", "offline"))


LIMITED = """
import resource, sys
from headrace.cli.main import main
resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))
raise SystemExit(main(sys.argv[1:]))
"""


@pytest.mark.timeout(20)
def test_a_full_disk_on_save_leaves_the_old_file_whole(terminal: Terminal) -> None:
    flow = terminal.totals()
    before = (terminal.folder / flow).read_bytes()
    done = subprocess.run(
        [
            *(sys.executable, "-c", LIMITED, "build", "sort it by product", "--flow", flow),
            *("--files", "orders.csv", "--approve", "--save", flow),
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=terminal.folder,
    )
    assert done.returncode == 3, done
    assert "no room left" in done.stderr
    assert "Traceback" not in done.stderr
    assert (terminal.folder / flow).read_bytes() == before
    assert sorted(path.name for path in terminal.folder.iterdir()) == ["flow.json", "orders.csv"]


@pytest.mark.timeout(20)
def test_a_full_disk_while_the_answer_is_kept_leaves_the_old_file_whole(terminal: Terminal) -> None:
    flow = terminal.totals()
    terminal.write("result.csv", "the old answer\n")
    rows = "product,amount\n" + "".join(f"p{number},1\n" for number in range(500))
    terminal.write("orders.csv", rows)
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, "run", flow, "--out", "result.csv"],
        capture_output=True,
        text=True,
        check=False,
        cwd=terminal.folder,
    )
    assert done.returncode == 3, done
    assert "Traceback" not in done.stderr
    assert (terminal.folder / "result.csv").read_text() == "the old answer\n"


def test_an_input_that_is_overwritten_by_save(terminal: Terminal) -> None:
    terminal.write("orders.csv", ORDERS)
    says(terminal, "build", "x", "--files", "orders.csv", "--save", "orders.csv", code=2, every=("never overwritten",))
