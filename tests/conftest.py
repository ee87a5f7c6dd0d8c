"""What every test of the house stands on: one event loop library, honest property tests, and no way out to the network."""

from __future__ import annotations

import ipaddress
import os
import socket
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# `make test` asks for the thorough profile: a thousand cases a property, the same at each run; `explore` looks for new ones.
settings.register_profile("quick", max_examples=60, deadline=None)
settings.register_profile(
    "thorough", max_examples=1000, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("explore", parent=settings.get_profile("thorough"), derandomize=False)
PROFILE = os.environ.get("HEADRACE_TEST_PROFILE", "quick")
settings.load_profile(PROFILE)

SECONDS_FOR_A_THOROUGH_PROPERTY = 180


def pytest_configure(config: pytest.Config) -> None:
    """Close the network for the whole run, and drop settings of the person's own that would reach the tests."""
    del config
    for name in [name for name in os.environ if name.startswith("HEADRACE_") and name not in KEPT]:
        del os.environ[name]
    sys.addaudithook(_refuse_the_network)


@pytest.hookimpl(trylast=True)  # after hypothesis has put its mark on its tests
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give property tests the time that a thousand cases take."""
    if PROFILE == "quick":
        return
    for item in items:
        if item.get_closest_marker("hypothesis") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(SECONDS_FOR_A_THOROUGH_PROPERTY))


KEPT = {"HEADRACE_TEST_PROFILE", "HEADRACE_CHROMIUM"}


def _refuse_the_network(event: str, arguments: tuple[Any, ...]) -> None:
    """Audit hook: a socket may connect to this machine and nowhere else."""
    if event != "socket.connect":
        return
    connection, address = arguments[:2]
    if connection.family == getattr(socket, "AF_UNIX", None) or not isinstance(address, tuple):
        return
    try:
        here = ipaddress.ip_address(address[0]).is_loopback
    except ValueError:
        here = address[0] == "localhost"
    if not here:
        raise PermissionError(f"A test tried to connect to {address[0]!r}; tests reach this machine alone.")


@pytest.fixture
def anyio_backend() -> str:
    """Return the event loop library that asynchronous tests run on."""
    return "asyncio"
