"""Fixtures of the web tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.web.houses import House, house_in


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """Give a server that nobody has used yet."""
    with house_in(tmp_path) as made:
        yield made


@pytest.fixture
def client(house: House) -> TestClient:
    """Give a client of it that sends what the web app sends."""
    return house.client()
