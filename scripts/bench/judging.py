"""What it costs to know a flow after an edit, by its size: columns inferred again and everything judged again.

CPU milliseconds of this process, medians; beside them what the first look at the whole flow costs.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headrace.checks.judge import Judgement, examine
from headrace.flow.model import Flow, flow_from_document
from headrace.flow.operations import apply_all, operations_from
from headrace.nodes.binder import Binder
from headrace.nodes.catalog import Catalog, standard_catalog
from headrace.nodes.context import StandardContext
from headrace.nodes.files import FileSpace
from headrace.nodes.inference import Inference, infer

from ._chains import chain_document, median

SIZES = (10, 100, 1_000, 10_000)
ROUNDS = 21


def figures() -> Iterator[tuple[str, str]]:
    """Return name and value of each figure, as they are measured."""
    catalog = standard_catalog()
    with tempfile.TemporaryDirectory(prefix="headrace-bench-") as folder:
        context = StandardContext(FileSpace([Path(folder)]), Binder())
        for size in SIZES:
            flow = flow_from_document(chain_document(size))
            started = time.process_time()
            inference = infer(flow, catalog, context)
            judgement = examine(flow, catalog, inference)
            assert not [each for each in judgement.diagnostics if each.severity == "error"]
            first = time.process_time() - started
            yield f"first look at {size:,} nodes", f"{first * 1000:.1f} ms"
            for name, written, touched in _edits(size):
                changed = apply_all(flow, operations_from(written))

                spent = median(_Again(changed, catalog, context, inference, judgement, touched), ROUNDS)
                yield f"{name}, {size:,} nodes", f"{spent:.2f} ms"


@dataclass(frozen=True)
class _Again:
    """A second look at a flow that was changed."""

    flow: Flow
    catalog: Catalog
    context: StandardContext
    inference: Inference
    judgement: Judgement
    touched: frozenset[str]

    def __call__(self) -> None:
        inferred = infer(self.flow, self.catalog, self.context, prior=self.inference, touched=self.touched)
        found = examine(self.flow, self.catalog, inferred, prior=self.judgement, touched=self.touched)
        assert found.diagnostics is not None


def _edits(size: int) -> Iterator[tuple[str, list[dict[str, Any]], frozenset[str]]]:
    middle, last = f"n{size // 2}", f"n{size - 1}"
    yield "set_config in the middle", [_set(middle, "a >= 0")], frozenset({middle})
    yield "set_config with a wrong column at the end", [_set(last, "b >= 0")], frozenset({last})
    added = {"id": "new", "type": "filter", "config": {"condition": "a > 1"}}
    adding = [{"op": "add_node", "node": added}, {"op": "connect", "source": last, "target": "new"}]
    yield "add_node and connect at the end", adding, frozenset({last, "new"})


def _set(node_id: str, condition: str) -> dict[str, Any]:
    return {"op": "set_config", "node_id": node_id, "values": {"condition": condition}}
