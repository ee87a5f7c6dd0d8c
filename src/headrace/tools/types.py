"""Tools that read the catalogue: find node types, describe one."""

from __future__ import annotations

import json
from typing import Any

from .result import clip
from .spec import Arguments, Tool, ToolContext, ToolResult


class SearchNodeTypes(Arguments):
    """What is looked for."""

    words: str = ""
    """What the node should do, in plain words; empty lists all node types."""
    limit: int = 5


class DescribeNodeType(Arguments):
    """Which node type."""

    name: str
    """As search_node_types gives it, such as `aggregate`."""


def _search(ctx: ToolContext, arguments: SearchNodeTypes) -> ToolResult:
    catalog = ctx.workspace.catalog
    if arguments.words.strip():
        found = [(hit.name, hit.summary) for hit in catalog.search(arguments.words, arguments.limit)]
    else:
        found = [(each.name, each.summary) for each in catalog.all()]
    text = "\n".join(f"{name} — {summary}" for name, summary in found)
    return ToolResult(
        clip(text or "No node type fits. Call again with no words to see all of them."),
        data={"node_types": [{"name": name, "summary": summary} for name, summary in found]},
        summary=f"Looked for a node type: {', '.join(name for name, _ in found) or 'none fits'}",
    )


def _describe(ctx: ToolContext, arguments: DescribeNodeType) -> ToolResult:
    node_type = ctx.workspace.catalog.get(arguments.name)
    schema = node_type.Config.model_json_schema()
    required = set(schema.get("required", ()))
    lines = [f"{node_type.name} — {node_type.summary}"]
    lines += [f"in {port.name}: {port.type}{' (many)' if port.many else ''}" for port in node_type.inputs]
    lines += [f"out {port.name}: {port.type}" for port in node_type.outputs]
    for name, field in schema.get("properties", {}).items():
        must = "required" if name in required else f"default {json.dumps(field.get('default'))}"
        lines.append(f"config {name} ({must}): {field.get('description', '')} {_shape(field, schema)}".rstrip())
    data = {"name": node_type.name, "config_schema": schema}
    return ToolResult(clip("\n".join(lines)), data=data, summary=f"Read how {node_type.name} is set")


def _shape(field: dict[str, Any], schema: dict[str, Any]) -> str:
    """Return a field's JSON type where its description alone does not say it."""
    keep = ("type", "enum", "items", "anyOf", "$ref", "additionalProperties")
    shape = {key: field[key] for key in keep if key in field}
    text = json.dumps(shape, separators=(",", ":"))
    for name, definition in schema.get("$defs", {}).items():
        inner = {key: value for key, value in definition.items() if key in ("properties", "required", "enum", "type")}
        text = text.replace(f'{{"$ref":"#/$defs/{name}"}}', json.dumps(inner, separators=(",", ":")))
    return text


TOOLS = (
    Tool(
        "search_node_types",
        "Find node types by what they do. Use it when none of those you know fits.",
        SearchNodeTypes,
        "read",
        _search,
    ),
    Tool(
        "describe_node_type",
        "The whole config of one node type, with every field's meaning and an example.",
        DescribeNodeType,
        "read",
        _describe,
    ),
)
