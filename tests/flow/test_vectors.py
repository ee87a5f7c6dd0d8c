"""The patch cases that the web side replays are the ones that this code makes."""

from __future__ import annotations

import json

import pytest

from headrace.flow.model import document_of, flow_from_document
from headrace.flow.patch import Patch, apply, diff, inverse
from tests.flow.cases import equal
from vectors import make

CASES = json.loads(make.KEPT.read_text(encoding="utf-8"))


def test_the_kept_cases_are_fresh():
    """[P7]"""
    assert make.KEPT.read_text(encoding="utf-8") == make.text(), "run: .venv/bin/python -m vectors.make"


def test_the_kept_cases_hold_every_kind_of_outcome():
    """[P7]"""
    assert {next(iter(case["onOther"])) for case in CASES} == {"flow", "conflicts", "unsound"}
    reasons = {conflict["reason"] for case in CASES for conflict in case["onOther"].get("conflicts", ())}
    assert reasons == {"changed", "missing", "exists"}


@pytest.mark.parametrize("tenth", range(10))
def test_a_kept_case_comes_out_as_written_after_a_reload(tenth: int):
    """[P1, P2, P7]"""
    for case in CASES[tenth::10]:
        a, b = flow_from_document(case["a"]), flow_from_document(case["b"])
        patch, other = Patch.model_validate(case["patch"]), Patch.model_validate(case["other"])
        assert equal(apply(a, patch), b)
        assert equal(apply(b, inverse(patch)), a)
        assert diff(a, b) == patch
        assert make.outcome(apply(a, other), patch) == case["onOther"]
        assert document_of(apply(a, patch)) == case["b"]
