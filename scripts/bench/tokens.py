"""What the tool catalogue costs a model: its characters, and tokens taken as a quarter of them.

Where an encoding of tiktoken lies in the folder that TIKTOKEN_CACHE_DIR names, tokens are counted with it too; nothing is
fetched for that.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from headrace.tools.catalog import standard_tools

ENCODING = "o200k_base"


def figures() -> Iterator[tuple[str, str]]:
    """Return name and value of each figure, as they are measured."""
    tools = standard_tools()
    written = {
        tool.name: json.dumps(
            {"name": tool.name, "description": tool.summary, "parameters": tool.schema()}, separators=(",", ":")
        )
        for tool in tools
    }
    whole = "".join(written.values())
    yield f"tool catalogue, {len(tools)} tools", _told(whole)
    for name in sorted(written, key=lambda name: -len(written[name]))[:3]:
        yield f"of it {name}", _told(written[name])


def _told(text: str) -> str:
    counted = _counted(text)
    exact = f", {counted:,} by {ENCODING}" if counted is not None else ""
    return f"{len(text):,} characters, about {len(text) // 4:,} tokens{exact}"


def _counted(text: str) -> int | None:
    folder = os.environ.get("TIKTOKEN_CACHE_DIR")
    if not folder or not any(Path(folder).iterdir()):
        return None
    import tiktoken

    return len(tiktoken.get_encoding(ENCODING).encode(text))
