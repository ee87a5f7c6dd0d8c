"""Stopping a run, wherever it is."""

from __future__ import annotations

import threading
import time

import pytest

from headrace.engine.cancel import Cancelled, CancelToken
from headrace.engine.events import NodeFinished, NodeProgress, NodeStarted


class TestToken:
    def test_it_wakes_whoever_waits(self):
        token, woken = CancelToken(), threading.Event()
        with token.waking(woken.set):
            token.check()
            token.cancel()
        assert woken.is_set()
        with pytest.raises(Cancelled):
            token.check()

    def test_it_wakes_at_once_what_begins_to_wait_too_late(self):
        token, woken = CancelToken(), threading.Event()
        token.cancel()
        with token.waking(woken.set):
            assert woken.is_set()


@pytest.fixture
def endless(lab, big):
    """A flow whose join would make three thousand million rows."""
    (lab.folder / "big.csv").hardlink_to(big)
    (lab.folder / "big_2.csv").hardlink_to(big)
    return lab.flow(
        {
            "a": ("read_file", {"path": "big.csv"}),
            "b": ("read_file", {"path": "big_2.csv"}),
            "join": ("join", {"how": "inner", "on": [{"left": "region", "right": "region"}]}),
            "save": ("write_file", {"path": "out.csv"}),
        },
        "a > join.left", "b > join.right", "join > save",
    )  # fmt: skip


def stopped_after(lab, flow, node_id: str, **settings) -> tuple[float, list]:
    """Cancel a run once a node has begun; return the seconds that it took to end, and its events."""
    token = CancelToken()
    events = []
    cancelled = 0.0
    for event in lab.events(flow, cancel=token, **settings):
        events.append(event)
        if isinstance(event, NodeStarted) and event.node_id == node_id:
            timer = threading.Timer(0.2, token.cancel)
            cancelled = time.perf_counter() + 0.2
            timer.start()
    return time.perf_counter() - cancelled, events


class TestRuns:
    def test_a_big_join_stops_within_a_second(self, lab, endless):
        seconds, events = stopped_after(lab, endless, "join")
        assert seconds < 1
        assert events[-1].status == "cancelled"
        assert not any(event.event in ("node.failed", "node.skipped") for event in events)

    def test_nothing_is_left_behind(self, lab, endless):
        stopped_after(lab, endless, "join")
        assert sorted(path.name for path in lab.folder.iterdir()) == ["big.csv", "big_2.csv"]
        deadline = time.monotonic() + 2
        while list(lab.settings["temp_root"].iterdir()) and time.monotonic() < deadline:
            threading.Event().wait(0.02)
        assert list(lab.settings["temp_root"].iterdir()) == []

    @pytest.mark.parametrize("name", ["out.csv", "out.parquet", "out.jsonl", "out.xlsx"])
    def test_a_long_write_stops_and_leaves_no_file(self, lab, big, name):
        (lab.folder / "big.csv").hardlink_to(big)
        flow = lab.flow(
            {
                "read": ("read_file", {"path": "big.csv"}),
                "sort": ("sort", {"by": [{"column": "amount"}]}),
                "again": ("union", {"match": "name"}),
                "more": ("union", {"match": "name"}),
                "save": ("write_file", {"path": name}),
            },
            "read > sort", "sort > again", "read > again", "again > more", "sort > more", "read > more", "more > save",
        )  # fmt: skip
        token = CancelToken()
        started = 0.0
        for event in lab.events(flow, cancel=token):
            if isinstance(event, NodeStarted) and event.node_id == "save":
                started = time.perf_counter()
                threading.Timer(0.02, token.cancel).start()
        assert event.status == "cancelled"
        assert time.perf_counter() - started < 1.05
        assert [path.name for path in lab.folder.iterdir()] == ["big.csv"]

    def test_a_run_cancelled_before_it_begins_does_nothing(self, lab, endless):
        token = CancelToken()
        token.cancel()
        events = list(lab.events(endless, cancel=token))
        assert [event.event for event in events] == ["run.started", "run.finished"]
        assert events[-1].status == "cancelled"

    def test_who_stops_listening_stops_the_run(self, lab, endless):
        events = lab.events(endless)
        for event in events:
            if isinstance(event, NodeStarted) and event.node_id == "join":
                break
        started = time.perf_counter()
        events.close()
        assert time.perf_counter() - started < 1
        assert not [thread for thread in threading.enumerate() if thread.name == "run run_1"]

    def test_something_that_takes_over_a_second_tells_how_far_it_is(self, lab, endless):
        token = CancelToken()
        progress = None
        for event in lab.events(endless, cancel=token):
            if isinstance(event, NodeProgress):
                progress = event
                token.cancel()
        assert progress is not None
        assert progress.node_id == "join"
        assert progress.fraction is None or 0 <= progress.fraction <= 1

    def test_after_a_run_is_over_cancelling_it_does_no_harm(self, lab):
        token = CancelToken()
        flow = lab.flow({"t": ("manual_table", {"columns": [{"name": "a", "type": "BIGINT"}], "rows": [[1]]})})
        events = list(lab.events(flow, cancel=token))
        token.cancel()
        assert events[-1].status == "succeeded"
        assert any(isinstance(event, NodeFinished) for event in events)
