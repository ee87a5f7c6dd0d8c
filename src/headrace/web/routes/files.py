"""Files: what lies in the data folder, what a file looks like from its head, and bringing one: announced, sent in parts, kept."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from headrace.nodes.files import FileInfo
from headrace.web.parts import Here
from headrace.web.shapes import Nothing, Upload, UploadPart
from headrace.workspace.views import FileDescription, ReceivedView

router = APIRouter(prefix="/files", tags=["files"])


@router.get("")
def files(parts: Here) -> list[FileInfo]:
    """Return the files that can be read."""
    return parts.workspace.files(parts.actor)


@router.get("/describe")
def describe_file(parts: Here, path: Annotated[str, Query(max_length=4096)]) -> FileDescription:
    """Return a file's columns, some rows, and what was decided in reading it; its head is looked at, nothing more."""
    return parts.workspace.describe_file(parts.actor, path)


@router.post("/uploads", status_code=201)
def announce(parts: Here, body: Upload) -> ReceivedView:
    """Begin to bring a file; nothing is seen of it before it is whole."""
    return parts.workspace.receive(parts.actor, body.path, overwrite=body.overwrite)


@router.post("/uploads/{upload_id}/parts")
def send_part(parts: Here, upload_id: str, body: UploadPart) -> ReceivedView:
    """Put the next part of a file behind those that came."""
    return parts.workspace.receive_part(parts.actor, upload_id, body.decoded(), at=body.at)


@router.post("/uploads/{upload_id}/keep", status_code=201)
def keep_upload(parts: Here, upload_id: str, body: Nothing | None = None) -> FileInfo:
    """Put a file that has come whole into the data folder."""
    del body
    return parts.workspace.receive_whole(parts.actor, upload_id)
