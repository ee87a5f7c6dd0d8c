"""A draft that grows, told event by event: what the web app's `amendedWith` replays.

Run `.venv/bin/python -m vectors.amending` to write the story anew; a test says when it is stale.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from headrace.base.actor import LOCAL, assistant_for
from headrace.base.clock import FrozenClock
from headrace.nodes.catalog import standard_catalog
from headrace.nodes.files import FileSpace
from headrace.store.memory import MemoryStore
from headrace.workspace.views import ChangesetView
from headrace.workspace.workspace import Workspace

KEPT = Path(__file__).with_name("amending.json")
_TABLE = {"columns": [{"name": "a", "type": "whole number"}], "rows": [[1], [2]]}
_GROWING = (
    "amended",
    "digest",
    "summary",
    "updated_at",
    "operations",
    "words",
    "patch",
    "columns",
    "diagnostics",
    "introduced",
    "titles",
)


def _add(node_id: str, node_type: str, **config: Any) -> dict[str, Any]:
    return {"op": "add_node", "node": {"id": node_id, "type": node_type, "config": config}}


def _connect(source: str, target: str) -> dict[str, Any]:
    return {"op": "connect", "source": source, "target": target}


_HEAD = [
    _add("table", "manual_table", **_TABLE),
    _add("few", "limit", count=5),
    _connect("table", "few"),
    {"op": "set_title", "node_id": "few", "title": "A few"},
]
_GROWTH: tuple[list[dict[str, Any]], ...] = (
    [_add("big", "filter", condition="a > 1")],
    [_connect("few", "big")],
    [{"op": "set_config", "node_id": "big", "values": {"condition": "b > 1"}}],
    [{"op": "set_config", "node_id": "few", "values": {"count": 3}}],
    [{"op": "set_config", "node_id": "few", "values": {"count": 5}}, {"op": "set_name", "name": "Grown"}],
    [_add("twice", "formula", columns=[{"name": "c", "expression": "a * 2"}]), _connect("few", "twice")],
    [{"op": "remove_node", "node_id": "big"}],
    [{"op": "move_nodes", "positions": {"twice": {"x": 40, "y": 8}}}, {"op": "set_name", "name": "Chain"}],
    [{"op": "remove_node", "node_id": "table"}],
)


def story() -> dict[str, Any]:
    """Return a changeset as it was proposed, each amendment as it was told, and the changeset after it."""
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace(MemoryStore(), standard_catalog(), FileSpace([Path(folder)]), clock=FrozenClock())
        flow_id = workspace.create_flow(LOCAL, "Chain").flow_id
        workspace.edit(LOCAL, flow_id, _HEAD)
        program = assistant_for(LOCAL)
        staged = workspace.propose(program, flow_id, [_add("one", "limit", count=1), _connect("few", "one")])
        views = [_shown(workspace.amend(program, staged.changeset_id, more)) for more in _GROWTH]
        events = [each.data for each in workspace.events(LOCAL) if each.kind == "changeset.amended"]
        workspace.close()
    return {
        "first": _shown(staged),
        "events": [{**each, "changeset_id": "set_1"} for each in events],
        "views": views,
    }


def text() -> str:
    """Return the file's text."""
    return json.dumps([story()], ensure_ascii=False, indent=1) + "\n"


def _shown(view: ChangesetView) -> dict[str, Any]:
    return view.model_dump(mode="json", include=set(_GROWING))


if __name__ == "__main__":
    KEPT.write_text(text(), encoding="utf-8")
