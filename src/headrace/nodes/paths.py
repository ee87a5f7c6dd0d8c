"""What a path in a config may look like, before any disk is asked.

Refuses every spelling that means another place on some system: going up, home folders, drives, shares, streams, devices,
addresses, hidden names. The same rules hold on every system, so a flow that opens here opens there.
"""

from __future__ import annotations

import re
import unicodedata

from .spec import Fault, NodeFault
from .wordlist import word_set

PATH = ("path",)
"""Where node types keep a path in their config."""
_LONGEST = 1_024
_LONGEST_NAME = 255
_RESERVED = word_set(
    "con prn aux nul conin$ conout$ com0 com1 com2 com3 com4 com5 com6 com7 com8 com9 com¹ com² com³"
    " lpt0 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9 lpt¹ lpt² lpt³"
)
_GLOB = re.compile(r"[*?\[]")


def is_glob(path: str) -> bool:
    """Return whether a path is a pattern that may mean several files."""
    return bool(_GLOB.search(path))


def check_spelling(path: str) -> tuple[str, ...]:
    """Return the parts of a path as a config writes it; an absolute one begins with `/`.

    Errors: NodeFault F503 that says which rule it breaks.
    """
    reason = _misspelled(path)
    if reason:
        raise outside(path, reason)
    absolute = path.startswith("/")
    parts = tuple(part for part in path.split("/") if part not in ("", "."))
    if not parts:
        raise NodeFault(Fault("F502", f"{shown(path)} is a folder. Name a file in it, or several as '*.csv'.", PATH))
    for part in parts:
        reason = _bad_part(part)
        if reason:
            raise outside(path, reason)
    return ("/", *parts) if absolute else parts


def check_new_name(path: str) -> None:
    """Check that a file of that path can be made on every system.

    Errors: NodeFault F503.
    """
    bad = sorted(set(re.findall(r'[<>:"|?*\[\]]', path)))
    if bad:
        raise outside(path, f"the path of a new file may not hold {' '.join(bad)}")


def outside(path: str, reason: str) -> NodeFault:
    """Return the fault of a path that may not be used."""
    return NodeFault(
        Fault(
            "F503",
            f"{shown(path)} may not be used: {reason}. Name a file in the data folder, by its path from there: 'orders.csv'.",
            PATH,
        )
    )


def shown(path: str) -> str:
    """Return a path as a message shows it: quoted, cut, without anything that could fool a terminal."""
    return repr(path if len(path) <= 100 else f"{path[:99]}…")


def _misspelled(path: str) -> str:
    if not path.strip():
        return "it is empty"
    if len(path) > _LONGEST:
        return f"it has more than {_LONGEST:,} characters"
    if any(unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") for character in path):
        return "it holds characters that cannot be seen"
    if "\\" in path:
        return "parts of a path are divided by /, not by \\"
    if re.match(r"[A-Za-z]:", path):
        return "drive letters are not used"
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", path) and "//" in path:
        return "it is an address on a network; download the file first"
    if path.startswith("//"):
        return "it names a share on a network"
    return ""


def _bad_part(part: str) -> str:
    plain = unicodedata.normalize("NFKC", part)
    if part == ".." or set(plain) == {"."}:
        return "it leads upwards"
    if "/" in plain or "\\" in plain:
        return "it holds a character that stands for /"
    if part.startswith("~"):
        return "home folders are not looked up"
    if part.startswith("."):
        return "hidden files and folders are left alone"
    if part != part.rstrip(". "):
        return f"{part!r} ends with a dot or a blank"
    if plain.split(".")[0].rstrip().casefold() in _RESERVED:
        return f"{part!r} is the name of a device"
    if len(part.encode("utf-8", "surrogatepass")) > _LONGEST_NAME:
        return f"a name in it has more than {_LONGEST_NAME} bytes"
    if re.search(r"%(25)*(2e|2f|5c|00|c0)", part, re.IGNORECASE):
        return "it is written with % codes"
    return ""
