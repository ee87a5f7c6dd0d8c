"""The command as a process: how fast it starts, how it ends when the keyboard or a pipe says so, how it serves."""

from __future__ import annotations

import http.client
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "headrace"]
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def cpu_of(*words: str, cwd: Path | None = None) -> float:
    """Return the seconds of CPU that a call took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*COMMAND, *words], env=ENVIRONMENT, cwd=cwd, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.timeout(20)
def test_help_is_there_at_once() -> None:
    assert min(cpu_of("--help") for _ in range(3)) < 0.3


@pytest.mark.timeout(60)
def test_a_small_build_is_cheap_and_imports_no_database_and_no_server(tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text("product,amount\n" + "".join(f"p{n % 7},{n}\n" for n in range(300)))
    words = ["build", "total amount per product, biggest first", "--files", "orders.csv", "--approve", "--run"]
    # What a busy machine adds is not the command's; the bench prints the figure of a quiet one.
    assert min(cpu_of(*words, cwd=tmp_path) for _ in range(3)) < 2.5
    program = f"import sys\nfrom headrace.cli.main import main\nmain({words!r})\nprint(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "pydantic_ai" in loaded
    assert not {"sqlalchemy", "alembic", "fastapi", "uvicorn", "openai", "vl_convert"} & loaded


@pytest.mark.timeout(20)
def test_checking_needs_no_assistant(tmp_path: Path) -> None:
    (tmp_path / "flow.json").write_text('{"headrace": 1, "name": "x", "nodes": {}, "edges": {}}')
    program = (
        "import sys\nfrom headrace.cli.main import main\nmain(['check', 'flow.json'])\nprint(*sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert not {"pydantic_ai", "fastapi", "sqlalchemy"} & set(done.stdout.splitlines()[-1].split())


@pytest.mark.timeout(20)
def test_a_reader_that_leaves_is_no_error() -> None:
    with subprocess.Popen(
        [*COMMAND, "nodes", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 141


@pytest.mark.timeout(20)
def test_a_terminal_that_lacks_letters_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "flow.json").write_text('{"headrace": 1, "name": "Größe ∑ 🚰", "nodes": {}, "edges": {}}')
    done = subprocess.run(
        [*COMMAND, "show", "flow.json"],
        env={**ENVIRONMENT, "PYTHONIOENCODING": "ascii"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Gr??e" in done.stdout


@pytest.mark.timeout(20)
def test_a_terminal_sees_what_takes_long(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [*COMMAND, "run", long_flow(tmp_path)],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env={**ENVIRONMENT, "TERM": "xterm"},
    ) as running:
        os.close(theirs)
        seen = b""
        while b"Running kept" not in seen and b"Running pairs" not in seen:
            seen += os.read(ours, 1024)
        running.send_signal(signal.SIGINT)
        running.wait(5)
    os.close(ours)
    assert running.returncode == 130


@pytest.mark.timeout(20)
def test_a_terminal_sees_nothing_but_what_is_ours_and_no_line_that_is_too_wide(tmp_path: Path) -> None:
    names = [f"column_{number}" for number in range(30)]
    (tmp_path / "wide.csv").write_text(f"{','.join(names)}\n{','.join('1' * 30)}\n")
    ours, theirs = os.openpty()
    quiet = {name: value for name, value in ENVIRONMENT.items() if name != "CI" and not name.startswith("PYTEST")}
    with subprocess.Popen(
        [*COMMAND, "build", "show wide.csv", "--files", "wide.csv", "--approve", "--run"],
        cwd=tmp_path,
        stdout=theirs,
        stderr=theirs,
        stdin=theirs,
        env={**quiet, "TERM": "xterm", "COLUMNS": "60", "NO_COLOR": "1"},
    ) as running:
        os.close(theirs)
        seen = b""
        with suppress(OSError):  # how the end of a terminal is told
            while part := os.read(ours, 4096):
                seen += part
    os.close(ours)
    said = seen.decode()
    assert running.returncode == 0
    assert "pydantic" not in said.lower()
    assert "\x1b[3" not in said
    [rule] = [line for line in said.splitlines() if line.startswith("---")]
    assert len(rule) <= 60
    assert "more columns: column_" in said


@pytest.mark.timeout(20)
def test_the_keyboard_stops_a_run_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "run", long_flow(tmp_path)],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    ) as running:
        with pytest.raises(subprocess.TimeoutExpired):
            running.wait(2.5)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=5)
    assert running.returncode == 130
    assert "Stopped." in said
    assert "Traceback" not in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["flow.json", "many.csv"]


def long_flow(folder: Path) -> str:
    """Write a flow that would run for hours, and return its name."""
    (folder / "many.csv").write_text("k\n" + "1\n" * 200_000)
    flow = {
        "headrace": 1,
        "name": "long",
        "nodes": {
            "many": {"type": "read_file", "config": {"path": "many.csv"}},
            "pairs": {"type": "join", "config": {"how": "inner", "on": [{"left": "k", "right": "k"}]}},
            "kept": {"type": "write_file", "config": {"path": "kept.csv"}},
        },
        "edges": {edge: ends(edge) for edge in ("many.out>pairs.left", "many.out>pairs.right", "pairs.out>kept.in")},
    }
    (folder / "flow.json").write_text(json.dumps(flow))
    return "flow.json"


def ends(edge: str) -> dict[str, dict[str, str]]:
    source, target = (dict(zip(("node", "port"), end.split("."), strict=True)) for end in edge.split(">"))
    return {"source": source, "target": target}


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Give a server as a process of its own, and its port."""
    with subprocess.Popen(
        [*COMMAND, "serve", "--port", "0", "--data", "data"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    ) as running:
        assert running.stdout is not None
        first, second, third = (running.stdout.readline() for _ in range(3))
        assert first.startswith("Headrace is at http://127.0.0.1:"), first
        assert str(tmp_path / "data" / "files") in second
        assert third == "Ctrl-C stops it.\n"
        yield running, int(first.rstrip("/\n").rsplit(":", 1)[1])
        running.kill()


@pytest.mark.timeout(30)
@pytest.mark.parametrize(("how", "code", "last"), [(signal.SIGINT, 130, "\nStopped.\n"), (signal.SIGTERM, 0, "")])
def test_a_server_prints_where_it_is_and_stops_at_once_with_a_page_open(
    serving: tuple[subprocess.Popen[str], int], tmp_path: Path, how: signal.Signals, code: int, last: str
) -> None:
    running, port = serving
    page = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    page.request("GET", "/api/events")
    stream = page.getresponse()
    assert stream.status == 200
    assert b"stream.opened" in stream.readline()
    other = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    other.request("GET", "/api/health")
    assert json.loads(other.getresponse().read())["status"] == "ok"
    second = subprocess.run(
        [*COMMAND, "serve", "--port", "0", "--data", "data"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert second.returncode == 3
    assert "Another Headrace" in second.stderr
    running.send_signal(how)
    _, wrong = running.communicate(timeout=5)
    page.close()
    stream.close()
    other.close()
    assert (running.returncode, wrong) == (code, last)
    assert not (tmp_path / "data" / "headrace.sqlite-wal").exists()
