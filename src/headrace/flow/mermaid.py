"""A flow as Mermaid text, for documents and pull requests.

Every label is escaped character by character, so that nothing in a title becomes Mermaid syntax or HTML.
"""

from __future__ import annotations

from .model import Flow
from .order import order
from .words import cut

_SAFE = frozenset(" _-.,:/()")


def mermaid(flow: Flow) -> str:
    """Return the flow as a Mermaid chart, nodes in the order in which data runs, without a newline at the end."""
    ways = order(flow)
    names = {node_id: f"n{number}" for number, node_id in enumerate((*ways.sequence, *ways.circular))}
    lines = ["flowchart LR"]
    for node_id, name in names.items():
        node = flow.nodes[node_id]
        lines.append(f'  {name}["{_escaped(node.title or node_id)}<br/>{_escaped(node.type)}"]')
    for _, edge in sorted(flow.edges.items()):
        ports = [
            edge.source.port if edge.source.port != "out" else "",
            edge.target.port if edge.target.port != "in" else "",
        ]
        label = " to ".join(_escaped(port) for port in ports if port)
        arrow = f'-->|"{label}"|' if label else "-->"
        lines.append(f"  {names[edge.source.node]} {arrow} {names[edge.target.node]}")
    return "\n".join(lines)


def _escaped(text: str) -> str:
    return "".join(letter if letter.isalnum() or letter in _SAFE else f"#{ord(letter)};" for letter in cut(text, 60))
