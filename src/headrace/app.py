"""The composition root: the only module that makes stores, workspaces, assistants and servers out of settings.

Each function imports the rooms that it alone needs, because `headrace run` must not pay for the agent library, nor
`headrace build` for the database and the server (decision 0008). Nothing else in the house imports so.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from shutil import copy2
from typing import TYPE_CHECKING, Any

import headrace
from headrace.base.data_kinds import DATA_KINDS
from headrace.base.errors import Invalid, Unavailable, WrongState
from headrace.flow.model import document_of
from headrace.flow.notation import read_flow_text
from headrace.nodes.catalog import standard_catalog
from headrace.nodes.egress import origin
from headrace.nodes.files import FileSpace
from headrace.store.memory import MemoryStore
from headrace.store.protocol import Store
from headrace.workspace.workspace import Workspace

if TYPE_CHECKING:
    from fastapi import FastAPI

    from headrace.assistant.turns import Assistant
    from headrace.web.events import Streams

DEFAULT_DATA = ".headrace"
DEFAULT_PORT = 8765
DATABASE = "headrace.sqlite"
FILES = "files"
_LOCK = "headrace.lock"
SAMPLE = Path(headrace.__file__).parent / "samples" / "corner_shop"


@dataclass(frozen=True, slots=True)
class Settings:
    """What an installation is told, by the environment and by the command line."""

    data: Path = Path(DEFAULT_DATA)
    """The data folder: the database, and in `files/` what flows read and write."""
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    token: str = field(default="", repr=False)
    """Asked of every caller; must be set where others than this machine can reach the server."""
    hosts: tuple[str, ...] = ()
    """More names, with their ports, by which browsers may call the server."""
    origins: tuple[str, ...] = ()
    """More origins whose pages may call it."""
    model_url: str = ""
    """The base address of an OpenAI-compatible endpoint; empty: the offline planner alone."""
    model_name: str = ""
    model_key: str = field(default="", repr=False)
    share: str = ""
    """What of the data such an endpoint is told: `columns`, `values` or `rows`; empty: all on this machine, columns elsewhere."""


def settings_from(environment: Mapping[str, str], **given: Any) -> Settings:
    """Return the settings that the `HEADRACE_…` variables make, with what is given in place of them.

    Errors: Invalid for a port that is no number, and for a share that there is not.
    """
    port = environment.get("HEADRACE_PORT", str(DEFAULT_PORT))
    if not (port.isascii() and port.isdigit() and int(port) <= 65535):
        raise Invalid("bad_port", f"HEADRACE_PORT is {port!r}, which is not a port.", "Set a number from 0 to 65535.")
    share = environment.get("HEADRACE_SHARE", "")
    if share not in ("", *DATA_KINDS):
        known = ", ".join(DATA_KINDS)
        raise Invalid("bad_share", f"HEADRACE_SHARE is {share!r}; there are {known}.", f"Set one of {known}.")
    found: dict[str, Any] = {
        "data": Path(environment.get("HEADRACE_DATA") or DEFAULT_DATA),
        "host": environment.get("HEADRACE_HOST") or "127.0.0.1",
        "port": int(port),
        "token": environment.get("HEADRACE_TOKEN", ""),
        "hosts": _listed(environment.get("HEADRACE_HOSTS", "")),
        "origins": _listed(environment.get("HEADRACE_ORIGINS", "")),
        "model_url": environment.get("HEADRACE_MODEL_URL", ""),
        "model_name": environment.get("HEADRACE_MODEL_NAME", ""),
        "model_key": environment.get("HEADRACE_MODEL_KEY", ""),
        "share": share,
    }
    return Settings(**found | {name: value for name, value in given.items() if value is not None})


def workspace_in_memory(files: FileSpace) -> Workspace:
    """Return a workspace for one command: it reads and writes files, and keeps its own records nowhere."""
    return _workspace(MemoryStore(), files)


def assistant_of(workspace: Workspace, settings: Settings) -> Assistant:
    """Return the assistant of a workspace, with the models that the settings name.

    Errors: Invalid where the model's address cannot be one.
    """
    from headrace.assistant.models.compatible import Endpoint
    from headrace.assistant.models.registry import Models
    from headrace.assistant.turns import Assistant

    endpoint = None
    if settings.model_url:
        origin(settings.model_url)
        endpoint = Endpoint(settings.model_url, settings.model_name or "default", settings.model_key)
    share = next((kind for kind in DATA_KINDS if kind == settings.share), None)
    return Assistant(workspace, Models(workspace.catalog, endpoint=endpoint, share=share))


@dataclass(frozen=True, slots=True)
class Server:
    """A whole server, ready to be served and to be closed."""

    app: FastAPI
    workspace: Workspace
    assistant: Assistant
    streams: Streams
    lock: int
    """The open file that keeps the data folder to this program."""

    def close(self) -> None:
        """Stop turns and runs, end the streams, let go of the database and the folder."""
        self.streams.close()
        self.assistant.close()
        self.workspace.close()
        os.close(self.lock)


def server_of(settings: Settings) -> Server:
    """Return the server of a data folder, which is made where it is missing.

    Errors: Refused where others could reach it and no token is set; WrongState where another program holds the folder;
    Unavailable and StorageFull from the store.
    """
    from headrace.store.sql import open_store
    from headrace.web.address import gate_for
    from headrace.web.events import Streams
    from headrace.web.parts import Parts
    from headrace.web.server import make_app

    gate = gate_for(settings.host, settings.port, token=settings.token, hosts=settings.hosts, origins=settings.origins)
    data = settings.data.expanduser().absolute()
    files = data / FILES
    _make(data)
    _make(files)
    lock = _hold(data)
    try:
        workspace = _workspace(open_store(data / DATABASE), FileSpace([files], write_root=files))
        workspace.recover()
        assistant, streams = assistant_of(workspace, settings), Streams()
    except BaseException:
        os.close(lock)
        raise
    parts = Parts(
        workspace=workspace,
        assistant=assistant,
        streams=streams,
        data_folder_name=data.name,
        place_sample=lambda: place_sample(files),
    )
    return Server(make_app(parts, gate), workspace, assistant, streams, lock)


def place_sample(files: Path) -> dict[str, Any]:
    """Return the sample flow's document; its data is put into the folder, where the like is not there already."""
    place = files / SAMPLE.name
    _make(place)
    for source in sorted(SAMPLE.glob("*.csv")):
        if not (place / source.name).exists():
            copy2(source, place / source.name)
    return document_of(read_flow_text((SAMPLE / "flow.json").read_text(encoding="utf-8")))


def development() -> FastAPI:
    """Return the application for `make dev`: as the environment says, and callable by the web app's own server."""
    found = settings_from(os.environ)
    vite = tuple(f"http://{name}:5173" for name in ("127.0.0.1", "localhost"))
    return server_of(settings_from(os.environ, origins=(*found.origins, *vite))).app


def _workspace(store: Store, files: FileSpace) -> Workspace:
    return Workspace(store, standard_catalog(), files)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _make(folder: Path) -> None:
    """Make a folder for its owner alone, unless it is there."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise Invalid("data_not_a_folder", f"{str(folder)!r} is not a folder.", "Name a folder with --data.") from error
    except OSError as error:
        raise _not_writable(folder, error) from error


def _not_writable(folder: Path, error: OSError) -> Unavailable:
    words = (error.strerror or "unknown").lower()
    return Unavailable(
        "data_not_writable",
        f"The data folder {str(folder)!r} cannot be written to: {words}.",
        "Name a folder that you may write to with --data.",
    )


def _hold(data: Path) -> int:
    """Open the lock file and keep it locked: two servers on one database would each take the other's work for lost."""
    try:
        lock = os.open(data / _LOCK, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise _not_writable(data, error) from error
    try:
        _lock(lock)
    except OSError as error:
        os.close(lock)
        raise WrongState(
            "data_in_use",
            f"Another Headrace is using the data folder {str(data)!r}.",
            "Open the address that it printed, stop it, or name another folder with --data.",
        ) from error
    return lock


def _lock(file: int) -> None:
    """Lock an open file for this process, or raise OSError; where the system has no such lock, do nothing."""
    with suppress(ImportError):
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
