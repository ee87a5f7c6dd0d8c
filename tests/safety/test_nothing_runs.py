"""Opening, importing, showing and checking a flow runs nothing, writes nothing and connects nowhere, whatever stands in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from headrace.base.actor import LOCAL
from headrace.cli.main import main
from headrace.nodes.catalog import standard_catalog
from headrace.nodes.files import FileSpace
from headrace.store.memory import MemoryStore
from headrace.workspace.workspace import Workspace
from tests.safety.calls import CHANGE, OWN, call
from tests.safety.canary import WORD, Place, place_in, watched
from tests.web.houses import house_in

HOST = "http://127.0.0.1:9/canary.csv"


def everything(place: Place) -> dict[str, Any]:
    """Return a flow document with a node of every type, each of their texts a path, a host or code that must do nothing."""
    baits = (
        str(place.outside / "canary.csv"),
        "../outside/canary.csv",
        HOST,
        "x'; COPY (SELECT 1) TO 'made.csv'; --",
        "read_csv('../outside/canary.csv')",
        "__import__('os').system('touch made')",
        "{{ 7 * 7 }} ${HOME} $(touch made) `touch made`",
    )
    nodes: dict[str, Any] = {"start": {"type": "read_file", "config": {"path": "orders.csv"}}}
    edges: dict[str, Any] = {}
    for node_type in standard_catalog().all():
        for number, bait in enumerate(baits):
            node_id = f"{node_type.name}_{number}"
            schema = node_type.Config.model_json_schema()
            nodes[node_id] = {
                "type": node_type.name,
                "title": bait,
                "config": {
                    name: filled(field, schema.get("$defs", {}), bait) for name, field in schema["properties"].items()
                },
            }
            for port in node_type.inputs:
                source, target = {"node": "start", "port": "out"}, {"node": node_id, "port": port.name}
                edges[f"start.out>{node_id}.{port.name}"] = {"source": source, "target": target}
    return {"headrace": 1, "name": baits[-1], "nodes": nodes, "edges": edges}


def filled(field: dict[str, Any], definitions: dict[str, Any], bait: str) -> Any:
    """Return a value of a field's form in which every text is the bait."""
    if "$ref" in field:
        return filled(definitions[field["$ref"].rsplit("/", 1)[-1]], definitions, bait)
    if "enum" in field:
        return field["enum"][-1]
    if "const" in field:
        return field["const"]
    for choices in ("anyOf", "oneOf"):
        if choices in field:
            return filled(field[choices][0], definitions, bait)
    match field.get("type"):
        case "array":
            return [filled(field.get("items", {}), definitions, bait)]
        case "object" if "properties" in field:
            return {name: filled(each, definitions, bait) for name, each in field["properties"].items()}
        case "object":
            return {bait: filled(field.get("additionalProperties") or {}, definitions, bait)}
        case "boolean":
            return True
        case "integer" | "number":
            return 1
        case _:
            return bait


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return place_in(tmp_path)


def before(folder: Path) -> dict[Path, Any]:
    return {path: path.lstat().st_mtime_ns for path in folder.rglob("*")}


def test_the_watch_sees_what_it_is_for(tmp_path: Path) -> None:
    """The positive control."""
    import os
    import socket

    with watched() as seen:
        (tmp_path / "x").write_text("x")
        (tmp_path / "x").unlink()
        os.system("true")
        with socket.socket() as line, pytest.raises(ConnectionRefusedError):
            line.connect(("127.0.0.1", 9))
    assert {event for event, _ in seen} == {"open", "os.remove", "os.system", "socket.connect"}


def test_a_workspace_opens_edits_and_shows_everything_and_nothing_happens(place: Place) -> None:
    document = everything(place)
    workspace = Workspace(MemoryStore(), standard_catalog(), FileSpace([place.files], write_root=place.files))
    workspace.create_flow(LOCAL, "Warm", document)  # modules that load late are loaded now
    there = before(place.files)
    with watched() as seen:
        view = workspace.create_flow(LOCAL, "Hostile", document)
        workspace.flow(LOCAL, view.flow_id)
        staged = workspace.propose(LOCAL, view.flow_id, [{"op": "remove_node", "node_id": "start"}])
        workspace.approve(LOCAL, staged.changeset_id, digest=staged.digest)
        workspace.undo(LOCAL, view.flow_id)
        shown = workspace.flow(LOCAL, view.flow_id)
    workspace.close()
    assert seen == []
    assert before(place.files) == there
    assert WORD not in shown.model_dump_json()
    place.assert_untouched()


@pytest.mark.parametrize(
    "words",
    [
        ("check",),
        ("check", "--json"),
        ("show", "--as", "outline"),
        ("show", "--as", "json"),
        ("show", "--as", "mermaid"),
        ("show", "--as", "sql"),
    ],
)
def test_a_command_that_only_looks_does_nothing(
    place: Place, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(place.files)
    (place.files / "flow.json").write_text(json.dumps(everything(place)))
    call_words = (words[0], "flow.json", *words[1:])
    main(call_words)
    capsys.readouterr()
    there = before(place.files)
    with watched() as seen:
        code = main(call_words)
    said = capsys.readouterr()
    assert code in (0, 1), said.err
    assert seen == []
    assert before(place.files) == there
    assert WORD not in said.out + said.err
    place.assert_untouched()


def test_the_api_imports_and_shows_everything_and_nothing_happens(tmp_path: Path) -> None:
    place = place_in(tmp_path)
    body = json.dumps({"name": "Hostile", "document": everything(place)}).encode()
    with house_in(tmp_path) as house:
        call(house.app, "POST", "/api/flows", headers=(*OWN, *CHANGE), body=body)
        there = before(place.files)
        with watched() as seen:
            made = call(house.app, "POST", "/api/flows", headers=(*OWN, *CHANGE), body=body)
            flow_id = made.json()["flow_id"]
            paths = [
                f"/api/flows/{flow_id}",
                f"/api/flows/{flow_id}/revisions",
                f"/api/flows/{flow_id}/runs",
                "/api/files",
            ]
            paths += [
                f"/api/flows/{flow_id}/nodes/{name}_{number}/sql"
                for name in ("filter", "read_file")
                for number in range(7)
            ]
            answers = [made, *(call(house.app, "GET", path, headers=OWN) for path in paths)]
        # the event loop of each call makes itself a pair of sockets, and nothing else
        assert [each for each in seen if each[0] != "socket.bind"] == []
        assert before(place.files) == there
        assert all(WORD.encode() not in answer.body for answer in answers)
        assert made.status == 201, made.body
    place.assert_untouched()


def test_what_was_imported_is_run_inside_the_files_folder_only(place: Place) -> None:
    """Running is a person's deed, and even then nothing leaves the folder."""
    document = everything(place)
    workspace = Workspace(MemoryStore(), standard_catalog(), FileSpace([place.files], write_root=place.files))
    flow_id = workspace.create_flow(LOCAL, "Hostile", document).flow_id
    run = workspace.wait(LOCAL, workspace.run(LOCAL, flow_id).run_id, 4)
    workspace.close()
    assert run.over
    assert WORD not in run.model_dump_json()
    assert not (place.files / "made").exists()
    assert not (place.files / "made.csv").exists()
    place.assert_untouched()
