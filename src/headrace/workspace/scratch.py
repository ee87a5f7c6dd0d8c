"""Runs that are thrown away: to answer a question about data, to profile a table. Nothing of them is kept.

Owns their limits. They run in the caller's thread and never do real effects.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from headrace.base.actor import Actor
from headrace.base.errors import BadRequest, Invalid
from headrace.base.ids import new_id
from headrace.engine.answer import answer
from headrace.engine.cancel import CancelToken
from headrace.engine.plan import Plan, plan
from headrace.engine.results import NodeResult
from headrace.engine.run import run
from headrace.flow.model import EMPTY, flow_from_document
from headrace.flow.operations import apply_all
from headrace.flow.patch import diff, touched

from .foundation import Foundation, UseCases
from .judging import Judged, shown
from .runner import node_after
from .runs import lately_changed, run_settings
from .staging import Operations, read_operations
from .stopping import Stop
from .views import NodeRunView, PreviewView, ProfileView, ScratchView


@dataclass(slots=True)
class _Outcome:
    """What a thrown-away run gave."""

    nodes: dict[str, NodeRunView]
    status: Any = "failed"
    ms: int = 0
    note: str = ""
    results: dict[str, NodeResult] = field(default_factory=dict)


class Scratch(UseCases):
    """Runs that are thrown away."""

    def scratch(
        self,
        actor: Actor,
        *,
        flow_id: str | None = None,
        changeset_id: str | None = None,
        document: dict[str, Any] | None = None,
        operations: Operations = (),
        to: str | None = None,
        rows: int | None = None,
        seconds: float | None = None,
        stop: Stop | None = None,
    ) -> ScratchView:
        """Return what a flow gives: a document's, or one that is kept (with a changeset), with operations put on it.

        `to` is the node whose table is wanted; without it the one that answers. `rows` and `seconds` only lower the caps; `stop` ends it.
        Errors: NotFound; Invalid (document, operations); OperationError; PatchConflict; BadRequest where both a flow and a
        document are named.
        """
        house = self._house
        judged = self._flow(actor, flow_id, changeset_id, document=document)
        changed = () if flow_id is None else self._changed(actor, flow_id, changeset_id)
        if operations:
            flow = apply_all(judged.flow, read_operations(operations))
            marks = touched(diff(judged.flow, flow), flow=flow)
            changed = (*changed, *sorted(marks))
            judged = house.heads.judge.again(judged, flow, touched=marks)
        target = to or answer(judged.flow, house.catalog, changed=changed)
        planned = plan(judged.flow, house.catalog, judged.inference, to=to)
        seconds = min(seconds or house.budgets.scratch_seconds, house.budgets.scratch_seconds)
        outcome = _run(house, planned, seconds=seconds, stop=stop)
        cap = min(rows or house.budgets.scratch_rows, house.budgets.scratch_rows)
        return ScratchView(
            status=outcome.status,
            note=outcome.note,
            answer=target,
            table=_table(outcome.results.get(target or ""), cap),
            nodes=outcome.nodes,
            diagnostics=shown(judged.diagnostics),
            ms=outcome.ms,
        )

    def profile(
        self,
        actor: Actor,
        flow_id: str,
        node_id: str,
        *,
        columns: Sequence[str] | None = None,
        changeset_id: str | None = None,
        stop: Stop | None = None,
    ) -> ProfileView:
        """Return a node's table in figures, column by column.

        Errors: NotFound; PatchConflict; Invalid where there are none: `no_table`, or the code of what failed.
        """
        house = self._house
        judged = self._flow(actor, flow_id, changeset_id)
        planned = plan(judged.flow, house.catalog, judged.inference, to=node_id)
        seconds = house.budgets.scratch_seconds
        outcome = _run(house, planned, seconds=seconds, profiles=frozenset({node_id}), stop=stop)
        result = outcome.results.get(node_id)
        if result is None or result.profile is None:
            code, why = _why(outcome, node_id)
            raise Invalid(code, f"There are no figures of {node_id!r}: {why}", "Mend that first.")
        wanted = None if columns is None else {name.casefold() for name in columns}
        return ProfileView(
            node_id=node_id,
            rows=result.rows,
            columns=tuple(each for each in result.profile if wanted is None or each.name.casefold() in wanted),
        )

    def _changed(self, actor: Actor, flow_id: str, changeset_id: str | None) -> tuple[str, ...]:
        house = self._house
        with house.store.reading() as view:
            head = house.heads.head(view, actor, flow_id)
            return lately_changed(house, view, actor, head=head, changeset_id=changeset_id)

    def _flow(
        self, actor: Actor, flow_id: str | None, changeset_id: str | None, *, document: dict[str, Any] | None = None
    ) -> Judged:
        house = self._house
        if flow_id is None:
            return house.heads.judge.first(EMPTY if document is None else flow_from_document(document))
        if document is not None:
            raise BadRequest("two_flows", "Both a flow and a document are named.", "Name one of them.")
        with house.store.reading() as view:
            head = house.heads.head(view, actor, flow_id)
            return house.staged.judged(view, actor, head, changeset_id=changeset_id)


def _run(
    house: Foundation,
    planned: Plan,
    *,
    seconds: float,
    profiles: frozenset[str] = frozenset(),
    stop: Stop | None = None,
) -> _Outcome:
    outcome = _Outcome(nodes={node_id: NodeRunView() for node_id in planned.tasks})
    settings = run_settings(
        house,
        new_id("scratch"),
        dry_run=True,
        deliver=lambda result: outcome.results.__setitem__(result.node_id, result),
        profiles=profiles,
    )
    token = CancelToken()
    limit = threading.Timer(seconds, token.cancel)
    limit.daemon = True
    limit.start()
    began = time.monotonic()
    try:
        with (stop or Stop()).waking(token.cancel):
            for told in run(planned, settings, token):
                node_id = getattr(told, "node_id", None)
                if node_id is not None:
                    outcome.nodes[node_id] = node_after(outcome.nodes[node_id], told, outcome.results.get(node_id))
                elif told.event == "run.finished":
                    outcome.status, outcome.ms = told.status, told.ms
    finally:
        limit.cancel()
    if outcome.status == "cancelled" and time.monotonic() - began >= seconds:
        outcome.note = f"Stopped after {seconds:g} s, the most a look may take. Ask for less, or run the flow."
    return outcome


def _table(result: NodeResult | None, cap: int) -> PreviewView | None:
    if result is None or result.table is None:
        return None
    rows = result.preview[:cap]
    return PreviewView(columns=result.table.columns, rows=rows, kept=len(rows), total=result.rows)


def _why(outcome: _Outcome, node_id: str) -> tuple[str, str]:
    """Return the code of what went wrong and why there is no table."""
    node = outcome.nodes.get(node_id, NodeRunView())
    failed = [each.diagnostic for each in outcome.nodes.values() if each.diagnostic is not None]
    if failed:
        return failed[0].code, failed[0].message
    return "no_table", outcome.note or (
        "it gives no table." if node.status == "succeeded" else "it did not run to its end."
    )
