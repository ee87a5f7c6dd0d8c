"""Sets the working copy up, one target a call, and does nothing where nothing changed.

    python3 scripts/setup.py base       .venv with what running needs
    python3 scripts/setup.py dev        the same and what testing needs
    python3 scripts/setup.py node       web/node_modules with what building the web app needs
    python3 scripts/setup.py node-dev   the same and what testing it needs
    python3 scripts/setup.py web        the built web app in src/headrace/static
    python3 scripts/setup.py chromium   a Chromium for the browser journeys

Every target leaves a stamp with the hash of what it was made from, inside the folder that it made: a removed folder takes its stamp
along. Uses the standard library alone, since it runs before anything is installed. Refuses to guess: what is missing and cannot be
installed from here is named, with the way to get it.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
WEB = ROOT / "web"
STATIC = ROOT / "src" / "headrace" / "static"
OLDEST_PYTHON = (3, 11)
OLDEST_NODE = (20, 19)
NODE_FLAGS = ("--no-fund", "--no-audit", "--ignore-scripts", "--loglevel=error")
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM_PACKAGES = ("chromium", "fonts-dejavu-core", "fonts-liberation")
WEB_TESTS = (".test.ts", ".test.tsx")


class CannotSetUp(Exception):
    """Something is missing that this script may not or cannot install."""


def digest_of(paths: Iterable[Path], *words: str) -> str:
    """Return a hash of the files' names and bytes and of the words."""
    state = hashlib.sha256("\0".join(words).encode())
    for path in sorted(paths):
        state.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return state.hexdigest()


def stamped(stamp: Path) -> dict[str, str]:
    """Return what a stamp says, or nothing where there is none that can be read."""
    try:
        return json.loads(stamp.read_text())
    except (OSError, ValueError):
        return {}


def say(line: str) -> None:
    """Tell the person what is going on; results of commands go to standard output, this does not."""
    print(f"setup: {line}", file=sys.stderr, flush=True)


def call(*command: str | Path, cwd: Path = ROOT, environment: Mapping[str, str] | None = None) -> None:
    """Run a command that must succeed. Errors: CannotSetUp with the command's name."""
    full = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1", **(environment or {})}
    # Bytecode is what makes the second start quick; some build machines switch it off.
    full.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run([str(word) for word in command], cwd=cwd, env=full, check=False, stdout=sys.stderr)
    if done.returncode:
        raise CannotSetUp(
            f"{' '.join(str(word) for word in command[:6])!r} ended with {done.returncode}; its own words stand above."
        )


# ---------------------------------------------------------------------------------------------------------------- Python


def venv_python() -> Path:
    """Return where the virtual environment's interpreter is."""
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def make_venv() -> None:
    """Make the virtual environment with the interpreter that runs this script."""
    if sys.version_info < OLDEST_PYTHON:
        found = ".".join(str(part) for part in sys.version_info[:3])
        raise CannotSetUp(
            f"Python {found} is too old. Headrace needs Python 3.11 or later. Name one: make PYTHON=python3.12 setup."
        )
    say("making .venv")
    try:
        call(sys.executable, "-m", "venv", "--clear", VENV)
    except CannotSetUp as fault:
        raise CannotSetUp(f"{fault} On Debian the module comes with: apt-get install python3-venv.") from fault


def packages(which: str) -> None:
    """Install the locked packages: `base` to run, `dev` to test as well."""
    stamp = VENV / "headrace-setup.json"
    locks = {name: ROOT / "requirements" / f"{name}.txt" for name in ("base", "dev")}
    # An editable install records the project's metadata and the folder's place: either may change under the same locks.
    wanted = {name: digest_of((lock, ROOT / "pyproject.toml"), str(ROOT)) for name, lock in locks.items()}
    have = stamped(stamp)
    if have.get(which) == wanted[which] and venv_python().exists():
        return
    if have.get("root") != str(ROOT) or not venv_python().exists():
        make_venv()
        have = {}
    which = "dev" if "dev" in have else which  # never leave half of an older test set behind
    say(f"installing requirements/{which}.txt")
    pip = (
        venv_python(),
        "-m",
        "pip",
        "install",
        "-qq",
    )  # twice: its warnings about settings of the machine say nothing here
    call(*pip, "--require-hashes", "-r", locks[which])
    call(*pip, "--no-deps", "--no-build-isolation", "--editable", ".")
    done = {"base", which}
    stamp.write_text(json.dumps({"root": str(ROOT), **{name: wanted[name] for name in sorted(done)}}))


# ------------------------------------------------------------------------------------------------------------------ Node


def npm() -> str:
    """Return npm's path, having seen that Node is new enough."""
    node, found = shutil.which("node"), shutil.which("npm")
    needs = f"The web app is built with Node {OLDEST_NODE[0]}.{OLDEST_NODE[1]} or later and npm."
    if not node or not found:
        raise CannotSetUp(
            f"{'node' if not node else 'npm'!r} is not on the PATH. {needs} Install it and call make again."
        )
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    major, minor = (int(part) for part in version.removeprefix("v").split(".")[:2])
    if (major, minor) < OLDEST_NODE:
        raise CannotSetUp(f"Node {version} is too old. {needs} Put a later one first on the PATH and call make again.")
    return found


def node_packages(which: str) -> None:
    """Install the locked npm packages: `node` to build, `node-dev` to test as well."""
    stamp = WEB / "node_modules" / ".headrace-setup.json"
    wanted = digest_of((WEB / "package.json", WEB / "package-lock.json"))
    have = stamped(stamp)
    fresh = {name for name in ("node", "node-dev") if have.get(name) == wanted}
    if which in fresh:
        return
    whole = which == "node-dev" or "node-dev" in have
    say(f"installing web/package-lock.json {'with' if whole else 'without'} what only tests need")
    call(npm(), "ci", *NODE_FLAGS, *(() if whole else ("--omit=dev",)), cwd=WEB)
    stamp.write_text(json.dumps(dict.fromkeys(("node", "node-dev") if whole else ("node",), wanted)))


def web_sources() -> list[Path]:
    """Return the files that the built web app is made from."""
    found = [*WEB.glob("*.json"), WEB / "vite.config.ts", WEB / "index.html"]
    found += [path for folder in ("src", "public") for path in (WEB / folder).rglob("*")]
    return [path for path in found if path.is_file() and not path.name.endswith(WEB_TESTS)]


def web_app() -> None:
    """Build the web app into the Python package, where its sources changed."""
    stamp = STATIC / ".built.json"
    wanted = digest_of(web_sources())
    if stamped(stamp).get("sources") == wanted:
        return
    node_packages("node")
    say("building the web app")
    call(npm(), "run", "--silent", "build", "--", "--logLevel=warn", cwd=WEB)
    stamp.write_text(json.dumps({"sources": wanted}))


# -------------------------------------------------------------------------------------------------------------- Chromium


def chromium() -> None:
    """See that there is a Chromium for the browser journeys, and print its path."""
    named = os.environ.get("HEADRACE_CHROMIUM")
    if named and not Path(named).exists():
        raise CannotSetUp(f"HEADRACE_CHROMIUM names {named!r}, which is not there. Name a Chromium, or unset it.")
    path = named or first_chromium()
    if not path:
        install_chromium()
        path = first_chromium()
    if not path:
        raise CannotSetUp(
            "Chromium was installed and is still not on the PATH. Name it: HEADRACE_CHROMIUM=/path/to/chromium."
        )
    print(path)


def first_chromium() -> str | None:
    """Return the first Chromium on the PATH, or None."""
    return next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)


def install_chromium() -> None:
    """Install Debian's Chromium where this may be done. Errors: CannotSetUp that says what to do."""
    apt = shutil.which("apt-get")
    if not apt or os.name == "nt" or os.geteuid() != 0:
        raise CannotSetUp(
            "The browser journeys need a Chromium and none was found. "
            "Install one (Debian: apt-get install chromium) or name one: HEADRACE_CHROMIUM=/path/to/chromium make test. "
            "To test everything else: make test BROWSER=no."
        )
    say("installing Debian's chromium")
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    call(apt, "update", "-qq", environment=quiet)
    call(
        apt,
        "install",
        "-qq",
        "-y",
        "-o",
        "Dpkg::Use-Pty=0",
        "--no-install-recommends",
        *CHROMIUM_PACKAGES,
        environment=quiet,
    )


TARGETS: dict[str, Callable[[], None]] = {
    "base": lambda: packages("base"),
    "dev": lambda: packages("dev"),
    "node": lambda: node_packages("node"),
    "node-dev": lambda: node_packages("node-dev"),
    "web": web_app,
    "chromium": chromium,
}


def main(names: list[str]) -> int:
    """Make the named targets, in order; return the exit code."""
    unknown = [name for name in names if name not in TARGETS]
    if unknown or not names:
        say(f"no target {', '.join(map(repr, unknown)) or 'named'}. There are: {', '.join(TARGETS)}.")
        return 2
    try:
        for name in names:
            TARGETS[name]()
    except CannotSetUp as fault:
        say(str(fault))
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
