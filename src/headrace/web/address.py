"""Under which names a server is called, and what it takes for others than this machine to reach it. Opens no socket."""

from __future__ import annotations

import socket
from collections.abc import Iterable

from headrace.base.errors import Refused
from headrace.nodes.egress import is_loopback

from .gate import Gate, host_with_port, loopback_hosts

SHORTEST_TOKEN = 16


def gate_for(host: str, port: int, *, token: str = "", hosts: Iterable[str] = (), origins: Iterable[str] = ()) -> Gate:
    """Return who may call a server that listens on a host and port.

    `hosts` and `origins` are more of them, written exactly as a browser does.
    Errors: Refused where others could reach it and no token is set that cannot be guessed.
    """
    names = set(loopback_hosts(port)) | {name.lower() for name in hosts}
    if not is_loopback(host):
        _require_token(host, token)
        names |= {host_with_port(name, port) for name in _names_of(host)}
    return Gate(frozenset(names), frozenset(origins), token)


def _require_token(host: str, token: str) -> None:
    if len(token) >= SHORTEST_TOKEN:
        return
    found = f"the token has fewer than {SHORTEST_TOKEN} characters" if token else "no token is set"
    raise Refused(
        "token_needed",
        f"On {host!r} others than this machine can reach the server, and {found}.",
        "Set HEADRACE_TOKEN to a long random text, or leave --host out to serve this machine alone.",
    )


def _names_of(host: str) -> tuple[str, ...]:
    """The names under which a server that listens on a host is called."""
    if host.strip("[]") in ("0.0.0.0", "::"):  # noqa: S104 -- compared with, not listened on
        return (socket.gethostname(), socket.getfqdn())
    return (host,)
