"""A whole server for tests: real workspace, real files, the scripted model, and a client that calls as the web app does."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from starlette.testclient import TestClient

from headrace import app as root
from headrace.assistant.models.registry import Models
from headrace.assistant.models.scripted import Script
from headrace.assistant.turns import Assistant
from headrace.nodes.catalog import standard_catalog
from headrace.nodes.files import FileSpace
from headrace.store.memory import MemoryStore
from headrace.web.events import Streams
from headrace.web.gate import Gate, loopback_hosts
from headrace.web.parts import Parts
from headrace.web.server import make_app
from headrace.workspace.workspace import Workspace

PORT = 8765
ADDRESS = f"http://127.0.0.1:{PORT}"
CHANGES = {"X-Headrace": "1", "Content-Type": "application/json"}
ORDERS = "order_id,product,amount\n1,tea,10.5\n2,coffee,20\n3,tea,4\n4,cake,8.25\n"


@dataclass(frozen=True, slots=True)
class House:
    """A server and what it is made of."""

    app: Any
    workspace: Workspace
    assistant: Assistant
    streams: Streams
    script: Script
    files: Path

    def client(self, **headers: str) -> TestClient:
        """Return a client that sends what the web app sends, and these headers."""
        return TestClient(self.app, base_url=ADDRESS, headers={**CHANGES, **headers}, raise_server_exceptions=False)


@contextmanager
def house_in(folder: Path, *, gate: Gate | None = None, static: Path | None = None) -> Iterator[House]:
    """Give a house whose files folder holds `orders.csv`."""
    files = folder / "files"
    files.mkdir(parents=True, exist_ok=True)
    (files / "orders.csv").write_text(ORDERS)
    catalog, script, streams = standard_catalog(), Script(), Streams()
    workspace = Workspace(MemoryStore(), catalog, FileSpace([files], write_root=files))
    assistant = Assistant(workspace, Models(catalog, scripts={"scripted": script.model}))
    parts = Parts(
        workspace=workspace,
        assistant=assistant,
        streams=streams,
        data_folder_name=folder.name,
        place_sample=lambda: root.place_sample(files),
    )
    app = make_app(parts, gate or Gate(loopback_hosts(PORT)), static=static or folder / "static")
    try:
        yield House(app, workspace, assistant, streams, script, files)
    finally:
        streams.close()
        assistant.close()
        workspace.close()


@contextmanager
def served(house: House, gate_port: int = 0) -> Iterator[int]:
    """Serve a house on loopback and give its port."""
    config = uvicorn.Config(
        house.app, host="127.0.0.1", port=gate_port, log_level="critical", lifespan="off", timeout_graceful_shutdown=2
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    end = time.monotonic() + 4
    while not server.started and time.monotonic() < end:
        threading.Event().wait(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        house.streams.close()
        server.should_exit = True
        thread.join(4)


def add(node_id: str, node_type: str, **config: Any) -> Mapping[str, Any]:
    """Return the operation that adds a node."""
    return {"op": "add_node", "node": {"id": node_id, "type": node_type, "config": config}}


def connect(source: str, target: str) -> Mapping[str, Any]:
    """Return the operation that connects two nodes."""
    return {"op": "connect", "source": source, "target": target}


READ_AND_SUM = (
    add("orders", "read_file", path="orders.csv"),
    add(
        "totals", "aggregate", group_by=["product"], measures=[{"name": "total", "function": "sum", "column": "amount"}]
    ),
    add("most", "sort", by=[{"column": "total", "descending": True}]),
    add("drawn", "chart", kind="bar", x="product", y="total"),
    connect("orders.out", "totals.in"),
    connect("totals.out", "most.in"),
    connect("most.out", "drawn.in"),
)
"""A flow that reads the orders and draws the total of each product."""
