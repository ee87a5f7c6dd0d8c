"""Reads an event stream off a socket as raw bytes, so that it can be cut anywhere."""

from __future__ import annotations

import json
import socket
from typing import Any, Self


class RawStream:
    """One connection to `/api/events`. What arrived is `seen`; `cut` drops the line like a broken network."""

    def __init__(self, port: int, *, after: int | None = None, flow_id: str | None = None) -> None:
        query = f"?flow_id={flow_id}" if flow_id else ""
        head = [f"GET /api/events{query} HTTP/1.1", "Host: 127.0.0.1:8765", "Accept: text/event-stream"]
        if after is not None:
            head.append(f"Last-Event-ID: {after}")
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=4)
        self._socket.sendall(("\r\n".join(head) + "\r\n\r\n").encode())
        self._raw = b""
        self.seen = b""
        """The body so far, chunk lengths taken out."""
        self._strip_head()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()

    def take(self, size: int, *, last: int | None = None) -> None:
        """Wait until so many bytes of the body have arrived, or the event `last`, and keep no more bytes than those."""
        while len(self.seen) < size and (last is None or last not in [seq for seq, _ in messages(self.seen)]):
            self._chunk()
        self.seen = self.seen[:size]

    def until(self, number: int) -> None:
        """Wait until the event of that number has arrived whole."""
        while number not in [seq for seq, _ in messages(self.seen)]:
            self._chunk()

    def ended(self) -> bool:
        """Return whether the server closes the stream within the time that the socket waits."""
        try:
            while True:
                self._chunk()
        except EOFError:
            return True
        except TimeoutError:
            return False

    def cut(self) -> None:
        """Drop the connection without a word."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self._socket.close()

    def _strip_head(self) -> None:
        while b"\r\n\r\n" not in self._raw:
            self._receive()
        self.head, _, self._raw = self._raw.partition(b"\r\n\r\n")

    def _chunk(self) -> None:
        while b"\r\n" not in self._raw:
            self._receive()
        length, _, rest = self._raw.partition(b"\r\n")
        size = int(length, 16)
        while len(rest) < size + 2:
            self._receive()
            rest = self._raw.partition(b"\r\n")[2]
        if size == 0:
            raise EOFError
        self.seen += rest[:size]
        self._raw = rest[size + 2 :]

    def _receive(self) -> None:
        got = self._socket.recv(65536)
        if not got:
            raise EOFError
        self._raw += got


def messages(body: bytes) -> list[tuple[int, dict[str, Any]]]:
    """Return the whole messages in a body: number and data; a message that is cut short does not count."""
    found: list[tuple[int, dict[str, Any]]] = []
    for text in body.decode("utf-8", "ignore").split("\n\n")[:-1]:
        fields = dict(line.split(": ", 1) for line in text.split("\n") if ": " in line and not line.startswith(":"))
        if "data" in fields:
            found.append((int(fields["id"]), json.loads(fields["data"])))
    return found
