"""Tools that read the catalogue: find node types, describe one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from headrace.nodes.spec import NodeType

from .spec import Arguments, Tool, ToolContext, ToolResult, clip

_TEXTS = {"column": "column", "columns": "column", "condition": "sql", "expression": "sql"}
_MAPS = {"renames": "{old: new}", "casts": "{column: type}"}


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
    definitions = schema.get("$defs", {})
    lines = [f"{node_type.name} — {node_type.summary}"]
    lines += [f"in {port.name}: {port.type}{' (many)' if port.many else ''}" for port in node_type.inputs]
    lines += [f"out {port.name}: {port.type}" for port in node_type.outputs]
    required = set(schema.get("required", ()))
    for name, field in schema.get("properties", {}).items():
        must = "" if name in required else f", default {json.dumps(field.get('default'))}"
        lines.append(f"config {name} ({kind(field, definitions)}{must}): {field.get('description', '')}".rstrip())
    data = {"name": node_type.name, "config_schema": schema}
    return ToolResult(clip("\n".join(lines)), data=data, summary=f"Read how {node_type.name} is set")


def type_line(node_type: NodeType) -> str:
    """Return a node type in one line: name, ports where they are not just `in`, config fields."""
    schema = node_type.Config.model_json_schema()
    ports = "/".join(port.name for port in node_type.inputs)
    takes = f" in {ports};" if ports not in ("", "in") else ""
    return f"{node_type.name}{takes} {_fields(schema, schema.get('$defs', {}))}"


def kind(field: Mapping[str, Any], definitions: Mapping[str, Any], *, slot: str = "") -> str:
    """Return a config field's type in few characters: `text`, `a|b|c`, `[column]`, `[{left: column, right: column}]`."""
    slot = field.get("x-slot", slot)
    if "$ref" in field:
        return kind(definitions[field["$ref"].rsplit("/", 1)[-1]], definitions)
    if "enum" in field:
        return "|".join(map(str, field["enum"]))
    if "const" in field:
        return str(field["const"])
    if "anyOf" in field:
        kinds = [kind(choice, definitions, slot=slot) for choice in field["anyOf"]]
        return "|".join(dict.fromkeys(each for each in kinds if each != "null"))
    match field.get("type"):
        case "array":
            return f"[{kind(field.get('items', {}), definitions, slot=slot)}]"
        case "object" if "properties" in field:
            return _fields(field, definitions)
        case "object":
            return _MAPS.get(slot) or f"{{name: {kind(field.get('additionalProperties') or {}, definitions)}}}"
        case "string":
            return _TEXTS.get(slot, "text")
        case "integer" | "number":
            return "number"
        case "boolean":
            return "bool"
        case other:
            return str(other or "value")


def _fields(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    required = set(schema.get("required", ()))
    fields = (
        f"{name}{'' if name in required else '?'}: {kind(field, definitions)}"
        for name, field in schema.get("properties", {}).items()
    )
    return f"{{{', '.join(fields)}}}"


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
        "The whole config of one node type, with every field's meaning.",
        DescribeNodeType,
        "read",
        _describe,
    ),
)
