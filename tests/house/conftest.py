"""A throw-away copy of the package, in which a test may plant what the house forbids and see it caught."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.house.sources import PACKAGE, ROOT


@pytest.fixture
def copied_house(tmp_path: Path) -> Path:
    """Return a folder with a copy of the package and of pyproject.toml."""
    shutil.copytree(PACKAGE, tmp_path / "headrace", ignore=shutil.ignore_patterns("__pycache__", "static"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path
