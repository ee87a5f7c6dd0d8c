"""A foreign id answers as an absent one: generated from every call of the workspace that takes an id."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import pytest

from headrace.base.errors import NotFound
from headrace.workspace.happenings import TurnText
from headrace.workspace.workspace import Workspace
from tests.workspace.flows_for_tests import ANN, ASSISTANT, BOB, BUILD, READ, title

IDS = ("flow_id", "changeset_id", "run_id", "chat_id", "turn_id")

# What the calls need besides ids; a call whose arguments are not here fails its test, so a new one cannot be forgotten.
VALUES: dict[str, Any] = {
    "operations": [title("read", "Mine now")],
    "number": 1,
    "name": "Mine now",
    "node_id": "read",
    "digest": "0" * 64,
    "call_id": "1",
    "state": "started",
    "status": "answered",
    "reply": "Mine now",
    "request": "Make it mine",
    "delta": "Mine",
    "provider": "example.com",
    "kinds": ("columns",),
    "size": 1,
    "happening": TurnText(turn_id="turn_1", delta="Mine"),
}
# Where no id is needed, or the id only narrows down what is the owner's anyway.
NO_IDS_NEEDED = {"events", "wait_for_events"}
# Kept as they are given, never looked up.
MERE_MARKS = {("propose", "turn_id"), ("finish_turn", "changeset_id")}


def calls() -> Iterator[tuple[str, str]]:
    """Yield every method and each of its id parameters, also the optional ones."""
    for name, method in inspect.getmembers(Workspace, inspect.isfunction):
        if name.startswith("_") or name in NO_IDS_NEEDED:
            continue
        for parameter in inspect.signature(method).parameters:
            if parameter in IDS and (name, parameter) not in MERE_MARKS:
                yield name, parameter


CALLS = list(calls())


@pytest.fixture
def anns(workspace: Workspace) -> dict[str, str]:
    """One record of Ann's of every kind that has an id."""
    flow_id = workspace.create_flow(ANN, "Sales").flow_id
    workspace.edit(ANN, flow_id, BUILD)
    run = workspace.run(ANN, flow_id)
    workspace.wait(ANN, run.run_id, 5)
    chat = workspace.create_chat(ANN, flow_id)
    return {
        "flow_id": flow_id,
        "changeset_id": workspace.propose(ASSISTANT, flow_id, [title("read", "Orders")]).changeset_id,
        "run_id": run.run_id,
        "chat_id": chat.chat_id,
        "turn_id": workspace.start_turn(ANN, chat.chat_id, "Hello").turn_id,
    }


@pytest.fixture
def bobs(workspace: Workspace) -> dict[str, str]:
    """Bob's own, for the other ids of a call that takes several."""
    flow_id = workspace.create_flow(BOB, "Bob's").flow_id
    workspace.edit(BOB, flow_id, READ)
    return {"flow_id": flow_id}


def test_the_calls_are_found() -> None:
    assert len(CALLS) > 30
    assert {parameter for _, parameter in CALLS} == set(IDS)


@pytest.mark.parametrize(("name", "parameter"), CALLS, ids=[f"{name}-{parameter}" for name, parameter in CALLS])
def test_a_foreign_id_answers_as_an_absent_one(
    workspace: Workspace, anns: dict[str, str], bobs: dict[str, str], name: str, parameter: str
) -> None:
    """[foreign = absent]"""
    before = everything(workspace, anns)
    foreign = answer(workspace, name, parameter, anns[parameter], bobs)
    absent_id = anns[parameter][:-16] + "0" * 16
    absent = answer(workspace, name, parameter, absent_id, bobs)
    assert foreign.replace(anns[parameter], absent_id) == absent
    assert everything(workspace, anns) == before


def answer(workspace: Workspace, name: str, parameter: str, value: str, bobs: dict[str, str]) -> str:
    """Return what Bob is told when he names an id."""
    method = getattr(workspace, name)
    arguments: dict[str, Any] = {}
    for each in list(inspect.signature(method).parameters.values())[1:]:
        if each.name == parameter:
            arguments[each.name] = value
        elif each.name in bobs:
            arguments[each.name] = bobs[each.name]
        elif each.default is inspect.Parameter.empty:
            arguments[each.name] = VALUES[each.name]
    with pytest.raises(NotFound) as caught:
        method(BOB, **arguments)
    error = caught.value
    return f"{error.status} {error.code} {error.message} {error.hint} {error}"


def everything(workspace: Workspace, anns: dict[str, str]) -> list[Any]:
    """Return all of Ann's, to see that it was left alone."""
    return [
        workspace.flow(ANN, anns["flow_id"]),
        workspace.changeset(ANN, anns["changeset_id"]),
        workspace.run_view(ANN, anns["run_id"]),
        workspace.chat(ANN, anns["chat_id"]),
        workspace.events(ANN),
    ]
