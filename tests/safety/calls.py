"""Calls an ASGI application byte for byte: headers twice, none, or wrong, which a well-behaved client would never send."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

Headers = tuple[tuple[str, str], ...]
HOST = "127.0.0.1:8765"
OWN: Headers = (("host", HOST), ("origin", f"http://{HOST}"), ("sec-fetch-site", "same-origin"))
CHANGE: Headers = (("x-headrace", "1"), ("content-type", "application/json"))


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """Return the body as JSON."""
        return json.loads(self.body)


def call(app: Any, method: str, path: str, *, headers: Iterable[tuple[str, str]], body: bytes = b"") -> Answer:
    """Return what an application answers. A stream that does not end is left after its first piece."""
    return asyncio.run(_call(app, method, path, headers=headers, body=body))


async def _call(app: Any, method: str, path: str, *, headers: Iterable[tuple[str, str]], body: bytes) -> Answer:
    route, _, query = path.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": route,
        "raw_path": route.encode("utf-8", "surrogateescape"),
        "query_string": query.encode("utf-8", "surrogateescape"),
        "root_path": "",
        "headers": [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers],
        "client": ("127.0.0.1", 5),
        "server": ("127.0.0.1", 8765),
        "state": {},
    }
    given = [{"type": "http.request", "body": body, "more_body": False}]
    left = asyncio.Event()
    seen: dict[str, Any] = {"status": 0, "headers": {}, "body": b""}

    async def receive() -> dict[str, Any]:
        if given:
            return given.pop()
        await left.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            seen["status"] = int(message["status"])
            seen["headers"] = {name.decode().lower(): value.decode("latin-1") for name, value in message["headers"]}
        elif message["type"] == "http.response.body":
            seen["body"] += message.get("body", b"")
            if "text/event-stream" in seen["headers"].get("content-type", ""):
                left.set()

    await app(scope, receive, send)
    return Answer(seen["status"], seen["headers"], seen["body"])
