"""The gate at work: an ASGI layer around everything that the server answers, static files included.

It refuses what `gate` refuses, counts the bytes of bodies, names each request, puts the safety headers on each answer and
turns an unknown exception into an id. Refuses to know routes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from headrace.base.ids import new_id

from .errors import broken
from .gate import Gate, Knock, Refusal, refusal, too_large, under_api

POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


class Guard:
    """Stands around the whole application."""

    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self._app = app
        self._gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it before anything of the house sees it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008, "reason": "no web sockets here"})
            return
        request_id = new_id("req")
        scope.setdefault("state", {})["request_id"] = request_id
        body = _Body(receive, self._gate.largest_body)
        answer = _Answer(scope, send, body=body, request_id=request_id)
        refused = refusal(self._gate, knock_of(scope))
        if refused is None:
            try:
                await self._app(scope, body.receive, answer.send)
            except _TooLarge:
                refused = too_large(self._gate)
            except Exception as error:
                if answer.started:
                    raise
                await broken(error, request_id)(scope, receive, answer.send)
        if refused is not None and not answer.started:
            body.over = False
            await _refused(refused, request_id)(scope, receive, answer.send)


class _TooLarge(Exception):
    pass


class _Body:
    """Counts what arrives, because a body may come without saying how long it is."""

    def __init__(self, receive: Receive, largest: int) -> None:
        self._receive = receive
        self._left = largest
        self.over = False

    async def receive(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            self.over = True
            raise _TooLarge
        return message


class _Answer:
    """Puts the headers on what goes out."""

    def __init__(self, scope: Scope, send: Send, *, body: _Body, request_id: str) -> None:
        self._scope = scope
        self._send = send
        self._body = body
        self._request_id = request_id
        self.started = False

    async def send(self, message: Message) -> None:
        if self._body.over and not self.started:
            # Whoever read the body has made another error of it.
            raise _TooLarge
        if message["type"] == "http.response.start":
            self.started = True
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers["X-Request-Id"] = self._request_id
            if under_api(self._scope["path"]):
                headers.setdefault("Cache-Control", "no-store")
        await self._send(message)


def knock_of(scope: Scope) -> Knock:
    """Return what the gate looks at of a request."""
    return Knock(method=scope["method"], path=scope["path"], headers=_grouped(scope["headers"]))


def _grouped(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, value in headers:
        key = name.decode("latin-1").lower()
        found[key] = (*found.get(key, ()), value.decode("latin-1"))
    return found


def _refused(refused: Refusal, request_id: str) -> JSONResponse:
    content: dict[str, Any] = asdict(refused)
    status = content.pop("status")
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
    return JSONResponse({**content, "faults": [], "request_id": request_id}, status_code=status, headers=headers)
