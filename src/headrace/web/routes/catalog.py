"""The node types: what the palette, the forms and the canvas know of them."""

from __future__ import annotations

from fastapi import APIRouter

from headrace.nodes.spec import NodeType
from headrace.web.parts import Here
from headrace.web.shapes import NodeTypeView

router = APIRouter(tags=["catalog"])


@router.get("/node-types")
def node_types(parts: Here) -> list[NodeTypeView]:
    """Return every node type."""
    return [_shown(node_type) for node_type in parts.workspace.catalog.all()]


def _shown(node_type: NodeType) -> NodeTypeView:
    return NodeTypeView(
        name=node_type.name,
        version=node_type.version,
        title=node_type.title,
        summary=node_type.summary,
        area=node_type.area,
        synonyms=node_type.synonyms,
        inputs=node_type.inputs,
        outputs=node_type.outputs,
        effects=tuple(sorted(effect.value for effect in node_type.effects)),
        config_schema=node_type.Config.model_json_schema(),
    )
