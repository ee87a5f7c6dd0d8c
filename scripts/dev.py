"""Serves the working copy with reload: Python on 8765, the web app by Vite, which forwards /api there. Ctrl-C ends both."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PORT = "8765"


def main(arguments: list[str]) -> int:
    """Run both servers until one ends or the person stops them; return the exit code."""
    npm = shutil.which("npm")
    if not npm:
        print("dev: 'npm' is not on the PATH. Install Node 20.19 or later and call make dev again.", file=sys.stderr)
        return 1
    python = [
        sys.executable,
        "-m",
        "uvicorn",
        "--factory",
        "headrace.app:development",
        "--reload",
        "--reload-dir",
        "src",
        "--port",
        PORT,
        # open pages follow the event stream; a reload does not wait for them
        "--timeout-graceful-shutdown",
        "1",
    ]
    servers = [
        subprocess.Popen([*python, *arguments], cwd=ROOT),
        subprocess.Popen(
            [npm, "run", "--silent", "dev"],
            cwd=ROOT / "web",
            env={**os.environ, "HEADRACE_SERVER": f"http://127.0.0.1:{PORT}"},
        ),
    ]
    try:
        os.wait()
    except KeyboardInterrupt:
        return 0
    finally:
        for server in servers:
            server.terminate()
        for server in servers:
            server.wait()
    return 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
