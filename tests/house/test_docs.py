"""What people read is there, is true and names no machine of ours."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.sources import ROOT, Function, definitions, kept, kept_files, name_of, text_of

REFERENCE = ROOT / "docs" / "reference"
MAKE = re.compile(r"\bmake ([a-z][a-z-]*)")
# Written in pieces, so that this file does not find itself.
REGISTRIES = (
    "pypi" + ".org",
    "python" + "hosted.org",
    "npmjs" + ".",
    "yarnpkg" + ".com",
    "crates" + ".io/api",
    "/opt/" + "pypi",
    "/opt/" + "wheels",
)
MACHINES = ("/wo" + "rk/", "/ro" + "ot/", "/tmp/" + "bash_jobs", "~/." + "library", "." + "library/", "farm" + "-")
TEXT = {
    ".css",
    ".html",
    ".ini",
    ".json",
    ".jsonl",
    ".lock",
    ".md",
    ".py",
    ".sh",
    ".sql",
    ".toml",
    ".ts",
    ".tsx",
    ".txt",
    ".yaml",
    ".yml",
    "",
}
LARGEST_AGENTS_PAGE = 8 * 1024


# ------------------------------------------------------------------------------------------------------------ docstrings


def is_public(name: str) -> bool:
    """Return whether a dotted name is for others."""
    return not any(part.startswith("_") for part in name.split("."))


def is_overload(node: ast.AST) -> bool:
    """Return whether a function is one of several typed faces of another, or sets what a documented property gets."""
    marks = [
        mark.attr if isinstance(mark, ast.Attribute) else getattr(mark, "id", "")
        for mark in getattr(node, "decorator_list", [])
    ]
    return bool({"overload", "setter", "deleter", "override"} & set(marks))


def documented_methods(texts: list[str]) -> set[str]:
    """Return the names of methods that some class documents; a subclass that overrides one need not say it again."""
    return {
        node.name
        for text in texts
        for _, node, stands_in in definitions(text)
        if isinstance(node, Function) and isinstance(stands_in, ast.ClassDef) and ast.get_docstring(node)
    }


def undocumented(name: str, text: str, inherited: set[str]) -> list[str]:
    """Return each public module, class and function of a file that has no docstring."""
    faults = [] if ast.get_docstring(ast.parse(text)) else [f"{name}: the module"]
    for inside, node, stands_in in definitions(text):
        inner = isinstance(stands_in, Function) or not isinstance(stands_in, ast.Module | ast.ClassDef)
        overrides = isinstance(stands_in, ast.ClassDef) and bool(stands_in.bases) and node.name in inherited
        visits = isinstance(stands_in, ast.ClassDef) and node.name.startswith("visit_")
        is_config = isinstance(stands_in, ast.ClassDef) and isinstance(node, ast.ClassDef) and node.name == "Config"
        if (
            inner
            or overrides
            or visits
            or is_config
            or not is_public(inside)
            or is_overload(node)
            or ast.get_docstring(node)
        ):
            continue
        faults.append(f"{name}:{node.lineno}: {inside}")
    return faults


def test_every_public_module_class_and_function_says_what_it_is() -> None:
    files = kept(".py", under="src/headrace/")
    inherited = documented_methods([text_of(path) for path in files])
    faults = [fault for path in files for fault in undocumented(name_of(path), text_of(path), inherited)]
    assert not faults, "\n".join(["No docstring:", *faults])


def test_a_planted_silence_is_found() -> None:
    text = (
        '"""Owns."""\nclass A:\n    """A."""\n    def f(self): ...\n    def _g(self): ...\ndef h():\n    def i(): ...\n'
    )
    assert undocumented("src/a.py", text, set()) == ["src/a.py:6: h", "src/a.py:4: A.f"]
    assert undocumented("src/a.py", "x = 1", set()) == ["src/a.py: the module"]


# ------------------------------------------------------------------------------------------------- the generated reference


@pytest.mark.timeout(60)
def test_the_generated_reference_is_fresh() -> None:
    done = subprocess.run(
        [sys.executable, "scripts/gen.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def error_codes(text: str) -> set[str]:
    """Return the literal codes that a file raises errors with: the first argument of a call on a class of the error tree."""
    tree = (
        "BadRequest",
        "Refused",
        "NotFound",
        "PatchConflict",
        "StaleApproval",
        "WrongState",
        "OperationError",
        "Invalid",
        "Unavailable",
        "StorageFull",
    )
    return {
        node.args[0].value
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in tree and node.args
        if isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str)
    }


def flags(text: str) -> set[str]:
    """Return the long flags that a command's file declares."""
    return {
        argument.value
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and getattr(node.func, "attr", getattr(node.func, "id", "")) in ("add_argument", "option", "Option")
        for argument in node.args
        if isinstance(argument, ast.Constant) and str(argument.value).startswith("--")
    }


def listed(page: str) -> str:
    """Return a page of the reference, or nothing where it is not there."""
    path = REFERENCE / page
    return text_of(path) if path.exists() else ""


def missing_from(page: str, words: set[str]) -> list[str]:
    """Return the words that a reference page does not name, one line each."""
    text = listed(page)
    return [
        f"docs/reference/{page} does not name {word!r}; make gen remakes it"
        for word in sorted(words)
        if word not in text
    ]


def test_every_code_and_flag_stands_in_the_reference() -> None:
    sources = [(name_of(path), text_of(path)) for path in kept(".py", under="src/headrace/")]
    diagnostics = {
        code for name, text in sources if "/models/" not in name for code in re.findall(r"\"(F[1-5]\d\d)\"", text)
    }
    errors = {code for _, text in sources for code in error_codes(text)}
    commands = {flag for name, text in sources if name.startswith("src/headrace/cli/") for flag in flags(text)}
    faults = [
        *missing_from("errors.md", errors),
        *missing_from("diagnostics.md", diagnostics),
        *missing_from("cli.md", commands),
    ]
    assert not faults, "\n".join(faults)


def test_codes_and_flags_are_found_where_they_are_planted() -> None:
    assert error_codes('raise NotFound("no_flow", f"No flow {name!r}.")\nraise errors.Refused("not_yours", "")') == {
        "no_flow",
        "not_yours",
    }
    assert flags('parser.add_argument("-o", "--out", help="")') == {"--out"}


def tool_names(text: str) -> set[str]:
    """Return the names of the tools that a file defines: what `Tool(…)` is called with."""
    calls = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Tool"
    ]
    named = [[*call.args[:1], *(word.value for word in call.keywords if word.arg == "name")] for call in calls]
    return {
        node.value
        for nodes in named
        for node in nodes[:1]
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def node_type_names(text: str) -> set[str]:
    """Return the names of the node types that a file of the library defines."""
    return set(re.findall(r'^    name(?:: .*)? = "(\w+)"', text, re.MULTILINE))


def test_every_tool_and_node_type_stands_in_the_reference() -> None:
    types = {
        name for path in kept(".py", under="src/headrace/nodes/library/") for name in node_type_names(text_of(path))
    }
    tools = {name for path in kept(".py", under="src/headrace/tools/") for name in tool_names(text_of(path))}
    faults = [
        *missing_from("nodes.md", {f"(`{name}`)" for name in types}),
        *missing_from("tools.md", {f"`{name}`" for name in tools}),
    ]
    assert not faults, "\n".join(faults)


def test_tools_and_node_types_are_found_where_they_are_planted() -> None:
    assert tool_names('A = Tool("peek", "Looks.")\nB = Tool(name="poke")') == {"peek", "poke"}
    assert node_type_names('class A(TableNode):\n    name = "twist"\n') == {"twist"}


# --------------------------------------------------------------------------------------------------------- documents, locks


def make_targets() -> set[str]:
    """Return the targets of the Makefile."""
    return set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def test_every_make_command_in_a_document_is_in_the_makefile() -> None:
    documents = [ROOT / "README.md", ROOT / "AGENTS.md", *kept(".md", under="docs/")]
    named = {
        (name_of(path), target)
        for path in documents
        for code in re.findall(r"`[^`]+`|^    .+|^make .+", text_of(path), re.MULTILINE)
        for target in MAKE.findall(code)
    }
    assert [pair for pair in sorted(named) if pair[1] not in make_targets()] == []
    assert {"run", "test"} <= {target for name, target in named if name == "README.md"}


def test_the_agents_page_is_short_and_one() -> None:
    assert len((ROOT / "AGENTS.md").read_bytes()) < LARGEST_AGENTS_PAGE
    assert (ROOT / "CLAUDE.md").resolve() == ROOT / "AGENTS.md"


def places_named(text: str) -> list[str]:
    """Return the registries and machine paths that a text names."""
    # what goes on from another folder is no path of a machine: /proc/1/…
    machines = [place for place in MACHINES if re.search(rf"(?<!\w){re.escape(place)}", text)]
    return [*(place for place in REGISTRIES if place in text), *machines]


def test_no_file_names_a_package_registry_or_a_path_of_a_machine() -> None:
    texts = [path for path in kept_files() if path.suffix in TEXT and not path.is_symlink()]
    faults = [f"{name_of(path)}: {place}" for path in texts for place in places_named(text_of(path))]
    assert not faults, "\n".join(faults)


def test_a_planted_registry_or_path_is_found() -> None:
    assert places_named("https://registry." + "npmjs" + ".org/react")
    assert places_named("/wo" + "rk/main/src")


def test_lock_files_pin_with_hashes_and_carry_no_address() -> None:
    for lock in (ROOT / "requirements").glob("*.txt"):
        text = text_of(lock)
        assert not re.search(r"://|^\s*-(?!-hash)|--(index-url|find-links|extra-index)", text, re.MULTILINE), name_of(
            lock
        )
        pins = re.split(r"\n(?=\S)", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))
        assert all("==" in pin and "--hash=sha256:" in pin for pin in pins), name_of(lock)
    packages = json.loads(text_of(ROOT / "web" / "package-lock.json"))["packages"]
    assert [name for name, package in packages.items() if "resolved" in package] == []
    unpinned = [name for name, package in packages.items() if name and not {"integrity", "inBundle"} & set(package)]
    assert unpinned == []


def test_the_base_lock_is_part_of_the_development_lock() -> None:
    base, dev = (
        set(re.findall(r"^\S+==\S+", text_of(ROOT / "requirements" / f"{name}.txt"), re.MULTILINE))
        for name in ("base", "dev")
    )
    assert base <= dev


def test_links_between_documents_lead_somewhere() -> None:
    faults = [
        f"{name_of(page)}: {target}"
        for page in kept_files()
        if page.suffix == ".md"
        for target in re.findall(r"\]\((?!\w+:|#)([^)\s#]+)", text_of(page))
        if not (page.parent / target).exists()
    ]
    assert not faults, "\n".join(faults)


def test_each_decision_has_its_own_number_and_every_part() -> None:
    pages: list[Path] = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    numbers = [page.name[:4] for page in pages]
    assert len(numbers) == len(set(numbers))
    faults = [
        f"{name_of(page)}: {part}"
        for page in pages
        for part in ("Context", "Decision", "Consequences", "Alternatives")
        if f"\n## {part}" not in text_of(page)
    ]
    assert not faults, "\n".join(faults)
