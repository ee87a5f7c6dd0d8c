"""An OpenAI-compatible provider on loopback that keeps every byte it gets, and answers with what was written for it."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

from headrace.assistant.models.scripted import Call, Say


class Provider:
    """What the provider was asked, and the answers that are left."""

    def __init__(self, *answers: Say | Call) -> None:
        self.got: list[bytes] = []
        self.answers = deque(answers)
        self.url = ""

    @property
    def heard(self) -> str:
        """Return all that arrived, as the text that a model reads."""
        return "\n".join(part for body in self.got for part in _texts(json.loads(body)))


def _texts(found: Any) -> Iterator[str]:
    if isinstance(found, str):
        yield found
    elif isinstance(found, dict | list):
        for each in found.values() if isinstance(found, dict) else found:
            yield from _texts(each)


@contextmanager
def provider(*answers: Say | Call) -> Iterator[Provider]:
    """Lend a provider that answers with these, one for each request, then with plain words."""
    lent = Provider(*answers)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            lent.got.append(self.rfile.read(int(self.headers["Content-Length"])))
            answer = lent.answers.popleft() if lent.answers else Say("That is all.")
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            for chunk in _chunks(answer, len(lent.got)):
                self.wfile.write(f"data: {chunk}\n\n".encode())

        def log_message(self, *arguments: object) -> None:
            """Keep the test's output clean."""
            del arguments

    httpd = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    lent.url = f"http://127.0.0.1:{httpd.server_port}/v1"
    try:
        yield lent
    finally:
        httpd.shutdown()
        httpd.server_close()
        thread.join(2)


def _chunks(answer: Say | Call, number: int) -> Iterator[str]:
    delta: dict[str, Any] = {"role": "assistant", "content": answer.text or None}
    if isinstance(answer, Call):
        function = {"name": answer.name, "arguments": json.dumps(dict(answer.arguments))}
        delta["tool_calls"] = [{"index": 0, "id": f"call_{number}", "type": "function", "function": function}]
    reason = "tool_calls" if isinstance(answer, Call) else "stop"
    head = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    for choice in ({"delta": delta, "finish_reason": None}, {"delta": {}, "finish_reason": reason}):
        yield json.dumps({**head, "choices": [{"index": 0, **choice}]})
    usage = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}
    yield json.dumps({**head, "choices": [], "usage": usage})
    yield "[DONE]"
