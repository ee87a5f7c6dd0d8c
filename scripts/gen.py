"""Makes docs/reference from the code: `scripts/gen.py` writes the pages, `scripts/gen.py --check` says which are not what they would be.

Each page comes from the place that owns the facts: the error tree and where its members are raised, the diagnostic codes, the catalogue of
node types, the catalogue of tools, the commands' own help, the HTTP routes. Nothing is written by hand in docs/reference.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "headrace"
REFERENCE = ROOT / "docs" / "reference"
NOTE = "<!-- Made by `make gen` from {source}; change that and run it again. -->\n"


def page(title: str, source: str, *parts: str) -> str:
    """Return a reference page: the note, the title and the parts."""
    return "\n".join([NOTE.format(source=source), f"# {title}\n", *parts]).rstrip() + "\n"


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """Return a Markdown table; cells may hold any text."""
    lines = [head, ("---",) * len(head), *rows]
    return (
        "\n".join(
            "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in line) + " |" for line in lines
        )
        + "\n"
    )


def code(text: str) -> str:
    """Return a text as Markdown's code, or nothing for nothing."""
    return f"`{text}`" if text else ""


# ---------------------------------------------------------------------------------------------------------------- errors


@dataclass(frozen=True, slots=True)
class Raised:
    """One place that makes an error: its class, code, message as written, and file."""

    kind: str
    code: str
    message: str
    place: str


def written(node: ast.expr | None) -> str:
    """Return a text as the code writes it, what is filled in shown as `…`; nothing where it is not a text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return written(node.left) + written(node.right)
    return ""


def error_classes(trees: Mapping[Path, ast.Module]) -> dict[str, ast.ClassDef]:
    """Return every class of the error tree by name, in the order of its depth."""
    found: dict[str, ast.ClassDef] = {}
    while True:
        more = {
            node.name: node
            for tree in trees.values()
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef)
            and node.name not in found
            and (
                node.name == "HeadraceError"
                or any(getattr(base, "id", getattr(base, "attr", "")) in found for base in node.bases)
            )
        }
        if not more:
            return found
        found |= more


def raised_in(place: str, tree: ast.Module, kinds: Iterable[str]) -> Iterator[Raised]:
    """Yield each error that a file makes with a literal code: by a call, or as (class, code, message …) for a later call."""
    names = set(kinds)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            kind, arguments = getattr(node.func, "id", getattr(node.func, "attr", "")), node.args
            if kind == "__init__" and node.args:  # super().__init__("code", …) of a member that fixes its own code
                kind = next(
                    (
                        c.name
                        for c in ast.walk(tree)
                        if isinstance(c, ast.ClassDef) and node in list(ast.walk(c)) and c.name in names
                    ),
                    "",
                )
        elif isinstance(node, ast.Tuple) and node.elts:
            kind, arguments = getattr(node.elts[0], "id", ""), node.elts[1:]
        else:
            continue
        text = written(arguments[0]) if arguments else ""
        if kind in names and re.fullmatch(r"[a-z][a-z0-9_]*", text):
            yield Raised(kind, text, written(arguments[1]) if len(arguments) > 1 else "", place)


def status_of(name: str, classes: Mapping[str, ast.ClassDef]) -> str:
    """Return the HTTP status of an error class, its own or its parent's."""
    for node in classes[name].body:
        target = (
            node.target
            if isinstance(node, ast.AnnAssign)
            else node.targets[0]
            if isinstance(node, ast.Assign)
            else None
        )
        if getattr(target, "id", "") == "status" and isinstance(node.value, ast.Constant):
            return str(node.value.value)
    parents = [getattr(base, "id", getattr(base, "attr", "")) for base in classes[name].bases]
    return next((status_of(parent, classes) for parent in parents if parent in classes), "500")


def errors_page() -> str:
    """Return the page of the error tree and of every code that is raised."""
    files = sorted(path for path in PACKAGE.rglob("*.py") if "static" not in path.parts)
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in files}
    classes = error_classes(trees)
    raised = {
        error
        for path, tree in trees.items()
        for error in raised_in(path.relative_to(PACKAGE).as_posix(), tree, classes)
    }
    kinds = [
        (code(name), status_of(name, classes), (ast.get_docstring(node) or "").partition("\n")[0])
        for name, node in sorted(classes.items())
    ]
    rows = sorted(
        (code(error.code), code(error.kind), status_of(error.kind, classes), error.message, code(error.place))
        for error in raised
    )
    return page(
        "Errors",
        "the calls that raise them",
        "Every error says what is wrong, what exists or was expected, and what to do next. Doors answer with its code, message and hint.\n",
        "## Classes\n",
        table(("class", "HTTP status", "meaning"), kinds),
        "## Codes\n",
        table(("code", "class", "HTTP status", "message", "raised in"), rows),
    )


# ----------------------------------------------------------------------------------------------------------- JSON schemas


def type_words(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    """Return a JSON schema's type in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return type_words(definitions.get(name, {"type": name}), definitions)
    if "enum" in schema:
        return " or ".join(json.dumps(value) for value in schema["enum"])
    if "const" in schema:
        return json.dumps(schema["const"])
    for key in ("anyOf", "oneOf"):
        if key in schema:
            kinds = [type_words(part, definitions) for part in schema[key]]
            return " or ".join(dict.fromkeys(kind for kind in kinds if kind != "null"))
    if schema.get("type") == "array":
        return f"list of {type_words(schema.get('items', {}), definitions)}"
    if schema.get("type") == "object" and schema.get("properties"):
        return "{" + ", ".join(schema["properties"]) + "}"
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"map to {type_words(schema['additionalProperties'], definitions)}"
    kind = schema.get("type", "any")
    return " or ".join(kind) if isinstance(kind, list) else kind


def fields_table(schema: Mapping[str, Any]) -> str:
    """Return the fields of an object's JSON schema as a table, or a line that there are none."""
    definitions, required = schema.get("$defs", {}), schema.get("required", [])
    rows = []
    for name, field in schema.get("properties", {}).items():
        default = "required" if name in required else json.dumps(field.get("default"), ensure_ascii=False)
        rows.append(
            (
                code(name),
                type_words(field, definitions),
                default if default == "required" else code(default),
                field.get("description", ""),
            )
        )
    return table(("field", "type", "default", "meaning"), rows) if rows else "It takes nothing.\n"


# ------------------------------------------------------------------------------------------------------ rooms' catalogues


def ports_line(label: str, ports: Iterable[Any]) -> str:
    """Return a node type's ports of one side in one line."""
    words = [
        f"`{port.name}` ({port.type}{', any number' if port.many else ''}{'' if port.required or label == 'Out' else ', optional'})"
        for port in ports
    ]
    return f"{label}: {', '.join(words) or 'none'}."


def nodes_page() -> str:
    """Return the page of the node types."""
    from headrace.nodes.catalog import standard_catalog

    parts = []
    for kind in sorted(standard_catalog().all(), key=lambda kind: (kind.area, kind.name)):
        effects = ", ".join(sorted(effect.value for effect in kind.effects))
        said = f" Also called {', '.join(kind.synonyms)}." if kind.synonyms else ""
        parts += [
            f"## {kind.title} (`{kind.name}`)\n",
            f"{kind.summary}{said}\n",
            f"Area: {kind.area}. Effects: {effects}. Version {kind.version}. {ports_line('In', kind.inputs)} {ports_line('Out', kind.outputs)}\n",
            fields_table(kind.Config.model_json_schema()),
        ]
    return page("Node types", "src/headrace/nodes/library", *parts)


def expressions_page() -> str:
    """Return the page of what conditions and formulas may use."""
    from headrace.nodes import functions

    families = {**functions.SCALAR, "aggregates": functions.AGGREGATE, "windows": functions.WINDOW}
    rows = [(name, ", ".join(code(each) for each in sorted(names))) for name, names in families.items()]
    return page(
        "Conditions and formulas",
        "src/headrace/nodes/functions.py",
        "SQL expressions in DuckDB's dialect: arithmetic, comparison, AND, OR, NOT, CASE, IN, BETWEEN, LIKE, ILIKE, GLOB, IS NULL, casts, lists and fields of records, and these functions.\n",
        table(("family", "functions"), rows),
    )


def tools_page() -> str:
    """Return the page of the tools."""
    from headrace.tools.catalog import standard_tools

    parts = []
    for tool in standard_tools():
        parts += [f"## `{tool.name}`\n", f"{tool.summary} Effect: {tool.effect}.\n", fields_table(tool.schema())]
    return page("Tools", "src/headrace/tools", "What an agent may do, by whatever door it comes.\n", *parts)


def diagnostics_page() -> str:
    """Return the page of the diagnostic codes."""
    from headrace.checks.codes import CODES

    parts = [
        f"## {entry.code}: {entry.title}\n\nSeverity: {entry.severity}. {entry.explanation}\n\n> {entry.example}\n"
        for entry in sorted(CODES.values(), key=lambda entry: entry.code)
    ]
    return page("Diagnostics", "src/headrace/checks/codes.py", "What a check can find in a flow.\n", *parts)


# ------------------------------------------------------------------------------------------------------------------ doors


def help_of(*words: str) -> str:
    """Return what a command prints when asked for help."""
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
    done = subprocess.run(
        [sys.executable, "-m", "headrace", *words, "--help"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.rstrip()


def cli_page() -> str:
    """Return the page of the commands."""
    whole = help_of()
    listed = re.search(r"\{([a-z,-]+)\}", whole)
    commands = listed[1].split(",") if listed else re.findall(r"^  ([a-z]+)  ", whole, re.MULTILINE)
    parts = [f"## `headrace {command}`\n\n```text\n{help_of(command)}\n```\n" for command in commands]
    return page("Command line", "src/headrace/cli", f"```text\n{whole}\n```\n", *parts)


def openapi() -> dict[str, Any]:
    """Return the HTTP API as OpenAPI describes it."""
    from headrace.web.server import describe_api

    return describe_api()


def openapi_page() -> str:
    """Return the OpenAPI document's text; the web app's types are made from it."""
    return json.dumps(openapi(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def http_page() -> str:
    """Return the page of the HTTP routes."""
    rows = []
    for path, methods in sorted(openapi()["paths"].items()):
        for method, route in sorted(methods.items()):
            answers = ", ".join(sorted(status for status in route["responses"] if status.startswith("2")))
            rows.append(
                (
                    code(f"{method.upper()} {path}"),
                    answers,
                    route.get("summary", ""),
                    route.get("description", "").partition("\n")[0],
                )
            )
    return page("HTTP API", "src/headrace/web/routes", table(("route", "answers", "name", "meaning"), rows))


PAGES: dict[str, tuple[str, Callable[[], str]]] = {
    "errors.md": ("base/errors.py", errors_page),
    "diagnostics.md": ("checks/codes.py", diagnostics_page),
    "nodes.md": ("nodes/catalog.py", nodes_page),
    "expressions.md": ("nodes/functions.py", expressions_page),
    "tools.md": ("tools/catalog.py", tools_page),
    "cli.md": ("cli/main.py", cli_page),
    "http.md": ("web/server.py", http_page),
    "openapi.json": ("web/server.py", openapi_page),
}


def main(arguments: list[str]) -> int:
    """Write the pages, or with `--check` compare them; return the exit code."""
    check = arguments == ["--check"]
    if arguments and not check:
        print(f"gen: {' '.join(arguments)!r} is not known. There is --check.", file=sys.stderr)
        return 2
    stale = []
    REFERENCE.mkdir(parents=True, exist_ok=True)
    for name, (source, make) in PAGES.items():
        path = REFERENCE / name
        text = make() if (PACKAGE / source).exists() else ""
        if text == (path.read_text(encoding="utf-8") if path.exists() else ""):
            continue
        stale.append(name)
        if not check:
            path.write_text(text, encoding="utf-8")
    if check and stale:
        print(
            f"gen: docs/reference is not what the code says: {', '.join(stale)}. `make gen` remakes it.",
            file=sys.stderr,
        )
    return int(check and bool(stale))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
