"""The border to browsers, for every route that there is: what is expected stands in `inventory.toml`, attacks in `attacks.py`.

A route that nobody listed fails the build; so does one that a GET changes something by.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from headrace.assistant.models.scripted import Call, Say
from headrace.base.actor import LOCAL
from headrace.web.gate import Gate, loopback_hosts
from tests.safety import attacks
from tests.safety.calls import CHANGE, OWN, Answer, call
from tests.safety.inventory import LISTED, routes
from tests.web.houses import READ_AND_SUM, House, add, house_in

ROUTES: dict[str, dict[str, Any]] = LISTED["routes"]
CHANGES = sorted(route for route, expected in ROUTES.items() if expected["change"])
READS = sorted(route for route, expected in ROUTES.items() if not expected["change"])
TOKEN = "a-long-token-that-nobody-guesses"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A house in which every id that a route takes is there."""

    house: House
    ids: dict[str, str]
    digest: str

    def call(
        self, route: str, headers: Any = (), *, body: bytes | None = None, ids: dict[str, str] | None = None
    ) -> Answer:
        """Call a route as the web app does, with these headers in place of its own."""
        method, path = route.split()
        given = tuple(headers)
        names = {name for name, _ in given}
        own = tuple(pair for pair in (*OWN, *(CHANGE if method != "GET" else ())) if pair[0] not in names)
        sent = self.body(route) if body is None else body
        return call(
            self.house.app,
            method,
            path.format(**(ids or self.ids)) + self.query(route),
            headers=(*own, *given),
            body=sent,
        )

    def body(self, route: str) -> bytes:
        """Return what the web app sends there."""
        bodies: dict[str, Any] = {
            "POST /api/flows": {"name": "New"},
            "PATCH /api/flows/{flow_id}": {"name": "Renamed"},
            "POST /api/flows/{flow_id}/operations": {"operations": [add("more", "limit", count=1)]},
            "POST /api/changesets/{changeset_id}/approve": {"digest": self.digest},
            "POST /api/changesets/{changeset_id}/amend": {"operations": [add("more", "limit", count=1)]},
            "POST /api/files/uploads": {"path": "more.csv"},
            "POST /api/files/uploads/{upload_id}/parts": {"at": 0, "content": "YQox"},
            "POST /api/chats/{chat_id}/messages": {"text": "more", "model": "scripted"},
        }
        return b"" if route.startswith("GET") else json.dumps(bodies.get(route, {})).encode()

    def query(self, route: str) -> str:
        """Return the query that the web app sends there."""
        return "?path=orders.csv" if route == "GET /api/files/describe" else ""

    def state(self) -> Any:
        """Return all that a call could change: the records, and the files with what is in them."""
        files = {path: path.read_bytes() for path in self.house.files.rglob("*") if path.is_file()}
        return self.house.workspace._house.store._state, files


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Prepared]:
    """Give a house of its own, for a call that changes it."""
    with house_in(tmp_path) as house:
        yield prepare(house)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prepared]:
    """Give a house that many share: what they do changes nothing, and they look."""
    with house_in(tmp_path_factory.mktemp("house")) as house:
        yield prepare(house)


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prepared]:
    """Give such a house that asks for a token."""
    with house_in(tmp_path_factory.mktemp("house"), gate=Gate(loopback_hosts(8765), token=TOKEN)) as house:
        yield prepare(house)


def prepare(house: House) -> Prepared:
    workspace = house.workspace
    flow_id = workspace.create_flow(LOCAL, "Totals").flow_id
    workspace.edit(LOCAL, flow_id, READ_AND_SUM, message="by hand")
    workspace.edit(LOCAL, flow_id, [add("gone", "limit", count=1)], message="by hand")
    workspace.undo(LOCAL, flow_id)
    run_id = workspace.run(LOCAL, flow_id).run_id
    chat_id = workspace.create_chat(LOCAL, flow_id).chat_id
    house.script.enqueue(
        Call("edit_flow", {"operations": [add("few", "limit", count=2)]}), Say("Staged."), Say("More.")
    )
    turn = house.assistant.start_turn(LOCAL, chat_id, "keep two", model="scripted")
    turn = house.assistant.wait(LOCAL, turn.turn_id, timeout=4)
    assert workspace.wait(LOCAL, run_id, 4).status == "succeeded"
    assert turn.changeset_id is not None
    ids = {
        "flow_id": flow_id,
        "changeset_id": turn.changeset_id,
        "run_id": run_id,
        "chat_id": chat_id,
        "turn_id": turn.turn_id,
        "upload_id": workspace.receive(LOCAL, "new.csv").upload_id,
        "node_id": "drawn",
        "form": "svg",
    }
    return Prepared(house, ids, workspace.changeset(LOCAL, turn.changeset_id).digest)


def test_every_route_is_listed_and_every_listed_route_is_there(prepared: Prepared) -> None:
    assert routes(prepared.house.app) == set(ROUTES)


@pytest.mark.parametrize("route", sorted(ROUTES))
def test_the_web_apps_own_call_is_answered(fresh: Prepared, route: str) -> None:
    ids = fresh.ids | ({"node_id": "totals"} if route.endswith(("/sql", "/preview")) else {})
    answer = fresh.call(route, ids=ids)
    assert answer.status == ROUTES[route]["own"], answer.body
    assert "default-src" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("route", sorted(route for route in ROUTES if ROUTES[route]["absent"]))
def test_ids_that_are_not_there_are_answered_alike_and_change_nothing(prepared: Prepared, route: str) -> None:
    before = prepared.state()
    for odd in ("x_0000000000000000", "\N{SNOWMAN}", "..", "%00", "a" * 3000, "' OR 1=1 --"):
        answer = prepared.call(route, ids={**dict.fromkeys(prepared.ids, odd), "form": "svg"})
        assert answer.status == ROUTES[route]["absent"], (odd, answer.body)
        assert answer.json()["code"] in ("not_found", "no_chart"), answer.body
    assert prepared.state() == before


@pytest.mark.parametrize("route", READS)
def test_reading_changes_nothing(prepared: Prepared, route: str) -> None:
    before = prepared.state()
    prepared.call(route)
    assert prepared.state() == before


@pytest.mark.parametrize("route", sorted(ROUTES))
def test_no_other_host_is_answered(prepared: Prepared, route: str) -> None:
    before = prepared.state()
    for headers in attacks.HOSTS:
        without = [pair for pair in OWN if pair[0] != "host"]
        method, path = route.split()
        sent = [*without, *(CHANGE if method != "GET" else ()), *headers]
        answer = call(prepared.house.app, method, path.format(**prepared.ids), headers=sent, body=prepared.body(route))
        assert (answer.status, answer.json()["code"]) == (421, "host_refused"), headers
    assert prepared.state() == before


@pytest.mark.parametrize("route", sorted(ROUTES))
def test_no_page_of_another_origin_or_site_is_answered(prepared: Prepared, route: str) -> None:
    before = prepared.state()
    for origin in attacks.ORIGINS:
        answer = prepared.call(route, [("origin", origin)])
        assert (answer.status, answer.json()["code"]) == (403, "origin_refused"), origin
    twice = prepared.call(route, [OWN[1], ("origin", "http://evil.example")])
    assert twice.status == 403
    for headers in attacks.SITES:
        answer = prepared.call(route, headers)
        assert (answer.status, answer.json()["code"]) == (403, "site_refused"), headers
    assert prepared.state() == before


@pytest.mark.parametrize("route", CHANGES)
def test_nothing_that_a_form_can_send_changes_anything(prepared: Prepared, route: str) -> None:
    before = prepared.state()
    for headers in attacks.NO_HEADER:
        answer = call(
            prepared.house.app,
            route.split()[0],
            route.split()[1].format(**prepared.ids),
            headers=[*OWN, ("content-type", "application/json"), *headers],
            body=prepared.body(route),
        )
        assert (answer.status, answer.json()["code"]) == (403, "header_missing"), headers
    for kinds in attacks.CONTENT_TYPES:
        answer = call(
            prepared.house.app,
            route.split()[0],
            route.split()[1].format(**prepared.ids),
            headers=[*OWN, ("x-headrace", "1"), *(("content-type", kind) for kind in kinds)],
            body=prepared.body(route),
        )
        assert (answer.status, answer.json()["code"]) == (415, "content_type_refused"), kinds
    assert prepared.state() == before


@pytest.mark.parametrize("route", CHANGES)
def test_bodies_that_are_no_json_object_of_the_right_form_change_nothing(prepared: Prepared, route: str) -> None:
    before = prepared.state()
    bodies = (
        b"{",
        b"[]",
        b'"x"',
        b"1",
        b'{"__proto__": 1}',
        b'{"owner": "other"}',
        b"\xff\xfe",
        b'{"name": NaN, "x": 1}',
    )
    for body in bodies:
        answer = prepared.call(route, body=body)
        assert answer.status in (400, 422), (body, answer.body)
    assert prepared.state() == before


@pytest.mark.parametrize("route", CHANGES)
def test_a_body_that_is_too_large_is_refused_with_or_without_its_length(prepared: Prepared, route: str) -> None:
    before = prepared.state()
    assert prepared.call(route, [("content-length", str(10**9))], body=b"{}").status == 413
    assert prepared.call(route, [("content-length", "-1")], body=b"{}").status == 413
    assert prepared.call(route, body=b'{"name": "' + b"x" * (17 * 1024 * 1024) + b'"}').status == 413
    assert prepared.state() == before


@pytest.mark.parametrize("route", sorted(ROUTES))
def test_the_gets_of_a_path_do_not_take_changes_and_the_changes_no_gets(prepared: Prepared, route: str) -> None:
    method, path = route.split()
    before = prepared.state()
    for other in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE", "PROPFIND"):
        if f"{other} {path}" not in ROUTES:
            sent = (*OWN, *(CHANGE if other != "GET" else ()))
            answer = call(prepared.house.app, other, path.format(**prepared.ids), headers=sent, body=b"{}")
            assert answer.status in (403, 404, 405), (other, answer.status)
    assert prepared.state() == before
    assert method


@pytest.mark.parametrize("route", sorted(ROUTES))
def test_a_server_with_a_token_answers_nobody_without_it(locked: Prepared, route: str) -> None:
    before = locked.state()
    for headers in attacks.TOKENS:
        answer = locked.call(route, [(name, value.replace("TOKEN", TOKEN)) for name, value in headers])
        expected = 200 if route == "GET /api/health" else 401
        assert answer.status == expected, headers
    assert locked.state() == before


def test_a_token_is_taken_as_a_bearer_or_a_cookie_and_never_from_an_address(locked: Prepared) -> None:
    assert locked.call("GET /api/flows", [("authorization", f"Bearer {TOKEN}")]).status == 200
    assert locked.call("GET /api/flows", [("cookie", f"a=b; headrace_token={TOKEN}")]).status == 200
    assert call(locked.house.app, "GET", f"/api/flows?token={TOKEN}", headers=OWN).status == 401
