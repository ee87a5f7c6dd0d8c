"""No path leads outside: every surface that takes one, found in the inventory, against every hostile spelling."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from pydantic import ValidationError

from headrace.base.actor import LOCAL, assistant_for
from headrace.base.errors import HeadraceError
from headrace.nodes.catalog import standard_catalog
from headrace.nodes.files import FileSpace
from headrace.nodes.spec import NodeFault
from headrace.store.memory import MemoryStore
from headrace.tools.catalog import standard_tools
from headrace.tools.spec import Draft, ToolContext
from headrace.workspace.workspace import Workspace
from tests.safety.attacks import HOSTILE_PATHS, hostile
from tests.safety.calls import OWN, call
from tests.safety.canary import WORD, Place, place_in
from tests.safety.inventory import LISTED, node_types, tools
from tests.web.houses import house_in

SURFACES = sorted(
    (name, field, way) for name, listed in LISTED["node_types"].items() for field, way in listed["paths"].items()
)
TOOLS = sorted((name, argument) for name, listed in LISTED["tools"].items() for argument in listed.get("paths", ()))
BATCH = 24


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return place_in(tmp_path)


@pytest.fixture
def workspace(place: Place) -> Iterator[Workspace]:
    made = Workspace(MemoryStore(), standard_catalog(), FileSpace([place.files], write_root=place.files))
    yield made
    made.close()


def test_every_node_type_and_tool_is_listed_as_it_is() -> None:
    assert node_types() == LISTED["node_types"]
    listed = {name: {key: row[key] for key in ("effect", "arguments")} for name, row in LISTED["tools"].items()}
    assert tools() == listed


def test_every_argument_that_is_called_a_path_is_attacked() -> None:
    named = {
        (name, each) for name, row in tools().items() for each in row["arguments"] if "path" in each or "file" in each
    }
    assert named == set(TOOLS)


def test_the_hostile_paths_are_many() -> None:
    assert len(HOSTILE_PATHS) >= 100


def test_the_canary_can_be_read_where_it_is_allowed(place: Place) -> None:
    """The positive control: the tests below would see the word if anything led to it."""
    workspace = Workspace(MemoryStore(), standard_catalog(), FileSpace([place.outside], write_root=place.outside))
    found = workspace.describe_file(LOCAL, "canary.csv")
    assert WORD in found.model_dump_json()
    workspace.close()


def test_the_resolver_gives_no_path_outside(place: Place) -> None:
    space = FileSpace([place.files], write_root=place.files)
    for path in hostile(place.outside, place.files):
        for resolve in (space.read, lambda path: (space.write(path, overwrite=True),)):
            try:
                found = resolve(path)
            except NodeFault:
                continue
            for real in found:
                assert real.resolve().is_relative_to(place.files), path
                assert not real.is_symlink(), path
    place.assert_untouched()


def config_of(name: str, field: str, path: str) -> dict[str, Any]:
    """Return a config of a node type that is right but for its path."""
    rest = {"chart": {"kind": "bar", "x": "id", "y": "amount"}, "write_file": {"overwrite": True}}
    return {**rest.get(name, {}), field: path}


@pytest.mark.parametrize("start", range(0, len(HOSTILE_PATHS), BATCH))
@pytest.mark.parametrize(("name", "field", "way"), SURFACES)
@pytest.mark.timeout(30)
def test_no_node_type_reads_or_writes_outside(
    place: Place, workspace: Workspace, name: str, field: str, way: str, start: int
) -> None:
    for path in hostile(place.outside, place.files)[start : start + BATCH]:
        node_type = workspace.catalog.get(name)
        nodes: dict[str, Any] = {"it": {"type": name, "config": config_of(name, field, path)}}
        edges: dict[str, Any] = {}
        if node_type.inputs:
            nodes["source"] = {"type": "read_file", "config": {"path": "orders.csv"}}
            port = node_type.inputs[0].name
            source, target = {"node": "source", "port": "out"}, {"node": "it", "port": port}
            edges[f"source.out>it.{port}"] = {"source": source, "target": target}
        try:
            view = workspace.create_flow(LOCAL, "Hostile", {"headrace": 1, "name": "", "nodes": nodes, "edges": edges})
            run = workspace.wait(LOCAL, workspace.run(LOCAL, view.flow_id).run_id, 10)
        except (HeadraceError, ValidationError):
            continue
        node = run.nodes["it"]
        if way == "write" and node.status == "succeeded":
            written = [
                output["path"] for output in node.outputs.values() if isinstance(output, dict) and output.get("path")
            ]
            assert all((place.files / each).resolve().is_relative_to(place.files) for each in written), path
        shown = "".join([view.model_dump_json(exclude={"document"}), run.model_dump_json()])
        assert WORD not in shown.replace(json.dumps(path)[1:-1], ""), path
        assert run.over, path
        if way == "read":
            assert node.status != "succeeded", path
    place.assert_untouched()


@pytest.mark.parametrize(("name", "argument"), TOOLS)
@pytest.mark.timeout(30)
def test_no_tool_reads_outside(place: Place, workspace: Workspace, name: str, argument: str) -> None:
    flow_id = workspace.create_flow(LOCAL, "Hostile").flow_id
    tool = {each.name: each for each in standard_tools()}[name]
    context = ToolContext(workspace, assistant_for(LOCAL), flow_id, "turn_1", Draft())
    for path in hostile(place.outside, place.files):
        value: dict[str, Any] = {argument: [path] if argument.endswith("s") else path}
        if "words" in tool.arguments.model_fields:
            value["words"] = [WORD, "id", "1"]
        try:
            result = tool.call(context, tool.arguments.model_validate(value))
            # what was asked for is said again in the text; what was found stands in the data
            shown = str(result.data) if "words" in value else f"{result.text}{result.data}"
        except (HeadraceError, ValidationError) as error:
            shown = str(error)
        assert WORD not in shown.replace(path, ""), path
    place.assert_untouched()


@pytest.mark.timeout(30)
def test_the_api_describes_no_file_outside(tmp_path: Path) -> None:
    place = place_in(tmp_path)
    with house_in(tmp_path) as house:
        for path in hostile(place.outside, place.files):
            spelled = quote(path.encode("utf-8", "surrogatepass"))
            answer = call(house.app, "GET", f"/api/files/describe?path={spelled}", headers=OWN)
            assert answer.status in (404, 422), (path, answer.status)
            assert WORD.encode() not in answer.body.replace(path.encode("utf-8", "surrogatepass"), b"")
        listed = call(house.app, "GET", "/api/files", headers=OWN).json()
        assert [each["path"] for each in listed] == ["orders.csv"]
    place.assert_untouched()
