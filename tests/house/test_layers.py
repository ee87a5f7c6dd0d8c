"""The layers hold, and the contracts in pyproject.toml catch what they are for."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.sources import ROOT, kept

ROOMS = ("cli", "web", "mcp", "assistant", "tools", "workspace", "engine", "checks", "store", "nodes", "flow", "base")
PLANTED = [
    ("base/planted.py", "import headrace.flow", "A room uses the rooms below it"),
    ("checks/planted.py", "import headrace.engine", "A room uses the rooms below it"),
    ("engine/planted.py", "from headrace.workspace import planted", "A room uses the rooms below it"),
    ("cellar/__init__.py", "", "A room uses the rooms below it"),
    ("flow/planted.py", "import sqlite3", "The document core is pure"),
    ("base/planted.py", "def late():\n    import duckdb", "The document core is pure"),
    ("mcp/planted.py", "import headrace.assistant", "MCP callers bring their own model"),
    ("web/planted.py", "import headrace.store", "Only the workspace runs and keeps"),
    (
        "tools/planted.py",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import headrace.engine",
        "Only the workspace runs",
    ),
    ("tools/planted.py", "import pydantic_ai", "Only the loop, its failures and the models know the agent library"),
    ("nodes/ring.py", "import headrace.nodes.round", "No circles"),
]
HEAVY = (
    "duckdb",
    "fastapi",
    "httpx2",
    "openai",
    "pydantic_ai",
    "sqlalchemy",
    "sqlglot",
    "uvicorn",
    "vl_convert",
)

# ui, flow <- api <- state <- panels <- App: what each folder of the web app may import beside itself.
WEB_FOLDERS = {
    "ui": set(),
    "flow": {"api"},  # types only; see WEB_TYPES
    "api": {"flow"},
    "state": {"api", "flow"},
}
WEB_TYPES = {("flow", "api")}
PANELS_MAY = {"ui", "flow", "api", "state"}
WEB_IMPORT = re.compile(r"""^(?:import|export)\b(?P<what>[^;'"]*?)\bfrom\s+["'](?P<target>[^"']+)["']""", re.MULTILINE)


def judged(house: Path) -> tuple[int, str]:
    """Return import-linter's exit code and words about a copy of the package."""
    for room in (*ROOMS, "assistant/models"):  # contracts name rooms that a younger tree may not have yet
        (house / "headrace" / room).mkdir(exist_ok=True, parents=True)
        (house / "headrace" / room / "__init__.py").touch()
    for module, text in (("app.py", ""), ("assistant/failures.py", ""), ("assistant/loop.py", "import pydantic_ai")):
        if not (house / "headrace" / module).exists():
            (house / "headrace" / module).write_text(text + "\n")
    command = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command as run; run()",
        "--no-cache",
        "--no-logo",
    ]
    done = subprocess.run(command, cwd=house, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.timeout(60)
def test_every_room_uses_only_the_rooms_below_it(copied_house: Path) -> None:
    code, words = judged(copied_house)
    assert code == 0, words


@pytest.mark.timeout(60)
@pytest.mark.parametrize(("place", "text", "contract"), PLANTED)
def test_a_planted_import_breaks_its_contract(copied_house: Path, place: str, text: str, contract: str) -> None:
    planted = copied_house / "headrace" / place
    planted.parent.mkdir(exist_ok=True)
    (planted.parent / "__init__.py").touch()
    planted.write_text(text + "\n")
    if place == "nodes/ring.py":
        planted.with_name("round.py").write_text("import headrace.nodes.ring\n")
    code, words = judged(copied_house)
    assert code != 0
    assert re.search(rf"{contract}.* BROKEN", words), words


def test_the_command_line_starts_without_the_heavy_libraries() -> None:
    program = f"import sys; import headrace.cli.main; print(*sorted(set({HEAVY!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.returncode) == ("", 0), done.stdout + done.stderr


def web_imports(path: Path, source: Path) -> list[tuple[str, bool]]:
    """Return each folder of web/src that a file imports from, and whether it takes types alone."""
    found = []
    for match in WEB_IMPORT.finditer(path.read_text()):
        target = match["target"]
        if not target.startswith(("@/", ".")):
            continue
        place = source / target[2:] if target.startswith("@/") else (path.parent / target).resolve()
        if place.is_relative_to(source) and len(place.relative_to(source).parts) > 1:
            found.append((place.relative_to(source).parts[0], match["what"].strip().startswith("type ")))
    return found


def web_faults(path: Path, source: Path) -> list[str]:
    """Return what a file of the web app imports and may not."""
    inside = path.relative_to(source)
    if len(inside.parts) == 1 or inside.parts[0] == "frame":  # what puts the panels together may use everything
        return []
    folder = inside.parts[0]
    may = WEB_FOLDERS.get(folder, PANELS_MAY)
    return [
        f"{inside}: {folder} may not import from {target}"
        + (", but for types" if (folder, target) in WEB_TYPES else "")
        for target, types in web_imports(path, source)
        if target != folder and (target not in may or ((folder, target) in WEB_TYPES and not types))
    ]


def test_no_panel_of_the_web_app_imports_another() -> None:
    source = ROOT / "web" / "src"
    faults = [fault for path in kept(".ts", ".tsx", under="web/src/") for fault in web_faults(path, source)]
    assert not faults, "\n".join(faults)


def test_a_planted_import_between_panels_is_caught(tmp_path: Path) -> None:
    planted = tmp_path / "canvas" / "planted.tsx"
    planted.parent.mkdir()
    planted.write_text('import { Chat } from "@/chat/Chat";\nimport { Button } from "../ui/button";\n')
    assert web_faults(planted, tmp_path) == ["canvas/planted.tsx: canvas may not import from chat"]
