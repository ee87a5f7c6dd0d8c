"""`headrace nodes`: the node types that there are, or those that fit some words."""

from __future__ import annotations

import argparse
import json
from typing import Any

from headrace.nodes.catalog import standard_catalog
from headrace.nodes.spec import NodeType

from .ending import DONE, REFUSED
from .screen import plain

_MOST = 10


def call(options: argparse.Namespace) -> int:
    """Carry the command out and return its exit code: 1 where nothing fits the words."""
    catalog = standard_catalog()
    words = " ".join(options.words)
    found = [catalog.get(hit.name) for hit in catalog.search(words, _MOST)] if words else list(catalog.all())
    if options.json:
        print(json.dumps([_shown(each) for each in found], ensure_ascii=False))
    elif found:
        width = max(len(each.name) for each in found)
        print(plain("\n".join(f"{each.name:<{width}}  {each.summary}" for each in found)))
    else:
        print(f"No node type fits {words!r}. `headrace nodes` lists all of them.")
    return DONE if found else REFUSED


def _shown(node_type: NodeType) -> dict[str, Any]:
    return {
        "name": node_type.name,
        "title": node_type.title,
        "summary": node_type.summary,
        "area": node_type.area,
        "synonyms": list(node_type.synonyms),
        "effects": sorted(effect.value for effect in node_type.effects),
        "inputs": [port.model_dump() for port in node_type.inputs],
        "outputs": [port.model_dump() for port in node_type.outputs],
        "config_schema": node_type.Config.model_json_schema(),
    }
