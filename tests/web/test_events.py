"""One stream: resumable by number, cut anywhere without loss or doubling, ended by the client or the server."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from headrace.assistant.models.scripted import Call, Say
from headrace.base.actor import LOCAL
from headrace.web.shapes import StreamEvent
from tests.web.houses import READ_AND_SUM, House, add, connect, house_in, served
from tests.web.streams import RawStream, messages


@pytest.fixture
def busy(tmp_path: Path) -> Iterator[tuple[House, int, str]]:
    """Give a served house with a flow about which there is much to tell."""
    with house_in(tmp_path) as house, served(house) as port:
        flow_id = house.workspace.create_flow(LOCAL, "Größe ∑").flow_id
        house.workspace.edit(LOCAL, flow_id, READ_AND_SUM, message="Überblick ∑ 🚰")
        for number in range(20):
            house.workspace.edit(LOCAL, flow_id, [add(f"few_{number}", "limit", count=number)], message=f"{number} 🚰")
        house.workspace.wait(LOCAL, house.workspace.run(LOCAL, flow_id).run_id, 4)
        yield house, port, flow_id


def numbers(house: House, flow_id: str | None = None) -> list[int]:
    return [event.seq for event in house.workspace.events(LOCAL, 0, flow_id=flow_id)]


def whole(port: int, last: int) -> bytes:
    with RawStream(port, after=0) as stream:
        stream.until(last)
        return stream.seen


def test_every_event_is_of_the_shape_that_the_api_promises(busy: tuple[House, int, str]) -> None:
    house, port, flow_id = busy
    one = [add("one", "limit", count=1), connect("most.out", "one.in")]
    house.script.enqueue(Call("edit_flow", {"operations": one}), Say("Done."))
    chat = house.workspace.create_chat(LOCAL, flow_id)
    turn = house.assistant.start_turn(LOCAL, chat.chat_id, "one more", model="scripted")
    house.assistant.wait(LOCAL, turn.turn_id, timeout=4)
    told = messages(whole(port, numbers(house)[-1]))
    shape = TypeAdapter(StreamEvent)
    kinds = {shape.validate_python(data).kind for _, data in told}
    assert {"stream.opened", "flow.created", "revision.committed", "run.finished", "node.finished"} <= kinds
    assert {"turn.started", "turn.tool", "turn.finished", "changeset.changed", "chat.message"} <= kinds


@pytest.mark.timeout(60)
def test_cut_at_any_byte_nothing_is_lost_or_doubled(busy: tuple[House, int, str]) -> None:
    house, port, _ = busy
    expected = numbers(house)
    length = len(whole(port, expected[-1]))
    chance = random.Random(7)
    for start in [*range(0, 200, 13), *(chance.randrange(length) for _ in range(25))]:
        got: list[int] = []
        after = 0
        place = start
        while not got or got[-1] != expected[-1]:
            with RawStream(port, after=after) as stream:
                stream.take(place, last=expected[-1])
            got += [seq for seq, data in messages(stream.seen) if data["kind"] != "stream.opened" and seq > after]
            after = got[-1] if got else 0
            place = length if place > length // 2 else place + chance.randrange(1, length)
        assert got == expected, f"first cut at byte {start}"


def test_a_stream_begins_with_where_it_begins(busy: tuple[House, int, str]) -> None:
    house, port, flow_id = busy
    last = numbers(house)[-1]
    with RawStream(port) as stream:
        stream.until(last)
        assert messages(stream.seen) == [(last, {"seq": last, "kind": "stream.opened", "flow_id": "", "data": {}})]
        house.workspace.edit(LOCAL, flow_id, [add("late", "limit", count=1)], message="after the start")
        stream.until(last + 1)
        assert messages(stream.seen)[-1][1]["kind"] == "revision.committed"


def test_a_stream_of_one_flow_tells_nothing_of_others(busy: tuple[House, int, str]) -> None:
    house, port, flow_id = busy
    other = house.workspace.create_flow(LOCAL, "Other").flow_id
    house.workspace.edit(LOCAL, flow_id, [add("last", "limit", count=1)], message="last")
    with RawStream(port, after=0, flow_id=flow_id) as stream:
        stream.until(numbers(house, flow_id)[-1])
    assert {data["flow_id"] for _, data in messages(stream.seen)} == {flow_id} != {other}


def test_many_writers_and_one_reader_agree(busy: tuple[House, int, str]) -> None:
    house, port, flow_id = busy

    def write(writer: int) -> None:
        for number in range(10):
            house.workspace.edit(LOCAL, flow_id, [add(f"w{writer}_{number}", "limit", count=1)], message="")

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(4)]
    with RawStream(port, after=0) as stream:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        stream.until(numbers(house)[-1])
    assert [seq for seq, data in messages(stream.seen) if data["kind"] != "stream.opened"] == numbers(house)


def test_a_number_that_was_never_given_is_answered_plainly(busy: tuple[House, int, str]) -> None:
    house, _, _ = busy
    answer = house.client(**{"Last-Event-ID": "999999"}).get("/api/events")
    assert answer.status_code == 409
    assert answer.json()["code"] == "events_restarted"


def test_closing_the_streams_ends_them_and_leaves_nobody_listening(busy: tuple[House, int, str]) -> None:
    house, port, _ = busy
    with RawStream(port) as stream:
        stream.take(1)
        house.streams.close()
        assert stream.ended()
    assert not house.streams._open


def test_a_client_that_leaves_is_forgotten(busy: tuple[House, int, str]) -> None:
    house, port, flow_id = busy
    gone = [RawStream(port) for _ in range(5)]
    for stream in gone:
        stream.take(1)
        stream.cut()
    with RawStream(port) as staying:
        staying.take(1)
        moment = threading.Event()
        for number in range(400):
            if len(house.streams._open) == 1:
                break
            house.workspace.edit(LOCAL, flow_id, [add(f"ping_{number}", "limit", count=1)], message="")
            moment.wait(0.005)
        assert len(house.streams._open) == 1


def test_the_answer_is_never_stored_or_compressed(busy: tuple[House, int, str]) -> None:
    _, port, _ = busy
    with RawStream(port) as stream:
        head = stream.head.decode().lower()
    assert "content-type: text/event-stream" in head
    assert "cache-control: no-cache" in head
    assert "content-encoding" not in head
