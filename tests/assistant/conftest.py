"""Fixtures of the assistant's tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.tools.bench_of_tools import put_away


@pytest.fixture(autouse=True)
def tidied() -> Iterator[None]:
    """Put away what a test stood on."""
    yield
    put_away()
