"""What every check looks at: a flow, the node types that there are, and what was inferred without running."""

from __future__ import annotations

from dataclasses import dataclass

from headrace.flow.model import Flow
from headrace.nodes.catalog import Catalog
from headrace.nodes.inference import Inference, Typing
from headrace.nodes.spec import NodeType


@dataclass(frozen=True, slots=True)
class Scene:
    """A flow with all that is known of it."""

    flow: Flow
    catalog: Catalog
    inference: Inference

    def type_of(self, node_id: str) -> NodeType | None:
        """Return a node's type, or None where the catalog has none of that name."""
        return self.catalog.find(self.flow.nodes[node_id].type)

    def typing_of(self, node_id: str) -> Typing | None:
        """Return what was inferred of a node, or None where nothing was."""
        return self.inference.nodes.get(node_id)
