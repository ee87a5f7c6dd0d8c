"""Files: what lies in the files folder, and what a file looks like from its head."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from headrace.nodes.files import FileInfo
from headrace.web.parts import Here
from headrace.workspace.views import FileDescription

router = APIRouter(prefix="/files", tags=["files"])


@router.get("")
def files(parts: Here) -> list[FileInfo]:
    """Return the files that can be read."""
    return parts.workspace.files(parts.actor)


@router.get("/describe")
def describe_file(parts: Here, path: Annotated[str, Query(max_length=4096)]) -> FileDescription:
    """Return a file's columns, some rows, and what was decided in reading it; its head is looked at, nothing more."""
    return parts.workspace.describe_file(parts.actor, path)
