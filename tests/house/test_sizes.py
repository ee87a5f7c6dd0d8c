"""Nothing grows beyond what a person reads in one sitting; what is beyond it already may only shrink."""

from __future__ import annotations

import ast
import json
import re

import pytest

from tests.house.sources import ROOT, Function, definitions, kept, name_of, text_of

MODULE, TEST_MODULE, FUNCTION, WEB_COMPONENT, POSITIONAL = 500, 800, 80, 200, 3
BASELINE = ROOT / "tests" / "house" / "sizes_baseline.json"
WAY_OUT = ("take a part out that has a name of its own", "let the rest be given by name alone: put * before them")
WEB_DEFINITION = re.compile(r"^(?:export )?(?:default )?(?:async )?(?:function|const) (?P<name>\w+)")


def is_test(name: str) -> bool:
    """Return whether a file holds tests, which may be longer."""
    return name.startswith(("tests/", "web/e2e/")) or ".test." in name


def positional(function: Function, stands_in: ast.AST) -> int:
    """Return how many arguments a caller may give by position, beside the instance or class."""
    plain = [*function.args.posonlyargs, *function.args.args]
    static = any(isinstance(mark, ast.Name) and mark.id == "staticmethod" for mark in function.decorator_list)
    return len(plain) - (isinstance(stands_in, ast.ClassDef) and not static)


def python_sizes(name: str, text: str) -> dict[str, tuple[int, int]]:
    """Return `place -> (size, limit)` for a Python file: the module, its functions, their positional arguments."""
    sizes = {name: (len(text.splitlines()), TEST_MODULE if is_test(name) else MODULE)}
    for inside, node, stands_in in definitions(text):
        if isinstance(node, ast.ClassDef):
            continue
        sizes[f"{name}::{inside}"] = ((node.end_lineno or 0) - node.lineno + 1, FUNCTION)
        if not is_test(name):  # pytest gives fixtures and parameters by name
            sizes[f"{name}::{inside} arguments"] = (positional(node, stands_in), POSITIONAL)
    return sizes


def web_sizes(name: str, text: str) -> dict[str, tuple[int, int]]:
    """Return `place -> (size, limit)` for a TypeScript file: the module, its functions, its React components."""
    lines = text.splitlines()
    sizes = {name: (len(lines), TEST_MODULE if is_test(name) else MODULE)}
    for start, line in enumerate(lines):
        found = WEB_DEFINITION.match(line)
        if found and not is_test(name) and not line.endswith(";"):
            end = next((at for at in range(start, len(lines)) if re.match(r"[})\]]", lines[at])), start)
            limit = WEB_COMPONENT if found["name"][0].isupper() and name.endswith(".tsx") else FUNCTION
            sizes[f"{name}::{found['name']}"] = (end - start + 1, limit)
    return sizes


def sizes_of(name: str, text: str) -> dict[str, tuple[int, int]]:
    """Return `place -> (size, limit)` for a file of either language."""
    return python_sizes(name, text) if name.endswith(".py") else web_sizes(name, text)


def test_nothing_is_larger_than_its_limit_and_the_baseline_only_shrinks() -> None:
    baseline: dict[str, int] = json.loads(BASELINE.read_text())
    found = {
        place: pair
        for path in kept(".py", ".ts", ".tsx")
        for place, pair in sizes_of(name_of(path), text_of(path)).items()
    }
    faults = [
        f"{place}: {size}, and {baseline.get(place, limit)} is the limit; {WAY_OUT[place.endswith(' arguments')]}"
        for place, (size, limit) in found.items()
        if size > baseline.get(place, limit)
    ]
    for place, allowed in baseline.items():
        size, limit = found.get(place, (0, 0))
        if size < allowed:
            better = f"lower it to {size}" if size > limit else "remove it"
            faults.append(f"{BASELINE.name}: {place} allows {allowed} and is {size}; {better}")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("src/long.py", "x = 1\n" * 501, "src/long.py"),
        ("tests/long.py", "x = 1\n" * 801, "tests/long.py"),
        ("src/a.py", "def f():\n" + "    x = 1\n" * 80, "src/a.py::f"),
        ("src/a.py", "class A:\n    def f(self, a, b, c, d): ...\n", "src/a.py::A.f arguments"),
        ("src/a.py", "def outer():\n    def f(a, b, c, d): ...\n", "src/a.py::outer.f arguments"),
        ("web/src/A.tsx", "export function A() {\n" + "  x;\n" * 199 + "}\n", "web/src/A.tsx::A"),
        ("web/src/a.ts", "export const a = () => {\n" + "  x;\n" * 79 + "};\n", "web/src/a.ts::a"),
        ("web/src/a.ts", "const b = 1;\nexport function a() {\n" + "  x;\n" * 79 + "}\n", "web/src/a.ts::a"),
    ],
)
def test_what_is_planted_too_large_is_found(name: str, text: str, place: str) -> None:
    assert [at for at, (size, limit) in sizes_of(name, text).items() if size > limit] == [place]


def test_keyword_only_arguments_and_the_instance_are_not_counted() -> None:
    text = "class A:\n    def f(self, a, b, c, *, d, e): ...\n    @staticmethod\n    def g(a, b, c): ...\n"
    assert all(size <= limit for size, limit in sizes_of("src/a.py", text).values())
