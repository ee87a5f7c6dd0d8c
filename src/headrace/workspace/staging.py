"""Use cases of staged work: propose, amend, approve all or a part, reject, refresh; and a person's own edits.

Owns the order of things: operations make a flow, the flow is judged, a person approves the patch by its digest, and that
very patch lands or nothing does (flow/SPEC.md, C and D).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from headrace.base.actor import Actor
from headrace.base.errors import WrongState
from headrace.base.ids import new_id
from headrace.flow import changeset as rules
from headrace.flow.changeset import Changeset, Landing
from headrace.flow.diagnostic import Diagnostic
from headrace.flow.model import Flow
from headrace.flow.operations import Operation, apply_all, operations_from
from headrace.flow.patch import Conflict, PatchConflict, diff, touched
from headrace.store.protocol import Reading, Writing
from headrace.store.records import ChangesetRecord, FlowRecord, RevisionRecord

from . import events
from .amendments import Grown, More, as_changeset, as_record, as_row, staged_more, staged_whole, words_of
from .flows import revision_view
from .foundation import UseCases, require_person
from .happenings import ChangesetAmended, ChangesetChanged
from .heads import Head, Move, flow_at, revisions_newest_first
from .judging import Judged, introduced
from .views import ChangesetView, RevisionView

Operations = Sequence[Operation] | Sequence[Mapping[str, Any]]


class Staging(UseCases):
    """Staged work and edits."""

    def propose(
        self, actor: Actor, flow_id: str, operations: Operations, *, summary: str = "", turn_id: str | None = None
    ) -> ChangesetView:
        """Return the operations staged on a flow; in a turn that has an open changeset already, added to that one.

        Errors: NotFound; Invalid (operations that cannot be read); OperationError (that cannot be applied).
        """
        house, wanted = self._house, read_operations(operations)
        with house.heads.lock(actor, flow_id):
            with house.store.reading() as view:
                head = house.heads.head(view, actor, flow_id)
                earlier = self._open_of_turn(view, actor, flow_id, turn_id=turn_id)
            if earlier is not None:
                return self._amend(actor, head, earlier, operations=wanted, summary=summary)
            made = rules.propose(
                head.flow,
                wanted,
                changeset_id=new_id("set"),
                flow_id=flow_id,
                base_revision=head.number,
                author=actor.author,
                created_at=house.now(),
                summary=summary,
                turn_id=turn_id,
            )
            return self._stage(actor, head, made)

    def amend(
        self, actor: Actor, changeset_id: str, operations: Operations, *, summary: str | None = None
    ) -> ChangesetView:
        """Return a changeset with operations put behind those that it has; its digest is another then.

        Errors: NotFound; WrongState where it is closed; Invalid; OperationError, numbered within the new operations.
        """
        house, wanted = self._house, read_operations(operations)
        flow_id = self.changeset(actor, changeset_id).flow_id
        with house.heads.lock(actor, flow_id):
            with house.store.reading() as view:
                head = house.heads.head(view, actor, flow_id)
                found = house.staged.read(view, actor, changeset_id)
            return self._amend(actor, head, found, operations=wanted, summary=summary)

    def changeset(self, actor: Actor, changeset_id: str) -> ChangesetView:
        """Return a changeset.

        Errors: NotFound.
        """
        with self._house.store.reading() as view:
            return self._house.staged.read(view, actor, changeset_id)

    def changesets(
        self, actor: Actor, flow_id: str, *, status: str | None = None, limit: int = 50
    ) -> list[ChangesetView]:
        """Return a flow's changesets, latest first.

        Errors: NotFound.
        """
        where: dict[str, str | int] = {"flow_id": flow_id} | ({"status": status} if status else {})
        with self._house.store.reading() as view:
            view.get(FlowRecord, actor.owner, flow_id)
            found = view.find(ChangesetRecord, actor.owner, where=where, newest_first=True, limit=limit)
            return [self._house.staged.seen(view, record) for record in found]

    def approve(
        self, actor: Actor, changeset_id: str, *, digest: str, only: Sequence[int] | None = None
    ) -> RevisionView:
        """Return the revision that a changeset, or the operations of it named by `only`, became.

        Errors: NotFound; Refused unless a person approves; StaleApproval where `digest` names another patch than the one
        that is staged now; WrongState where it is closed; Invalid where `only` names no operation; PatchConflict where the
        flow has drifted under it: then it is kept as conflicted, with every place that no longer fits.
        """
        require_person(actor, "approve a changeset")
        house = self._house
        flow_id = self.changeset(actor, changeset_id).flow_id
        with house.heads.lock(actor, flow_id):
            with house.store.reading() as view:
                head = house.heads.head(view, actor, flow_id)
                found = house.staged.read(view, actor, changeset_id)
                changeset = as_changeset(found)
                base = None if only is None else _base_of(view, actor, changeset, head=head)
            try:
                landing = rules.land(changeset, head.flow, seen=digest, only=only, base=base)
                after = self._judge_landing(head, changeset, landing)
            except PatchConflict as error:
                self._decide(actor, found, {"status": "conflicted", "conflicts": error.conflicts})
                raise
            return self._land(actor, head, found, landing=landing, after=after)

    def reject(self, actor: Actor, changeset_id: str) -> ChangesetView:
        """Return the changeset, rejected. Whoever wrote it may withdraw it; else it takes a person.

        Errors: NotFound; Refused; WrongState where it is closed.
        """
        found = self.changeset(actor, changeset_id)
        if found.author != actor.author:
            require_person(actor, "reject the work of another")
        with self._house.heads.lock(actor, found.flow_id):
            found = self.changeset(actor, changeset_id)
            as_changeset(found).with_status("rejected")
            return self._decide(actor, found, {"status": "rejected"})

    def refresh(self, actor: Actor, changeset_id: str) -> ChangesetView:
        """Return a new changeset: the same operations on the flow as it is now. It needs an approval of its own.

        Errors: NotFound; WrongState where there is nothing left to refresh; OperationError where the operations make no
        sense any more.
        """
        house = self._house
        flow_id = self.changeset(actor, changeset_id).flow_id
        with house.heads.lock(actor, flow_id):
            with house.store.reading() as view:
                head = house.heads.head(view, actor, flow_id)
                found = house.staged.read(view, actor, changeset_id)
            made = rules.refresh(
                as_changeset(found),
                head.flow,
                changeset_id=new_id("set"),
                base_revision=head.number,
                created_at=house.now(),
            )
            status = "rejected" if found.open else found.status
            return self._stage(actor, head, made, replacing=(found, status))

    def edit(self, actor: Actor, flow_id: str, operations: Operations, *, message: str = "") -> RevisionView:
        """Return the revision that a person's own operations made: proposed and approved in one.

        Where they change nothing, the revision that the flow is at stays.
        Errors: NotFound; Refused unless a person edits; Invalid; OperationError.
        """
        require_person(actor, "edit a flow without review")
        house, wanted = self._house, read_operations(operations)
        with house.heads.lock(actor, flow_id):
            with house.store.reading() as view:
                head = house.heads.head(view, actor, flow_id)
            flow = apply_all(head.flow, wanted)
            patch = diff(head.flow, flow)
            if not patch.changes:
                return self._standing(actor, head)
            after = house.heads.judge.again(head.judged, flow, touched=touched(patch, flow=flow))
            said = message or (words_of(head.flow, wanted[:1])[0] if len(wanted) == 1 else "")
            return self._move(actor, head, Move(patch=patch, after=after, author=actor.author, message=said))

    def undo(self, actor: Actor, flow_id: str) -> RevisionView:
        """Return the revision that takes back the latest live one that the person made or approved.

        Errors: NotFound; Refused; WrongState `nothing_to_undo`; PatchConflict where others built on it since.
        """
        require_person(actor, "undo")
        return self._revert(actor, flow_id, forward=False)

    def redo(self, actor: Actor, flow_id: str) -> RevisionView:
        """Return the revision that brings back what the person's latest undo took away.

        Errors: NotFound; Refused; WrongState `nothing_to_redo`; PatchConflict.
        """
        require_person(actor, "redo")
        return self._revert(actor, flow_id, forward=True)

    def _amend(
        self, actor: Actor, head: Head, found: ChangesetView, *, operations: tuple[Operation, ...], summary: str | None
    ) -> ChangesetView:
        house = self._house
        changeset = as_changeset(found)
        if summary:
            changeset = changeset.model_copy(update={"summary": summary})
        changeset = changeset.with_status("draft")
        if changeset.base_revision != head.number:
            # the flow moved on under a draft that nobody has approved: it is built again on what is there
            changeset = changeset.model_copy(update={"base_revision": head.number, "base_hash": head.record.hash})
            rebuilt = apply_all(head.flow, changeset.operations)
            changeset = changeset.model_copy(update={"patch": diff(head.flow, rebuilt)})
            made = rules.amend(changeset, head.flow, operations, drafted=rebuilt)
            return self._stage(actor, head, made, found=found)
        drafted = house.staged.on(actor, head, found)
        made = rules.amend(changeset, head.flow, operations, drafted=drafted.flow)
        last = diff(drafted.flow, made.after)
        after = house.heads.judge.again(drafted, made.after, touched=touched(last, flow=made.after))
        more = More(_proposed(made), last, words_of(drafted.flow, operations))
        told = house.staged.told(actor, head, found)
        grown = staged_more(found, more, head, after=after, told=told, now=house.now())
        return self._keep(actor, head, grown, found=found)

    def _stage(
        self,
        actor: Actor,
        head: Head,
        made: rules.Staged,
        *,
        found: ChangesetView | None = None,
        replacing: tuple[ChangesetView, str] | None = None,
    ) -> ChangesetView:
        """Judge what was staged on a head, keep it as proposed and tell of it, whole.

        `found` is the changeset that it was before, if it was one; `replacing` one whose place it takes, and what becomes of it.
        """
        house, changeset = self._house, made.changeset
        marks = touched(changeset.patch, flow=made.after)
        after = house.heads.judge.again(head.judged, made.after, touched=marks)
        words = words_of(head.flow, changeset.operations)
        amended = 0 if found is None else found.amended + 1
        grown = staged_whole(_proposed(made), head, after, now=house.now(), words=words, amended=amended)
        return self._keep(actor, head, grown, found=found, replacing=replacing)

    def _keep(
        self,
        actor: Actor,
        head: Head,
        grown: Grown,
        *,
        found: ChangesetView | None,
        replacing: tuple[ChangesetView, str] | None = None,
    ) -> ChangesetView:
        house, view = self._house, grown.view
        with house.store.transaction() as tx:
            if replacing is not None:
                old, status = replacing
                changed = {"status": status, "replaced_by": view.changeset_id, "updated_at": view.updated_at}
                self._put_decision(tx, actor, old, changed=changed)
            _put(tx, actor, view, found=found)
            tx.add(as_row(actor, grown))
            told = ChangesetChanged(changeset=view) if grown.added.whole else _amended(grown)
            events.append(tx, actor, told, flow_id=view.flow_id, now=view.updated_at)
        house.staged.put(actor, head, grown)
        house.bell.ring(actor.owner)
        return view

    def _decide(self, actor: Actor, found: ChangesetView, changed: Mapping[str, Any]) -> ChangesetView:
        """Keep what became of a changeset, and tell of it."""
        with self._house.store.transaction() as tx:
            view = self._put_decision(tx, actor, found, changed={**changed, "updated_at": self._house.now()})
        self._house.bell.ring(actor.owner)
        return view

    def _put_decision(
        self, tx: Writing, actor: Actor, found: ChangesetView, *, changed: Mapping[str, Any]
    ) -> ChangesetView:
        view = found.model_copy(update=changed)
        _put(tx, actor, view, found=found)
        events.append(tx, actor, ChangesetChanged(changeset=view), flow_id=view.flow_id, now=view.updated_at)
        return view

    def _open_of_turn(self, view: Reading, actor: Actor, flow_id: str, *, turn_id: str | None) -> ChangesetView | None:
        if turn_id is None:
            return None
        where: dict[str, str | int] = {"flow_id": flow_id, "turn_id": turn_id}
        for record in view.find(ChangesetRecord, actor.owner, where=where, newest_first=True):
            if record.status in ("draft", "proposed"):
                return self._house.staged.seen(view, record)
        return None

    def _judge_landing(self, head: Head, changeset: Changeset, landing: Landing) -> Judged:
        """Judge the flow that lands; hold it back where it drifted and has errors that the person did not see."""
        marks = touched(landing.patch, flow=landing.head)
        after = self._house.heads.judge.again(head.judged, landing.head, touched=marks)
        if rules.drifted(changeset, head.flow):
            seen = (*changeset.diagnostics, *head.judged.diagnostics)
            fresh = [each for each in introduced(after.diagnostics, seen) if each.severity == "error"]
            if fresh:
                raise PatchConflict(_as_conflict(each) for each in fresh)
        return after

    def _land(self, actor: Actor, head: Head, found: ChangesetView, *, landing: Landing, after: Judged) -> RevisionView:
        house, now = self._house, self._house.now()
        move = Move(
            patch=landing.patch,
            after=after,
            author=found.author,
            approved_by=actor.author,
            message=found.summary,
            changeset_id=found.changeset_id,
        )
        changed = {
            "status": "approved",
            "landed": landing.part.indexes if landing.part is not None else None,
            "updated_at": now,
        }
        revision: RevisionRecord | None = None
        with house.store.transaction() as tx:
            moved = head
            if landing.patch.changes:
                moved, revision = house.heads.move(tx, actor, head, move=move, now=now)
            self._put_decision(tx, actor, found, changed={**changed, "revision": moved.number})
        house.heads.put(moved)
        house.bell.ring(actor.owner)
        return revision_view(revision) if revision is not None else self._standing(actor, head)

    def _move(self, actor: Actor, head: Head, move: Move) -> RevisionView:
        house = self._house
        with house.store.transaction() as tx:
            moved, revision = house.heads.move(tx, actor, head, move=move, now=house.now())
        house.heads.put(moved)
        house.bell.ring(actor.owner)
        return revision_view(revision)

    def _revert(self, actor: Actor, flow_id: str, *, forward: bool) -> RevisionView:
        house = self._house
        with house.heads.lock(actor, flow_id):
            with house.store.reading() as view:
                head = house.heads.head(view, actor, flow_id)
                log = revisions_newest_first(view, actor, flow_id, number=head.number)
                target = (rules.redo_target if forward else rules.undo_target)(log, actor.author)
            if target is None:
                word = "redo" if forward else "undo"
                raise WrongState(
                    f"nothing_to_{word}", f"There is nothing of yours to {word} in flow {flow_id!r}.", "Go on working."
                )
            landing = rules.revert(head.flow, target)
            marks = touched(landing.patch, flow=landing.head)
            move = Move(
                patch=landing.patch,
                after=house.heads.judge.again(head.judged, landing.head, touched=marks),
                author=actor.author,
                message=_said(target, forward=forward),
                reverts=target.number,
            )
            return self._move(actor, head, move)

    def _standing(self, actor: Actor, head: Head) -> RevisionView:
        """The revision that a flow is at; its beginning, where there is none yet."""
        if head.number:
            with self._house.store.reading() as view:
                return revision_view(view.get(RevisionRecord, actor.owner, (head.record.flow_id, head.number)))
        record = head.record
        return RevisionView(
            flow_id=record.flow_id,
            number=0,
            hash=record.hash,
            author=record.owner,
            approved_by=None,
            message="",
            reverts=None,
            changeset_id=None,
            created_at=record.created_at,
        )


def read_operations(operations: Operations) -> tuple[Operation, ...]:
    """Return operations as values, from values or from plain JSON.

    Errors: Invalid, with every fault.
    """
    plain = [each if isinstance(each, Mapping) else each.model_dump(mode="json") for each in operations]
    if any(isinstance(each, Mapping) for each in operations):
        return operations_from(plain)
    return tuple(operations)  # ty: ignore[invalid-explicit-return]


def _put(tx: Writing, actor: Actor, view: ChangesetView, *, found: ChangesetView | None) -> None:
    """Keep where a changeset stands. `found` is what it was when this work began: nobody may have changed it since.

    Errors: WrongState `changeset_moved` where another program did.
    """
    if found is None:
        tx.add(as_record(actor, view))
        return
    now = tx.get(ChangesetRecord, actor.owner, view.changeset_id)
    if (now.status, now.body["amended"]) != (found.status, found.amended):
        raise WrongState(
            "changeset_moved",
            f"Changeset {view.changeset_id!r} was changed by another program meanwhile.",
            "Look at it again, then go on.",
        )
    tx.replace(as_record(actor, view))


def _amended(grown: Grown) -> ChangesetAmended:
    view = grown.view
    return ChangesetAmended(
        changeset_id=view.changeset_id,
        amended=view.amended,
        digest=view.digest,
        summary=view.summary,
        updated_at=view.updated_at,
        added=grown.added,
    )


def _proposed(made: rules.Staged) -> rules.Staged:
    return rules.Staged(made.changeset.with_status("proposed"), made.after)


def _base_of(view: Reading, actor: Actor, changeset: Changeset, *, head: Head) -> Flow:
    if changeset.base_revision == head.number:
        return head.flow
    return flow_at(view, actor, changeset.flow_id, number=changeset.base_revision)


def _as_conflict(found: Diagnostic) -> Conflict:
    path = ("nodes", found.where.node, *found.where.path) if found.where.node else ()
    return Conflict(path=path, expected=None, found=found.message, reason="unsound")


def _said(target: rules.Revision, *, forward: bool) -> str:
    if forward:
        return f"Bring back what revision {target.number} took away"
    about = f": {target.message}" if target.message else ""
    return f"Take back revision {target.number}{about}"
