"""What starting costs: `--help`, the server until its first answer and its memory, a small `build` from cold.

CPU time is that of the started process and what it starts itself, the shortest of several; memory is its resident set.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path

COMMAND = [sys.executable, "-m", "headrace"]
ROUNDS = 5
_PATIENCE = 30.0


def figures() -> Iterator[tuple[str, str]]:
    """Return name and value of each figure, as they are measured."""
    shortest = min(_cpu([*COMMAND, "--help"])[0] for _ in range(ROUNDS))
    yield f"headrace --help, CPU (at most 300 ms), shortest of {ROUNDS}", f"{shortest * 1000:.0f} ms"
    with tempfile.TemporaryDirectory(prefix="headrace-bench-") as folder:
        yield from _server(Path(folder))
    with tempfile.TemporaryDirectory(prefix="headrace-bench-") as folder:
        yield from _build(Path(folder))


def _server(folder: Path) -> Iterator[tuple[str, str]]:
    started = time.perf_counter()
    process = subprocess.Popen(
        [*COMMAND, "serve", "--port", "0", "--data", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        address = _address(process)
        _first_answer(f"{address}/api/health", started)
        seconds = time.perf_counter() - started
        yield "headrace serve, from the call to the first 200", f"{seconds * 1000:.0f} ms"
        yield "headrace serve, memory then", f"{_resident(process.pid) / 1e6:.0f} MB"
    finally:
        process.terminate()
        process.wait(10)


def _build(folder: Path) -> Iterator[tuple[str, str]]:
    (folder / "orders.csv").write_text("id,region,amount\n1,north,10\n2,south,20\n3,north,30\n", encoding="utf-8")
    request = "total amount by region in orders.csv"
    call = [*COMMAND, "build", request, "--files", "orders.csv", "--approve", "--run", "--json"]
    runs = [_cpu(call, folder) for _ in range(3)]
    yield "a small build from cold, CPU (at most 1,500 ms)", f"{min(cpu for cpu, _ in runs) * 1000:.0f} ms"
    answer = json.loads(runs[-1][1])
    usage = answer.get("usage") or {}
    told = ", ".join(f"{name} {value:,}" for name, value in usage.items() if isinstance(value, int | float))
    yield f"that build: {answer.get('status')}", told or "no usage told"


def _cpu(call: Sequence[str], folder: Path | None = None) -> tuple[float, str]:
    """The CPU seconds of a process and what it printed."""
    before = os.times()
    done = subprocess.run(call, cwd=folder, capture_output=True, text=True, timeout=_PATIENCE, check=False)
    after = os.times()
    spent = after.children_user - before.children_user + after.children_system - before.children_system
    return spent, done.stdout


def _address(process: subprocess.Popen[str]) -> str:
    """The address that the server prints."""
    said: list[str] = []
    assert process.stdout is not None
    for line in process.stdout:
        said.append(line)
        if found := re.search(r"http://[\w.\[\]:-]+:\d+", line):
            return found[0]
    raise RuntimeError(f"the server printed no address: {''.join(said)[-300:]}")


def _first_answer(url: str, started: float) -> None:
    while True:
        try:
            with urllib.request.urlopen(url, timeout=1) as answer:
                if answer.status == 200:
                    return
        except OSError:
            if time.perf_counter() - started > _PATIENCE:
                raise
            time.sleep(0.005)


def _resident(pid: int) -> int:
    """Bytes of memory that a process holds."""
    told = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True)
    return int(told.stdout.split()[0]) * 1024
