"""Nobody but this machine is served without a token."""

from __future__ import annotations

import pytest

from headrace.base.errors import Refused
from headrace.nodes.egress import is_loopback
from headrace.web.address import gate_for

TOKEN = "0123456789abcdef"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.4.2", "localhost", "::1", "[::1]"])
def test_loopback_needs_no_token(host: str) -> None:
    assert is_loopback(host)
    assert gate_for(host, 8765).token == ""


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.4", "10.0.0.1", "example.org", "127.0.0.1.evil", "127.1"])
@pytest.mark.parametrize("token", ["", "short", TOKEN[:-1]])
def test_any_other_host_is_refused_without_a_long_token(host: str, token: str) -> None:
    with pytest.raises(Refused, match="token"):
        gate_for(host, 8765, token=token)


def test_another_host_is_answered_by_its_own_name_with_a_token() -> None:
    gate = gate_for("192.168.1.4", 9000, token=TOKEN, hosts=["Flows.example:443"], origins=["https://flows.example"])
    assert {"192.168.1.4:9000", "127.0.0.1:9000", "flows.example:443"} <= gate.hosts
    assert "https://flows.example" in gate.all_origins()
    assert "0.0.0.0:9000" not in gate_for("0.0.0.0", 9000, token=TOKEN).hosts
