"""Fixtures of the command line's tests. Here alone the working directory and the standard streams are put in place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.terminal import Terminal


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    """Give an empty folder in which commands are called."""
    monkeypatch.chdir(tmp_path)
    return Terminal(tmp_path, capsys)
