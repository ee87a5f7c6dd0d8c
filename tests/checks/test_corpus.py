"""No false alarms: valid flows of every kind raise nothing but the notes that are meant for them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from headrace.flow.notation import read_flow_text

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.json"))


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
class TestCorpus:
    def test_a_valid_flow_stays_silent(self, lab, path):
        flow = read_flow_text(path.read_text(encoding="utf-8"))
        found = lab.judge(flow)
        types = {node.type for node in flow.nodes.values()}
        meant = {"F510"} if types & {"write_file"} or path.stem == "chart_into_a_file" else set()
        meant |= set() if types & {"write_file", "chart"} else {"F103"}
        assert {each.code for each in found} == meant, [each.message for each in found]
        assert {each.severity for each in found} <= {"note"}

    def test_a_valid_flow_runs(self, lab, path):
        flow = read_flow_text(path.read_text(encoding="utf-8"))
        outcome = lab.run(flow)
        assert outcome.status == "succeeded", [event for event in outcome.events if event.event == "node.failed"]
        assert set(outcome.rows()) == set(flow.nodes)
        json.dumps([result.model_dump(mode="json") for result in outcome.results.values()], allow_nan=False)


class TestCoverage:
    def test_the_corpus_is_wide_enough(self, lab):
        assert len(CORPUS) >= 25
        flows = [read_flow_text(path.read_text(encoding="utf-8")) for path in CORPUS]
        used = {node.type for flow in flows for node in flow.nodes.values()}
        assert used == {node_type.name for node_type in lab.catalog.all()}
