"""What the tests of runs stand on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lab import Lab


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    folder = tmp_path / "data"
    folder.mkdir()
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    return Lab(folder, {"temp_root": scratch, "threads": 2})


@pytest.fixture(scope="session")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A csv file big enough to flow: 120,000 rows of id, region, amount, day, note."""
    import duckdb

    path = tmp_path_factory.mktemp("big") / "big.csv"
    with duckdb.connect() as connection:
        connection.execute(
            "COPY (SELECT i AS id, ['north', 'south', 'east', 'west'][1 + i % 4] AS region, (i * 7 % 1000) / 4 AS amount,"
            " DATE '2020-01-01' + (i % 900)::INTEGER AS day, 'note ' || i AS note, 'some more text to read' AS more FROM range(120000) t(i))"
            f" TO '{path}' (HEADER)"
        )
    return path
