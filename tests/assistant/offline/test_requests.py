"""Whole requests over invented tables: the table, figure or question that comes of each, through the product's own tools."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .judging import judge

HERE = Path(__file__).parent


def cases(name: str) -> list[Any]:
    """Return the cases of a file of requests, each under its first words."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [pytest.param(case, id=case["turns"][0]["say"][:60]) for case in map(json.loads, lines)]


@pytest.mark.parametrize("case", cases("requests_seen.jsonl"))
def test_a_request_comes_out_right(case: dict[str, Any]) -> None:
    verdict, why = judge(case)
    assert verdict == "right", why


@pytest.mark.parametrize("case", cases("requests_held_out.jsonl"))
def test_a_request_that_was_not_tuned_for_is_never_answered_wrongly(case: dict[str, Any]) -> None:
    verdict, why = judge(case)
    assert verdict in ("right", "asked"), why


@pytest.mark.parametrize("case", cases("requests_strangers.jsonl"))
def test_a_stranger_s_request_is_never_answered_wrongly(case: dict[str, Any]) -> None:
    verdict, why = judge(case)
    assert verdict in ("right", "asked"), why
