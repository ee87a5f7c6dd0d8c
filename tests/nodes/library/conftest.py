"""What the tests of node types stand on."""

from __future__ import annotations

import pytest

from tests.nodes.workbench import Workbench


@pytest.fixture
def bench() -> Workbench:
    """Return an empty workbench."""
    return Workbench()
