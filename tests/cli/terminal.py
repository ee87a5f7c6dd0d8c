"""Calls the command line in this process, as if it were typed in a folder of its own, and files for it to work on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from headrace.cli.main import main

ORDERS = (
    "order_id,product,amount,paid_on\n1,tea,10.5,2025-01-03\n2,coffee,20,2025-01-09\n3,tea,4,2025-02-11\n4,cake,8.25,\n"
)


@dataclass(frozen=True, slots=True)
class Said:
    """How a call ended and what it said."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """Return the one object that it printed."""
        return json.loads(self.out)


@dataclass(frozen=True, slots=True)
class Terminal:
    """A folder in which commands are called."""

    folder: Path
    capture: pytest.CaptureFixture[str]

    def call(self, *words: str) -> Said:
        """Return how a call of `headrace` ended."""
        code = main(words)
        said = self.capture.readouterr()
        assert "Traceback" not in said.err + said.out
        return Said(code, said.out, said.err)

    def write(self, name: str, text: str | bytes) -> str:
        """Write a file and return its name."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return name

    def flow(self, nodes: Mapping[str, Any], *edges: str, name: str = "flow.json", **more: Any) -> str:
        """Write a flow file of nodes (`id: (type, config)`) and edges (`a.out>b.in`), and return its name."""
        document = {
            "headrace": 1,
            "name": "Totals",
            "nodes": {node_id: {"type": kind, "config": config} for node_id, (kind, config) in nodes.items()},
            "edges": {edge: _edge(edge) for edge in edges},
            **more,
        }
        return self.write(name, json.dumps(document))

    def totals(self, path: str = "orders.csv") -> str:
        """Write orders and a flow that sums them by product, and return the flow's name."""
        if path == "orders.csv":
            self.write(path, ORDERS)
        return self.flow(
            {
                "orders": ("read_file", {"path": path}),
                "totals": ("aggregate", {"group_by": ["product"], "measures": [MEASURE]}),
                "most": ("sort", {"by": [{"column": "total", "descending": True}]}),
            },
            "orders.out>totals.in",
            "totals.out>most.in",
        )


MEASURE = {"name": "total", "function": "sum", "column": "amount"}


def _edge(edge: str) -> Any:
    source, _, target = edge.partition(">")
    ends = [dict(zip(("node", "port"), end.split("."), strict=True)) for end in (source, target)]
    return {"source": ends[0], "target": ends[1]}
