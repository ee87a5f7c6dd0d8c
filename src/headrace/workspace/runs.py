"""Use cases of runs: start, watch, cancel, look at results, and runs that are thrown away.

Owns which flow runs and what it may do. A staged flow never does real effects; nor does a run that somebody else than a
person asks for, where the policy says that a person must be asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from headrace.base.actor import Actor
from headrace.base.errors import Refused, Unavailable
from headrace.base.ids import new_id
from headrace.engine.answer import answer
from headrace.engine.cancel import CancelToken
from headrace.engine.plan import Plan, Task, plan
from headrace.engine.results import NodeResult, RunSettings
from headrace.engine.run import run
from headrace.flow.model import Flow
from headrace.flow.operations import (
    AddNode,
    Connect,
    Disconnect,
    InsertBetween,
    Operation,
    ReplaceNode,
    SetConfig,
    SetParameter,
    UnsetConfig,
)
from headrace.flow.order import order
from headrace.flow.patch import Patch, touched
from headrace.flow.records import parameters_in
from headrace.nodes.spec import Column
from headrace.store.protocol import Reading
from headrace.store.records import FlowRecord, NodeResultRecord, RevisionRecord, RunRecord

from . import policy
from .foundation import Foundation, UseCases
from .heads import Head
from .judging import Judged
from .runner import Job, body_of
from .views import NodeRunView, PreviewView, RunView

_STAGED_NOTE = "This is a staged change: effects are described, not done."
_HELD_NOTE = "A person must start what writes, sends or spends: effects are described, not done."


@dataclass(frozen=True, slots=True)
class _Target:
    """What is to run: a flow that is known, and what about it has just changed."""

    head: Head
    judged: Judged
    changed: tuple[str, ...]


class Runs(UseCases):
    """Runs."""

    def run(
        self,
        actor: Actor,
        flow_id: str,
        *,
        to: str | None = None,
        changeset_id: str | None = None,
        dry_run: bool = False,
        exports: Mapping[str, Path] | None = None,
    ) -> RunView:
        """Return a run that has been started: of the flow as it stands, or as it would stand with a changeset.

        `exports` writes whole tables to files that the person named: node id -> csv, parquet or json lines, by the name.
        Errors: NotFound (flow, changeset, node); PatchConflict; Refused; Unavailable where too many runs wait.
        """
        house, now = self._house, self._house.now()
        with house.store.reading() as view:
            target = _target(self._house, view, actor, flow_id=flow_id, changeset_id=changeset_id)
        planned = plan(target.judged.flow, house.catalog, target.judged.inference, to=to)
        dry, note = self._held(actor, planned, staged_only=changeset_id is not None, dry_run=dry_run)
        shown = RunView(
            run_id=new_id("run"),
            flow_id=flow_id,
            number=target.head.number,
            changeset_id=changeset_id,
            to=to,
            dry_run=dry,
            note=note,
            status="queued",
            answer=to if to in _tables(planned) else answer(target.judged.flow, house.catalog, changed=target.changed),
            nodes={node_id: NodeRunView() for node_id in planned.tasks},
            created_at=now,
            updated_at=now,
        )
        record = _record(actor, shown)
        with house.store.transaction() as tx:
            kept = tx.find(RunRecord, actor.owner, where={"flow_id": flow_id}, newest_first=True)
            for old in kept[house.budgets.runs_kept - 1 :]:
                if old.status not in ("queued", "running"):
                    tx.remove(RunRecord, actor.owner, old.run_id)
            tx.add(record)
        settings = run_settings(house, shown.run_id, dry_run=dry, exports=None if dry else exports)
        try:
            house.runner.start(actor, record, shown, job=_job(planned, settings))
        except Unavailable:
            with house.store.transaction() as tx:
                tx.remove(RunRecord, actor.owner, record.run_id)
            raise
        return shown

    def answering(self, actor: Actor, flow_id: str, *, to: str | None = None) -> str | None:
        """Return the node whose table a run of the flow would name as its answer, or None: none gives one.

        Errors: NotFound.
        """
        with self._house.store.reading() as view:
            target = _target(self._house, view, actor, flow_id=flow_id, changeset_id=None)
        tables = _tables(plan(target.judged.flow, self._house.catalog, target.judged.inference, to=to))
        return to if to in tables else answer(target.judged.flow, self._house.catalog, changed=target.changed)

    def runs(self, actor: Actor, flow_id: str, *, limit: int = 20) -> list[RunView]:
        """Return a flow's runs, latest first, without their nodes.

        Errors: NotFound.
        """
        with self._house.store.reading() as view:
            view.get(FlowRecord, actor.owner, flow_id)
            found = view.find(RunRecord, actor.owner, where={"flow_id": flow_id}, newest_first=True, limit=limit)
        return [self._house.runner.live(actor, each.run_id) or _shown(each, {}) for each in found]

    def run_view(self, actor: Actor, run_id: str) -> RunView:
        """Return a run as it stands, with its nodes.

        Errors: NotFound.
        """
        live = self._house.runner.live(actor, run_id)
        if live is not None:
            return live
        with self._house.store.reading() as view:
            record = view.get(RunRecord, actor.owner, run_id)
            results = view.find(NodeResultRecord, actor.owner, where={"run_id": run_id})
        done = {each.node_id: NodeRunView.model_validate(each.body["node"]) for each in results}
        return _shown(record, {node_id: done.get(node_id, NodeRunView()) for node_id in record.body["order"]})

    def cancel(self, actor: Actor, run_id: str) -> RunView:
        """Return the run, told to stop; one that is over stays as it is.

        Errors: NotFound.
        """
        self._require_run(actor, run_id)
        self._house.runner.cancel(actor, run_id)
        return self.run_view(actor, run_id)

    def wait(self, actor: Actor, run_id: str, timeout: float | None = None) -> RunView:
        """Return the run once it is over, or as it stands after `timeout` s.

        Errors: NotFound.
        """
        self._require_run(actor, run_id)
        self._house.runner.wait(actor, run_id, timeout)
        return self.run_view(actor, run_id)

    def preview(self, actor: Actor, run_id: str, node_id: str, *, offset: int = 0, limit: int = 100) -> PreviewView:
        """Return the rows of a node's table that were kept with a run.

        Errors: NotFound where the run is, or has nothing of that node.
        """
        with self._house.store.reading() as view:
            view.get(RunRecord, actor.owner, run_id)
            body = view.get(NodeResultRecord, actor.owner, (run_id, node_id)).body
        return PreviewView(
            columns=tuple(Column(**column) for column in body["columns"]),
            rows=tuple(tuple(row) for row in body["rows"][offset : offset + limit]),
            offset=offset,
            kept=len(body["rows"]),
            total=body["total"],
        )

    def _require_run(self, actor: Actor, run_id: str) -> None:
        with self._house.store.reading() as view:
            view.get(RunRecord, actor.owner, run_id)

    def _held(self, actor: Actor, planned: Plan, *, staged_only: bool, dry_run: bool) -> tuple[bool, str]:
        """Whether effects are held back, and why in words."""
        effects = {effect for task in planned.tasks.values() for effect in _effects_of(task)}
        decision = "do" if actor.kind == "person" else policy.decide_all(effects, "review", "run")
        if decision == "refuse":
            raise Refused(
                "run_refused",
                "This flow holds nodes that may not be run for a person.",
                "Take them out, or ask the person.",
            )
        outside = effects - {policy.Effect.PURE, policy.Effect.READS}
        if staged_only:
            return True, _STAGED_NOTE if outside else ""
        if decision != "do":
            return True, _HELD_NOTE
        return dry_run, ""


def _effects_of(task: Task) -> frozenset[policy.Effect]:
    """What a task may do, as far as its config tells; a config that cannot be read may do all that its type may."""
    if task.type is None:
        return frozenset()
    return task.type.effects if task.config is None else task.type.effects_of(task.config)


def run_settings(
    house: Foundation,
    run_id: str,
    *,
    dry_run: bool,
    deliver: Callable[[NodeResult], None] = lambda _: None,
    exports: Mapping[str, Path] | None = None,
    profiles: frozenset[str] = frozenset(),
) -> RunSettings:
    """Return what a run is given besides its plan, within the workspace's budgets."""
    budgets = house.budgets
    return RunSettings(
        run_id=run_id,
        context=house.context,
        files=house.files,
        deliver=deliver,
        dry_run=dry_run,
        preview_rows=budgets.preview_rows,
        profiles=profiles,
        exports=exports or {},
        threads=budgets.threads or None,
        memory_limit=f"{budgets.memory_mb}MB" if budgets.memory_mb else None,
    )


def _job(planned: Plan, settings: RunSettings) -> Job:
    def job(token: CancelToken, deliver: Any) -> Iterator[Any]:
        return run(planned, replace(settings, deliver=deliver), token)

    return job


def _target(house: Foundation, view: Reading, actor: Actor, *, flow_id: str, changeset_id: str | None) -> _Target:
    head = house.heads.head(view, actor, flow_id)
    judged = house.staged.judged(view, actor, head, changeset_id=changeset_id)
    return _Target(head, judged, lately_changed(house, view, actor, head=head, changeset_id=changeset_id))


def lately_changed(
    house: Foundation, view: Reading, actor: Actor, *, head: Head, changeset_id: str | None
) -> tuple[str, ...]:
    """Return the nodes that the staged change, or the last revision, touched; the last one last.

    In the order of the operations where they are known, else in the order in which the nodes run.
    """
    patch = Patch()
    if changeset_id is None and head.number:
        revision = view.get(RevisionRecord, actor.owner, (head.record.flow_id, head.number))
        patch, changeset_id = Patch.model_validate(revision.patch), revision.changeset_id
    if changeset_id is not None:
        operations = house.staged.read(view, actor, changeset_id).operations
        # the last mention counts
        named = (each for operation in reversed(operations) for each in _named(operation, head.flow))
        return tuple(dict.fromkeys(named))[::-1]
    marks = touched(patch, flow=head.flow)
    return tuple(node_id for node_id in order(head.flow).sequence if node_id in marks)


def _named(operation: Operation, flow: Flow) -> tuple[str, ...]:
    match operation:
        case AddNode() | InsertBetween():
            return (operation.node.id,)
        case Connect() | Disconnect():
            return (operation.target.node,)
        case ReplaceNode() | SetConfig() | UnsetConfig():
            return (operation.node_id,)
        case SetParameter():
            return tuple(
                sorted(node_id for node_id, node in flow.nodes.items() if operation.name in parameters_in(node.config))
            )
        case _:
            return ()


def _tables(planned: Plan) -> frozenset[str]:
    return frozenset(node_id for node_id, task in planned.tasks.items() if task.table is not None)


def _record(actor: Actor, shown: RunView) -> RunRecord:
    return RunRecord(
        owner=actor.owner,
        run_id=shown.run_id,
        flow_id=shown.flow_id,
        number=shown.number,
        changeset_id=shown.changeset_id,
        status=shown.status,
        body=body_of(shown),
        created_at=shown.created_at,
        updated_at=shown.updated_at,
    )


def _shown(record: RunRecord, nodes: Mapping[str, NodeRunView]) -> RunView:
    body: dict[str, Any] = {key: value for key, value in record.body.items() if key != "order"}
    return RunView(
        run_id=record.run_id,
        flow_id=record.flow_id,
        number=record.number,
        changeset_id=record.changeset_id,
        status=record.status,  # ty: ignore[invalid-argument-type]
        nodes=dict(nodes),
        created_at=record.created_at,
        updated_at=record.updated_at,
        **body,
    )
