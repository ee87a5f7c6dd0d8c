"""The runner: what it makes of the engine's events, and of an engine that breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from headrace.base.errors import Invalid
from headrace.engine import events as engine
from headrace.engine.results import NodeResult
from headrace.flow.diagnostic import Diagnostic
from headrace.nodes.spec import Column, Table
from headrace.workspace.runs import _record
from headrace.workspace.views import NodeRunView, RunView
from headrace.workspace.workspace import Workspace
from tests.workspace.flows_for_tests import ANN

Tell = Callable[..., Iterator[Any]]
STARTED = engine.RunStarted(run_id="run_1", nodes=("a", "b", "c"))


@pytest.fixture
def told(either: Workspace) -> Callable[[Tell], RunView]:
    """Run a made-up engine to its end and return what the workspace says of it."""
    flow_id = either.create_flow(ANN, "Sales").flow_id
    now = either._house.now()
    nodes = {node_id: NodeRunView() for node_id in "abc"}
    view = RunView(
        run_id="run_1", flow_id=flow_id, number=0, status="queued", nodes=nodes, created_at=now, updated_at=now
    )

    def run(job: Tell) -> RunView:
        record = _record(ANN, view)
        with either._house.store.transaction() as tx:
            tx.add(record)
        either._house.runner.start(ANN, record, view, job=job)
        either.wait(ANN, "run_1", 4)
        return either.run_view(ANN, "run_1")

    return run


def kinds(workspace: Workspace) -> list[str]:
    return [each.kind for each in workspace.events(ANN)][1:]


def test_every_event_is_told_and_what_is_left_is_kept(either: Workspace, told: Callable[[Tell], RunView]) -> None:
    broken = Diagnostic(code="F501", severity="error", message="There is no file.")

    def job(token: Any, deliver: Callable[[NodeResult], None]) -> Iterator[Any]:
        del token
        yield STARTED
        yield engine.NodeStarted(node_id="a")
        yield engine.NodeProgress(node_id="a", fraction=0.5)
        deliver(
            NodeResult(node_id="a", table=Table(columns=(Column(name="x", type="BIGINT"),)), preview=((1,),), rows=9)
        )
        yield engine.NodeFinished(node_id="a", rows=9, columns=1, ms=3, summary="9 rows")
        yield engine.NodeStarted(node_id="b")
        yield engine.NodeFailed(node_id="b", diagnostic=broken)
        yield engine.NodeSkipped(node_id="c", because="b")
        yield engine.RunFinished(status="failed", ms=7)

    done = told(job)
    assert done.nodes == {
        "a": NodeRunView(status="succeeded", rows=9, columns=1, ms=3, summary="9 rows"),
        "b": NodeRunView(status="failed", diagnostic=broken),
        "c": NodeRunView(status="skipped", because="b"),
    }
    assert (done.status, done.ms) == ("failed", 7)
    assert either.preview(ANN, "run_1", "a").rows == ((1,),)
    assert kinds(either) == [
        "run.started",
        "node.started",
        "node.progress",
        "node.finished",
        "node.started",
        "node.failed",
        "node.skipped",
        "run.finished",
    ]


def test_an_engine_that_says_no_more_has_failed(either: Workspace, told: Callable[[Tell], RunView]) -> None:
    done = told(lambda token, deliver: iter([STARTED]))
    assert (done.status, done.note) == ("failed", "The run ended without saying how.")
    assert kinds(either) == ["run.started", "run.finished"]


def test_an_error_of_the_house_is_told_in_its_words(told: Callable[[Tell], RunView]) -> None:
    def job(token: Any, deliver: Any) -> Iterator[Any]:
        del token, deliver
        yield STARTED
        raise Invalid("bad", "It cannot be.", "Do otherwise.")

    assert told(job).note == "It cannot be. Do otherwise."


def test_any_other_error_is_for_the_log_alone(
    told: Callable[[Tell], RunView], caplog: pytest.LogCaptureFixture
) -> None:
    def job(token: Any, deliver: Any) -> Iterator[Any]:
        del token, deliver
        yield STARTED
        raise ZeroDivisionError("secret")

    done = told(job)
    assert done.status == "failed"
    assert "secret" not in done.note
    assert "ZeroDivisionError" in caplog.text


def test_nothing_after_the_end_is_heard(either: Workspace, told: Callable[[Tell], RunView]) -> None:
    def job(token: Any, deliver: Any) -> Iterator[Any]:
        del token, deliver
        yield STARTED
        yield engine.RunFinished(status="succeeded", ms=1)
        yield engine.NodeStarted(node_id="a")

    assert told(job).status == "succeeded"
    assert kinds(either) == ["run.started", "run.finished"]
