"""The composition root: settings, a server's data folder, what is refused before anything is opened."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from headrace.app import FILES, Settings, place_sample, server_of, settings_from
from headrace.base.errors import HeadraceError, Invalid, Refused, WrongState

CHANGES = {"X-Headrace": "1"}
pytestmark = pytest.mark.timeout(20)


def test_settings_come_from_the_environment_and_what_is_given_wins() -> None:
    found = settings_from(
        {
            "HEADRACE_DATA": "there",
            "HEADRACE_PORT": "9000",
            "HEADRACE_HOSTS": "a:1, b:2",
            "HEADRACE_MODEL_KEY": "secret",
        },
        port=9001,
        host=None,
    )
    assert (found.data, found.port, found.host, found.hosts) == (Path("there"), 9001, "127.0.0.1", ("a:1", "b:2"))
    assert settings_from({}) == Settings()


def test_no_secret_shows_in_the_settings_text() -> None:
    assert "secret" not in repr(Settings(model_key="secret", token="secret"))


@pytest.mark.parametrize("port", ["", "x", "-1", "65536", "８"])
def test_a_port_that_is_none_is_refused(port: str) -> None:
    with pytest.raises(Invalid, match="HEADRACE_PORT"):
        settings_from({"HEADRACE_PORT": port})


def test_what_was_done_is_there_when_the_server_is_opened_again(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "data")
    first = server_of(settings)
    client = TestClient(first.app, base_url="http://127.0.0.1:8765", headers=CHANGES)
    flow_id = client.post("/api/flows", json={"sample": True}).json()["flow_id"]
    client.post(f"/api/flows/{flow_id}/operations", json={"operations": [{"op": "set_name", "name": "Mine"}]})
    client.close()
    first.close()
    second = server_of(settings)
    client = TestClient(second.app, base_url="http://127.0.0.1:8765", headers=CHANGES)
    assert client.get("/api/flows").json()[0]["name"] == "Mine"
    assert client.get("/api/about").json()["data_folder_name"] == "data"
    assert client.post(f"/api/flows/{flow_id}/undo", json={}).status_code == 202
    client.close()
    second.close()
    assert (tmp_path / "data").stat().st_mode & 0o077 == 0


def test_a_data_folder_belongs_to_one_server_at_a_time(tmp_path: Path) -> None:
    first = server_of(Settings(data=tmp_path))
    with pytest.raises(WrongState, match="Another Headrace"):
        server_of(Settings(data=tmp_path, port=9999))
    first.close()
    server_of(Settings(data=tmp_path)).close()


def test_nothing_is_made_before_a_host_without_a_token_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="token"):
        server_of(Settings(data=tmp_path / "data", host="0.0.0.0"))
    assert not (tmp_path / "data").exists()


def test_a_data_folder_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("x")
    with pytest.raises(HeadraceError, match="--data"):
        server_of(Settings(data=tmp_path / "data"))


def test_a_model_address_that_is_none_lets_go_of_the_folder(tmp_path: Path) -> None:
    with pytest.raises(HeadraceError):
        server_of(Settings(data=tmp_path, model_url="ftp://models.example"))
    server_of(Settings(data=tmp_path)).close()


def test_the_sample_is_put_beside_what_is_there(tmp_path: Path) -> None:
    document = place_sample(tmp_path / FILES)
    assert document["nodes"]["orders"]["config"]["path"] == "corner_shop/orders.csv"
    assert sorted(path.name for path in (tmp_path / FILES / "corner_shop").iterdir()) == ["customers.csv", "orders.csv"]
