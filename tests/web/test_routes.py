"""Every route does what its line says, over a real workspace, real files and a real run."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest
from starlette.testclient import TestClient

from headrace.assistant.models.scripted import Call, Say
from headrace.base.actor import LOCAL
from tests.web.houses import READ_AND_SUM, House

NODES = [
    {"id": "orders", "type": "read_file", "config": {"path": "orders.csv"}},
    {"id": "few", "type": "limit", "config": {"count": 2}},
]


def made(client: TestClient, *operations: Any) -> str:
    flow_id = client.post("/api/flows", json={"name": "Totals"}).json()["flow_id"]
    if operations:
        answer = client.post(f"/api/flows/{flow_id}/operations", json={"operations": operations, "message": "by hand"})
        assert answer.status_code == 202, answer.text
    return flow_id


def run_to_end(client: TestClient, house: House, flow_id: str) -> dict[str, Any]:
    started = client.post(f"/api/flows/{flow_id}/runs", json={})
    assert started.status_code == 202, started.text
    house.workspace.wait(LOCAL, started.json()["run_id"], 4)
    return client.get(f"/api/runs/{started.json()['run_id']}").json()


class TestAbout:
    def test_health_and_about_answer(self, client: TestClient) -> None:
        assert client.get("/api/health").json()["status"] == "ok"
        about = client.get("/api/about").json()
        assert about["actor"] == "local"
        assert [model["name"] for model in about["models"]] == ["scripted", "offline"]
        assert "/" not in about["data_folder_name"]

    def test_node_types_carry_what_a_form_needs(self, client: TestClient) -> None:
        types = {each["name"]: each for each in client.get("/api/node-types").json()}
        assert types["filter"]["config_schema"]["properties"]["condition"]["x-slot"] == "condition"
        assert types["join"]["inputs"][0]["name"] == "left"
        assert types["write_file"]["effects"] == ["writes"]


class TestFlows:
    def test_a_flow_is_made_listed_renamed_and_deleted(self, client: TestClient) -> None:
        answer = client.post("/api/flows", json={"name": "Totals"})
        assert answer.status_code == 201
        flow_id = answer.json()["flow_id"]
        assert [each["name"] for each in client.get("/api/flows").json()] == ["Totals"]
        assert client.patch(f"/api/flows/{flow_id}", json={"name": "Sums"}).json()["name"] == "Sums"
        assert client.request("DELETE", f"/api/flows/{flow_id}", json={}).status_code == 204
        assert client.get(f"/api/flows/{flow_id}").status_code == 404

    def test_the_sample_opens_with_its_data_and_has_no_errors(self, client: TestClient, house: House) -> None:
        view = client.post("/api/flows", json={"name": "", "sample": True}).json()
        assert view["name"].startswith("Corner shop")
        assert not [each for each in view["diagnostics"] if each["severity"] == "error"]
        assert (house.files / "corner_shop" / "orders.csv").exists()
        assert [column["name"] for column in view["columns"]["by_category"]["out"]] == ["category", "revenue", "orders"]

    def test_opening_the_sample_again_leaves_what_was_changed_in_its_data(
        self, client: TestClient, house: House
    ) -> None:
        client.post("/api/flows", json={"sample": True})
        changed = house.files / "corner_shop" / "customers.csv"
        changed.write_text("customer_id\nC001\n")
        client.post("/api/flows", json={"sample": True})
        assert changed.read_text() == "customer_id\nC001\n"

    def test_edits_undo_and_redo_answer_with_the_revision(self, client: TestClient) -> None:
        flow_id = made(client, *READ_AND_SUM)
        assert client.get(f"/api/flows/{flow_id}").json()["can_undo"] is True
        assert client.post(f"/api/flows/{flow_id}/undo").json() == {"number": 2}
        assert client.get(f"/api/flows/{flow_id}").json()["document"]["nodes"] == {}
        assert client.post(f"/api/flows/{flow_id}/redo", json={}).json() == {"number": 3}
        log = client.get(f"/api/flows/{flow_id}/revisions").json()
        assert [each["number"] for each in log] == [3, 2, 1]
        assert log[-1]["message"] == "by hand"

    def test_a_node_shows_its_sql(self, client: TestClient) -> None:
        flow_id = made(client, *READ_AND_SUM)
        assert "GROUP BY" in client.get(f"/api/flows/{flow_id}/nodes/totals/sql").json()["sql"]

    def test_a_document_opens_as_a_flow_and_a_broken_one_lists_its_faults(self, client: TestClient) -> None:
        document = {
            "headrace": 1,
            "name": "Given",
            "nodes": {"a": {"type": "limit", "config": {"count": 1}}},
            "edges": {},
        }
        assert client.post("/api/flows", json={"document": document}).json()["name"] == "Given"
        bad = client.post("/api/flows", json={"document": {"headrace": 1, "nodes": {"A!": {}}, "edges": []}})
        assert bad.status_code == 422
        assert len(bad.json()["faults"]) >= 2


class TestChangesets:
    def stage(self, house: House, client: TestClient, flow_id: str) -> dict[str, Any]:
        house.script.enqueue(
            Call("set_flow", {"nodes": NODES, "edges": ["orders>few"], "summary": "Keep two"}), Say("Staged.")
        )
        chat_id = client.post(f"/api/flows/{flow_id}/chats", json={}).json()["chat_id"]
        started = client.post(f"/api/chats/{chat_id}/messages", json={"text": "keep two", "model": "scripted"})
        assert started.status_code == 202, started.text
        turn = house.assistant.wait(LOCAL, started.json()["turn_id"], timeout=4)
        assert turn.status == "answered", turn
        return client.get(f"/api/chats/{chat_id}").json()["turns"][0]

    def test_a_message_stages_a_change_that_lands_by_its_digest(self, house: House, client: TestClient) -> None:
        flow_id = made(client)
        turn = self.stage(house, client, flow_id)
        assert turn["reply"] == "Staged."
        (staged,) = client.get(f"/api/flows/{flow_id}/changesets?status=proposed").json()
        assert staged["changeset_id"] == turn["changeset_id"]
        shown = client.get(f"/api/flows/{flow_id}?changeset_id={staged['changeset_id']}").json()
        assert sorted(shown["document"]["nodes"]) == ["few", "orders"]
        path = f"/api/changesets/{staged['changeset_id']}"
        assert client.post(f"{path}/approve", json={"digest": "0" * 64}).json()["code"] == "stale_approval"
        assert client.post(f"{path}/approve", json={"digest": staged["digest"]}).json() == {"number": 1}
        assert client.get(path).json()["status"] == "approved"

    def test_a_person_changes_what_is_staged_before_approving_it(self, house: House, client: TestClient) -> None:
        flow_id = made(client)
        path = f"/api/changesets/{self.stage(house, client, flow_id)['changeset_id']}"
        before = client.get(path).json()
        edit = {"op": "set_config", "node_id": "few", "values": {"count": 5}}
        after = client.post(f"{path}/amend", json={"operations": [edit]}).json()
        assert after["digest"] != before["digest"]
        assert client.post(f"{path}/approve", json={"digest": before["digest"]}).json()["code"] == "stale_approval"
        assert client.post(f"{path}/approve", json={"digest": after["digest"]}).status_code == 202
        assert client.get(f"/api/flows/{flow_id}").json()["document"]["nodes"]["few"]["config"] == {"count": 5}

    def test_a_change_can_be_dismissed(self, house: House, client: TestClient) -> None:
        flow_id = made(client)
        turn = self.stage(house, client, flow_id)
        assert client.post(f"/api/changesets/{turn['changeset_id']}/reject").json()["status"] == "rejected"
        assert client.get(f"/api/flows/{flow_id}").json()["number"] == 0


class TestRuns:
    def test_a_run_gives_rows_and_a_chart(self, house: House, client: TestClient) -> None:
        flow_id = made(client, *READ_AND_SUM)
        run = run_to_end(client, house, flow_id)
        assert run["status"] == "succeeded", run
        assert run["answer"] == "most"
        path = f"/api/runs/{run['run_id']}/nodes"
        preview = client.get(f"{path}/most/preview?limit=2").json()
        assert preview["rows"] == [["coffee", 20.0], ["tea", 14.5]]
        assert preview["total"] == 3
        assert client.get(f"{path}/drawn/spec").json()["mark"]
        drawn = client.get(f"{path}/drawn/chart.svg?dark=true")
        assert drawn.headers["content-type"] == "image/svg+xml"
        assert drawn.text.lstrip().startswith("<svg")
        assert "default-src 'none'" in drawn.headers["content-security-policy"]
        assert [each["run_id"] for each in client.get(f"/api/flows/{flow_id}/runs").json()] == [run["run_id"]]

    @pytest.mark.timeout(20)
    def test_a_chart_can_be_had_as_a_picture(self, house: House, client: TestClient) -> None:
        run = run_to_end(client, house, made(client, *READ_AND_SUM))
        drawn = client.get(f"/api/runs/{run['run_id']}/nodes/drawn/chart.png")
        assert drawn.content.startswith(b"\x89PNG")

    def test_a_table_has_no_chart_and_a_run_that_is_over_stays_so(self, house: House, client: TestClient) -> None:
        run = run_to_end(client, house, made(client, *READ_AND_SUM))
        assert client.get(f"/api/runs/{run['run_id']}/nodes/most/chart.svg").json()["code"] == "no_chart"
        assert client.get(f"/api/runs/{run['run_id']}/nodes/most/chart.gif").status_code == 422
        assert client.post(f"/api/runs/{run['run_id']}/cancel").json()["status"] == "succeeded"


class TestFiles:
    def test_files_are_listed_and_described(self, client: TestClient) -> None:
        assert [each["path"] for each in client.get("/api/files").json()] == ["orders.csv"]
        found = client.get("/api/files/describe?path=orders.csv").json()
        assert found["format"] == "csv"
        assert [column["name"] for column in found["columns"]] == ["order_id", "product", "amount"]

    def test_a_file_is_brought_in_parts_and_read(self, client: TestClient, house: House) -> None:
        begun = client.post("/api/files/uploads", json={"path": "towns.csv"})
        assert begun.status_code == 201
        path = f"/api/files/uploads/{begun.json()['upload_id']}"
        for at, part in ((0, b"town,size\nBern,"), (15, b"1\n")):
            sent = client.post(f"{path}/parts", json={"at": at, "content": b64encode(part).decode()})
            assert sent.json()["size"] == at + len(part)
        assert client.post(f"{path}/keep", json={}).json()["path"] == "towns.csv"
        assert (house.files / "towns.csv").read_text() == "town,size\nBern,1\n"
        found = client.get("/api/files/describe?path=towns.csv").json()
        assert [column["name"] for column in found["columns"]] == ["town", "size"]

    def test_a_file_that_is_there_is_not_replaced_unasked(self, client: TestClient) -> None:
        refused = client.post("/api/files/uploads", json={"path": "orders.csv"})
        assert (refused.status_code, refused.json()["code"]) == (409, "file_exists")
        assert client.post("/api/files/uploads", json={"path": "orders.csv", "overwrite": True}).status_code == 201

    def test_a_part_that_is_no_base64_is_refused(self, client: TestClient) -> None:
        upload_id = client.post("/api/files/uploads", json={"path": "towns.csv"}).json()["upload_id"]
        refused = client.post(f"/api/files/uploads/{upload_id}/parts", json={"at": 0, "content": "\u2603"})
        assert (refused.status_code, refused.json()["code"]) == (400, "bad_part")

    def test_a_file_that_is_not_there_names_the_near_ones(self, client: TestClient) -> None:
        missing = client.get("/api/files/describe?path=order.csv")
        assert missing.status_code == 404
        assert "orders.csv" in missing.json()["message"]


class TestErrors:
    def test_every_error_has_the_same_body(self, client: TestClient) -> None:
        answers = [
            client.get("/api/flows/flow_nowhere"),
            client.get("/api/nowhere"),
            client.post("/api/flows", content=b"{"),
            client.post("/api/flows", json={"name": "x", "owner": "me"}),
            client.put("/api/flows", json={}),
        ]
        assert [each.status_code for each in answers] == [404, 404, 400, 422, 405]
        for answer in answers:
            body = answer.json()
            assert {"code", "message", "hint", "faults", "request_id"} == set(body), body
            assert body["request_id"] == answer.headers["x-request-id"]
        assert answers[3].json()["faults"] == ["owner: Extra inputs are not permitted"]

    def test_what_nobody_foresaw_is_an_id_and_nothing_more(
        self, house: House, caplog: pytest.LogCaptureFixture
    ) -> None:
        @house.app.get("/api/broken")
        def broken() -> None:
            raise RuntimeError("secret path /etc/canary")

        answer = house.client().get("/api/broken")
        assert answer.status_code == 500
        assert "canary" not in answer.text
        assert answer.json()["request_id"] in caplog.text
        assert "canary" in caplog.text
