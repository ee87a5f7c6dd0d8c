"""Files that are whole or not there: written beside their place under a name of their own, then put into it.

Owns the moment of replacing. Refuses to replace what came in between, unless it may.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from .spec import Fault, NodeFault


@contextmanager
def replaced(target: Path, *, overwrite: bool) -> Generator[Path]:
    """Return a path beside `target` to write to; when the `with` ends well, the file takes the target's place at once.

    When it ends badly nothing is left behind. Errors: NodeFault F511, where the target came into being in between.
    """
    part = target.with_name(f".{target.stem[:80]}.{secrets.token_hex(4)}.part{target.suffix}")
    try:
        yield part
        if overwrite:
            part.replace(target)
        else:
            _place(part, target)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _place(part: Path, target: Path) -> None:
    try:
        os.link(part, target)
    except FileExistsError:
        message = f"{target.name!r} exists already and is kept. Choose another name, or set `overwrite`."
        raise NodeFault(Fault("F511", message, ("path",))) from None
    except OSError:  # a file system without links
        part.replace(target)
