"""Bodies that JSON allows and nobody means: each is answered with a plain refusal or taken, never with an error of ours."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.safety.calls import CHANGE, OWN, call
from tests.web.houses import House

DEEP = 5_000


def nested(depth: int, core: str = "1") -> str:
    return "[" * depth + core + "]" * depth


def node(config: str, title: str = '"t"', node_id: str = "a") -> str:
    return (
        f'{{"op": "add_node", "node": {{"id": "{node_id}", "type": "filter", "title": {title}, "config": {config}}}}}'
    )


ODD_VALUES = (
    "NaN",
    "Infinity",
    "-Infinity",
    "1e999",
    "1" * 5_000,
    '"\\ud800"',
    '"\\u0000"',
    '"\\ud83d\\ude00"',
    nested(50),
    nested(900),
    nested(DEEP),
    '{"a":' * 900 + "1" + "}" * 900,
    '{"a":' * DEEP + "1" + "}" * DEEP,
    '"' + "x" * 1_000_000 + '"',
    '{"$parameter": "nowhere"}',
    '{"$secret": 1}',
    '{"": ""}',
    '{"__class__": "os.system"}',
    "null",
    "true",
)


def post(house: House, path: str, body: str) -> tuple[int, bytes]:
    answer = call(house.app, "POST", path, headers=(*OWN, *CHANGE), body=body.encode("utf-8", "surrogatepass"))
    return answer.status, answer.body


@pytest.mark.parametrize("value", ODD_VALUES, ids=lambda value: f"{value[:12]}~{len(value)}")
def test_no_value_in_a_request_is_an_error_of_ours(house: House, value: str) -> None:
    status, body = post(house, "/api/flows", '{"name": "Odd"}')
    flow_id = json.loads(body)["flow_id"]
    config = '{"condition": ' + value + "}"
    tries: tuple[tuple[str, str], ...] = (
        (f"/api/flows/{flow_id}/operations", f'{{"operations": [{node(config)}]}}'),
        (f"/api/flows/{flow_id}/operations", f'{{"operations": [{node("{}", title=value, node_id="b")}]}}'),
        (f"/api/flows/{flow_id}/operations", f'{{"operations": {value}}}'),
        (f"/api/flows/{flow_id}/operations", f'{{"operations": [{{"op": {value}}}]}}'),
        (f"/api/flows/{flow_id}/operations", f'{{"operations": [], "message": {value}}}'),
        (f"/api/flows/{flow_id}/runs", f'{{"to": {value}}}'),
        ("/api/flows", f'{{"name": {value}}}'),
        ("/api/flows", f'{{"document": {value}}}'),
        ("/api/flows", f'{{"document": {{"headrace": 1, "name": "x", "nodes": {value}, "edges": {{}}}}}}'),
        ("/api/flows", f'{{"document": {{"headrace": {value}, "name": "x", "nodes": {{}}, "edges": {{}}}}}}'),
        ("/api/flows", value),
    )
    for path, sent in tries:
        status, body = post(house, path, sent)
        assert status < 500, (path, sent[:200], body)
        told: Any = json.loads(body)
        assert status < 300 or told["message"], body
    assert post(house, "/api/flows", '{"name": "After"}')[0] == 201
