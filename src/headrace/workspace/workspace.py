"""The workspace: every use case under one name. What a door, a tool or a command may do goes through here.

Owns putting the parts together; the use cases are in the modules beside it. All calls are synchronous and may come from
any thread; each names its actor first.
"""

from __future__ import annotations

from collections.abc import Callable

from headrace.base.actor import Actor
from headrace.base.clock import Clock, SystemClock
from headrace.nodes.binder import Binder
from headrace.nodes.catalog import Catalog
from headrace.nodes.context import StandardContext
from headrace.nodes.files import FileSpace
from headrace.store.protocol import Store

from .budgets import Budgets
from .chats import Chats
from .events import Bell, Events
from .flows import Flows
from .foundation import Foundation
from .heads import Heads
from .judging import Judge
from .looking import Looking
from .receiving import Receiving
from .recovery import Recovery
from .runner import Runner
from .runs import Runs
from .scratch import Scratch
from .staged import StagedFlows
from .staging import Staging
from .views import Event


class Workspace(Flows, Staging, Runs, Scratch, Looking, Receiving, Chats, Recovery):
    """The one facade."""

    def __init__(
        self,
        store: Store,
        catalog: Catalog,
        files: FileSpace,
        *,
        binder: Binder | None = None,
        clock: Clock | None = None,
        budgets: Budgets | None = None,
    ) -> None:
        clock, budgets = clock or SystemClock(), budgets or Budgets()
        context = StandardContext(files, binder or Binder())
        judge, bell = Judge(catalog, context), Bell()
        foundation = Foundation(
            store=store,
            catalog=catalog,
            files=files,
            context=context,
            clock=clock,
            heads=Heads(judge, kept=budgets.heads_kept),
            staged=StagedFlows(judge),
            runner=Runner(store, bell, clock, budgets=budgets),
            bell=bell,
            budgets=budgets,
        )
        super().__init__(foundation)
        self._events = Events(store, bell)

    @property
    def catalog(self) -> Catalog:
        """The node types that there are."""
        return self._house.catalog

    @property
    def budgets(self) -> Budgets:
        """The caps that hold here."""
        return self._house.budgets

    def events(self, actor: Actor, after_seq: int = 0, *, flow_id: str | None = None, limit: int = 500) -> list[Event]:
        """Return what happened after an event's number, oldest first; for one flow, or for all of the owner's."""
        return self._events.read(actor, after_seq, flow_id=flow_id, limit=limit)

    def wait_for_events(
        self, actor: Actor, after_seq: int, *, flow_id: str | None = None, limit: int = 500, timeout: float = 15.0
    ) -> list[Event]:
        """Return what happened after an event's number as soon as there is something, or nothing after `timeout` s."""
        return self._events.wait(actor, after_seq, flow_id=flow_id, limit=limit, timeout=timeout)

    def last_seq(self, actor: Actor) -> int:
        """Return the number of the latest event of anyone: where a new listener begins."""
        del actor
        with self._house.store.reading() as view:
            return view.last_seq()

    def subscribe(self, actor: Actor, call: Callable[[], None]) -> Callable[[], None]:
        """Call `call` whenever the owner has new events, from the thread that made them; return what ends that.

        `call` must only wake somebody, who then reads `events` from the last number that he has seen.
        """
        return self._house.bell.listen(actor.owner, call)

    def close(self) -> None:
        """Stop what runs, wake who waits, drop what has not arrived whole, and let the store go."""
        self.drop_arriving()
        self._house.runner.close()
        self._house.bell.close()
        self._house.store.close()
