"""Use cases of receiving: a file that a person brings arrives in parts and lands in the data folder as a whole.

Owns what has arrived so far, in unnamed temporary files that vanish with the process. Refuses what no node could read, and to
replace a file that is there unless that was asked for. Nothing is seen in the data folder before it is whole.
"""

from __future__ import annotations

import errno
import shutil
import tempfile
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from headrace.base.actor import Actor
from headrace.base.errors import Invalid, NotFound, StorageFull, WrongState
from headrace.base.ids import new_id
from headrace.nodes.files import FileInfo, data_endings, writing
from headrace.nodes.spec import NodeFault

from .foundation import Foundation, UseCases, require_person
from .views import ReceivedView

_MOST_AT_ONCE = 8


@dataclass(slots=True)
class _Arriving:
    """A file that is not whole yet."""

    owner: str
    path: str
    overwrite: bool
    body: IO[bytes]
    size: int = 0


class Receiving(UseCases):
    """Taking in files."""

    def __init__(self, foundation: Foundation) -> None:
        super().__init__(foundation)
        self._arriving: dict[str, _Arriving] = {}
        self._receiving = threading.Lock()

    def receive(self, actor: Actor, path: str, *, overwrite: bool = False) -> ReceivedView:
        """Return the id under which the parts of a new file are taken.

        Errors: Refused for anybody but a person; Invalid where no node could read such a file, or the path is no good;
        WrongState `file_exists` where one is there and may not be replaced.
        """
        require_person(actor, "bring files")
        _check_ending(path)
        self._place(path, overwrite=overwrite)
        upload_id = new_id("up")
        body = tempfile.TemporaryFile()  # noqa: SIM115 -- it stays open until the file is whole or given up
        arriving = _Arriving(actor.owner, path, overwrite, body)
        with self._receiving:
            # Whoever walked away from a file half sent leaves it here: the oldest goes first.
            while len(self._arriving) >= _MOST_AT_ONCE:
                self._arriving.pop(next(iter(self._arriving))).body.close()
            self._arriving[upload_id] = arriving
        return ReceivedView(upload_id=upload_id, path=path, size=0)

    def receive_part(self, actor: Actor, upload_id: str, part: bytes, *, at: int) -> ReceivedView:
        """Return how much of a file has arrived once a part is put at its end.

        `at`: how much there was before, bytes; a part that came already is not taken twice.
        Errors: NotFound; WrongState where another part is due; Invalid where the file grows too large; StorageFull.
        """
        with self._receiving:
            arriving = self._own(actor, upload_id)
            if at != arriving.size:
                raise WrongState(
                    "part_out_of_turn",
                    f"This part begins at byte {at:,}; {arriving.size:,} bytes have arrived.",
                    "Send the part that begins there.",
                )
            most = self._house.budgets.upload_bytes
            if at + len(part) > most:
                self._arriving.pop(upload_id).body.close()
                raise Invalid(
                    "file_too_large",
                    f"{arriving.path!r} is larger than {most / 1_000_000:,.0f} MB.",
                    "Put it into the data folder by hand; it is found there.",
                )
            with _room_needed(arriving.path):
                arriving.body.write(part)
            arriving.size += len(part)
            return ReceivedView(upload_id=upload_id, path=arriving.path, size=arriving.size)

    def receive_whole(self, actor: Actor, upload_id: str) -> FileInfo:
        """Return the file that all parts made, in the data folder.

        Errors: NotFound; WrongState `file_exists` where one has appeared there meanwhile; StorageFull.
        """
        with self._receiving:
            self._own(actor, upload_id)
            arriving = self._arriving.pop(upload_id)
        with arriving.body as body:
            target = self._place(arriving.path, overwrite=arriving.overwrite)
            body.seek(0)
            with (
                _room_needed(arriving.path),
                _as_errors(),
                writing(target, overwrite=arriving.overwrite) as beside,
                beside.open("xb") as file,
            ):
                shutil.copyfileobj(body, file, 1 << 20)
        path = target.relative_to(self._house.files.write_root).as_posix()
        return FileInfo(name=target.name, path=path, size=arriving.size, modified=self._house.now())

    def drop_arriving(self) -> None:
        """Forget every file that is not whole."""
        with self._receiving:
            while self._arriving:
                self._arriving.popitem()[1].body.close()

    def _own(self, actor: Actor, upload_id: str) -> _Arriving:
        found = self._arriving.get(upload_id)
        if found is None or found.owner != actor.owner:
            raise NotFound(
                "not_found", f"There is no file {upload_id!r} under way.", "Send it again from the beginning."
            )
        return found

    def _place(self, path: str, *, overwrite: bool) -> Path:
        with _as_errors():
            return self._house.files.write(path, overwrite=overwrite)


def _check_ending(path: str) -> None:
    endings = data_endings()
    if Path(path).suffix.lower() not in endings:
        raise Invalid(
            "no_table",
            f"{path!r} is no table that can be read here.",
            f"Bring a file that ends in one of {', '.join(endings)}.",
        )


@contextmanager
def _as_errors() -> Generator[None]:
    try:
        yield
    except NodeFault as error:
        first = error.faults[0]
        if first.code == "F511":
            raise WrongState("file_exists", first.message, "Replace it, or give the new one another name.") from None
        raise Invalid(first.code, first.message) from None


@contextmanager
def _room_needed(path: str) -> Generator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise
        raise StorageFull(
            "disk_full", f"There is no room for {path!r} on the disk.", "Free some and try again."
        ) from None
