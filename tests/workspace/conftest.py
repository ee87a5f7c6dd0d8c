"""A workspace over a folder with two small files, on either store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from headrace.base.clock import FrozenClock
from headrace.nodes.binder import Binder
from headrace.nodes.catalog import Catalog, standard_catalog
from headrace.nodes.files import FileSpace
from headrace.store.memory import MemoryStore
from headrace.store.protocol import Store
from headrace.store.sql import open_store
from headrace.workspace.budgets import Budgets
from headrace.workspace.workspace import Workspace

ORDERS = "id,customer,amount,day\n" + "".join(
    f"{n},{('Ann', 'Bob', 'Cy')[n % 3]},{n * 10},2026-01-{n:02}\n" for n in range(1, 13)
)
CUSTOMERS = "customer,country\nAnn,Norway\nBob,Chile\nCy,Norway\n"

MakeWorkspace = Callable[..., Workspace]


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return standard_catalog()


@pytest.fixture(scope="session")
def binder() -> Binder:
    return Binder()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    data = tmp_path / "data"
    data.mkdir()
    (data / "orders.csv").write_text(ORDERS)
    (data / "customers.csv").write_text(CUSTOMERS)
    return data


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def make(catalog: Catalog, binder: Binder, folder: Path, clock: FrozenClock) -> Iterator[MakeWorkspace]:
    """Return a maker of workspaces over the same folder; what it made is closed at the end."""
    made: list[Workspace] = []

    def one(store: Store | Path | None = None, *, budgets: Budgets | None = None) -> Workspace:
        opened = open_store(store) if isinstance(store, Path) else store or MemoryStore()
        workspace = Workspace(opened, catalog, FileSpace([folder]), binder=binder, clock=clock, budgets=budgets)
        made.append(workspace)
        return workspace

    yield one
    for workspace in made:
        workspace.close()


@pytest.fixture
def workspace(make: MakeWorkspace) -> Workspace:
    return make()


@pytest.fixture(params=["memory", "sql"])
def either(request: pytest.FixtureRequest, make: MakeWorkspace, tmp_path: Path) -> Workspace:
    """A workspace on each of the stores, one after the other."""
    return make(tmp_path / "headrace.db" if request.param == "sql" else None)
