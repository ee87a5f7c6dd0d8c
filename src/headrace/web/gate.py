"""Who may knock: Host, Origin, Sec-Fetch-Site, content type, the header that no form can send, the token, the body's size.

Owns the decision as a pure function over a request's headers. Refuses to look at bodies or to know a route: a route that
is added tomorrow is guarded the day it is added.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie

HEADER = "x-headrace"
COOKIE = "headrace_token"
LARGEST_BODY = 16 * 1024 * 1024
SAFE_METHODS = frozenset({"GET", "HEAD"})
OPEN_PATHS = frozenset({"/api/health"})
"""Answer without a token: they tell nothing."""
ENTER = "/enter"
"""Takes the token from the address that `headrace serve` prints and keeps it in a cookie."""


@dataclass(frozen=True, slots=True)
class Gate:
    """What is let in."""

    hosts: frozenset[str]
    """Host headers, exact, lower-case, with the port where it is not the scheme's own."""
    origins: frozenset[str] = frozenset()
    """Origins, exact, besides the plain HTTP ones of `hosts`."""
    token: str = ""
    """Empty: none is asked for (loopback only)."""
    largest_body: int = LARGEST_BODY

    def all_origins(self) -> frozenset[str]:
        """Return every origin whose pages may call."""
        return self.origins | {f"http://{host}" for host in self.hosts}


@dataclass(frozen=True, slots=True)
class Knock:
    """A request as far as the gate looks at it."""

    method: str
    path: str
    headers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Lower-case name -> every value, in the order in which they came."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is not let in."""

    status: int
    code: str
    message: str
    hint: str


def loopback_hosts(port: int) -> frozenset[str]:
    """Return the Host headers that mean this machine on a port."""
    names = ("127.0.0.1", "localhost", "[::1]")
    return frozenset(host_with_port(name, port) for name in names)


def host_with_port(name: str, port: int) -> str:
    """Return a Host header as a browser writes it; an IPv6 address gets its brackets."""
    name = f"[{name}]" if ":" in name and not name.startswith("[") else name
    return name.lower() if port == 80 else f"{name.lower()}:{port}"


def refusal(gate: Gate, knock: Knock) -> Refusal | None:
    """Return why a request may not come in, or None: it may."""
    for judge in (_host, _origin, _site, _change, _size, _token):
        refused = judge(gate, knock)
        if refused:
            return refused
    return None


def is_change(method: str) -> bool:
    """Return whether a method may change something."""
    return method not in SAFE_METHODS


def _host(gate: Gate, knock: Knock) -> Refusal | None:
    named = knock.headers.get("host", ())
    if len(named) == 1 and named[0] in gate.hosts:
        return None
    return Refusal(
        421,
        "host_refused",
        f"This server does not answer to the name {_shown(named)}.",
        "Open the address that `headrace serve` printed.",
    )


def _origin(gate: Gate, knock: Knock) -> Refusal | None:
    named = knock.headers.get("origin", ())
    if not named or (len(named) == 1 and named[0] in gate.all_origins()):
        return None
    return Refusal(
        403,
        "origin_refused",
        f"A page of {_shown(named)} may not call this server.",
        "Call it from its own page, or from a program that sends no Origin.",
    )


def _site(gate: Gate, knock: Knock) -> Refusal | None:
    del gate
    said = knock.headers.get("sec-fetch-site", ())
    if all(value in ("same-origin", "none") for value in said):
        return None
    # Following a link to the app from elsewhere is fine; it only loads the page.
    opens_page = (
        not is_change(knock.method)
        and not under_api(knock.path)
        and knock.headers.get("sec-fetch-mode") == ("navigate",)
        and knock.headers.get("sec-fetch-dest") == ("document",)
    )
    if opens_page:
        return None
    return Refusal(
        403,
        "site_refused",
        f"The browser says that this request comes from another site ({_shown(said)}).",
        "Call it from its own page.",
    )


def _change(gate: Gate, knock: Knock) -> Refusal | None:
    del gate
    if not is_change(knock.method):
        return None
    if knock.headers.get(HEADER) != ("1",):
        return Refusal(
            403,
            "header_missing",
            "A call that changes something must carry the header X-Headrace: 1.",
            "Add the header; forms and images of other pages cannot send it.",
        )
    kinds = knock.headers.get("content-type", ())
    if len(kinds) == 1 and _is_json(kinds[0]):
        return None
    return Refusal(
        415,
        "content_type_refused",
        f"The content type {_shown(kinds)} is not taken.",
        "Send JSON with Content-Type: application/json.",
    )


def _is_json(content_type: str) -> bool:
    kind, _, parameters = content_type.lower().partition(";")
    return kind.strip() == "application/json" and parameters.strip() in ("", "charset=utf-8")


def _size(gate: Gate, knock: Knock) -> Refusal | None:
    said = knock.headers.get("content-length", ())
    fits = all(value.isascii() and value.isdigit() and int(value[:12]) <= gate.largest_body for value in said)
    return None if fits and len(said) <= 1 else too_large(gate)


def too_large(gate: Gate) -> Refusal:
    """Return the refusal of a body that is too large."""
    return Refusal(
        413,
        "body_too_large",
        f"The request is larger than {gate.largest_body // (1024 * 1024)} MB.",
        "Send it in smaller parts; data belongs into files, not into requests.",
    )


def _token(gate: Gate, knock: Knock) -> Refusal | None:
    if not gate.token or knock.path in OPEN_PATHS or not under_api(knock.path):
        return None
    if any(same_token(given, gate.token) for given in _given(knock)):
        return None
    return Refusal(
        401,
        "token_needed",
        "This server asks for its token.",
        "Open the address that `headrace serve` printed, or send Authorization: Bearer TOKEN.",
    )


def same_token(given: str, token: str) -> bool:
    """Return whether two tokens are the same, in a time that tells nothing about where they differ."""
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), token.encode("utf-8", "surrogatepass"))


def _given(knock: Knock) -> Iterable[str]:
    bearers = knock.headers.get("authorization", ())
    if len(bearers) == 1 and bearers[0].startswith("Bearer "):
        yield bearers[0].removeprefix("Bearer ")
    for cookies in knock.headers.get("cookie", ()):
        try:
            morsel = SimpleCookie(cookies).get(COOKIE)
        except CookieError:
            continue
        if morsel is not None:
            yield morsel.value


def under_api(path: str) -> bool:
    """Return whether a path belongs to the API; what merely looks like it counts too."""
    return path.lower().lstrip("/").startswith("api")


def _shown(values: tuple[str, ...]) -> str:
    return ", ".join(repr(value[:80]) for value in values[:3]) or "none"
