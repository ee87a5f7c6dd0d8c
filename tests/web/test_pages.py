"""The built app is served as files, safely cached, and nothing beside it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from headrace.web.gate import Gate, loopback_hosts
from tests.safety.attacks import hostile
from tests.safety.calls import OWN, call
from tests.web.houses import House, house_in

TOKEN = "a-long-token-that-nobody-guesses"


@pytest.fixture
def built(tmp_path: Path) -> Iterator[House]:
    """Give a house whose web app is built; a canary lies beside the app's folder."""
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("<!doctype html><title>Headrace</title>")
    (static / "assets" / "index-abc.js").write_text("const a = 1;\n" * 500)
    (tmp_path / "canary.csv").write_text("canary")
    (static / "link_to_canary.csv").symlink_to(tmp_path / "canary.csv")
    with house_in(tmp_path / "data", static=static) as house:
        yield house


def test_the_app_is_shown_for_every_path_of_its_own(built: House) -> None:
    client = built.client()
    for path in ("/", "/flows/flow_1", "/anything"):
        answer = client.get(path)
        assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")
        assert "Headrace" in answer.text


def test_hashed_files_are_kept_for_ever_and_compressed(built: House) -> None:
    answer = built.client(**{"Accept-Encoding": "gzip"}).get("/assets/index-abc.js")
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-encoding"] == "gzip"
    assert "javascript" in answer.headers["content-type"]
    assert built.client().get("/assets/gone.js").status_code == 404


def test_an_unknown_api_path_is_never_the_app(built: House) -> None:
    client = built.client(Accept="text/html")
    for path in ("/api", "/api/", "/api/nowhere", "/API/flows"):
        assert client.get(path).status_code == 404, path
    assert call(built.app, "GET", "//api/flows", headers=OWN).status == 404
    assert client.post("/flows", json={}).status_code == 405


def test_no_path_reaches_beside_the_app(built: House, tmp_path: Path) -> None:
    for path in hostile(tmp_path, tmp_path / "static"):
        for spelled in (f"/{path}", f"/{path.replace('outside/', '')}"):
            answer = call(built.app, "GET", spelled.encode("utf-8", "replace").decode(), headers=OWN)
            assert b"canary" not in answer.body, spelled
            assert answer.status in (200, 404), (spelled, answer.status)


def test_an_app_that_is_not_built_says_so(tmp_path: Path) -> None:
    with house_in(tmp_path) as house:
        answer = TestClient(house.app, base_url="http://127.0.0.1:8765").get("/")
    assert answer.status_code == 503
    assert "make run" in answer.text


def test_the_token_in_the_printed_address_becomes_a_cookie_that_scripts_cannot_read(tmp_path: Path) -> None:
    with house_in(tmp_path, gate=Gate(loopback_hosts(8765), token=TOKEN)) as house:
        client = TestClient(house.app, base_url="http://127.0.0.1:8765", follow_redirects=False)
        assert client.get("/enter?token=wrong").status_code == 401
        answer = client.get(f"/enter?token={TOKEN}")
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert client.get("/api/flows").status_code == 200
