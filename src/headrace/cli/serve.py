"""`headrace serve`: the web app and its API on this machine, until the keyboard stops it."""

from __future__ import annotations

import argparse
import errno
import os
import signal
import socket
import sys
from dataclasses import replace
from typing import Any

from headrace.app import FILES, Server, Settings, server_of, settings_from
from headrace.base.errors import Refused
from headrace.nodes.egress import is_loopback

from .ending import DONE, Usage

_NEARBY = 20
_FAREWELL_SECONDS = 5


def call(options: argparse.Namespace) -> int:
    """Carry the command out and return its exit code."""
    asked = settings_from(os.environ, host=options.host, port=options.port, data=options.data, share=options.share)
    listening = _listen(asked)
    settings = replace(asked, port=listening.getsockname()[1])
    try:
        server = server_of(settings)
    except BaseException:
        listening.close()
        raise
    options.kept.keep_in(settings.data.expanduser().absolute() / "headrace.log")
    _serve(server, settings, listening)
    return DONE


def _serve(server: Server, settings: Settings, listening: socket.socket) -> None:
    import uvicorn

    class Uvicorn(uvicorn.Server):
        """Ends the event streams as soon as it is told to stop, so that no open page holds it up."""

        interrupted = False

        def handle_exit(self, sig: int, frame: object) -> None:
            del frame
            server.streams.close()
            self.force_exit = self.should_exit and sig == signal.SIGINT
            self.should_exit = True
            self.interrupted = self.interrupted or sig == signal.SIGINT

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                _announce(settings)

    config = uvicorn.Config(
        server.app,
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        lifespan="off",
        timeout_graceful_shutdown=_FAREWELL_SECONDS,
    )
    serving = Uvicorn(config)
    try:
        serving.run(sockets=[listening])
    finally:
        server.close()
        listening.close()
    if serving.interrupted:
        raise KeyboardInterrupt


def _announce(settings: Settings) -> None:
    host = settings.host
    name = socket.gethostname() if host in ("0.0.0.0", "::") else host  # noqa: S104 -- compared with, not listened on
    name = f"[{name}]" if ":" in name else name
    address = f"http://{name}:{settings.port}/"
    data = settings.data.expanduser().absolute()
    if settings.token:
        address += f"enter?token={settings.token}"
    print(f"Headrace is at {address}")
    print(f"Flows are kept in {data}; put data files into {data / FILES}")
    if not is_loopback(host):
        print("Others than this machine can reach it, with the token in the address alone.")
    print("Ctrl-C stops it.", flush=True)


def _listen(settings: Settings) -> socket.socket:
    """Open the socket first: a port that is taken must be said before anything is made.

    Errors: Usage where the port is taken, with the next free one, or the host is none of this machine's.
    """
    host = settings.host.strip("[]")
    try:
        found = socket.getaddrinfo(host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError:
        raise Usage(f"There is no host {settings.host!r}.", "Leave --host out to serve this machine alone.") from None
    try:
        return _bound(found[0], settings.port)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            free = _free_port(found[0], settings.port)
            hint = f"Try --port {free}, which is free, or stop what listens there." if free else "Try --port 0."
            raise Usage(f"Port {settings.port} of {settings.host} is taken by another program.", hint) from None
        if error.errno == errno.EACCES:
            raise Refused("port_refused", f"Port {settings.port} may not be used.", "Take one from 1024 on.") from None
        if error.errno == errno.EADDRNOTAVAIL:
            hint = "Leave --host out to serve this machine alone."
            raise Usage(f"{settings.host!r} is not an address of this machine.", hint) from None
        raise


_Found = tuple[int, int, int, str, tuple[Any, ...]]
"""What `getaddrinfo` gives."""


def _bound(found: _Found, port: int) -> socket.socket:
    family, kind, protocol, _, address = found
    opened = socket.socket(family, kind, protocol)
    try:
        if sys.platform != "win32":  # there it would let two programs share the port
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((address[0], port, *address[2:]))
        opened.listen(128)
    except OSError:
        opened.close()
        raise
    return opened


def _free_port(found: _Found, taken: int) -> int | None:
    for port in range(taken + 1, min(taken + _NEARBY, 65535)):
        try:
            _bound(found, port).close()
        except OSError:
            continue
        return port
    return None
