"""The gate lets in exactly what it names."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from headrace.web.gate import Gate, Knock, host_with_port, loopback_hosts, refusal

GATE = Gate(loopback_hosts(8765))
TEXT = st.text(st.characters(min_codepoint=1, max_codepoint=255), max_size=40)
NEAR = st.sampled_from(sorted(GATE.hosts)).flatmap(
    lambda host: st.tuples(st.integers(0, len(host)), TEXT).map(lambda cut: host[: cut[0]] + cut[1] + host[cut[0] :])
)


def knock(method: str = "GET", path: str = "/api/flows", **headers: str) -> Knock:
    given = {"host": "127.0.0.1:8765"} | {name.replace("_", "-"): value for name, value in headers.items()}
    return Knock(method, path, {name: (value,) for name, value in given.items()})


@given(TEXT | NEAR)
def test_no_host_but_the_listed_ones_is_let_in(host: str) -> None:
    refused = refusal(GATE, knock(host=host))
    assert (refused is None) == (host in GATE.hosts)


@given(TEXT | NEAR.map(lambda host: f"http://{host}"))
def test_no_origin_but_the_listed_ones_is_let_in(origin: str) -> None:
    refused = refusal(GATE, knock(origin=origin))
    assert (refused is None) == (origin in {f"http://{host}" for host in GATE.hosts})


@given(st.sampled_from(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) | TEXT, TEXT, TEXT)
def test_no_change_comes_in_without_the_header_and_json(method: str, header: str, kind: str) -> None:
    refused = refusal(GATE, knock(method, x_headrace=header, content_type=kind))
    if refused is None and method not in ("GET", "HEAD"):
        assert header == "1"
        assert kind.lower().replace(" ", "").split(";")[0] == "application/json"


@given(TEXT)
def test_no_token_but_the_right_one_is_let_in(token: str) -> None:
    gate = Gate(GATE.hosts, token="right-right-right")
    refused = refusal(gate, knock(authorization=f"Bearer {token}"))
    assert (refused is None) == (token == "right-right-right")


def test_a_followed_link_may_load_the_page_and_nothing_else() -> None:
    arrives = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate", "sec_fetch_dest": "document"}
    assert refusal(GATE, knock(path="/", **arrives)) is None
    assert refusal(GATE, knock(path="/api/flows", **arrives)) is not None
    assert refusal(GATE, knock("POST", "/", **arrives)) is not None
    assert refusal(GATE, knock(path="/", **arrives | {"sec_fetch_dest": "iframe"})) is not None


def test_hosts_are_written_as_browsers_write_them() -> None:
    assert host_with_port("Example.ORG", 8765) == "example.org:8765"
    assert host_with_port("example.org", 80) == "example.org"
    assert host_with_port("::1", 8765) == "[::1]:8765"
    assert host_with_port("[::1]", 80) == "[::1]"
