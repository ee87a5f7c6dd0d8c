"""The one way out: a client reaches the origin it was made for, and nothing else."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from headrace.base.errors import Invalid, Refused
from headrace.nodes.egress import client_for, origin


class _Answer(BaseHTTPRequestHandler):
    seen: list[str]

    def do_GET(self) -> None:
        type(self).seen.append(self.path)
        if self.path == "/away":
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
        else:
            self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments: object) -> None:
        """Keep the test's output clean."""
        del arguments


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    """Return a real server on loopback: its address, and the paths that it was asked for."""
    handler = type("Handler", (_Answer,), {"seen": []})
    httpd = HTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=httpd.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{httpd.server_port}", handler.seen
    httpd.shutdown()
    httpd.server_close()


async def test_it_reaches_its_own_origin(server: tuple[str, list[str]]) -> None:
    url, seen = server
    async with client_for(f"{url}/v1") as client:
        assert (await client.get(f"{url}/v1/models")).status_code == 200
    assert seen == ["/v1/models"]


async def test_a_redirect_is_not_followed(server: tuple[str, list[str]]) -> None:
    url, seen = server
    async with client_for(url) as client:
        assert (await client.get(f"{url}/away")).status_code == 302
    assert seen == ["/away"]


async def test_another_origin_is_refused_before_anything_is_sent(server: tuple[str, list[str]]) -> None:
    url, seen = server
    async with client_for("http://127.0.0.1:9/v1") as client:
        with pytest.raises(Refused):
            await client.get(f"{url}/secret")
    assert seen == []


async def test_proxies_of_the_environment_are_not_used(
    server: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, seen = server
    monkeypatch.setenv("HTTP_PROXY", url)
    monkeypatch.setenv("ALL_PROXY", url)
    async with client_for("http://127.0.0.1:9/") as client:
        with pytest.raises(Exception, match=r"(?i)connect|refused"):
            await client.get("http://127.0.0.1:9/")
    assert seen == []


@pytest.mark.parametrize(
    "url",
    [
        "",
        "file:///etc/passwd",
        "ftp://host/",
        "gopher://host/",
        "data:text/plain,x",
        "http://",
        "http://user:secret@host/",
        "http://host:99999/",
        "//host/path",
        "host:80",
        "javascript:alert(1)",
    ],
)
def test_what_is_no_plain_web_address_is_refused(url: str) -> None:
    with pytest.raises(Invalid) as caught:
        client_for(url)
    assert "secret" not in str(caught.value)


def test_an_origin_names_its_port() -> None:
    assert origin("https://Example.org/v1") == "https://example.org:443"
    assert origin("http://[::1]:8080/x") == "http://::1:8080"
