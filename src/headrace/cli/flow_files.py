"""Flow files as a person names them on the command line: read whole, written whole or not at all.

Refuses to run anything: a flow file is data.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterable
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path

from headrace.base.errors import HeadraceError, Invalid, NotFound, StorageFull, Unavailable
from headrace.flow.model import Flow
from headrace.flow.notation import read_flow_text, write_flow_text
from headrace.nodes.files import FileSpace

from .ending import Usage

LARGEST = 64 * 1024 * 1024
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def read_flow(name: str) -> Flow:
    """Return the flow in a file.

    Errors: NotFound, Invalid (a folder, too large, not text, not JSON, not a flow, from a newer version), Unavailable.
    """
    path = Path(name)
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise Invalid("not_a_flow", f"{name!r} is a folder; a flow file was expected.", "Name a .json file in it.")
        if not stat.S_ISREG(mode):
            raise Invalid(
                "not_a_flow", f"{name!r} is not a plain file; a flow file was expected.", "Name a .json file."
            )
        if path.stat().st_size > LARGEST:
            size = LARGEST // (1024 * 1024)
            raise Invalid(
                "not_a_flow", f"{name!r} has more than {size} MB; no flow is that large.", "Name a flow file."
            )
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise Invalid("not_a_flow", f"{name!r} is not text; a flow file was expected.", "Name a .json file.") from None
    except (OSError, ValueError) as error:
        raise _unreadable(name, error) from None
    try:
        return read_flow_text(text)
    except Invalid as error:
        raise Invalid(error.code, f"{name!r}: {error.message}", error.hint, faults=error.faults) from None


def write_flow(name: str, flow: Flow) -> None:
    """Write a flow into a file, in one go: what was there stays until the new file is whole and on the disk.

    Errors: Usage (a folder, no such folder), Unavailable (may not be written), StorageFull.
    """
    target = Path(os.path.realpath(name))
    temporary = target.with_name(f".{target.name[:80]}.{secrets.token_hex(6)}.part")
    try:
        if target.is_dir():
            raise Usage(
                f"{name!r} is a folder; a flow cannot be saved as that.", "Name a file in it, as --save flow.json."
            )
        with temporary.open("x", encoding="utf-8") as file:
            file.write(write_flow_text(flow))
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as error:
        raise unwritable(name, error) from None
    finally:
        with suppress(OSError):
            temporary.unlink()


def unwritable(name: str, error: OSError) -> HeadraceError:
    """Return why a file that a person named cannot be written, in words."""
    if error.errno in _FULL:
        return StorageFull(
            "disk_full",
            f"{name!r} could not be saved: there is no room left on the disk.",
            "What was there before is untouched. Make room, or name a place on another disk.",
        )
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        folder = str(Path(name).parent)
        return Usage(f"{name!r} cannot be written: there is no folder {folder!r}.", "Make the folder, or name another.")
    words = (error.strerror or "unknown").lower()
    return Unavailable("not_writable", f"{name!r} cannot be written: {words}.", "Name a place that you may write to.")


def require_writable(name: str) -> None:
    """Raise why a file that a person named cannot be written: found out now, not after the work is done.

    Errors: Usage, Unavailable, StorageFull.
    """
    path = Path(name)
    if path.is_dir():
        raise Usage(f"{name!r} is a folder.", "Name a file in it.")
    try:
        there = path.exists()
        with path.open("ab"):
            pass
        if not there:
            path.unlink()
    except OSError as error:
        raise unwritable(name, error) from None


def require_no_input(name: str, inputs: Iterable[Path], *, option: str) -> None:
    """Raise Usage where a file to be written is one of those that are read."""
    target = os.path.realpath(name)
    if any(os.path.realpath(path) == target for path in inputs):
        raise Usage(
            f"{option} names {name!r}, which is one of the files that are read.",
            "Inputs are never overwritten; name another file.",
        )


def space_for(files: Iterable[str], flow_file: str | None = None) -> FileSpace:
    """Return where a command may read and write: what was named, else the working directory and the flow's own folder.

    New files go to the working directory. Errors: NotFound for a named path that is not there.
    """
    named = [Path(name) for name in files]
    missing = [str(path) for path in named if not path.exists()]
    if missing:
        what = "is no file" if len(missing) == 1 else "are no files"
        beside = sorted(path.name for path in Path.cwd().iterdir() if not path.name.startswith("."))
        near = [each for name in missing for each in get_close_matches(name, beside, n=2)]
        there = f"Near it: {', '.join(map(repr, dict.fromkeys(near)))}. " if near else ""
        raise NotFound(
            "no_such_file",
            f"There {what} {', '.join(map(repr, missing))}.",
            f"{there}Name files or folders that are there, after --files.",
        )
    roots = [Path.cwd()] if not named else []
    if flow_file is not None:
        roots.append(Path(os.path.realpath(flow_file)).parent)
    return FileSpace(roots, named, Path.cwd())


def _unreadable(name: str, error: Exception) -> HeadraceError:
    if isinstance(error, FileNotFoundError | NotADirectoryError | ValueError):
        beside = _beside(Path(name)) if not isinstance(error, ValueError) else []
        hint = f"There are: {', '.join(map(repr, beside))}." if beside else "Name a .json file that `--save` wrote."
        return NotFound("no_such_file", f"There is no file {name!r}.", hint)
    words = (getattr(error, "strerror", "") or "unknown").lower()
    return Unavailable("not_readable", f"{name!r} cannot be read: {words}.", "Name a file that you may read.")


def _beside(path: Path) -> list[str]:
    with suppress(OSError):
        return sorted(each.name for each in path.parent.glob("*.json"))[:8]
    return []
