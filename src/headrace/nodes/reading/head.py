"""The head of a file: a bounded look, and what kind of file it is by its first bytes.

Owns the limits of looking. Refuses what is no regular file, what is empty, and what has no end of line within the head.
"""

from __future__ import annotations

import os
import stat
import zlib
from dataclasses import dataclass
from pathlib import Path

from headrace.nodes.spec import Fault, NodeFault

HEAD_BYTES = 1_000_000
LEAST_BYTES = 64_000
HEAD_LINES = 20_000
LONGEST_LINE = 2_000_000
"""Bytes of a line of delimited text; what is longer is no row of a table."""

_MAGIC = (
    (b"PAR1", "a parquet file"),
    (b"PK\x03\x04", "a zip archive or an office document"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old or protected office document"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"SQLite format 3\x00", "a SQLite database"),
    (b"\x7fELF", "a program"),
    (b"ARROW1", "an Arrow file"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"BZh", "a bzip2 archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
)
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Stamp:
    """A file as it is now: as long as the stamp is the same, so is what was found."""

    path: Path
    size: int
    modified_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class Head:
    """The first bytes of a file, unpacked where it is gzipped."""

    path: Path
    data: bytes
    complete: bool
    """There is nothing after these bytes."""
    gzip: bool = False

    def looks_like(self) -> str:
        """Return what the first bytes say the file is, or an empty text where they say nothing."""
        return next((title for magic, title in _MAGIC if self.data.startswith(magic)), "")


def stamp(path: Path) -> Stamp:
    """Return the stamp of a regular file that is not empty.

    Errors: NodeFault F501 not there, F502 not a file, F505 empty, F504 may not be read.
    """
    try:
        found = path.stat()
    except FileNotFoundError:
        raise NodeFault(file_fault("F501", f"There is no file {path.name!r}. Name one that exists.")) from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise NodeFault(file_fault("F504", f"{path.name!r} cannot be read: {reason}. Check its permissions.")) from None
    if not stat.S_ISREG(found.st_mode):
        kind = "a folder" if stat.S_ISDIR(found.st_mode) else "a device or a pipe"
        raise NodeFault(file_fault("F502", f"{path.name!r} is {kind}, not a file. Name a file in it or beside it."))
    if found.st_size == 0:
        raise NodeFault(file_fault("F505", f"{path.name!r} is empty. Choose a file that holds a table."))
    if not os.access(path, os.R_OK):
        raise NodeFault(file_fault("F504", f"{path.name!r} may not be read by this program. Check its permissions."))
    return Stamp(path, found.st_size, found.st_mtime_ns, found.st_ino)


def read_head(path: Path, limit: int = HEAD_BYTES) -> Head:
    """Return at most `limit` bytes from the start of a file.

    Errors: NodeFault F504 where it cannot be read.
    """
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise NodeFault(file_fault("F504", f"{path.name!r} cannot be read: {reason}.")) from None
    if not data.startswith(_GZIP):
        return Head(path, data[:limit], len(data) <= limit)
    return _unpacked(path, data, limit)


def ends_in_line_of(path: Path, most: int) -> bool:
    """Return whether the last line of a file has at most so many bytes; only its end is read.

    Errors: NodeFault F504 where it cannot be read.
    """
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - most - 2))
            end = file.read(most + 2)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise NodeFault(file_fault("F504", f"{path.name!r} cannot be read: {reason}.")) from None
    return size <= most or b"\n" in end.rstrip(b"\r\n\x00") or b"\r" in end.rstrip(b"\r\n\x00")


def _unpacked(path: Path, data: bytes, limit: int) -> Head:
    unpack = zlib.decompressobj(wbits=31)
    try:
        plain = unpack.decompress(data, limit + 1)
    except zlib.error:
        raise NodeFault(file_fault("F504", f"{path.name!r} is a damaged gzip file. Get a fresh copy of it.")) from None
    complete = unpack.eof and not unpack.unused_data and len(plain) <= limit
    return Head(path, plain[:limit], complete, gzip=True)


def file_fault(code: str, message: str, key: str = "path") -> Fault:
    """Return a fault about the file that the config names, or about another key of the config."""
    return Fault(code, message, (key,))
