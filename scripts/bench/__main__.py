"""Measure: `python -m scripts.bench [NAMES…] [--json]` runs every module here that has `figures()` and prints a table.

`NAMES` chooses modules: `python -m scripts.bench runs edits`. A module that breaks is said, and the others go on.
"""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent


def main() -> int:
    """Print the figures as they come; return 0, or 1 where a module broke."""
    names = sorted(module.name for module in pkgutil.iter_modules([str(HERE)]) if not module.name.startswith("_"))
    parser = argparse.ArgumentParser(prog="make bench", description="Measure starts, edits, tools, runs and tokens.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which: {', '.join(names)}; all where none is named")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    options = parser.parse_args()
    if unknown := sorted(set(options.names) - set(names)):
        parser.error(f"there is no {', '.join(unknown)}; there are {', '.join(names)}")
    found: dict[str, dict[str, str]] = {}
    broken = False
    for name in options.names or names:
        found[name] = {}
        if not options.json:
            print(f"\n{name}")
        for label, value in _figures(name):
            broken |= value.startswith("broke: ")
            found[name][label] = value
            if not options.json:
                print(f"  {label:<72} {value}", flush=True)
    if options.json:
        print(json.dumps(found, indent=2))
    return 1 if broken else 0


def _figures(name: str) -> Iterator[tuple[str, str]]:
    try:
        module = importlib.import_module(f"scripts.bench.{name}")
        if hasattr(module, "figures"):
            yield from module.figures()
    except Exception as error:
        yield name, f"broke: {type(error).__name__}: {str(error)[:200]}"


if __name__ == "__main__":
    sys.exit(main())
