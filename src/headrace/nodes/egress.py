"""The one way out of the house: the only module that makes an HTTP client.

A client reaches exactly the origin that it was made for: no redirects, no proxy settings taken from the environment,
no credentials to anywhere else. Model providers use it now; nodes that send will use it too.
"""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit

from headrace.base.errors import Invalid, Refused

if TYPE_CHECKING:
    import httpx2

CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 600.0


def origin(url: str) -> str:
    """Return `scheme://host:port` of an http or https address.

    Errors: Invalid where it is not such an address, or carries a user name or password.
    """
    parts = _split(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return f"{parts.scheme}://{(parts.hostname or '').lower()}:{port}"


def is_loopback(host: str) -> bool:
    """Return whether a host name means this machine and cannot be reached from another."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def stays_here(url: str) -> bool:
    """Return whether what is sent to an http or https address reaches this machine alone.

    Errors: Invalid where it is not such an address.
    """
    return is_loopback((_split(url).hostname or "").lower())


def client_for(url: str, *, leaving: Callable[[int], None] | None = None) -> httpx2.AsyncClient:
    """Return an HTTP client that reaches the origin of this address and nothing else.

    `leaving` is called with the number of bytes of each request's body, just before it goes: what it raises holds it back.
    Errors: Invalid where the address is not http or https. A request elsewhere ends in Refused.
    """
    import httpx2

    allowed = origin(url)

    async def guard(request: Any) -> None:
        asked = origin(str(request.url))
        if asked != allowed:
            raise Refused(
                "egress_refused",
                f"A request to {asked!r} was stopped.",
                f"This client may reach {allowed!r} only.",
            )
        if leaving is not None:
            leaving(len(await request.aread()))

    return httpx2.AsyncClient(
        follow_redirects=False,
        trust_env=False,
        timeout=httpx2.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS),
        event_hooks={"request": [guard]},
    )


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url.strip())
        _ = parts.port
    except ValueError as error:
        raise _not_an_address(url) from error
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
        raise _not_an_address(url)
    return parts


def _not_an_address(url: str) -> Invalid:
    # what stands before an @ may be a password: it is not said again
    shown = "…@" + url.rpartition("@")[2] if "@" in url else url
    return Invalid(
        "bad_address",
        f"{shown!r} is not an address that can be reached.",
        "Write it as http://host:port/path or https://host/path, without a user name or password in it.",
    )
