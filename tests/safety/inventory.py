"""What there is to attack, found by looking: routes, tools, node types, and the fields of theirs that take a path."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute

from headrace.nodes.catalog import standard_catalog
from headrace.nodes.spec import Slot
from headrace.tools.catalog import standard_tools

LISTED: dict[str, Any] = tomllib.loads(Path(__file__).with_name("inventory.toml").read_text())
"""What is listed by hand: everything that exists must stand there, with what is expected of it."""


def routes(app: FastAPI) -> set[str]:
    """Return every route of an application as `METHOD /path`.

    Errors: AssertionError for a route of a kind that these tests do not know (a mount, a web socket).
    """
    found: set[str] = set()
    for entry in app.router.routes:
        contexts = entry.effective_route_contexts() if hasattr(entry, "effective_route_contexts") else [entry]
        for context in contexts:
            original = getattr(context, "original_route", context)
            assert isinstance(original, APIRoute), f"{original!r} is of a kind that nobody attacks yet"
            found |= {f"{method} {context.path}" for method in context.methods}
    return found


def path_fields(schema: dict[str, Any]) -> dict[str, str]:
    """Return the fields of a config's schema that hold a path: name -> `read` or `write`."""
    kinds = {Slot.READ_PATH.value: "read", Slot.WRITE_PATH.value: "write"}
    return {
        name: kinds[slot]
        for name, field in schema.get("properties", {}).items()
        for slot in [found for found in slots(field) if found in kinds]
    }


def slots(field: Any) -> list[str]:
    """Return every slot mark in a field's schema, however deep."""
    if isinstance(field, dict):
        own = [field["x-slot"]] if "x-slot" in field else []
        return own + [slot for value in field.values() for slot in slots(value)]
    return [slot for value in field for slot in slots(value)] if isinstance(field, list) else []


def node_types() -> dict[str, dict[str, Any]]:
    """Return every node type: name -> its effects and its path fields, as `inventory.toml` writes them."""
    return {
        each.name: {
            "effects": sorted(effect.value for effect in each.effects),
            "paths": path_fields(each.Config.model_json_schema()),
        }
        for each in standard_catalog().all()
    }


def tools() -> dict[str, dict[str, Any]]:
    """Return every tool: name -> its effect class and the names of its arguments."""
    return {
        each.name: {"effect": each.effect, "arguments": sorted(each.arguments.model_fields)}
        for each in standard_tools()
    }
