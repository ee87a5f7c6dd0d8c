"""What every store does: the same tests over the one in SQL and the one in memory."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from headrace.base.errors import Invalid, NotFound, WrongState
from headrace.store.memory import MemoryStore
from headrace.store.protocol import Store
from headrace.store.records import (
    KINDS,
    EventRecord,
    FlowRecord,
    NodeResultRecord,
    Record,
    RevisionRecord,
    RunRecord,
    SnapshotRecord,
    key_of,
)
from headrace.store.sql import open_store
from tests.store import samples


@pytest.fixture(params=["memory", "sql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store = MemoryStore() if request.param == "memory" else open_store(tmp_path / "headrace.db")
    yield made
    made.close()


def keep(store: Store, *records: Record) -> None:
    with store.transaction() as tx:
        for record in records:
            if isinstance(record, EventRecord):
                tx.append(record)
            else:
                tx.add(record)


class TestKeeping:
    def test_every_kind_comes_back_as_it_was(self, store: Store) -> None:
        records = samples.one_of_each()
        keep(store, *records)
        with store.reading() as view:
            assert [view.get(type(record), "ann", key_of(record)) for record in records] == records

    def test_what_was_kept_is_out_of_reach_of_the_one_who_gave_it(self, store: Store) -> None:
        body: dict[str, object] = {"list": [1]}
        keep(store, samples.flow(), replace(samples.run(), body=body))
        body["list"] = "changed"
        with store.reading() as view:
            first = view.get(RunRecord, "ann", "run_1")
            first.body["list"].append(2)
            assert view.get(RunRecord, "ann", "run_1").body == {"list": [1]}

    def test_a_taken_key_is_refused(self, store: Store) -> None:
        keep(store, samples.flow())
        with pytest.raises(WrongState, match="There is a flow 'flow_1' already"):
            keep(store, samples.flow())

    def test_a_child_needs_its_parent(self, store: Store) -> None:
        with pytest.raises(NotFound, match="There is no flow 'flow_1'"):
            keep(store, samples.revision())

    def test_a_child_cannot_have_the_parent_of_another(self, store: Store) -> None:
        keep(store, samples.flow("ann"))
        with pytest.raises(NotFound, match="There is no flow 'flow_1'"):
            keep(store, samples.revision("bob"))

    def test_replacing_needs_something_to_replace(self, store: Store) -> None:
        keep(store, samples.flow())
        with store.transaction() as tx, pytest.raises(NotFound):
            tx.replace(samples.run())

    def test_revisions_and_snapshots_and_events_are_append_only(self, store: Store) -> None:
        keep(store, *samples.one_of_each())
        for record in samples.one_of_each():
            if type(record) in (RevisionRecord, SnapshotRecord, EventRecord):
                with store.transaction() as tx, pytest.raises(TypeError):
                    tx.replace(record)
                with store.transaction() as tx, pytest.raises(TypeError):
                    tx.remove(type(record), "ann", key_of(record))

    def test_removing_a_flow_takes_its_children_and_leaves_its_events(self, store: Store) -> None:
        keep(store, *samples.one_of_each("ann"), *samples.one_of_each("bob"))
        with store.transaction() as tx:
            tx.remove(FlowRecord, "ann", "flow_1")
        left = {"events", "settings"}
        with store.reading() as view:
            assert {kind.table for kind in KINDS if view.find(kind, "ann")} == left
            assert {kind.table for kind in KINDS if view.find(kind, "bob")} == {kind.table for kind in KINDS}

    def test_text_that_no_database_keeps_is_refused_in_words(self, store: Store) -> None:
        for name in ("half \ud83d", "nul \0"):
            with pytest.raises(Invalid, match="The name of the flow"):
                keep(store, replace(samples.flow(), name=name))

    def test_half_a_pair_inside_json_is_kept(self, store: Store) -> None:
        keep(store, samples.flow(), replace(samples.run(), body={"cell": "half \ud83d and \0"}))
        with store.reading() as view:
            assert view.get(RunRecord, "ann", "run_1").body == {"cell": "half \ud83d and \0"}

    def test_no_json_is_refused(self, store: Store) -> None:
        keep(store, samples.flow())
        for value in (float("nan"), {1, 2}):
            with pytest.raises(Exception, match=r"JSON|serializable"):
                keep(store, replace(samples.run(), body={"value": value}))
        with store.reading() as view:
            assert view.find(RunRecord, "ann") == []


class TestOwners:
    @pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.noun)
    def test_a_foreign_record_answers_as_an_absent_one(self, store: Store, kind: type[Record]) -> None:
        """[foreign = absent] In every call that names a record, for every kind that there is."""
        record = next(record for record in samples.one_of_each("ann") if type(record) is kind)
        foreign = replace(record, owner="bob")

        def answers() -> list[tuple[str, str, str, int]]:
            told = []
            calls = [lambda tx: tx.get(kind, "bob", key_of(record))]
            if not kind.append_only:
                calls += [lambda tx: tx.replace(foreign), lambda tx: tx.remove(kind, "bob", key_of(record))]
            if kind is FlowRecord:
                calls.append(lambda tx: tx.advance(foreign, expected=0))
            for call in calls:
                with store.transaction() as tx:
                    with pytest.raises(NotFound) as caught:
                        call(tx)
                    told.append((str(caught.value), caught.value.code, caught.value.hint, caught.value.status))
                    assert tx.find(kind, "bob") == []
            return told

        absent = answers()
        keep(store, *samples.one_of_each("ann"))
        assert answers() == absent
        with store.reading() as view:
            assert view.get(kind, "ann", key_of(record)) == record

    def test_anothers_id_is_not_in_the_way(self, store: Store) -> None:
        keep(store, *samples.one_of_each("ann"), *samples.one_of_each("bob"))
        with store.reading() as view:
            assert view.get(FlowRecord, "bob", "flow_1").owner == "bob"


class TestFinding:
    def test_they_come_in_the_kinds_order(self, store: Store) -> None:
        keep(store, samples.flow(), *(samples.revision(number=n) for n in (3, 1, 10, 2)))
        with store.reading() as view:
            assert [r.number for r in view.find(RevisionRecord, "ann")] == [1, 2, 3, 10]
            assert [r.number for r in view.find(RevisionRecord, "ann", newest_first=True, limit=2)] == [10, 3]
            assert [r.number for r in view.find(RevisionRecord, "ann", after=2)] == [3, 10]

    def test_fields_narrow_them_down(self, store: Store) -> None:
        keep(store, samples.flow(), samples.flow(flow_id="flow_2"))
        keep(store, samples.run(minute=1), samples.run(run_id="run_2", flow_id="flow_2"))
        with store.reading() as view:
            assert [r.run_id for r in view.find(RunRecord, "ann", where={"flow_id": "flow_2"})] == ["run_2"]
            assert view.find(RunRecord, "ann", where={"flow_id": "flow_2", "status": "done"}) == []
            assert [r.run_id for r in view.find_for_all(RunRecord, where={"status": "running"})] == ["run_2", "run_1"]

    def test_a_number_beyond_all_numbers_is_absent(self, store: Store) -> None:
        keep(store, samples.flow())
        with store.reading() as view, pytest.raises(NotFound):
            view.get(RevisionRecord, "ann", ("flow_1", 10**30))


class TestEvents:
    def test_numbers_only_rise(self, store: Store) -> None:
        with store.transaction() as tx:
            first = tx.append(samples.event())
            second = tx.append(samples.event("bob"))
            assert second.seq > first.seq > 0
            assert tx.last_seq() == second.seq

    def test_numbers_are_not_given_again_after_a_sweep(self, store: Store) -> None:
        keep(store, samples.event(kind="turn.text"), samples.event(kind="turn.text"))
        with store.transaction() as tx:
            assert tx.sweep_events(("turn.text",), before=100) == 2
        with store.transaction() as tx:
            assert tx.append(samples.event()).seq == 3

    def test_a_sweep_leaves_other_kinds_and_later_ones(self, store: Store) -> None:
        keep(store, samples.event(kind="turn.text"), samples.event(), samples.event(kind="turn.text"))
        with store.transaction() as tx:
            tx.sweep_events(("turn.text",), before=3)
        with store.reading() as view:
            assert [e.seq for e in view.find(EventRecord, "ann")] == [2, 3]

    def test_they_are_read_on_from_any_number(self, store: Store) -> None:
        keep(store, *(samples.event(flow_id=f"flow_{n % 2}", n=n) for n in range(6)))
        with store.reading() as view:
            found = view.find(EventRecord, "ann", where={"flow_id": "flow_1"}, after=2, limit=1)
        assert [e.data for e in found] == [{"n": 3}]


class TestTransactions:
    def test_an_error_leaves_nothing_behind(self, store: Store) -> None:
        def fail() -> None:
            with store.transaction() as tx:
                tx.add(samples.flow())
                tx.append(samples.event())
                raise RuntimeError

        with pytest.raises(RuntimeError):
            fail()
        with store.reading() as view:
            assert [view.find(kind, "ann") for kind in KINDS] == [[] for _ in KINDS]

    def test_a_transaction_sees_its_own_writes_and_others_do_not(self, store: Store) -> None:
        with store.reading() as before:
            before.last_seq()
            with store.transaction() as tx:
                tx.add(samples.flow())
                assert tx.get(FlowRecord, "ann", "flow_1") == samples.flow()
                with store.reading() as other:
                    assert other.find(FlowRecord, "ann") == []
            assert before.find(FlowRecord, "ann") == []

    def test_a_caught_refusal_does_not_spoil_the_transaction(self, store: Store) -> None:
        with store.transaction() as tx:
            tx.add(samples.flow())
            with pytest.raises(WrongState):
                tx.add(samples.flow())
            tx.add(samples.run())
        with store.reading() as view:
            assert view.get(RunRecord, "ann", "run_1")

    def test_one_may_not_be_opened_inside_another(self, store: Store) -> None:
        with store.transaction(), pytest.raises(RuntimeError), store.transaction():
            pass


class TestAdvancing:
    def test_the_head_moves_from_where_it_was_expected(self, store: Store) -> None:
        keep(store, samples.flow(number=4))
        with store.transaction() as tx:
            tx.advance(samples.flow(number=5), expected=4)
            assert tx.get(FlowRecord, "ann", "flow_1").number == 5

    def test_and_from_nowhere_else(self, store: Store) -> None:
        keep(store, samples.flow(number=4))
        with store.transaction() as tx, pytest.raises(WrongState, match="at revision 4, not at 3") as caught:
            tx.advance(samples.flow(number=5), expected=3)
        assert caught.value.code == "head_moved"

    def test_of_many_at_once_exactly_one_wins(self, store: Store) -> None:
        keep(store, samples.flow())
        outcomes: list[str] = []
        together = threading.Barrier(8)

        def compete() -> None:
            together.wait()
            try:
                with store.transaction(durable=False) as tx:
                    tx.advance(samples.flow(number=1), expected=0)
                outcomes.append("won")
            except WrongState as error:
                outcomes.append(error.code)

        threads = [threading.Thread(target=compete) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(outcomes) == ["head_moved"] * 7 + ["won"]


def test_results_of_a_run_go_with_it(store: Store) -> None:
    keep(store, *samples.one_of_each())
    with store.transaction() as tx:
        tx.remove(RunRecord, "ann", "run_1")
        assert tx.find(NodeResultRecord, "ann") == []
